# SHOW: ptx
# KERNEL: yes
# FOR: (float32[::1], float32)
# ONLY: atom|red|fence
from hetjit import device


def sums(total, value):
    device.atomic.add(total, 0, value)

# CHECK: 	atom.relaxed.gpu.global.add.f32 %r1, [%rd1], %r2;

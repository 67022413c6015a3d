# SHOW: ptx
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
# ONLY: setp|div|add.s32|bra|\$L
from hetjit import device
# A step that is known at run time only: no division counts the turns first, and one addition and one comparison are a turn's cost.
def f(x, y):
    for i in range(device.tid(1), x.shape[0], device.grid_size(1)):
        y[i] = x[i]

# CHECK: 	setp.le.u64 	%p1, %rd2, %rd11;
# CHECK: 	@%p1 bra 	$L__BB0_3;
# CHECK: $L__BB0_2:
# CHECK: 	setp.lt.u64 	%p2, %rd11, %rd2;
# CHECK: 	@%p2 bra 	$L__BB0_2;
# CHECK: $L__BB0_3:

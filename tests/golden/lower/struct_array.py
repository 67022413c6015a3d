# SHOW: optimized
# KERNEL: yes
# FOR: (array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], array[f32x4, 1, contiguous, index32])
from hetjit import device
def f(bodies, out):
    i = device.tid(1)
    b = bodies[i]
    out[i] = device.float32x4(b.pos.x, b.pos.y, b.pos.z, b.mass)
    bodies[i] = b.replace(mass=0)

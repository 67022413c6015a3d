# SHOW: ptx
# KERNEL: yes
# TARGET: cuda:sm_90
# ONLY: ld\.|st\.
# FOR: (array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], array[f32x4, 1, contiguous, index32])
from hetjit import device
def f(bodies, out):
    i = device.tid(1)
    v = out[i]
    out[i] = v * bodies[i].pos.y
    bodies[i] = bodies[i].replace(mass=v.w)

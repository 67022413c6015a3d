# SHOW: optimized
# KERNEL: yes
# FOR: (array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], array[f32x4, 1, contiguous, index32])
from hetjit import device
def f(bodies, out):
    i = device.tid(1)
    b = bodies[i]
    out[i] = device.float32x4(b.pos.x, b.pos.y, b.pos.z, b.mass)
    bodies[i] = b.replace(mass=0)

# CHECK: f(bodies: array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], out: array[f32x4, 1, contiguous, index32]) -> none
# CHECK: b0(v0: array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], v1: array[f32x4, 1, contiguous, index32]):
# CHECK:   v2: u32 = blockindex 0                    6:8-21
# CHECK:   v3: u32 = blockdim 0                      6:8-21
# CHECK:   v4: u32 = mul v2, v3                      6:8-21
# CHECK:   v5: u32 = threadindex 0                   6:8-21
# CHECK:   v6: u32 = add v4, v5                      6:8-21
# CHECK:   v7: i32 = convert v6                      6:8-21
# CHECK:   v8: ptr[struct Body {pos: f32x3, mass: weak f32}] = element v0, v7  7:8-17
# CHECK:   v9: struct Body {pos: f32x3, mass: weak f32} = load v8  7:8-17
# CHECK:   v10: f32x3 = extract 0 v9                 7:8-17
# CHECK:   v11: f32 = extract 0 v10                  7:8-17
# CHECK:   v12: f32 = extract 1 v10                  7:8-17
# CHECK:   v13: f32 = extract 2 v10                  7:8-17
# CHECK:   v14: f32 = extract 1 v9                   7:8-17
# CHECK:   v15: ptr[f32x4] = element v1, v7          8:4-10
# CHECK:   v16: f32x4 = tuple v11, v12, v13, v14     8:4-10
# CHECK:   store v15, v16                            8:4-10
# CHECK:   v17: f32 = constf 0.0                     9:16-33
# CHECK:   v18: ptr[struct Body {pos: f32x3, mass: weak f32}] = element v0, v7  9:4-13
# CHECK:   v20: struct Body {pos: f32x3, mass: weak f32} = tuple v10, v17  9:4-13
# CHECK:   store v18, v20                            9:4-13
# CHECK:   v21: none = none                          9:4-13
# CHECK:   return v21                                9:4-13

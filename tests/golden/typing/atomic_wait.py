# SHOW: typed
# KERNEL: yes
# ROW: HETX-AT-3
# FOR: (float32[::1])
from hetjit import device
def f(x):
    ref = device.AtomicRef(x, 0)
    ref.wait(0.0, scope="device")
    ref.notify_one()
    ref.notify_all()

# CHECK: f(x: array[f32, 1, contiguous]) -> none
# CHECK: b0(v0: array[f32, 1, contiguous]):
# CHECK:   v1: i64 = const 0                         7:10-32
# CHECK:   v2: ptr[f32] = element v0, v1             7:10-32
# CHECK:   v3: f32 = constf 0.0                      8:4-33
# CHECK:   jump b1                                   8:4-33
# CHECK: b1():
# CHECK:   v4: f32 = atomicload seq_cst device v2    8:4-33
# CHECK:   v5: u32 = reinterpret v4                  8:4-33
# CHECK:   v6: u32 = reinterpret v3                  8:4-33
# CHECK:   v7: bool = compare eq v5, v6              8:4-33
# CHECK:   branch v7, b2, b3                         8:4-33
# CHECK: b2():
# CHECK:   pause                                     8:4-33
# CHECK:   jump b1                                   8:4-33
# CHECK: b3():
# CHECK:   v8: none = none                           10:4-20
# CHECK:   return v8                                 10:4-20

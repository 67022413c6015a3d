# SHOW: typed
# FOR: (float, int)
from hetjit import device
@device.struct
class Body:
    pos: device.float32x3
    mass: float
    tag: int = 7
    none: None = None
    def weight(self, g=2.0):
        return self.mass * g
    @property
    def half(self):
        return self.mass / 2
    @staticmethod
    def twice(x):
        return x * 2
    @classmethod
    def unit(cls, x):
        return cls(device.float32x3(x, x, x), 1.0)
def moved(b, dx):
    b.pos = b.pos + dx
    return b
def f(x, n):
    b = Body(device.float32x3(x, 2, 3), mass=n)
    c = moved(b, 1)
    u = Body.unit(x)
    b.mass += 1
    pos, mass, tag, none = b
    return b.pos.x, c.pos.x, mass, b.weight(), b.weight(g=3), b.half, Body.twice(n), b.twice(x), c == b, u == Body.unit(x), len(b), u.pos[2], b.replace(tag=n)[2], tag, none is None, tuple(u)[0] == u.pos, c.pos.z

# CHECK: f(x: f32, n: i32) -> (f32, f32, f32, f32, f32, f32, i32, f32, bool, bool, i32, f32, i32, i32, bool, bool, f32)
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v2: f32 = constf 2.0                      25:13-38
# CHECK:   v3: f32 = constf 3.0                      25:13-38
# CHECK:   v4: f32 = convert v1                      25:8-47
# CHECK:   v5: i32 = const 7                         25:8-47
# CHECK:   v6: i32 = const 1                         26:8-19
# CHECK:   v7: (f32, f32, f32, f32, i32) = call 1 v0, v2, v3, v4, v5, v6  26:8-19
# CHECK:   v8: f32 = extract 0 v7                    26:8-19
# CHECK:   v9: f32 = extract 1 v7                    26:8-19
# CHECK:   v10: f32 = extract 2 v7                   26:8-19
# CHECK:   v11: f32 = extract 3 v7                   26:8-19
# CHECK:   v12: i32 = extract 4 v7                   26:8-19
# CHECK:   v13: (f32, f32, f32, f32, i32) = call 2 v0  27:8-20
# CHECK:   v14: f32 = extract 0 v13                  27:8-20
# CHECK:   v15: f32 = extract 1 v13                  27:8-20
# CHECK:   v16: f32 = extract 2 v13                  27:8-20
# CHECK:   v17: f32 = extract 3 v13                  27:8-20
# CHECK:   v18: i32 = extract 4 v13                  27:8-20
# CHECK:   v19: f32 = constf 1.0                     28:4-15
# CHECK:   v20: f32 = add v4, v19                    28:4-15
# CHECK:   v21: f32 = call 3 v0, v2, v3, v20, v5     30:35-45
# CHECK:   v22: i32 = const 3                        30:47-60
# CHECK:   v23: f32 = call 4 v0, v2, v3, v20, v5, v22  30:47-60
# CHECK:   v24: f32 = call 5 v0, v2, v3, v20, v5     30:62-68
# CHECK:   v25: i32 = call 6 v1                      30:70-83
# CHECK:   v26: f32 = call 7 v0                      30:85-95
# CHECK:   v27: bool = compare eq v8, v0             30:97-103
# CHECK:   v28: bool = const true                    30:97-103
# CHECK:   v29: bool = and v28, v27                  30:97-103
# CHECK:   v30: bool = compare eq v9, v2             30:97-103
# CHECK:   v31: bool = and v29, v30                  30:97-103
# CHECK:   v32: bool = compare eq v10, v3            30:97-103
# CHECK:   v33: bool = and v31, v32                  30:97-103
# CHECK:   v34: bool = const true                    30:97-103
# CHECK:   v35: bool = and v34, v33                  30:97-103
# CHECK:   v36: bool = compare eq v11, v20           30:97-103
# CHECK:   v37: bool = and v35, v36                  30:97-103
# CHECK:   v38: bool = compare eq v12, v5            30:97-103
# CHECK:   v39: bool = and v37, v38                  30:97-103
# CHECK:   v40: bool = const true                    30:97-103
# CHECK:   v41: bool = and v39, v40                  30:97-103
# CHECK:   v42: (f32, f32, f32, f32, i32) = call 2 v0  30:110-122
# CHECK:   v43: f32 = extract 0 v42                  30:110-122
# CHECK:   v44: f32 = extract 1 v42                  30:110-122
# CHECK:   v45: f32 = extract 2 v42                  30:110-122
# CHECK:   v46: f32 = extract 3 v42                  30:110-122
# CHECK:   v47: i32 = extract 4 v42                  30:110-122
# CHECK:   v48: bool = compare eq v14, v43           30:105-122
# CHECK:   v49: bool = const true                    30:105-122
# CHECK:   v50: bool = and v49, v48                  30:105-122
# CHECK:   v51: bool = compare eq v15, v44           30:105-122
# CHECK:   v52: bool = and v50, v51                  30:105-122
# CHECK:   v53: bool = compare eq v16, v45           30:105-122
# CHECK:   v54: bool = and v52, v53                  30:105-122
# CHECK:   v55: bool = const true                    30:105-122
# CHECK:   v56: bool = and v55, v54                  30:105-122
# CHECK:   v57: bool = compare eq v17, v46           30:105-122
# CHECK:   v58: bool = and v56, v57                  30:105-122
# CHECK:   v59: bool = compare eq v18, v47           30:105-122
# CHECK:   v60: bool = and v58, v59                  30:105-122
# CHECK:   v61: bool = const true                    30:105-122
# CHECK:   v62: bool = and v60, v61                  30:105-122
# CHECK:   v63: bool = compare eq v14, v14           30:182-202
# CHECK:   v64: bool = const true                    30:182-202
# CHECK:   v65: bool = and v64, v63                  30:182-202
# CHECK:   v66: bool = compare eq v15, v15           30:182-202
# CHECK:   v67: bool = and v65, v66                  30:182-202
# CHECK:   v68: bool = compare eq v16, v16           30:182-202
# CHECK:   v69: bool = and v67, v68                  30:182-202
# CHECK:   v70: i32 = const 4                        30:4-211
# CHECK:   v71: bool = const true                    30:4-211
# CHECK:   v72: (f32, f32, f32, f32, f32, f32, i32, f32, bool, bool, i32, f32, i32, i32, bool, bool, f32) = tuple v0, v8, v20, v21, v23, v24, v25, v26, v41, v62, v70, v16, v1, v5, v71, v69, v10  30:4-211
# CHECK:   return v72                                30:4-211
# CHECK:
# CHECK: moved(b.0: f32, b.1: f32, b.2: f32, b.3: f32, b.4: i32, dx: i32) -> (f32, f32, f32, f32, i32)
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32, v5: i32):
# CHECK:   v6: f32 = convert v5                      @5 22:12-22
# CHECK:   v7: f32 = add v0, v6                      @5 22:12-22
# CHECK:   v8: f32 = convert v5                      @5 22:12-22
# CHECK:   v9: f32 = add v1, v8                      @5 22:12-22
# CHECK:   v10: f32 = convert v5                     @5 22:12-22
# CHECK:   v11: f32 = add v2, v10                    @5 22:12-22
# CHECK:   v12: (f32, f32, f32, f32, i32) = tuple v7, v9, v11, v3, v4  @5 23:4-12
# CHECK:   return v12                                @5 23:4-12
# CHECK:
# CHECK: unit(x: f32) -> (f32, f32, f32, f32, i32)
# CHECK: b0(v0: f32):
# CHECK:   v1: f32 = constf 1.0                      @4 20:15-50
# CHECK:   v2: i32 = const 7                         @4 20:15-50
# CHECK:   v3: (f32, f32, f32, f32, i32) = tuple v0, v0, v0, v1, v2  @4 20:8-50
# CHECK:   return v3                                 @4 20:8-50
# CHECK:
# CHECK: weight(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32):
# CHECK:   v5: f32 = constf 2.0                      @1 11:15-28
# CHECK:   v6: f32 = mul v3, v5                      @1 11:15-28
# CHECK:   return v6                                 @1 11:8-28
# CHECK:
# CHECK: weight.1(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32, g: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32, v5: i32):
# CHECK:   v6: f32 = convert v5                      @1 11:15-28
# CHECK:   v7: f32 = mul v3, v6                      @1 11:15-28
# CHECK:   return v7                                 @1 11:8-28
# CHECK:
# CHECK: half(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32):
# CHECK:   v5: f32 = constf 2.0                      @2 14:15-28
# CHECK:   v6: f32 = div v3, v5                      @2 14:15-28
# CHECK:   return v6                                 @2 14:8-28
# CHECK:
# CHECK: twice(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = const 2                         @3 17:15-20
# CHECK:   v2: i32 = mul v0, v1                      @3 17:15-20
# CHECK:   return v2                                 @3 17:8-20
# CHECK:
# CHECK: twice.1(x: f32) -> f32
# CHECK: b0(v0: f32):
# CHECK:   v1: f32 = constf 2.0                      @3 17:15-20
# CHECK:   v2: f32 = mul v0, v1                      @3 17:15-20
# CHECK:   return v2                                 @3 17:8-20
# RUN: f(1.5, 3) == (1.5, 2.5, 4.0, 8.0, 12.0, 2.0, 6, 3.0, False, True, 4, 1.5, 3, 7, True, True, 4.0)

# SHOW: typed
# FOR: (float, int)
from hetjit import device
@device.struct
class Body:
    pos: device.float32x3
    mass: float
    tag: int = 7
    none: None = None
    LIMIT = 100
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
    return b.pos.x, c.pos.x, mass, b.weight(), b.weight(g=3), b.half, Body.twice(n), b.LIMIT, c == b, u == Body.unit(x), len(b), u.pos[2], b.replace(tag=n)[2], tag, none is None, tuple(u)[0] == u.pos, c.pos.z

# CHECK: f(x: f32, n: i32) -> (f32, f32, f32, f32, f32, f32, i32, i32, bool, bool, i32, f32, i32, i32, bool, bool, f32)
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v2: f32 = constf 2.0                      26:13-38
# CHECK:   v3: f32 = constf 3.0                      26:13-38
# CHECK:   v4: f32 = convert v1                      26:8-47
# CHECK:   v5: i32 = const 7                         26:8-47
# CHECK:   v6: i32 = const 1                         27:8-19
# CHECK:   v7: (f32, f32, f32, f32, i32) = call 1 v0, v2, v3, v4, v5, v6  27:8-19
# CHECK:   v8: f32 = extract 0 v7                    27:8-19
# CHECK:   v9: f32 = extract 1 v7                    27:8-19
# CHECK:   v10: f32 = extract 2 v7                   27:8-19
# CHECK:   v11: f32 = extract 3 v7                   27:8-19
# CHECK:   v12: i32 = extract 4 v7                   27:8-19
# CHECK:   v13: (f32, f32, f32, f32, i32) = call 2 v0  28:8-20
# CHECK:   v14: f32 = extract 0 v13                  28:8-20
# CHECK:   v15: f32 = extract 1 v13                  28:8-20
# CHECK:   v16: f32 = extract 2 v13                  28:8-20
# CHECK:   v17: f32 = extract 3 v13                  28:8-20
# CHECK:   v18: i32 = extract 4 v13                  28:8-20
# CHECK:   v19: f32 = constf 1.0                     29:4-15
# CHECK:   v20: f32 = add v4, v19                    29:4-15
# CHECK:   v21: f32 = call 3 v0, v2, v3, v20, v5     31:35-45
# CHECK:   v22: i32 = const 3                        31:47-60
# CHECK:   v23: f32 = call 4 v0, v2, v3, v20, v5, v22  31:47-60
# CHECK:   v24: f32 = call 5 v0, v2, v3, v20, v5     31:62-68
# CHECK:   v25: i32 = call 6 v1                      31:70-83
# CHECK:   v26: bool = compare eq v8, v0             31:94-100
# CHECK:   v27: bool = const true                    31:94-100
# CHECK:   v28: bool = and v27, v26                  31:94-100
# CHECK:   v29: bool = compare eq v9, v2             31:94-100
# CHECK:   v30: bool = and v28, v29                  31:94-100
# CHECK:   v31: bool = compare eq v10, v3            31:94-100
# CHECK:   v32: bool = and v30, v31                  31:94-100
# CHECK:   v33: bool = const true                    31:94-100
# CHECK:   v34: bool = and v33, v32                  31:94-100
# CHECK:   v35: bool = compare eq v11, v20           31:94-100
# CHECK:   v36: bool = and v34, v35                  31:94-100
# CHECK:   v37: bool = compare eq v12, v5            31:94-100
# CHECK:   v38: bool = and v36, v37                  31:94-100
# CHECK:   v39: bool = const true                    31:94-100
# CHECK:   v40: bool = and v38, v39                  31:94-100
# CHECK:   v41: (f32, f32, f32, f32, i32) = call 2 v0  31:107-119
# CHECK:   v42: f32 = extract 0 v41                  31:107-119
# CHECK:   v43: f32 = extract 1 v41                  31:107-119
# CHECK:   v44: f32 = extract 2 v41                  31:107-119
# CHECK:   v45: f32 = extract 3 v41                  31:107-119
# CHECK:   v46: i32 = extract 4 v41                  31:107-119
# CHECK:   v47: bool = compare eq v14, v42           31:102-119
# CHECK:   v48: bool = const true                    31:102-119
# CHECK:   v49: bool = and v48, v47                  31:102-119
# CHECK:   v50: bool = compare eq v15, v43           31:102-119
# CHECK:   v51: bool = and v49, v50                  31:102-119
# CHECK:   v52: bool = compare eq v16, v44           31:102-119
# CHECK:   v53: bool = and v51, v52                  31:102-119
# CHECK:   v54: bool = const true                    31:102-119
# CHECK:   v55: bool = and v54, v53                  31:102-119
# CHECK:   v56: bool = compare eq v17, v45           31:102-119
# CHECK:   v57: bool = and v55, v56                  31:102-119
# CHECK:   v58: bool = compare eq v18, v46           31:102-119
# CHECK:   v59: bool = and v57, v58                  31:102-119
# CHECK:   v60: bool = const true                    31:102-119
# CHECK:   v61: bool = and v59, v60                  31:102-119
# CHECK:   v62: bool = compare eq v14, v14           31:179-199
# CHECK:   v63: bool = const true                    31:179-199
# CHECK:   v64: bool = and v63, v62                  31:179-199
# CHECK:   v65: bool = compare eq v15, v15           31:179-199
# CHECK:   v66: bool = and v64, v65                  31:179-199
# CHECK:   v67: bool = compare eq v16, v16           31:179-199
# CHECK:   v68: bool = and v66, v67                  31:179-199
# CHECK:   v69: i32 = const 100                      31:4-208
# CHECK:   v70: i32 = const 4                        31:4-208
# CHECK:   v71: bool = const true                    31:4-208
# CHECK:   v72: (f32, f32, f32, f32, f32, f32, i32, i32, bool, bool, i32, f32, i32, i32, bool, bool, f32) = tuple v0, v8, v20, v21, v23, v24, v25, v69, v40, v61, v70, v16, v1, v5, v71, v68, v10  31:4-208
# CHECK:   return v72                                31:4-208
# CHECK:
# CHECK: moved(b.0: f32, b.1: f32, b.2: f32, b.3: f32, b.4: i32, dx: i32) -> (f32, f32, f32, f32, i32)
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32, v5: i32):
# CHECK:   v6: f32 = convert v5                      @5 23:12-22
# CHECK:   v7: f32 = add v0, v6                      @5 23:12-22
# CHECK:   v8: f32 = convert v5                      @5 23:12-22
# CHECK:   v9: f32 = add v1, v8                      @5 23:12-22
# CHECK:   v10: f32 = convert v5                     @5 23:12-22
# CHECK:   v11: f32 = add v2, v10                    @5 23:12-22
# CHECK:   v12: (f32, f32, f32, f32, i32) = tuple v7, v9, v11, v3, v4  @5 24:4-12
# CHECK:   return v12                                @5 24:4-12
# CHECK:
# CHECK: unit(x: f32) -> (f32, f32, f32, f32, i32)
# CHECK: b0(v0: f32):
# CHECK:   v1: f32 = constf 1.0                      @4 21:15-50
# CHECK:   v2: i32 = const 7                         @4 21:15-50
# CHECK:   v3: (f32, f32, f32, f32, i32) = tuple v0, v0, v0, v1, v2  @4 21:8-50
# CHECK:   return v3                                 @4 21:8-50
# CHECK:
# CHECK: weight(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32):
# CHECK:   v5: f32 = constf 2.0                      @1 12:15-28
# CHECK:   v6: f32 = mul v3, v5                      @1 12:15-28
# CHECK:   return v6                                 @1 12:8-28
# CHECK:
# CHECK: weight.1(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32, g: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32, v5: i32):
# CHECK:   v6: f32 = convert v5                      @1 12:15-28
# CHECK:   v7: f32 = mul v3, v6                      @1 12:15-28
# CHECK:   return v7                                 @1 12:8-28
# CHECK:
# CHECK: half(self.0: f32, self.1: f32, self.2: f32, self.3: f32, self.4: i32) -> f32
# CHECK: b0(v0: f32, v1: f32, v2: f32, v3: f32, v4: i32):
# CHECK:   v5: f32 = constf 2.0                      @2 15:15-28
# CHECK:   v6: f32 = div v3, v5                      @2 15:15-28
# CHECK:   return v6                                 @2 15:8-28
# CHECK:
# CHECK: twice(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = const 2                         @3 18:15-20
# CHECK:   v2: i32 = mul v0, v1                      @3 18:15-20
# CHECK:   return v2                                 @3 18:8-20
# RUN: f(1.5, 3) == (1.5, 2.5, 4.0, 8.0, 12.0, 2.0, 6, 100, False, True, 4, 1.5, 3, 7, True, True, 4.0)

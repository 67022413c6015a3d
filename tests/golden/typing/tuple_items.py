# SHOW: typed
# FOR: (int, float)
# ONLY: ->|return|wrapindex|select
def f(i, x):
    t = (10, 20, 30)
    a, b = (i, x), (i, 2.5)
    return t[i], t[i - 2], (i, i + 1, 7)[i], a < b, a <= b, a > b, (1, i) >= (1, 2), (1,) < (1, i), t * 2 < t + t + t, i in t, t[::-1][0]

# CHECK: f(i: i32, x: f32) -> (i32, i32, i32, bool, bool, bool, bool, bool, bool, bool, i32)
# CHECK:   v3: i32 = wrapindex v0, v2                7:11-15
# CHECK:   v10: i32 = select v7, v9, v8              7:11-15
# CHECK:   v12: i32 = select v5, v11, v10            7:11-15
# CHECK:   v16: i32 = wrapindex v14, v15             7:17-25
# CHECK:   v23: i32 = select v20, v22, v21           7:17-25
# CHECK:   v25: i32 = select v18, v24, v23           7:17-25
# CHECK:   v29: i32 = wrapindex v0, v28              7:27-43
# CHECK:   v35: i32 = select v33, v27, v34           7:27-43
# CHECK:   v36: i32 = select v31, v0, v35            7:27-43
# CHECK:   v42: bool = select v38, v41, v40          7:45-50
# CHECK:   v45: bool = select v43, v42, v44          7:45-50
# CHECK:   v51: bool = select v47, v50, v49          7:52-58
# CHECK:   v54: bool = select v52, v51, v53          7:52-58
# CHECK:   v60: bool = select v56, v59, v58          7:60-65
# CHECK:   v63: bool = select v61, v60, v62          7:60-65
# CHECK:   v69: bool = select v65, v68, v67          7:67-83
# CHECK:   return v83                                7:4-137
# RUN: f(1, 2.0) == PYTHON
# RUN: f(2, 2.5) == PYTHON
# RUN: f(0, 3.0) == PYTHON
# RUN: f(1, float("nan")) == PYTHON

# What stays contiguous: the first axes fixed, a stretch of one, the others whole.
# SHOW: typed
# FOR: (array[float32, 3, contiguous, index32, readonly], int)
# ONLY: makearray
def f(a, i):
    kept = a[1:3], a[i, 1:], a[i, 1, ::1], a[i, None, 2:3], a[..., None]
    lost = a[:, i], a[::2], a[1:3, 1:3], a[..., 0], a.T
    return len(kept) + len(lost) + kept[0].ndim

# CHECK:   v21: array[f32, 3, contiguous, index32, readonly] = makearray v20, v13, v16, v18  6:11-17
# CHECK:   v36: array[f32, 2, contiguous, index32, readonly] = makearray v35, v30, v33  6:19-27
# CHECK:   v44: array[f32, 1, contiguous, index32, readonly] = makearray v43, v41  6:29-41
# CHECK:   v66: array[f32, 3, contiguous, index32, readonly] = makearray v65, v48, v60, v63  6:43-58
# CHECK:   v75: array[f32, 4, contiguous, index32, readonly] = makearray v74, v67, v69, v71, v73  6:60-72
# CHECK:   v86: array[f32, 2, index32, readonly] = makearray v85, v76, v82, v78, v84  7:11-18
# CHECK:   v105: array[f32, 3, index32, readonly] = makearray v104, v94, v98, v101, v97, v100, v103  7:20-26
# CHECK:   v140: array[f32, 3, index32, readonly] = makearray v139, v117, v132, v136, v120, v135, v138  7:28-39
# CHECK:   v149: array[f32, 2, index32, readonly] = makearray v148, v141, v144, v143, v146  7:41-50
# CHECK:   v157: array[f32, 3, index32, readonly] = makearray v150, v151, v152, v153, v154, v155, v156  7:52-55

# ROW: HET-ARR-3

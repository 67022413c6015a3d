# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], int32[::1], float32[:, ::1], complex64[::1], int)
from hetjit import device
def one_period(table, rows, out, waves, half):
    i = device.tid(1)
    w = out.shape[1]
    k, row, column = i & (half - 1), i // 100, i % 100
    if i < out.size:
        out[i // w, i % w] = table[rows[i // w], i % w]
        waves[2 * (i - k) + k] = waves[k]
        out[row, column] += out[i // 3, i % 3]

# CHECK: one_period(table: float32[:, ::1], rows: int32[::1], out: float32[:, ::1], waves: complex64[::1], half: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where threads side by side lie between two multiples of what their place is divided by, they are neighbours; other vectors come in parts that do, and those of many short parts read and write one by one
# CHECK:   --> tests/golden/explain/one_period.py:9:8
# CHECK:    |
# CHECK: 9  |     if i < out.size:
# CHECK:    |        ------------ branch: divergent
# CHECK: 10 |         out[i // w, i % w] = table[rows[i // w], i % w]
# CHECK:    |         ------------------ store: contiguous, float32
# CHECK:    |                              -------------------------- load: contiguous, float32
# CHECK:    |                                    ------------ load: uniform, int32
# CHECK: 11 |         waves[2 * (i - k) + k] = waves[k]
# CHECK:    |         ---------------------- store: contiguous, complex64, lane by lane where indices turn out to lie apart
# CHECK:    |                                  -------- load: contiguous, complex64
# CHECK: 12 |         out[row, column] += out[i // 3, i % 3]
# CHECK:    |         ---------------- load: contiguous, float32
# CHECK:    |         ---------------- store: contiguous, float32
# CHECK:    |                             ------------------ load: gather, float32
# CHECK:    = help: out[i // 3, i % 3]: sort by the index, so that neighbours ask for neighbours, or bring the data into shared memory first

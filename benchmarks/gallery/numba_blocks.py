"""The kernels of blocks.py as Numba's users write them for a CPU (numba_forms.py)."""

import numpy as np
from numba import njit, prange

parallel = njit(parallel=True)


@parallel
def prefix_sums(x, out):
    for b in prange(x.shape[0] // 256):
        total = np.float32(0)
        for i in range(b * 256, (b + 1) * 256):
            total += x[i]
            out[i] = total


@parallel
def sort_blocks(x, out):
    for b in prange(x.shape[0] // 256):
        out[b * 256:(b + 1) * 256] = np.sort(x[b * 256:(b + 1) * 256])


@parallel
def odd_even_sort(x, out):
    for b in prange(x.shape[0] // 256):
        out[b * 256:(b + 1) * 256] = x[b * 256:(b + 1) * 256]
        for k in range(256):
            for t in range(b * 256 + k % 2, (b + 1) * 256 - 1, 2):
                if out[t] > out[t + 1]:
                    out[t], out[t + 1] = out[t + 1], out[t]


@parallel
def radix_counts(x, shift, counts):
    for b in prange(counts.shape[0]):
        counts[b, :] = 0
        for i in range(b * 4096, (b + 1) * 4096):
            counts[b, (x[i] >> np.uint32(shift)) & np.uint32(15)] += 1


@parallel
def tiled_convolution(x, weights, out):
    halo = weights.shape[0] // 2
    for i in prange(out.shape[0]):
        total = np.float32(0)
        for k in range(-halo, halo + 1):
            if 0 <= i + k < x.shape[0]:
                total += weights[k + halo] * x[i + k]
        out[i] = total


@parallel
def maxima(a, out):
    for i in prange(a.shape[0]):
        best = a[i, 0]
        for k in range(a.shape[1]):
            if a[i, k] > best:
                best = a[i, k]
        out[i] = best

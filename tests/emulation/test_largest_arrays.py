"""The largest arrays whose indices are computed in 32 bits, and the smallest whose are not: their last elements, read and written by indices with
constants on either side, on the CPU and on machines. Memory that nobody touches is not there, so they cost little."""

import numpy as np
import pytest

from everywhere import anywhere
from hetjit import device

LARGEST = 2**30 - 1 - 2**12  # abi/index_width.h


@device.kernel
def line(x, n, near, far, out):
    for k in range(1, 6):
        x[n - k] = x.dtype(k)
    x[n - 4000], x[n - 4096], x[n - 4097], x[n - 9000] = x.dtype(10), x.dtype(20), x.dtype(30), x.dtype(40)
    i = n - 3
    out[0], out[1], out[2] = x[i - 2], x[i + 2], x[i]
    out[3], out[4], out[5], out[6] = x[n - 4000], x[n - 4096], x[n - 4097], x[n - 9000]
    total = 0
    for j in range(n - 5, n):
        total += int(x[j])
    out[7] = total
    half = (n - 1) // 2
    x[2 * half - 6] = x.dtype(50)
    out[8] = x[2 * (half - 3)]
    if near > 6000 and far > 6000:  # so that neither index may be negative
        out[9], out[10] = x[near - 4096], x[far - 5003]


@anywhere
@pytest.mark.parametrize("size", [LARGEST, LARGEST - 1, LARGEST + 1, LARGEST + 7])
@pytest.mark.parametrize("dtype", ["uint8", "float16", "int32", "float32", "float64"])
def test_lines(dtype, size, where):
    x, out = device.empty(size, dtype, where), device.array(np.zeros(11), where)
    line[1, 1](x, size, size + 4095, size + 5000, out)
    assert out.copy_to_host().tolist() == [5, 1, 3, 10, 20, 30, 40, 15, 50, 1, 3]


@device.kernel
def plane(x, rows, columns, out):
    x[rows - 1, columns - 1], x[rows - 1, columns - 3], x[rows - 2, columns - 2], x[rows - 3, 0] = 1.0, 2.0, 3.0, 4.0
    i, j = rows - 2, columns - 2
    out[0], out[1], out[2], out[3] = x[i + 1, j + 1], x[i + 1, j - 1], x[i, j], x[i - 1, 0]
    for k in range(2, -1, -1):
        x[rows - 1 - k, columns - 4] = 5.0 + k
    for k in range(3):
        out[4 + k] = x[i - 1 + k, j - 2]


@anywhere
@pytest.mark.parametrize("shape", [(3, LARGEST // 3), (2**15 - 1, 2**15 - 4), (LARGEST // 4, 4), (2**15, 2**15)], ids=str)
def test_planes(shape, where):
    x, out = device.empty(shape, "float32", where), device.array(np.zeros(7, np.float32), where)
    plane[1, 1](x, *shape, out)
    assert out.copy_to_host()[:3].tolist() == [1, 2, 3] and (out.copy_to_host()[3] == 4 or shape[1] == 4)
    assert out.copy_to_host()[4:].tolist() == [7, 6, 5]


@device.kernel
def own_words(x, b, c, out):
    """Places that the kernel multiplies itself, in an array that has no words: by a number that nobody knows, a large one, and a shift."""
    for k in range(300):
        x[k], x[k * 70000], x[k << 17 & 0x3FFFFFFF] = k & 255, k & 255, k & 255
    for k in range(300):
        x[k] = k & 255
    for i in range(b.shape[0]):
        u, w = device.uint32(b[i]) & device.uint32(0x3FFF), device.uint32(c[i]) & device.uint32(8191)
        out[0, i] = x[(u + device.uint32(3)) * w]
        out[1, i] = x[(u + device.uint32(3)) * device.uint32(70000)]
        out[2, i] = x[(u + device.uint32(3)) << device.uint32(17)]
        if b[i] >= 3:
            out[3, i] = x[device.uint32(4) * device.uint32(b[i] - 3)]


@anywhere
def test_words_of_ones_own(where):
    b, c = np.arange(8, dtype=np.int32), np.arange(1, 9, dtype=np.int32)
    x, out = device.empty(2**30 + 8, "uint8", where), device.array(np.zeros((4, 8), np.uint8), where)
    own_words[1, 1](x, device.array(b, where), device.array(c, where), out)
    assert out.copy_to_host().tolist() == [((b + 3) * c).tolist(), (b + 3).tolist(), (b + 3).tolist(), np.where(b >= 3, 4 * (b - 3), 0).tolist()]

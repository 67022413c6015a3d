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

"""Quotients and remainders of numbers whose ranges are short, of either sign or none, by zero too: GPUs' code divides them in 16 bits."""

import numpy as np
import pytest

from both import both
from hetjit import device


def divided(a, b, out):
    i = device.tid(1)
    if i < len(a):
        x, y = int(a[i]), int(b[i])
        out[0, i], out[1, i] = x // y, x % y
        out[2, i], out[3, i] = -x // y, x % -y
        if y > 0:
            out[4, i], out[5, i] = x // y, x % y
        if x >= 0 and y != 0:
            out[6, i], out[7, i] = (x - 300) // y, (2 * x + 1) % y
        out[8, i], out[9, i] = (43 * (x - 5)) // max(y, 1), (x & 255) // (y | 1)


def pairs(dtype):
    limits = np.iinfo(dtype)
    some = [limits.min, limits.min + 1, -129, -128, -127, -3, -1, 0, 1, 2, 3, 7, 127, 128, 255, 256, limits.max - 1, limits.max]
    some = sorted({value for value in some if limits.min <= value <= limits.max})
    draw = np.random.default_rng(4).integers(limits.min, limits.max, (2, 1000), dtype, endpoint=True)
    return [np.concatenate([part, more]) for part, more in zip(np.meshgrid(np.array(some, dtype), np.array(some, dtype)), draw) for part in [part.ravel()]]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32"])
def test_divisions(dtype):
    a, b = pairs(np.dtype(dtype).type)
    both(divided, a, b, np.zeros((10, len(a)), np.int32), grid=-(-len(a) // 64), block=64)


def test_all_bytes():
    a, b = (part.ravel().astype(np.int8) for part in np.meshgrid(np.arange(-128, 128), np.arange(-128, 128)))
    got = both(divided, a, b, np.zeros((10, len(a)), np.int32), grid=len(a) // 64, block=64)
    some = b != 0
    assert (got[0][some] == a[some].astype(int) // b[some]).all() and (got[1][some] == a[some].astype(int) % b[some]).all()
    assert not got[0][~some].any() and not got[1][~some].any()

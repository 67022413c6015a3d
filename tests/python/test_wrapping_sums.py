"""Python ints that grow by products in a loop and are stored as 64 bits: told of, with a change that makes them right."""

import warnings

import numpy as np
import pytest

from hetjit import device

TOLD = {
    "squares": ("t = 0", "t += k * k"), "the other way round": ("t = 0", "t = k * k + t"), "less": ("t = 0", "t -= k * k"),
    "a factorial": ("t = 1", "t *= k + 1"), "by ten": ("t = 1", "t = t * 10"), "Horner": ("t = 1", "t = t * 31 + k"),
    "an inner loop": ("t = 0", "for j in range(n): t += k * j"), "on one path": ("t = 0", "if k % 2: t += k * k"),
}
SILENT = {
    "a count": ("t = 0", "if k % 3 == 0: t += 1"), "a sum of places": ("t = 0", "t += k"), "twice each": ("t = 0", "t += 2 * k"),
    "64 bits": ("t = 0", "t += device.int64(k) * k"), "begun in 64 bits": ("t = device.int64(0)", "t += k * k"),
    "32 bits that are named": ("t = device.int32(0)", "t += k * k"), "the last one": ("t = 0", "t = k * k"), "masked": ("t = 1", "t = t * 31 + k & 0xffff"),
    "a remainder": ("t = 1", "t = (t * 31 + k) % 1000"), "the greatest": ("t = 0", "t = max(t, k * k)"), "an element": ("t = 0", "t += out[0] * k"),
}


def kernel(start, step):
    source = f"def body(out, n):\n    {start}\n    for k in range(n):\n        {step}\n    out[0] = t\n"
    given = {"device": device}
    exec(source, given)
    return given["body"]


def warnings_of(body, dtype, n=3):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        out = np.zeros(1, dtype)
        device.kernel(body)[1, 1](out, n)
    return out[0], [str(each.message) for each in told]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.float64])
@pytest.mark.parametrize("case", TOLD)
def test_growth_by_products_is_told(case, dtype):
    _, told = warnings_of(kernel(*TOLD[case]), dtype)
    assert len(told) == 1 and "W0731" in told[0] and f"'t' is computed in int, of 32 bits, which wraps round, before it becomes {np.dtype(dtype)}" in told[0]


@pytest.mark.parametrize("case", TOLD)
def test_32_bits_are_not_told(case):
    assert warnings_of(kernel(*TOLD[case]), np.int32)[1] == []


@pytest.mark.parametrize("case", SILENT)
def test_what_is_meant_is_not_told(case):
    assert warnings_of(kernel(*SILENT[case]), np.int64)[1] == []


def test_the_change_is_right():
    def squares(out, n):
        t = 0
        for k in range(n):
            t += device.int64(k) * k
        out[0] = t
    assert warnings_of(kernel("t = 0", "t += k * k"), np.int64, 3000)[0] == 405565908
    assert warnings_of(squares, np.int64, 3000) == (8995500500, [])

"""Numbers that are clamped twice, at one bound, in every spelling of the two: what becomes of NaN and of zeros is the spelling's, and the second
one's bound may be what the first one's answer is. LLVM takes two of a kind for one, whichever answers for NaN."""

import itertools

import numpy as np
import pytest

from both import both, same
from hetjit import device
import simulate


def at_most(x, k):
    if x > k:
        x = k
    return x


def at_least(x, k):
    if x < k:
        x = k
    return x


def not_below(x, k):
    if not x >= k:
        x = k
    return x


def not_above(x, k):
    if x <= k:
        return x
    return k


CLAMPS = {
    "max(x, k)": lambda x, k: max(x, k), "max(k, x)": lambda x, k: max(k, x), "min(x, k)": lambda x, k: min(x, k), "min(k, x)": lambda x, k: min(k, x),
    "x > k": lambda x, k: x if x > k else k, "x >= k": lambda x, k: x if x >= k else k, "x < k": lambda x, k: x if x < k else k,
    "x <= k": lambda x, k: x if x <= k else k, "not x < k": lambda x, k: x if not x < k else k, "k < x": lambda x, k: k if k < x else x,
    "at_most": at_most, "at_least": at_least, "not_below": not_below, "not_above": not_above,
}
LARGEST = float(np.finfo(np.float32).max)
NUMBERS = [LARGEST, 0.0, -0.0, np.nan, 1.0, -1.0, 0.5, np.inf, -np.inf, 2.0, np.nextafter(np.float32(1), np.float32(2)), 1e-45, -1e-45]


def x(dtype=np.float32):
    return np.array(NUMBERS * 3, dtype)  # two vectors, and some


def compared(kernel, numbers):
    kernel = device.kernel(kernel)
    got, want = both(kernel.underlying, numbers, np.zeros((4, len(numbers)), numbers.dtype), block=len(numbers)), np.zeros((4, len(numbers)), numbers.dtype)
    simulate.run(kernel, 1, len(numbers), (numbers, want))
    same(got, want)


@pytest.mark.parametrize("bound", [0.0, -0.0, 1.0])
@pytest.mark.parametrize("names", list(itertools.combinations_with_replacement(CLAMPS, 2)), ids=", ".join)
def test_two_of_one_bound(names, bound):
    first, second = (CLAMPS[name] for name in names)

    def clamped(x, out):
        i = device.tid(1)
        out[0, i] = second(first(x[i], bound), bound)
        out[1, i] = first(second(x[i], bound), bound)
        out[2, i] = first(first(x[i], bound), bound)
        out[3, i] = second(second(first(x[i], bound), bound), bound)
    compared(clamped, x())


@pytest.mark.parametrize("names", list(itertools.combinations_with_replacement(CLAMPS, 2)), ids=", ".join)
def test_of_a_number_that_a_loop_begins_with(names):
    first, second = (CLAMPS[name] for name in names)

    def clamped(x, out):
        i = device.tid(1)
        for row in range(4):
            total = device.float32(0)
            for _ in range(row):
                total = second(first(x[i], total), total)
            out[row, i] = total
    compared(clamped, x())


@pytest.mark.parametrize("dtype", [np.float64, np.float16], ids=["float64", "float16"])
@pytest.mark.parametrize("names", list(itertools.product(CLAMPS, repeat=2)), ids=", ".join)
def test_of_other_formats(names, dtype):
    first, second = (CLAMPS[name] for name in names)

    def clamped(x, out):
        i = device.tid(1)
        out[0, i] = first(second(x[i], 0.0), 0.0)
        out[1, i] = first(second(first(x[i], 1.0), 1.0), 1.0)
        out[2, i] = -first(-second(x[i], 0.0), 0.0)
        out[3, i] = first(second(x[i], 0.0), -0.0)
    compared(clamped, x(dtype))


@pytest.mark.parametrize("names", list(itertools.product(CLAMPS, repeat=2)), ids=", ".join)
def test_with_something_between(names):
    """LLVM drops it, and then sees the two."""
    first, second = (CLAMPS[name] for name in names)

    def clamped(x, out):
        i = device.tid(1)
        out[0, i] = second(-first(-x[i], -1.0), 1.0)
        out[1, i] = second(device.float64(first(x[i], 1.0)), 1.0)
        out[2, i] = second(first(x[i], LARGEST) + 0.0, LARGEST)
        out[3, i] = second(-first(-x[i], -0.0), 0.0)
    compared(clamped, x())

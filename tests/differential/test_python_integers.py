"""Integers of the launch (and extents) beside those of a fixed format: comparisons, least, greatest and ranges as CPython has them.

Arithmetic takes the fixed format, where a number of the launch wraps; what is told by comparing must not: an int8 of 100 is below 200.
"""

import inspect
import itertools

import numpy as np
import pytest

from hetjit import device

from both import both, refused

pytestmark = pytest.mark.row("HET-PROM-5")
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
LAUNCHED = [-2**31, -32769, -300, -129, -128, -1, 0, 1, 100, 127, 128, 200, 255, 256, 32768, 65535, 65536, 2**31 - 1]
KINDS = 14


def edges(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    return sorted({least, least // 2, max(least, -56), max(least, -1), 0, 1, 44, 100, most // 2 + 1, most - 1, most})


def compares(x, n, out):
    i = device.tid(1)
    if i < len(x):
        out[i, 0], out[i, 1], out[i, 2] = x[i] < n, x[i] <= n, x[i] > n
        out[i, 3], out[i, 4], out[i, 5] = x[i] >= n, x[i] == n, x[i] != n
        out[i, 6], out[i, 7], out[i, 8] = n < x[i], n <= x[i], n > x[i]
        out[i, 9], out[i, 10], out[i, 11] = n >= x[i], n == x[i], n != x[i]
        out[i, 12], out[i, 13] = x[i] in (n, 1), 0 <= x[i] < n


@pytest.mark.parametrize("dtype", INTEGERS)
def test_comparisons(dtype):
    x = edges(dtype)
    for n in LAUNCHED:
        got = both(compares, np.array(x, dtype), n, np.zeros((len(x), KINDS), np.int32), block=32)
        want = [[a < n, a <= n, a > n, a >= n, a == n, a != n, n < a, n <= a, n > a, n >= a, n == a, n != a, a in (n, 1), 0 <= a < n]
                for a in x]
        assert got.tolist() == want, n


def extremes(x, n, out):
    i = device.tid(1)
    if i < len(x):
        out[i, 0], out[i, 1] = min(x[i], n), max(x[i], n)
        out[i, 2], out[i, 3] = min(n, x[i]), np.maximum(n, x[i])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_least_and_greatest(dtype):
    """In the fixed format: where that holds what CPython gives, it is that."""
    x, limits = edges(dtype), np.iinfo(dtype)
    for n in LAUNCHED:
        got = both(extremes, np.array(x, dtype), n, np.zeros((len(x), 4), dtype), block=32).tolist()
        for a, row in zip(x, got):
            for found, want in zip(row, [min(a, n), max(a, n), min(a, n), max(a, n)]):
                assert found == want or not limits.min <= want <= limits.max, (a, n)


def whole(x, n, out):
    i = device.tid(1)
    if i < len(x):
        out[i, 0], out[i, 1] = x[i] // n, x[i] % n
        out[i, 2], out[i, 3] = n // x[i], n % x[i]
        out[i, 4], out[i, 5] = x[i] << n, x[i] >> n
        out[i, 6], out[i, 7] = n << x[i], n >> x[i]
        v = x[i]
        v //= n
        out[i, 8] = v


@pytest.mark.parametrize("dtype", ["int8", "int16", "uint8", "uint16"])
def test_quotients_remainders_and_shifts(dtype):
    """Of the numbers as they are; what does not fit wraps."""
    x = edges(dtype)
    for n in LAUNCHED:
        got = both(whole, np.array(x, dtype), n, np.zeros((len(x), 9), dtype), block=32)
        want = [[divided(a, n), remainder(a, n), divided(n, a), remainder(n, a), up(a, n), down(a, n), up(n, a), down(n, a), divided(a, n)]
                for a in x]
        assert got.tolist() == np.array(want, object).astype(np.int64).astype(dtype).tolist(), n


def divided(a, b):
    return a // b if b else 0


def remainder(a, b):
    return a % b if b else 0


def up(a, count):
    """Modulo 2**32, which the narrower formats divide."""
    return (a << count) % 2**32 if 0 <= count < 32 else 0


def down(a, count):
    return a >> min(count, 64) if count >= 0 else 0


def below_an_extent(x, out):
    i = device.tid(1)
    if i < len(x):
        out[i] = (x[i] < len(x)) + 2 * (x[i] >= x.shape[0]) + 4 * (x[i] < device.block_dim.x)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [3, 130, 300, 70000])
def test_extents(dtype, size):
    known = np.array(edges(dtype), dtype)
    got = both(below_an_extent, np.resize(known, size), np.zeros(size, np.int32), grid=-(-size // 512), block=512)
    want = [(a < size) + 2 * (a >= size) + 4 * (a < 512) for a in edges(dtype)]
    assert got.tolist() == np.resize(want, size).tolist()


def from_fixed(x, n, step, out):
    i = device.tid(1)
    if i < len(x):
        total = device.int64(0)
        for item in range(x[i], n, step):
            total += device.int64(item) + 1000
        out[i, 0] = total
        total = device.int64(0)
        for item in range(n, x[i], step):
            total += device.int64(item) + 1000
        out[i, 1] = total


def by_literals(x, n, step, out):
    i = device.tid(1)
    if i < len(x):
        total = device.int64(0)
        for item in range(x[i], n):
            total += device.int64(item) + 1000
        out[i, 0] = total
        total = device.int64(0)
        for item in range(x[i], n, -3):
            total += device.int64(item) + 1000
        out[i, 1] = total


def by_a_fixed_step(x, n, m, out):
    i = device.tid(1)
    if i < len(x):
        total = device.int64(0)
        for item in range(n, m, x[i]):
            total += device.int64(item) + 1000
        out[i, 0] = total


@pytest.mark.parametrize("dtype", INTEGERS)
def test_ranges(dtype):
    x = [a for a in (-128, -5, 0, 3, 100, 127, 250) if np.iinfo(dtype).min <= a <= np.iinfo(dtype).max]
    signed = [-300, -3, 0, 2, 130, 200, 300, 1000]
    stops = [n for n in signed if n >= 0 or dtype != "uint64"]  # no format holds both: a negative one wraps
    for n, step in itertools.product(stops, [1, 7, 200, -1, -200]):
        got = both(from_fixed, np.array(x, dtype), n, step, np.zeros((len(x), 2), np.int64), block=32).tolist()
        assert got == [[sum(i + 1000 for i in range(*ends, step)) for ends in ((a, n), (n, a))] for a in x], (n, step)
    for n in stops:
        got = both(by_literals, np.array(x, dtype), n, 0, np.zeros((len(x), 2), np.int64), block=32).tolist()
        assert got == [[sum(i + 1000 for i in range(a, n, step)) for step in (1, -3)] for a in x], n


@pytest.mark.parametrize("dtype", [dtype for dtype in INTEGERS if dtype != "uint64"])
def test_ranges_by_steps_of_a_fixed_format(dtype):
    steps = [a for a in (-100, -7, 1, 2, 100, 200) if np.iinfo(dtype).min <= a <= np.iinfo(dtype).max]
    for start, stop in itertools.product([-300, -5, 0, 260], repeat=2):
        got = both(by_a_fixed_step, np.array(steps, dtype), start, stop, np.zeros((len(steps), 1), np.int64), block=32).tolist()
        assert got == [[sum(i + 1000 for i in range(start, stop, step))] for step in steps], (start, stop)


def inside(x, out):
    out[0] = 0 <= x[0] < 256


def above_and_below(x, out):
    out[0] = -1 < x[0] < 256


def equal_to_more(x, out):
    out[0] = x[0] == x[0] == 300


def falls(x, out):
    if 300 > x[0] >= 0:
        out[0] = 1


@pytest.mark.parametrize("kernel", [inside, above_and_below, equal_to_more, falls])
def test_literals_of_chains_are_refused(kernel):
    """A chain is two comparisons at one place: not one that the compiler copied, whose literal stands for what varies."""
    assert "does not fit in uint8" in refused(kernel, "(uint8[:], int32[:])")


def quarters(x, out):
    i = device.tid(1)
    limit, turns = 256, 0
    while x[i] < limit:
        limit = limit // 4 - 1
        turns += 1
    out[i] = turns


def above_quarters(x, out):
    i = device.tid(1)
    limit, turns = -300, 0
    while limit < x[i] and turns < 9:
        limit = limit // 2 + 60
        turns += 1
    out[i] = turns


def tenths(x, out):
    i = device.tid(1)
    number, turns = 256, 0
    while number // x[i] > 2:
        number = number // 10
        turns += 1
    out[i] = turns


def rests(x, out):
    i = device.tid(1)
    number, turns = 1000, 0
    while number % x[i] > 1 and number >> x[i] >= 0:
        number = number - 37
        turns += 1
    out[i] = turns


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("kernel", [quarters, above_quarters, tenths, rests])
def test_conditions_that_begin_with_literals(kernel, dtype):
    """CPython asks before the loop and in it: the first question knows the literal."""
    x = np.array([3, 5, 7, 44, 62, 63, 100, 127], dtype)  # so that quotients fit
    got = both(kernel, x, np.zeros(len(x), np.int32), block=len(x))

    class Place:
        tid = staticmethod(lambda axes: 0)

    for value, turns in zip(x.tolist(), got.tolist()):
        out = [0]
        exec(compile(inspect.getsource(kernel), "", "exec"), scope := {"device": Place})
        scope[kernel.__name__]([value], out)
        assert out == [turns], value

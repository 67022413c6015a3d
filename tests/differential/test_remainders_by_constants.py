"""%, // and fmod by numbers that are known: powers of two, whose quotients are exact, and others; of what is special, what overflows or vanishes
when it is divided, and numbers beside multiples. The interpreter, which asks C's library, the host and machines: the same bits."""

import math

import numpy as np
import pytest

from both import both
from hetjit import device

POWERS = [1.0, 0.5, 0.25, 2.0**-24, 2.0**-60, 2.0, 8.0, 1024.0, 2.0**60]
OTHERS = [3.0, 0.1, 2 * math.pi, 2.0**-61, 2.0**61, 1.5, 0.0, math.inf, math.nan]


def numbers(dtype):
    """What is special, of all sizes, and about multiples of powers of two."""
    limits = np.finfo(dtype)
    special = [float(of) for of in (0, 1, 0.5, 3, np.inf, np.nan, limits.tiny, limits.smallest_subnormal, 3 * limits.smallest_subnormal, limits.max)] + [float(limits.max) / 2**20]
    draw = np.random.default_rng(7)
    sizes = np.exp2(draw.uniform(np.log2(float(limits.smallest_subnormal)), np.log2(float(limits.max)), 600))
    multiples = draw.integers(1, 40, 100) * np.exp2(draw.integers(-10, 10, 100))
    with np.errstate(all="ignore"):
        special = np.array(special, dtype)
    positive = np.concatenate([special, sizes.astype(dtype), multiples.astype(dtype),
                               np.nextafter(multiples.astype(dtype), dtype(0)), np.nextafter(multiples.astype(dtype), dtype(1e4))])
    return np.concatenate([positive, -positive])


def by(constant):
    def remainders(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            out[0, i], out[1, i], out[2, i] = x[i] % constant, x[i] // constant, math.fmod(x[i], constant)

    return remainders


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16], ids=["float32", "float64", "float16"])
@pytest.mark.parametrize("constant", [sign * size for size in POWERS + OTHERS for sign in (1, -1)], ids=str)
def test_constants(constant, dtype):
    x = numbers(dtype)
    got = both(by(constant), x, np.zeros((3, len(x)), dtype), grid=-(-len(x) // 64), block=64)
    if dtype != np.float16 and abs(float(dtype(constant))) == abs(constant):
        with np.errstate(all="ignore"):
            want = np.fmod(x, dtype(constant))
        assert ((got[2] == want) & (np.signbit(got[2]) == np.signbit(want)) | np.isnan(got[2]) & np.isnan(want)).all()


@pytest.mark.parametrize("lanes", [1, 4])
def test_lanes(lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", str(lanes))
    test_constants(0.25, np.float32)
    test_constants(-8.0, np.float64)


def beside_pythons(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[0, i], out[1, i], out[2, i], out[3, i] = x[i] % 1.0, x[i] // 0.25, x[i] % -4.0, x[i] // -4.0


def test_beside_pythons():
    x = np.array([value for value in numbers(np.float64) if math.isfinite(value)])
    got = both(beside_pythons, x, np.zeros((4, len(x))), grid=-(-len(x) // 64), block=64)
    for row, of in zip(got, [lambda v: v % 1.0, lambda v: v // 0.25, lambda v: v % -4.0, lambda v: v // -4.0]):
        want = np.array([of(float(value)) for value in x])
        np.testing.assert_array_equal(row, want)
        np.testing.assert_array_equal(np.signbit(row), np.signbit(want))

"""math.fsum and math.sumprod (python/hetjit/library/floats.py), against exact fractions and CPython's."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from hetjit import device
from hetjit.library import floats

from both import both

DTYPES = [np.float32, np.float64]


def sums_of_array(x, out):
    out[0] = math.fsum(x)


def some(rng, dtype):
    """Numbers of many sizes that cancel each other, more or less."""
    spread = rng.choice([0, 5, 40, 100] if dtype == np.float32 else [0, 5, 50, 300, 900])
    numbers = [math.ldexp(rng.uniform(-1, 1), rng.randint(-spread, spread)) for _ in range(rng.choice([1, 2, 3, 10, 100]))]
    x = np.array(numbers, dtype)
    x = np.concatenate([x, -x[rng.randint(0, len(x)):], np.ldexp(dtype(1), -rng.randint(0, spread), dtype=dtype)[None]])
    return rng.sample(list(x), len(x))


def rounded(exact, dtype):
    """A fraction as the nearest float, of ties the even one."""
    if dtype == np.float64:
        return float(exact)
    near = np.float32(float(exact))
    around = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    return min(around, key=lambda x: (abs(Fraction(float(x)) - exact), int(x.view(np.uint32)) & 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_are_rounded_once(dtype):
    rng, kernel = random.Random(7), device.kernel(sums_of_array)
    for _ in range(400):
        x, out = np.array(some(rng, dtype)), np.zeros(1, dtype)
        kernel[1, 1](x, out)
        assert out[0] == rounded(sum(Fraction(float(v)) for v in x), dtype), x.tolist()


@pytest.mark.parametrize("numbers, wanted", [
    ([], 0.0), ([-0.0, -0.0], 0.0), ([0.1] * 10, 1.0), ([1.0, 2.0**-53, 2.0**-106], 1.0 + 2.0**-52), ([1e16, 1.0, -1e16], 1.0),
    ([math.inf, 1.0], math.inf), ([math.nan, 1.0], math.nan), ([math.inf, -math.inf], math.nan), ([1e308, 1e308, -1e308], math.inf),
    ([-1e308, -1e308], -math.inf)])
def test_unusual_sums(numbers, wanted):
    out = both(sums_of_array, np.array(numbers, np.float64), np.zeros(1))
    np.testing.assert_array_equal(out, [wanted])
    assert math.copysign(1, out[0]) == math.copysign(1, wanted) or math.isnan(wanted)


def test_sums_of_tuples():
    def kernel(x, out):
        out[0] = math.fsum((x[0], x[1], x[2], x[3]))
        out[1] = math.fsum((1, 2.5, x[0]))
        out[2] = math.fsum(())
        out[3] = math.fsum((True, x[1]))

    x = [1e16, 1.0, -1e16, 0.5]
    out = both(kernel, np.array(x), np.zeros(4))
    assert out.tolist() == [math.fsum(x), math.fsum((1, 2.5, x[0])), 0, 2]


def test_parts_are_made_fewer():
    """So many parts side by side that they fill the memory are rare: here they are made by hand."""
    def kernel(out, count):
        parts = device.local_array(64, device.float64)
        for i in range(64):
            parts[i] = out[i]
        count[0] = floats._compress(parts, 64)
        for i in range(64):
            out[i] = parts[i] if i < count[0] else 0.0

    rng = random.Random(3)
    for _ in range(20):
        sign = [rng.choice([-1, 1]) for _ in range(64)]
        parts = [s * math.ldexp(1, 2 * i - 60) for i, s in enumerate(sign)]
        out, count = np.array(parts), np.zeros(1, np.int32)
        device.kernel(kernel)[1, 1](out, count)
        assert sum(map(Fraction, out.tolist())) == sum(map(Fraction, parts)) and 3 <= count[0] <= 4
        assert all(abs(low) <= math.ulp(high) for low, high in zip(out[:count[0]], out[1:count[0]]))


sumprod = getattr(math, "sumprod", floats.sumprod)  # math's came with Python 3.12, and stands for ours


def test_sums_of_products():
    def kernel(p, q, out):
        out[0] = sumprod(p, q)
        out[1] = sumprod((p[0], 2, True), (q[0], 3, 4))
        out[2] = sumprod((2, 3), (4, 5))

    rng = random.Random(11)
    for _ in range(100):
        p = np.array(some(rng, np.float64))
        q = np.array([rng.uniform(-1, 1) for _ in p])
        out = both(kernel, p, q, np.zeros(3))
        wanted = float(sum(Fraction(a) * Fraction(b) for a, b in zip(p.tolist(), q.tolist())))
        assert abs(out[0] - wanted) <= math.ulp(wanted)
        assert out.tolist()[1:] == [float(Fraction(p[0]) * Fraction(q[0]) + 10), 23]
        if sumprod is not floats.sumprod:
            assert out[0] == sumprod(p.tolist(), q.tolist())
    for p, wanted in ([math.inf, 1.0], math.inf), ([math.inf, -math.inf], math.nan), ([1e200, 1.0], math.inf):
        out = both(kernel, np.array(p), np.array([1e200, 1e200]), np.zeros(3))
        np.testing.assert_array_equal(out[0], wanted)
    with pytest.raises(ValueError, match="not the same length"):
        device.kernel(kernel)[1, 1](np.zeros(2), np.zeros(3), np.zeros(3))

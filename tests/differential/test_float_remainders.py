"""fmod, % and // of floats: by the interpreter, which asks C's library, and on the host, where vectors divide and fuse; the same bits, of any bits,
of numbers beside whole multiples of others, and of all that is special."""

import math

import numpy as np
import pytest

from both import both
from hetjit import device


def remainders(x, y, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[0, i] = math.fmod(x[i], y[i])
        out[1, i] = x[i] % y[i]
        out[2, i] = x[i] // y[i]


def any_bits(draw, dtype, count):
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    return draw.integers(0, 1 << 8 * bits.itemsize, (2, count), dtype=np.uint64, endpoint=False).astype(bits).view(dtype) if bits.itemsize < 8 else \
        draw.integers(0, 1 << 63, (2, count), dtype=np.uint64).view(dtype) * draw.choice([1.0, -1.0], (2, count))


def beside_multiples(draw, dtype, count):
    y = (draw.random(count) * 10 + 0.01).astype(dtype)
    x = (y * draw.integers(-60, 60, count)).astype(dtype)
    return np.nextafter(x, (draw.choice([-1, 0, 1], count) * 1e4).astype(dtype)), y * draw.choice([-1, 1], count).astype(dtype)


def of_many_sizes(draw, dtype, count):
    with np.errstate(over="ignore"):
        return (draw.standard_normal(count) * 10.0 ** draw.integers(-3, 12, count)).astype(dtype), draw.standard_normal(count).astype(dtype)


def special(draw, dtype, count):
    limits = np.finfo(dtype)
    ends = np.array([0, 1, 0.5, 3, 2.5, np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal, 1 / limits.eps, 2 / limits.eps - 1], dtype)
    ends = np.concatenate([ends, -ends])
    return np.repeat(ends, len(ends)), np.tile(ends, len(ends))


@pytest.mark.parametrize("lanes", [None, 1, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16], ids=["float32", "float64", "float16"])
@pytest.mark.parametrize("numbers", [any_bits, beside_multiples, of_many_sizes, special], ids=lambda function: function.__name__)
def test_remainders(numbers, dtype, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    x, y = (np.ascontiguousarray(part, dtype) for part in numbers(np.random.default_rng(3), dtype, 20_000))
    got = both(remainders, x, y, np.zeros((3, len(x)), dtype), grid=-(-len(x) // 64), block=64)
    if dtype != np.float16:
        with np.errstate(all="ignore"):
            want = np.fmod(x, y)
        assert ((got[0] == want) & (np.signbit(got[0]) == np.signbit(want)) | np.isnan(got[0]) & np.isnan(want)).all()

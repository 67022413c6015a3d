"""Integers divided by integers in vectors: NumPy's quotients and remainders (by 0: 0), most of all next to whole multiples, where a float's error would
show, and where 64 bits are more than a float has."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
N = 4000


@pytest.fixture(params=(None, 1, 4, 16, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


@device.kernel
def divide(a, b, quotients, rests):
    i = device.tid(1)
    if i < a.shape[0]:
        quotients[i] = a[i] // b[i]
        rests[i] = a[i] % b[i]


@device.kernel
def divide_some(a, b, quotients, rests):
    i = device.tid(1)
    if i < a.shape[0] and b[i] != 0:
        if a[i] % 2 == 0:
            quotients[i] = a[i] // b[i]
        else:
            rests[i] = a[i] % b[i]


@device.kernel
def divide_by_one(a, by, quotients, rests):
    i = device.tid(1)
    if i < a.shape[0]:
        quotients[i] = a[i] // by
        rests[i] = a[i] % by


def expected(a, b):
    with np.errstate(all="ignore"):
        quotients, rests = np.floor_divide(a, b), np.mod(a, b)
    quotients[b == 0] = rests[b == 0] = 0
    return quotients, rests


def limits(dtype):
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def of_any_size(draw, dtype, n):
    """As many small as large ones, of both signs."""
    least, most = limits(dtype)
    numbers = [draw.integers(0, 2 ** int(bits), endpoint=True) if bits < 63 else int(draw.integers(0, 2**63 - 1)) * 2 + 1
               for bits in draw.integers(0, np.iinfo(dtype).bits, n)]
    signs = draw.integers(0, 2, n) if least else np.ones(n, int)
    return np.array([max(least, min(most, int(m) if s else -int(m))) for m, s in zip(numbers, signs)], dtype)


def next_to_multiples(draw, dtype, n):
    b = of_any_size(draw, dtype, n)
    least, most = limits(dtype)
    a = []
    for by in b.tolist():
        fits = most // abs(by) if by else 1
        number = by * int(draw.integers(0, max(fits, 1), endpoint=True)) if fits < 2**63 else by
        a.append(max(least, min(most, number + int(draw.integers(-1, 2)))))
    return np.array(a, dtype), b


def edges(dtype):
    least, most = limits(dtype)
    numbers = {least, least + 1, -1, 0, 1, 2, 3, most // 2, most - 1, most}
    numbers |= {sign * 2**bit + by for bit in (23, 24, 25, 31, 32, 51, 52, 53, 54, 62) for by in (-1, 0, 1) for sign in (-1, 1)}
    numbers = np.array(sorted(n for n in numbers if least <= n <= most), dtype)
    return np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))


def check(dtype, a, b):
    quotients, rests = np.zeros(len(a), dtype), np.zeros(len(a), dtype)
    for kernel in (divide, divide_some):
        quotients[:], rests[:] = 0, 0
        kernel[-(-len(a) // 96), 96](a, b, quotients, rests)
        asked = expected(a, b)
        if kernel is divide_some:
            asked = np.where(a % 2 == 0, asked[0], 0), np.where(a % 2 == 0, 0, asked[1])
        for found, one in zip((quotients, rests), asked):
            wrong = np.flatnonzero(found != one)
            assert not len(wrong), [(a[k], b[k], found[k], one[k]) for k in wrong[:3]]


@pytest.mark.parametrize("dtype", TYPES)
def test_edges(lanes, dtype):
    check(dtype, *edges(dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_numbers_of_any_size(lanes, dtype):
    draw = np.random.default_rng(1)
    check(dtype, of_any_size(draw, dtype, N), of_any_size(draw, dtype, N))


@pytest.mark.parametrize("dtype", TYPES)
def test_next_to_multiples(lanes, dtype):
    check(dtype, *next_to_multiples(np.random.default_rng(2), dtype, N))


@pytest.mark.parametrize("most", [2**20, 2**40, 2**52])
def test_longs_that_are_small(lanes, most):
    """All lanes go by floats."""
    draw = np.random.default_rng(3)
    b = draw.integers(1, 2**20, N)
    a = draw.integers(0, most // b) * b + draw.integers(-1, 2, N)
    for signs in (1, -1):
        check("int64", a * signs, b)
        check("int64", a, b * signs)
    check("uint64", np.abs(a).astype(np.uint64), b.astype(np.uint64))


@pytest.mark.parametrize("dtype", TYPES)
def test_one_divisor_for_all(lanes, dtype):
    draw = np.random.default_rng(4)
    a = of_any_size(draw, dtype, N)
    for by in of_any_size(draw, dtype, 12).tolist() + [0, limits(dtype)[1], limits(dtype)[0]]:
        quotients, rests = np.zeros(N, dtype), np.zeros(N, dtype)
        divide_by_one[-(-N // 64), 64](a, np.dtype(dtype).type(by), quotients, rests)
        for found, one in zip((quotients, rests), expected(a, np.full(N, by, dtype))):
            assert np.array_equal(found, one), by


@device.kernel
def divide_by_one_in_turns(a, by, quotients, rests):
    i = device.tid(1)
    if i < a.shape[0]:
        for turn in range(a.shape[1]):
            if by != 0 and a[i, turn] != by:
                quotients[i, turn] = a[i, turn] // by
                rests[i, turn] = a[i, turn] % by
            else:
                quotients[i, turn] = 1


@pytest.mark.parametrize("dtype", TYPES)
def test_next_to_multiples_of_one_divisor(lanes, dtype):
    draw = np.random.default_rng(5)
    least, most = limits(dtype)
    divisors = [by for by in (3, 5, 7, 10, 11, 49, 100, 127, 255, 257, 641, 4095, 65521, 65537, 2**24 - 1, 2**31 - 1, most, most // 2, most // 3)
                if by <= most] + of_any_size(draw, dtype, 20).tolist()
    divisors = [by for by in divisors + [-by for by in divisors] if least <= by <= most and by]
    for by in divisors:
        times = np.concatenate([draw.integers(0, most // abs(by), 150, endpoint=True, dtype=np.uint64).astype(object), np.arange(8).astype(object)])
        a = [number + beside for number in times * abs(by) for beside in (-1, 0, 1)]
        a = np.array([sign * number for number in a for sign in (1, -1) if least <= sign * number <= most], dtype)
        quotients, rests = np.zeros_like(a), np.zeros_like(a)
        divide_by_one[-(-len(a) // 64), 64](a, np.dtype(dtype).type(by), quotients, rests)
        rows = [x[:len(x) // 5 * 5].reshape(-1, 5) for x in (a, np.zeros_like(a), np.zeros_like(a))]
        divide_by_one_in_turns[-(-len(rows[0]) // 64), 64](rows[0], np.dtype(dtype).type(by), *rows[1:])
        for found, again, one in zip((quotients, rests), rows[1:], expected(a, np.full(len(a), by, dtype))):
            assert np.array_equal(found, one), by
            assert np.array_equal(again.ravel(), one[:again.size]), by


def test_places_scaled(lanes):
    @device.kernel
    def nearest(a, out):
        j, i = device.tid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = a[i * a.shape[0] // out.shape[0], j * a.shape[1] // out.shape[1]]

    a, out = np.arange(37 * 53, dtype=np.int32).reshape(37, 53), np.zeros((71, 140), np.int32)
    nearest[(9, 5), (16, 16)](a, out)
    assert np.array_equal(out, a[np.arange(71)[:, None] * 37 // 71, np.arange(140) * 53 // 140])

"""What GPUs' code says in fewer instructions than are written: indices from the end, sums that never wrap, loops that count bits."""

import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import everywhere, launched
from hetjit import _core, device

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def text(kernel, signature, target="cuda:sm_90", phase="ptx", **options):
    return _core.show(_core.capture(kernel), phase, signature, target, kernel=True, **options)


def line(kind):
    return f"array[{kind}, 1, contiguous, index32]"


# ---- indices from the end

def picked(x, index, out):
    i = device.tid(1)
    if i < len(index):
        out[i] = x[index[i]]


def placed(x, index, out):
    i = device.tid(1)
    if i < len(index):
        out[index[i], index[i]] += x[i]


def sliced(x, index, out):
    i = device.tid(1)
    if i < len(index):
        part = x[index[i]:]  # a bound is cut off where the array begins
        out[i] = part.shape[0]
        if part.shape[0] > 1:
            out[i] += part[index[i] % 2] + part[-1]


def below_a_float(x, first, last, turn, out):
    i = device.tid(1)
    start, stop, f = max(first[i], 4), last[i] & 1, turn[i]
    if f < device.float32(start) - device.float32(stop):
        out[i] = x[start + device.int32(f) * -1]


@everywhere
def test_a_float_below_a_difference_says_nothing_of_its_sign(where):
    """It looks like the turns of a loop that counts down, which are unsigned."""
    x, first, last = np.arange(200, dtype=np.int32), np.array([2**31 - 1, 50], np.int32), np.array([0, 1], np.int32)
    out = launched(where, below_a_float, x, first, last, np.array([-(2**31 - 128), 3], np.float32), np.zeros(2, np.int32), block=2)[-1]
    assert out.tolist() == [71, 47]


@everywhere
@pytest.mark.parametrize("kind", INTEGERS)
def test_every_index_there_is(kind, where):
    for n in (1, 2, 5, 40):
        index = np.arange(0 if kind[0] == "u" else -n, n).astype(kind)
        x = np.arange(100, 100 + n, dtype=np.float32)
        out, = launched(where, picked, x, index, np.zeros(len(index), np.float32), grid=(len(index) + 15) // 16, block=16)[2:]
        np.testing.assert_array_equal(out, x[index.astype(np.int64)])


@everywhere
@pytest.mark.parametrize("kind", ("int32", "int64", "int8"))
def test_indices_of_two_axes(kind, where):
    n = 6
    index = np.array([-6, 4, 1, -3, -1], kind)  # each another element
    x = np.arange(1, 6, dtype=np.int32)
    expected = np.zeros((n, n), np.int32)
    for at, value in zip(index, x):
        expected[at, at] += value
    out = launched(where, placed, x, index, np.zeros((n, n), np.int32), grid=5, block=1)[2]
    np.testing.assert_array_equal(out, expected)


@everywhere
def test_bounds_beyond_the_array(where):
    x = np.arange(10, 17, dtype=np.int32)
    index = np.array([-100, -8, -7, -6, -1, 0, 1, 5, 6, 7, 100], np.int32)
    expected = []
    for at in index:
        part = x[at:]
        expected.append(len(part) + (part[at % 2] + part[-1] if len(part) > 1 else 0))
    out = launched(where, sliced, x, index, np.zeros(len(index), np.int32), grid=1, block=16)[2]
    np.testing.assert_array_equal(out, expected)


def test_no_comparison_for_an_index_of_32_bits():
    signature = f"({line('float32')}, {line('int32')}, {line('float32')})"
    assert len(re.findall(r"min\.u32", text(picked, signature))) == 1
    assert "selp" not in text(picked, signature)
    for arch in ("gfx942", "gfx1100"):
        code = text(picked, signature, f"hip:{arch}", "amdgcn")
        assert len(re.findall(r"v_min_u32", code)) == 1 and "cndmask" not in code


# ---- arrays that have elements

def pacing(seen, steps):
    h, w = seen.shape
    x, y = w // 2, h // 2
    for step in range(steps):
        if step % 4 == 0:
            x = x - 1 if x > 0 else w - 1
        if step % 4 == 1:
            x = x + 1 if x + 1 < w else 0
        if step % 4 == 2:
            y = y - 1 if y > 0 else h - 1
        if step % 4 == 3:
            y = y + 2 if y + 2 < h else 0
        seen[y, x] += step


def by_the_turn_before(x, y, out):
    a, b, last = x, y, 0
    for turn in range(2):
        if len(a) > 0:
            out[turn] = a[last]
        last = len(a) - 1  # of an empty one: the last element of the one that comes next
        a, b = b, a


def by_another(x, other, out):
    out[device.tid(1)] = x[other.shape[0] - 1]  # its last one where the other is empty


@everywhere
def test_walks_round_the_edge(where):
    for shape in ((1, 1), (1, 3), (2, 2), (5, 4)):
        expected = np.zeros(shape, np.int32)
        pacing(expected, 50)
        np.testing.assert_array_equal(launched(where, pacing, np.zeros(shape, np.int32), 50)[0], expected)


@everywhere
def test_no_walk_where_there_is_nowhere(where):
    assert launched(where, pacing, np.zeros((0, 3), np.int32), 0)[0].shape == (0, 3)


@everywhere
def test_another_array_may_be_empty(where):
    x = np.arange(5, 9, dtype=np.int32)
    for n in (0, 1, 2, 4):
        out = launched(where, by_another, x, np.zeros(n, np.int32), np.zeros(3, np.int32), block=3)[2]
        np.testing.assert_array_equal(out, [x[n - 1]] * 3)


@everywhere
def test_the_array_of_the_turn_before_may_be_empty(where):
    x = np.arange(5, 9, dtype=np.int32)
    for n in (0, 1, 2, 4):
        out = launched(where, by_the_turn_before, np.zeros(n, np.int32), x, np.zeros(2, np.int32))[2]
        assert out.tolist() == [0, x[n - 1]]


def test_the_edge_is_not_asked_about():
    wraps = re.compile("wrapindex")
    assert not wraps.search(text(pacing, f"({line('int32').replace('1,', '2,')}, int)", phase="optimized"))
    assert wraps.search(text(by_another, f"({', '.join([line('int32')] * 3)})", phase="optimized"))


# ---- sums that wrap, or do not

def sums(x, out):
    i = device.tid(1)
    if i < len(x):
        a = x[i]
        out[i, 0], out[i, 1], out[i, 2] = a + 7, a - 7, a * 7
        if 0 <= a:
            out[i, 3] = (a + 7) // 3
            if a < 1000:
                out[i, 4], out[i, 5] = (a * 7 - 3) // 5, (2 * a + 1) % 6
        if a > -100 and a < 100:
            out[i, 6] = int(device.int64(a * a - 3 * a))


@everywhere
@pytest.mark.parametrize("kind", ("int32", "int64"))
def test_sums_near_the_ends(kind, where):
    limits = np.iinfo(kind)
    near = [limits.min, limits.min + 6, limits.max, limits.max - 6, limits.max // 7, limits.max // 7 + 1, 0, 1, 99, 100, 3]
    if limits.min:
        near += [-1, -99, -100, limits.min // 7, limits.min // 7 - 1]
    x = np.array(near, kind)
    out = np.zeros((len(x), 7), np.int64)
    given = launched(where, sums, x, out, grid=2, block=16)[1]
    own = launched("interpreter", sums, x, out, grid=2, block=16)[1]
    np.testing.assert_array_equal(given, own)


def halves(image, out):
    x, y = device.tid(2)
    if x < out.shape[1] and y < out.shape[0]:
        out[y, x] = image[2 * y, 2 * x] + image[2 * y, 2 * x + 1] + image[2 * y + 1, 2 * x] + image[2 * y + 1, 2 * x + 1]


@everywhere
def test_twice_an_index(where):
    image = np.arange(48, dtype=np.int32).reshape(6, 8)
    out = launched(where, halves, image, np.zeros((3, 4), np.int32), grid=(2, 2), block=(2, 2))[1]
    np.testing.assert_array_equal(out, image.reshape(3, 2, 4, 2).sum((1, 3)))


def test_twice_an_index_is_not_negative():
    plane = "array[int32, 2, contiguous, index32]"
    assert "wrapindex" not in text(halves, f"({plane}, {plane})", phase="optimized")
    far = "array[int32, 2, contiguous]"  # 2 * x has 32 bits: it may have wrapped
    assert "wrapindex" in text(halves, f"({far}, {far})", phase="optimized")


# ---- bits

def ones(x, out):
    i = device.tid(1)
    if i < len(x):
        v, count = x[i], 0
        while v != 0:
            v &= v - 1
            count += 1
        out[i] = count


def ones_from(x, out):
    i = device.tid(1)
    if i < len(x):
        v, count = x[i], 5
        while v:
            count += 1
            v = v & (v - 1)
        out[i] = count + (v == 0)


def length(x, out):
    i = device.tid(1)
    if i < len(x):
        v, bits = x[i], 0
        while v != 0:
            v >>= 1
            bits += 1
        out[i] = bits


def some_ones(x, out):
    i = device.tid(1)
    if i < len(x):
        v, count = x[i], 0
        while v != 0 and count < 3:
            v &= v - 1
            count += 1
        out[i] = count


def numbers(kind, negative):
    limits = np.iinfo(kind)
    found = [0, 1, 2, 3, 4, 7, 8, 85, 127, limits.max, limits.max - 1, limits.max // 3]
    if negative and limits.min:
        found += [-1, -2, limits.min, limits.min + 1]
    return np.array(found, kind)


def bits_of(number, kind):
    return int(number) % (1 << np.iinfo(kind).bits)


@everywhere
@pytest.mark.parametrize("kind", INTEGERS)
def test_loops_that_count_bits(kind, where):
    x = numbers(kind, True)
    count = np.array([bin(bits_of(each, kind)).count("1") for each in x], np.int32)
    if kind not in ("int8", "int16"):  # their arithmetic is that of int32, which has more ones where they are negative
        for kernel, expected in ((ones, count), (ones_from, count + 6), (some_ones, np.minimum(count, 3))):
            out = launched(where, kernel, x, np.zeros(len(x), np.int32), grid=1, block=32)[1]
            np.testing.assert_array_equal(out, expected)
    x = numbers(kind, False)
    out = launched(where, length, x, np.zeros(len(x), np.int32), grid=1, block=32)[1]
    np.testing.assert_array_equal(out, [int(each).bit_length() for each in x])


@pytest.mark.parametrize("kernel, kind, instruction", [(ones, "uint32", r"popc\.b32"), (ones, "int64", r"popc\.b64"),
                                                       (length, "uint32", r"clz\.b32|bfind"), (length, "uint64", r"clz\.b64|bfind")])
def test_loops_that_count_bits_are_instructions(kernel, kind, instruction):
    code = text(kernel, f"({line(kind)}, {line('int32')})")
    assert re.search(instruction, code) and not goes_back(code), code


def goes_back(code):
    """Is there a loop?"""
    return any(code.index(f"\n{label}:") < jump.start() for jump in re.finditer(r"\bbra(?:\.uni)? \t?(\$L\w+)", code) for label in [jump[1]])


def test_loops_that_end_sooner_stay_loops():
    code = text(some_ones, f"({line('uint32')}, {line('int32')})")
    assert "popc" not in code and goes_back(code)


# ---- powers

def powers(x, out):
    i = device.tid(1)
    if i < len(x):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = x[i] ** -1, x[i] ** -2, x[i] ** -3, x[i] ** -4


@everywhere
@pytest.mark.parametrize("kind", ("float32", "float64"))
def test_negative_powers(kind, where):
    edge = float(np.sqrt(np.finfo(kind).max))  # of the square; its power is not zero yet
    x = np.array([1, -2, 3, 0.1, -7.5, edge * 4, 1 / (edge / 4), 0.0, -0.0, np.inf, -np.inf, np.nan], kind)
    out, = launched(where, powers, x, np.zeros((len(x), 4), kind), grid=1, block=16)[1:]
    with np.errstate(all="ignore"):
        exact = (x.astype(np.longdouble)[:, None] ** np.array([-1, -2, -3, -4])).astype(kind)
        exact[np.isinf(x) & np.signbit(x)] = [-0.0, 0.0, -0.0, 0.0]
    np.testing.assert_allclose(out, exact, rtol=4 * np.finfo(kind).eps, atol=2 * np.finfo(kind).smallest_subnormal)
    assert (np.signbit(out) == np.signbit(exact))[~np.isnan(exact)].all()
    assert out[5, 1] > 0 and np.isfinite(out[6, 1])


def test_negative_powers_need_no_function():
    assert "Pow" not in text(powers, "(array[float32, 1, contiguous, index32], array[float32, 2, contiguous, index32])", phase="optimized")

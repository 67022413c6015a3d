"""Loops that count from a number of which nobody knows the sign: their indices count from the end first and then from the beginning (the pass split-at-zero).
Every spelling of such loops, on rows of every beginning: what Python does with the same function, on the CPU thread by thread and in vectors, and on the
machines in GPUs' place."""

import inspect

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

LENGTH, OTHER = 40, 57
PLACES = ["cpu", "1 lane", "emu:sm_90", "emu:gfx942"]


def plain(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        s = s * 3 + a[k]
    return s


def two_arrays(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        s = s * 3 + a[k] - b[k]
    return s


def neighbours(first, end, a, b, m):
    s = 0
    for k in range(first, end - 1):
        s = s * 3 + a[k + 1] - b[k - 5]
    return s


def base_and_count(first, end, a, b, m):
    s = 0
    for k in range(end - first):
        s = s * 3 + a[first + k] + b[k + first - 2]
    return s


def five_signs(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        s = s * 3 + b[k] + b[k - 1] - b[k - 2] + b[k - 3] - b[k - 4]
    return s


def by_three(first, end, a, b, m):
    s = 0
    for k in range(first, end, 3):
        s = s * 3 + a[k]
    return s


def downwards(first, end, a, b, m):
    s = 0
    for k in range(end - 1, first - 1, -1):
        s = s * 3 + a[k]
    return s


def in_a_while(first, end, a, b, m):
    s = 0
    k = first
    while k < end:
        s = s * 3 + a[k]
        k += 1
    return s + k


def asked_the_other_way(first, end, a, b, m):
    s = 0
    k = first
    while True:
        if not end > k:
            break
        s = s * 3 + a[k]
        k = k + 1
    return s


def asked_at_the_end(first, end, a, b, m):
    s = 0
    k = first
    while True:
        s = s * 3 + a[k % 40]
        s = s - b[k]
        k += 1
        if k >= end:
            break
    return s


def by_two_in_a_while(first, end, a, b, m):
    s = 0
    k = first
    while k < end:
        s = s * 3 + a[k]
        k += 2
    return s


def left_early(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        if a[k] % 4 == 1:
            continue
        if a[k] % 8 == 7:
            break
        s = s * 3 + a[k]
    else:
        s += 1000
    return s


def in_a_branch(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        if k % 3 == 0:
            s += a[k]
        elif k > 2:
            s -= b[k - 3]
    return s


def rows(first, end, a, b, m):
    s = 0
    for k in range(first, end):
        s = s * 3 + m[k, 1] - m[2, k]
    return s


def nested(first, end, a, b, m):
    s = 0
    for j in range(2):
        for k in range(first + j, end):
            for q in range(k, k + 2):
                s = s * 3 + b[q]
    return s


def counter_afterwards(first, end, a, b, m):
    k = first
    last = 0
    while k < end:
        last = a[k]
        k += 1
    return last * 100 + k


def values_that_cross(first, end, a, b, m):
    s, last = 0, 7
    for k in range(first, end):
        if k & 1:
            s, last = last + a[k], s
        else:
            last += b[k]
    return s * 5 + last


def changed_before_it_asks(first, end, a, b, m):
    s, count = 0, 0
    k = first
    while True:
        s = s * 3 + a[k]
        count += 1
        if k >= end:
            break
        k += 1
    return s + count * 1000


def asked_of_the_last_one(first, end, a, b, m):
    s, count = 0, 0
    k = first
    while True:
        count += 1
        s = s * 3 + b[k]
        last = k
        k += 1
        if last >= end:
            break
    return s + count * 1000


WAYS = [plain, two_arrays, neighbours, base_and_count, five_signs, by_three, downwards, in_a_while, asked_the_other_way, asked_at_the_end, by_two_in_a_while,
        left_early, in_a_branch, rows, nested, counter_afterwards, values_that_cross, changed_before_it_asks, asked_of_the_last_one]


def bounds():
    """(first, end) of rows that are empty, on one side of zero, or on both."""
    ends = [(f, e) for f in range(-30, 31, 4) for e in (-25, -3, -1, 0, 1, 2, 17, 36)]
    return np.array([(f, e) for f, e in ends if e - f < LENGTH - 6], np.int32).T.copy()


def kernel_of(way):
    def kernel(first, end, a, b, m, out):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = way(first[i], end[i], a, b, m)
    return kernel


def wrapped(number):
    return (number + 2**31) % 2**32 - 2**31


def arrays():
    number = np.random.default_rng(3).integers
    return number(0, 99, LENGTH).astype(np.int32), number(0, 99, OTHER).astype(np.int32), number(0, 99, (OTHER, OTHER)).astype(np.int32)


def expected(way, first, end, a, b, m):
    given = [x.tolist() for x in (a, b)]
    return [wrapped(way(f, e, *given, _Rows(m))) for f, e in zip(first.tolist(), end.tolist())]


class _Rows:
    def __init__(self, m):
        self.m = m.tolist()

    def __getitem__(self, at):
        return self.m[at[0]][at[1]]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_python_s_numbers(way, place, monkeypatch):
    where = place
    if place == "1 lane":
        monkeypatch.setenv("HETJIT_LANES", "1")
        where = "cpu"
    first, end = bounds()
    if way is asked_at_the_end:
        first, end = first[first < end], end[first < end]
    if where != "cpu":  # a warp is enough
        first, end = (np.random.default_rng(1).permutation(x)[:32] for x in (first, end))
    a, b, m = arrays()
    want = expected(way, first, end, a, b, m)
    kernel = device.kernel(kernel_of(way))
    for strided in (False, True) if where == "cpu" else (False,):
        if strided:
            a, b, m = (np.repeat(x, 2, axis=x.ndim - 1)[..., ::2] for x in (a, b, m))
        there = [device.array(x, where) if where != "cpu" else x for x in (first, end, a, b, m, np.zeros(first.size, np.int32))]
        kernel.forall(first.size)(*there)
        got = device.to_numpy(there[-1]) if where != "cpu" else there[-1]
        assert got.tolist() == want, inspect.getsource(way)


@pytest.mark.parametrize("lanes", [None, "1"])
def test_sums_that_pass_the_largest_number_count_from_the_end(lanes, monkeypatch, tmp_path):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)

    def kernel(base, count, a, out):
        i = device.tid(1)
        if i < out.shape[0]:
            s = device.int32(0)
            for k in range(count):
                s = s * 3 + a[base[i] + k]
            out[i] = s

    a = np.memmap(tmp_path / "sparse", np.int8, "w+", shape=(2**31 + 10,))
    a[10:14], a[-13:-10] = [1, 2, 3, 4], [5, 6, 7]  # -2**31 is the place 10
    out = np.zeros(1, np.int32)
    device.kernel(kernel)[1, 1](np.array([2**31 - 3], np.int32), 7, a, out)
    s = 0
    for number in (5, 6, 7, 1, 2, 3, 4):
        s = s * 3 + number
    assert out[0] == s


@pytest.mark.parametrize("lanes", [None, "1"])
def test_what_a_loop_does_before_it_asks_is_done_once_a_turn(lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)

    def kernel(first, end, a, out):
        k = first
        while True:
            out[0] += 1
            out[1] = a[k]
            a[k] += 100
            if k >= end:
                break
            out[2] += a[k]
            k += 1

    memory = np.arange(16, dtype=np.int32)
    a, out = memory[4:12], np.zeros(3, np.int32)
    device.kernel(kernel)[1, 1](-4, 3, a, out)
    assert out.tolist() == [8, 7, sum(range(8, 12)) + sum(range(4, 7)) + 700]
    assert memory.tolist() == [0, 1, 2, 3, *(x + 100 for x in range(4, 12)), 12, 13, 14, 15]


# counter, first, end, what is added to it in the index
WRAPPING = [(np.int8, 0, 20, 120), (np.int16, 0, 20, 32760), (np.int32, 2**31 - 1, -2**31 + 5, -2147483638), (np.int8, 127, -123, -118), (np.int64, 2**63 - 1, -2**63 + 5, 11 - 2**63)]


@pytest.mark.parametrize("lanes", [None, "1"])
@pytest.mark.parametrize("counter, first, end, more", WRAPPING, ids=lambda value: str(getattr(value, "__name__", value)))
def test_counters_that_wrap(counter, first, end, more, lanes, monkeypatch):
    """Of 8 and 16 bits in the index, of more bits where a loop that asks at its end begins at the largest number."""
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)

    def kernel(first, end, more, a, out):
        n = 0
        k = first
        while True:
            out[n] = a[k + more]
            n += 1
            k += 1
            if k >= end:
                break

    bits = np.iinfo(counter).bits
    wrap = lambda number: (number + 2**(bits - 1)) % 2**bits - 2**(bits - 1)
    a, out, want = np.arange(40000, dtype=np.int32), np.zeros(30, np.int32), []
    k = first
    while True:
        want.append(int(a[wrap(k + more)]))
        k = wrap(k + 1)
        if k >= end:
            break
    device.kernel(kernel)[1, 1](counter(first), counter(end), counter(more), a, out)
    assert out[:len(want)].tolist() == want and not out[len(want):].any()

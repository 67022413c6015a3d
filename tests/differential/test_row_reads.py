"""Loops in which each thread reads a row of its own, which vectors read some turns ahead: the same as NumPy, or as one thread at a time, with
every number of lanes and every number of turns; and nothing is read that the kernel would not read."""

import ctypes
import mmap

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

TURNS = (0, 1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100)
TYPES = ("int8", "uint16", "int32", "float32", "int64", "float64", "complex64", "bool")


@pytest.fixture(params=(None, 1, 2, 4, 16, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


def random(shape, dtype):
    return (np.random.default_rng(int(np.prod(shape)) + 1).random(shape) * 100).astype(dtype)


def launch(function, n, *arguments, block=32):
    device.kernel(function)[-(-n // block), block](*arguments)


def test_sums_in_order(lanes):
    """Each thread's additions keep their order: so the bits are those of a loop."""
    def sums(a, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k]
            out[i] = total

    for n in (1, 16, 33, 70):
        for turns in TURNS:
            a, out = random((n, turns), np.float32), np.zeros(n, np.float32)
            launch(sums, n, a, out)
            expected = np.zeros(n, np.float32)
            for k in range(turns):
                expected += a[:, k]
            assert np.array_equal(out, expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_all_types(lanes, dtype):
    def last_and_count(a, like, out, counts):
        i = device.tid(1)
        if i < a.shape[0]:
            own, n = a[i, 0], 0
            for k in range(a.shape[1]):
                if a[i, k] == like[k]:
                    own = a[i, k]
                    n += k + 1
            out[i], counts[i] = own, n

    for turns in TURNS[1:]:
        a = (random((50, turns), np.uint8) % 3).astype(dtype)
        like, out, counts = a[7].copy(), np.zeros(50, dtype), np.zeros(50, np.int32)
        launch(last_and_count, 50, a, like, out, counts)
        same = a == like
        assert np.array_equal(counts, (same * np.arange(1, turns + 1)).sum(axis=1))
        assert np.array_equal(out, [row[np.flatnonzero(hits)[-1]] if hits.any() else row[0] for row, hits in zip(a, same)])


def test_rows_that_an_index_names(lanes):
    """Rows in any order, from any place on, of one and two axes; several of one loop."""
    def dot(a, x, rows, starts, out):
        i = device.tid(1)
        if i < out.shape[0]:
            total = 0
            row = device.uint32(rows[i])
            for k in range(1, x.shape[0] - 1):
                total += a[row, k + 1] * x[device.uint32(starts[i] + k)] - a[row, k - 1]
            out[i] = total

    for turns in TURNS[2:]:
        a, x = random((40, turns), np.int32), random(turns, np.int32)
        rows = np.random.default_rng(3).integers(0, 40, 70).astype(np.int32)
        starts = np.random.default_rng(4).integers(-1, 2, 70).astype(np.int32)
        out = np.zeros(70, np.int32)
        launch(dot, 70, a, x, rows, starts, out)
        expected = [sum(int(a[r, k + 1]) * int(x[s + k]) - int(a[r, k - 1]) for k in range(1, turns - 1)) for r, s in zip(rows, starts)]
        assert out.tolist() == expected


def test_indices_that_count_from_the_end(lanes):
    def wrapped(a, shift, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0
            for k in range(a.shape[1]):
                total = total * 3 + a[i, k - shift]
            out[i] = total

    for turns in TURNS[4:9]:
        a, out = random((40, turns), np.int32) % 5, np.zeros(40, np.int32)
        launch(wrapped, 40, a.astype(np.int32), 5, out)
        expected = np.zeros(40, np.int32)
        for k in range(turns):
            expected = expected * np.int32(3) + a[:, k - 5].astype(np.int32)
        assert np.array_equal(out, expected)


def test_loops_with_other_ends(lanes):
    """Which are read as they come."""
    def until(a, limit, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0.0
            for k in range(a.shape[1]):
                if total > limit:
                    break
                total += a[i, k]
            out[i] = total

    def by_two(a, limit, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0.0
            for k in range(0, a.shape[1], 2):
                total += a[i, k]
            out[i] = total

    def downwards(a, limit, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0.0
            for k in range(a.shape[1] - 1, -1, -1):
                total += a[i, k]
            out[i] = total

    def parts(a, limit, out):
        i = device.tid(1)
        if i < a.shape[0]:
            total = 0.0
            for k in range(i % 5, a.shape[1]):
                total += a[i, k]
            out[i] = total

    for turns in TURNS:
        a = random((40, turns), np.float32)
        for function, rows in ((until, None), (by_two, a[:, ::2]), (downwards, a[:, ::-1]), (parts, None)):
            out, expected = np.zeros(40, np.float32), np.zeros(40, np.float32)
            launch(function, 40, a, 500.0, out)
            for i in range(40):
                row = a[i, i % 5:] if function is parts else a[i] if rows is None else rows[i]
                for value in row:
                    if function is until and expected[i] > 500:
                        break
                    expected[i] += value
            assert np.array_equal(out, expected), function.__name__


def test_what_is_written_in_the_loop(lanes):
    """By the thread itself, ahead of where it reads."""
    def doubled(a, out):
        i = device.tid(1)
        if i < a.shape[0]:
            for k in range(a.shape[1] - 1):
                a[i, k + 1] = a[i, k + 1] + a[i, k]
            out[i] = a[i, a.shape[1] - 1]

    for turns in TURNS[1:]:
        a, out = random((40, turns), np.int32), np.zeros(40, np.int32)
        expected = np.cumsum(a, axis=1, dtype=np.int32)
        launch(doubled, 40, a, out)
        assert np.array_equal(a, expected) and np.array_equal(out, expected[:, -1])


def test_loops_in_loops(lanes):
    """The row begins anew in each turn of the outer loop, and may be in a branch that some lanes take."""
    def nested(a, b, out):
        i = device.tid(1)
        if i < a.shape[0]:
            best, at = 1e30, -1
            for j in range(b.shape[0]):
                total = 0.0
                if a[i, j % a.shape[1]] < 80.0:
                    for k in range(a.shape[1]):
                        d = a[i, k] - b[j, k]
                        total += d * d
                if total < best:
                    best, at = total, j
            out[i] = at

    for turns in (1, 16, 20, 37):
        a, b, out = random((50, turns), np.float32).round(), random((9, turns), np.float32).round(), np.zeros(50, np.int32)
        launch(nested, 50, a, b, out)
        distances = ((a[:, None] - b) ** 2).sum(axis=2)
        distances[a[:, np.arange(9) % turns] >= 80] = 0
        assert np.array_equal(out, distances.argmin(axis=1))


def test_nothing_is_read_behind_the_last_row(lanes):
    """The page behind the array is nobody's."""
    page, protect = mmap.PAGESIZE, ctypes.CDLL(None, use_errno=True).mprotect
    memory = mmap.mmap(-1, 3 * page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert protect(ctypes.c_void_p(begin + 2 * page), page, 0) == 0

    def sums(a, out):
        i = device.tid(1)
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k]
        out[i] = total

    whole = np.frombuffer(memory, np.float32)[:2 * page // 4]
    for turns in (1, 5, 15, 16, 17, 23, 31):
        a, out = whole[-64 * turns:].reshape(64, turns), np.zeros(64, np.float32)
        a[:] = np.arange(turns)
        device.kernel(sums)[2, 32](a, out)
        assert np.array_equal(out, np.full(64, turns * (turns - 1) / 2))

"""Loops that all threads of a launch share out: turn by turn in rows of the grid, or each thread by itself, the same as NumPy and as one
thread after another. In every spelling, in launches of any shape, also with nothing to do, with more threads than elements, and where a
thread's turns depend on one another."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

SHAPES = [(1, 1), (1, 3), (1, 16), (1, 100), (3, 32), (7, 100), (2, 256), (5, 48), ((2, 3), 40), (2, (16, 2)), ((2, 2, 2), (7, 3, 2))]
SIZES = (0, 1, 2, 15, 16, 17, 99, 100, 101, 1000, 4099)


@pytest.fixture(params=(None, 1, 2, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


@device.kernel
def by_range(a, x, y):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        y[i] = a * x[i] + 1.0


@device.kernel
def by_while(a, x, y):
    i = device.block_idx.x * device.block_dim.x + device.thread_idx.x
    while i < len(x):
        y[i] = a * x[i] + 1.0
        i += device.grid_dim.x * device.block_dim.x


@device.kernel
def by_signed_while(a, x, y):
    i = int(device.thread_idx.x + device.block_dim.x * device.block_idx.x)
    step = int(device.block_dim.x * device.grid_dim.x)
    while i <= len(x) - 1:
        y[i] = a * x[i] + 1.0
        i += step


@device.kernel
def by_wide_numbers(a, x, y):
    i = device.int64(device.tid(1))
    while i < x.shape[0]:
        y[i] = a * x[i] + 1.0
        i = i + device.int64(device.grid_size(1))


@device.kernel
def with_ifs(a, x, y):
    for i in range(device.tid(1), x.size, device.grid_size(1)):
        if x[i] < 5.0:
            y[i] = a
            continue
        if i % 3 == 0 and x[i] > 20.0:
            y[i] = a * x[i] + 1.0


@device.kernel
def with_a_loop(a, x, y):
    n = len(x)
    for i in range(device.tid(1), n, device.grid_size(1)):
        total = 0.0
        for k in range(-2, 3):
            if 0 <= i + k < n:
                total += x[i + k]
        y[i] = total * a


@device.kernel
def with_a_break(a, x, y):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        if i > 200:
            break
        y[i] = a * x[i] + 1.0


SPELLINGS = (by_range, by_while, by_signed_while, by_wide_numbers)


def numbers(n, dtype=np.float32):
    return (np.random.default_rng(n + 1).random(n) * 50).astype(dtype)


def launched(kernel, shape, *arguments):
    grid, block = shape
    kernel[grid, block](*arguments)
    return arguments[-1]


@pytest.mark.parametrize("kernel", SPELLINGS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_spelling_in_every_launch(kernel, shape, lanes):
    for n in SIZES:
        x, y = numbers(n), np.full(n + 3, -1, np.float32)
        launched(kernel, shape, 2.0, x, y)
        assert (y[:n] == x * 2 + 1).all() and (y[n:] == -1).all(), n


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64", "complex64"])
def test_every_type_of_element(dtype):
    @device.kernel
    def doubled(x, y):
        for i in range(device.tid(1), len(x), device.grid_size(1)):
            y[i] = x[i] + x[i]
    for shape in SHAPES:
        x = (numbers(777) / 2).astype(dtype)
        assert (launched(doubled, shape, x, np.zeros_like(x)) == x + x).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_a_turn_may_do(shape, lanes):
    for n in SIZES:
        x = numbers(n)
        y = launched(with_ifs, shape, 2.0, x, np.full(n, -1, np.float32))
        place = np.arange(n)
        expected = np.where(x < 5, 2.0, np.where((place % 3 == 0) & (x > 20), x * 2 + 1, -1)).astype(np.float32)
        assert (y == expected).all()
        whole = np.pad(x, 2)
        sums = np.zeros(n, np.float32)
        for k in range(5):
            sums += whole[k:k + n]
        assert np.allclose(launched(with_a_loop, shape, 0.5, x, np.zeros(n, np.float32)), sums * 0.5, rtol=1e-6)
        y = launched(with_a_break, shape, 2.0, x, np.full(n, -1, np.float32))
        assert (y == np.where(place > 200, -1, x * 2 + 1).astype(np.float32)).all()


@device.kernel
def own_sums(x, out):
    out[device.tid(1)] = 0
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        out[device.tid(1)] = out[device.tid(1)] * 3 + x[i]


@device.kernel
def one_turn_reads_the_last(x):
    step = device.grid_size(1)
    for i in range(device.tid(1), len(x) - int(step), step):
        x[i + step] = x[i] * 2 + x[i + step]


@device.kernel
def counted(x, counts):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        device.atomic.add(counts, x[i] % len(counts), 1)


@device.kernel
def gathered(index, x, y):
    for i in range(device.tid(1), len(index), device.grid_size(1)):
        y[i] = x[index[i]]


@pytest.mark.parametrize("shape", [s for s in SHAPES if isinstance(s[0], int) and isinstance(s[1], int)], ids=str)
def test_turns_that_depend_on_those_before(shape, lanes):
    threads = shape[0] * shape[1]
    x = (numbers(3001) % 2).astype(np.int32)
    expected = np.zeros(threads, np.int64)
    for first in range(0, len(x), threads):
        part = x[first:first + threads]
        expected[:len(part)] = expected[:len(part)] * 3 + part
    assert (launched(own_sums, shape, x, np.zeros(threads, np.int32)) == expected.astype(np.int32)).all()
    y = x.astype(np.uint32)
    for first in range(0, len(x) - threads, threads):
        part = y[first + threads:first + 2 * threads]
        part += y[first:first + len(part)] * np.uint32(2)
    assert (launched(one_turn_reads_the_last, shape, x.copy()) == y.astype(np.int32)).all()


@pytest.mark.parametrize("shape", SHAPES[:8], ids=str)
def test_atomics_and_gathers(shape):
    x = (numbers(2000) * 10).astype(np.int32)
    assert (launched(counted, shape, x, np.zeros(37, np.int32)) == np.bincount(x % 37, minlength=37)).all()
    assert (launched(gathered, shape, x % 500, numbers(500), np.zeros(2000, np.float32)) == numbers(500)[x % 500]).all()


def test_threads_along_other_axes_do_the_same():
    @device.kernel
    def added(x):
        for i in range(device.tid(1), len(x), device.grid_size(1)):
            device.atomic.add(x, i, 1)
    x = np.zeros(100, np.int32)
    added[(2, 3), (8, 2, 2)](x)
    assert (x == 12).all()


@device.kernel
def in_two_axes(a, x, y):
    i, j = device.tid(2)
    while i < x.shape[0]:
        k = j
        while k < x.shape[1]:
            y[i, k] = a * x[i, k] + 1.0
            k += device.grid_size(2)[1]
        i += device.grid_size(2)[0]


@pytest.mark.parametrize("shape", [((1, 1), (16, 2)), ((3, 2), (16, 16)), ((1, 5), (33, 3)), (2, 64)], ids=str)
def test_two_loops(shape, lanes):
    for size in ((1, 1), (7, 100), (64, 33), (0, 5), (100, 3)):
        x = numbers(size[0] * size[1]).reshape(size)
        assert (launched(in_two_axes, shape, 2.0, x, np.zeros_like(x)) == x * 2 + 1).all()


# ---- turns that are dealt out anew, and those that may not be

@device.kernel
def chained(x, y):
    for i in range(device.tid(1), len(y), device.grid_size(1)):
        y[i] = x[i] * 2 + y[i]


@pytest.mark.parametrize("shape", [(1, 4), (3, 32), (2, 100)], ids=str)
def test_arrays_that_share_memory(shape, lanes):
    threads = shape[0] * shape[1]
    whole = np.arange(1000, dtype=np.int32) % 3
    expected = whole.astype(np.uint32)
    for first in range(0, 1000 - threads, threads):
        part = expected[first + threads:first + 2 * threads]
        part += expected[first:first + len(part)] * np.uint32(2)
    launched(chained, shape, whole[:-threads], whole[threads:])
    assert (whole == expected.astype(np.int32)).all()
    again = np.arange(1000, dtype=np.int32)
    launched(chained, shape, again, again)
    assert (again == np.arange(1000) * 3).all()


@device.kernel
def up_to(x, n):
    for i in range(device.tid(1), n, device.grid_size(1)):
        x[i] += 1


@device.kernel
def up_to_and_with(x, n):
    i = device.tid(1)
    while n >= i:
        x[i] += 1
        i += device.grid_size(1)


@pytest.mark.parametrize("shape", SHAPES[:8], ids=str)
def test_limits_that_a_launch_brings(shape, lanes):
    for n in (-2 ** 31, -5, -1, 0, 1, 15, 16, 17, 200):
        for kernel, more in ((up_to, 0), (up_to_and_with, 1)):
            if kernel is up_to_and_with and n < -1:
                continue  # a place is unsigned there, and never above
            for number in (n, np.int64(n), np.int32(n)):
                x = np.zeros(300, np.int32)
                kernel[shape](x, number)
                assert (x == (np.arange(300) < n + more)).all(), (kernel, number)
    for number in (np.uint32(200), np.uint64(200), np.int16(200), np.uint8(200), 200.0):
        x = np.zeros(300, np.int32)
        up_to_and_with[shape](x, number)
        assert (x == (np.arange(300) <= 200)).all(), number


@device.kernel
def pairs(x, out):
    for i in range(device.tid(1), out.shape[0], device.grid_size(1)):
        out[i, 0] = x[i]
        out[i, 1] = out[i, 0] * 2


@device.kernel
def asks_whose(out, x):
    for i in range(device.tid(1), len(out), device.grid_size(1)):
        out[i] = device.tid(1) * 1000 + x[i]


@device.kernel
def counts_its_turns(out, x):
    turn = 0
    for i in range(device.tid(1), len(out), device.grid_size(1)):
        out[i] = turn + x[i]
        turn += 1


@device.kernel
def takes_numbers(x, tickets, out):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        out[i] = device.atomic.add(tickets, 0, 1) * 0 + x[i]


@device.kernel
def largest(x, found):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        device.atomic.max(found, 0, x[i])


@pytest.mark.parametrize("shape", SHAPES[:8], ids=str)
def test_what_decides_who_may_have_a_turn(shape, lanes):
    threads = shape[0] * shape[1]
    for n in SIZES:
        x, place = (numbers(n) * 7).astype(np.int32), np.arange(n)
        assert (launched(pairs, shape, x, np.zeros((n, 2), np.int32)) == np.stack([x, x * 2], 1)).all()
        out = np.zeros(n, np.int32)
        asks_whose[shape](out, x)
        assert (out == place % threads * 1000 + x).all()
        counts_its_turns[shape](out, x)
        assert (out == place // threads + x).all()
        tickets = np.zeros(1, np.int32)
        assert (launched(takes_numbers, shape, x, tickets, out) == x).all() and tickets[0] == n
        assert launched(largest, shape, x, np.full(1, -1, np.int32))[0] == max(x, default=-1)


@device.kernel
def as_far_as_its_group(x, n):
    step = device.grid_size(1)
    group = device.tid(1) // 64
    for i in range(device.tid(1), n - 100 * group, step):
        x[i] = 1


@device.kernel
def until_it_is_far(x, n):
    i = device.tid(1)
    while i < n - i // 64 * 64:
        x[i] = 1
        i += device.grid_size(1)


@device.kernel
def half_of_it(x, n):
    limit = min(n, len(x)) // 2 + device.grid_size(1) * 0
    for i in range(device.tid(1), limit, device.grid_size(1)):
        x[i] = 1


@pytest.mark.parametrize("shape", [(1, 200), (4, 64), (2, 100), (1, 16)], ids=str)
def test_limits_that_are_not_the_same_for_all(shape, lanes):
    threads = shape[0] * shape[1]
    thread, place = np.arange(1500) % threads, np.arange(1500)
    for n in (0, 100, 640, 1000, 1500):
        x = np.zeros(1500, np.int32)
        as_far_as_its_group[shape](x, n)
        assert (x == (place < n - 100 * (thread // 64))).all(), n
        x, expected = np.zeros(1500, np.int32), np.zeros(1500, np.int32)
        until_it_is_far[shape](x, n)
        for first in range(threads):
            i = first
            while i < n - i // 64 * 64:
                expected[i] = 1
                i += threads
        assert (x == expected).all(), n
        x = np.zeros(1500, np.int32)
        half_of_it[shape](x, n)
        assert (x == (place < n // 2)).all(), n


@device.kernel
def added_to(x, y):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        y[i] += x[i]


@device.kernel
def hit(x, hits):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        device.atomic.add(hits, x[i], 1)


@pytest.mark.parametrize("grid", [2, 3, 5, 7, 100])
@pytest.mark.parametrize("block", [1, 3, 5, 7, 13, 33, 37])
def test_nobody_is_beyond_the_last_thread(grid, block, lanes):
    """Where turns go in the program's order, ranges of blocks end with a warp, and the last one with the last thread."""
    for threads in (1, 3):  # of each place along x
        x = np.ones(5000, np.float32)
        if threads == 1:
            added_to[grid, block](x, x)
            assert (x == 2).all()
        hits = np.zeros(2, np.int32)
        hit[grid, (block, threads)](np.ones(5000, np.int32), hits)
        assert hits.tolist() == [0, 5000 * threads]
        hit[(grid, threads), block](np.ones(5000, np.int32), hits)
        assert hits.tolist() == [0, 10000 * threads]

"""Kernels whose threads wait for one another: the same bits in each of the host's tiers, at every number of lanes, on one core and on
all; and errors instead of hangs."""

import contextlib
import os
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device
from shapes import blocks_of, seen_place as place, seen_rank as rank, size

BLOCK = 64


@contextlib.contextmanager
def environment(**wanted):
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)


def within(seconds, work):
    """What it gives; a test that hangs fails."""
    result = []

    def run():
        try:
            result.append((work(), None))
        except BaseException as error:
            result.append((None, error))
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert result, "it hangs"
    if result[0][1]:
        raise result[0][1]
    return result[0][0]


def reverse(x, out):
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    tile[i] = x[j]
    device.syncthreads()
    out[j] = tile[size() - 1 - i] * 2


def tree(x, out):
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    tile[i] = x[j]
    device.syncthreads()
    step = BLOCK // 2
    while step > 0:
        if i < step and i + step < size():
            tile[i] += tile[i + step]
        device.syncthreads()
        step //= 2
    out[j] = tile[0]


def sums_over_rows(x, out):
    """A loop over memory, in which warps take turns."""
    total = 0.0
    tile = device.shared_array(BLOCK, device.float32)
    i, threads = rank(), size()
    for k in range(4):
        total += x[(k * threads + i) % len(x)]
    tile[i] = total
    device.syncthreads()
    out[place()] = tile[(i + 1) % threads]


def leavers(x, out):
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    tile[i] = x[j]
    if i % 3 == 1:
        return
    device.syncthreads()
    out[j] = tile[(i + 1) % size()]


def sometimes(x, out):
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    value = x[j]
    for turn in range(6):
        if turn % 2 == 0:
            tile[i] = value
            device.syncthreads()
            value += tile[(i + turn + 1) % size()]
            device.syncthreads()
        else:
            n = 0
            while n < i % 5:
                value = value * 0.5 + 1
                n += 1
    out[j] = value


def votes(x, out):
    j = place()
    many = device.syncthreads_count(x[j] < 0.5)
    some = device.syncthreads_or(x[j] < 0.01)
    all_ = device.syncthreads_and(x[j] < 2.0)
    out[j] = many + 100 * some + 1000 * all_


def counted(x, out):
    counts = device.shared_array(8, device.int32)
    i, j = rank(), place()
    for k in range(i, 8, size()):
        counts[k] = 0
    device.syncthreads()
    device.atomic.add(counts, device.int32(x[j] * 8), 1)
    device.syncthreads()
    if i < 8 and i < size():
        out[j] = counts[i]


def own_arrays(x, out):
    mine = device.local_array(4, device.float32)
    i, j = rank(), place()
    for k in range(4):
        mine[k] = x[j] * k
    device.syncthreads()
    out[j] = mine[i % 4] + mine[3]


def sorted_own(x, out):
    """Lanes write to and read from an array of their own at places that are the same and that differ, some lanes only."""
    mine = device.local_array((3, 4), device.float32)
    flags = device.local_array(12, device.int8, align=16)
    j = place()
    for k in range(12):
        mine[k // 4, k % 4] = x[(j * k) % x.shape[0]]
        flags[k] = k
    for last in range(11, 0, -1):
        for k in range(last):
            if mine[k // 4, k % 4] > mine[(k + 1) // 4, (k + 1) % 4]:
                mine[k // 4, k % 4], mine[(k + 1) // 4, (k + 1) % 4] = mine[(k + 1) // 4, (k + 1) % 4], mine[k // 4, k % 4]
                flags[k], flags[k + 1] = flags[k + 1], flags[k]
    device.syncthreads()
    if x[j] < 0.5:
        mine[1, j % 4] += 1.0
        flags[-1 - j % 3] += 100
    total = device.float32(0)
    for k in range(12):
        total = total * 0.75 + mine[k // 4, k % 4] + flags[k]
    out[j] = total


def last_of(values):
    return values[-1] + values[0]


def handed_on(x, out):
    """Arrays of their own that are seen whole, through views and by functions."""
    whole, row, plain = device.local_array(5, device.float32), device.local_array((2, 5), device.float32), device.local_array(5, device.float64)
    j = place()
    for k in range(5):
        whole[k] = x[j] + k
        row[0, k] = x[j] - k
        row[1, k] = x[j] * k
        plain[k] = k
    chosen = whole if x[j] < 0.5 else row[1]
    device.syncthreads()
    out[j] = last_of(whole) + last_of(row[0]) + chosen[2] + last_of(plain) + device.atomic.add(plain, 2, 1.0) + plain[2]


def by_rows(x, out):
    """Warps may go different ways, the lanes of one do not (in blocks of 32 a row)."""
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    tile[i] = x[j]
    device.syncthreads()
    out[j] = tile[i ^ 1] if (i ^ 1) < size() else tile[i]


def shuffled(x, out):
    i, j = rank(), place()
    value = x[j]
    distance = 16
    while distance > 0:
        other = device.shfl_xor_sync(device.FULL_MASK, value, distance)
        value += other if (i ^ distance) < size() else 1.0  # the last warp may lack that lane
        distance //= 2
    out[j] = value + device.popc(device.ballot_sync(device.FULL_MASK, x[j] < 0.5))


def parted_between_barriers(x, out):
    """A branch of some lanes, with a branch of all lanes alike inside, in a loop round a loop with barriers."""
    tile = device.shared_array(BLOCK, device.float32)
    i, j = rank(), place()
    value, matches = x[j], 0
    mask = device.ballot_sync(device.FULL_MASK, value < 0.5)
    for turn in range(2):
        if value < 0.5 and turn == 0:
            matches = matches * 3 + (1 if device.match_all_sync(mask, i < 100)[1] else 0)
        for step in range(2):
            tile[i] = value
            device.syncthreads()
            value = tile[(i + step + 1) % size()]
            device.syncthreads()
    out[j] = value + matches


def parted_before_a_vote(x, out):
    """Lanes that do not shuffle come to the vote of all while others shuffle."""
    j = place()
    value = x[j]
    mask = device.ballot_sync(device.FULL_MASK, value < 0.5)
    if value < 0.5:
        value += device.shfl_sync(mask, value, device.ffs(device.int32(mask)) - 1)
    below = device.ballot_sync(device.FULL_MASK, value < 0.75)
    device.syncthreads()
    out[j] = value + device.popc(below)


def two_ways_out_of_a_loop(x, out):
    """All leave by the first, inside of a loop in which lanes part behind it."""
    j = place()
    below, total, turns = x[j] < 0.5, 0, len(x) % 2 + 1
    while turns > 0:
        turns -= 1
        if turns % 2 == 0:
            total += device.syncthreads_count(below)
            break
        out[j] = j + j if (below or below) else (j if below else 2 * j)
    if device.syncthreads_and(below):
        total += 1000
    out[j] = total


LANES = [reverse, tree, sums_over_rows, leavers, sometimes, votes, counted, own_arrays, sorted_own, handed_on, by_rows,
         two_ways_out_of_a_loop]


def result(kernel, block, grid=5):
    threads = grid * int(np.prod(block))
    x = np.random.default_rng(threads).random(threads, np.float32)
    out = np.zeros_like(x)
    within(60, lambda: kernel[grid, block](x, out))
    return out.tobytes()


THREADS = (64, 45, 37, 5)
WAYS = [dict(HETJIT_LANES=lanes, HETJIT_TIER=tier) for lanes in ("8", "16", "32") for tier in ("whole", "warps", "threads")]
WAYS += [dict(HETJIT_LANES=lanes, HETJIT_TIER="blocks") for lanes in ("2", "4")]  # of five blocks, some have no others to be lanes with


def agree(function, ways):
    """In blocks of every shape: the same bits in each of the ways, and whatever the rows of a block are."""
    blocks = [(threads, block) for threads in THREADS for block in blocks_of(threads)]
    kernel = device.kernel(function)
    expected = {threads: result(kernel, threads) for threads in THREADS}
    for way in ways:
        with environment(**way):
            kernel = device.kernel(function)
            for threads, block in blocks:
                assert result(kernel, block) == expected[threads], (way, block)


@pytest.mark.row("HETX-BS-1")
@pytest.mark.parametrize("function", LANES, ids=lambda function: function.__name__)
def test_lanes_and_tiers_do_not_show(function):
    agree(function, [*WAYS, dict(HETJIT_LANES="1")])


def product_of_tiles(a, b, out):
    """Each row of threads reads the same rows of the second tile."""
    left = device.shared_array((16, 32), device.float32)
    right = device.shared_array((32, 32), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y + device.block_dim.y * device.thread_idx.z
    width = device.block_dim.x
    total = 0.0
    for turn in range(3):
        left[y, x] = a[turn, y, x]
        for k in range(y, width, device.block_dim.y * device.block_dim.z):
            right[k, x] = b[turn, k, x]
        device.syncthreads()
        for k in range(5):
            total += left[y, k] * right[k, x] + right[k + 1, width - 1 - x]
        device.syncthreads()
    out[device.block_idx.x, y, x] = total


@pytest.mark.row("HETX-BS-1")
@pytest.mark.parametrize("block", ((16, 16), (16, 6), (16, 3), (16, 3, 3), (20, 4), (32, 5), (8, 7), (64 // 2, 2, 2)))
def test_rows_that_share_what_they_read(block):
    def made():
        numbers = np.random.default_rng(7)
        a, b = numbers.random((3, 16, 32), np.float32), numbers.random((3, 32, 32), np.float32)
        out = np.zeros((2, 16, 32), np.float32)
        within(60, lambda: device.kernel(product_of_tiles)[2, block](a, b, out))
        return out.tobytes()
    with environment(HETJIT_LANES="1"):
        expected = made()
    for lanes in ("8", "16", "32"):
        for tier in ("whole", "warps"):
            with environment(HETJIT_LANES=lanes, HETJIT_TIER=tier):
                assert made() == expected, (lanes, tier)


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("function", (shuffled, parted_between_barriers, parted_before_a_vote), ids=lambda function: function.__name__)
def test_warps_in_every_tier(function):
    agree(function, [dict(HETJIT_TIER=tier) for tier in ("whole", "warps", "threads")])


def test_cores_do_not_show():
    """A grid of one block runs on one core, many blocks on all."""
    block, grid = 64, 40
    x = np.random.default_rng(1).random(block * grid, np.float32)
    together, alone = np.zeros_like(x), np.zeros_like(x)
    kernel = device.kernel(tree)
    kernel[grid, block](x, together)
    for i in range(grid):
        part = slice(i * block, (i + 1) * block)
        kernel[1, block](x[part], alone[part])
    assert together.tobytes() == alone.tobytes()


@device.struct
class Ticket:
    line: device.Atomic(int)
    current: device.Atomic(int)

    @device.func
    def lock(self):
        mine = self.line.add(1)
        while self.current.load() != mine:
            pass

    @device.func
    def unlock(self):
        self.current.add(1)
        self.current.notify_all()


def locked(tickets, count, turns):
    for turn in range(turns):
        tickets[0].lock()
        count[0] += 1
        tickets[0].unlock()


@pytest.mark.differs("many turns of a lock are for the host")
@pytest.mark.row("HET-ATM-6")
def test_the_mutex_holds():
    for threads, turns in ((1, 10_000), (256, 50)):
        tickets, count = np.zeros(1, device.numpy_dtype(Ticket)), np.zeros(1, np.int32)
        within(400, lambda: device.kernel(locked)[8, threads](device.as_array(tickets, Ticket), count, turns))
        assert count[0] == 8 * threads * turns


def flags(out):
    """The first block waits for the last."""
    if device.block_idx.x == 0:
        while device.atomic.load(out, 0) == 0:
            pass
        device.atomic.add(out, 1, 10)
    elif device.block_idx.x == device.grid_dim.x - 1:
        device.atomic.store(out, 0, 1)


def test_a_block_waits_for_one_that_has_not_begun():
    out = np.zeros(2, np.int32)
    within(60, lambda: device.kernel(flags)[1000, 4](out))
    assert out.tolist() == [1, 40]


@pytest.mark.parametrize("name, value, says", [
    ("HETJIT_LANES", "3", "'3'; it must be 1, 2, 4"), ("HETJIT_LANES", "128", "'128'; it must"), ("HETJIT_LANES", "8x", "'8x'; it must"),
    ("HETJIT_TIER", "wraps", "'wraps'; known are blocks, whole, warps and threads"), ("HETJIT_SHOW", "typed,ptx", "known are request, ssa, typed"),
    ("HETJIT_DEBUG", "handles,foo", "'handles,foo'; known are handles and trace")])
def test_nonsense_in_the_environment_is_an_error(name, value, says):
    kernel, x = device.kernel(reverse), np.zeros(8, np.float32)
    with environment(**{name: value}), pytest.raises(ValueError, match=f"{name} is .*{says}"):
        kernel[1, 8](x, x.copy())
    with environment(**{name: ""}):
        kernel[1, 8](x, x.copy())


def deeper(n):
    device.syncthreads()
    return n if n < 1 else 1 + deeper(n - 1)


def in_a_circle(out):
    out[0] = deeper(out[0])


def test_barriers_in_a_circle_of_calls_are_refused():
    with pytest.raises(device.CompileError, match="E0602.*call each other in a circle"):
        device.kernel(in_a_circle)[1, 4](np.zeros(4, np.int32))


def fibonacci(out, n):
    return n if n < 2 else fibonacci(out, n - 1) + fibonacci(out, n - 2) + 0 * device.atomic.add(out, 1, 1)


def counted_calls(out):
    out[0] = fibonacci(out, 6)


def test_atomics_in_a_circle_of_calls():
    out = np.zeros(2, np.int32)
    device.kernel(counted_calls)[1, 1](out)
    assert out.tolist() == [8, 12]
def apart(out):
    if device.thread_idx.x % 2:
        device.syncthreads()
        out[0] = 1
    else:
        device.syncthreads()
        out[1] = 1


def test_a_divergent_barrier_is_an_error_not_a_hang():
    out = np.zeros(2, np.int32)
    with pytest.raises(device.BarrierError, match="wait for each other at different places: line .* and line"):
        within(60, lambda: device.kernel(apart)[2, 8](out))
    within(60, lambda: device.kernel(reverse)[1, 8](np.zeros(8, np.float32), np.zeros(8, np.float32)))  # the process goes on


def barrier_where_data_says(x, y):
    """That all threads come to it, only the data tell."""
    shared = device.shared_array(128, device.float32)
    t = device.thread_idx.x
    shared[t] = x[device.tid(1)]
    half = device.block_dim.x // 2
    while half > 0:
        if x[t] > 0:
            device.syncthreads()
            if t < half:
                shared[t] += shared[t + half]
        half //= 2
    if t == 0:
        y[device.block_idx.x] = shared[0]


def barrier_that_few_come_to(x, y):
    """A mistake: the others are done when these wait. Whatever it gives, it ends."""
    shared = device.shared_array(128, device.float32)
    t = device.thread_idx.x
    shared[t] = x[device.tid(1)]
    half = device.block_dim.x // 2
    while half > 0:
        if t < half:
            device.syncthreads()
            shared[t] += shared[t + half]
        half //= 2
    if t == 0:
        y[device.block_idx.x] = shared[0]


@pytest.mark.parametrize("lanes", ["1", "4", "16"])
@pytest.mark.parametrize("size", [2, 8, 32, 128])
def test_barriers_that_lanes_may_come_to_in_different_turns(size, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", lanes)
    x, y = np.arange(1, 3 * size + 1, dtype=np.float32), np.zeros(3, np.float32)
    device.kernel(barrier_where_data_says)[3, size](x, y)
    assert y.tolist() == x.reshape(3, size).sum(1).tolist()
    device.kernel(barrier_that_few_come_to)[3, size](x, y)
    with pytest.raises(device.BarrierError):
        device.kernel(check="race")(barrier_that_few_come_to)[3, size](x, y)

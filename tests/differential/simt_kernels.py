"""Kernels whose threads share memory, wait for one another, vote, shuffle and change numbers together, with what they must leave.

`CASES`: name -> Case; `rows` are what it proves, `expect` makes the arguments after the launch from those before.
"""

import collections
import math

import numpy as np

from hetjit import device

Case = collections.namedtuple("Case", "kernel grid block shared cooperative arguments expect rows")
CASES = {}
WARP = 32  # lanes of a warp
ALL_LANES = 0xFFFFFFFF
BLOCK = 64


def case(*rows, grid=1, block=BLOCK, shared=0, cooperative=False, arguments, expect):
    """Makes a case of a kernel: `arguments()` are given, `expect(*arguments)` are left."""
    def add(function):
        kernel = device.kernel(function)
        CASES[function.__name__] = Case(kernel, grid, block, shared, cooperative, arguments, expect, rows)
        return kernel
    return add


def integers(n, dtype=np.int32, low=0, high=100):
    return np.random.default_rng(n).integers(low, high, n).astype(dtype)


# ---- memory

@case("HETX-MEM-1", "HETX-BS-1", grid=3, arguments=lambda: (np.zeros(3 * BLOCK, np.int32), integers(3 * BLOCK)),
      expect=lambda out, x: (x.reshape(3, BLOCK)[:, ::-1].ravel(), x))
def reversed_in_blocks(out, x):
    tile = device.shared_array(BLOCK, device.int32)
    i, t = device.tid(1), device.thread_idx.x
    tile[t] = x[i]
    device.syncthreads()
    out[i] = tile[BLOCK - 1 - t]


@case("HETX-MEM-1", grid=(2, 2), block=(8, 8), arguments=lambda: (np.zeros((16, 16), np.float32), np.random.default_rng(1).random((16, 16), np.float32)),
      expect=lambda out, a: (a.T.copy(), a))
def transposed_by_tiles(out, a):
    tile = device.shared_array((8, 9), device.float32, align=64)
    turned = device.shared_array((8, 8), float, order="F")
    thread = device.thread_idx
    x, y = thread.x, thread.y
    i, j = device.block_idx.y * 8, device.block_idx.x * 8
    tile[y, x] = a[i + y, j + x]
    device.syncthreads()
    turned[y, x] = tile[x, y]
    device.syncthreads()
    out[j + y, i + x] = turned[y, x]


@case("HETX-MEM-1", arguments=lambda: (np.zeros(BLOCK, np.int64), integers(BLOCK)),
      expect=lambda out, x: (np.array([sum(int(x[(i * k) % BLOCK]) for k in range(5)) for i in range(BLOCK)]), x))
def local_copies(out, x):
    i = device.tid(1)
    own = device.local_array(5, device.int64)
    for k in range(5):
        own[k] = x[(i * k) % BLOCK]
    total = device.int64(0)
    for k in range(5):
        total += own[4 - k]
    out[i] = total


@case("HETX-MEM-2", grid=2, shared=4 * BLOCK + 4, arguments=lambda: (np.zeros(2 * BLOCK, np.int32), np.zeros(3, np.int64)),
      expect=lambda out, sizes: (np.tile(np.arange(BLOCK, dtype=np.int32)[::-1] * 3 + 5, 2), np.array([4 * BLOCK + 4, BLOCK + 1, (4 * BLOCK + 4) // 8])))
def dynamic_and_static_together(out, sizes):
    static = device.shared_array(BLOCK, device.uint8)
    raw = device.dynamic_shared_array()
    words = device.dynamic_shared_array(device.int32)
    t = device.thread_idx.x
    static[t] = 5
    words[t] = 3 * t
    device.syncthreads()
    out[device.tid(1)] = words[BLOCK - 1 - t] + static[t]
    if device.tid(1) == 0:
        sizes[0], sizes[1], sizes[2] = len(raw), len(words), len(device.dynamic_shared_array(device.float64))


@device.struct
class Pair:
    key: device.int32x2
    weight: float


@case("HETX-MEM-1", arguments=lambda: (np.zeros(BLOCK, np.float32),), expect=lambda out: (np.arange(BLOCK, dtype=np.float32)[::-1] * 2.5,))
def structs_in_shared_memory(out):
    pairs = device.shared_array(BLOCK, Pair)
    t = device.thread_idx.x
    pairs[t] = Pair(device.int32x2(t, 2 * t), 0.5)
    device.syncthreads()
    other = pairs[BLOCK - 1 - t]
    out[t] = other.key.x + other.key.y * other.weight + other.weight * other.key.x


def scratch(value):
    own = device.shared_array(BLOCK, int)
    t = device.thread_idx.x
    own[t] = value
    device.syncthreads()
    total = own[(t + 1) % BLOCK]
    device.syncthreads()
    return total


@case("HETX-MEM-1", arguments=lambda: (np.zeros(BLOCK, np.int32),), expect=lambda out: ((np.arange(BLOCK, dtype=np.int32) + 2) % BLOCK,))
def a_function_called_twice_has_one_array(out):
    t = device.thread_idx.x
    out[t] = scratch(scratch(int(t)))


# ---- blocks

@case("HETX-BS-1", grid=2, arguments=lambda: (np.zeros((2 * BLOCK, 3), np.int32), integers(2 * BLOCK)),
      expect=lambda out, x: (np.repeat([[(b > 50).sum(), (b >= 0).all(), (b == 99).any()] for b in x.reshape(2, BLOCK)], BLOCK, 0).astype(np.int32), x))
def votes_of_a_block(out, x):
    i = device.tid(1)
    out[i, 0] = device.syncthreads_count(x[i] > 50)
    out[i, 1] = device.syncthreads_and(lambda: x[i] >= 0)
    out[i, 2] = device.syncthreads_or(x[i] == 99)


@case("HETX-BS-1", grid=4, block=256, arguments=lambda: (np.zeros(4, np.int64), integers(1024, np.int64)),
      expect=lambda out, x: (x.reshape(4, 256).sum(1), x))
def tree_sum(out, x):
    tile = device.shared_array(256, device.int64)
    t = device.thread_idx.x
    tile[t] = x[device.tid(1)]
    device.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        device.syncthreads()
        step //= 2
    if t == 0:
        out[device.block_idx.x] = tile[0]


@case(grid=4, cooperative=True, arguments=lambda: (np.zeros(4 * BLOCK, np.int32), np.zeros(4 * BLOCK, np.int32)),
      expect=lambda out, x: (np.arange(4 * BLOCK, dtype=np.int32)[::-1] + 1, np.arange(4 * BLOCK, dtype=np.int32) + 1))
def whole_grid(out, x):
    i = device.tid(1)
    x[i] = i + 1
    device.syncgrid()
    out[i] = x[4 * BLOCK - 1 - i]


# ---- warps

def of_warps(function, x):
    """What a function of the lanes of a warp gives, for each warp; a block's last one has those that are left."""
    warps = [block[first:first + WARP] for block in x.reshape(-1, BLOCK) for first in range(0, BLOCK, WARP)]
    return np.concatenate([np.asarray(function(warp)) for warp in warps])


def lane(warp, which, own):
    """What lane `own` reads of another one: its own where there is none."""
    return warp[which] if 0 <= which < len(warp) else warp[own]


def all_of(warp):
    """The mask of its lanes."""
    return (1 << len(warp)) - 1


def low(mask):
    """What an int32 holds of a mask."""
    return mask & 0xFFFFFFFF


def next_lanes(warp):
    return np.array([lane(warp, (own + 1) % WARP, own) for own in range(len(warp))])


def sum_of_lanes(warp):
    for step in [step for step in (32, 16, 8, 4, 2, 1) if step < WARP]:
        warp = warp + np.array([lane(warp, own + step, own) for own in range(len(warp))])
    return warp[:1]


@case("HETX-WS-2", arguments=lambda: (np.zeros((BLOCK, 4), np.int32), integers(BLOCK)),
      expect=lambda out, x: (of_warps(lambda w: [[lane(w, k, i) for k in (5, i - 3, i + 4, i ^ 8)] for i in range(len(w))], x).astype(np.int32), x))
def shuffles(out, x):
    i = device.tid(1)
    if device.warp_size == WARP:
        out[i, 0] = device.shfl_sync(device.FULL_MASK, x[i], 5)
        out[i, 1] = device.shfl_up_sync(device.FULL_MASK, x[i], 3)
        out[i, 2] = device.shfl_down_sync(device.FULL_MASK, x[i], 4)
        out[i, 3] = device.shfl_xor_sync(device.FULL_MASK, x[i], 8)


@case("HETX-WS-2", arguments=lambda: (np.zeros(BLOCK, np.complex128), np.zeros(BLOCK, np.float64), np.zeros(BLOCK, np.int8)),
      expect=lambda z, f, b: (of_warps(lambda w: next_lanes(w + 1j * w), np.arange(BLOCK)), of_warps(lambda w: next_lanes(w / 2 + w), np.arange(BLOCK)),
                              of_warps(next_lanes, np.arange(BLOCK)).astype(np.int8)))
def shuffles_of_large_values(z, f, b):
    i = device.tid(1)
    to = (device.lane_id + 1) % WARP
    z[i] = device.shfl_sync(-1, device.complex128(i, i), to)
    pair = device.shfl_sync(-1, Pair(device.int32x2(0, i), i / 2), to)
    f[i] = pair.weight + pair.key.y
    _, small, none = device.shfl_sync(-1, (device.float16(i), device.int8(i), None), to)
    b[i] = small if none is None else 0


@case("HETX-WS-1", "HETX-WS-2", arguments=lambda: (np.zeros((BLOCK, 6), np.int32), integers(BLOCK)),
      expect=lambda out, x: (of_warps(lambda w: [[(w >= 0).all(), (w == 7).any(), len(w) <= 5, bin(sum(int(w[k] & 1) << k for k in range(i))).count("1"),
                                                   len(w) > 3 and w[3] & 1, i == 3] for i in range(len(w))], x).astype(np.int32), x))
def votes_of_a_warp(out, x):
    i = device.tid(1)
    out[i, 0] = device.all_sync(device.FULL_MASK, x[i] >= 0)
    out[i, 1] = device.any_sync(ALL_LANES, lambda: x[i] == 7)
    out[i, 2] = device.eq_sync(device.FULL_MASK, device.lane_id > 4)
    odd = device.ballot_sync(device.FULL_MASK, x[i] & 1)
    out[i, 3] = device.popc(odd & device.lanemask_lt())
    out[i, 4] = odd[3]
    mine = device.WarpMask(0)
    mine[device.lane_id] = True
    out[i, 5] = mine[3]


@case("HETX-WS-2", arguments=lambda: (np.zeros((BLOCK, 3), np.int32), integers(BLOCK, high=4)),
      expect=lambda out, x: (of_warps(lambda w: [[low(sum(1 << k for k in range(len(w)) if w[k] == w[i])), (len(set(w)) == 1) * low(all_of(w)), low(all_of(w))] for i in range(len(w))], x).astype(np.uint32).astype(np.int32), x))
def matches(out, x):
    i = device.tid(1)
    out[i, 0] = device.match_any_sync(device.FULL_MASK, (x[i], float(x[i])))
    some, same = device.match_all_sync(device.FULL_MASK, device.int8(x[i]))
    out[i, 1] = some if same else 0
    every, _ = device.match_all_sync(device.FULL_MASK, device.float64(device.thread_idx.x // WARP))
    out[i, 2] = every


@case("HETX-WS-2", grid=2, arguments=lambda: (np.zeros((2, -(-BLOCK // WARP)), np.float32), integers(2 * BLOCK).astype(np.float32)),
      expect=lambda out, x: (of_warps(sum_of_lanes, x).reshape(2, -1), x))
def warp_sums(out, x):
    value = x[device.tid(1)]
    step = WARP // 2
    while step:
        value += device.shfl_down_sync(device.FULL_MASK, value, step)
        step //= 2
    if device.lane_id == 0:
        out[device.block_idx.x, device.thread_idx.x // WARP] = value


@case("HETX-WS-2", arguments=lambda: (np.zeros(BLOCK, np.int32), integers(BLOCK)),
      expect=lambda out, x: (np.where(x > 50, of_warps(lambda w: np.full(len(w), (w > 50).sum()), x), 0).astype(np.int32), x))
def where_lanes_part(out, x):
    i = device.tid(1)
    device.syncwarp()
    mask = device.ballot_sync(device.FULL_MASK, x[i] > 50)
    if x[i] > 50:
        device.syncwarp(mask)
        here = device.ballot_sync(mask, True)
        out[i] = device.popc(here) if device.popc(device.activemask()) >= 1 else -1


# ---- atomics

@case("HETX-AT-2", grid=4, arguments=lambda: (np.zeros(16, np.int32), integers(4 * BLOCK, high=16)),
      expect=lambda out, x: (np.bincount(x, minlength=16).astype(np.int32), x))
def histogram(out, x):
    counts = device.shared_array(16, device.Atomic(int))
    t = device.thread_idx.x
    if t < 16:
        counts[t].store(0)
    device.syncthreads()
    counts[x[device.tid(1)]].add(1, memory="relaxed", scope="block")
    device.syncthreads()
    if t < 16:
        device.atomic.add(out, t, counts[t].load(), scope="device")


@case("HETX-AT-2", "HET-ATM-2", grid=2, arguments=lambda: (np.zeros(1, np.int32), np.zeros(2 * BLOCK, np.int32)),
      expect=lambda total, seen: (np.array([2 * BLOCK], np.int32), np.ones(2 * BLOCK, np.int32)))
def tickets(total, seen):
    device.atomic.add(seen, device.atomic.add(total, 0, 1), 1)


@case("HETX-AT-2", grid=2, arguments=lambda: (np.array([0, 0, -1, 0, 0, 500, -500], np.int64), integers(2 * BLOCK, np.int64)),
      expect=lambda out, x: (np.array([x.sum(), -x.sum(), np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x), x.min(), x.max()]), x))
def integer_operations(out, x):
    value = x[device.tid(1)]
    device.AtomicRef(out, 0).add(value)
    device.AtomicRef(out, 1).sub(value)
    device.AtomicRef(out, 2).and_(value)
    device.AtomicRef(out, 3).or_(value)
    device.AtomicRef(out, 4).xor(value)
    device.AtomicRef(out, 5).min(value)
    device.AtomicRef(out, 6).nanmax(value)


@case("HETX-AT-2", arguments=lambda: (np.array([0, 9, 9, 9, 9], np.float32), integers(BLOCK, high=9).astype(np.float32)),
      expect=lambda out, x: (np.array([x.sum(), np.nan, np.nan, 9, x[:-1].min()], np.float32), x))
def float_operations(out, x):
    i = device.tid(1)
    value = math.nan if i == BLOCK - 1 else x[i]
    device.AtomicRef(out, 0).add(x[i])
    device.AtomicRef(out, 1).max(value)
    device.AtomicRef(out, 2).min(value)
    device.AtomicRef(out, 3).nanmax(value)
    device.AtomicRef(out, 4).nanmin(value)


@case("HETX-AT-2", arguments=lambda: (np.zeros(4, np.uint8), np.zeros(4, np.int16), np.zeros(2, np.float16)),
      expect=lambda b, h, f: (np.array([BLOCK, 0, 0, BLOCK * 3 % 256], np.uint8), np.array([0, -BLOCK, BLOCK - 1, 0], np.int16), np.array([0, BLOCK], np.float16)))
def small_formats(b, h, f):
    i = device.tid(1)
    device.atomic.add(b, 0, 1)
    device.atomic.sub(b, 3, 253)
    device.atomic.sub(h, 1, 1)
    device.atomic.max(h, 2, i)
    device.atomic.add(f, 1, 1)


@case("HETX-AT-2", arguments=lambda: (np.zeros(3, np.int64), np.zeros(2, np.complex64)),
      expect=lambda out, z: (np.array([BLOCK, BLOCK * (BLOCK - 1) // 2, 5]), np.array([3 + 4j, 0], np.complex64)))
def exchanges(out, z):
    i = device.tid(1)
    count = device.AtomicRef(out, 0)
    old = count.load("relaxed")
    while True:
        seen = count.cas(old, old + 1)
        if seen == old:
            break
        old = seen
    device.atomic.add(out, 1, device.int64(old))
    device.atomic.cas(out, 2, 0, 5)
    device.atomic.cas(out, 2, 0, 6)
    device.atomic.exch(z, 0, 3 + 4j)
    device.atomic.cas(z, 1, 1, 1j)


@case("HETX-AT-1", arguments=lambda: (np.zeros(2, np.complex128), np.zeros(2, np.bool_)),
      expect=lambda z, flags: (np.array([1 + 2j, 1 + 2j]), np.array([True, True])))
def sixteen_bytes(z, flags):
    if device.tid(1) == 0:
        if device.target(device.is_amd):  # which has no such instructions
            z[0] = z[1] = 1 + 2j
        else:
            device.atomic.store(z, 0, 1 + 2j)
            z[1] = device.atomic.load(z, 0)
        flags[0] = not device.atomic.exch(flags, 1, True)


@case("HETX-AT-4", "HETX-ORD-1", "HETX-SCO-1", arguments=lambda: (np.zeros(1, np.int32), np.zeros(BLOCK, np.int32)),
      expect=lambda out, own: (np.full(1, 18 * BLOCK, np.int32), np.full(BLOCK, 6, np.int32)))
def orders_and_scopes(out, own):
    ref, mine = device.AtomicRef(out, 0), device.AtomicRef(own, device.thread_idx.x)  # scope "thread": nobody else's
    ref.add(1, "relaxed", "system")
    ref.add(1, "consume", "system")
    ref.add(1, "acquire", "system")
    ref.add(1, "release", "system")
    ref.add(1, "acq_rel", "system")
    ref.add(1, "seq_cst", "system")
    ref.add(1, "relaxed", "device")
    ref.add(1, "consume", "device")
    ref.add(1, "acquire", "device")
    ref.add(1, "release", "device")
    ref.add(1, "acq_rel", "device")
    ref.add(1, "seq_cst", "device")
    ref.add(1, "relaxed", "block")
    ref.add(1, "consume", "block")
    ref.add(1, "acquire", "block")
    ref.add(1, "release", "block")
    ref.add(1, "acq_rel", "block")
    ref.add(1, "seq_cst", "block")
    mine.add(1, "relaxed", "thread")
    mine.add(1, "consume", "thread")
    mine.add(1, "acquire", "thread")
    mine.add(1, "release", "thread")
    mine.add(1, "acq_rel", "thread")
    mine.add(1, "seq_cst", "thread")
    device.threadfence()
    device.threadfence("acquire", "device")
    device.threadfence("release", "block")
    device.threadfence("acq_rel", "thread")
    device.threadfence("consume")
    device.threadfence("relaxed")


# ---- locks and waiting

@device.struct
class ticket_mutex:
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)

    @device.func
    def lock(self):
        my = self.line.add(1)
        while True:
            now = self.current.load()
            if now == my:
                break
            self.current.wait(now)

    @device.func
    def unlock(self):
        self.current.add(1)
        self.current.notify_all()


@device.struct
class Account:
    mutex: ticket_mutex
    total: int
    name: device.float32x2


def mutexes(n, of=ticket_mutex):
    return np.zeros(n, device.numpy_dtype(of))


@case("HET-ATM-1", "HET-ATM-6", "HET-STR-12", grid=64, block=1, arguments=lambda: (mutexes(2), np.zeros(1, np.int32)),
      expect=lambda locks, count: (None, np.array([64 * 10], np.int32)))
def one_thread_per_block_locks(locks, count):
    for _ in range(10):
        locks[1].lock()
        count[0] += 1
        locks[1].unlock()


@case("HET-ATM-6", grid=2, block=32, arguments=lambda: (mutexes(1, Account), ), expect=lambda accounts: (None,))
def all_threads_lock(accounts):
    account = accounts[0]
    for _ in range(4):
        account.mutex.lock()
        account.total = account.total + 1
        account.mutex.unlock()


@device.struct
class Slot:
    mutex: ticket_mutex
    hits: device.Atomic(device.int64)
    total: device.float64

    def counted(self, by):
        self.hits.add(by)
        return self.total

    @property
    def doubled(self):
        return self.hits.load() * 2


def add_to(counter, value):
    return counter.add(value)


@case("HET-ATM-3", "HET-ATM-8", "HETX-AT-1", "HET-STR-12", arguments=lambda: (mutexes(4, Slot), np.zeros(6, np.int64)),
      expect=lambda slots, out: (None, np.array([len(range(1, BLOCK, 4)) * 3 + 1000, (len(range(3, BLOCK, 4)) * 3 + 1000) * 2, 6, 1, 1, 32])))
def references(slots, out):
    i = device.tid(1)
    slot = slots[i % 4] if i >= 0 else slots[0]
    slot.counted(2)
    add_to(slot.hits, 1)
    device.AtomicRef(slots["hits"], i % 4).add(device.int64(0))
    device.syncthreads()
    if i == 0:
        for each in slots:
            each.hits.add(1000)
            each.total = 1.5
        slots[2].total += 0.25
        slots[2]["total"] += 0.25
        out[0] = slots[1].hits.load()
        out[1] = slots[3].doubled
        total = 0.0
        for k in range(len(slots)):
            total += slots[k].total
        out[2] = int(total)
        out[3] = slots[0].hits.dtype == device.int64
        flags = device.shared_array((2, 2), device.Atomic(bool))
        flags[1, 0].store(True)
        out[4] = flags[1][0].load() and flags.reshape(-1)[2].exch(False)
        out[5] = slots[-1]["mutex"][1].load() + 32


@case("HET-ATM-4", "HET-ATM-5", "HETX-AT-3", grid=2, block=1, arguments=lambda: (np.zeros(2, np.int32),), expect=lambda flags: (np.array([1, 7], np.int32),))
def one_waits_for_the_other(flags):
    if device.block_idx.x == 0:
        device.AtomicRef(flags, 0).wait(0)
        flags[1] = 7
    else:
        device.AtomicRef(flags, 0).store(1)
        device.atomic.notify_all(flags, 0)
        device.atomic.notify_one(flags, 0)

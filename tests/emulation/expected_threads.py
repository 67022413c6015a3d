"""What the programs of threads.cu must leave: each thread in turn, in plain Python."""

import numpy as np

from program import program

I32, U32, F64 = np.int32, np.uint32, np.float64
N = 192


def small(low=0, high=1000, count=N, dtype=I32, seed=5):
    return [lambda: np.random.default_rng(seed).integers(low, high, count).astype(dtype)]


def threads(out, low=0, high=1000, count=N, **options):
    return program("threads", small(low, high, count), out=out, **options)


def listed(function, a):
    return [function(i, int(x)) for i, x in enumerate(a)]


@threads(I32, low=1)
def collatz(a):
    def steps(i, x):
        count = 0
        while x != 1:
            x, count = 3 * x + 1 if x % 2 else x // 2, count + 1
        return count
    return listed(steps, a)


@threads(I32)
def switched(a):
    ways = {0: lambda x: x * 3, 1: lambda x: x ^ 99, 2: lambda x: x ^ 99, 3: lambda x: 1000, 4: lambda x: x // 3, 6: lambda x: -x}
    return listed(lambda i, x: ways.get(x & 7, lambda x: 5)(x), a)


@threads(I32)
def nested(a):
    def one(i, x):
        total = 0
        for j in range(x & 15):
            if j == x >> 4 & 15:
                break
            for k in range(j, 12):
                if (k ^ x) & 1:
                    continue
                if k * j > 50:
                    return total
                total += k * j + 1
        return total
    return listed(one, a)


@program("threads", [], out=I32, size=2 * 3 * 2 * 4 * 3 * 2, count=2 * 3 * 2 * 4 * 3 * 2, grid=(2, 3, 2), block=(4, 3, 2))
def indices():
    z, y, x = np.indices((4, 9, 8)).reshape(3, -1)
    return x + 100 * y + 10000 * z + 1000000 * (x % 4 + 4 * (y % 3 + 3 * (z % 2)))


@threads(I32)
def recursion(a):
    return listed(lambda i, x: [0, 1, 1, 2, 3, 5, 8, 13][x & 7], a)


@threads(I32)
def each_other(a):
    return listed(lambda i, x: ((x & 15) % 2 == 0) + 2 * ((x & 7) % 2), a)


@threads(F64, high=40)
def structures(a):
    def one(i, x):
        c, d, s, v = x, x * 0.5, x * 3, [x, x + 1, x + 2]
        for by in (5, i):
            c, d, s, v = c + 1, d * 2, -s, [v[1], v[2], v[0] + by]
        return c + d * 10 + s * 100 + v[0] * 7 + v[1] * 11 + v[2] * 13
    return listed(one, a)


@threads(I32)
def pointers(a):
    return listed(lambda i, x: [x + 100, x - 100, 3 * x][x % 3], a)


@threads(F64)
def virtual_functions(a):
    return listed(lambda i, x: x * x if x & 1 else 3 * i * i, a)


@threads(I32)
def printing(a):
    return np.arange(N)


@threads(F64)
def initialised(a):
    table = [3, 1, 4, 1, 5, 9, 2, 6]
    return listed(lambda i, x: table[x & 7] * [0.5, -2][i & 1] + table[i & 7], a)


@threads(I32)
def own_arrays(a):
    def one(i, x):
        local = [x * j for j in range(16)]
        for j in range(16):
            local[(j * 7 + x) & 15] ^= j
        return local[x & 15] + local[i & 15]
    return listed(one, a)


@program("threads", [lambda: np.random.default_rng(1).random(4 * N).astype(np.float32)], out=np.float32, size=2 * N, count=N)
def vectors(a):
    x, y, z, w = a.reshape(-1, 4).T
    return np.stack([x + y, z * w], axis=1).reshape(-1)


@program("threads", [lambda: np.random.default_rng(1).integers(0, 256, 4 * N).astype(np.uint8)], out=np.uint8, count=N)
def bytes(a):
    x, y, z, w = a.reshape(-1, 4).T
    return np.stack([w, z, y + np.uint8(1), x], axis=1).reshape(-1)


@threads(I32)
def generic_pointers(a):
    return listed(lambda i, x: [[x + 1, i][i & 1], x * 2, x][i % 3], a)


@threads(I32, shared=4 * 64)
def reversed_in_block(a):
    return a.reshape(-1, 64)[:, ::-1].reshape(-1)


@threads(I32, size=3)
def block_sums(a):
    return a.reshape(-1, 64).sum(axis=1)


@threads(I32)
def counted_at_barriers(a):
    rows = a.reshape(-1, 64)
    results = (rows & 1).sum(axis=1) + 1000 + 2000 * (rows == 77).any(axis=1)
    return np.repeat(results, 64)


@threads(I32)
def named_barriers(a):
    rows = a.reshape(-1, 2, 32)
    return np.stack([rows[:, 0], rows[:, 0] + 1], axis=1).reshape(-1)


# ---- warps

def by_warp(function):
    return lambda a: np.concatenate([function(a[k:k + 32].astype(np.int64)) for k in range(0, a.size, 32)])


@threads(I32)
def shuffled(a):
    def one(x):
        lane = np.arange(32)
        up = np.where(lane % 16 >= 3, x[lane - 3], x)
        down = np.where(lane < 30, x[np.minimum(lane + 2, 31)], x)
        return x[lane ^ 5] + 3 * up + 5 * down
    tail = np.concatenate([7 * a[k + (np.arange(32) // 8 * 8) + (np.arange(k, k + 32) * 3) % 8] for k in range(0, a.size, 32)])
    return by_warp(one)(a) + tail


@threads(U32)
def voted(a):
    def one(x):
        ballot = int(((x & 1) << np.arange(32)).sum())
        return np.full(32, ballot + int((x == 5).any()) + 2)
    return by_warp(one)(a).astype(np.uint64).astype(U32)


@threads(U32, high=4000)
def matched(a):
    def one(x):
        lane = np.arange(32)
        same = ((x & 3)[:, None] == (x & 3)[None, :])
        bits = (same.astype(np.int64) << lane).sum(axis=1)
        every = len(set((x >> 10).tolist())) == 1
        return bits ^ (0xFFFFFFFF + 1 if every else 0)
    return by_warp(one)(a).astype(np.uint64).astype(U32)


@threads(U32)
def reduced(a):
    return by_warp(lambda x: np.full(32, int(x.sum()) ^ int(x.min()) ^ int(np.bitwise_or.reduce(x))))(a)


@threads(U32)
def active_in_branch(a):
    return by_warp(lambda x: np.where(x & 1, int(((x & 1) << np.arange(32)).sum()), 0))(a).astype(np.uint64).astype(U32)


@threads(I32)
def parts_of_a_warp(a):
    def one(x):
        lane = np.arange(32)
        low = x[np.where(lane < 15, lane + 1, lane)]
        high = 2 * x[lane ^ 1]
        found = np.where(lane < 16, low, high)
        return found + int((found & 1).sum())
    return by_warp(one)(a)


# ---- atomics

@threads(I32, size=8)
def histogram(a):
    return np.bincount(a & 7, minlength=8)


@threads(I32, size=8)
def shared_histogram(a):
    return 2 * np.bincount(a & 7, minlength=8)


@threads(I32, size=N + 1)
def tickets(a):
    return [N] + [1] * N


@threads(I32, low=-500, size=8, start=np.array([100, -100, -1, 0, 0, 0, 0, 0], I32))
def kinds_of_atomics(a):
    down = 0
    for _ in a:
        down = 9 if down == 0 else down - 1
    return [min(100, a.min()), max(-100, a.max()), np.bitwise_and.reduce(a), np.bitwise_or.reduce(a),
            np.bitwise_xor.reduce(a), len(a) % 7, down, a.view(U32).max().astype(np.int64).astype(U32).view(I32)]


def a_chain(got, want):
    """Everyone found what another left: all values but one, each once."""
    assert sorted(got.tolist()) == sorted(want.tolist())


@threads(I32, size=N + 1, compare=a_chain)
def exchanged(a):
    return np.arange(N + 1)


@threads(np.uint64, size=1, start=np.array([1], np.uint64))
def product_by_cas(a):
    total = 1
    for x in a.tolist():
        total = total * (2 * x + 1) % 2**64
    return np.array([total], np.uint64)


@threads(np.float32, size=2)
def float_sum(a):
    return [(a[0::2] & 255).sum(), (a[1::2] & 255).sum()]


@threads(F64, size=1)
def double_sum(a):
    return [a.sum() * 0.5]


@threads(I32, size=2)
def locked(a):
    return [0, (a & 3).sum()]


def written_and_read(got, want):
    assert (got[:33] == want[:33]).all() and (got[64:96] == want[64:96]).all()


@threads(I32, size=96, block=32, compare=written_and_read)
def message(a):
    return np.concatenate([[160], a[:32], np.zeros(31), a[:32]])

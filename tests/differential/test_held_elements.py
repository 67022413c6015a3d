"""Elements that loops add to where they lie, `c[i, j] += …`: the same as NumPy, as one thread after another, and as a loop that carries a number;
also where loops have no turns, where arrays share memory, and where indices count from the end."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

HELD = "shares no memory with another array"
TYPES = ["int8", "uint16", "int32", "uint64", "float16", "float32", "float64"]


@pytest.fixture(params=(None, 1, 4, 16, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))
    return request.param


def numbers(shape, dtype, most=5):
    return np.random.default_rng(int(np.prod(shape)) + 3).integers(0, most, shape).astype(dtype)


@device.kernel
def product(a, b, c, n):
    j, i = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        for k in range(n):
            c[i, j] += a[i, k] * b[k, j]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_products(lanes, dtype, n):
    rows, columns = 13, 37
    a, b, c = numbers((rows, max(n, 1)), dtype, 3)[:, :n].copy(), numbers((max(n, 1), columns), dtype, 3)[:n], numbers((rows, columns), dtype)
    wanted = c + (a.astype(np.float64) @ b.astype(np.float64)).astype(dtype)
    out = c.copy()
    product[(3, 2), (16, 8)](a, b, out, n)
    assert np.array_equal(out, wanted)
    if lanes not in (1,):
        assert HELD in str(product.explain(a, b, out, n))


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 7])
def test_flat_products(lanes, dtype, n):
    rows, columns = 13, 37
    a, b, c = numbers(rows * n + 1, dtype, 3), numbers(n * columns + 1, dtype, 3), numbers(rows * columns, dtype)
    wanted = 2 * c + (a[:rows * n].reshape(rows, n) @ b[:n * columns].reshape(n, columns)).astype(dtype).ravel()
    out = c.copy()

    @device.kernel
    def twice(a, b, c, n, rows, columns, two):
        j, i = device.tid(2)
        if i < rows and j < columns:
            c[i * columns + j] *= two
            k = 0
            while k < n:
                c[i * columns + j] = c[i * columns + j] + a[i * n + k] * b[k * columns + j]
                k += 1
    twice[(3, 2), (16, 8)](a, b, out, n, rows, columns, np.dtype(dtype).type(2))
    assert np.array_equal(out, wanted)


def test_shared_memory(lanes):
    """Each turn reads what the one before it wrote, by another array."""
    @device.kernel
    def doubled(c, a, turns):
        i = device.tid(1)
        if i < len(c):
            for k in range(turns):
                c[i] += a[i, 0]

    for apart in (False, True):
        c = numbers(100, np.int32) + 1
        a = c.copy().reshape(100, 1) if apart else c.reshape(100, 1)
        before = c.copy()
        doubled[2, 64](c, a, 3)
        assert np.array_equal(c, before * 4 if apart else before * 8)
    part = np.arange(1, 101, dtype=np.int32)  # partly the same memory
    doubled[1, 50](part[:50], part[25:75].reshape(50, 1)[:25], 0)
    assert np.array_equal(part, np.arange(1, 101))


def test_no_turns_touch_nothing(lanes):
    """No element is read that is not there, and none is written that another thread may write."""
    @device.kernel
    def some(c, counts, a, places):
        i = device.tid(1)
        if i < len(counts):
            p = places[i]
            for k in range(counts[i]):
                c[p] += a[k]
            if counts[i] == 0:
                c[i] = -1

    n = 200
    counts = np.where(np.arange(n) % 3 == 0, 0, np.arange(n) % 5 + 1).astype(np.int32)
    places = np.where(counts > 0, np.arange(n), 2**30).astype(np.int32)  # far outside where nothing is added
    a, c = numbers(9, np.int32) + 1, np.zeros(n, np.int32)
    some[4, 64](c, counts, a, places)
    assert np.array_equal(c, np.where(counts > 0, np.cumsum(np.append(0, a))[counts], -1))
    # All lanes of a vector have none, and point at what others write.
    places[:] = np.where(counts > 0, np.arange(n), (np.arange(n) + 1) % n)
    c[:] = 0
    some[4, 64](c, counts, a, places)
    assert np.array_equal(c, np.where(counts > 0, np.cumsum(np.append(0, a))[counts], -1))


def test_from_the_end_and_several(lanes):
    @device.kernel
    def both(c, d, a, n, less):
        i = device.tid(1)
        if i < len(c):
            for k in range(n):
                c[i - less] += a[k]
                d[i] -= a[k] * 2
                d[i] -= 1

    for less in (0, 7, 100):
        c, d, a = np.zeros(100, np.int32), np.zeros(100, np.float32), numbers(11, np.int32)
        both[2, 64](c, d, a, 11, less)
        assert (c == a.sum()).all() and (d == -2 * a.sum() - 11).all()


def test_what_may_not_be_carried(lanes):
    """Elements of other places of the same array, stores of some turns alone, loops that are left, inner loops, what is read behind the store."""
    @device.kernel
    def kernel(c, d, e, f, g, a, n):
        i = device.tid(1)
        if i < 50:
            for k in range(n):
                c[i] += a[k] + c[i + 50]
            for k in range(n):
                if a[k] > 2:
                    d[i] += a[k]
            for k in range(n):
                e[i] += a[k]
                if e[i] > 10 + i:
                    break
            for k in range(n):
                for l in range(k):
                    f[i] += a[l]
                f[i] += 1
            for k in range(n):
                g[i] = g[i] + 1
                a[n + i] += g[i]

    n = 9
    a = np.zeros(n + 50, np.int32)
    a[:n] = [3, 1, 4, 1, 5, 2, 6, 5, 3]
    c, d, e, f, g = np.arange(100, dtype=np.int32), *(np.zeros(50, np.int32) for _ in range(4))
    kernel[1, 64](c, d, e, f, g, a, n)
    i = np.arange(50)
    sums = np.cumsum(a[:n])
    assert (c[:50] == i + sums[-1] + n * (i + 50)).all() and (d == a[:n][a[:n] > 2].sum()).all()
    assert (e == [next((s for s in sums if s > 10 + one), sums[-1]) for one in i]).all()
    assert (f == sum(a[:k].sum() + 1 for k in range(n))).all()
    assert (g == n).all() and (a[n:] == n * (n + 1) // 2).all()

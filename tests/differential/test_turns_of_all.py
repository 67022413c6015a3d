"""Loops over memory whose turns threads share out: the warps of a block go through the turns that all its threads have in step, where the way is
long; in kernels without barriers, where the arrays are larger than caches, too. Each thread's sum is the same, bit by bit, as of one thread after
another."""

import functools
import linecache
import os

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

FAR = 1 << 20  # elements: kFewestSwept of compiler/host/facts/costs.h
LARGE = 8 << 20  # bytes: kFewestSweptBytes
IN_STEP = {"barrier": "its warps go through a loop over memory turn by turn",
           "none": "with more elements of x than caches hold, the warps of a block go through a loop over memory turn by turn"}
LAUNCHES = [(1, 1), (1, 7), (1, 256), (3, 100), (40, 64), (7, 16), (2, (16, 2)), (2, (8, 4, 2)), ((3, 2), 32), (60, 1024)]
FEW_THREADS = [(1, 7), (1, 256), (3, 100), (2, (16, 2)), (2, (8, 4, 2))]  # that may go through all of it

KERNELS = {"barrier": """
@device.kernel
def sums(x, out, n):
    shared = device.shared_array(1024, x.dtype)
    t = device.thread_idx.x
    thread = t + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z)
    block = device.block_idx.x + device.grid_dim.x * device.block_idx.y
    size = device.block_dim.x * device.block_dim.y * device.block_dim.z
    acc = x.dtype(0)
{loop}
    shared[thread] = acc
    device.syncthreads()
    out[block, thread] = shared[size - 1 - thread] + acc
""", "none": """
@device.kernel
def sums(x, out, n):
    t = device.thread_idx.x
    thread = t + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z)
    block = device.block_idx.x + device.grid_dim.x * device.block_idx.y
    acc = x.dtype(0)
{loop}
    out[block, thread] = acc
"""}
WAITS = pytest.mark.parametrize("waits", KERNELS)

LOOPS = {
    "range": "for i in range(device.tid(1), n, device.grid_size(1)):\n    acc += x[i]",
    "while": "i = device.tid(1)\nwhile i < n:\n    acc += x[i]\n    i += device.grid_size(1)",
    "while of a length": "i = device.tid(1)\nwhile i < x.shape[0]:\n    acc += x[i]\n    i = i + device.grid_size(1)",
    "at most": "i = device.tid(1)\nwhile i <= n - 1:\n    acc += x[i]\n    i += device.grid_size(1)",
    "the other way round": "i = device.tid(1)\nwhile n > i:\n    acc = acc + x[i]\n    i = device.grid_size(1) + i",
    "places": "i = device.block_idx.x * device.block_dim.x + device.thread_idx.x\nwhile i < device.uint32(n):\n    acc += x[i]\n"
              "    i += device.grid_dim.x * device.block_dim.x",
    "by its block": "for i in range(t, n, device.block_dim.x):\n    acc += x[i]",
    "by a number": "for i in range(t, n, 2048):\n    acc += x[i]",
    "by a signed number": "for i in range(int(t), n, 256):\n    acc += x[i]",
    "by an odd number": "for i in range(int(device.thread_idx.x), x.shape[0], 1000):\n    acc += x[i]",
    "by the threads that there are": "first = int(t)\nfor i in range(first, n, int(device.block_dim.x)):\n    acc += x[i]",
    "in a function": "for i in range(device.tid(1), n, device.grid_size(1)):\n    acc += squared(x, i)",
}
# What changes the way, or is none; each thread's sum is what it is.
OTHERS = {
    "wide": "i = device.int64(device.tid(1))\nwhile i < device.int64(n):\n    acc += x[i]\n    i += device.int64(device.grid_size(1))",
    "some of it": "for i in range(device.tid(1), n, device.grid_size(1)):\n    if x[i] > x.dtype(3):\n        acc += x[i]",
    "continue": "for i in range(device.tid(1), n, device.grid_size(1)):\n    if i % 3 == 0:\n        continue\n    acc += x[i]",
    "break": "for i in range(device.tid(1), n, device.grid_size(1)):\n    if i > 1_050_000:\n        break\n    acc += x[i]",
    "twice": "for i in range(device.tid(1), n, device.grid_size(1)):\n    acc += x[i]\nfor i in range(device.tid(1), n, device.grid_size(1)):\n"
             "    acc = max(acc, x[i])",
    "rounds": "for k in range(3):\n    for i in range(device.tid(1), n, device.grid_size(1)):\n        acc += x[i]",
    "used behind it": "i = device.tid(1)\nwhile i < n:\n    acc += x[i]\n    i += device.grid_size(1)\nacc += x.dtype(i % 1000)",
    "of half the threads": "if t % 2 == 0:\n    for i in range(device.tid(1), n, device.grid_size(1)):\n        acc += x[i]",
    "from further on": "for i in range(device.tid(1) + 5, n, device.grid_size(1)):\n    acc += x[i]",
    "backwards": "for i in range(n - 1 - device.tid(1), -1, -device.grid_size(1)):\n    acc += x[i]",
    "an end that comes nearer": "m = n\ni = device.tid(1)\nwhile i < m:\n    acc += x[i]\n    i += device.grid_size(1)\n    m -= 3",
    "an end of its own": "for i in range(device.tid(1), n - device.thread_idx.x * 7, device.grid_size(1)):\n    acc += x[i]",
    "along y": "for i in range(device.thread_idx.y, n, device.block_dim.y):\n    acc += x[i]",
    "asked in memory": "i = device.tid(1)\nwhile i < n and x[i] < x.dtype(1000):\n    acc += x[i]\n    i += device.grid_size(1)",
    "much of it": "for i in range(device.tid(1), n, device.grid_size(1)):\n    v = x[i]\n    for _ in range(3):\n        v = v * v + x[i]\n    acc += v",
}


@device.func
def squared(x, i):
    return x[i] * x[i]


def made(loop, waits="barrier"):
    return compiled(loop, waits, os.environ.get("HETJIT_LANES"))


@functools.cache
def compiled(loop, waits, lanes):
    text = KERNELS[waits].format(loop="\n".join("    " + line for line in loop.split("\n")))
    name = f"<turns {lanes} {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"device": device, "squared": squared}
    exec(compile(text, name, "exec"), scope)
    return scope["sums"]


def launched(loop, waits, x, n, grid, block):
    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    out = np.zeros((blocks, threads), x.dtype)
    made(loop, waits)[grid, block](x, out, n)
    return out


def one_after_another(monkeypatch, *arguments):
    with monkeypatch.context() as patch:
        patch.setenv("HETJIT_LANES", "1")
        return launched(*arguments)


def numbers(dtype, size):
    random = np.random.default_rng(size)
    return random.integers(0, 9, size).astype(dtype) + random.random(size).astype(dtype)


def check(monkeypatch, loop, waits, x, launches):
    for grid, block in launches:
        got = launched(loop, waits, x, len(x), grid, block)
        assert np.array_equal(got, one_after_another(monkeypatch, loop, waits, x, len(x), grid, block)), (grid, block)


def long_numbers(dtype, waits):
    return numbers(dtype, max(FAR, LARGE // np.dtype(dtype).itemsize if waits == "none" else 0) + 77)


@WAITS
@pytest.mark.parametrize("name", LOOPS)
def test_spellings(name, waits, monkeypatch):
    x = numbers(np.float64 if waits == "none" else np.float32, FAR + 1000)
    assert IN_STEP[waits] in str(made(LOOPS[name], waits).explain(x, np.zeros((1, 1), x.dtype), len(x)))
    check(monkeypatch, LOOPS[name], waits, x, LAUNCHES)


@WAITS
@pytest.mark.parametrize("name", OTHERS)
def test_other_loops(name, waits, monkeypatch):
    x = numbers(np.float64 if waits == "none" else np.float32, FAR + 1000)
    check(monkeypatch, OTHERS[name], waits, x, FEW_THREADS)


@WAITS
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.uint8, np.int64, np.float16])
def test_types(dtype, waits, monkeypatch):
    x = long_numbers(dtype, waits)
    for loop in (LOOPS["range"], LOOPS["by its block"]):
        check(monkeypatch, loop, waits, x, LAUNCHES[2:5])


@WAITS
def test_ends(waits):
    """Just long enough or just not, and at each place in a block's turns; nothing to do, and less than nothing."""
    x = np.arange(FAR + 4000, dtype=np.int64)
    for n in (-1, 0, 1, 255, 256, 257, *range(FAR - 2, FAR + 3), FAR + 255, FAR + 256, FAR + 257, FAR + 511, FAR + 768, FAR + 3999):
        for grid, block in ((1, 256), (3, 256), (2, 100)):
            out = np.zeros((grid, block), np.int64)
            made(LOOPS["range"], waits)[grid, block](x, out, n)
            each = np.array([x[first:max(n, 0):grid * block].sum() for first in range(grid * block)]).reshape(grid, block)
            assert np.array_equal(out, each if waits == "none" else each[:, ::-1] + each), (n, grid, block)


def test_sizes_about_the_large_ones(monkeypatch):
    """Of arrays that are just larger than caches, or just not, in bytes and in elements; and of two that are so together."""
    @device.kernel
    def products(x, y, out):
        total = 0.0
        for i in range(device.tid(1), x.shape[0], device.grid_size(1)):
            total += x[i] * y[i]
        out[device.tid(1)] = total

    @device.kernel
    def all_of_it(x, y, out):
        total = 0.0
        for i in range(device.tid(1), x.shape[0], device.grid_size(1)):
            total += x[i] * y[i]
        device.atomic.add(out, 0, total)

    for n in (0, 1, 100, FAR - 1, FAR, FAR + 1, FAR + 300, 2 * FAR - 1, 2 * FAR, 2 * FAR + 1):
        x, y = numbers(np.float32, n), numbers(np.float32, n + 5)
        for arrays in ((x, y), (x, y[5:]), (x[::-1], y), (x, x)):
            found = []
            for lanes in ("", "1"):
                with monkeypatch.context() as patch:
                    if lanes:
                        patch.setenv("HETJIT_LANES", lanes)
                    out, sum = np.zeros(768, np.float32), np.zeros(1, np.float32)
                    products[3, 256](*arrays, out)
                    all_of_it[3, 256](*arrays, sum)
                    found.append((out, sum))
            assert np.array_equal(found[0][0], found[1][0]) and np.allclose(found[0][1], found[1][1], rtol=1e-4), n


def test_rows_of_blocks(monkeypatch):
    """A block for each row, and what is added up in memory while warps go in step."""
    @device.kernel
    def rows(x, out, many):
        shared = device.shared_array(256, device.float32)
        t, row = device.thread_idx.x, device.block_idx.x
        total = 0.0
        for j in range(t, x.shape[1], device.block_dim.x):
            total += x[row, j]
            if x[row, j] > 5.0:
                device.atomic.add(many, row, 1)
        shared[t] = total
        device.syncthreads()
        k = device.uint32(128)
        while k > 0:
            if t < k and t + k < device.block_dim.x:
                shared[t] += shared[t + k]
            device.syncthreads()
            k //= 2
        if t == 0:
            out[row] = shared[0]

    for height, width in ((300, 2050), (3, 300_000), (2, FAR), (1, FAR + 3)):
        x = numbers(np.float32, height * width).reshape(height, width)
        for given in (x, np.asfortranarray(x), x[:, ::-1]):
            out, many = np.zeros(height, np.float32), np.zeros(height, np.int32)
            rows[height, 256](given, out, many)
            with monkeypatch.context() as patch:
                patch.setenv("HETJIT_LANES", "1")
                wanted = np.zeros(height, np.float32)
                rows[height, 256](given, wanted, np.zeros(height, np.int32))
            assert np.array_equal(out, wanted) and np.array_equal(many, (given > 5).sum(1)), (height, width)


def test_a_view():
    x = np.ones(FAR + 10, np.float32)
    out = np.zeros((1, 32), np.float32)
    made(LOOPS["range"])[1, 32](x[5:-5], out, FAR)
    assert out.sum() == 2 * FAR

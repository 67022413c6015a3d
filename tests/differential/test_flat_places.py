"""A row and a column made of one place, `i // w` and `i % w`, `i >> k` and `i & (w - 1)`: the same as NumPy with every number of lanes, whether
warps lie between two multiples of w, seldom do or never; also where w is zero, negative, no power of two, and where places are negative."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

WIDTHS = (1, 2, 3, 5, 7, 8, 12, 15, 16, 17, 20, 31, 32, 33, 48, 63, 64, 65, 100, 129, 1000)


@pytest.fixture(params=(None, 1, 2, 8, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


def random(shape, dtype=np.float32):
    return (np.random.default_rng(int(np.prod(shape)) + 1).random(shape) * 50).astype(dtype)


def launch(kernel, n, *arguments, block=64):
    kernel[max(-(-n // block), 1), block](*arguments)


@device.kernel
def gathered_rows(table, rows, out):
    g = device.tid(1)
    d = out.shape[1]
    if g < out.size:
        out[g // d, g % d] = table[rows[g // d], g % d]


@device.kernel
def five_points(a, out, w, h):
    i = device.block_idx.x * device.block_dim.x + device.thread_idx.x
    y = i // w
    x = i % w
    if x > 0 and x < w - 1 and y > 0 and y < h - 1:
        out[y, x] = a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]


@device.kernel
def product(a, b, c):
    t = device.tid(1)
    if t >= c.size:
        return
    i, j = divmod(t, c.shape[1])
    total = 0.0
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = total


@device.kernel
def turned(a, out):
    i = device.tid(1)
    n, m = a.shape[1], a.shape[2]
    if i < a.size:
        z = i // (n * m)
        rest = i % (n * m)
        out[rest // m, z, rest % m] = a[z, rest // m, rest % m] + 1


@device.kernel
def butterflies(a, out, roots, half):
    t = device.tid(1)
    if t < a.shape[0] // 2:
        k = t & (half - 1)
        i = (t - k) * 2 + k
        b = a[i + half] * roots[k]
        out[i] = a[i] + b
        out[i + half] = a[i] - b


@device.kernel
def shifted(a, out, k):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = a[i >> k]


@device.kernel
def from_an_offset(out, start, w):
    i = device.tid(1)
    if i < out.shape[0]:
        place = start + i
        out[i] = (place // w) * 1000 + place % w


@device.kernel
def every_hundred(a, out):
    i = device.tid(1)
    if i < a.shape[0]:
        out[i // 100, i % 100] = a[i]


@device.kernel
def changed_in_place(a, w):
    """What a warp that begins again has written by then would be read again."""
    i = device.tid(1)
    if i < a.size:
        a[i // w, i % w] = 2 * a[i // w, i % w] + 1


@device.kernel
def behind_a_store(a, out, written, w):
    i = device.tid(1)
    if i < a.size:
        written[i] += 1
        out[i // w, i % w] += a[i // w, i % w]


@device.kernel
def two_periods(out, w, v):
    i = device.tid(1)
    if i < out.size:
        out[i // w, i % w] = (i // v) * 100 + i % v


@pytest.mark.parametrize("w", WIDTHS)
def test_gathered_rows(lanes, w):
    table, rows = random((40, w)), np.random.default_rng(w).integers(-40, 40, 13).astype(np.int32)
    out = np.zeros((13, w), np.float32)
    launch(gathered_rows, out.size, table, rows, out)
    assert np.array_equal(out, table[rows])


@pytest.mark.parametrize("w", WIDTHS)
@pytest.mark.parametrize("integer", [int, np.int64, np.uint32])
def test_five_points(lanes, w, integer):
    a, out = random((9, w)), np.zeros((9, w), np.float32)
    expected = out.copy()
    if w > 2:
        expected[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
    launch(five_points, a.size, a, out, integer(w), integer(9))
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("w", WIDTHS)
def test_products(lanes, w):
    a, b, c = random((5, 3)), random((3, w)), np.zeros((5, w), np.float32)
    launch(product, c.size, a, b, c)
    assert np.allclose(c, a @ b, rtol=1e-5)


@pytest.mark.parametrize("shape", [(3, 4, 5), (2, 3, 64), (5, 7, 33), (1, 1, 1), (4, 16, 16), (2, 2, 100)], ids=str)
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64", "complex64"])
def test_three_axes(lanes, shape, dtype):
    a = random(shape, dtype)
    out = np.zeros((shape[1], shape[0], shape[2]), dtype)
    launch(turned, a.size, a, out)
    assert np.array_equal(out, (a + a.dtype.type(1)).swapaxes(0, 1))


@pytest.mark.parametrize("half", [1, 2, 8, 16, 32, 64, 128])
def test_butterflies(lanes, half):
    n = 512
    a, roots, out = random(n, np.complex64), random(half, np.complex64), np.zeros(n, np.complex64)
    launch(butterflies, n // 2, a, out, roots, half)
    pairs = a.reshape(-1, 2, half)
    low, high = pairs[:, 0], pairs[:, 1] * roots
    assert np.allclose(out, np.stack([low + high, low - high], axis=1).reshape(-1), rtol=1e-5)


SUMS = {"twice what is left, and the rest": "((pos - rest) << 1) + rest", "the place and what is left": "pos + (pos - rest)", "rows": "(pos // w) * 2 * w + rest",
        "the place and rows": "pos + pos // w * w", "less the rest": "2 * pos - rest"}


@pytest.mark.parametrize("spelling", SUMS)
@pytest.mark.parametrize("rest", ["pos % w", "pos & (w - 1)"])
@pytest.mark.parametrize("integer", ["int", "device.uint32", "device.int64"])
def test_sums_that_may_be_negative(lanes, spelling, rest, integer):
    """Of butterflies: both halves are read and written at places of which nothing says that they do not count from the end."""
    text = f"""
@device.kernel
def sums(a, out, w: {integer}, less: {integer}):
    pos = {integer}(device.tid(1))
    if pos < a.shape[0] // 2:
        rest = {rest}
        i = int({SUMS[spelling]} - less)
        low, high = a[i], a[i + int(w)]
        out[i] = low + high
        out[i + int(w)] = low - high
"""
    import linecache
    name = f"<sums {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"device": device}
    exec(compile(text, name, "exec"), scope)
    n = 512
    a = random(n).astype(np.int32)
    for w in (1, 2, 8, 16, 32, 64, 256):
        for less in (0, 3, 16, 100):
            out = np.zeros(n, np.int32)
            launch(scope["sums"], n // 2, a, out, w, less)
            pairs = np.roll(a, less).reshape(-1, 2, w)
            wanted = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
            assert np.array_equal(np.roll(out, less), wanted), (w, less)


@pytest.mark.parametrize("mask_and_one", [0, 3, 5, 12, 24, 96])
def test_masks_that_are_no_powers_of_two(lanes, mask_and_one):
    given = np.arange(300, dtype=np.int32)
    places = np.arange(300) & (mask_and_one - 1)
    out = np.zeros(300, np.int32)

    @device.kernel
    def read(a, out, w):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = a[i & (w - 1)]

    launch(read, 300, given, out, mask_and_one)
    assert np.array_equal(out, given[places])


@pytest.mark.parametrize("count", [-1, 0, 1, 3, 4, 5, 6, 10, 30, 31, 32, 40])
def test_shifts(lanes, count):
    a, out = random(600), np.zeros(600, np.float32)
    launch(shifted, 600, a, out, count)
    places = np.arange(600) >> count if 0 <= count < 31 else np.zeros(600, int)
    assert np.array_equal(out, a[places])


@pytest.mark.parametrize("w", [-100, -16, -1, 0, 1, 5, 16, 40, 128])
@pytest.mark.parametrize("start", [-1000, -130, -16, -1, 0, 3, 2**31 - 300])
def test_negative_places_and_widths(lanes, start, w):
    out = np.zeros(260, np.int32)
    launch(from_an_offset, 260, out, start, w)
    places = start + np.arange(260, dtype=np.int64)
    quotient, rest = (places // w, places % w) if w else (0 * places, 0 * places)
    assert np.array_equal(out, (quotient * 1000 + rest).astype(np.int32))


def test_a_constant(lanes):
    for n in (1, 99, 100, 101, 1600, 2050):
        a, out = random(n), np.zeros((-(-n // 100), 100), np.float32)
        launch(every_hundred, n, a, out)
        assert np.array_equal(out.reshape(-1)[:n], a) and not out.reshape(-1)[n:].any()


def of_the_largest_numbers(a, out):
    """Numbers that no place comes to: each is the place itself, or 0."""
    i = device.tid(1)
    n = device.uint32(i)
    kept, gone, rest = i & 0x7FFFFFFF, i >> 31, n % device.uint32(3_000_000_000)
    row, column = n // device.uint32(2_147_483_648), n & 0xFFFFFFFF
    if i < out.shape[0]:
        out[i] = a[kept] + a[gone] + a[rest] + a[row] + a[column]


def test_constants_that_no_place_comes_to(lanes):
    kernel = device.kernel(of_the_largest_numbers)
    a, out = random(300), np.zeros(300, np.float32)
    launch(kernel, 300, a, out)
    assert np.array_equal(out, a + a[0] + a + a[0] + a)
    assert "two multiples" not in str(kernel.explain(a, out))


@pytest.mark.parametrize("w", WIDTHS)
def test_nothing_is_done_twice(lanes, w):
    a = random((7, w))
    expected = 2 * a + 1
    launch(changed_in_place, a.size, a, w)
    assert np.array_equal(a, expected)
    out, written = np.ones((7, w), np.float32), np.zeros(a.size, np.int32)
    launch(behind_a_store, a.size, a, out, written, w)
    assert np.array_equal(out, a + 1) and np.array_equal(written, np.ones(a.size))


@pytest.mark.parametrize("w", WIDTHS)
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float64", "int64", "complex64"])
@pytest.mark.parametrize("block", [64, 37, (8, 4)], ids=str)
def test_elements_of_all_sizes_in_all_blocks(w, dtype, block):
    """What lies in front of the rows and behind them stays as it was: parts of vectors have masks."""
    memory, expected = random((11, w), dtype), random((11, w), dtype)
    expected[1:-1] += expected[1:-1] + 1
    threads = block if isinstance(block, int) else block[0] * block[1]
    in_grid = device.kernel(changed_in_a_grid)[max(-(-9 * w // threads), 1), block]
    in_grid(memory[1:-1], w)
    assert np.array_equal(memory, expected)


def changed_in_a_grid(a, w):
    i = device.block_idx.x * (device.block_dim.x * device.block_dim.y) + device.thread_idx.y * device.block_dim.x + device.thread_idx.x
    if i < a.size:
        a[i // w, i % w] += a[i // w, i % w] + 1


@pytest.mark.parametrize("w, v", [(64, 48), (100, 7), (16, 1), (33, 1000), (128, 0), (20, 64), (8, 5), (12, 12), (9, 40)])
def test_two_periods(lanes, w, v):
    out = np.zeros((9, w), np.int32)
    launch(two_periods, out.size, out, w, v)
    places = np.arange(out.size)
    expected = (places // v) * 100 + places % v if v else 0 * places
    assert np.array_equal(out.reshape(-1), expected)


@pytest.mark.parametrize("block", [(8, 8), (32, 8), (1, 64), (5, 3), (64, 1)], ids=str)
@pytest.mark.parametrize("w", [5, 16, 64, 100])
def test_places_of_two_axes(lanes, block, w):
    @device.kernel
    def tiles(a, out, w):
        x, y = device.tid(2)
        if x < a.shape[1] and y < a.shape[0]:
            out[y, x // w, x % w] = a[y, x]

    a = random((6, 3 * w))
    out = np.zeros((6, 3, w), np.float32)
    tiles[(-(-3 * w // block[0]), -(-6 // block[1])), block](a, out, w)
    assert np.array_equal(out.reshape(a.shape), a)


class Places:
    """Random places made of a thread's own one, as device code writes them and as NumPy reckons them."""

    NUMBERS = ("w", "v", "x.shape[0]", "16", "100", "64", "37", "7")

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def pick(self, options):
        return options[int(self.random.integers(len(options)))]

    def number(self):
        text = self.pick(self.NUMBERS)
        return text, text.replace("x.shape[0]", "len(x)")

    def place(self, depth):
        which = int(self.random.integers(8)) if depth else 0
        if which < 1:
            return "i", "i"
        (one, same), (by, number) = self.place(depth - 1), self.number()
        if which == 1:
            return f"({one} + {by})", f"({same} + {number})"
        if which == 2:
            return f"({one} - {by})", f"({same} - {number})"
        if which < 5:
            return f"({one} // {by})", f"quotient({same}, {number})"
        if which < 7:
            return f"({one} % {by})", f"rest({same}, {number})"
        shift = self.pick("1456")
        return self.pick(((f"({one} >> {shift})", f"({same} >> {shift})"), (f"({one} & (p - 1))", f"({same} & (p - 1))")))


def quotient(a, b):
    return a // b if b else 0 * a


def rest(a, b):
    return a % b if b else 0 * a


@pytest.mark.parametrize("seed", range(40))
def test_random_places(lanes, seed, tmp_path):
    places = Places(seed)
    a, b, c = (places.place(3) for _ in range(3))
    source = f"""
from hetjit import device
@device.kernel
def kernel(x, y, out, w, v, p):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[{a[0]} % 50] + y[{b[0]} % 40, {c[0]} % 30] * 3
"""
    path = tmp_path / f"places_{seed}.py"
    path.write_text(source)
    names = {}
    exec(compile(source, path, "exec"), names)
    x, y = np.arange(50, dtype=np.int32), np.arange(1200, dtype=np.int32).reshape(40, 30)
    for n, w, v, p in ((300, 48, 5, 32), (300, 100, 64, 16), (70, 17, 1, 128), (300, 0, -20, 64)):
        out = np.zeros(n, np.int32)
        launch(names["kernel"], n, x, y, out, w, v, p)
        known = {"i": np.arange(n), "x": x, "w": w, "v": v, "p": p, "quotient": quotient, "rest": rest}
        i, j, k = (np.asarray(eval(text, known)) for _, text in (a, b, c))
        assert np.array_equal(out, x[i % 50] + y[j % 40, k % 30] * 3), source


@device.kernel
def of_some_rows(wanted, table, a, out, touched):
    """What is the same for all lanes that are left is accessed once, where there are some."""
    i = device.tid(1)
    if wanted[i]:
        w = a.shape[1]
        row, column = i // w, i % w
        out[row, column] = a[row, column] + table[row]
        touched[row] = 1


@device.kernel
def behind_the_first(a, out, touched, s):
    i = device.tid(1)
    if i < s:
        return
    w = a.shape[1]
    if i < a.size:
        row = i // w
        out[row, i % w] = a[row, i % w]
        touched[row] = 1


@device.kernel
def turns_of_a_row(wanted, counts, a, out):
    i = device.tid(1)
    w = a.shape[1]
    if not wanted[i]:
        return
    row, column = i // w, i % w
    total = 0
    for k in range(counts[row]):
        total += a[row, column] + k
    out[row, column] = total


@pytest.mark.parametrize("w", WIDTHS)
@pytest.mark.parametrize("rows", ["odd", "even", "none", "some lanes"])
def test_lanes_that_have_given_up_are_in_no_row(lanes, w, rows):
    """Also where they are a vector's first: their row is not accessed."""
    a, table = np.arange(13 * w, dtype=np.int32).reshape(13, w), np.arange(100, 113, dtype=np.int32)
    wanted = np.zeros((13, w), bool)
    if rows == "some lanes":
        wanted[...] = np.random.default_rng(w).random((13, w)) < 0.1
    elif rows != "none":
        wanted[rows == "odd"::2] = True
    there = wanted.any(axis=1)
    out, touched = np.zeros_like(a), np.zeros(13, np.int32)
    wider = np.concatenate([wanted.reshape(-1), np.zeros(256, bool)])
    launch(of_some_rows, a.size, wider, table, a, out, touched)
    assert np.array_equal(out, np.where(wanted, a + table[:, None], 0)) and np.array_equal(touched, there)
    out[...] = 0
    counts = np.where(there, 3, 2**31 - 1).astype(np.int32)
    launch(turns_of_a_row, a.size, wider, counts, a, out)
    assert np.array_equal(out, np.where(wanted, 3 * a + 3, 0))


@pytest.mark.parametrize("w", WIDTHS)
@pytest.mark.parametrize("s", [0, 1, 5, 17, 40, 100])
def test_places_behind_a_first_one(lanes, w, s):
    a, out, touched = random((9, w)), np.zeros((9, w), np.float32), np.zeros(9, np.int32)
    launch(behind_the_first, a.size, a, out, touched, s)
    behind = (np.arange(a.size) >= s).reshape(9, w)
    assert np.array_equal(out, np.where(behind, a, 0)) and np.array_equal(touched, behind.any(axis=1))

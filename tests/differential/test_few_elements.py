"""Arrays with few elements along their last axes: a form of the kernel is for the extents that its indices suggest. The same as NumPy with
every number of lanes, where they are so, where they are not, and in all shapes of blocks."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

SIZES = (1, 7, 16, 33, 64, 100, 129)
TYPES = ("uint8", "int16", "float32", "float64", "complex64")


@pytest.fixture(params=(None, 1, 2, 8, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


def random(shape, dtype):
    return (np.random.default_rng(int(np.prod(shape))).random(shape) * 50).astype(dtype)


def launch(function, n, *arguments, block=32):
    device.kernel(function)[-(-n // block), block](*arguments)


@pytest.mark.parametrize("extent", [3, 4, 5])
@pytest.mark.parametrize("dtype", TYPES)
def test_parts_by_name(lanes, dtype, extent):
    """Three are named; where there are more, strides are not what the indices suggest."""
    def turn(points, out):
        i = device.tid(1)
        if i < points.shape[0]:
            out[i, 0] = points[i, 1]
            out[i, 1] = points[i, 2]
            out[i, 2] = points[i, 0] + points[i, 1]

    for n in SIZES:
        points, out = random((n, extent), dtype), random((n, extent), dtype)
        expected = out.copy()
        expected[:, 0], expected[:, 1], expected[:, 2] = points[:, 1], points[:, 2], points[:, 0] + points[:, 1]
        launch(turn, n, points, out)
        assert np.array_equal(out, expected)


@pytest.mark.parametrize("n_of_out", [2, 3])
def test_one_array_as_suggested_and_one_not(lanes, n_of_out):
    def copy(points, out):
        i = device.tid(1)
        if i < points.shape[0]:
            out[i, 1] = points[i, 1] + points[i, 0]

    for n in SIZES:
        points, out = random((n, 2), np.float32), np.zeros((n, n_of_out), np.float32)
        launch(copy, n, points, out)
        assert np.array_equal(out[:, 1], points.sum(axis=1)) and not out[:, 0].any()


@pytest.mark.parametrize("block", [(8, 8), (32, 8), (1, 32), (5, 3)], ids=str)
@pytest.mark.parametrize("rows_first", [False, True])
def test_pictures(lanes, block, rows_first):
    def columns(picture, out):
        x, y = device.tid(2)
        if y < out.shape[0] and x < out.shape[1]:
            out[y, x] = device.int32(picture[y, x, 0]) - picture[y, x, 2] + 2 * device.int32(picture[y, x, 1])

    def rows(picture, out):
        y, x = device.tid(2)
        if y < out.shape[0] and x < out.shape[1]:
            out[y, x] = device.int32(picture[y, x, 0]) - picture[y, x, 2] + 2 * device.int32(picture[y, x, 1])

    for shape in ((1, 1), (5, 37), (16, 64), (33, 70)):
        picture, out = random((*shape, 3), np.uint8), np.zeros(shape, np.int32)
        wide = picture.astype(np.int32)
        extents = shape if rows_first else shape[::-1]
        grid = tuple(-(-n // b) for n, b in zip(extents, block))
        device.kernel(rows if rows_first else columns)[grid, block](picture, out)
        assert np.array_equal(out, wide[..., 0] - wide[..., 2] + 2 * wide[..., 1])


@pytest.mark.parametrize("extent", [4, 5, 6])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_matrices(lanes, dtype, extent):
    def products(a, b, c):
        i = device.tid(1)
        if i < a.shape[0]:
            for row in range(4):
                for column in range(4):
                    total = TYPE(0)
                    for k in range(4):
                        total += a[i, row, k] * b[i, k, column]
                    c[i, row, column] = total

    products = type(products)(products.__code__, {"device": device, "TYPE": getattr(device, dtype)}, "products")
    for n in SIZES:
        a, b, c = (np.round(random((n, 4, extent), dtype)) for _ in range(3))
        expected = c.copy()
        expected[:, :, :4] = a[:, :, :4] @ b[:, :, :4]
        launch(products, n, a, b, c)
        assert np.array_equal(c, expected)


def test_lanes_that_are_not_there(lanes):
    """Where the first lanes are not active, their places lie before the array."""
    def late(points, out, first):
        i = device.tid(1) - first
        if 0 <= i < out.shape[0]:
            out[i] = points[i, 0] * 2 + points[i, 1]

    for n in SIZES:
        for first in (1, 5, 17, 40):
            points, out = random((n, 2), np.float32), np.zeros(n, np.float32)
            launch(late, n + first, points, out, first)
            assert np.array_equal(out, points[:, 0] * 2 + points[:, 1])


def test_backwards_and_every_other(lanes):
    def mirrored(points, out):
        i = device.tid(1)
        n = points.shape[0]
        if i < n // 2:
            out[i] = points[n - 1 - i, 0] - points[2 * i, 1]

    for n in SIZES:
        points = random((n, 2), np.float64)
        out = np.zeros(n // 2)
        launch(mirrored, n, points, out)
        assert np.array_equal(out, points[::-1][:n // 2, 0] - points[::2][:n // 2, 1])


def test_the_same_index_twice(lanes):
    """A diagonal, and indices that are the same for all."""
    def diagonal(table, cubes, out):
        i = device.tid(1)
        k = int(table[0, 1]) * 0 + 1
        if i < 3:
            out[i] = table[i, i] + cubes[i, k, k]

    table, cubes, out = random((3, 3), np.float32), random((3, 2, 2), np.float32), np.zeros(3, np.float32)
    launch(diagonal, 3, table, cubes, out)
    assert np.array_equal(out, np.diag(table) + cubes[:, 1, 1])


def test_loops_with_branches(lanes):
    def longest(points, out):
        i = device.tid(1)
        if i >= points.shape[0]:
            return
        best, at = -1.0, -1
        for k in range(3):
            if points[i, k] > best and points[i, k] != 7.0:
                best, at = points[i, k], k
        out[i] = at

    for n in SIZES:
        points, out = random((n, 3), np.float32).round(), np.full(n, 9, np.int32)
        launch(longest, n, points, out)
        expected = [max((k for k in range(3) if row[k] != 7), key=lambda k: (row[k], -k), default=-1) for row in points]
        assert out.tolist() == expected


def test_gaps_between_rows(lanes):
    """Arrays that are not in C order are as ever."""
    def total(points, out):
        i = device.tid(1)
        if i < points.shape[0]:
            out[i] = points[i, 0] + points[i, 1] + points[i, 2]

    for n in SIZES:
        points, out = random((n, 8), np.float32)[:, ::3], np.zeros(n, np.float32)
        launch(total, n, points, out)
        assert np.array_equal(out, points[:, 0] + points[:, 1] + points[:, 2])


def products_by_hand(a, b, c):
    """What one thread after another does."""
    size = range(a.shape[2])
    for i in range(len(a)):
        for row in size:
            for column in size:
                total = a.dtype.type(0)
                for k in size:
                    total += a[i, row, k] * b[i, k, column]
                c[i, row, column] = total


def products_of(size):
    def products(a, b, c):
        i = device.tid(1)
        if i < a.shape[0]:
            for row in range(size):
                for column in range(size):
                    total = a[i, row, 0] * 0
                    for k in range(size):
                        total += a[i, row, k] * b[i, k, column]
                    c[i, row, column] = total
    return products


@pytest.mark.parametrize("shared", ["none", "first", "second", "both", "shifted"])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("size", [3, 4])
def test_small_products_into_their_own_factors(lanes, dtype, size, shared):
    """A thread that finds what it wrote itself: arrays that are one, or begin in one another."""
    def numbers(shape):
        return np.floor(random(shape, np.float64) / 10).astype(dtype)

    def arrays(n):
        if shared == "shifted":  # of one thread
            memory = numbers((64,))
            return [memory[first:first + size * size].reshape(1, size, size) for first in (2, 40, 5)]
        a, b, c = numbers((n, size, size)), numbers((n, size, size)) - 2, np.zeros((n, size, size), dtype)
        return [a, a if shared == "both" else b, {"first": a, "second": b, "both": a}.get(shared, c)]

    kernel = device.kernel(contract=shared == "none")(products_of(size))  # products of small whole numbers are exact
    for n in SIZES:
        found, expected = arrays(n), arrays(n)
        kernel[-(-len(found[0]) // 32), 32](*found)
        with np.errstate(over="ignore"):
            products_by_hand(*expected)
        assert np.array_equal(found[2], expected[2])

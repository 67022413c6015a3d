"""The host's vector form: the same bits whatever the number of lanes, one (a thread after another) among them."""

import math
import os
import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import shapes
import warp_kernels
from hetjit import _core, device


@pytest.fixture
def lanes():
    before = os.environ.get("HETJIT_LANES")

    def choose(count):
        os.environ["HETJIT_LANES"] = str(count)

    yield choose
    if before is None:
        del os.environ["HETJIT_LANES"]
    else:
        os.environ["HETJIT_LANES"] = before


def arrays(n):
    values = np.random.default_rng(n)
    return values.random(n, np.float32), values.integers(0, 30, n).astype(np.int32)


def result(kernel, n, block, grid):
    x, y = arrays(n)
    kernel[grid, block](x, y, n)
    return x, y


ANY_BLOCK = shapes.in_any_block(warp_kernels)
AS_ROWS = shapes.in_any_block(warp_kernels, rank=shapes.rank)
COUNTS = (1, 2, 8, 16, 32)


def agree(lanes, function, launches, counts=COUNTS):
    """The same bits with each number of lanes, in launches (n, block) of one kernel."""
    expected = {}
    for count in counts:
        lanes(count)
        kernel = device.kernel(function)
        for n, block in launches:
            bits = [array.tobytes() for array in result(kernel, n, block, -(-n // math.prod((block,) if isinstance(block, int) else block)) + 1)]
            assert expected.setdefault((n, block), bits) == bits, (count, n, block)


@pytest.mark.parametrize("function", warp_kernels.ALL, ids=lambda function: function.__name__)
def test_lanes_do_not_show(lanes, function):
    agree(lanes, function, ((1, 32), (37, 16), (100, 7), (256, 64), (301, 100), (64, 1)))


@pytest.mark.parametrize("function", [pytest.param(function, id=function.__name__ + rows) for module, rows in ((ANY_BLOCK, ""), (AS_ROWS, ", as rows"))
                                      for function in module.ALL])
def test_lanes_do_not_show_in_blocks_of_every_shape(lanes, function):
    agree(lanes, function, ((37, (7, 3)), (301, (5, 4, 5)), (64, (1, 32)), (100, (33, 2)), (90, (17, 1, 3)), (256, (16, 16))), (1, 8, 16))


def converted(x, y, a, b, c, d, e, f):
    i = device.tid(1)
    if i < x.shape[0]:
        a[i], b[i], c[i] = device.int8(x[i]), device.uint8(x[i]), device.int32(x[i])
        d[i], e[i], f[i] = device.uint32(y[i]), device.int64(y[i]), device.uint64(y[i])


def test_conversions_saturate_in_every_lane(lanes):
    ends = [sign * 2.0 ** power * near for power in (0, 7, 8, 31, 32, 63, 64) for sign in (-1, 1) for near in (1 - 2.0 ** -20, 1, 1.5)]
    numbers = np.array([0.0, -0.0, 0.5, -0.5, np.nan, -np.nan, np.inf, -np.inf, 1e30, -1e30, *ends])
    found = {}
    for count in (1, 8, 16, 32):
        lanes(count)
        outputs = [np.zeros(len(numbers), kind) for kind in ("i1", "u1", "i4", "u4", "i8", "u8")]
        device.kernel(converted)[1, 64](numbers.astype(np.float32), numbers, *outputs)
        found[count] = [output.tobytes() for output in outputs]
    assert all(found[count] == found[1] for count in found)
    whole = outputs[2]
    assert list(whole[4:10]) == [0, 0, 2**31 - 1, -2**31, 2**31 - 1, -2**31]


def narrowed(out, wide, n):
    i = device.tid(1)
    if i < n:
        out[i] = abs(device.int8(i))
        wide[i] = abs(device.int32(device.block_dim.x * device.uint32(i)))


def test_a_place_cast_to_fewer_bits_wraps(lanes):
    """What is made of places is no place: only tid and grid_size are promised to fit an int."""
    n = 1024 * 2200
    for count in (1, 16):
        lanes(count)
        out, wide = np.zeros(n, np.int32), np.zeros(n, np.int32)
        device.kernel(narrowed)[n // 1024, 1024](out, wide, n)
        places = np.arange(n, dtype=np.int64)
        assert (out == np.abs(places.astype(np.int8)).astype(np.int32)).all()
        assert (wide == np.abs((places * 1024).astype(np.int32))).all()


def plane(z, out):
    i, j, k = device.tid(3)
    if i < z.shape[2] and j < z.shape[1] and k < z.shape[0]:
        v = z[k, j, i]
        while v > 1.0:
            v = v - z[0, j, 0] - 1.0
        out[k, j, i] = v + device.thread_idx.y


@pytest.mark.parametrize("block", [(8, 4, 2), (16, 3), (1, 32), (5, 5, 5)])
def test_blocks_of_several_axes(lanes, block):
    z = np.arange(4 * 9 * 21, dtype=np.float64).reshape(4, 9, 21) / 7
    block = block + (1,) * (3 - len(block))
    grid = tuple(-(-extent // size) for extent, size in zip((21, 9, 4), block))
    outs = []
    for count in (1, 8, 16):
        lanes(count)
        out = np.zeros_like(z)
        device.kernel(plane)[grid, block](z, out)
        outs.append(out.tobytes())
    assert outs[0] == outs[1] == outs[2]


@pytest.mark.parametrize("n", [64, 77, 301])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64", "bool"])
def test_every_width_of_elements(lanes, dtype, n):
    def choose(a, b, out):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = a[i] if a[i] > b[i] else b[i]

    values = np.random.default_rng(1)
    a, b = ((values.random(n) * 100 % 2 if dtype == "bool" else values.random(n) * 100).astype(dtype) for _ in "ab")
    for count in (1, 4, 16, 32):
        lanes(count)
        out = np.zeros(n, dtype)
        device.kernel(choose)[-(-n // 32), 32](a, b, out)
        assert out.tobytes() == np.maximum(a, b).tobytes(), count


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64", "bool"])
@pytest.mark.parametrize("rows", [1, 3])
def test_neighbours_of_every_width(lanes, dtype, rows):
    def neighbours(a, before, behind, backwards, ring):
        i = device.tid(1)
        n = a.shape[1]
        if i < n:
            for row in range(a.shape[0]):
                before[row, i] = a[row, i - 1]
                behind[row, i] = a[row, min(i + 1, n - 1)]
                backwards[row, i] = a[row, n - 1 - i]
                ring[row, (i + 5) % n] = a[row - 1, -1 - i]

    a = (np.random.default_rng(2).random((rows, 77)) * (2 if dtype == "bool" else 100)).astype(dtype)
    expected = (np.roll(a, 1, 1), np.concatenate([a[:, 1:], a[:, -1:]], 1), a[:, ::-1], np.roll(np.roll(a, 1, 0)[:, ::-1], 5, 1))
    for count in (1, 8, 16):
        lanes(count)
        outs = [np.zeros_like(a) for _ in range(4)]
        device.kernel(neighbours)[3, 32](a, *outs)
        for out, want in zip(outs, expected):
            assert out.tobytes() == np.ascontiguousarray(want).tobytes(), count


def test_an_element_outside_is_not_touched(lanes):
    """A warp's vector may reach beyond the array where its lanes are inactive: nothing is read or written there."""
    import mmap

    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    x = np.frombuffer(memory, np.float32)[page // 4 - 3:page // 4]
    lanes(16)

    def fill(x):
        i = device.tid(1)
        if i < x.shape[0]:
            x[i] = i

    device.kernel(fill)[1, 32](x)
    assert x.tolist() == [0, 1, 2] and not any(memory[page:])


def lines_of_threads(text):
    """What each thread printed, in its order."""
    found = {}
    for line in text.splitlines():
        number = line.removeprefix("thread ").split(" ")[0].rstrip(":")
        found.setdefault(int(number), []).append(line)
    return found


@pytest.mark.parametrize("n, block", [(37, 16), (64, 64), (70, 33)])
def test_every_thread_prints_its_own(lanes, capfd, n, block):
    told_before = None
    for count in (1, 2, 16):
        lanes(count)
        arrays_after = [array.tobytes() for array in result(device.kernel(warp_kernels.told), n, block, -(-n // block))]
        printed = lines_of_threads(capfd.readouterr().out)
        assert len(printed) == n
        assert told_before in (None, (arrays_after, printed)), count
        told_before = arrays_after, printed


@pytest.mark.parametrize("function", warp_kernels.RAISING, ids=lambda function: function.__name__)
def test_threads_that_raise_leave_the_others_alone(lanes, function):
    n, block, grid = 70, 35, 2
    ends = []
    for count in (1, 2, 8, 16, 32):
        lanes(count)
        x, y = arrays(n)
        with pytest.raises((ValueError, AssertionError, IndexError, ZeroDivisionError)) as found:
            device.kernel(function)[grid, block](x, y, n)
        ends.append((x.tobytes(), y.tobytes()))
        note, = found.value.__notes__
        thread, of_block = map(int, re.search(r"thread \((\d+), 0, 0\) of block \((\d+), 0, 0\)$", note).groups())
        number = re.match(r"(\d+) ", str(found.value))
        if number and function is not warp_kernels.raises_in_a_function:
            assert of_block * block + thread == int(number[1])
    assert len(set(ends)) == 1


def test_kernels_that_raise_or_print_are_vectors():
    for function in (warp_kernels.told, *warp_kernels.RAISING):
        llvm = _core.show(_core.capture(function), "llvm", "(float32[:], int32[:], int32)", "cpu:x86-64-v3", kernel=True)
        assert re.search(r"<16 x (float|i32)>", llvm) and "@hetjit.say" in llvm

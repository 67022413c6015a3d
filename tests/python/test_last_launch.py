"""A launch that is given what the one before was given reads nothing again: so whatever a user can change between two launches must be
seen. Each case launches the same Bound often enough that arguments are kept, then changes one thing."""

import gc
import sys
import threading
import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import ctypes

import producers
from hetjit import device

OFTEN = 5  # launches after which arguments are surely kept


@device.kernel
def describe(x, out, n, scale: device.float64):
    """What a kernel sees of an array: extents, strides, elements; and two numbers."""
    out[0] = len(x)
    out[1] = x.strides[0]
    out[2] = device.float64(x[0]) if len(x) else -1
    out[3] = n
    out[4] = scale
    out[5] = x.ndim


def seen(bound, x, n=1, scale=0.5):
    out = np.zeros(6)
    for _ in range(OFTEN):
        bound(x, out, n, scale)
    return out.tolist()


def once(bound, out, *arguments):
    out[:] = 0
    bound(arguments[0], out, *arguments[1:])
    return out.tolist()


@pytest.fixture
def kept():
    bound, x, out = describe[1, 1], np.arange(24.0), np.zeros(6)
    for _ in range(OFTEN):
        bound(x, out, 3, 0.5)
    assert out.tolist() == [24, 1, 0, 3, 0.5, 1]
    return bound, x, out


def test_numbers(kept):
    bound, x, out = kept
    assert once(bound, out, x, 4, 0.5) == [24, 1, 0, 4, 0.5, 1]
    assert once(bound, out, x, 3, 0.25) == [24, 1, 0, 3, 0.25, 1]
    assert once(bound, out, x, True, 2) == [24, 1, 0, 1, 2, 1]
    assert once(bound, out, x, np.float32(7.5), np.int8(-3)) == [24, 1, 0, 7.5, -3, 1]
    with pytest.raises(OverflowError):
        bound(x, out, 2**40, 0.5)
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]


def test_elements(kept):
    bound, x, out = kept
    x[0] = 9
    assert once(bound, out, x, 3, 0.5) == [24, 1, 9, 3, 0.5, 1]


def test_shape_strides_and_type_in_place(kept):
    bound, x, out = kept
    x.shape = (4, 6)
    with pytest.raises(device.CompileError):  # x[0] is a row
        bound(x, out, 3, 0.5)
    x.shape = (24,)
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]
    x.dtype = np.int64
    x[0] = 5
    assert once(bound, out, x, 3, 0.5) == [24, 1, 5, 3, 0.5, 1]
    x.dtype = np.int32
    assert once(bound, out, x, 3, 0.5) == [48, 1, 5, 3, 0.5, 1]


def test_views_of_the_same_memory(kept):
    bound, x, out = kept
    assert once(bound, out, x[::2], 3, 0.5) == [12, 2, 0, 3, 0.5, 1]
    assert once(bound, out, x[:7], 3, 0.5) == [7, 1, 0, 3, 0.5, 1]
    assert once(bound, out, x[:0], 3, 0.5)[0] == 0
    assert once(bound, out, x[::-1], 3, 0.5) == [24, -1, 23, 3, 0.5, 1]
    assert once(bound, out, x.view(np.float32)[::2], 3, 0.5) == [24, 2, 0, 3, 0.5, 1]


def test_writable_or_not(kept):
    bound, x, out = kept
    out.flags.writeable = False
    with pytest.raises(BufferError):
        bound(x, out, 3, 0.5)
    out.flags.writeable = True
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]


def test_resized_in_place():
    bound, x = describe[1, 1], np.arange(24.0)
    assert seen(bound, x)[0] == 24
    x.resize(12, refcheck=False)
    assert seen(bound, x)[0] == 12
    x.resize(100_000, refcheck=False)
    assert seen(bound, x)[0] == 100_000


def test_arrays_are_not_kept_alive():
    bound, out = describe[1, 1], np.zeros(6)
    base = np.arange(10.0)
    count = sys.getrefcount(base)
    for _ in range(OFTEN):
        bound(base, out, 3, 0.5)
    assert sys.getrefcount(base) == count
    for size in range(1, 60):  # most often at the same address
        x = np.full(size, float(size))
        bound(x, out, 3, 0.5)
        bound(x, out, 3, 0.5)
        assert out[0] == out[2] == size
        del x


def test_other_kinds_of_objects(kept):
    bound, x, out = kept
    assert once(bound, out, device.array(x, "cpu"), 3, 0.5) == [24, 1, 0, 3, 0.5, 1]
    assert once(bound, out, x.view(type("Sub", (np.ndarray,), {})), 3, 0.5) == [24, 1, 0, 3, 0.5, 1]
    for wrong in (None, 3, [1.0], "x"):
        with pytest.raises((TypeError, device.CompileError)):
            bound(wrong, out, 3, 0.5)
    with pytest.raises(TypeError):
        bound(x, out, 3)
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]


@pytest.fixture
def lent():
    """A launch with an array of a library that has DLPack's C functions, repeated; the library's tensor, to be changed."""
    kind = producers.exchange_class()
    bound, out, x = describe[1, 1], np.zeros(6), kind(np.arange(24.0))
    for _ in range(OFTEN):
        bound(x, out, 3, 0.5)
    assert out.tolist() == [24, 1, 0, 3, 0.5, 1]
    return bound, x, out


def test_a_librarys_tensor_in_place(lent):
    bound, x, out = lent
    asked = len(kind_calls := type(x).calls)
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1] and len(kind_calls) == asked + 1  # once a launch
    x.array[0] = 9
    assert once(bound, out, x, 3, 0.5) == [24, 1, 9, 3, 0.5, 1]
    x.shape[0], x.strides[0] = 12, 2
    assert once(bound, out, x, 3, 0.5) == [12, 2, 9, 3, 0.5, 1]
    x.tensor.strides = None
    assert once(bound, out, x, 3, 0.5) == [12, 1, 9, 3, 0.5, 1]
    x.tensor.byte_offset = 40
    assert once(bound, out, x, 3, 0.5) == [12, 1, 5, 3, 0.5, 1]
    x.tensor.dtype = producers.Dtype(producers.INT, 64, 1)
    assert once(bound, out, x, 3, 0.5) == [12, 1, float(np.float64(5).view(np.int64)), 3, 0.5, 1]
    x.tensor.dtype = producers.Dtype(producers.FLOAT, 64, 1)
    other = np.full(24, 7.0)
    x.tensor.data = other.ctypes.data
    assert once(bound, out, x, 3, 0.5) == [12, 1, 7, 3, 0.5, 1]
    x.tensor.device = producers.Device(producers.CUDA, 0)
    with pytest.raises((device.DeviceError, ValueError)):  # it says that its memory is a GPU's
        bound(x, out, 3, 0.5)
    x.tensor.device = producers.Device(producers.CPU, 0)
    x.tensor.ndim = 0
    with pytest.raises(device.CompileError):  # a number has no x[0]
        bound(x, out, 3, 0.5)
    x.tensor.ndim = 1
    assert once(bound, out, x, 3, 0.5) == [12, 1, 7, 3, 0.5, 1]


def test_other_tensors_of_a_library(lent):
    bound, x, out = lent
    for size in range(1, 40):
        other = type(x)(np.full(size, float(size)))
        for _ in range(1 + size % 3):
            assert once(bound, out, other, 3, 0.5) == [size, 1, size, 3, 0.5, 1]
    assert once(bound, out, producers.exchange_class()(np.arange(3.0) + 1), 3, 0.5) == [3, 1, 1, 3, 0.5, 1]
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]


@producers.BORROW
def lend(producer, to):
    """What exchange_class() has: a table does not keep a function that another one takes the place of."""
    to[0] = producer.tensor
    return 0


@pytest.mark.parametrize("raised", [ValueError, KeyboardInterrupt])
def test_a_library_that_refuses_later(lent, raised):
    bound, x, out = lent
    times = 0

    def refuse(_):
        nonlocal times
        times += 1
        raise raised("not now")
    type(x).__bool__ = refuse  # what a C function leaves behind: one of ctypes cannot
    type(x).table.borrow = producers.BORROW(("PyObject_IsTrue", ctypes.pythonapi))
    with pytest.raises(raised, match="not now"):
        bound(x, out, 3, 0.5)
    assert times
    type(x).table.borrow = lend
    assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]


def test_a_library_that_launches_when_it_is_asked(lent):
    """The same Bound with other arguments, often enough that they take the place of those that are just being compared."""
    bound, x, out = lent
    inner, depth = np.zeros(6), 0

    def borrow(producer, to):
        nonlocal depth
        depth += 1
        if depth == 1:
            for size in range(1, 80):
                bound(np.full(size, 1.0), inner, size, 0.5)
                assert inner[3] == size
        depth -= 1
        to[0] = producer.tensor
        return 0
    function = producers.BORROW(borrow)
    type(x).table.borrow = function
    for _ in range(OFTEN):
        assert once(bound, out, x, 3, 0.5) == [24, 1, 0, 3, 0.5, 1]
    type(x).table.borrow = lend


def test_the_function_is_another():
    @device.kernel
    def count(out, by=1):
        out[0] += by
    bound, out = count[1, 1], np.zeros(2, np.int32)
    for _ in range(OFTEN):
        bound(out, 1)
    assert out[0] == OFTEN

    def other(out, by: device.float32 = 1):
        out[1] += 10 * by
    count.__code__ = other.__code__
    bound(out, 1)
    assert out.tolist() == [OFTEN, 10]
    count.__defaults__ = (3,)
    for _ in range(OFTEN):
        bound(out)
    assert out[1] == 10 + 30 * OFTEN
    count.__defaults__ = (4,)
    bound(out)
    assert out[1] == 50 + 30 * OFTEN


STEP = 1


def test_a_global_is_another():
    global STEP
    @device.kernel
    def count(out):
        out[0] += STEP
    bound, out = count[1, 1], np.zeros(1, np.int32)
    for STEP in (1, 1, 1, 10, 10, 10, 100, 100):
        bound(out)
    assert out[0] == 233


def test_a_global_that_is_another_while_code_is_made_for_it():
    """Another launch has made what is current in the meantime: here from a warning of the compilation, with threads in any moment of it."""
    global STEP
    STEP = 1

    @device.kernel
    def write(x):
        x[device.tid(1)] = STEP
    x, y, bound, other = np.zeros(4, np.int32), np.zeros(4, np.int32), write[1, 4], write[1, (4, 1)]

    def nested(*_, **__):
        global STEP
        STEP = 1000
        other(y)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = nested  # "compiled again and again"
        for _ in range(OFTEN):
            bound(x)
        for value in range(2, 40):
            STEP = value
            bound(x)
            if STEP == 1000:
                break
    assert STEP == 1000 and y.tolist() == [1000] * 4
    for _ in range(OFTEN):
        bound(x)
        assert x.tolist() == [1000] * 4


@pytest.mark.parametrize("kind", ["lent", "numpy"])
def test_arrays_that_are_others_while_they_are_launched(kind, capsys, monkeypatch):
    """What is kept of a launch is what was read for it, not what the array has become meanwhile."""
    @device.kernel
    def count(x):
        x[0] += 1
        print("here")
    first, second, bound = np.zeros(24), np.zeros(24), count[1, 1]
    array = producers.exchange_class()(first) if kind == "lent" else first
    launches = 0

    def told(text):
        nonlocal launches
        launches += "here" in text
        if launches == 2 and "here" in text:
            if kind == "lent":
                array.tensor.data = second.ctypes.data
            else:
                array.dtype = np.int64
    monkeypatch.setattr(sys.stdout, "write", told)
    for _ in range(2):
        bound(array)
    for _ in range(OFTEN):
        bound(array)
    if kind == "numpy":
        assert array[0] == np.float64(2).view(np.int64) + OFTEN
    else:
        assert (first[0], second[0]) == (2, OFTEN)


def test_keywords_and_defaults():
    bound, out, x = describe[1, 1], np.zeros(6), np.arange(3.0)
    for n in (1, 1, 1, 1, 2, 2, 2, 1):
        bound(scale=2.0, x=x, n=n, out=out)
        assert out.tolist() == [3, 1, 0, n, 2, 1]


def test_buffers_in_turn():
    @device.kernel
    def step(old, new):
        new[0] = old[0] + 1
    a, b, bound = np.zeros(1, np.int32), np.zeros(1, np.int32), step[1, 1]
    for _ in range(300):
        bound(a, b)
        a, b = b, a
    assert a[0] == 300


def test_threads_with_arrays_of_their_own():
    bound, wrong = describe[1, 1], []

    def work(size):
        x, out = np.full(size, float(size)), np.zeros(6)
        for turn in range(400):
            for _ in range(1 + turn % 3):
                bound(x, out, size, 0.5)
            if out.tolist() != [size, 1, size, size, 0.5, 1]:
                wrong.append((size, out.tolist()))
            out[:] = 0
    threads = [threading.Thread(target=work, args=(size,)) for size in range(1, 9)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_a_launch_inside_the_end_of_a_launch():
    """What a number's end runs may launch the same Bound."""
    @device.kernel
    def put(out, value: device.float64):
        out[0] = value
    bound, out = put[1, 1], np.zeros(1)

    class Late:
        def __del__(self):
            bound(out, 7.0)
    for turn in range(200):
        late = Late()
        late.itself = late
        bound(out, float(turn))
        del late
        if turn % 20 == 0:
            gc.collect()
            assert out[0] == 7


def test_two_take_turns():
    """Two readings are kept: whichever of them comes is told from the other and from a third."""
    bound, out = describe[1, 1], np.zeros(6)
    arrays = [np.arange(4.0), np.arange(5, 11, dtype=np.int32), np.arange(8.0)[::2]]
    expected = [[4, 1, 0, 3, 0.5, 1], [6, 1, 5, 3, 0.5, 1], [4, 2, 0, 3, 0.5, 1]]
    for turn in range(3 * OFTEN):
        for i in (0, 1):
            assert once(bound, out, arrays[i], 3, 0.5) == expected[i]
        if turn % 3 == 0:
            assert once(bound, out, arrays[2], 3, 0.5) == expected[2]
    arrays[0][0] = 7
    assert once(bound, out, arrays[0], 3, 0.5) == [4, 1, 7, 3, 0.5, 1]


WHERE = ["cpu", "emu:sm_90", "emu:gfx942"]


@pytest.mark.parametrize("where", WHERE)
def test_arrays_of_ours(where):
    """Views, other memory at the same place, other devices: each is seen."""
    bound = describe[1, 1]

    def now(x):
        out = device.zeros(6, np.float64, where)
        for _ in range(OFTEN):
            bound(x, out, 3, 0.5)
        return device.to_numpy(out).tolist()

    x = device.array(np.arange(24.0), where)
    assert now(x) == [24, 1, 0, 3, 0.5, 1]
    assert now(x[::2]) == [12, 2, 0, 3, 0.5, 1]
    assert now(x[3:]) == [21, 1, 3, 3, 0.5, 1]
    x[0] = 9
    assert now(x) == [24, 1, 9, 3, 0.5, 1]
    del x
    gc.collect()
    assert now(device.array(np.full(24, 5, np.int64), where)) == [24, 1, 5, 3, 0.5, 1]
    elsewhere = device.array(np.arange(24.0), next(other for other in WHERE if other != where))
    with pytest.raises(ValueError, match="is on "):
        now(elsewhere)


@pytest.mark.parametrize("where", WHERE)
def test_arrays_of_ours_go_on_loan_each_time(where):
    """An array that ends after its launch stays until that is done, also when its arguments were kept."""
    @device.kernel
    def add(x, y):
        i = device.tid(1)
        y[i] += x[i]

    y = device.zeros(64, np.float64, where)
    for i in range(3 * OFTEN):
        add[1, 64](device.full(64, float(i), np.float64, where), y)
    assert device.to_numpy(y).tolist() == [float(sum(range(3 * OFTEN)))] * 64
    held = device.memory.info(where)["arrays"]
    for _ in range(200):
        add[1, 64](y, y)
    device.synchronize(where)
    assert device.memory.info(where)["arrays"] <= held


def test_a_geometry_that_does_not_fit_is_told_each_time():
    x = np.zeros(4)

    @device.kernel
    def nothing(x):
        pass

    for _ in range(OFTEN):
        nothing[1, 4](x)
        with pytest.raises(ValueError, match="threads"):
            nothing[1, 5000](x)
        nothing[2, 4](x)

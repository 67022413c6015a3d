"""Arrays of our own on the CPU: made, indexed, stored to, shared with others, where there is no NumPy too."""

import array
import ctypes
import gc
import os
import subprocess
import sys
import weakref

import pytest

from hetjit import device

WITHOUT_NUMPY = """
import array, sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "ml_dtypes"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuses())
from hetjit import device

@device.kernel
def add(x, n):
    i = device.tid(1)
    if i < len(x):
        x[i] += n

@device.struct
class Body:
    mass: device.float32
    at: device.float32x3

@device.kernel
def heavier(bodies):
    body = bodies[device.tid(1)]
    bodies[device.tid(1)] = body.replace(mass=body.mass * 2)

x = device.zeros(5, device.float32)
add[1, 8](x, 2.5)
add[1, 8](x[::2], 1)
assert x.tolist() == [3.5, 2.5, 3.5, 2.5, 3.5] and list(x) == x.tolist() and x[-1] == 3.5 and len(x) == 5
x[1:3] = (7, 8)
x[0] = -1
x[:0] = range(0)
assert memoryview(x).tolist() == [-1, 7, 8, 2.5, 3.5] and bytes(x[1:2]) == bytes(array.array("f", [7]))
copied = array.array("f", bytes(20))
x.copy_to(copied)
assert copied.tolist() == x.tolist()
x.copy_from(array.array("f", range(5)))
assert x.tolist() == [0, 1, 2, 3, 4]

table = device.array([[1, 2, 3], [4, 5, 6]])
assert (table.shape, table.dtype, table.size, table.nbytes) == ((2, 3), device.int64, 6, 48) and table[1, ::-1].tolist() == [6, 5, 4]
assert repr(table) == "DeviceArray((2, 3), int64, 'cpu')"
for made, of in ((device.array([True, False]), device.bool_), (device.array(range(3)), device.int64), (device.array([1, 2.5]), device.float64),
                 (device.array([1j, 2]), device.complex128), (device.array([]), device.float64), (device.array(7), device.int64),
                 (device.full((2, 2), 1.5, device.bfloat16), device.bfloat16), (device.ones(3, "float8e4m3"), device.float8e4m3),
                 (device.ones(2, bool), device.bool_), (device.empty((2, 0), int), device.int64), (device.array(b"abc"), device.uint8)):
    assert made.dtype == of, made
assert device.full(2, 1.5, device.bfloat16).tolist() == [1.5, 1.5] and device.array(7).tolist() == 7

bodies = device.array([(1, (1, 2, 3)), (2, (4, 5, 6))], dtype=Body)
heavier[1, 2](bodies)
assert bodies.tolist() == [(2, (1, 2, 3)), (4, (4, 5, 6))] and bodies[1] == (4, (4, 5, 6))

shared = array.array("d", [1, 2, 3])
add[1, 8](device.asarray(shared), 1)
assert shared.tolist() == [2, 3, 4] and device.asarray(table) is table
add[1, 8](device.asarray(bytearray(3)), 1)

import pickle
assert pickle.loads(pickle.dumps(table[:, 1:])).tolist() == [[2, 3], [5, 6]]
assert "numpy" not in sys.modules
"""


def test_where_numpy_cannot_be_imported(tmp_path):
    (tmp_path / "program.py").write_text(WITHOUT_NUMPY)
    done = subprocess.run([sys.executable, "-W", "error", str(tmp_path / "program.py")], capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr


@device.struct
class Point:
    x: device.float32
    y: device.int32


@device.struct
class Other:
    cls: device.float32  # a name as good as others


def endless():
    found = []
    found.append(found)
    return found


def doubled(times):
    found = [1.0]
    for _ in range(times):
        found = [found, found]
    return found


def numpy():
    return pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


MISTAKES = {
    "too large": (lambda: device.array([1, 300], dtype=device.uint8), OverflowError, r"value\[1\] is 300, which does not fit uint8"),
    "no integer": (lambda: device.array([1.5], dtype=device.int32), TypeError, r"value\[0\] is a float; its type is device.int32"),
    "ragged": (lambda: device.array([[1, 2], [3]]), ValueError, r"value\[1\] has 1 items where 2 are needed"),
    "ragged deeper": (lambda: device.array([[1, 2], 3]), ValueError, r"value\[1\] is an int where a list of 2 is needed"),
    "no numbers": (lambda: device.array(["a"]), TypeError, "an array is made of numbers, not of str"),
    "no type": (lambda: device.zeros(3, list), TypeError, "list is no type that device code has"),
    "no name": (lambda: device.zeros(3, "float77"), ValueError, "no number format is called float77"),
    "negative": (lambda: device.zeros(-1, int), ValueError, "no array has an extent of -1"),
    "huge": (lambda: device.empty((2**40, 2**40), int), ValueError, r"more than 2\*\*63 bytes"),
    "many axes": (lambda: device.zeros((1,) * 9, int), ValueError, "at most 8 dimensions, not 9"),
    "outside": (lambda: device.zeros(3, int)[3], IndexError, "index 3 is out of bounds for axis 0 with 3 elements"),
    "outside, below": (lambda: device.zeros((2, 3), int)[0, -4], IndexError, "index -4 is out of bounds for axis 1 with 3 elements"),
    "too many": (lambda: device.zeros(3, int)[0, 0], IndexError, "2 indices for an array with 1 axes"),
    "two dots": (lambda: device.zeros((3, 3), int)[..., 0, ...], IndexError, r"one \.\.\. at most"),
    "by a float": (lambda: device.zeros(3, int)[1.0], TypeError, "indexed with ints, slices, ... and None, not float"),
    "by a text": (lambda: device.zeros(3, int)["a"], TypeError, "and None, not str$"),
    "by NumPy's array": (lambda: device.zeros(3, int)[numpy().array([1, 2])], TypeError, "not ndarray: what chooses elements by other arrays is a kernel"),
    "by a mask": (lambda: device.zeros(3, int)[numpy().array([True, False, True])], TypeError, "not ndarray: what chooses elements"),
    "by NumPy's truth": (lambda: device.zeros(3, int)[numpy().True_], TypeError, "not bool"),
    "lists in themselves": (lambda: device.array(endless()), ValueError, "at most 8 axes"),
    "lists in themselves, of a type": (lambda: device.array(endless(), dtype=int), ValueError, "at most 8 axes"),
    "lists that share lists": (lambda: device.array(doubled(40)), ValueError, "at most 8 axes"),
    "structs of two types": (lambda: numpy() and device.array([Point(1, 2), Other(3)]), TypeError, "have one type, and these are Point and Other"),
    "structs and numbers": (lambda: numpy() and device.array([3, Point(1, 2)]), TypeError, "have one type, and these are Point and int"),
    "parts without a size": (lambda: device.zeros(2, tuple[int, float]), TypeError, r"tuple\[int, float\], whose numbers have no size"),
    "a vector of floats": (lambda: numpy() and device.full(2, device.float32x3(1, 2, 3), device.float32), TypeError, "the array's elements are device.float32"),
    "a type for a device": (lambda: device.zeros(2, int, float), TypeError, "not type: a type of elements is dtype="),
    "a format for a device": (lambda: device.array([1], device.float32), TypeError, "not DType: a type of elements is dtype="),
    "by a bool": (lambda: device.zeros(3, int)[True], TypeError, "not bool"),
    "by a list": (lambda: device.zeros(3, int)[[0, 1]], TypeError, "not list"),
    "other shape": (lambda: device.zeros((2, 3), int).copy_from(device.zeros((3, 2), int)), ValueError, r"of shape \(3, 2\) cannot be copied to one of shape \(2, 3\)"),
    "one too few": (lambda: device.zeros(3, int).copy_from([1, 2]), ValueError, "has 2 items where 3 are needed"),
    "to a list": (lambda: device.zeros(3, int).copy_to([0, 0, 0]), TypeError, "a DeviceArray or a buffer of the host, not list"),
    "to what is read": (lambda: device.zeros(3, "int8").copy_to(b"abc"), BufferError, "may only be read"),
    "into what is read": (lambda: device.asarray(b"abc").fill(1), BufferError, "may only be read"),
    "buffer of text": (lambda: device.asarray(array.array("u", "abc")), TypeError, "a buffer of format '.'"),
    "format of none": (lambda: memoryview(device.zeros(3, device.bfloat16)), BufferError, "no format for elements of type bfloat16"),
    "no device": (lambda: device.zeros(3, int, "gpu"), ValueError, "'gpu' is no device"),
    "too few for a shape": (lambda: device.zeros((2, 3), int).reshape(4, 2), ValueError, r"6 elements do not make an array of shape \(4, 2\)"),
    "no number of rows": (lambda: device.zeros((2, 3), int).reshape(-1, 4), ValueError, r"6 elements do not make an array of shape \(-1, 4\)"),
    "any number of rows": (lambda: device.zeros((0, 3), int).reshape(-1, 0), ValueError, "0 elements do not make"),
    "two unknown": (lambda: device.zeros((2, 2), int).reshape(-1, -1), ValueError, "4 elements do not make"),
    "negative twice": (lambda: device.zeros((2, 3), int).reshape(-2, -3), ValueError, "6 elements do not make"),
    "shape of a view": (lambda: device.zeros((2, 3), int).T.reshape(6), ValueError, r"C order have no other shape: x\.copy\(\)"),
    "shape of a float": (lambda: device.zeros(4, int).reshape(2.0, 2), TypeError, "a shape is an int or a tuple of ints"),
    "as of NumPy": (lambda: device.zeros(3, int).sum(), AttributeError, r"no attribute 'sum': kernels work .* x\.copy_to_host\(\) is a NumPy array"),
    "length": (lambda: len(device.array(1)), TypeError, "without dimensions"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake):
    wrong, kind, text = MISTAKES[mistake]
    with pytest.raises(kind, match=text):
        wrong()


def test_structs_and_vectors_say_what_they_are():
    numpy()  # whose scalars the numbers of a fixed format are
    assert Other(cls=2) == Other(2) and Other(2).replace(cls=3).cls == 3
    for made in (device.array([Point(1, 2), Point(3, 4)]), device.array([[Point(1, 2)], [Point(3, 4)]]).reshape(2)):
        assert made.tolist() == [(1, 2), (3, 4)] and made.shape == (2,), made
    assert device.array(Point(1, 2)).tolist() == (1, 2) and device.full(2, Point(1, 2)).tolist() == [(1, 2)] * 2
    vectors = device.array([device.float32x3(1, 2, 3), device.float32x3(4, 5, 6)])
    assert vectors.shape == (2,) and vectors.tolist() == [(1, 2, 3), (4, 5, 6)] and vectors[0] == (1, 2, 3)


def test_views_share_one_memory_as_long_as_one_lives():
    x = device.array(range(10))
    part = x[2:8][::-2][1:]
    assert part.tolist() == [5, 3] and part.address == x.address + 5 * 8 and part.strides == (-2,)
    ended = weakref.ref(x)
    del x
    gc.collect()
    assert ended() is not None and part.tolist() == [5, 3]
    del part
    gc.collect()
    assert ended() is None


@pytest.mark.parametrize("code, name", [("f4", "float32"), ("<f8", "float64"), ("f2", "float16"), ("i1", "int8"), ("<u2", "uint16"), ("|u1", "uint8"), ("c16", "complex128"),
                                        ("?", "bool"), ("b1", "bool"), ("bool", "bool"), ("float64", "float64")])
def test_formats_by_numpys_codes(code, name):
    assert device.zeros(2, code).format == name


@pytest.mark.parametrize("code", ["f1", "f16", "c4", ">f4", "f", "i3", "x4", "f04", ""])
def test_codes_that_are_none(code):
    with pytest.raises(ValueError, match="no number format is called"):
        device.zeros(2, code)


def test_other_shapes():
    x = device.array(range(24)).reshape(2, 3, -1)
    assert x.shape == (2, 3, 4) and x.tolist() == [[[12 * i + 4 * j + k for k in range(4)] for j in range(3)] for i in range(2)]
    turned = x.T
    assert turned.shape == (4, 3, 2) and turned[1, 2].tolist() == [9, 21] and turned.T.contiguous
    turned[0, 0, 0] = -1
    copied = turned.copy()
    copied[0, 0, 0] = 5
    assert x[0, 0, 0] == -1 and copied.contiguous and copied[1:].tolist() == turned[1:].tolist()
    assert x.reshape(24)[23] == x.reshape((4, 6))[3, 5] == x[1].reshape([12])[-1] == 23
    assert device.array(7).reshape(1, 1).tolist() == [[7]] and device.array([7]).reshape(()).tolist() == device.array(7).T.tolist() == 7
    assert device.zeros((0, 3), int).reshape(3, -1).shape == (3, 0) and device.zeros((2, 0), int).T.shape == (0, 2)


def test_overlapping_parts():
    x = device.array(range(6))
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3, 4]
    x[:] = x[::-1]
    assert x.tolist() == [4, 3, 2, 1, 0, 0]
    x[:-1] = memoryview(x)[1:]
    assert x.tolist() == [3, 2, 1, 0, 0, 0]


def test_lent_buffers_are_held():
    memory = bytearray(8)
    x = device.asarray(memory)
    with pytest.raises(BufferError):
        memory.append(0)
    part = x[4:]
    del x
    part[0] = 9
    assert memory[4] == 9
    with pytest.raises(BufferError):
        memory.append(0)
    del part
    gc.collect()
    memory.append(0)


def test_addresses_of_views():
    from hetjit.types import Pointer
    x = device.array(range(6))
    assert int(Pointer(x[2:4])) == x.address + 16
    with pytest.raises(ValueError, match="an address says nothing of strides"):
        Pointer(x[::2])


def test_memory_that_another_object_keeps():
    class Keeper:
        memory = (ctypes.c_int64 * 4)(1, 2, 3, 4)
    keeper = Keeper()
    address, ended = ctypes.addressof(keeper.memory), weakref.ref(keeper)
    x = device.DeviceArray.at(address, keeper, (4,), "int64", "cpu", True)
    part = x[1:]
    assert (x.address, part.address) == (address, address + 8) and memoryview(part).tolist() == [2, 3, 4]
    capsule = part[1:].__dlpack__()
    del x, part, keeper
    gc.collect()
    assert ended() is not None
    del capsule
    gc.collect()
    assert ended() is None


def test_a_buffer_that_lies_anywhere():
    """Files and messages have numbers at odd places."""
    @device.kernel
    def double(x):
        x[device.tid(1)] *= 2
    memory = bytearray(b"." + array.array("d", [1, 2, 3]).tobytes())
    x = device.asarray(memoryview(memory)[1:].cast("d"))
    double[1, 3](x)
    double[1, 2](x[1:])
    assert x.tolist() == [2, 8, 12] and array.array("d", bytes(memory[1:])).tolist() == [2, 8, 12]


def test_capsules():
    x = device.array([[1, 2], [3, 4]])
    ended = weakref.ref(x)
    for versioned in (True, False):
        capsule = x.__dlpack__(max_version=(1, 0) if versioned else None)
        ctypes.pythonapi.PyCapsule_GetName.restype = ctypes.c_char_p
        assert ctypes.pythonapi.PyCapsule_GetName(ctypes.py_object(capsule)) == (b"dltensor_versioned" if versioned else b"dltensor")
    del x
    assert ended() is not None
    del capsule
    gc.collect()
    assert ended() is None
    with pytest.raises(BufferError, match="which needs DLPack 1.0 to say"):
        device.asarray(b"abc").__dlpack__()


class TestWithNumpy:
    """The same memory, or elements, on the other side."""

    @pytest.fixture(autouse=True)
    def needs_numpy(self):
        self.np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

    @pytest.mark.parametrize("of", device.types.FORMATS, ids=lambda of: of.name)
    def test_of_every_format(self, of):
        if of._ml_dtypes_name:
            pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
        x = device.array([[0, 1, 2], [3, 4, 5]] if of.name != "bool" else [[False, True, False]] * 2, dtype=of)
        there = self.np.asarray(x)
        assert there.dtype == of and there.tolist() == x.tolist()
        there[0, 1] = 0
        assert not x[0, 1] and self.np.asarray(x[:, ::-2]).tolist() == there[:, ::-2].tolist() == x[:, ::-2].tolist()
        back = device.array(there.T)
        assert back.dtype == of and back.tolist() == there.T.tolist()
        assert device.asarray(there).address == x.address and device.to_numpy(x).ctypes.data != x.address

    def test_by_dlpack(self):
        x = device.array([[1, 2, 3], [4, 5, 6]], dtype=device.float32)
        there = self.np.from_dlpack(x[:, 1:])
        there[1, 0] = 9
        assert x.tolist() == [[1, 2, 3], [4, 9, 6]]
        del there
        with pytest.raises(BufferError, match="device.array"):
            x.__dlpack__(dl_device=(2, 0))

    def test_read_only(self):
        frozen = self.np.arange(3)
        frozen.flags.writeable = False
        x = device.asarray(frozen)
        assert not x.writable and not self.np.asarray(x).flags.writeable and device.array(frozen).writable

    def test_parts_of_numpys_arrays(self):
        source = self.np.arange(12.0).reshape(3, 4)
        x = device.zeros((3, 2), float)
        x.copy_from(source[:, ::2])
        assert x.tolist() == source[:, ::2].tolist()
        target = self.np.zeros((3, 2))
        x.copy_to(target)
        assert (target == source[:, ::2]).all()
        assert device.array(source, dtype=device.int32).dtype == device.int32 and device.array(source.astype("i4"), dtype=device.float16)[2, 3] == 11
        x.fill(5)
        x.copy_to(source[::-1, 1::2])
        assert (source[:, 1::2] == 5).all() and source[0, 0] == 0

    @pytest.mark.parametrize("of", ("float64", "float32", "int16", "uint8", "complex64", "float16"))
    def test_asarray_shares_whatever_the_strides(self, of):
        whole = self.np.arange(120).reshape(2, 3, 4, 5).astype(of)
        views = [whole, whole.T, whole[::-1], whole[:, ::2, ::-1], whole[..., ::-2], whole[1, 2, ::-1, ::-1], whole.transpose(2, 0, 3, 1)[1:, ::-1],
                 whole[:, 1:2], whole[:0], whole[0, 0, 0, 0, ...], self.np.asfortranarray(whole), self.np.broadcast_to(whole[0, 0, 0], (3, 5))]
        for view in views:
            x = device.asarray(view)
            assert x.shape == view.shape and x.tolist() == view.tolist() and x.writable == view.flags.writeable
            if x.size and x.writable:
                x[(0,) * x.ndim] = 7
                x[(-1,) * x.ndim] = 9
                assert view[(-1,) * x.ndim] == 9 and (x.size == 1 or view[(0,) * x.ndim] == 7)
        assert device.asarray(memoryview(bytearray(range(10)))[::-3]).tolist() == [9, 6, 3, 0]

    def test_asarray_of_packed_records(self):
        packed = self.np.zeros(3, [("tag", "u1"), ("value", "f4")])["value"]
        with pytest.raises(BufferError, match=r"elements of 4 bytes that lie \(5,\) bytes apart.*device.array"):
            device.asarray(packed)
        assert device.array(packed).tolist() == [0, 0, 0]

    @pytest.mark.parametrize("source", ([1, 2, 3, 4], [[1], [2], [3]], [[1, 2, 3, 4]], [5], 5, range(4)), ids=str)
    def test_what_is_stored_is_repeated_as_numpys(self, source):
        there = self.np.zeros((3, 4), "f4")
        there[...] = source
        for one in (source, self.np.array(source), self.np.array(source, "f4"), device.array(source, "cpu")):
            x = device.zeros((3, 4), "f4")
            x[...] = one
            assert x.tolist() == there.tolist()
            assert isinstance(one, range) or device.full((3, 4), one, "f4").tolist() == there.tolist()
        with pytest.raises(ValueError, match=r"of shape \(4,\) cannot be copied to one of shape \(4, 3\)"):
            device.zeros((4, 3), "f4")[...] = self.np.arange(4)

    def test_formats_in_numpys_spelling(self):
        assert device.float32 == "float32" and "float32" == device.float32 and device.float32 != "float64"
        for dtype in (self.np.float32, self.np.dtype("f4"), "float32", device.float32):
            x = device.zeros(3, dtype)
            assert x.dtype == device.float32 and x.dtype == self.np.float32 and x.dtype == self.np.dtype("f4")

    @pytest.mark.parametrize("numbers, dtype", [([300, -1], "uint8"), ([1.5], "int32"), ([float("nan")], "int32"), ([2**40], "int32"),
                                                ([1 + 2j], "float32"), ([1e300], "float32")])
    @pytest.mark.parametrize("make", (device.array, device.asarray))
    def test_numbers_that_do_not_fit_are_refused_as_lists_are(self, make, numbers, dtype):
        def outcome(given):
            try:
                return make(given, "cpu", dtype).tolist()
            except (TypeError, OverflowError, ValueError) as error:
                return type(error)
        assert outcome(self.np.array(numbers)) == outcome(numbers)

    def test_numbers_that_fit_are_converted(self):
        np = self.np
        assert device.array(np.arange(4.0), "cpu", "float16").tolist() == [0, 1, 2, 3]
        assert device.array(np.array([1, 255]), "cpu", "uint8").tolist() == device.array(np.array([1.0, 255]), "cpu", "uint8").tolist() == [1, 255]
        assert device.array(np.array([np.inf, 0.1]), "cpu", "float32").tolist() == [np.inf, float(np.float32(0.1))]


def test_an_array_of_one_element_is_a_number():
    text = device.array(list(b"1e3"), "cpu", "uint8")
    assert int(device.array(53, "cpu", "uint8")) == 53 and float(device.array([2.5], "cpu")) == 2.5
    assert complex(device.array(2j, "cpu")) == 2j
    for convert in (int, float, complex):
        with pytest.raises(TypeError, match=r"shape \(3,\) is no number"):
            convert(text)


def test_parts_that_cannot_be():
    x = device.zeros(4, device.int32, "cpu")
    for offset, shape, strides in ((0, (-5,), (0,)), (0, (2**62 + 1,), (4,)), (2**62, (1,), (1,)), (0, (2**40, 2**40), (0, 0)), (0, (2,), (2**63 - 1,))):
        with pytest.raises((ValueError, IndexError)):
            x.part(offset, shape, strides)


OUT_OF_MEMORY = """
import resource
from hetjit import device
x = device.zeros(50_000_000, device.float32, "cpu")
resource.setrlimit(resource.RLIMIT_AS, (int(open("/proc/self/statm").read().split()[0]) * 4096 + 100_000_000,) * 2)
for use in (lambda: x.fill(1), lambda: x.tolist(), lambda: x[::2].copy_out(bytearray(100))):
    try:
        use()
    except (MemoryError, ValueError):
        print("said")
"""


def test_too_little_memory_for_a_copy_is_said():
    done = subprocess.run([sys.executable, "-c", OUT_OF_MEMORY], capture_output=True, text=True)
    assert done.stdout.split() == ["said"] * 3, done.stderr


def test_arrays_of_devices_are_not_compared():
    a, b = device.array([1, 2], dtype=device.int32), device.array([1, 2], dtype=device.int32)
    assert a == a and hash(a) == hash(a) and a in [a]
    with pytest.raises(TypeError, match=r"compare copies, \(a.copy_to_host\(\) == b.copy_to_host\(\)\).all\(\)"):
        a == b
    with pytest.raises(TypeError, match="test len"):
        bool(a)
    assert a != "a" and a is not None


def test_masked_arrays_are_refused():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    masked = np.ma.masked_array([1, 2], mask=[True, False])
    for make in (device.array, device.asarray):
        with pytest.raises(TypeError, match="a masked array has elements that are none: pass x.filled"):
            make(masked)


def test_elements_are_not_compared_with_numbers():
    x = device.array([1, 1, 1], "cpu")
    for other in (1, 1.0, True, [1, 1, 1], (1, 1, 1)):
        for compare in (lambda: x == other, lambda: x != other, lambda: other == x):
            with pytest.raises(TypeError, match="are not compared: .*a.copy_to_host"):
                compare()
    assert x == x and not x == None and x != "text" and 1 in x  # noqa: E711


@pytest.mark.parametrize("wrong", [None, device.float32[:]])
def test_what_no_element_can_be(wrong):
    for make in (device.zeros, device.empty, device.ones):
        with pytest.raises(TypeError, match="no element of an array is"):
            make(2, wrong, "cpu")


def test_formats_of_lists():
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    for source, format in (([], "float64"), ([[], []], "float64"), ([True], "bool"), ([True, 2], "int64"), ([numpy.float32(1), numpy.float32(2)], "float32"),
                           ([numpy.int8(1)], "int8"), ([[numpy.float32(1)], [2.5]], "float64")):
        assert device.array(source, "cpu").format == format, source
        assert device.array(source, "cpu").tolist() == source
    assert device.full(2, numpy.float32(2), device="cpu").format == "float32" and device.full(2, 2, device="cpu").format == "int64"


@pytest.mark.parametrize("format", ["float8e4m3", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz", "float16", "bfloat16"])
def test_infinities_become_the_same_from_everywhere(format):
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    values = [float("inf"), float("-inf"), 1.0, -0.5]
    there = device.zeros(4, format, "cpu")
    there.copy_from(numpy.array(values, numpy.float32))
    made = [device.array(values, "cpu", format), there, *(device.array(numpy.array(values, kind), "cpu", format) for kind in ("float32", "float64", "float16"))]
    assert all(one.tolist() == made[0].tolist() for one in made), [one.tolist() for one in made]


def test_what_is_too_large_for_an_8_bit_float_is_refused_from_everywhere():
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    for make in (list, numpy.array):
        assert device.array(make([450.0, float("nan")]), "cpu", "float8e4m3").tolist()[0] == 448.0
        with pytest.raises(OverflowError, match="464.0, which does not fit float8e4m3"):
            device.array(make([464.0]), "cpu", "float8e4m3")

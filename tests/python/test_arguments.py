"""Arguments of each kind reach the kernel as they are."""

import collections
import enum

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]


@device.kernel
def copy(x, y):
    i = device.tid(1)
    if i < len(y):
        y[i] = x[i]


@device.kernel
def store(x, value):
    x[0] = value


@device.kernel
def defaults(out, a, b=2, *, c=3, d=np.int64(2**40)):
    out[0] = a
    out[1] = b
    out[2] = c
    out[3] = d


@pytest.mark.row("HET-ARR-11")
@pytest.mark.parametrize("dtype", INTS + FLOATS + ["bool"])
def test_arrays_of_every_type(dtype):
    x = (np.arange(50) % 7).astype(dtype)
    y = np.zeros_like(x)
    copy[2, 32](x, y)
    assert (x == y).all()


@pytest.mark.parametrize("dtype", INTS + FLOATS)
def test_scalars_of_every_type(dtype):
    x = np.zeros(1, dtype)
    info = np.iinfo(dtype) if dtype in INTS else np.finfo(dtype)
    for value in (info.max, info.min, 0, 1):
        value = np.dtype(dtype).type(value)
        store[1, 1](x, value)
        assert x[0] == value


def test_small_floats():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    for kind in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fnuz,
                 ml_dtypes.float8_e5m2fnuz):
        x = np.arange(16).astype(kind)
        y = np.zeros_like(x)
        copy[1, 16](x, y)
        assert (x == y).all()
        store[1, 1](y, kind(3))
        assert y[0] == 3


def test_builtin_numbers():
    x = np.zeros(1, np.float64)
    for value in (0, -5, 2**31 - 1, -2**31, 0.5, True, False):
        store[1, 1](x, value)
        assert x[0] == value
    store[1, 1](x, 0.1)
    assert x[0] == np.float32(0.1)  # a builtin float is a float32 in device code
    store[1, 1](x, np.float64(0.1))
    assert x[0] == 0.1              # numpy.float64 is a float too, but a fixed format


def test_subclasses_of_numbers():
    class Colour(enum.IntEnum):
        RED = 4

    class Meters(float):
        pass
    x = np.zeros(1)
    store[1, 1](x, Colour.RED)
    assert x[0] == 4
    store[1, 1](x, Meters(1.5))
    assert x[0] == 1.5


@pytest.mark.row("HET-ARR-5")
def test_strides():
    x = np.arange(64, dtype=np.int32)
    for view in (x[::2], x[::-1], x[::-3], np.broadcast_to(x[5], (10,)), x.reshape(8, 8)[:, 3], x.reshape(8, 8).T[2]):
        y = np.zeros(len(view), np.int32)
        copy[2, 64](view, y)
        assert (y == view).all()


def test_subclasses_of_ndarray(tmp_path):
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=(20,))
    copy[1, 32](np.arange(20, dtype=np.float32), mapped)
    assert (np.asarray(mapped) == np.arange(20)).all()

    class Mine(np.ndarray):
        pass
    x = np.arange(20, dtype=np.float32).view(Mine)
    y = np.zeros(20, np.float32)
    copy[1, 32](x, y)
    assert (x == y).all()
    assert copy.specializations >= 1


def test_empty_and_zero_dimensional_arrays():
    copy[1, 32](np.zeros(0, np.float32), np.zeros(0, np.float32))
    x = np.array(5, np.int32)

    @device.kernel
    def bump(x):
        x[()] = x[()] + 1
    bump[1, 1](x)
    assert x == 6


def test_positions_keywords_defaults():
    out = np.zeros(4, np.int64)
    defaults[1, 1](out, 1)
    assert out.tolist() == [1, 2, 3, 2**40]
    defaults[1, 1](out, b=20, a=10, d=4)
    assert out.tolist() == [10, 20, 3, 4]
    defaults[1, 1](a=0, out=out, **{"c": 7, "d": 8})
    assert out.tolist() == [0, 2, 7, 8]
    defaults[1, 1](*(out, 5, 6))
    assert out.tolist() == [5, 6, 3, 2**40]


def test_keyword_names_need_not_be_interned():
    out = np.zeros(4, np.int64)
    name = "".join(["o", "ut"])
    assert name is not "out"[:] or True
    defaults[1, 1](**{name: out, "".join("a"): 9})
    assert out[0] == 9


def test_none():
    @device.kernel
    def maybe(x, y):
        if y is None:
            x[0] = 1
        else:
            x[0] = 2
    x = np.zeros(1)
    maybe[1, 1](x, None)
    assert x[0] == 1
    maybe[1, 1](x, 5)
    assert x[0] == 2


def words(*arguments):
    """How often `kernel` was compiled for these arguments, each a tuple."""
    @device.kernel
    def kernel(x):
        pass
    for argument in arguments:
        kernel.on("null")[1, 1](argument)
    return kernel.on("null").specializations


def test_what_a_specialisation_depends_on():
    x = np.zeros((4, 4), np.float32)
    read_only = np.zeros((9, 9), np.float32)
    read_only.flags.writeable = False
    assert words(x, x[1:], np.zeros((1, 7), np.float32), x[:1, ::2].copy()) == 1
    assert words(x, x.T, x[:, 1:], x[::-1]) == 2           # contiguous or not
    assert words(x, read_only) == 2
    assert words(x, x[0], x[0, 0:1, None, None]) == 3      # rank
    huge = np.lib.stride_tricks.as_strided(x, (2**20, 2**12), (0, 4))
    far = np.lib.stride_tricks.as_strided(x, (2, 4), (2**40, 4))
    assert words(x.T, huge) == 1                           # all offsets fit 32 bits
    assert words(x.T, far) == 2
    assert words(x[:1], np.lib.stride_tricks.as_strided(x, (1, 4), (4000, 4))) == 1  # one element's stride says nothing


def test_scalars_that_are_zero_first():
    """A zero cannot show where a scalar's bytes are; the next one can."""
    x = np.zeros(1, np.float16)
    store[1, 1](x, np.float16(0))
    store[1, 1](x, np.float16(1.5))
    assert x[0] == 1.5


def test_interpreter_tools():
    def add(a, b):
        return a + b, a > b
    text = _core.capture(add)
    assert _core.call(text, (np.int64(2**40), np.int64(1))) == (2**40 + 1, True)
    assert _core.call(text, (1, 2)) == (3, False)
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    _core.interpret(_core.capture(copy.underlying), (x, y), 1, (8,))
    assert (x == y).all()
    with pytest.raises(ValueError, match="snapshot"):
        _core.call("nonsense", ())
    with pytest.raises(device.CompileError):
        _core.call(text, (x, y))


def test_compile_and_show_tools():
    image = _core.compile(_core.capture(copy.underlying), "(float32[::1], float32[::1])", "cuda:sm_90")
    assert image["kind"] == "ptx" and b".entry copy" in image["code"] and image["entry"] == "copy"
    assert image["parameter_bytes"] == 48 and image["target"] == "cuda:sm_90"
    assert {"build", "specialize", "passes", "lower", "emit"} <= image["timings"].keys()
    text = _core.capture(copy.underlying)
    shown = {phase: _core.show(text, phase, "(float32[::1], float32[::1])")
             for phase in ("bytecode", "ssa", "typed", "optimized", "llvm", "host")}
    assert all(shown.values()) and len(set(shown.values())) >= 5
    with pytest.raises(ValueError, match="no phase is called 'tokens'"):
        _core.show(text, "tokens", "()")
    with pytest.raises(ValueError):
        _core.show(text, "typed", "(float31)")
    with pytest.raises(ValueError):
        _core.compile(text, "(float32[::1], float32[::1])", "toaster")
    codes = _core.diagnostic_codes()
    assert codes["E0202"] == "TypesDisagree"


def test_named_tuples_are_not_arrays():
    Point = collections.namedtuple("Point", "x y")
    with pytest.raises(device.CompileError, match="the items of tuple.int, int. cannot be assigned"):
        store[1, 1](Point(1, 2), 1)


@pytest.mark.parametrize("entry, value, said", [
    ("typestr", 4, "has elements of type 4"), ("typestr", "\ud800", "has elements of type"), ("typestr", "<", "has elements of type <"),
    ("data", (1,), "is incomplete: it needs"), ("data", ("a", False), "is incomplete: it needs"), ("data", 5, "is incomplete: it needs"),
    ("version", "x", "'version' of its __cuda_array_interface__ is a str"), ("stream", "a", "'stream' of its __cuda_array_interface__ is a str")])
def test_entries_of_an_interface_that_are_of_another_type(entry, value, said):
    class Producer:
        __cuda_array_interface__ = {"shape": (3,), "typestr": "<f4", "data": (0x1000, False), "version": 3} | {entry: value}

    @device.kernel
    def kernel(x):
        x[0] = 1
    with pytest.raises(BufferError, match=f"argument 'x'.*{said}"):
        kernel[1, 1](Producer())


def test_what_else_an_interface_says():
    """Entries that nobody knows, and None, are as if they were not there."""
    class Producer:
        __cuda_array_interface__ = {"\ud800": 1, 5: 6, "mask": None, "strides": None, "descr": [("", "<f4")],
                                    "shape": (3,), "typestr": "<f4", "data": (0x1000, False), "version": 2}

    @device.kernel
    def kernel(x):
        x[0] = 1
    kernel.on("null")[1, 1](Producer())


@pytest.mark.parametrize("told", [3, None, (0,), ("a", "b"), (0, "x"), (0, 2.5), (0, 1, 2)])
def test_streams_whose_protocol_says_something_else(told):
    class Stream:
        def __cuda_stream__(self):
            return told

    @device.kernel
    def kernel(x):
        x[0] = 1
    with pytest.raises(TypeError, match="^__cuda_stream__ of a .*Stream is .*, not a version and a handle"):
        kernel[1, 1, Stream()]


@pytest.mark.parametrize("handle", [0, 1, 2])
def test_default_streams_by_their_drivers_names(handle):
    """1 is the legacy default stream, 2 the thread's: a machine in a GPU's place takes them, too."""
    @device.kernel
    def kernel(x):
        x[0] += 1
    x = device.array(np.ones(3), "emu:sm_90")
    kernel[1, 1, handle](x)
    device.synchronize("emu:sm_90", handle)
    assert device.to_numpy(x)[0] == 2

"""Numbers as the user meets them: formats by name on the host, numbers as 0-d arrays, ranges and literals. HET-NUM, HET-FIX."""

import math

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

INTEGERS = {"int8": (-128, 127), "int16": (-2**15, 2**15 - 1), "int32": (-2**31, 2**31 - 1), "int64": (-2**63, 2**63 - 1),
            "uint8": (0, 255), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1), "uint64": (0, 2**64 - 1)}
NUMPY = [*INTEGERS, "float16", "float32", "float64", "complex64", "complex128", "bool_"]


def run(function, *arguments):
    """A device function by the interpreter: Python's own number."""
    return _core.call(_core.capture(function), arguments)


def ml_dtypes():
    return pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")


# ---- on the host

@pytest.mark.row("HET-FIX-1", "HET-FIX-2", "HET-FIX-3")
def test_a_number_is_a_0_d_array():
    x = device.int16(3)
    assert (x.shape, x.ndim, x.size, x.dtype) == ((), 0, 1, device.int16)
    assert device.int16 == x.dtype and device.int16 != device.int32(3).dtype and device.int32(3).dtype != device.int16
    assert x[()] == x
    with pytest.raises(IndexError):
        x[0]
    y = device.float32(1)
    assert y.astype(device.float64).dtype == device.float64 and y.reshape((1,)).shape == (1,)
    assert y.view(device.uint32) == 0x3F800000
    for name in ("shape", "ndim", "size", "dtype", "T", "strides", "astype", "reshape", "view", "item", "real", "imag",
                 "conjugate", "itemsize", "nbytes"):
        assert hasattr(y, name)


@pytest.mark.row("HET-FIX-I8", "HET-FIX-I16", "HET-FIX-I32", "HET-FIX-I64", "HET-FIX-U8", "HET-FIX-U16", "HET-FIX-U32",
                 "HET-FIX-U64", "HET-FIX-5")
@pytest.mark.parametrize("name", INTEGERS)
def test_ranges_of_integers(name):
    kind, (low, high) = getattr(device, name), INTEGERS[name]
    assert int(kind(low)) == low and int(kind(high)) == high and kind(high).dtype == kind
    for value in (low - 1, high + 1, float(2**70)):
        with pytest.raises(OverflowError):
            kind(value)
    with pytest.raises(OverflowError):
        kind(math.inf)
    with pytest.raises(ValueError):
        kind(math.nan)
    assert kind.itemsize == kind.dtype.itemsize and kind.kind == "integer" and kind.signed == name.startswith("i")
    assert run(lambda x: x, kind(low)) == low and run(lambda x: x, kind(high)) == high


@pytest.mark.row("HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-BF16", "HET-FIX-4", "HET-FIX-5")
def test_small_floats_on_the_host():
    ml_dtypes()
    assert [device.float8e4m3(v).tobytes().hex() for v in (1, 448, math.nan, 1e9, -1e9, math.inf)] == [
        "38", "7e", "7f", "7e", "fe", "7e"]
    assert [device.float8e5m2(v).tobytes().hex() for v in (1, 57344, 1e9, -math.inf)] == ["3c", "7b", "7b", "fb"]
    assert device.bfloat16(1).tobytes() == b"\x80\x3f" and device.bfloat16(1.00390625).tobytes() == b"\x80\x3f"
    assert device.bfloat16(1.5).dtype == device.bfloat16 and device.bfloat16 == device.bfloat16(1.5).dtype
    assert device.float8e4m3(np.array([1e9, 1.0])).tobytes().hex() == "7e38"
    assert device.float16(1).tobytes() == b"\x00\x3c"
    for name in ("bfloat16", "float8e4m3", "float8e5m2"):
        assert device.finfo(getattr(device, name)).max > 0


@pytest.mark.row("HET-FIX-C64", "HET-FIX-C128", "HET-NUM-5")
def test_complex_numbers_on_the_host():
    assert device.complex64(1 + 2j) == 1 + 2j == device.complex128(1, 2)
    assert device.complex64(1, 2).dtype == device.complex64 and device.complex64.itemsize == 8
    with pytest.raises(TypeError):
        device.float32(1, 2)


def test_formats_by_name():
    assert {device.int16: 1}[np.dtype("int16")] == 1
    assert device.iinfo(device.int8).max == 127 and device.finfo(device.float32).eps == np.finfo(np.float32).eps


# ---- in compiled code

@pytest.mark.row("HET-NUM-3", "HET-NUM-6")
def test_builtin_numbers():
    assert run(lambda x: x + 1, 2**31 - 1) == -2**31
    assert run(lambda x: x, -2**31) == -2**31
    with pytest.raises(OverflowError):
        run(lambda x: x, 2**31)


@pytest.mark.row("HET-PROM-9")
def test_builtins_among_themselves():
    assert run(lambda a, b: (a // b, a % b, a / b, a**2), -7, 2) == (-4, 1, -3.5, 49)


@pytest.mark.row("HET-FIX-U32", "HET-FIX-U64", "HET-FIX-F16", "HET-FIX-F64", "HET-FIX-5")
def test_fixed_formats_compute_in_themselves():
    assert run(lambda x: x >> 31, np.uint32(2**31)) == 1
    assert run(lambda x: x // 2, np.uint64(2**64 - 1)) == 2**63 - 1
    assert run(lambda a, b: a + b, np.float16(2048), np.float16(1)) == 2048
    assert run(lambda x: x, np.float64(0.1)) == 0.1
    assert run(lambda x: device.int8(x), 300) == 44
    assert run(lambda x: device.uint8(x), -1.5) == 0 and run(lambda x: device.int8(x), 1e9) == 127
    assert run(lambda: device.int8(5)) == 5


# ---- layouts and parameters

@pytest.mark.row("HET-NUM-2", "HET-NUM-3", "HET-NUM-5", "HET-FIX-I8", "HET-FIX-I16", "HET-FIX-I32", "HET-FIX-I64", "HET-FIX-U8",
                 "HET-FIX-U16", "HET-FIX-U32", "HET-FIX-U64", "HET-FIX-F16", "HET-FIX-F32", "HET-FIX-F64", "HET-FIX-C64",
                 "HET-FIX-C128", "HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-BF16")
def test_sizes_and_alignments():
    for name in (*NUMPY, "bfloat16", "float8e4m3", "float8e5m2"):
        kind = getattr(device, name)
        assert device.abi(kind)[:2] == (kind.itemsize, kind.itemsize), name
    assert [device.abi(t)[:2] for t in (bool, int, float, complex)] == [(1, 1), (4, 4), (4, 4), (8, 8)]


@pytest.mark.row("HET-FIX-6", "HET-NUM-3")
def test_parameters_are_the_numbers_themselves():
    def kernel(a, b, c, out):
        out[0] = a + b + c

    text = device.emit(kernel, "(int16, int, float64, float64[:])", "cuda:sm_90", kernel=True)
    head = text[text.index(".entry"):text.index("{")]
    assert [word in head for word in (".u16", ".u32", ".f64")] == [True] * 3, head

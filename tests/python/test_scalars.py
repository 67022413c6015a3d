"""Numbers as the user meets them: formats by name on the host, numbers as 0-d arrays, ranges and literals. HET-NUM, HET-FIX."""

import math
import struct
import subprocess
import sys

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


@pytest.mark.row("HET-FIX-5")
@pytest.mark.parametrize("name", [
    pytest.param("int8", marks=pytest.mark.row("HET-FIX-I8")), pytest.param("uint8", marks=pytest.mark.row("HET-FIX-U8")),
    pytest.param("int16", marks=pytest.mark.row("HET-FIX-I16")), pytest.param("uint16", marks=pytest.mark.row("HET-FIX-U16")),
    pytest.param("int32", marks=pytest.mark.row("HET-FIX-I32")), pytest.param("uint32", marks=pytest.mark.row("HET-FIX-U32")),
    pytest.param("int64", marks=pytest.mark.row("HET-FIX-I64")), pytest.param("uint64", marks=pytest.mark.row("HET-FIX-U64"))])
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
    assert [device.float8e4m3fnuz(v).tobytes().hex() for v in (1, 240, -0.0, math.nan, 1e9, -math.inf)] == [
        "40", "7f", "00", "80", "7f", "ff"]
    assert [device.float8e5m2fnuz(v).tobytes().hex() for v in (1, 57344, -0.0, math.nan, -1e9)] == ["40", "7f", "00", "80", "ff"]
    for name in ("bfloat16", "float8e4m3", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"):
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
    assert device.isdtype(device.float32, "real floating") and not device.isdtype(device.float32, "integral")
    assert device.isdtype(np.dtype("uint8"), ("bool", "unsigned integer")) and device.isdtype(np.int8, device.int8)
    assert device.isdtype(device.complex64, "numeric") and not device.isdtype(device.bool_, "numeric")
    with pytest.raises(ValueError, match="the kinds are bool"):
        device.isdtype(device.int8, "whole")


# ---- in compiled code

@pytest.mark.row("HET-NUM-1", "HET-NUM-4", "HET-NUM-5", "HET-NUM-6", "HET-NUM-3")
def test_builtin_numbers():
    assert run(lambda: (True, 1, 1.5, 2j)) == (True, 1, 1.5, 2j)
    assert run(lambda x: x, 0.1) == struct.unpack("f", struct.pack("f", .1))[0]
    assert run(lambda z: z * z, 1 + 2j) == -3 + 4j
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


@pytest.mark.row("HET-FIX-2", "HET-FIX-3")
def test_attributes_in_compiled_code():
    def ask(x):
        assert_shape = len(x.shape) + len(x.strides)
        return (x.ndim, x.ndims, x.size, x.itemsize, x.nbytes, assert_shape, x.T, x[()], x[...], x.item(), x.reshape(()),
                x.dtype == device.int16, x.astype(device.float64).dtype == device.float64, x.copy(), x.dtype.itemsize)

    assert run(ask, np.int16(3)) == (0, 0, 1, 2, 2, 0, 3, 3, 3, 3, 3, True, True, 3, 2)
    assert run(lambda x: x.view(device.uint32), np.float32(1)) == 0x3F800000
    assert run(lambda x: x.view(device.float64), np.int64(0x3FF0000000000000)) == 1.0
    assert run(lambda x: x.view(device.int8), np.uint8(255)) == -1
    assert run(lambda x: x.view(device.float16), np.uint16(0x3C00)) == 1
    assert run(lambda x: (x.real, x.imag, x.conjugate()), np.float32(2)) == (2, 0, 2)
    assert run(lambda x: (x.is_integer(), x.astype(int), x.astype(dtype=device.int8, copy=False)), 2.0) == (True, 2, 2)
    assert run(lambda x: (x.bit_length(), x.bit_count()), -5) == (3, 2)


@pytest.mark.row("HET-FIX-2", "HET-FIX-3")
@pytest.mark.parametrize("ask, text", [
    (lambda x: x[0], "a number has no dimensions; x[()] is the number itself"),
    (lambda x: x.reshape((1,)), "'reshape' takes (), the shape of a number, not tuple[int]"),
    (lambda x: x.view(device.int64), "'view' takes an integer or floating format of 4 bytes"),
    (lambda x: x.flags, "float32 has no attribute 'flags'"),
    (lambda x: x.asype(device.int8), "did you mean 'astype'?"),
    (lambda x: x.astype(), "'astype' takes 1 to 2 arguments, but 0 are given"),
    (lambda x: x.bit_count(), "'bit_count' takes an integer, not float32"),
], ids=range(7))
def test_what_numbers_lack(ask, text):
    with pytest.raises(device.CompileError) as caught:
        run(ask, np.float32(1))
    assert text in str(caught.value)


def test_kinds_in_compiled_code():
    def ask(x):
        return (device.isdtype(x.dtype, "real floating"), device.isdtype(x.dtype, ("integral", "bool")),
                device.isdtype(x.dtype, device.float32), x.dtype.kind == "floating", x.dtype.signed)

    assert run(ask, np.float32(1)) == (True, False, True, True, True)
    assert run(ask, np.uint8(1)) == (False, True, False, False, False)


# ---- literals, rounding, powers

BASE = 2


def message(function, *arguments):
    with pytest.raises(device.CompileError) as caught:
        run(function, *arguments)
    return str(caught.value)


@pytest.mark.row("HET-NUM-6")
def test_arithmetic_of_literals_is_exact():
    assert "1099511627776 does not fit in int" in message(lambda x: x + 2**40, 1)
    assert "1099511627776 does not fit in int" in message(lambda x: x + BASE**40, 1)
    assert "1099511627776 does not fit in int" in message(lambda x: x + (BASE << 39), 1)
    assert "2147483648 does not fit in int" in message(lambda x: x + (BASE * 1073741824), 1)
    assert "2 ** 100 does not fit in 64 bits" in message(lambda x: x + BASE**100, 1)
    assert run(lambda x: x + BASE**40, np.int64(1)) == 2**40 + 1
    assert run(lambda x: x + BASE**40 / BASE**39, 1.0) == 3


def test_rounding():
    assert run(lambda x: round(x), np.int64(2**40 + 1)) == 2**40 + 1
    assert run(lambda x: round(x), np.uint32(2**32 - 1)) == 2**32 - 1
    assert run(lambda x: math.floor(x), np.int64(-2**40)) == -2**40
    assert run(lambda x: (round(x), round(x, None), round(x, 1)), 2.5) == (2, 2, 2.5)
    assert run(lambda: (round(1.5, None), round(2.5))) == (2, 2)
    for n in (0, 4, 5, 6, 14, 15, 16, 25, 35, 149, 150, 151, -5, -15, -25, -26, 12345, -12345):
        assert run(lambda x: (round(x, -1), round(x, -2), round(x, 2), round(x, -12)), n) == (
            round(n, -1), round(n, -2), n, 0)
        assert run(lambda x: round(x, -1), np.int64(n)) == round(n, -1)
    assert run(lambda: (round(25, -1), round(-35, -1))) == (20, -40)


def test_powers():
    assert run(lambda a: (a**-1, a**-2, a**0.5, a**-0.5), 4) == (0.25, 0.0625, 2, 0.5)
    assert run(lambda a, b: (a**b, 2**b), 2, -2) == (0.25, 0.25)
    assert run(lambda a: a ** 1e300, np.float64(0.5)) == 0
    assert math.isnan(run(lambda a: a ** math.nan, np.float64(2)))
    assert run(lambda a: (pow(a, 20, 7), pow(a, 2), pow(a, 2, 1)), 1000) == (pow(1000, 20, 7), 10**6, 0)


def test_division():
    for a, b in ((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-0.0, 3.0), (1e10, 3.0)):
        assert run(lambda x, y: divmod(x, y), np.float64(a), np.float64(b)) == divmod(a, b)
    assert run(lambda x, y: divmod(x, y), -7, 2) == (-4, 1)


def test_ranges_of_unsigned_numbers():
    def down(n):
        total = 0
        last = n
        for i in range(n, 0, -1):
            total += 1
            last = i
        return total, last

    assert run(down, np.uint32(5)) == (5, 1) and run(down, np.uint64(3)) == (3, 1) and run(down, 4) == (4, 1)
    assert run(down, np.uint8(0)) == (0, 0)

    def steps(n, step):
        total = 0
        for i in range(n, 1, step):
            total = total * 10 + int(i)
        return total

    assert run(steps, np.uint32(9), -3) == 963 and run(steps, np.uint32(0), 1) == 0
    with pytest.raises(device.CompileError, match="-1 does not fit in uint32"):
        run(lambda n: len(range(n, -1, -1)), np.uint32(3))


def test_two_formats_on_two_paths():
    assert "int8 and int16 do not become one type here" in message(lambda a, b, c: a if c else b, np.int8(1), np.int16(1), 1)


# ---- layouts and parameters

@pytest.mark.row("HET-NUM-2", "HET-NUM-3", "HET-NUM-5", "HET-FIX-I8", "HET-FIX-I16", "HET-FIX-I32", "HET-FIX-I64", "HET-FIX-U8",
                 "HET-FIX-U16", "HET-FIX-U32", "HET-FIX-U64", "HET-FIX-F16", "HET-FIX-F32", "HET-FIX-F64", "HET-FIX-C64",
                 "HET-FIX-C128", "HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-BF16")
def test_sizes_and_alignments():
    for name in (*NUMPY, "bfloat16", "float8e4m3", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"):
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


# ---- NumPy's scalars where a format is given; nothing was launched before that looked NumPy up

A_COMPLEX64 = """
import numpy as np
from hetjit import device

@device.struct
class Wave:
    z: device.complex64

@device.kernel
def of_struct(s, out): out[0] = s.z
@device.kernel
def narrow(s: device.complex64, out): out[0] = s
@device.kernel
def wide(s: device.complex128, out): out[0] = s
@device.kernel
def in_tuple(s: tuple[int, device.complex64], out): out[0] = s[1]

v = np.complex64(1 + 2j)
for kernel, argument in ((of_struct, Wave(v)), (narrow, v), (wide, v), (in_tuple, (1, v)), (of_struct, Wave(1 + 2j))):
    out = np.zeros(1, np.complex64)
    kernel[1, 1](argument, out)
    assert out[0] == v, (kernel, out)
assert device.full(1, v, device.complex64, "cpu").tolist() == device.array([v], "cpu", device.complex64).tolist() == [v]
"""


def test_complex64_keeps_its_imaginary_part():
    done = subprocess.run([sys.executable, "-W", "error", "-c", A_COMPLEX64], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("format, wrong", [
    ("float32", np.complex64(1 + 2j)), ("float64", np.complex64(1)), ("float32", np.complex128(1)), ("bool_", np.float32(1.5)), ("bool_", np.int8(-1)),
    ("bool_", np.complex64(1)), ("bool_", np.str_("no")), ("bool_", np.datetime64("2020")), ("complex64", np.array(1 + 2j)), ("complex64", np.array([2.5])),
    ("complex64", np.datetime64("2020")), ("complex128", "1+2j")])
def test_a_scalar_of_another_kind_is_refused(format, wrong):
    of = getattr(device, format)

    @device.kernel
    def takes(s: of, out):
        out[0] = 1
    with pytest.raises(TypeError, match="argument 's' is a.* annotated with device") as raised:
        takes[1, 1](wrong, np.zeros(1, np.int32))
    assert isinstance(wrong, np.ndarray) or "axes" not in str(raised.value)


def test_a_field_that_is_complex_takes_what_is_complex():
    @device.struct
    class Wave:
        z: device.complex128 = 1j
        x: device.float32 = 0.0

    assert Wave().z == 1j and Wave(2).z == 2 and Wave(np.complex64(3j)).replace(z=4j).z == 4j
    for wrong in (1j, np.complex64(1j)):
        with pytest.raises(TypeError, match="field 'x' is"):
            Wave(1j, wrong)

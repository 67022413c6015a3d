"""Numbers as values: their formats on the host, in compiled code and as parameters."""

import inspect
import struct

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device


UNSIGNED = {"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}


def call(function, *arguments):
    return _core.call(_core.capture(function), arguments)


def same(x):
    return x


@device.kernel
def store(x, out):
    out[0] = x


def stored(value, dtype):
    out = np.zeros(1, dtype)
    store[1, 1](value, out)
    return out[0]


@pytest.mark.row("HET-NUM-1")
def test_builtin_numbers_and_their_literals():
    assert call(lambda: (True, 1, 1.5, 2j)) == (True, 1, 1.5, 2j)
    for value in (True, -7, 0.25, 1 + 2j):
        assert call(same, value) == value and type(call(same, value)) is type(value)
    assert stored(True, np.bool_) and stored(-7, np.int32) == -7 and stored(0.25, np.float32) == 0.25


@pytest.mark.row("HET-NUM-4")
def test_float_is_binary32():
    rounded = struct.unpack("f", struct.pack("f", 0.1))[0]
    assert call(same, 0.1) == rounded
    assert stored(0.1, np.float64) == rounded


@pytest.mark.parametrize("name", [
    pytest.param("uint8", marks=pytest.mark.row("HET-FIX-U8")), pytest.param("uint16", marks=pytest.mark.row("HET-FIX-U16")),
    pytest.param("uint32", marks=pytest.mark.row("HET-FIX-U32")), pytest.param("uint64", marks=pytest.mark.row("HET-FIX-U64"))])
def test_unsigned_integers(name):
    kind, size = getattr(device, name), UNSIGNED[name]
    assert device.abi(kind)[:2] == (size, size)
    largest = 2 ** (8 * size) - 1
    assert kind(largest) == largest and stored(kind(largest), name) == largest
    for value in (-1, largest + 1):
        with pytest.raises(OverflowError):
            kind(value)
    assert call(lambda x: x // 2, kind(largest)) == largest // 2
    assert call(lambda x, n: x >> n, kind(largest // 2 + 1), 8 * size - 1) == 1


@pytest.mark.parametrize("name, size, align", [
    pytest.param("float32", 4, 4, marks=pytest.mark.row("HET-FIX-F32")), pytest.param("float64", 8, 8, marks=pytest.mark.row("HET-FIX-F64")),
    pytest.param("complex64", 8, 8, marks=pytest.mark.row("HET-FIX-C64")),
    pytest.param("complex128", 16, 16, marks=pytest.mark.row("HET-FIX-C128"))])
def test_floats_and_complex_numbers(name, size, align):
    kind = getattr(device, name)
    assert device.abi(kind)[:2] == (size, align)
    value = kind(0.1 + 0.7j) if "complex" in name else kind(0.1)
    assert stored(value, name) == value and call(same, value) == value


@pytest.mark.row("HET-FIX-1")
@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", *UNSIGNED, "float16", "float32", "float64"])
def test_fixed_formats_are_made_on_both_sides(name):
    kind = getattr(device, name)

    def make(n):
        return kind(n)
    assert call(make, 5) == kind(5) == 5
    assert stored(kind(5), name) == 5 and np.asarray(kind(5)).dtype == name


@pytest.mark.row("HET-FIX-6")
@pytest.mark.parametrize("signature, parameter", [("(int8)", ".u8"), ("(int16)", ".u16"), ("(uint32)", ".u32"), ("(int64)", ".u64"),
                                                  ("(float32)", ".f32"), ("(float64)", ".f64")])
def test_a_fixed_format_parameter_is_the_number(signature, parameter):
    ptx = _core.show(_core.capture(lambda x: None), "ptx", signature, "cuda:sm_90")
    declared = ptx[ptx.index(".entry"):ptx.index("{")]
    assert f".param {parameter} " in declared and ".b8" not in declared


@pytest.mark.row("HET-GEN-2")
def test_memory_of_another_device_is_refused_by_name():
    class OnGpu:
        __cuda_array_interface__ = {"shape": (4,), "typestr": "<f4", "data": (0x1000, False), "version": 3}

    @device.kernel
    def put(x, y):
        x[0] = y[0]
    with pytest.raises((TypeError, ValueError, RuntimeError), match="'x'|'y'|cuda"):
        put[1, 1](OnGpu(), np.zeros(4, np.float32))
    x = np.zeros(4, np.float32)
    put[1, 1](x, np.ones(4, np.float32))
    assert x[0] == 1


@pytest.mark.row("HET-GEN-4")
def test_no_type_takes_attributes_at_run_time():
    for value in (device.float32x3(1, 2, 3), device.int32(1), device.float64(1)):
        with pytest.raises((AttributeError, TypeError)):
            value.another = 1


@pytest.mark.row("HETX-GEN-3")
def test_only_what_is_promised_is_public():
    assert set(device.__all__) <= set(dir(device))
    public = {name for name, value in vars(device).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public - set(device.__all__) <= {"annotations"}, public - set(device.__all__)

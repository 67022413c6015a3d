"""hetjit.types: wrappers of structs, unions and functions."""

import ctypes
import gc
import weakref

import pytest

from adapted import CALLBACK, Interface, P, address_of, ints, is_held, lib
from hetjit import types
from hetjit.types import Pointer, dim3


@pytest.mark.row("HIPPY-GEN-1")
def test_there_is_a_wrapper_for_each_type():
    class U(ctypes.Union):
        _fields_ = [("number", ctypes.c_int), ("real", ctypes.c_float)]
    for ctype in (P, U):
        wrapper = types.adapter_of(ctypes.POINTER(ctype))
        assert issubclass(wrapper, types.Record) and wrapper.__name__ == ctype.__name__ and wrapper is types.record(ctype)
    assert types.record(U)(real=1.0).number == 0x3f800000
    callback = types.adapter_of(CALLBACK)
    assert issubclass(callback, types.FunctionPointer) and callback is types.function_pointer(CALLBACK)


@pytest.mark.row("HIPPY-GEN-2")
def test_a_record_is_made_of_its_values():
    p = types.record(P)(1, y=2.0)
    assert (p.x, p.y) == (1, 2.0) and repr(p) == "P(x=1, y=2.0)"
    p.x = 5
    assert ints(p, ctypes.c_int, 1) == [5]
    assert [(one.x, one.y, one.z) for one in (dim3(x=32), dim3(4), dim3(), dim3(1, 2, z=3))] == [(32, 1, 1), (4, 1, 1), (1, 1, 1), (1, 2, 3)]
    for wrong in (lambda: dim3(q=1), lambda: dim3(1, x=2), lambda: dim3(1, 2, 3, 4), lambda: dim3(bytearray(12)), lambda: dim3(None),
                  lambda: types.record(P)(Pointer(16))):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.row("HIPPY-GEN-3")
def test_a_record_is_adapted_from_an_address(lib):
    memory = bytearray(bytes(P(3, 4.5)))
    for given in (memory, Pointer(memory), address_of(memory), ctypes.c_void_p(address_of(memory)), P(3, 4.5), types.record(P)(3, 4.5)):
        assert lib.value_of(given) == 7.5
    assert lib.value_of(None) == -1
    assert int(types.record(P).from_object(Interface())) == 0x1000
    for wrong in ("s", 1.5, [3, 4.5]):
        with pytest.raises(ctypes.ArgumentError):
            lib.value_of(wrong)
    p = types.record(P)(1, 2.0)
    lib.move(p, 3)
    assert p.y == 5
    with pytest.raises(ValueError, match="NULL"):
        types.record(P).from_object(None).x

    class Both(Pointer):
        __cuda_array_interface__ = {"data": (0x2000, False)}
    assert int(types.record(P).from_object(Both(0x1000))) == 0x2000  # a Pointer is what is asked for last


@pytest.mark.row("HIPPY-GEN-4")
def test_a_function_is_no_memory(lib):
    assert lib.call(lambda number, _: number + 1, 4) == 5
    address = ctypes.cast(lib.twice, ctypes.c_void_p)
    for given in (address, address.value, Pointer(address), types.adapter_of(CALLBACK)(address)):
        assert lib.call(given, 4) == 8
    assert lib.call(None, 4) == -1
    for wrong in (bytearray(8), Interface(), memoryview(b"12345678"), "s"):
        with pytest.raises(ctypes.ArgumentError, match="is not the address of a function"):
            lib.call(wrong, 4)
    function = types.adapter_of(CALLBACK)(lambda number, _: 3 * number)
    gc.collect()
    assert function(5, None) == 15 == lib.call(function, 5)
    with pytest.raises(ValueError, match="NULL"):
        types.adapter_of(CALLBACK)()(1, None)


@pytest.mark.row("HIPPY-GEN-5")
def test_a_records_buffer_is_held():
    memory = bytearray(16)
    p = types.record(P).from_object(memory)
    p.x = 7
    assert is_held(memory) and memory[0] == 7
    del p
    assert not is_held(memory)


@pytest.mark.row("HIPPY-GEN-6")
def test_a_records_memory_ends_with_it():
    """Once: what ctypes has made lives until the wrapper, and all that was made of it, ends."""
    p = types.record(P)(1, 2.0)
    ended = weakref.ref(p._made)
    q = Pointer(p)
    del p
    gc.collect()
    assert ended() is not None and ints(q, ctypes.c_int, 1) == [1]
    del q
    gc.collect()
    assert ended() is None


class _Inner(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("v", ctypes.c_double)]


class _Outer(ctypes.Structure):
    _fields_ = [("inner", _Inner), ("text", ctypes.c_char_p)]


class _Derived(_Inner):
    _fields_ = [("z", ctypes.c_int)]


def test_parts_of_a_record_keep_its_memory():
    inner = types.record(_Outer)(inner=_Inner(7, 2.5)).inner
    gc.collect()
    others = [types.record(_Outer)(inner=_Inner(i, i)) for i in range(100)]
    assert (inner.x, inner.v) == (7, 2.5) and others
    made = types.record(_Outer)()
    made.text = b"hello" * 10
    there = types.record(_Outer).from_object(made)
    there.text = b"world" * 10
    gc.collect()
    assert there.text == made.text == b"world" * 10


def test_fields_of_the_types_that_one_is_derived_from():
    wrapper = types.record(_Derived)
    assert wrapper(5).x == 5 and wrapper(x=5, z=3).z == 3
    assert repr(wrapper(1, 2.0, 3)) == "_Derived(x=1, v=2.0, z=3)"


def test_values_that_do_not_fit_a_field():
    for wrong in (2**32 + 3, -1):
        with pytest.raises(OverflowError, match="does not fit the field 'x'"):
            types.dim3(wrong)
    one = types.dim3(1)
    with pytest.raises(OverflowError, match="'y'"):
        one.y = 2**40


def test_wrappers_with_other_defaults():
    class P(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]
    assert types.record(P, x=1)().x == 1 and types.record(P, x=2, y=9)().y == 9
    assert types.record(P) is types.record(P, x=1)


def test_too_few_bytes_for_a_record():
    with pytest.raises(ValueError, match="has 12 bytes, and 4 are there"):
        types.dim3.from_object(bytearray(4)).x

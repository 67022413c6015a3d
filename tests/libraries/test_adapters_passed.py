"""Adapters of hetjit.types given to a library: their address is passed, and what they keep is there for as long as it is used."""

import array
import ctypes
import gc

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop
from hetjit.types import CStr, DeviceArray, ListOfBytes, ListOfInt, ListOfPointer, ListOfUnsigned, ListOfUnsignedLong, Pointer, dim3


class Interface:
    def __init__(self, address):
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (3,), "typestr": "<f4", "version": 3}


@pytest.fixture(scope="module")
def lib():
    return interop.bind(r"""
    #include <cstdint>
    #include <cstring>
    #include <string>
    struct Opaque;
    inline uint64_t address(void* p) { return uint64_t(p); }
    inline uint64_t const_address(const void* p) { return uint64_t(p); }
    inline uint64_t any_address(const void* p +assumedtype) { return uint64_t(p); }
    inline uint64_t far_address(int** p) { return uint64_t(p); }
    inline int first_of(void** p) { return **(int**)p; }
    inline void fill(void* p, int n) { std::memset(p, 1, n); }
    inline int* back(void* p +intent(in)) +dimension(3) { return (int*)p; }
    inline long sum(const int* x +rank(1), int n +implied(size(x))) { long s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
    inline uint64_t last(const uint64_t* x +rank(1), int n +implied(size(x))) { return x[n - 1]; }
    inline double total(const double* x +rank(2), int n +implied(size(x))) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
    inline void twice(int* x +rank(1), int n +implied(size(x))) { for (int i = 0; i < n; ++i) x[i] *= 2; }
    inline std::string join(const char** texts, int n) { std::string s; for (int i = 0; i < n; ++i) s += texts[i]; return s; }
    inline int next(const int* x) { return *x + 1; }
    """)


NUMBERS = array.array("i", [1, 2, 3])
ADAPTERS = [Pointer(NUMBERS), DeviceArray(NUMBERS), ListOfInt([1, 2]), ListOfUnsigned([1]), ListOfUnsignedLong([1]), ListOfPointer([NUMBERS]),
            ListOfBytes([b"a"]), CStr("text"), dim3(4), Pointer(0x1000), Pointer(2**64 - 1), Pointer(ctypes.c_void_p(16)), Pointer(Interface(0x2000)),
            Pointer(), DeviceArray(None)]


@pytest.mark.row("HIPPY-PTR-1")
@pytest.mark.row("HIPPY-PTR-12")
@pytest.mark.row("HIPPY-DA-12")
@pytest.mark.row("HIPPY-PROP-2")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda each: type(each).__name__)
def test_the_address_is_passed(lib, adapter):
    for function in (lib.address, lib.const_address, lib.any_address, lib.far_address):
        assert function(adapter) == int(adapter)


def test_no_address_of_another_kind_is_taken(lib):
    for wrong in ("s", 1.5, [1], object(), Pointer):
        with pytest.raises(TypeError, match="'p' is a pointer: a Memory, a types.Pointer, an int or None"):
            lib.address(wrong)
    with pytest.raises(TypeError, match="'x'"):
        lib.next(Pointer(NUMBERS))  # one number, and not an address


def test_an_adapter_of_the_call_alone_is_kept(lib):
    memory = bytearray(12)
    lib.fill(Pointer(memory), 12)
    assert memory == bytes([1] * 12)
    assert lib.first_of(ListOfPointer([array.array("i", [7])])) == 7
    found = lib.back(ListOfInt([5, 6, 7]))
    others = [ListOfInt([0, 0, 0]) for _ in range(100)]
    gc.collect()
    assert found.tolist() == [5, 6, 7] and others
    memory = bytearray(array.array("i", [1, 2, 3]))
    found = lib.back(Pointer(memory))
    with pytest.raises(BufferError):
        memory.append(0)
    del found
    gc.collect()
    memory.append(0)


@pytest.mark.row("HIPPY-PROP-2")
@pytest.mark.row("HIPPY-LST-3")
def test_elements_are_those_of_the_adapter(lib):
    assert lib.sum(ListOfInt([1, -2, 30])) == 29 and lib.sum(Pointer(NUMBERS)) == 6 and lib.sum(ListOfInt(NUMBERS)) == 6
    assert lib.last(ListOfUnsignedLong([1, 2**64 - 1])) == 2**64 - 1
    rows = DeviceArray(np.arange(6.0)).configure(shape=(2, 3), typestr="float64")
    assert lib.total(rows) == 15 and lib.sum(DeviceArray(NUMBERS).configure(shape=3, typestr="int32")[1:]) == 5
    numbers = array.array("i", [1, 2, 3])
    for adapter in (Pointer(numbers), DeviceArray(numbers), DeviceArray(numbers).configure(shape=3, typestr="int32")):
        before = numbers.tolist()
        assert lib.twice(adapter).tolist() == numbers.tolist() == [2 * each for each in before]


@pytest.mark.row("HIPPY-LST-1")
def test_texts_of_an_adapter(lib):
    assert lib.join(ListOfBytes([b"ab", b"c"]), 2) == "abc" == lib.join([b"ab", b"c"], 2)
    with pytest.raises(TypeError):
        lib.join(ListOfInt([1]), 1)


def test_other_elements_are_refused(lib):
    memory = bytearray(17)
    for function, wrong, says in (
            (lib.sum, ListOfUnsigned([1]), "is an array of int32, and the ListOfUnsigned one of uint32"),
            (lib.total, ListOfInt([1, 2]), "is an array of float64, and the ListOfInt one of int32"),
            (lib.sum, DeviceArray(NUMBERS).configure(shape=3, typestr="float32"), "and the DeviceArray one of float32"),
            (lib.sum, Pointer(NUMBERS.buffer_info()[0]), "which the Pointer is not known to point to"),
            *((lib.sum, each, f"which a {type(each).__name__} is not")
              for each in (ListOfBytes([b"a"]), ListOfPointer([NUMBERS]), CStr("abc"), dim3(4))),
            (lib.sum, Pointer(), "Pointer"), (lib.sum, Pointer(bytearray(7)), "which 7 bytes of the Pointer are not"),
            (lib.twice, Pointer(memoryview(memory)[1:]), "does not lie as such elements do"),
            (lib.sum, Pointer(Interface(0x1000)), "is not known to point to")):
        with pytest.raises(TypeError, match=says):
            function(wrong)
    with pytest.raises(ValueError, match="is 2-D, and the array is 1-D"):
        lib.total(Pointer(np.arange(6.0)))
    for readonly in (DeviceArray(NUMBERS).configure(shape=3, typestr="int32", read_only=True), Pointer(bytes(8)), Pointer(Pointer(bytes(8)))):
        with pytest.raises(ValueError, match="read-only"):
            lib.twice(readonly)
    assert NUMBERS.tolist() == [1, 2, 3]

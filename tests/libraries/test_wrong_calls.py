"""Wrong calls: each an exception that names the function and the argument, and the library was not called."""

import numpy as np
import pytest

import library_pointers as pointers
import library_texts as texts
from hetjit import interop

NUMBERS = """
#include <complex>
#include <stdint.h>
inline int i8(int8_t x) { return x; } inline int u8(uint8_t x) { return x; } inline int i16(int16_t x) { return x; }
inline int u32(uint32_t x) { return x == 1; } inline int i64(int64_t x) { return x == 1; } inline int u64(uint64_t x) { return x == 1; }
inline float f32(float x) { return x; } inline double f64(double x) { return x; } inline bool yes(bool x) { return x; }
inline std::complex<double> c128(std::complex<double> x) { return x * 2.0; } inline std::complex<float> c64(std::complex<float> x) { return x; }
inline int floats(const float* x +rank(1), int n +implied(size(x))) { return n; }
inline void doubles(double* x +rank(2)) {}
inline int small(const float* x +rank(1), uint8_t n +implied(size(x))) { return n; }
inline int two(int a, int b = 2, int c = 3) { return a * 100 + b * 10 + c; }
inline int* huge(long n +intent(in)) +dimension(n, n) { return nullptr; }
"""


@pytest.fixture(scope="module")
def numbers():
    return interop.bind(NUMBERS)


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(pointers.DECLARATIONS, compiled(pointers.SOURCE), language="c", destructors=pointers.DESTRUCTORS)


@pytest.fixture(scope="module")
def words(compiled):
    return interop.bind(texts.DECLARATIONS, compiled(texts.SOURCE), destructors=texts.DESTRUCTORS)


READONLY = np.zeros((2, 2))
READONLY.flags.writeable = False

OF_NUMBERS = [
    ("i8", (128,), OverflowError, "i8(): 'x' is"), ("i8", (-129,), OverflowError, "which -129 is too large for"),
    ("u8", (-1,), OverflowError, "'x'"), ("u8", (256,), OverflowError, "'x'"), ("i16", (2**15,), OverflowError, "'x'"),
    ("u32", (-1,), OverflowError, "'x'"), ("u32", (2**32,), OverflowError, "'x'"), ("i64", (2**63,), OverflowError, "'x'"),
    ("u64", (2**64,), OverflowError, "'x'"), ("u64", (-1,), OverflowError, "'x'"),
    ("i8", (1.0,), TypeError, "i8(): 'x' is"), ("i8", ("1",), TypeError, "'x'"), ("i8", (None,), TypeError, "'x'"),
    ("i8", (np.float32(1),), TypeError, "'x'"), ("i8", ([1],), TypeError, "'x'"), ("i8", (1j,), TypeError, "'x'"),
    ("f32", ("1",), TypeError, "'x' is float, not str"), ("f32", (None,), TypeError, "'x'"), ("f32", (1j,), TypeError, "'x'"),
    ("f32", (1e300,), OverflowError, "'x'"), ("f64", (10**400,), OverflowError, "'x'"), ("f64", (np.ones(2),), TypeError, "'x'"),
    ("f64", (b"1",), TypeError, "'x'"), ("yes", (1,), TypeError, "'x' is bool, not 1"), ("yes", ("",), TypeError, "'x'"),
    ("c128", ("1",), TypeError, "'x'"), ("c64", (None,), TypeError, "'x'"),
    ("floats", (np.ones(3),), ValueError, "pass x.astype('float32')"), ("floats", (np.ones((2, 2), "f4"),), ValueError, "is 1-D, and the array is 2-D"),
    ("floats", (3.0,), ValueError, "is 1-D, and the array is 0-D"), ("floats", ("abc",), TypeError, "is an array of float32, not str"),
    ("floats", (None,), TypeError, "not NoneType"), ("floats", ([1, "a"],), ValueError, "which list does not become"),
    ("floats", ([[1], [1, 2]],), ValueError, "which list does not become"), ("floats", ({1: 2},), TypeError, "not dict"),
    ("floats", ([1j],), ValueError, "does not become"), ("floats", (np.ones(3, "c8"),), ValueError, "does not become"),
    ("doubles", (np.ones(4),), ValueError, "'x' is 2-D, and the array is 1-D"), ("doubles", (np.ones((2, 2), "f4"),), ValueError, "not float32"),
    ("doubles", (np.ones((2, 2), ">f8"),), ValueError, "not >f8"), ("doubles", (READONLY,), ValueError, "the array is read-only"),
    ("small", (np.ones(256, "f4"),), OverflowError, "small(): 'n' would be 256, which its type does not have"),
    ("two", (), TypeError, "two(a, b, c) takes 1 or 2 or 3 arguments, not 0"), ("two", (1, 2, 3, 4), TypeError, "not 4"),
    ("huge", (2**33,), OverflowError, "more than 2**64 elements"), ("huge", (-1,), ValueError, "the dimension of 'huge' comes to -1"),
    ("huge", (3,), ValueError, "huge(): it returned NULL in place of an array"),
]
OF_POINTERS = [
    ("sumSixteen", ([1.0] * 15,), ValueError, "'a' has 15 elements, and its declaration asks for 16"),
    ("checkInt2d", ("abc",), TypeError, "'in' is a pointer: a Memory, a types.Pointer, an int or None, not str"), ("checkInt2d", (-1,), OverflowError, "'in' is an address"),
    ("checkInt2d", (2**64,), OverflowError, "'in'"), ("checkInt2d", (1.5,), TypeError, "'in'"), ("firstByte", (object(),), TypeError, "'memory'"),
    ("intargs", (1,), TypeError, "intargs(in_, both) takes 2 arguments, not 1"), ("iota_dimension", (2**62,), (OverflowError, TypeError), "iota_dimension"),
    ("Sum", ([2**31],), OverflowError, "which has not all of these numbers"), ("Sum", ([1.5],), ValueError, "'values'"),
    ("incrementIntArray", (np.zeros(2, "i8"),), ValueError, "not int64"),
]
OF_TEXTS = [
    ("echo", (3,), TypeError, "echo(): 'text' is a str, not 3"), ("echo", (None,), TypeError, "'text'"), ("echo", ("\ud800",), ValueError, "'text' is no text"),
    ("lengthOf", ("a\0",), ValueError, "'text' has a NUL in it"), ("lengthOf", (1,), TypeError, "'text'"), ("passCharPtr", ("x" * 40,), ValueError, "'from'"),
    ("passCharPtrInOut", (None,), TypeError, "'text' is a str, not NoneType"), ("acceptCharArrayIn", (3,), TypeError, "'names'"),
    ("acceptCharArrayIn", ([3],), TypeError, "'names'"), ("count_texts", ("ab",), TypeError, "'texts'"), ("count_texts", ([1],), TypeError, "'texts'"),
    ("vector_sum", ([[1]],), ValueError, "is 1-D, and the array is 2-D"), ("vector_sum", ([0.5],), ValueError, "'values'"),
    ("nextOf", ("ab",), TypeError, "'c' is char, a str of one character, not str"), ("nextOf", ("é",), TypeError, "'c'"),
    ("flagOf", ("x",), TypeError, "'object' is a Class1, not str"), ("getClassNew", ("x",), TypeError, "'flag'"),
]


def check(function, arguments, error, says):
    with pytest.raises(error) as caught:
        function(*arguments)
    assert says in str(caught.value), str(caught.value)


@pytest.mark.parametrize("name, arguments, error, says", OF_NUMBERS)
def test_of_numbers(numbers, name, arguments, error, says):
    check(getattr(numbers, name), arguments, error, says)


@pytest.mark.parametrize("name, arguments, error, says", OF_POINTERS)
def test_of_pointers(lib, name, arguments, error, says):
    check(getattr(lib, name), arguments, error, says)


@pytest.mark.parametrize("name, arguments, error, says", OF_TEXTS)
def test_of_texts(words, name, arguments, error, says):
    check(getattr(words, name), arguments, error, says)


def test_there_are_enough_of_them():
    assert len(OF_NUMBERS) + len(OF_POINTERS) + len(OF_TEXTS) >= 60


def test_keywords(numbers):
    assert numbers.two(1) == 123 and numbers.two(1, 5) == 153 and numbers.two(1, 5, c=7) == 157 and numbers.two(c=1, a=2, b=3) == 231
    with pytest.raises(TypeError, match=r"two\(\) has no parameter 'd': it takes \(a, b, c\)"):
        numbers.two(1, d=2)
    with pytest.raises(TypeError, match="two.*: 'a' is given twice"):
        numbers.two(1, a=2)


def test_right_calls_of_all_numbers(numbers):
    assert numbers.i8(-128) == -128 and numbers.u8(255) == 255 and numbers.u64(1) == 1 and numbers.i64(np.int64(1)) == 1
    assert numbers.f32(np.float32(0.1)) == np.float32(0.1) and numbers.f64(3) == 3.0 and numbers.yes(np.True_) is True
    assert numbers.c128(1 + 2j) == 2 + 4j and numbers.c64(1j) == 1j
    assert numbers.f32(float("inf")) == float("inf") and numbers.floats([1, 2]) == 2 and numbers.floats(()) == 0

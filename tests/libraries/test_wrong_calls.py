"""Wrong calls: each an exception that names the function and the argument, and the library was not called: wrong_calls.txt."""

import pathlib
import re

import numpy as np
import pytest

import answers
import library_pointers as pointers
import library_texts as texts
from hetjit import interop

PAGE = pathlib.Path(__file__).with_name("wrong_calls.txt")
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


def said(call, names):
    """The exception of a call, as a terminal shows it."""
    with pytest.raises(Exception) as caught:
        eval(call, dict(names))
    text = re.sub("0x[0-9a-f]{6,}", "0x…", str(caught.value))
    return f"{type(caught.value).__name__}: {text}"


def test_wrong_calls(numbers, lib, words):
    names = {"numbers": numbers, "lib": lib, "words": words, "np": np, "READONLY": READONLY}
    found = {call: said(call, names) for call, _, _ in answers.read(PAGE)}
    assert len(found) >= 60
    answers.check(PAGE, found)


def test_keywords(numbers):
    assert numbers.two(1) == 123 and numbers.two(1, 5) == 153 and numbers.two(1, 5, c=7) == 157 and numbers.two(c=1, a=2, b=3) == 231
    with pytest.raises(TypeError, match=r"two\(\) has no parameter 'd': it takes \(a, b, c\)"):
        numbers.two(1, d=2)
    with pytest.raises(TypeError, match="two.*: 'a' is given twice"):
        numbers.two(1, a=2)
    with pytest.raises(TypeError, match=r"^two\(\) has no 'b', which stands before 'c': only the last arguments can be left out$"):
        numbers.two(1, c=2)


def test_help(words):
    import inspect
    assert words.given.__doc__ == "int given(const char * text, int n)" and str(words.given.__signature__) == "(text)"
    assert words.Class1.method.__doc__ == "int method(int by)" and list(inspect.signature(words.Class1.method).parameters) == ["self", "by"]
    assert list(inspect.signature(words.Class1().method).parameters) == ["by"] and words.Class1.__doc__ == "Class1(int flag)\nClass1()"
    assert words.Class1.three.__doc__ == "int three()"


def test_right_calls_of_all_numbers(numbers):
    assert numbers.i8(-128) == -128 and numbers.u8(255) == 255 and numbers.u64(1) == 1 and numbers.i64(np.int64(1)) == 1
    assert numbers.f32(np.float32(0.1)) == np.float32(0.1) and numbers.f64(3) == 3.0 and numbers.yes(np.True_) is True
    assert numbers.c128(1 + 2j) == 2 + 4j and numbers.c64(1j) == 1j
    assert numbers.f32(float("inf")) == float("inf") and numbers.floats([1, 2]) == 2 and numbers.floats(()) == 0

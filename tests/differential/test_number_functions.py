"""Functions of the library and of NumPy at the edges of every format, against CPython and NumPy: on the host, in the interpreter and
on the machine for sm_90."""

import inspect
import math
import warnings

import ml_dtypes
import numpy as np
import pytest

from hetjit import _core, device

import tools
from both import bits, both, refused
from number_functions import (FLOATS, INTEGERS, OF_FLOATS, OF_NUMPY, WHOLE, edges_of_floats, edges_of_integers, tuples)

MACHINE = "emu:sm_90"


def kernel_of(function):
    return tools.elementwise(function, len(inspect.signature(function).parameters))


def on_machine(kernel, arguments, out):
    there = [_core.DeviceArray(a.shape, a.dtype.name, MACHINE) for a in (*arguments, out)]
    for array, values in zip(there, (*arguments, out)):
        array.copy_in(values)
    device.kernel(contract=False)(kernel)[1, len(out)](*there)
    got = np.zeros_like(out)
    there[-1].copy_out(got)
    return got


def everywhere(kernel, arguments, out):
    """What a kernel leaves in `out`, wherever it runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", device.PrecisionWarning)
        found = both(kernel, *arguments, out, grid=len(out) // 256 + 1, block=256)
        step = len(out) // 128 + 1
        few = [np.ascontiguousarray(a[::step]) for a in (*arguments, out)]
        np.testing.assert_array_equal(bits(found[::step]), bits(on_machine(kernel, few[:-1], few[-1])))
    return found


def differences(arguments, got, want):
    return [(*(a[i].item() for a in arguments), got[i], "is not", want[i]) for i in range(len(want))
            if want[i] is not None and got[i] != want[i] and not (got[i] != got[i] and want[i] != want[i])]


def of_ints(meaning, row, dtype):
    """What Python gives for these ints, None where it gives nothing or what does not fit."""
    try:
        value = meaning(*row)
    except (ArithmeticError, ValueError):
        return None
    info = np.iinfo(dtype)
    return value if value is not None and info.min <= value <= info.max else None


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", WHOLE)
def test_integers_as_python(name, dtype):
    function, meaning, count = WHOLE[name]
    arguments = tuples(edges_of_integers(dtype), count, dtype)
    want = [of_ints(meaning, row, dtype) for row in zip(*(a.tolist() for a in arguments))]
    fit = [i for i, value in enumerate(want) if value is not None]
    arguments = [a[fit] for a in arguments]
    got = everywhere(kernel_of(function), arguments, np.zeros(len(fit), dtype))
    assert not differences(arguments, got.tolist(), [want[i] for i in fit])


@pytest.mark.parametrize("name", WHOLE)
def test_python_ints(name):
    """Weak numbers, as arguments of the launch."""
    function, meaning, count = WHOLE[name]

    def one(a, b, c, out):
        out[0] = function(a)

    def two(a, b, c, out):
        out[0] = function(a, b)

    def three(a, b, c, out):
        out[0] = function(a, b, c)
    kernel = device.kernel((one, two, three)[count - 1])
    for row in (5, 3, 7), (12, 18, 7), (30, 15, 7), (-2**31, 3, -2**31), (2**31 - 1, 2, 9), (35, 33, -7), (-12, -2**31, 5):
        want = of_ints(meaning, row[:count], np.int32)
        out = np.zeros(1, np.int32)
        if want is not None:
            kernel[1, 1](*row, out)
            assert out[0] == want, row


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", OF_NUMPY)
def test_integers_as_numpy(name, dtype):
    function, count = OF_NUMPY[name]
    arguments = tuples(edges_of_integers(dtype), count, dtype)
    with np.errstate(all="ignore"):
        want = function(*arguments)
    want = arguments[0] if name == "rint" else want  # which NumPy has as floats: rounded, of 64 bits
    want = [None if name == "reciprocal" and n == 0 else w for n, w in zip(arguments[0].tolist(), want.tolist())]
    got = everywhere(kernel_of(function), arguments, np.zeros(len(want), dtype))
    assert not differences(arguments, got.tolist(), want)


def test_powers_with_negative_exponents():
    out = everywhere(kernel_of(lambda a, b: np.power(a, b)),
                     [np.array([1, 1, -1, -1, -1, 2, 0, -128], np.int8), np.array([-1, -2, -1, -2, -128, -1, -1, -1], np.int8)],
                     np.zeros(8, np.int8))
    assert out.tolist() == [1, 1, -1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", OF_FLOATS)
def test_floats_as_numpy(name, dtype):
    function, count = OF_FLOATS[name]
    arguments = tuples(edges_of_floats(dtype), count, dtype)
    with np.errstate(all="ignore"):
        want = np.asarray(function(*arguments)).astype(dtype)
    got = everywhere(kernel_of(function), arguments, np.zeros(len(want), dtype))
    if name == "nan_to_num" and dtype == ml_dtypes.bfloat16:  # which NumPy gives back as it is
        want = np.clip(np.where(np.isnan(want), dtype(0), want), -ml_dtypes.finfo(dtype).max, ml_dtypes.finfo(dtype).max)
    wrong = (got != want) & ~(np.isnan(got) & np.isnan(want))
    if name not in ("nextafter", "minimum", "maximum", "fmin", "fmax", "sign"):  # which leave the sign of a zero open
        wrong |= (np.signbit(got) != np.signbit(want)) & ~np.isnan(want)
    if name == "spacing" and dtype in FLOATS[:2]:  # NumPy's have no sign, and below powers of two another size
        wrong &= arguments[0] > 0
    assert not [(*(a[i] for a in arguments), got[i], want[i]) for i in np.flatnonzero(wrong)]


@pytest.mark.parametrize("dtype", FLOATS)
def test_ulp(dtype):
    x = np.array(edges_of_floats(dtype), dtype)
    finite = x[np.isfinite(x)]
    got = everywhere(kernel_of(lambda x: math.ulp(x)), [finite], np.zeros_like(finite))
    size = np.abs(finite)
    below = size - np.nextafter(size, dtype(0))
    with np.errstate(over="ignore"):
        above = np.nextafter(size, dtype(math.inf)) - size
    np.testing.assert_array_equal(got, np.where(np.isfinite(above), above, below))


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_distances(dtype):
    edges = edges_of_integers(dtype) if dtype in INTEGERS else [x for x in edges_of_floats(dtype) if abs(x) < 1e38]
    arguments = tuples(edges, 2, dtype)
    rows = list(zip(*(a.tolist() for a in arguments)))
    wide = np.float64 if dtype == np.float64 else np.float32
    got = everywhere(kernel_of(lambda a, b: math.dist((a,), (b,))), arguments, np.zeros(len(rows), wide))
    want = np.array([abs(float(a - b)) for a, b in rows])
    np.testing.assert_allclose(got, want, rtol=4 * np.finfo(wide).eps)
    close = everywhere(kernel_of(lambda a, b: math.isclose(a, b, abs_tol=2.75)), arguments, np.zeros(len(rows), np.bool_))
    assert close.tolist() == [math.isclose(a, b, abs_tol=2.75) for a, b in rows]
    close = everywhere(kernel_of(lambda a, b: math.isclose(a, b, rel_tol=0.45)), arguments, np.zeros(len(rows), np.bool_))
    assert close.tolist() == [math.isclose(a, b, rel_tol=0.45) for a, b in rows]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_exponents_of_ldexp(dtype):
    exponents = np.array(edges_of_integers(dtype), dtype)
    x = np.array([1, -0.75, 5e-324, 1.7976931348623157e308, 0.0] * len(exponents))
    exponents = np.repeat(exponents, 5)
    def meaning(x, e):
        try:
            return math.ldexp(x, e)
        except OverflowError:
            return math.copysign(math.inf, x)
    got = everywhere(kernel_of(lambda x, e: math.ldexp(x, e)), [x, exponents], np.zeros_like(x))
    np.testing.assert_array_equal(bits(got), bits(np.array([meaning(*row) for row in zip(x.tolist(), exponents.tolist())])))


@pytest.mark.parametrize("function", [math.floor, math.ceil, math.trunc, round])
def test_large_whole_numbers_stay_positive(function):
    def kernel(x, out):
        out[0] = function(x[0]) > 0
    assert both(kernel, np.array([2**64 - 1], np.uint64), np.zeros(1, np.bool_))[0]


# ---- complex numbers

PARTS = [np.float16, np.float32, np.float64, np.int32, np.complex64, np.complex128]


@pytest.mark.parametrize("first", PARTS)
@pytest.mark.parametrize("second", PARTS)
def test_complex_numbers_are_as_wide_as_their_parts(first, second):
    def two(x, y, out):
        out[0] = complex(x[0], y[0])

    def one(x, y, out):
        out[0] = complex(x[0])

    def cast(x, y, out):
        out[0] = x[0].astype(complex)
    is_wide = {np.float64, np.complex128}
    x, y = np.array([0.1 if first != np.int32 else 3]).astype(first), np.array([0.7 if second != np.int32 else 5]).astype(second)
    want = complex(x[0].item(), y[0].item())
    want = want if {first, second} & is_wide else np.complex64(want)
    assert both(two, x, y, np.zeros(1, np.complex128))[0] == want
    want = complex(x[0].item())
    for kernel in one, cast:
        assert both(kernel, x, y, np.zeros(1, np.complex128))[0] == (want if first in is_wide else np.complex64(want))


def test_complex_numbers_of_a_literal_and_a_float64():
    def kernel(x, out):
        w = 0.1
        for i in range(3):
            w = w * 0.3
        out[0] = complex(w, x[0])
        out[1] = complex(x[0], 0.1)
    w = 0.1 * 0.3 * 0.3 * 0.3
    assert both(kernel, np.array([1e200]), np.zeros(2, complex)).tolist() == [complex(w, 1e200), complex(1e200, 0.1)]


# ---- isinstance

@pytest.mark.parametrize("dtype", [np.bool_, *INTEGERS, *FLOATS, np.complex64, np.complex128])
def test_isinstance_as_numpy(dtype):
    def kernel(x, out):
        out[0] = isinstance(x[0], float)
        out[1] = isinstance(x[0], int)
        out[2] = isinstance(x[0], complex)
        out[3] = isinstance(x[0], bool)
        out[4] = isinstance(x[0], (int, float))
        out[5] = isinstance(x[0], np.float64)
    x = np.ones(1, dtype)
    want = np.zeros(6, np.bool_)
    kernel(x, want)
    assert both(kernel, x, np.zeros(6, np.bool_)).tolist() == want.tolist()


# ---- lengths of vectors

@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32",
                                  "float64"])
def test_lengths_and_distances_of_vectors(name):
    kind = getattr(device, name + "x3")
    lanes = {"int8": ((127, 100, 3), (-128, -100, 3)), "float16": ((300, 400, 0), (-300, 0, 3))}.get(name, ((100, 50, 3), (120, 2, 4)))

    def kernel(out):
        a, b = kind(*lanes[0]), kind(*lanes[1])
        out[0] = device.length(a)
        out[1] = device.distance(a, b)
        out[2] = device.lerp(a, b, 0.5).x
        out[3] = device.length(device.normalize(a))
    a, b = ([float(x) for x in kind(*one)] for one in lanes)
    want = [math.hypot(*a), math.dist(a, b), (a[0] + b[0]) / 2, 1]
    loose = {"float16": 1e-3, "bfloat16": 1e-2}.get(name, 1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", device.PrecisionWarning)
        np.testing.assert_allclose(both(kernel, np.zeros(4)), want, rtol=loose)
    out = np.zeros(4)
    kernel(out)
    np.testing.assert_allclose(out, want, rtol=loose)


# ---- round

ROUNDED = [2.675, 0.285, 1.005, -2.5, 1e22, 123456.789, 0.5, 1e-7, 5e-324, 1.7e308, 0.0, -0.0, 0.05, 0.15, 0.25, 0.35, -0.05, 25.0, 35.0, 1e15 + 0.5,
           4503599627370497.5, 5.9464999999999995, 65504.0, 3.4e38, math.inf, math.nan, *(k / 1000 + 0.0005 for k in range(0, 3000, 7))]


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 10, 15, 22, 300, 400, -1, -2, -5, -15, -400])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_round(dtype, digits):
    def kernel(x, out):
        i = device.tid(1)
        out[i] = round(x[i], digits)
        out[i + len(x)] = np.round(x[i], digits)
    with np.errstate(over="ignore"):
        x = np.array(ROUNDED).astype(dtype)
    if not abs(digits) <= (22 if dtype == np.float64 else 10):
        x = x[(abs(x) > 1e-6) | (x == 0) | np.isnan(x)]
    with np.errstate(over="ignore"):
        want = np.array([round(v, digits) if math.isfinite(v) else v for v in x.tolist()]).astype(dtype)
    got = both(kernel, x, np.zeros(2 * len(x), dtype), block=len(x))
    assert not [(a, g, w) for a, g, w in zip(x, got, want) if bits(g) != bits(w)]
    near, step = got[len(x):], 10.0 ** -max(-300, min(300, digits))
    assert (np.isfinite(near) == np.isfinite(want)).all()
    np.testing.assert_allclose(near[np.isfinite(x)].astype(float), want[np.isfinite(x)].astype(float), rtol=2e-3, atol=1.01 * step)


def test_round_of_literals():
    def kernel(out):
        out[0] = round(2.675, 2)
        out[1] = round(1.7e308, 1)
        out[2] = round(1234.5, -2)
        out[3] = round(5.0, -400)
        w = 2.675
        for i in range(2):
            w = w * 1.0
        out[4] = round(w, 2)
    assert both(kernel, np.zeros(5)).tolist() == [2.67, 1.7e308, 1200.0, 0.0, 2.67]


def test_int_of_a_literal_that_is_too_large_for_32_bits():
    """It is the literal that Python makes of it, not what saturates."""
    def kernel(out):
        out[0] = int(1e10)
        out[1] = -math.floor(1e10)
        out[2] = math.ceil(3e9)
        out[3] = round(-2.0**40)
        out[4] = int(1e10) % 1000003

    assert both(kernel, np.zeros(5, np.int64)).tolist() == [10**10, -10**10, 3 * 10**9, -2**40, 10**10 % 1000003]

    def largest(out):
        out[0] = int(1e19)

    assert both(largest, np.zeros(1, np.uint64)).tolist() == [10**19]

    def narrow(out):
        out[0] = int(1e10)

    def huge(out):
        out[0] = int(1e30)

    assert "E0501]: 10000000000 does not fit in int32" in refused(narrow, "(int32[:])")
    assert "E0502]: int(1e+30) does not fit in 64 bits" in refused(huge, "(int64[:])")

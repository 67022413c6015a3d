"""Every math function of compiler/ir/math.def, float32 and float64: within the bounds that docs/math.md promises, the
same bits from the host target and the interpreter, the same function under each of its Python names, and C's answers at
the places where a formula does not help."""

import numpy as np
import pytest

import math_accuracy as accuracy
from both import both
from hetjit import device

COUNT = 600
FORMATS = [np.float32, np.float64]
ROWS = accuracy.rows()
inf, nan = np.inf, np.nan

# Arguments and result: signed zeros, infinities, NaN, poles.
SPECIAL = {
    "Sqrt": [(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-1.0, nan), (nan, nan)],
    "Floor": [(-0.0, -0.0), (-0.5, -1.0), (inf, inf), (nan, nan)],
    "Ceil": [(-0.0, -0.0), (-0.5, -0.0), (-inf, -inf), (nan, nan)],
    "Trunc": [(-0.0, -0.0), (-0.5, -0.0), (0.5, 0.0), (inf, inf), (nan, nan)],
    "RoundEven": [(-0.0, -0.0), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (inf, inf), (nan, nan)],
    "Fabs": [(-0.0, 0.0), (-inf, inf), (nan, nan)],
    "CopySign": [(1.0, -0.0, -1.0), (-1.0, 0.0, 1.0), (inf, -1.0, -inf), (0.0, -inf, -0.0)],
    "Sin": [(0.0, 0.0), (-0.0, -0.0), (inf, nan), (nan, nan)],
    "Cos": [(0.0, 1.0), (-0.0, 1.0), (-inf, nan), (nan, nan)],
    "Tan": [(0.0, 0.0), (-0.0, -0.0), (inf, nan), (nan, nan)],
    "Asin": [(-0.0, -0.0), (1.5, nan), (nan, nan)],
    "Acos": [(1.0, 0.0), (-1.5, nan), (nan, nan)],
    "Atan": [(-0.0, -0.0), (inf, np.pi / 2), (-inf, -np.pi / 2), (nan, nan)],
    "Atan2": [(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -1.0, np.pi), (-0.0, -0.0, -np.pi), (1.0, 0.0, np.pi / 2),
              (1.0, inf, 0.0), (inf, inf, np.pi / 4), (nan, 1.0, nan)],
    "Sinh": [(-0.0, -0.0), (inf, inf), (-inf, -inf), (2000.0, inf), (nan, nan)],
    "Cosh": [(-0.0, 1.0), (-inf, inf), (2000.0, inf), (nan, nan)],
    "Tanh": [(-0.0, -0.0), (inf, 1.0), (-inf, -1.0), (nan, nan)],
    "Asinh": [(-0.0, -0.0), (-inf, -inf), (nan, nan)],
    "Acosh": [(1.0, 0.0), (0.5, nan), (inf, inf), (nan, nan)],
    "Atanh": [(-0.0, -0.0), (1.0, inf), (-1.0, -inf), (2.0, nan), (nan, nan)],
    "Exp": [(-0.0, 1.0), (inf, inf), (-inf, 0.0), (2000.0, inf), (-2000.0, 0.0), (nan, nan)],
    "Exp2": [(-0.0, 1.0), (10.0, 1024.0), (inf, inf), (-inf, 0.0), (2000.0, inf), (nan, nan)],
    "Expm1": [(-0.0, -0.0), (inf, inf), (-inf, -1.0), (2000.0, inf), (nan, nan)],
    "Log": [(1.0, 0.0), (0.0, -inf), (-0.0, -inf), (-1.0, nan), (inf, inf), (nan, nan)],
    "Log2": [(1.0, 0.0), (1024.0, 10.0), (0.0, -inf), (-1.0, nan), (inf, inf), (nan, nan)],
    "Log10": [(1.0, 0.0), (1000.0, 3.0), (0.0, -inf), (-1.0, nan), (inf, inf), (nan, nan)],
    "Log1p": [(-0.0, -0.0), (-1.0, -inf), (-2.0, nan), (inf, inf), (nan, nan)],
    "Pow": [(nan, 0.0, 1.0), (1.0, nan, 1.0), (0.0, -1.0, inf), (-0.0, -1.0, -inf), (-0.0, 3.0, -0.0), (-8.0, 1 / 4, nan),
            (-2.0, 3.0, -8.0), (0.5, inf, 0.0), (-1.0, inf, 1.0), (inf, -2.0, 0.0), (10.0, 400.0, inf)],
    "Rsqrt": [(4.0, 0.5), (0.0, inf), (-0.0, -inf), (-1.0, nan), (inf, 0.0), (nan, nan)],
    "Cbrt": [(-0.0, -0.0), (-27.0, -3.0), (inf, inf), (nan, nan)],
    "Hypot": [(inf, nan, inf), (nan, -inf, inf), (3.0, -4.0, 5.0), (-0.0, 0.0, 0.0), (nan, 1.0, nan)],
    "Fmod": [(-7.0, 3.0, -1.0), (7.0, -3.0, 1.0), (-6.0, 3.0, -0.0), (5.0, inf, 5.0), (inf, 1.0, nan), (1.0, 0.0, nan)],
    "Remainder": [(7.0, 4.0, -1.0), (6.0, 4.0, -2.0), (-6.0, 3.0, -0.0), (5.0, inf, 5.0), (inf, 1.0, nan), (1.0, 0.0, nan)],
    "Erf": [(-0.0, -0.0), (inf, 1.0), (-inf, -1.0), (nan, nan)],
    "Erfc": [(0.0, 1.0), (inf, 0.0), (-inf, 2.0), (nan, nan)],
    "Gamma": [(5.0, 24.0), (0.0, inf), (-0.0, -inf), (-1.0, nan), (-inf, nan), (inf, inf), (200.0, inf), (nan, nan)],
    "Lgamma": [(1.0, 0.0), (2.0, 0.0), (0.0, inf), (-1.0, inf), (inf, inf), (-inf, inf), (nan, nan)],
    "NextAfter": [(1.0, 1.0, 1.0), (0.0, -0.0, -0.0), (nan, 1.0, nan), (inf, 0.0, None), (0.0, 1.0, None)],
}


def format_name(dtype):
    return np.dtype(dtype).name


def same_bits(got, want):
    bits = np.dtype(f"u{got.dtype.itemsize}")
    return (got.view(bits) == want.view(bits)) | (np.isnan(got) & np.isnan(want))


@pytest.mark.parametrize("dtype", FORMATS, ids=format_name)
@pytest.mark.parametrize("function, arity", ROWS, ids=lambda value: str(value))
def test_within_the_documented_bound(function, arity, dtype):
    arguments, errors = accuracy.errors(function, arity, dtype, COUNT, seed=7)
    worst = int(errors.argmax())
    assert errors[worst] <= accuracy.bound(function, dtype), \
        f"{errors[worst]:.3f} ulp at {[float(argument[worst]) for argument in arguments]}"


@pytest.mark.parametrize("dtype", FORMATS, ids=format_name)
@pytest.mark.parametrize("function, arity", ROWS, ids=lambda value: str(value))
def test_interpreter_and_every_name_agree(function, arity, dtype):
    arguments = accuracy.points(function, arity, dtype, COUNT, seed=11)
    names = accuracy.python_names(function)
    want = accuracy.interpreted(names[0], arguments)
    for name in names:
        same = same_bits(accuracy.on_cpu(name, arguments), want)
        assert same.all(), f"{name} differs at {[float(argument[~same][0]) for argument in arguments]}"


def limit(value, dtype, arguments):
    """NextAfter's results depend on the format."""
    return np.nextafter(*map(dtype, arguments)) if value is None else dtype(value)


@pytest.mark.parametrize("dtype", FORMATS, ids=format_name)
@pytest.mark.parametrize("function, arity", ROWS, ids=lambda value: str(value))
def test_special_values(function, arity, dtype):
    cases = SPECIAL[function]
    arguments = [np.array([case[k] for case in cases], dtype) for k in range(arity)]
    want = np.array([limit(case[-1], dtype, case[:-1]) for case in cases], dtype)
    name = accuracy.python_names(function)[0]
    for got in (accuracy.on_cpu(name, arguments), accuracy.interpreted(name, arguments)):
        close = np.isclose(got, want, rtol=4 * np.finfo(dtype).eps, atol=0, equal_nan=True)
        close &= (np.signbit(got) == np.signbit(want)) | np.isnan(want)
        assert close.all(), [(case, float(value)) for case, value, ok in zip(cases, got, close) if not ok]


def test_no_bound_is_above_what_cuda_documents():
    for function, documented in accuracy.CUDA_BOUNDS.items():
        for bound, dtype in zip(documented, (np.float32, np.float64)):
            assert accuracy.bound(function, dtype) <= bound, function


def test_the_document_promises_these_bounds():
    text = accuracy.DOCUMENT.read_text()
    for function, _ in ROWS:
        found = [line.split("|") for line in text.split("\n") if line.startswith(f"| {function} |")]
        assert len(found) == 1, f"docs/math.md: one row for {function}"
        cells = [cell.strip() for cell in found[0]]
        assert cells[2] == ", ".join(f"`{name}`" for name in accuracy.python_names(function))
        for cell, dtype in ((cells[4], np.float32), (cells[7], np.float64)):
            assert float(cell) == accuracy.bound(function, dtype), f"docs/math.md is older than BOUNDS: {function}"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64], ids=format_name)
@pytest.mark.parametrize("power", [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 4.5])
def test_powers_by_halves(power, dtype):
    """Those that are made of the square root are pow's at the ends, and near it elsewhere; that root itself is correctly rounded."""
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    drawn = np.random.default_rng(5).integers(0, 1 << 8 * bits.itemsize - 1, 4000, dtype=np.uint64).astype(bits).view(dtype)
    limits = np.finfo(dtype)
    special = np.array([0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 4.0, 2.0, limits.smallest_subnormal, -limits.smallest_subnormal, limits.max, -limits.max], dtype)
    x = np.concatenate([special, drawn])

    def kernel(x, out):
        i = device.tid(1)
        if i < len(x):
            out[i] = x[i] ** power
    got = both(kernel, x, np.zeros_like(x), grid=17, block=256)
    with np.errstate(all="ignore"):
        want = np.power(x.astype(np.longdouble), np.longdouble(power))
        rounded = want.astype(dtype)
        off = np.abs(got.astype(np.longdouble) - want) / np.spacing(np.abs(rounded))
    off[(got == rounded) & (np.signbit(got) == np.signbit(rounded)) | np.isnan(got) & np.isnan(rounded)] = 0
    bound = 0.5 if power == 0.5 else 2.5
    wrong = np.flatnonzero(~(off <= bound))
    assert not wrong.size, [(float(x[k]), float(got[k]), float(want[k])) for k in wrong[:5]]

"""How accurate the math functions are on the host target, in units in the last place, against mpmath.

    ./dev run python tests/differential/math_accuracy.py              measures and prints
    ./dev run python tests/differential/math_accuracy.py --write      … and rewrites the tables in docs/math.md

The functions are the rows of compiler/ir/math.def, their Python names those of compiler/builtins/names.def. The bounds
are what test_math.py asserts and docs/math.md promises: room above what was measured, for points that were not tried, and
for other machines' libm where the host target calls it (the last rows).
"""

import functools
import math
import pathlib
import re
import sys
from fractions import Fraction

import mpmath
import numpy as np

import tools
from hetjit import _core, device

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "math.md"
PRECISION = 200  # bits of the reference; both formats need far fewer
EXACT = 0.5      # correctly rounded

# Units in the last place, float32 and float64. What is not listed is correctly rounded, or exact.
BOUNDS = {
    "Sin": (1, 1), "Cos": (1, 1), "Tan": (3, 1), "Asin": (3, 1.5), "Acos": (2, 1), "Atan": (1, 1), "Atan2": (1.5, 1.5),
    "Sinh": (1, 1), "Cosh": (1, 1), "Tanh": (2, 1), "Asinh": (1, 2), "Acosh": (1, 2), "Atanh": (1, 2),
    "Exp": (1.5, 1), "Exp2": (1, 1), "Expm1": (1, 1), "Log": (1, 1), "Log2": (1, 1), "Log10": (1, 1), "Log1p": (1, 1),
    "Pow": (1, 1), "Rsqrt": (1.5, 1), "Cbrt": (1, 1), "Hypot": (1, 1), "Erf": (1.5, 1), "Erfc": (1, 4), "Gamma": (1, 8), "Lgamma": (6, 4),
}

# What NVIDIA documents for its own functions: largest error in ulp, float32 and float64 (CUDA C Programming Guide, appendix E.1, as
# tabled in intel/llvm, sycl/doc/cuda/cuda-vs-opencl-math-builtin-precisions.md). A bound of ours is never above it.
CUDA_BOUNDS = {
    "Sin": (2, 1), "Cos": (2, 1), "Tan": (4, 2), "Asin": (4, 2), "Acos": (3, 1), "Atan": (2, 2), "Atan2": (3, 2),
    "Sinh": (3, 1), "Cosh": (2, 1), "Tanh": (2, 1), "Asinh": (3, 2), "Acosh": (4, 2), "Atanh": (3, 2),
    "Exp": (2, 1), "Exp2": (2, 1), "Expm1": (1, 1), "Log": (1, 1), "Log2": (1, 1), "Log10": (2, 1), "Log1p": (1, 1),
    "Pow": (8, 2), "Rsqrt": (2, 1), "Cbrt": (1, 1), "Hypot": (3, 2), "Erf": (2, 2), "Erfc": (4, 4), "Gamma": (11, 8), "Lgamma": (6, 4),
}


# ---- the tables

def rows():
    """(function, arity) of each row of math.def."""
    text = (ROOT / "compiler" / "ir" / "math.def").read_text()
    return [(name, int(arity)) for name, arity in re.findall(r"^MATH\((\w+),\s*(\d),", text, re.M)]


def python_names(function):
    """["math.sin", "numpy.sin", "device.sin"]: the calls that mean this row and give a float."""
    text = (ROOT / "compiler" / "builtins" / "names.def").read_text()
    modules = {"M": "math", "N": "numpy", "D": "device"}
    return [f"{modules[letter]}.{name}"
            for letters, name, row in re.findall(r'^MATH_NAME\("(\w+)",\s*(\w+),\s*(\w+)\)', text, re.M)
            for letter in letters if row == function]


def callable_of(python_name):
    module, _, name = python_name.partition(".")
    return getattr({"math": math, "numpy": np, "device": device}[module], name)


# ---- where a function is measured: intervals for each argument, in which points lie evenly

TINY = "tiny"  # also points whose exponents lie evenly, from the smallest subnormal up to the interval's end
WIDE = 1e30
LONG = 1000  # an interval in which evenly lying points leave out what is small
INTERVALS = {
    "Sin": [(-10, 10), (-1e5, 1e5), (-WIDE, WIDE)], "Cos": [(-10, 10), (-1e5, 1e5), (-WIDE, WIDE)],
    "Tan": [(-10, 10), (-1e5, 1e5)], "Asin": [(-1, 1)], "Acos": [(-1, 1), (0.99, 1)], "Atan": [(-10, 10), (-1e5, 1e5)],
    "Sinh": [(-3, 3), (-88, 88)], "Cosh": [(-3, 3), (-88, 88)], "Tanh": [(-1, 1), (-10, 10)],
    "Asinh": [(-3, 3), (-WIDE, WIDE)], "Acosh": [(1, 3), (1, WIDE)], "Atanh": [(-1, 1)],
    "Exp": [(-3, 3), (-88, 88)], "Exp2": [(-3, 3), (-126, 127)], "Expm1": [(-3, 3), (-20, 88)],
    "Log": [(0, 3), (0, WIDE)], "Log2": [(0, 3), (0, WIDE)], "Log10": [(0, 3), (0, WIDE)], "Log1p": [(-0.9, 3), (-1, WIDE)],
    "Sqrt": [(0, 4), (0, WIDE)], "Rsqrt": [(0, 4), (0, WIDE)], "Cbrt": [(-4, 4), (-WIDE, WIDE)], "Erf": [(-1, 1), (-4, 4)], "Erfc": [(-2, 2), (-4, 9)],
    "Gamma": [(0, 3), (3, 34), (-6, 0)], "Lgamma": [(0, 4), (4, 1e4), (-6, 0)],
    "Floor": [(-100, 100), (-WIDE, WIDE)], "Ceil": [(-100, 100), (-WIDE, WIDE)], "Trunc": [(-100, 100), (-WIDE, WIDE)],
    "RoundEven": [(-100, 100), (-WIDE, WIDE)], "Fabs": [(-WIDE, WIDE)],
}
PAIRS = {  # one interval for each argument
    "Pow": [((0, 4), (-8, 8)), ((0, 1000), (-12, 12)), ((0.99, 1.01), (-4000, 4000))],
    "Atan2": [((-3, 3), (-3, 3)), ((-1e5, 1e5), (-1, 1))], "Hypot": [((-3, 3), (-3, 3)), ((-WIDE, WIDE), (-1e29, 1e29))],
    "Fmod": [((-100, 100), (-7, 7)), ((-WIDE, WIDE), (-1e3, 1e3))],
    "Remainder": [((-100, 100), (-7, 7)), ((-WIDE, WIDE), (-1e3, 1e3))],
    "CopySign": [((-3, 3), (-3, 3))], "NextAfter": [((-3, 3), (-3, 3))],
}
SMALL_TOO = ("Sin", "Tan", "Asin", "Atan", "Sinh", "Tanh", "Asinh", "Atanh", "Expm1", "Log", "Log2", "Log10", "Log1p", "Sqrt", "Rsqrt",
             "Cbrt", "Erf", "Fabs")


def evenly(random, interval, count, dtype):
    """Points between the ends; in a wide interval every other one by its exponent, or all would be as large as the ends."""
    low, high = interval
    even = random.random(count) * (high - low) + low
    if high - low > LONG:
        sizes = np.exp2(random.uniform(-4, np.log2(high), count)) + max(low, 0)
        signed = np.where(random.random(count) < 0.5, sizes, -sizes) if low <= -high else sizes
        even[::2] = np.minimum(signed, high)[::2]
    return even.astype(dtype)


def points(function, arity, dtype, count, seed=1):
    """Arrays of arguments: `count` points, the same for the same seed."""
    random = np.random.default_rng(seed)
    if arity == 2:
        intervals = PAIRS[function]
        each = -(-count // len(intervals))
        return [np.concatenate([evenly(random, pair[k], each, dtype) for pair in intervals]) for k in range(2)]
    intervals = INTERVALS[function]
    each = -(-count // (len(intervals) + (function in SMALL_TOO)))
    parts = [evenly(random, interval, each, dtype) for interval in intervals]
    if function in SMALL_TOO:
        info = np.finfo(dtype)
        exponents = random.uniform(np.log2(float(info.smallest_subnormal)), 0, each)
        small = np.exp2(exponents).astype(dtype)
        parts.append(small if intervals[0][0] >= 0 else np.where(random.random(each) < 0.5, small, -small))
    x = np.concatenate(parts)
    return [x[inside(function, x)]]


def inside(function, x):
    """Without the poles and the ends at which the result is not finite: test_math.py has those by hand."""
    if function in ("Log", "Log2", "Log10", "Gamma", "Lgamma"):
        return (x != 0) & ((x > 0) | (x != np.floor(x)))
    if function == "Atanh":
        return np.abs(x) < 1
    return x > -1 if function == "Log1p" else np.ones(x.shape, bool)


# ---- the truth

def odd(function):
    return lambda x: function(x) if x >= 0 else -function(-x)


def by_fractions(combine):
    """For results that are exact: computed without rounding."""
    def compute(x, y):
        value = combine(Fraction(float(x)), Fraction(float(y)))
        return mpmath.mpf(value.numerator) / value.denominator
    return compute


REFERENCES = {
    "Sqrt": mpmath.sqrt, "Rsqrt": lambda x: 1 / mpmath.sqrt(x), "Floor": mpmath.floor, "Ceil": mpmath.ceil, "Fabs": mpmath.fabs, "RoundEven": mpmath.nint,
    "Trunc": odd(mpmath.floor), "CopySign": lambda x, y: abs(x) if y >= 0 else -abs(x),
    "Sin": mpmath.sin, "Cos": mpmath.cos, "Tan": mpmath.tan, "Asin": mpmath.asin, "Acos": mpmath.acos, "Atan": mpmath.atan,
    "Atan2": mpmath.atan2, "Sinh": mpmath.sinh, "Cosh": mpmath.cosh, "Tanh": mpmath.tanh, "Asinh": mpmath.asinh,
    "Acosh": mpmath.acosh, "Atanh": mpmath.atanh, "Exp": mpmath.exp, "Exp2": lambda x: mpmath.mpf(2) ** x,
    "Expm1": mpmath.expm1, "Log": mpmath.log, "Log2": lambda x: mpmath.log(x) / mpmath.ln2, "Log10": mpmath.log10,
    "Log1p": mpmath.log1p, "Pow": mpmath.power, "Cbrt": odd(mpmath.cbrt), "Hypot": mpmath.hypot,
    "Fmod": by_fractions(lambda x, y: x - y * math.trunc(x / y)), "Remainder": by_fractions(lambda x, y: x - y * round(x / y)),
    "Erf": mpmath.erf, "Erfc": mpmath.erfc, "Gamma": mpmath.gamma, "Lgamma": lambda x: mpmath.re(mpmath.loggamma(x)),
}


def next_after(x, y):
    """By the order of the bit patterns. Not zero, not equal: points() gives none such."""
    bits = np.int32 if x.dtype == np.float32 else np.int64
    step = np.where((y > x) == (x > 0), 1, -1).astype(bits)
    return (x.view(bits) + step).view(x.dtype)


def ulp_errors(got, want, dtype):
    """|got - want| in units of the last place of `want`; an infinite result counts as the next power of two."""
    info = np.finfo(dtype)
    errors = np.zeros(len(got))
    for k, (value, truth) in enumerate(zip(got, want)):
        if math.isnan(value):
            errors[k] = math.inf
            continue
        near = mpmath.mpf(float(value)) if math.isfinite(value) else mpmath.sign(value) * mpmath.mpf(2) ** int(info.maxexp)
        exponent = max(mpmath.frexp(truth)[1] - 1, int(info.minexp)) if truth else int(info.minexp)
        exponent = min(exponent, int(info.maxexp) - 1)
        errors[k] = float(abs(near - truth) / mpmath.mpf(2) ** (exponent - int(info.nmant)))
    return errors


# ---- what is measured

@functools.cache
def kernel_of(python_name, arity):
    return device.kernel(tools.elementwise(callable_of(python_name), arity))


def on_cpu(python_name, arguments):
    out = np.zeros_like(arguments[0])
    kernel_of(python_name, len(arguments))[(len(out) + 127) // 128, 128](*arguments, out)
    return out


def interpreted(python_name, arguments):
    out = np.zeros_like(arguments[0])
    kernel = kernel_of(python_name, len(arguments))
    _core.interpret(_core.capture(kernel.underlying), (*arguments, out), (len(out) + 127) // 128, 128)
    return out


def truth(function, arguments):
    if function == "NextAfter":
        return [mpmath.mpf(float(value)) for value in next_after(*arguments)]
    with mpmath.workprec(PRECISION):
        exact = [[mpmath.mpf(float(value)) for value in argument] for argument in arguments]
        return [REFERENCES[function](*values) for values in zip(*exact)]


def errors(function, arity, dtype, count, seed=1):
    """(arguments, errors in ulp) of the host target."""
    arguments = points(function, arity, dtype, count, seed)
    got = on_cpu(python_names(function)[0], arguments)
    with mpmath.workprec(PRECISION):
        return arguments, ulp_errors(got, truth(function, arguments), dtype)


def bound(function, dtype):
    return BOUNDS.get(function, (EXACT, EXACT))[dtype == np.float64]


# ---- the document

def figure(error):
    return "exact" if error == 0 else f"{error:.2f}"


def table(count):
    lines = ["| function | in kernels | float32 measured | bound | CUDA's | float64 measured | bound | CUDA's |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for function, arity in rows():
        measured = [errors(function, arity, dtype, count)[1].max() for dtype in (np.float32, np.float64)]
        names = ", ".join(f"`{name}`" for name in python_names(function))
        documented = CUDA_BOUNDS.get(function, ("—", "—"))
        cells = [function, names]
        for place, dtype in enumerate((np.float32, np.float64)):
            cells += [figure(measured[place]), f"{bound(function, dtype):g}", str(documented[place])]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main():
    text = table(5_000)
    if "--write" in sys.argv:
        block = f"<!-- accuracy -->\n{text}\n<!-- /accuracy -->"
        new, count = re.subn(r"<!-- accuracy -->.*?<!-- /accuracy -->", lambda _: block, DOCUMENT.read_text(), flags=re.S)
        assert count == 1, "docs/math.md has no section accuracy"
        DOCUMENT.write_text(new)


if __name__ == "__main__":
    main()

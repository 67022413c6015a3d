"""Every special case that the Array API standard (2023.12) writes down, special_cases.tsv: signed zeros, infinities, NaN, and the
numbers around them. On the host target and in the interpreter, for float32 and float64, and on every GPU there is."""

import csv
import itertools
import math
import pathlib

import numpy as np
import pytest

from hetjit import _core, device

TABLE = pathlib.Path(__file__).with_name("special_cases.tsv")
GPUS = [name for name in _core.devices() if not name.startswith("cpu")]

# What the standard's functions are in compiled code.
MEANINGS = {
    "add": lambda x, y: x + y, "multiply": lambda x, y: x * y, "divide": lambda x, y: x / y,
    "floor_divide": lambda x, y: x // y, "remainder": lambda x, y: x % y, "pow": lambda x, y: x ** y,
    "equal": lambda x, y: x == y, "not_equal": lambda x, y: x != y, "abs": lambda x: abs(x),
    "atan2": math.atan2, "nextafter": math.nextafter, "logaddexp": np.logaddexp,
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh, "atan": math.atan, "atanh": math.atanh,
    "ceil": np.ceil, "cos": math.cos, "cosh": math.cosh, "exp": math.exp, "expm1": math.expm1, "floor": np.floor,
    "isfinite": math.isfinite, "isinf": math.isinf, "isnan": math.isnan, "log": math.log, "log10": math.log10,
    "log1p": math.log1p, "log2": math.log2, "sign": np.sign, "signbit": np.signbit, "sin": math.sin, "sinh": math.sinh,
    "sqrt": math.sqrt, "tan": math.tan, "tanh": math.tanh, "trunc": np.trunc,
}


def number(text):
    return {"True": 1.0, "False": 0.0}.get(text) if text in ("True", "False") else float(text)


def cases():
    """{function: [(x1, x2 or None, result)]}"""
    found = {}
    with open(TABLE, newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        for line in csv.DictReader(lines, delimiter="\t"):
            second = number(line["x2"]) if line["x2"] else None
            found.setdefault(line["function"], []).append((number(line["x1"]), second, number(line["result"])))
    return found


CASES = cases()


def kernel_of(function, arity):
    meaning = MEANINGS[function]

    def one(x, out):
        out[device.tid(1)] = meaning(x[device.tid(1)])

    def two(x, y, out):
        out[device.tid(1)] = meaning(x[device.tid(1)], y[device.tid(1)])
    return device.kernel(one if arity == 1 else two)


def given(function, dtype):
    """(arguments, results) of a function's cases."""
    rows = CASES[function]
    arity = 1 if rows[0][1] is None else 2
    return [np.array([row[k] for row in rows], dtype) for k in range(arity)], np.array([row[2] for row in rows], dtype)


def wrong(arguments, got, want):
    """The cases that differ. Results that are neither zero nor infinite are multiples of pi: rounded, and to two places."""
    close = np.isclose(got, want, rtol=4 * np.finfo(want.dtype).eps, atol=0, equal_nan=True)
    exact = (want == 0) | np.isinf(want) | (want == np.round(want))
    close &= ~exact | (got == want)
    close &= (np.signbit(got) == np.signbit(want)) | np.isnan(want)
    return [(*(float(x[i]) for x in arguments), float(got[i]), "is not", float(want[i])) for i in np.flatnonzero(~close)]


def test_the_table_is_whole():
    assert sum(map(len, CASES.values())) == 1478
    assert set(CASES) == set(MEANINGS)


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("function", list(CASES))
def test_host_and_interpreter(function, dtype):
    arguments, want = given(function, dtype)
    kernel, out, again = kernel_of(function, len(arguments)), np.zeros_like(want), np.zeros_like(want)
    kernel[1, len(want)](*arguments, out)
    assert not wrong(arguments, out, want)
    _core.interpret(_core.capture(kernel.underlying), (*arguments, again), 1, len(want))
    assert not wrong(arguments, again, want)


@pytest.mark.skipif(not GPUS, reason="no GPU on this machine")
def test_gpus():
    for where, function, dtype in itertools.product(GPUS, CASES, (np.float32, np.float64)):
        arguments, want = given(function, dtype)
        there = [_core.DeviceArray(a.shape, a.dtype.name, where) for a in (*arguments, want)]
        for array, values in zip(there, arguments):
            array.copy_in(values)
        kernel_of(function, len(arguments))[1, len(want)](*there)
        got = np.zeros_like(want)
        there[-1].copy_out(got)
        assert not wrong(arguments, got, want), (where, function, dtype)

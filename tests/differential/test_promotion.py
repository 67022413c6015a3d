"""Promotion: every ordered pair of number types and every operator against promotion.py, which is data.

Nothing runs: the result type is read off the head of the typed graph, so all of it takes a second. `bool` and `bool_` are Python's
bool and an element of a bool array: both are 1 byte, and only the first takes part in arithmetic.
"""

import re

import numpy as np
import pytest

from hetjit import _core, device

from promotion import NAMES, RULES, SHORT, TABLE



def snapshot(operator):
    scope = {}
    exec(f"def f(a, b):\n    return a {operator} b\n", scope)
    return _core.capture(scope["f"])


def head(text):
    """The result type of a typed graph."""
    return re.match(r"f\(.*\) -> (\S+)", text)[1]


def result(program, a, b, target="cpu:x86-64-v3"):
    """("i32", "") of a pair, or ("E0204", message)."""
    try:
        return head(_core.show(program, "typed", f"({a}, {b})", target, kernel=False)), ""
    except device.CompileError as error:
        return error.code, str(error)


def problem(a, b, want, got, message):
    if want in ("x", "!", "refused"):
        if not re.fullmatch(r"E\d{4}", got):
            return f"{got}, not an error"
        if want == "x" and not (got == "E0204" and a in message and b in message):
            return f"{got}, not E0204 with both types: {message}"
        return ""
    want = SHORT.get(want, want)
    return "" if got == want else f"{got}, not {want}. {message}"


def test_the_table_is_symmetric_and_has_all_types():
    assert len(NAMES) == 23 and len(TABLE) == 23 * 23
    assert all(TABLE[a, b] == TABLE[b, a] for a in NAMES for b in NAMES)


@pytest.mark.row("HET-PROM-1", "HET-PROM-2", "HET-PROM-3", "HET-PROM-4", "HET-PROM-5", "HET-PROM-8", "HET-PROM-9")
@pytest.mark.parametrize("operator", RULES)
def test_every_pair(operator):
    program = snapshot(operator)
    wrong = [f"{a} {operator} {b}: {found}" for a in NAMES for b in NAMES
             if (found := problem(a, b, RULES[operator](a, b), *result(program, a, b)))]
    assert not wrong, "\n".join(wrong[:30]) + f"\n{len(wrong)} of {len(TABLE)}"


@pytest.mark.row("HET-PROM-10")
@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942"])
def test_every_target_alike(target):
    for operator in ("+", "/", "<<"):
        program = snapshot(operator)
        for pair in TABLE:
            assert result(program, *pair, target) == result(program, *pair)


FIXED = [name for name in NAMES if name not in ("bool", "int", "float", "complex", "bfloat16") and "float8" not in name]
KINDS = [("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
         ("float32", "float64", "complex64", "complex128"), ("bool_",)]


@pytest.mark.row("HET-PROM-10", "HET-PROM-1", "HET-PROM-2", "HET-PROM-3", "HET-PROM-4")
def test_the_standards_part_is_numpys():
    """The Array API standard defines the pairs within a kind, uint64 with signed integers excepted; NumPy follows it."""
    seen = 0
    for kind in KINDS:
        for a in kind:
            for b in kind:
                if TABLE[a, b] == "x":
                    continue
                want = np.result_type(getattr(np, a), getattr(np, b)).name
                got = head(_core.show(snapshot("|" if a == "bool_" else "+"), "typed", f"({a}, {b})", kernel=False))
                assert got == head(_core.show(snapshot("|" if a == "bool_" else "+"), "typed", f"({want}, {want})".replace(
                    "bool,", "bool_,"), kernel=False)), (a, b)
                seen += 1
    assert seen == 64 - 8 + 16 + 1


@pytest.mark.row("HET-PROM-10", "HET-PROM-5")
def test_python_numbers_as_numpy_has_them():
    """A Python number with a fixed-format one of its own kind or a higher one."""
    python = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}
    order = ["bool", "int", "float", "complex"]
    for weak, value in python.items():
        for fixed in FIXED:
            kind = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[np.dtype(getattr(np, fixed)).kind]
            if kind < order.index(weak):
                continue
            want = np.result_type(getattr(np, fixed), value).name
            assert SHORT.get(TABLE[weak, fixed], TABLE[weak, fixed]) in (want, head_name(want)), (weak, fixed)


def head_name(name):
    return name if name == "bool" else name[0] + re.search(r"\d+", name)[0]


@pytest.mark.row("HET-PROM-6")
def test_elements_and_numbers_promote_alike():
    @device.kernel
    def add(a, b, out):
        out[()] = a[()] + b

    for number, element, want in ((np.int8(1), np.int16, np.int16), (np.uint16(1), np.int8, np.int32),
                                  (np.float32(1), np.int64, np.float32), (3, np.int8, np.int8), (0.5, np.float64, np.float64)):
        out = np.zeros((), want)
        add[1, 1](np.full((), 2, element), number, out)
        assert out == number + 2
        pair = np.dtype(element).name, type(number).__name__
        assert result(snapshot("+"), *pair)[0] == head_name(np.dtype(want).name)


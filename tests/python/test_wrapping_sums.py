"""Python ints that grow by products in a loop, or are made of a float64, and are stored as 64 bits: told of, with a change that makes them right."""

import math
import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

TOLD = {
    "squares": ("t = 0", "t += k * k"), "the other way round": ("t = 0", "t = k * k + t"), "less": ("t = 0", "t -= k * k"),
    "a factorial": ("t = 1", "t *= k + 1"), "by ten": ("t = 1", "t = t * 10"), "Horner": ("t = 1", "t = t * 31 + k"),
    "cubes": ("t = 0", "t += k * k * k"), "products of sums": ("t = 0", "t += k * (k + 1) * (2 * k + 1)"), "two products": ("t = 0", "t += k * k + n * k"),
    "a product of products": ("t = 0", "t += (k * k) * (n * k)"), "times a sum": ("t = 1", "t *= k * n + 1"), "squares by **": ("t = 0", "t += k ** 2"),
    "and one": ("t = 0", "t += k * k + 1"), "an inner loop": ("t = 0", "for j in range(n): t += k * j"), "on one path": ("t = 0", "if k % 2: t += k * k"),
}
SILENT = {
    "a count": ("t = 0", "if k % 3 == 0: t += 1"), "a sum of places": ("t = 0", "t += k"), "twice each": ("t = 0", "t += 2 * k"),
    "64 bits": ("t = 0", "t += device.int64(k) * k"), "begun in 64 bits": ("t = device.int64(0)", "t += k * k"),
    "32 bits that are named": ("t = device.int32(0)", "t += k * k"), "the last one": ("t = 0", "t = k * k"), "masked": ("t = 1", "t = t * 31 + k & 0xffff"),
    "a remainder": ("t = 1", "t = (t * 31 + k) % 1000"), "the greatest": ("t = 0", "t = max(t, k * k)"), "an element": ("t = 0", "t += out[0] * k"),
    "a sign": ("t = 1", "t *= -1"), "a flag": ("t = 1", "t *= (k < 5)"), "a flag as a number": ("t = 1", "t *= int(k < 5)"), "begun again": ("t = 1", "t = t * 0 + k"),
}


def kernel(start, step):
    source = f"def body(out, n):\n    {start}\n    for k in range(n):\n        {step}\n    out[0] = t\n"
    given = {"device": device}
    exec(source, given)
    return given["body"]


def warnings_of(body, dtype, n=3):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        out = np.zeros(1, dtype)
        device.kernel(body)[1, 1](out, n)
    return out[0], [str(each.message) for each in told]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.float64])
@pytest.mark.parametrize("case", TOLD)
def test_growth_by_products_is_told(case, dtype):
    _, told = warnings_of(kernel(*TOLD[case]), dtype)
    assert len(told) == 1 and "W0731" in told[0] and f"'t' is computed in int, of 32 bits, which wraps round, before it becomes {np.dtype(dtype)}" in told[0]


@pytest.mark.parametrize("case", TOLD)
def test_32_bits_are_not_told(case):
    assert warnings_of(kernel(*TOLD[case]), np.int32)[1] == []


@pytest.mark.parametrize("case", SILENT)
def test_what_is_meant_is_not_told(case):
    assert warnings_of(kernel(*SILENT[case]), np.int64)[1] == []


def test_what_is_added_to_an_element():
    def body(out, n):
        t = 0
        for k in range(n):
            t += k * k
        out[0] += t
    assert len(warnings_of(body, np.int64)[1]) == 1


def edited(source, warning):
    """The source with the change that a warning offers."""
    lines = source.splitlines()
    for (_, line, column, last, end), text in sorted(warning.edits, key=lambda edit: edit[0][1:3], reverse=True):
        assert line == last
        lines[line - 1] = lines[line - 1][:column] + text + lines[line - 1][end:]
    return "\n".join(lines)


@pytest.mark.parametrize("case", TOLD)
def test_the_change_is_right(case, tmp_path):
    """For numbers that need 64 bits; none is told of then."""
    n = {"a factorial": 18, "by ten": 18, "Horner": 12, "times a sum": 8}.get(case, 3000)
    source = f"def body(out, n):\n    {TOLD[case][0]}\n    for k in range(n):\n        {TOLD[case][1]}\n    out[0] = t\n"

    def made(text, name):
        (tmp_path / name).write_text(text)
        given = {"device": device}
        exec(compile(text, str(tmp_path / name), "exec"), given)
        return given["body"]
    with pytest.warns(device.OverflowWarning) as told:
        device.kernel(made(source, "before.py"))[1, 1](np.zeros(1, np.int64), n)
    right = [0]
    made(source, "python.py")(right, n)
    assert abs(right[0]) > 2**31
    after = made(edited(source, told[0].message), "after.py")
    assert warnings_of(after, np.int64, n) == (right[0], [])


# ---- what is made of a float64

CONVERSIONS = {
    "int": "o[0] = int(x[0])", "in a sum": "o[0] = int(x[0]) + 1", "times": "o[0] = 3 * int(x[0])", "floor": "o[0] = math.floor(x[0])", "ceil": "o[0] = math.ceil(x[0])",
    "trunc": "o[0] = math.trunc(x[0])", "round": "o[0] = round(x[0])", "of a sum": "o[0] = int(x[0] + x[1])", "by a name": "t = int(x[0])\n    o[0] = t",
    "in a loop": "t = 0\n    for v in x:\n        t += int(v)\n    o[0] = t", "on one path": "t = 0\n    if x[1] > 0:\n        t = int(x[0])\n    o[0] = t", "added": "o[0] += int(x[0])",
    "minus": "o[0] = -int(x[0])", "half": "o[0] = int(x[0]) // 2", "int of floor": "o[0] = int(math.floor(x[0]))", "int of round": "o[0] = int(round(x[0]))", "int of int": "o[0] = int(int(x[0]))",
    "converted": "o[0] = device.int64(int(x[0]))", "converted and rounded": "o[0] = 3 * np.int64(round(x[0]))",
}
NO_CONVERSIONS = {
    "64 bits": "o[0] = device.int64(x[0])", "a format that is named": "o[0] = device.int32(x[0])", "a constant": "o[0] = int(2.5)", "an index": "o[int(x[0])] = 1", "a float": "o[0] = device.int64(x[0] // 1)",
    "a condition": "if int(x[0]) > 1:\n        o[0] = 1", "NumPy's": "o[0] = np.int64(np.floor(x[0]))", "compared": "o[0] = int(x[0]) == 3", "a remainder": "o[0] = int(x[0]) % 10",
    "of a remainder": "o[0] = int(x[0] % 10)", "a function's": "o[0] = len(x) + min(2, 3)",
    "within bounds": "o[0] = min(max(int(x[0]), 0), 255)", "of 32 bits": "o[0] = device.int32(int(x[0]))",
}


def converting(body):
    given = {"device": device, "math": math, "np": np}
    exec(f"def body(o, x):\n    {body}\n", given)
    return given["body"]


def conversions_of(body, to, of):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        device.kernel(converting(body))[1, 1](np.zeros(4, to), np.array([1, 2, 3], of))
    return [str(each.message) for each in told if "W0733" in str(each.message)]


@pytest.mark.parametrize("to", [np.int64, np.uint64])
@pytest.mark.parametrize("case", CONVERSIONS)
def test_what_is_made_of_a_float64_is_told(case, to):
    (told,) = conversions_of(CONVERSIONS[case], to, np.float64)
    wide = "int64" if "convert" in case else np.dtype(to)
    assert f"is an int of 32 bits before it becomes {wide}" in told and "has 64 bits" in told


@pytest.mark.parametrize("case", NO_CONVERSIONS)
def test_what_has_its_format_is_not_told(case):
    assert conversions_of(NO_CONVERSIONS[case], np.int64, np.float64) == []


@pytest.mark.parametrize("case", CONVERSIONS)
def test_neither_are_float32_nor_32_bits(case):
    assert conversions_of(CONVERSIONS[case], np.int64, np.float32) == []
    if "convert" not in case:
        assert conversions_of(CONVERSIONS[case], np.int32, np.float64) == [] == conversions_of(CONVERSIONS[case], np.float64, np.float64)


@pytest.mark.parametrize("case", ["int", "in a sum", "times", "of a sum", "trunc", "half", "minus", "in a loop", "converted"])
@pytest.mark.parametrize("x", [[3e9, 4e9, 5e9], [-3e9, 4e9, 5e9], [3.5, -2.5, 1.0]])
def test_the_change_of_a_conversion_is_right(case, x, tmp_path):
    source = f"import math\nimport numpy as np\nfrom hetjit import device\ndef body(o, x):\n    {CONVERSIONS[case]}\n"
    x = np.array(x)

    def made(text, name):
        (tmp_path / name).write_text(text)
        given = {}
        exec(compile(text, str(tmp_path / name), "exec"), given)
        return given["body"]
    with pytest.warns(device.OverflowWarning) as told:
        device.kernel(made(source, "before.py"))[1, 1](np.zeros(1, np.int64), x)
    right, out = [0], np.zeros(1, np.int64)
    made(source, "python.py")(right, x.tolist())
    device.kernel(made(edited(source, told[0].message), "after.py"))[1, 1](out, x)
    assert out[0] == right[0]


def test_no_change_is_offered_that_could_be_wrong():
    """Numbers below 0 are none of uint64; int(device.int64(x)) has 32 bits again."""
    for body, to in (("o[0] = -int(x[0])", np.uint64), ("o[0] = int(x[0])", np.uint64), ("o[0] = int(int(x[0]))", np.int64), ("o[0] = math.floor(x[0])", np.int64)):
        with pytest.warns(device.OverflowWarning) as told:
            device.kernel(converting(body))[1, 1](np.zeros(4, to), np.zeros(4))
        assert not told[0].message.edits


# ---- what other functions return, tuples, atomics

@device.func
def whole(v):
    return int(v)


@device.func
def halved(v):
    if v > 0:
        return math.floor(v / 2)
    return 0


@device.func
def both_of(v):
    return int(v), 1


@device.func
def by_way_of(v):
    return whole(v) + 1


@device.func
def squares(n):
    t = 0
    for k in range(n):
        t += k * k
    return t


@device.func
def count(n):
    t = 0
    for k in range(n):
        t += 1
    return t


HELPERS = {"a helper": "o[0] = whole(x[0])", "in a sum": "o[0] += whole(x[0]) * 3", "on one path": "o[0] = halved(x[0])", "a helper's helper": "o[0] = by_way_of(x[0])",
           "an item": "o[0] = both_of(x[0])[0]", "taken apart": "a, b = both_of(x[0])\n    o[0] = a", "a tuple": "t = (int(x[0]), 1)\n    o[0] = t[0]", "from the end": "t = (1, int(x[0]))\n    o[0] = t[-1]",
           "a list": "t = [int(x[0]), 1]\n    o[0] = t[0]", "a lambda": "f = lambda v: int(v)\n    o[0] = f(x[0])", "by its name": "o[0] = whole(v=x[0])",
           "added": "device.atomic.add(o, 0, int(x[0]))", "greatest": "device.atomic.max(o, 0, whole(x[0]))", "exchanged": "device.atomic.exch(o, 0, int(x[0]))",
           "by reference": "device.AtomicRef(o, 0).add(int(x[0]))", "converted": "o[0] = device.int64(whole(x[0]))", "a half, converted": "o[0] = device.int64(int(x[0]) // 2)"}
NO_HELPERS = {"the other item": "o[0] = both_of(x[0])[1]", "the other one": "a, b = both_of(x[0])\n    o[0] = b", "a flag": "o[0] = whole(x[0]) > 3", "an index": "o[whole(x[0])] = 1",
              "added as it is": "device.atomic.add(o, 0, device.int64(x[0]))", "an index of an atomic": "device.atomic.add(o, int(x[0]), 1)"}
GUARDED = {"if": "v = x[0]\n    if v < 1e9:\n        o[0] = int(v)", "read again": "if x[0] < 100:\n        o[0] = int(x[0])", "between": "v = x[0]\n    if 0 <= v < 2**31:\n        o[0] = int(v)",
           "size": "v = x[0]\n    if abs(v) < 1000.0:\n        o[0] = int(v)", "else": "v = x[0]\n    if v > 1e6:\n        o[0] = 0\n    else:\n        o[0] = int(v)",
           "afterwards": "n = int(x[0])\n    if n < 100:\n        o[0] = n", "least": "o[0] = int(min(x[0], 255.0))", "clipped": "o[0] = int(np.clip(x[0], 0.0, 255.0))",
           "least by NumPy": "o[0] = int(np.minimum(x[0], 1e6))", "by a loop": "v = x[0]\n    while v > 1000.0:\n        v -= 1000.0\n    o[0] = int(v)"}
UNGUARDED = {"above": "if x[0] > 0:\n        o[0] = int(x[0])", "beyond": "if x[0] < 1e12:\n        o[0] = int(x[0])", "another": "if x[1] < 100:\n        o[0] = int(x[0])",
             "greatest": "o[0] = int(max(x[0], 0.0))", "no NaN": "if x[0] == x[0]:\n        o[0] = int(x[0])"}


def of_helpers(body):
    given = {"device": device, "math": math, "np": np, **{f.__name__: f for f in (whole, halved, both_of, by_way_of, squares, count)}}
    exec(f"def body(o, x, n):\n    {body}\n", given)
    return given["body"]


def told_of_helpers(body, to=np.int64):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        device.kernel(of_helpers(body))[1, 1](np.zeros(4, to), np.array([1, 2, 3], np.float64), 3)
    return [each.message for each in told if each.category is device.OverflowWarning]


@pytest.mark.parametrize("case", [*HELPERS, *UNGUARDED])
def test_what_comes_by_a_way_is_told(case):
    (told,) = told_of_helpers({**HELPERS, **UNGUARDED}[case])
    assert "W0733" in str(told) and "is an int of 32 bits before it becomes int64" in str(told)


@pytest.mark.parametrize("case", [*NO_HELPERS, *GUARDED])
def test_what_is_bounded_is_not_told(case):
    assert told_of_helpers({**NO_HELPERS, **GUARDED}[case]) == []


@pytest.mark.parametrize("case", HELPERS)
def test_neither_are_32_bits_by_a_way(case):
    if "convert" not in case:
        assert told_of_helpers(HELPERS[case], np.int32) == []


def test_the_mark_is_in_the_helper():
    (told,) = told_of_helpers("o[0] = whole(x[0])\n    o[1] = whole(x[1])")
    assert told.span.path == __file__ and told.span.line == whole.__code__.co_firstlineno + 2
    assert [edit.text for edit in told.edits] == ["device.int64"]


def test_growth_of_helpers_and_of_what_is_converted():
    for body in ("o[0] = squares(n)", "o[0] = squares(n) + 1", "t = 0\n    for k in range(n):\n        t += k * k\n    o[0] = device.int64(t)", "device.atomic.add(o, 0, squares(n))"):
        (told,) = told_of_helpers(body)
        assert "W0731" in str(told) and "'t' is computed in int, of 32 bits" in str(told)
    for body in ("o[0] = count(n)", "o[0] = device.int64(count(n))", "o[0] = device.int32(squares(n))"):
        assert told_of_helpers(body) == []


KNOWN_LENGTHS = {"few": ("t = 0", "for k in range(10): t += k * k"), "from one to another": ("t = 5", "for k in range(3, 60, 2): t += k * (k + 1)"), "powers": ("t = 1", "for k in range(20): t *= 2"),
                 "downwards": ("t = 0", "for k in range(10, 0, -1): t -= k ** 2"), "a few factors": ("t = 1", "for k in range(8): t *= k + 1"),
                 "doubled to a number": ("t = 1", "while t < n: t *= 2"), "asked the other way round": ("t = 1", "while n >= t: t = t * 4"), "until": ("t = 1", "while True:\n        t *= 3\n        if t > n: break")}
LONG_LENGTHS = {"many": ("t = 0", "for k in range(5000): t += k * k"), "high powers": ("t = 1", "for k in range(40): t *= 2"), "long factorial": ("t = 1", "for k in range(15): t *= k + 1"),
                "a loop in a loop": ("t = 0", "for j in range(n):\n        for k in range(9): t += k * k"), "times n": ("t = 0", "for k in range(9): t += k * n * n")}


@pytest.mark.parametrize("case", [*KNOWN_LENGTHS, *LONG_LENGTHS])
def test_loops_of_known_length_are_told_of_where_they_are_long(case):
    start, loop = {**KNOWN_LENGTHS, **LONG_LENGTHS}[case]
    given = {"device": device}
    exec(f"def body(out, n):\n    {start}\n    {loop}\n    out[0] = t\n", given)
    assert len(warnings_of(given["body"], np.int64)[1]) == (case in LONG_LENGTHS)

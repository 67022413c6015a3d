"""Values that a text form can get wrong, as names that a function loads. Checked by snapshot_text_test.cpp."""
from hetjit.device import float32x3

ints = (0, -1, 2**63, -2**63, 2**64 - 1, 2**64, -10**40)
floats = (0.0, -0.0, 1.0, 0.1, 1e16, 1e-5, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"))
texts = ("", "two\nlines", 'quo"te\\', "\ttab\r", "h\u00e9llo \u6f22 \U0001f600", "\ud800", "\x00\x1b\x7f", "# | x")
nested = ((), (1,), ((2, (3, "four")), None), True, False, ..., slice(1, None, -2), complex(1.5, -0.0))


def values():
    return ints, floats, texts, nested


def defaults(a, b=-0.0, /, c: float = 2**70, *rest, d: float32x3, e="\n", **more):
    # A line with a tab:	here.
    text = """two
lines """
    return a, b, c, d, e, text


def missing():
    return not_defined, values.attribute, len, int, [x for x in ints]

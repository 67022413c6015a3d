"""What a function finds outside of itself: constants made of texts, operators as functions, tuples of functions and types, attributes of
classes, enumerations and named tuples. The numbers of CPython, of the interpreter, of the host and of the emulated GPU are the same."""

import collections
import enum
import math
import operator

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from both import both, same
from hetjit import device


def everywhere(kernel, *arguments, n=8):
    """Calls the Python function itself, and the kernel in each other way, on n float64 numbers."""
    start = np.linspace(-2, 5, n)
    want = start.copy()
    kernel(*arguments, want)
    same(both(kernel, *arguments, start), want)
    there = device.array(start, "emu:sm_90")
    device.kernel(contract=False)(kernel)[1, 1](*arguments, there)
    same(device.to_numpy(there), want)


def refused(kernel, *arguments):
    with pytest.raises(device.CompileError) as caught:
        device.kernel(kernel)[1, 1](*arguments, np.zeros(4))
    return str(caught.value)


# ---- numbers of constant texts

FLOATS = ["inf", "-inf", "+Infinity", "nan", "-nan", "1e3", " 1_000.25\n", ".5", "5.", "-0.0", "1e400", "-1e400", "1e-400", "-1e-5000", "4.9e-324",
          "1E+2", "0.1", "0." + "0" * 400 + "1e401", "1" + "0" * 400 + "e-400", "0e99999999999999999999", "1e99999999999999999999", "123456789012345678901234567890"]
NO_FLOATS = ["", " ", "1e", "0x10", "1 2", "_1", "1_", "1__0", "1_e5", "in f", "infinit", "--1", "1,5", "1j", "\x001", "e5", ".", "+"]
INTEGERS = [("7",), (" -42 ",), ("+1_000",), ("0", 0), ("00", 0), ("0x_fF", 0), ("0b101", 0), ("-0o17", 0), ("ff", 16), ("0xff", 16), ("z", 36), ("0b1", 16),
            ("101", 2), ("2147483648",), ("-9223372036854775808",), ("9223372036854775807",), ("007",)]
NO_INTEGERS = [("",), ("1.5",), ("1e3",), ("0x10",), ("8", 8), ("010", 0), ("0x", 16), ("1__0",), ("- 5",), ("_1",), ("ff",), ("+-1",)]
COMPLEXES = ["1j", "-j", "j", "1+2j", " ( 1e-3-2.5E+1j )", "inf-nanj", "3", "-4.5", "+1-1j", "1e5j", "nan+infj", "1_0+2_0j"]
NO_COMPLEXES = ["", "1 + 2j", "1+2", "i", "(1j", "1jj", "1+j2", "()"]


def made(expression, **names):
    """A function that stores an expression."""
    scope = {"device": device, "np": np, **names}
    exec(f"def k(o):\n    o[0] = {expression}\n", scope)
    return scope["k"]


@pytest.mark.parametrize("text", FLOATS)
def test_float_of_a_text(text):
    everywhere(made(f"float({text!r})"))
    everywhere(made("float(T) * o[1]", T=text))


@pytest.mark.parametrize("arguments", INTEGERS)
def test_int_of_a_text(arguments):
    for expression in (f"int{arguments!r} // 1000", f"device.float64(int{arguments!r})"):
        want = np.zeros(1)
        made(expression)(want)
        same(both(made(expression), np.zeros(1)), want)


@pytest.mark.parametrize("text", COMPLEXES)
def test_complex_of_a_text(text):
    def store(o):
        z = complex(text)
        o[0], o[1] = z.real, z.imag

    everywhere(store)


def test_formats_of_a_text():
    def store(o):
        o[0] = np.float32("0.1")
        o[1] = np.float64("0.1")
        o[2] = np.int16("-7")
        o[3] = np.float16("inf")
        o[4] = bool("")
        o[5] = bool("0")
        o[6] = max(float("-inf"), o[6])

    everywhere(store)


@pytest.mark.parametrize("call", [f"float({text!r})" for text in NO_FLOATS] + [f"int{arguments!r}" for arguments in NO_INTEGERS] +
                         [f"complex({text!r})" for text in NO_COMPLEXES])
def test_texts_that_are_no_number(call):
    with pytest.raises(ValueError):
        eval(call)
    assert "E0209" in refused(made(call))


def test_what_is_said_of_texts():
    assert "cannot convert the text 'abc' to float" in refused(made("float('abc')"))
    assert "'99999999999999999999' does not fit in 64 bits" in refused(made("int('99999999999999999999')"))
    assert "300 does not fit in int8" in refused(made("np.int8('300')"))
    assert "convert the number itself" in refused(made("float(f'{o[1]}')"))
    assert "the base of 'int' takes 0 or 2 to 36, not 1" in refused(made("int('1', 1)"))
    assert "'int' with a base takes a constant text, not int" in refused(made("int(1, 2)"))


# ---- operators as functions

TWO = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "eq", "ne", "gt", "ge"]
WHOLE = ["and_", "or_", "xor", "lshift", "rshift"]
ONE = ["neg", "pos", "abs", "not_"]


@pytest.mark.parametrize("name", TWO + WHOLE + ONE + ["inv", "invert"])
def test_operators_as_functions(name):
    function, from_module = getattr(operator, name), f"operator.{name}"
    a, b = ("int(o[7])", "3") if name in WHOLE + ["inv", "invert"] else ("o[6]", "o[5]")
    given = a if name in ONE + ["inv", "invert"] else f"{a}, {b}"
    for called in (from_module, "function", "(lambda f: f)(function)"):
        everywhere(made(f"{called}({given})", operator=operator, function=function))


def fold(function, values, start):
    for value in values:
        start = function(start, value)
    return start


def test_operators_as_arguments():
    def store(o):
        o[0] = fold(operator.add, (1, 2.5, o[1]), o[2])
        o[3] = fold(operator.mul, (o[4], o[5]), 1)
        o[6] = sum(map(operator.sub, (o[1], o[2]), (3, 4)))
        o[7] = device.float64(operator.and_(6, 3))

    everywhere(store)


def test_operators_that_are_none():
    assert "write a[i]" in refused(made("operator.getitem(o, 1)", operator=operator))
    assert "'operator.imatmul' is not available" in refused(made("operator.imatmul(o, o)", operator=operator))
    assert "'sub' takes 2 arguments, but 1 is given" in refused(made("operator.sub(1)", operator=operator))


# ---- tuples of functions and types

def doubled(x):
    return x * 2


def raised(x, by=1.5):
    return x + by


FUNCTIONS = (doubled, raised, lambda x: x - 0.25, math.sqrt, np.float32, abs, operator.neg, device.func(lambda x: x / 3))
NAMED = ((doubled, 2.0), (raised, 3.0))
POWERS = (pow, max)


def chained(x, functions):
    for function in functions:
        x = function(x)
    return x


def test_loops_over_functions():
    def store(o):
        for function in FUNCTIONS[:3]:
            o[0] += function(o[1])
        for i, function in enumerate(FUNCTIONS):
            o[i] = function(abs(o[i]))
        for function, by in NAMED:
            o[1] = function(o[1]) * by
        for function, by in zip(FUNCTIONS[:2], (1.5, 2)):
            o[2] = function(o[2]) + by
        for i in range(2):
            o[3] = FUNCTIONS[i](o[3])
        o[4] = FUNCTIONS[-1](o[4]) + FUNCTIONS[3](o[5])
        o[6] = chained(o[6], FUNCTIONS[:3])
        o[7] = sum(function(o[7]) for function in FUNCTIONS[:3])

    everywhere(store)


def test_functions_that_need_a_companion():
    def store(o):
        for function in POWERS:
            o[0] += function(7, 5, 3)

    everywhere(store)


def test_tuples_of_types():
    types = (np.float32, np.float64, int, device.float16)

    def store(o):
        for kind in types:
            o[0] += device.float64(kind(o[5]))
        o[1] = types[1](o[4])
        if device.float32 in (device.float32, device.int8):
            o[2] = 7

    want = np.linspace(-2, 5, 8)
    for kind in (np.float32, np.float64, int, np.float16):
        want[0] += float(kind(want[5]))
    want[1], want[2] = want[4], 7
    same(both(store, np.linspace(-2, 5, 8)), want)


@device.kernel
def by_constant(o, functions: device.ConstExpr):
    for function in functions:
        o[0] = function(o[0])


def test_tuples_of_functions_of_a_launch():
    for functions in (FUNCTIONS[:2], (doubled, doubled), FUNCTIONS[:2], (raised,)):
        o = np.full(1, 1.25)
        by_constant[1, 1](o, functions)
        assert o[0] == chained(1.25, functions)
    o = np.full(1, 7)
    by_constant[1, 1](o, (lambda x: pow(x, 5, 3),))
    assert o[0] == 1


def test_functions_chosen_at_run_time():
    message = refused(made("F[int(o[1])](o[0])", F=FUNCTIONS[:2]))
    assert "the index of a tuple must be a constant" in message and "for j, f in enumerate(fs)" in message
    assert "a constant of type list" in refused(made("F[0](o[0])", F=(doubled, [1])))


# ---- attributes of classes, enumerations, named tuples

class Mode(enum.IntEnum):
    FAST, EXACT = 3, 4


class Named(enum.Enum):
    HALF, LABEL = 0.5, "half"


class Access(enum.IntFlag):
    READ, WRITE = 1, 2


class Base:
    SCALE, OTHERS = 2.5, (1, 2)


class Settings(Base):
    COUNT, NAME, WIDE = 4, "settings", np.int64(2**40)
    KIND, function = np.float32, math.sqrt

    class Inner:
        DEPTH = 7

    @staticmethod
    def raised(x):
        return x + Settings.COUNT

    def plain(x):
        return x * 2

    @classmethod
    def of_class(cls, x):
        return x

    @property
    def computed(self):
        return 1


Point = collections.namedtuple("Point", "x y label")
POINT = Point(1.5, -3, "point")


def test_attributes_of_classes():
    def store(o):
        o[0] = Mode.FAST + Mode.EXACT * 10
        o[1] = Named.HALF.value + Mode.EXACT.value
        o[2] = Settings.COUNT * Settings.SCALE + Settings.OTHERS[1]
        o[3] = Settings.raised(o[3]) + Settings.plain(o[4]) + Settings.function(2.0 * o[7])
        o[4] = Settings.KIND(0.1) * Settings.Inner.DEPTH
        o[5] = len(Settings.NAME) + len(Named.LABEL.value) + len(Mode.FAST.name)
        o[6] = POINT.x + POINT.y * len(POINT.label)
        o[7] = Access.READ.value | ~Access.WRITE.value

    want = np.linspace(-2, 5, 8)
    store(want)
    got = both(store, np.linspace(-2, 5, 8))
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_members_choose_branches():
    def store(o, mode):
        if mode == Mode.FAST:
            o[0] = 1
        elif mode == Mode.EXACT:
            o[0] = 2

    kernel = device.kernel(store)
    for mode, want in ((Mode.FAST, 1), (4, 2), (5, 0)):
        o = np.zeros(1)
        kernel[1, 1](o, mode)
        assert o[0] == want


def test_attributes_that_are_not_read():
    for expression in ("Settings()", "Settings.of_class(1)", "Settings.computed", "Settings.missing"):
        assert "'Settings" in refused(made(expression, Settings=Settings)) and "of other classes compiled code reads" in refused(made(expression, Settings=Settings))
    assert "write its .value" in refused(made("~Access.READ", Access=Access))
    assert "write its .value" in refused(made("~READ", READ=Access.READ))
    assert "derive the class from enum.IntEnum" in refused(made("Named.HALF + 1", Named=Named))
    assert "read it on the host, as a global: GREATEST = float(np.finfo(np.float32).max)" in refused(made("np.finfo(np.float32).eps"))


class OwnEnumType(enum.EnumType):
    pass


class OwnAccess(enum.IntFlag, metaclass=OwnEnumType):
    READ, WRITE = 1, 2


def test_flags_under_a_metaclass_of_their_own_are_flags():
    """The `~` of a flag is not an int's."""
    assert "'OwnAccess'" in refused(made("~OwnAccess.READ", OwnAccess=OwnAccess))
    assert "'one'" in refused(made("~one", one=OwnAccess.READ))


def test_what_every_class_has_comes_before_what_its_body_says():
    odd = type("Odd", (), {"__name__": 5, "N": 4})
    assert "'Odd'" in refused(made("Odd.__name__", Odd=odd))

"""What numbers of the language mean, in Python and apart from the compiler: `Number` knows its type and computes as docs/language.md says.

A generated program runs on this as plain Python: its arrays give Numbers, `device` is `Stand`, and its literals are Python's own,
which take the type of what they meet. Floats are kept as Python floats (doubles) that their format can hold: one operation of a
narrower format, computed in double and rounded once, is what the format gives.
"""

import importlib.util
import math
import operator
import pathlib
import sys

import numpy as np

from hetjit import device

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import promotion

LONG = {"b": "bool", "f16": "float16", "bf": "bfloat16", "f32": "float32", "f64": "float64"}
LONG.update({f"{sign}{bits}": f"{name}{bits}" for sign, name in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)})
WEAK = ("bool", "int", "float")
INTEGERS = tuple(f"{name}{bits}" for name in ("int", "uint") for bits in (8, 16, 32, 64))
FLOATS = tuple(name for name in ("float16", "bfloat16", "float32", "float64")
               if name != "bfloat16" or importlib.util.find_spec("ml_dtypes"))  # not every Python has a wheel of it
FIXED = INTEGERS + FLOATS
KINDS = WEAK + FIXED
WEAK_OF = {"i32": "int", "f32": "float", "b": "bool"}


class Refused(Exception):
    """A program that the compiler must refuse."""


def is_float(kind):
    return kind == "float" or kind in FLOATS


def bits_of(kind):
    return 32 if kind in ("int", "float") else 64 if kind == "extent" else int(kind.lstrip("uintfloab"))


def limits(kind):
    """(lowest, highest) of an integer type."""
    bits = bits_of(kind)
    return (0, (1 << bits) - 1) if kind.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


# ---- types of results

def joined(symbol, a, b):
    """The type of `a symbol b`. An "extent" is an int of 64 bits, as lengths are."""
    if "extent" in (a, b):
        return of_extent(joined, symbol, a, b)
    cell = promotion.RULES[symbol](a, b)
    if cell in ("x", "!", "refused"):
        raise Refused(f"{a} {symbol} {b}")
    return WEAK_OF[cell] if a in WEAK and b in WEAK else LONG[cell]


def of_extent(rule, *given):
    found = rule(*("int" if kind == "extent" else kind for kind in given))
    return "extent" if found == "int" else found


def common(a, b):
    """The type in which two operands meet."""
    if "extent" in (a, b):
        return of_extent(common, a, b)
    cell = promotion.TABLE[a, b]
    if cell in ("x", "!"):
        raise Refused(f"{a} with {b}")
    return WEAK_OF[cell] if a in WEAK and b in WEAK else LONG[cell]


# ---- values

def to_bfloat16(x):
    """The nearest bfloat16, ties to even, of a double."""
    if x == 0 or not math.isfinite(x):
        return x
    _, exponent = math.frexp(x)
    unit = math.ldexp(1.0, max(exponent, -125) - 8)
    rounded = round(x / unit) * unit  # Python rounds half to even, and all of this is exact
    return math.copysign(math.inf, x) if abs(rounded) >= 2.0 ** 128 else math.copysign(rounded, x)


def rounded(kind, x):
    """A double as the format holds it."""
    if kind == "float64":
        return x
    if kind == "bfloat16":
        return to_bfloat16(x)
    return float(np.float16(x) if kind == "float16" else np.float32(x))


def wrapped(kind, x):
    low, high = limits(kind)
    return (x - low) % (high - low + 1) + low


def integer_of(kind, x):
    """A float as an integer: towards zero, to the nearest limit, NaN to 0."""
    low, high = limits(kind)
    return 0 if math.isnan(x) else low if x <= low else high if x >= high else int(x)


def float_of_integer(kind, x):
    if kind == "float32" or kind == "float":
        return float((np.int64 if x < 2 ** 63 else np.uint64)(x).astype(np.float32))
    return rounded(kind, float(x))


def convert(value, source, kind):
    """A value of type `source` as one of type `kind`."""
    if kind == "bool":
        return int(bool(value))
    if is_float(kind):
        return rounded(kind, value) if is_float(source) else float_of_integer(kind, value)
    return integer_of(kind, value) if is_float(source) else wrapped(kind, value)


def as_number(x):
    """Python's own numbers, which only literals, comparisons and range() give."""
    if isinstance(x, Number):
        return x
    if isinstance(x, bool):
        return Number("bool", int(x))
    return Number("int" if isinstance(x, int) else "float", x, literal=True)


class Number:
    """A value of a type: an int for bools and integers, a double for floats. Python's floats are two: `value` in float32, and `exact`,
    what they are where they meet float64."""

    __slots__ = ("kind", "value", "literal", "exact")

    def __init__(self, kind, value, literal=False, exact=None):
        self.kind, self.value, self.literal, self.exact = kind, value, literal, value if exact is None else exact

    def to(self, kind):
        if kind == "float64" and self.kind == "float":
            return self.exact
        return self.value if kind == self.kind and not self.literal else convert(self.value, self.kind, kind)

    def __bool__(self):
        return bool(self.value)

    def __index__(self):
        if is_float(self.kind):
            raise TypeError(f"{self} is no index")
        return self.value

    def __repr__(self):
        return f"{self.kind}({self.value})"

    def __neg__(self):
        if self.kind == "bool":
            return Number("int", -self.value)
        if is_float(self.kind):
            return Number(self.kind, -self.value, exact=-self.exact)
        return Number(self.kind, wrapped(self.kind, -self.value))

    def __pos__(self):
        return Number("int", self.value) if self.kind == "bool" else self

    def __invert__(self):
        return Number("int", ~self.value) if self.kind == "bool" else Number(self.kind, wrapped(self.kind, ~self.value))

    def __abs__(self):
        if self.kind == "bool":
            return Number("int", self.value)
        if is_float(self.kind):
            return Number(self.kind, abs(self.value), exact=abs(self.exact))
        return Number(self.kind, wrapped(self.kind, abs(self.value)))

    def __round__(self):
        return Number("int", integer_of("int", float(np.rint(self.value))) if is_float(self.kind) else self.to("int"))

    __hash__ = None


def divide_floats(kind, a, b):
    if kind == "float64" or b != 0:
        return rounded(kind, float(np.float64(a) / np.float64(b)))
    return float(np.float64(a) / np.float64(b))


def floor_floats(function, kind, a, b):
    """// and % are NumPy's, in the format; those of bfloat16 in float32."""
    form = {"float64": np.float64, "float16": np.float16}.get(kind, np.float32)
    return rounded(kind, float(function(form(a), form(b))))


def shift(symbol, kind, a, count):
    """By the width or more: 0, or the sign; by less than nothing: 0."""
    if count < 0:
        return 0
    if symbol == "<<":
        return wrapped(kind, a << count) if count < bits_of(kind) else 0
    return a >> min(count, 64)


INTEGER_MEANING = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "//": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0,
}
FLOAT_MEANING = {
    "+": lambda kind, a, b: rounded(kind, float(np.float64(a) + np.float64(b))),
    "-": lambda kind, a, b: rounded(kind, float(np.float64(a) - np.float64(b))),
    "*": lambda kind, a, b: rounded(kind, float(np.float64(a) * np.float64(b))),
    "/": divide_floats,
    "//": lambda kind, a, b: floor_floats(np.floor_divide, kind, a, b),
    "%": lambda kind, a, b: floor_floats(np.remainder, kind, a, b),
}
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}


def power(base, exponent):
    """With a literal exponent: x * (x * (x * …)); the types are x's."""
    if base.kind == "bool":
        base = Number("int", base.value)
    if exponent == 0:
        return Number(base.kind, 1.0 if is_float(base.kind) else 1)
    result = base
    for _ in range(exponent - 1):
        result = base * result
    return result


def binary(symbol, a, b):
    a, b = as_number(a), as_number(b)
    if symbol == "**":
        return power(a, b.value)
    if symbol in COMPARISONS:
        joined("==" if symbol in ("==", "!=") else "<", a.kind, b.kind)
        meet = common(a.kind, b.kind)  # integers are compared as they are
        x, y = (a.to(meet), b.to(meet)) if is_float(meet) else (a.value, b.value)
        return Number("bool", int(COMPARISONS[symbol](x, y)))
    kind = joined(symbol, a.kind, b.kind)
    whole = symbol in ("//", "%", "<<", ">>") and not is_float(kind) and bits_of(kind) < 32  # of the numbers as they are
    x, y = (a.value, b.value) if whole else (a.to(kind), b.to(kind))
    if symbol in ("<<", ">>"):
        return Number(kind, wrapped(kind, shift(symbol, kind, x, y)))
    if is_float(kind):
        made = Number(kind, FLOAT_MEANING[symbol](kind, x, y))
        if kind == "float" and "float" in (a.kind, b.kind):  # of integers alone: float32
            made.exact = FLOAT_MEANING[symbol]("float64", a.to("float64"), b.to("float64"))
        return made
    found = INTEGER_MEANING[symbol](x, y)
    return Number(kind, found if kind == "bool" else wrapped(kind, found))


OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "&": "and",
             "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"}


def _install():
    for symbol, name in OPERATORS.items():  # what is no number has a meaning of its own
        setattr(Number, f"__{name}__",
                lambda a, b, symbol=symbol: binary(symbol, a, b) if isinstance(b, (Number, int, float)) else NotImplemented)
        setattr(Number, f"__r{name}__", lambda a, b, symbol=symbol: binary(symbol, b, a))
    for symbol, name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}.items():
        setattr(Number, f"__{name}__", lambda a, b, symbol=symbol: binary(symbol, a, b))


_install()


# ---- what programs call

def weak(x):
    """A literal that became a Python number of run time."""
    return Number("float", rounded("float", x), exact=x) if isinstance(x, float) else Number("int", x)


def cast(kind):
    def made(x):
        x = as_number(x)
        if kind == "float" and x.kind in WEAK:
            return Number(kind, convert(x.value, x.kind, kind), exact=x.to("float64"))
        return Number(kind, x.to("float64") if kind == "float64" else convert(x.value, x.kind, kind))
    made.kind = kind
    return made


def exactly(function):
    """A function of one float whose result is exact or rounded once."""
    def made(x):
        return Number(x.kind, rounded(x.kind, float(function(np.float64(x.value)))))
    return made


def items_of_range(kind, rises):
    """The type that a range has between a number of a fixed format and an int of run time; it rises from that number, or falls to it."""
    return kind if rises and kind in ("uint32", "uint64") else common(kind, "int32")


def counted(*bounds):
    """range(): in a format that holds what it counts from and to. A step of 0 gives none."""
    start, stop, step = map(as_number, ((0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1))[:3])
    fixed = start if start.kind in FIXED else stop if stop.kind in FIXED else None
    kind = "int" if fixed is None else items_of_range(fixed.kind, fixed is start)
    for k in range(start.value, stop.value, step.value) if step.value else ():
        yield Number(kind, k)


def least(a, b):
    return b if b < a else a


def greatest(a, b):
    return b if b > a else a


class Stand:
    """Stands for the `device` namespace."""

    def __init__(self, place):
        self.place = place

    def tid(self, axes):
        return Number("int", self.place)


for _kind in FIXED:
    setattr(Stand, _kind, staticmethod(cast(_kind)))


class Numpy:
    """Stands for the `np` namespace."""

    sqrt, floor, ceil, trunc, rint, fabs = (staticmethod(exactly(f)) for f in
                                            (np.sqrt, np.floor, np.ceil, np.trunc, np.rint, np.fabs))


def form_of(kind):
    """The NumPy dtype of a fixed format."""
    if kind == "bfloat16":
        import ml_dtypes
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(kind)


class Memory:
    """An array whose elements are Numbers of its type; a view of it is one, too."""

    def __init__(self, array, kind):
        self.array, self.kind = array, kind

    def __getitem__(self, index):
        value = self.array[self._place(index)]
        return Memory(value, self.kind) if isinstance(value, np.ndarray) else self._number(value)

    def __setitem__(self, index, value):
        place = self._place(index)
        view = self.array[place]
        if not isinstance(view, np.ndarray):
            self.array[place] = as_number(value).to(self.kind)
            return
        source = value._like(view) if isinstance(value, Memory) else None
        for at in np.ndindex(view.shape):  # in order: elements that are read may have been written
            view[at] = (as_number(value) if source is None else value._number(source[at])).to(self.kind)

    def _like(self, target):
        """The same memory in the shape of what it is assigned to, by NumPy's rule."""
        try:
            return np.broadcast_to(self.array, target.shape)
        except ValueError:
            raise device.BoundsError("shapes differ") from None

    def _number(self, value):
        return Number(self.kind, float(value) if is_float(self.kind) else int(value))

    def _changed(self, symbol, value):
        for at in np.ndindex(self.array.shape):
            self.array[at] = binary(symbol, self._number(self.array[at]), value).to(self.kind)
        return self

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    shape, size, ndim = (property(operator.attrgetter(f"array.{name}")) for name in ("shape", "size", "ndim"))
    T = property(lambda self: Memory(self.array.T, self.kind))

    def reshape(self, *shape):
        return Memory(self.array.reshape(*shape), self.kind)

    def view(self, kind):
        return Memory(self.array.view(form_of(kind.kind)), kind.kind)

    @staticmethod
    def _place(index):
        one = lambda k: k if isinstance(k, slice) or k is None or k is Ellipsis else operator.index(k)  # noqa: E731
        return tuple(map(one, index)) if isinstance(index, tuple) else one(index)


for _symbol, _name in OPERATORS.items():
    setattr(Memory, f"__i{_name}__", lambda memory, value, symbol=_symbol: memory._changed(symbol, value))


def scope(place):
    """The globals in which a program runs for one thread."""
    return {"device": Stand(place), "np": Numpy, "range": counted, "min": least, "max": greatest, "int": cast("int"),
            "float": cast("float"), "bool": cast("bool"), "NEVER": False, "negated": lambda value: Number("bool", not value), "weak": weak}

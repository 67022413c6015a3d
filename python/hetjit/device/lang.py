"""The names that mean something in device code. Where a thread is can be asked there only; the math functions work on
the host too, on Python's floats. Comments name rows of the specification."""

import builtins as _python
import math as _math
import time as _time

_PLACES = ("thread_idx", "block_idx", "block_dim", "grid_dim")
_MATH = ("sqrt", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
         "atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "hypot", "fmod", "erf", "erfc", "lgamma",
         "copysign", "nextafter", "fabs", "isnan", "isinf", "isfinite")
_ALIASES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh",
            "arccosh": "acosh", "arctanh": "atanh", "tgamma": "gamma"}

__all__ = [*_PLACES, "tid", "grid_size", "clock", *_MATH, *_ALIASES, "floor", "ceil", "trunc", "rint", "rsqrt", "fma", "fmin",
           "fmax", "saturate", "abs", "min", "max", "popc", "brev", "clz", "ffs", "mulhi", "isdtype"]


def _outside(name):
    return RuntimeError(f"device.{name} is only known inside a kernel, while it runs: on the host there is no thread to "
                        "ask about")


class _Place:
    """x, y, z of a place or a size, each a uint32; also by index. HETX-TP-1"""

    __slots__ = ("__name__",)

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, axis):
        if axis in ("x", "y", "z"):
            raise _outside(f"{self.__name__}.{axis}")
        raise AttributeError(f"device.{self.__name__} has no attribute '{axis}'; its axes are x, y and z")

    def __getitem__(self, axis):
        raise _outside(f"{self.__name__}[{axis}]")

    def __repr__(self):
        return f"device.{self.__name__}"

    def __reduce__(self):
        return self.__name__


thread_idx = _Place("thread_idx")  # of the thread in its block
block_idx = _Place("block_idx")    # of the block in the grid
block_dim = _Place("block_dim")    # threads of a block
grid_dim = _Place("grid_dim")      # blocks of the grid


def tid(ndims):
    """The thread's place in the whole grid: block_idx * block_dim + thread_idx along each of `ndims` axes (1 to 3). An int
    for one axis, else a tuple, x first. HETX-TP-2"""
    raise _outside("tid()")


def grid_size(ndims):
    """Threads of the whole grid: grid_dim * block_dim along each of `ndims` axes. An int for one axis, else a tuple, x
    first. HETX-TP-2"""
    raise _outside("grid_size()")


def clock():
    """A counter that grows with time, an int64: the multiprocessor's or the processor's cycles in device code, nanoseconds when called
    on the host. What counts is the difference of two readings of one thread."""
    from hetjit.device import int64
    return int64(_time.monotonic_ns())


def _host_function(name, like):
    def function(*args):
        return like(*args)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"In device code as on the host: math.{like.__name__}, in the format of the argument. HETX-NI-1"
    return function


for _name in _MATH:
    globals()[_name] = _host_function(_name, getattr(_math, _name))
for _name, _like in _ALIASES.items():
    globals()[_name] = _host_function(_name, getattr(_math, _like))


def _whole(x, to_int):
    return x if _math.isinf(x) or _math.isnan(x) else _math.copysign(float(to_int(x)), x)


def floor(x):
    """The nearest whole number below, as a float."""
    return _whole(x, _math.floor)


def ceil(x):
    """The nearest whole number above, as a float."""
    return _whole(x, _math.ceil)


def trunc(x):
    """The nearest whole number towards zero, as a float."""
    return _whole(x, _math.trunc)


def rint(x):
    """The nearest whole number, the even one of two, as a float."""
    return _whole(x, round)


def rsqrt(x):
    """1 / sqrt(x), to 2 units in the last place: CUDA's rsqrtf."""
    return 1.0 / _math.sqrt(x)


def saturate(x):
    """A number within 0 and 1: 0 where it is less, or NaN, and 1 where it is more."""
    return min(float(x), 1.0) if x > 0 else 0.0


def fma(a, b, c):
    """a * b + c with one rounding. HETX-NI-1"""
    if hasattr(_math, "fma"):
        return _math.fma(a, b, c)
    if not all(map(_math.isfinite, (a, b, c))):
        return a * b + c
    from fractions import Fraction
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return float(exact) if exact else a * b + c  # the sign of a zero


def _bits_of(x):
    """An integer as (its bits, how many): those of its format, 32 of Python's own ints."""
    if not hasattr(x, "__index__"):
        raise TypeError(f"an integer is needed, not {type(x).__name__}")
    width = 8 * x.dtype.itemsize if hasattr(x, "dtype") else 32
    value = x.__index__()
    if not -(1 << width - 1) <= value < 1 << width:
        raise OverflowError(f"{value} does not fit in {width} bits")
    return value & ((1 << width) - 1), width


def popc(x):
    """How many bits of an integer are set. HETX-NI-1"""
    return _bits_of(x)[0].bit_count()


def brev(x):
    """The bits of an integer in reverse order, in its format. HETX-NI-1"""
    value, width = _bits_of(x)
    reverse = int(f"{value:0{width}b}"[::-1], 2)
    if hasattr(x, "dtype"):
        return x.dtype.type(reverse - (1 << width) if x.dtype.kind == "i" and reverse >> width - 1 else reverse)
    return reverse - (1 << width) if reverse >> width - 1 else reverse


def clz(x):
    """How many zeros stand above an integer's highest set bit; all of its bits when it is 0. HETX-NI-1"""
    value, width = _bits_of(x)
    return width - value.bit_length()


def ffs(x):
    """The place of an integer's lowest set bit, counted from 1; 0 when it is 0. HETX-NI-1"""
    value, _ = _bits_of(x)
    return (value & -value).bit_length()


def mulhi(a, b):
    """The upper half of the product of two integers: what `*` drops of it, in the format that `*` gives."""
    from hetjit import _core
    for x in (a, b):
        _bits_of(x)
    found = _core.promote(*(_core.Type(type(x) if hasattr(x, "dtype") else "int") for x in (a, b)))
    if found is None:
        raise TypeError(f"{type(a).__name__} and {type(b).__name__} do not mix: convert one of them")
    width = 8 * _core.DType(found.scalar).itemsize if found.scalar != "int" else 32
    high = a.__index__() * b.__index__() >> width
    if found.scalar == "int":
        return high
    from hetjit.device.types import scalar_type
    return scalar_type(found.scalar)(high)


_KINDS = {"bool": ("bool",), "signed integer": ("integer",), "unsigned integer": ("integer",), "integral": ("integer",),
          "real floating": ("floating",), "complex floating": ("complex",), "numeric": ("integer", "floating", "complex")}


def isdtype(dtype, kind):
    """Whether a number format is of a kind of the Array API standard ('bool', 'signed integer', 'unsigned integer', 'integral',
    'real floating', 'complex floating', 'numeric'), or is a given format, or any of a tuple of these."""
    from hetjit.device.types import DType, dtype_of
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    dtype = dtype_of(dtype)
    if not isinstance(kind, str):
        return dtype == dtype_of(kind)
    if kind not in _KINDS:
        raise ValueError(f"isdtype(): '{kind}' is no kind of number formats; the kinds are {', '.join(_KINDS)}")
    signs = {"signed integer": True, "unsigned integer": False}
    return dtype.kind in _KINDS[kind] and signs.get(kind, dtype.signed) == dtype.signed


def fmin(a, b):
    """The smaller one; of a number and a NaN the number."""
    return a if b != b or a < b else b


def fmax(a, b):
    """The larger one; of a number and a NaN the number."""
    return a if b != b or a > b else b


def abs(x):
    """As Python's abs()."""
    return _python.abs(x)


def min(*args):
    """As Python's min() of two or more numbers."""
    return _python.min(*args)


def max(*args):
    """As Python's max() of two or more numbers."""
    return _python.max(*args)

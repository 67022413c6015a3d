"""Vectors of one to four numbers: `device.float32x3(1, 2, 3)`, `device.vector(dtype, n)`. Immutable values, whose lanes
on the host are NumPy scalars (ml_dtypes for the formats NumPy lacks). Tuples underneath, so that NumPy takes them as
elements of structured arrays. A class is made when it is first asked for. HET-VEC-1 to 19"""

import operator

from hetjit import _core
from hetjit.device import types

__all__ = ["Vector", "vector", "Dim3"]

_FORMATS = tuple(of.name for of in types.FORMATS if of.kind in ("integer", "floating"))
NAMES = frozenset(f"{format}x{lanes}" for format in _FORMATS for lanes in (1, 2, 3, 4))
_LANES = "xyzw"
_BUILTIN = {bool: "bool", int: "int", float: "float", complex: "complex"}
_made = {}


def element(format, value, where="a lane"):
    """`value` as a NumPy scalar of that format, converted as `device.<format>(value)` is in device code. HET-VEC-7"""
    scalar = types.scalar_type(format)
    if type(value) is scalar:
        return value
    is_complex = isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c"
    is_real = hasattr(value, "__float__") or hasattr(value, "__index__")
    if not (format.startswith("complex") if is_complex else is_real) or getattr(value, "ndim", 0):
        raise TypeError(f"{where} is {value!r}, which is no {format}")
    import numpy
    with numpy.errstate(all="ignore"):
        return scalar(value)


def _operand(value):
    """The type of a number beside a vector; None when it is none."""
    if isinstance(value, tuple(_BUILTIN)) and not hasattr(value, "dtype"):
        return _core.Type(next(_BUILTIN[base] for base in type(value).__mro__ if base in _BUILTIN))
    try:
        found = _core.Type(type(value))
    except TypeError:
        return None
    return found if found.kind == "scalar" else None


def _common(operation, one, other):
    """The format in which two operands meet: AMB-7, as in device code."""
    found = _core.promote(one, other)
    if found is None:
        raise TypeError(f"{one.name} and {other.name} do not mix: convert one of them")
    if operation is operator.truediv and "int" in found.scalar:
        return "float32"
    return found.scalar


def _elementwise(operation, vector, other, swapped=False):
    if isinstance(other, Vector):
        if len(other) != len(vector):
            return NotImplemented
        format, lanes = _common(operation, vector._lane_type, other._lane_type), other
    elif isinstance(other, tuple):  # which would be joined to the vector, as tuples are
        raise TypeError(f"no operator takes a {type(vector).__name__} and a {type(other).__name__}")
    else:
        meets = _operand(other)
        if meets is None:
            return NotImplemented
        format, lanes = _common(operation, vector._lane_type, meets), [other] * len(vector)
    import numpy
    with numpy.errstate(all="ignore"):
        pairs = [(element(format, a), element(format, b)) for a, b in zip(tuple.__iter__(vector), lanes)]
        found = [operation(b, a) if swapped else operation(a, b) for a, b in pairs]
    return _class_of(format, len(found))(*found)


def _operator(name):
    operation = getattr(operator, name)
    def forward(self, other):
        return _elementwise(operation, self, other)
    def backward(self, other):
        return _elementwise(operation, self, other, swapped=True)
    return forward, backward


def _unary(operation):
    def method(self):
        import numpy
        with numpy.errstate(all="ignore"):
            return type(self)(*map(operation, self))
    return method


def _no_order(self, other):
    return NotImplemented


class Vector(tuple):
    """One to four numbers of one format: v.x .y .z .w (as far as they exist), v[i], iteration, len(v), v.size, v.dtype.

    `v.replace(0, e)` and `v.replace(x=e)` give a changed vector. Operators work lane by lane, between vectors of as many
    lanes or with a number for all; == compares whole vectors. HET-VEC-2 to 18
    """

    __slots__ = ()
    __array_ufunc__ = None  # NumPy's scalars leave operators with vectors to us

    def __new__(cls, *lanes):
        if cls.__hetjit_type__ is None:
            raise TypeError("device.Vector is what all vectors are: use device.float32x3 or device.vector(dtype, n)")
        wanted = cls.__hetjit_type__.lanes
        if len(lanes) != wanted:
            raise TypeError(f"{cls.__name__}() takes {wanted} number{'s' * (wanted > 1)}, {len(lanes)} "
                            f"{'was' if len(lanes) == 1 else 'were'} given")
        format = cls.__hetjit_type__.scalar
        return tuple.__new__(cls, [element(format, lane, f"{cls.__name__}(): argument {i}")
                                   for i, lane in enumerate(lanes)])

    __hetjit_type__ = None
    size = property(len, doc="Number of lanes. HET-VEC-3")
    dtype = property(lambda self: types.DType(self.__hetjit_type__.scalar), doc="Format of the lanes. HET-VEC-5")

    __class_getitem__ = classmethod(types.array_type)  # float32x3[:, :]

    def replace(self, index=None, value=None, /, **lanes):
        """The vector with a lane replaced, by index or by name: replace(0, e), replace(x=e). HET-VEC-2"""
        found = list(self)
        if index is not None:
            found[range(len(found))[operator.index(index)]] = value
        for name, value in lanes.items():
            if name not in _LANES[:len(found)] or len(name) != 1:
                raise TypeError(f"{type(self).__name__} has no lane '{name}'; its lanes are {', '.join(_LANES[:len(found)])}")
            found[_LANES.index(name)] = value
        return type(self)(*found)

    def astype(self, dtype, /):
        """The vector with each lane converted to that format."""
        return vector(dtype, len(self))(*self)

    def __getitem__(self, index):
        try:
            place = operator.index(index)
        except TypeError:
            raise TypeError(f"a lane of a vector is named by an int, not by {type(index).__name__}") from None
        if not -len(self) <= place < len(self):
            raise IndexError(f"lane {place} of {type(self).__name__}, which has {len(self)}")
        return tuple.__getitem__(self, place)

    def __setitem__(self, index, value):
        raise TypeError(f"{type(self).__name__} is immutable: v = v.replace({index!r}, ...) makes a changed one")

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is immutable: v = v.replace({name}=...) makes a changed one"
                             if name in _LANES[:len(self)] else f"{type(self).__name__} has no attribute '{name}'")

    __delattr__ = lambda self, name: self.__setattr__(name, None)

    def __eq__(self, other):
        return isinstance(other, Vector) and len(self) == len(other) and all(map(operator.eq, self, other))

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__
    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __bool__(self):
        raise TypeError(f"a {type(self).__name__} is neither true nor false: compare its lanes")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(str, self))})"

    def __getnewargs__(self):
        return tuple(self)

    for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift"):
        _word = _name.rstrip("_")
        locals()[f"__{_word}__"], locals()[f"__r{_word}__"] = _operator(_name)
    for _name in ("neg", "pos", "invert", "abs"):
        locals()[f"__{_name}__"] = _unary(getattr(operator, _name))
    del _name, _word


def _class_of(format, lanes):
    name = f"{format}x{lanes}"
    if name not in _made:
        made = _core.vector_type(types.DType(format), lanes)
        body = {"__slots__": (), "__module__": "hetjit.device", "__qualname__": name, "__hetjit_type__": made,
                "_lane_type": _core.Type(types.DType(format)),
                "__doc__": f"{lanes} {format}, as CUDA C++ lays them out. HET-VEC-20"}
        for lane, letter in enumerate(_LANES[:lanes]):
            body[letter] = property(operator.itemgetter(lane), doc=f"Lane {lane}. HET-VEC-{15 + lane}")
        _made[name] = type(Vector)(name, (Vector,), body)
    return _made[name]


def vector(dtype, n):
    """The type of vectors of `n` elements of that number format. Raises ValueError unless n is 1 to 4, TypeError for a format that
    vectors have not: bool and complex. HET-VEC-1"""
    made = _core.vector_type(dtype, n)
    return _class_of(made.scalar, made.lanes)


def named(name):
    """The class of that name, `float32x3`. HET-VEC-19"""
    format, lanes = name.rsplit("x", 1)
    return _class_of(format, int(lanes))


def __getattr__(name):
    if name != "Dim3":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    globals()[name] = made = type(Vector)("Dim3", (named("uint32x3"),), {
        "__slots__": (), "__module__": "hetjit.device", "__qualname__": "Dim3",
        "__doc__": "A place or a size along x, y and z. HETX-TP-1"})
    return made

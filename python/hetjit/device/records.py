"""Structs: `@device.struct` makes a type of device code of a class with hints. Values are immutable, with named fields,
methods and a layout as C++ has it. Tuples underneath, so that NumPy takes them as elements of structured arrays.
HET-STR-1 to 14"""

import copyreg
import operator
import sys

from hetjit import _core
from hetjit.device import atomics, identity, numbers, vectors

__all__ = ["Struct", "struct"]

_REFUSED = ("__init__", "__new__", "__setattr__", "__getattribute__", "__slots__", "__getitem__", "__iter__", "__len__")


def _names(value):
    """Fields of a NumPy structured scalar; None of anything else."""
    return getattr(getattr(value, "dtype", None), "names", None)


def _class_of(type_):
    """A class of a struct type; None of other types, and of dtypes that NumPy has made."""
    return next(iter(_core.classes_of(type_)), None) if type_.kind == "struct" else None


def _is_of(value, type_):
    """Whether a value is of that type of device code; the class that it was made by may be an older one of it."""
    return getattr(type(value), "__hetjit_type__", None) == type_


def _plain(value):
    return value.item() if _names(value) else value


def _to_items(type_, make):
    """A value of a class, or a plain tuple with an item for each part."""
    cls = _class_of(type_)
    parts = [_converter(part) for _, _, part, _ in type_.fields]

    def convert(value, where):
        if cls is not None and _is_of(value, type_):
            return value
        value = _plain(value)
        plain = isinstance(value, tuple) and getattr(value, "__hetjit_type__", None) is None
        if not plain or len(value) != len(parts):
            raise numbers.wrong(where, value, type_.name)
        return make([part(item, f"{where}[{i}]") for i, (part, item) in enumerate(zip(parts, value))])
    return convert


def _to_vector(type_):
    cls = vectors.named(type_.name)

    def convert(value, where):
        if isinstance(value, cls):
            return value
        value = _plain(value)
        if type(value) is not tuple or len(value) != type_.lanes:
            raise numbers.wrong(where, value, type_.name)
        return cls(*value)
    return convert


def _to_none(value, where):
    if value is not None:
        raise numbers.wrong(where, value, "None")


def _to_array(value, where):
    """Element type and axes are looked at when it is launched."""
    if not isinstance(value, _core.DeviceArray) and not any(hasattr(value, name) for name in ("__dlpack__", "__cuda_array_interface__", "__array_interface__", "_hetjit_writable")):
        raise numbers.wrong(where, value, "an array")
    return value


def _to_atomic(cls):
    """Fields that are atomics: made of a number where none is given. HET-ATM-1"""
    def convert(value, where):
        return value if isinstance(value, cls) else cls(value)
    return convert


def atomic_class(type_):
    """The class of an Atomic's type, or None."""
    cls = _class_of(type_)
    return cls if cls is not None and issubclass(cls, atomics.Atomic) else None


def _converter(type_):
    """What makes a field's value of an argument, or says what is wrong with it: (value, where) -> value. HET-STR-3"""
    if type_.kind == "aligned":
        return _converter(type_.element)
    if type_.kind == "scalar":
        return numbers.number_of(type_)
    if type_.kind == "vector":
        return _to_vector(type_)
    if type_.kind == "array":
        return _to_array
    if type_.kind == "none":
        return _to_none
    if atomic := atomic_class(type_):
        return _to_atomic(atomic)
    cls = _class_of(type_)
    return _to_items(type_, cls._make if cls else tuple)


class _StructType(type):
    """The type of struct types: their attributes stay as they are, since compiled code depends on them, once
    `_whole` is set."""

    def __setattr__(cls, name, value):
        # cloudpickle fills a class in the order of the names, and one of its own process once more.
        if identity.by_cloudpickle(sys._getframe(1).f_globals) or "_whole" not in cls.__dict__:
            type.__setattr__(cls, name, value)
            if name == "_whole":
                _core.remember_class(cls.__hetjit_type__, cls)
            return
        raise AttributeError(f"the struct type '{cls.__name__}' cannot be changed: decorate a class that has '{name}'")

    def __delattr__(cls, name):
        raise AttributeError(f"the struct type '{cls.__name__}' cannot be changed")

    def __repr__(cls):
        return f"<device.struct {cls.__module__}.{cls.__qualname__}>"


def _reduced(cls):
    from hetjit.device import pickling
    return pickling.reduced_struct(cls)


copyreg.pickle(_StructType, _reduced)


class Struct:
    """What every value of a struct type is: fields by name, by index and in order. A class may name it as its base, which changes
    nothing but that type checkers know `replace` and the rest: `@device.struct`, `class Body(device.Struct): ...`."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise TypeError(f"{cls.__name__} is no struct yet: decorate it with @device.struct")


class _Fields(Struct, tuple, metaclass=_StructType):
    """The base of struct types."""

    __slots__ = ()
    __hetjit_type__ = None
    _fields = _converters = _defaults = ()

    def __new__(cls, /, *args, **kwargs):
        if len(args) == 1 and not kwargs and len(cls._fields) != 1:
            whole = cls._whole_of(args[0])
            if whole is not None:
                return whole
        values = cls._bind(args, kwargs) if kwargs or len(args) != len(cls._fields) else args
        return tuple.__new__(cls, [convert(value, f"{cls.__name__}(): field '{name}'")
                                   for name, convert, value in zip(cls._fields, cls._converters, values)])

    __class_getitem__ = classmethod(vectors.types.array_type)  # Body[:]

    @classmethod
    def _make(cls, values):
        return tuple.__new__(cls, values)

    @classmethod
    def _whole_of(cls, value):
        """The struct of one tuple with an item per field, or of a NumPy structured scalar with the same names; None when
        the value may be the first field alone."""
        names = _names(value)
        if names and set(names) == set(cls._fields):
            return cls(**{name: value[name] for name in cls._fields})
        optional = len(cls._defaults) >= len(cls._fields) - 1
        if names and not optional:
            raise TypeError(f"a NumPy value with fields {', '.join(names)} is no {cls.__name__}, whose fields are "
                            f"{', '.join(cls._fields)}")
        if names or not isinstance(value, tuple) or isinstance(value, (_Fields, vectors.Vector)):
            return None
        if len(value) != len(cls._fields):
            return None
        try:
            return cls(*value)
        except TypeError:
            if optional:
                return None
            raise

    @classmethod
    def _bind(cls, args, kwargs):
        """Values of all fields in order, as Python binds arguments."""
        if len(args) > len(cls._fields):
            raise TypeError(f"{cls.__name__}() takes {len(cls._fields)} fields, {len(args)} were given")
        given = dict(zip(cls._fields, args))
        for name, value in kwargs.items():
            if name not in cls._fields:
                raise TypeError(f"{cls.__name__}() has no field '{name}'; its fields are {', '.join(cls._fields)}")
            if name in given:
                raise TypeError(f"{cls.__name__}() got two values for field '{name}'")
            given[name] = value
        missing = [name for name in cls._fields if name not in given and name not in cls._defaults]
        if missing:
            raise TypeError(f"{cls.__name__}() is missing {'field' if len(missing) == 1 else 'fields'} "
                            + ", ".join(f"'{name}'" for name in missing))
        return [given[name] if name in given else cls._defaults[name] for name in cls._fields]

    def replace(self, /, **fields):
        """The struct with some fields replaced: p.replace(x=3). HET-STR-5"""
        for name in fields:
            if name not in self._fields:
                raise TypeError(f"{type(self).__name__} has no field '{name}'; its fields are {', '.join(self._fields)}")
        return type(self)(**{**dict(zip(self._fields, self)), **fields})

    def __setattr__(self, name, value):
        if name in self._fields:
            raise AttributeError(f"{type(self).__name__} is immutable: s = s.replace({name}=...) makes a changed one")
        raise AttributeError(f"{type(self).__name__} has no field '{name}', and none can be added")

    def __delattr__(self, name):
        self.__setattr__(name, None)

    def __setitem__(self, index, value):
        raise TypeError(f"{type(self).__name__} is immutable: s.replace(field=...) makes a changed one")

    def __eq__(self, other):
        return _is_of(other, self.__hetjit_type__) and all(map(operator.eq, self, other))

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__

    def _no_order(self, other):
        return NotImplemented

    def _no_sum(self, other):  # NotImplemented would join it as tuples are joined
        raise TypeError(f"{type(self).__name__} has no + and * but those that its class defines")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order
    __add__ = __radd__ = __mul__ = __rmul__ = _no_sum
    __array_ufunc__ = None

    def __bool__(self):
        return True

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self))})"

    def __getnewargs__(self):
        return tuple(self)


def _hints(cls, frame):
    """Name to type of every field; hints that are text are evaluated where the class stands."""
    try:
        hints = cls.__annotations__ if sys.version_info >= (3, 14) else cls.__dict__.get("__annotations__", {})
    except NameError as error:
        raise TypeError(f"struct {cls.__name__}: a hint names '{error.name}', which is not defined") from None
    module = vars(sys.modules.get(cls.__module__, sys)) if frame is None else frame.f_globals
    found = {}
    for name, hint in hints.items():
        if isinstance(hint, str):
            try:
                hint = eval(hint, module, {**(frame.f_locals if frame else {}), cls.__name__: cls})
            except Exception as error:
                raise TypeError(f"struct {cls.__name__}: the hint of field '{name}', {hint!r}, means nothing: "
                                f"{error}") from None
        try:
            found[name] = _core.Type(hint) if not isinstance(hint, str) else None
        except TypeError as error:
            raise TypeError(f"struct {cls.__name__}: field '{name}': {error}") from None
        if found[name] is None:
            raise TypeError(f"struct {cls.__name__}: field '{name}': its hint is text within text")
    return found


def _is_code(value):
    return callable(value) or isinstance(value, (staticmethod, classmethod, property))


def _check(cls, hints):
    if cls.__bases__ not in ((object,), (Struct,)):
        raise TypeError(f"struct {cls.__name__} derives from {cls.__bases__[0].__name__}: a struct stands alone, so that "
                        "its layout is its own")
    optional = None
    for name in hints:
        if _is_ours(name) or not name.isidentifier() or name.startswith("__"):
            raise TypeError(f"struct {cls.__name__}: no field can be called '{name}'")
        if name in cls.__dict__:
            optional = name
        elif optional:
            raise TypeError(f"struct {cls.__name__}: field '{name}' without a default follows '{optional}', which has one")
    for name, value in cls.__dict__.items():
        if name in _REFUSED or _is_ours(name) and name not in hints:
            raise TypeError(f"struct {cls.__name__} defines {name}: a struct's fields are all there is to make it of")
        if name not in hints and not name.startswith("__") and not _is_code(value) and not name.isupper():
            hint = {bool: "bool", int: "int", float: "device.float32", complex: "device.complex64"}.get(type(value))
            raise TypeError(f"struct {cls.__name__}: '{name}' has no type hint" + f": write {name}: {hint} = {value!r}" * bool(hint))


def _is_ours(name):
    return name == "underlying" or name in vars(_Fields) and not name.startswith("__")


def _full_name(cls):
    return f"{identity.module_name(cls.__module__)}.{cls.__qualname__}".replace("<locals>.", "")


def _make(cls, align, frame):
    if not isinstance(cls, type):
        raise TypeError(f"device.struct decorates a class, not {type(cls).__name__}")
    if isinstance(cls, _StructType) and "__hetjit_type__" in vars(cls):
        raise TypeError(f"{cls.__name__} is a struct already: leave one @device.struct out")
    if base := next((one for one in cls.__mro__[1:] if isinstance(one, _StructType)), None):
        raise TypeError(f"struct {cls.__name__} derives from {base.__name__}, and a struct has no bases: make it a field, base: {base.__name__}, "
                        f"or name its fields here again")
    hints = _hints(cls, frame)
    _check(cls, hints)
    made = identity.struct_type(cls, _full_name(cls), hints, align)
    body = {name: value for name, value in cls.__dict__.items() if name not in hints and name not in identity.NO_MEMBERS}
    body.update(__slots__=(), __hetjit_type__=made, underlying=cls, __module__=cls.__module__,
                __qualname__=cls.__qualname__, _fields=tuple(hints),
                _converters=tuple(map(_converter, hints.values())), __match_args__=tuple(hints))
    for place, name in enumerate(hints):
        body[name] = property(operator.itemgetter(place))
    body["_defaults"] = {name: convert(cls.__dict__[name], f"struct {cls.__name__}: the default of '{name}'")
                         for name, convert in zip(hints, body["_converters"]) if name in cls.__dict__}
    body["_defaults"].update({name: None for name, hint in hints.items() if name not in body["_defaults"] and
                              atomic_class(hint.element if hint.kind == "aligned" else hint)})
    result = _StructType(cls.__name__, (_Fields,), body)
    result._whole = True
    return result


def struct(cls=None, /, *, align=None, **unknown):
    """Makes a struct type of a class: `@device.struct` or `@device.struct(align=16)`.

    Every attribute needs a hint that names a type of device code; a value given to it is its default. Functions of the
    class are methods, in device code too; a name in capitals without a hint is a constant of the class. `align` is the least alignment in bytes, a power of two. The result is a type,
    whose `underlying` is the class. Raises TypeError for a hint that device code has no type for, and for an option that there is not;
    making a value raises TypeError for a field of another type, OverflowError for a number that does not fit. HET-STR-1, HET-STR-2, HET-STR-8 to 12
    """
    if unknown:
        raise TypeError(f"device.struct() has no option '{next(iter(unknown))}'; its option is align")
    frame = sys._getframe(1)
    if cls is not None:
        return _make(cls, align, frame)
    if align is not None:
        _core.aligned_type(_core.Type(bool), align)  # a bad one is refused here, before there is a class
    return lambda cls: _make(cls, align, frame)

"""Numbers that several threads change at a time: `device.Atomic(T)` as the type of a struct's field or of an array's elements,
`device.AtomicRef(array, index)` for an element of a plain array, `device.threadfence()`. Device code has them in memory only. On the host
an Atomic is an object, safe to use from several threads. HETX-AT, HETX-ORD, HETX-SCO, HET-ATM"""

__all__ = ["Atomic", "AtomicInterface", "AtomicRef", "threadfence"]

import copyreg
import operator as _operator

from hetjit import _core
from hetjit.device import numbers as _numbers, types as _types


class _Kept(dict):
    """A function whose results are kept. functools.cache is one, too; importing it takes longer than importing all of this package's
    modules that have no need of it."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self[arguments] if arguments in self else self.setdefault(arguments, self.function(*arguments))


_orders_of = _Kept(_core.atomic_orders)
_SCOPES = _core.atomic_scopes()
_formats_of = _Kept(_core.atomic_formats)


def _check_ordering(operation, memory, scope):
    orders = _orders_of(operation)
    if memory not in orders:
        raise ValueError(f"{operation}(memory={memory!r}): the orders are {', '.join(orders)}")
    if scope not in _SCOPES:
        raise ValueError(f"{operation}(scope={scope!r}): the scopes are {', '.join(_SCOPES)}")


def threadfence(memory="seq_cst", scope="system"):
    """Orders what the thread reads and writes before it and after it, as C++'s atomic_thread_fence. HETX-AT-4"""
    _check_ordering("threadfence", memory, scope)  # Python's threads see each other's writes in order


threadfence.__hetjit_builtin__ = "hetjit.device.threadfence"


def _is_nan(value):
    return value != value


def _greater(a, b):
    return a + b if _is_nan(a) or _is_nan(b) else a if a > b else b


def _less(a, b):
    return a + b if _is_nan(a) or _is_nan(b) else a if a < b else b


def _number_greater(a, b):
    return b if _is_nan(a) else a if _is_nan(b) else _greater(a, b)


def _number_less(a, b):
    return b if _is_nan(a) else a if _is_nan(b) else _less(a, b)


_BITWISE = {"and_": _operator.and_, "or_": _operator.or_, "xor": _operator.xor}
_ARITHMETIC = {"add": _operator.add, "sub": _operator.sub, "max": _greater, "min": _less, "nanmax": _number_greater,
               "nanmin": _number_less}


def _condition():
    import threading  # which few programs that import hetjit need

    return threading.Condition()


@_Kept
def _condition_of_arrays():
    return _condition()


class AtomicInterface:
    """What Atomic and AtomicRef have in common: `dtype` and the operations. Each takes `memory` and `scope`, and those that change
    the number return what it was before. HETX-AT-1, HETX-AT-2"""

    __slots__ = ()

    def load(self, memory="seq_cst", scope="system"):
        """The number."""
        _check_ordering("load", memory, scope)
        with self._changed:
            return self._read()

    def store(self, val, memory="seq_cst", scope="system"):
        """Sets the number."""
        _check_ordering("store", memory, scope)
        self._update(self._as_format(val), lambda old, new: new)

    def exch(self, val, memory="seq_cst", scope="system"):
        """Sets the number."""
        self._check("exch", memory, scope)
        return self._update(self._as_format(val), lambda old, new: new)

    def cas(self, old, val, memory="seq_cst", scope="system"):
        """Sets the number to `val` if its bits are those of `old`."""
        self._check("cas", memory, scope)
        old = self._as_format(old)
        return self._update(self._as_format(val), lambda now, new: new if _same_bits(now, old) else now)

    def wait(self, old, memory="seq_cst", scope="system"):
        """Returns when the bits of the number are not those of `old`. HETX-AT-3"""
        _check_ordering("wait", memory, scope)
        old = self._as_format(old)
        with self._changed:
            while _same_bits(self._read(), old):
                self._changed.wait(self._patience)

    def notify_one(self, memory="seq_cst", scope="system"):
        """One of those that wait looks again. They look by themselves, too. HETX-AT-3"""
        _check_ordering("notify_one", memory, scope)
        with self._changed:
            self._changed.notify()

    def notify_all(self, memory="seq_cst", scope="system"):
        """All of those that wait look again. They look by themselves, too. HETX-AT-3"""
        _check_ordering("notify_all", memory, scope)
        with self._changed:
            self._changed.notify_all()

    def _check(self, operation, memory, scope):
        _check_ordering(operation, memory, scope)
        if formats := _formats_of(operation.rstrip("_"), self.dtype.name):
            raise TypeError(f"atomic '{operation}' is for {formats}, not {self.dtype.name}")

    def _kind(self):
        return self.dtype.kind

    def _update(self, value, change):
        with self._changed:
            old = self._read()
            self._write(change(old, value))
            self._changed.notify_all()
        return old


def _updating(name, operation):
    def method(self, val, memory="seq_cst", scope="system"):
        self._check(name, memory, scope)
        return self._update(self._as_format(val), lambda old, new: self._result(operation, old, new))
    method.__name__ = name
    method.__qualname__ = f"AtomicInterface.{name}"
    method.__doc__ = f"Sets the number to the result of '{name.rstrip('_')}' on it and `val`. HETX-AT-2"
    return method


for _name, _function in {**_BITWISE, **_ARITHMETIC}.items():
    setattr(AtomicInterface, _name, _updating(_name, _function))


def _same_bits(a, b):
    import struct
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("d", a) == struct.pack("d", b)
    if hasattr(a, "tobytes") and hasattr(b, "tobytes"):
        return a.tobytes() == b.tobytes()
    return a == b


class _AtomicType(type):
    """Atomic(int) is a type, and Atomic(int)(5) one of its values."""

    def __call__(cls, *args, **kwargs):
        return _atomic(*args, **kwargs) if cls is Atomic else super().__call__(*args, **kwargs)

    def __getitem__(cls, key):
        return _atomic(key) if cls is Atomic else _types.array_type(cls, key)

    def __repr__(cls):
        return "device.Atomic" if cls is Atomic else f"device.{cls.__name__}"


def _reduced(cls):
    return "Atomic" if cls is Atomic else (_atomic, (cls._plain, cls._least))


copyreg.pickle(_AtomicType, _reduced)


class Atomic(AtomicInterface, metaclass=_AtomicType):
    """`Atomic(dtype, align=None)`, or `Atomic[dtype]`, is the type of a number that atomic operations act on: of a struct's field, of
    the elements of an array. dtype is a number's type of up to 16 bytes; one of 1 or 2 bytes takes 4. HETX-AT-1, HET-ATM-1

    On the host `Atomic(int)(5)` makes such a number."""

    __slots__ = ("_value", "_changed", "__weakref__")
    __hetjit_builtin__ = "hetjit.device.Atomic"
    __hetjit_type__ = None
    _patience = None

    def __init__(self, value=None):
        self._changed = _condition()
        self._value = self._as_format(self._zero() if value is None else value)

    @property
    def dtype(self):
        """The number's format."""
        return _types.DType(self._number.scalar)

    @classmethod
    def _zero(cls):
        return False if cls._number.scalar == "bool" else 0

    @classmethod
    def _as_format(cls, value):
        return _numbers.number_of(cls._number)(value, f"{cls.__name__}: the value")

    def _result(self, operation, old, new):
        import numpy
        with numpy.errstate(all="ignore"):
            if not self._number.weak:
                return type(old)(operation(old, new))
            found = operation(old, new)
        return (found + 2**31) % 2**32 - 2**31 if self._number.scalar == "int32" else found

    def _read(self):
        return self._value

    def _write(self, value):
        self._value = value

    def __copy__(self):
        raise TypeError(f"an {type(self).__name__} cannot be copied: load() gives its number")

    __deepcopy__ = lambda self, memo: self.__copy__()
    __reduce_ex__ = lambda self, protocol: self.__copy__()

    def __repr__(self):
        return f"{type(self).__name__}({self.load()!r})"


_made = {}


def _atomic(dtype, align=None):
    number = _core.Type(dtype)
    if number.kind != "scalar":
        raise TypeError(f"device.Atomic() takes the type of a number, not {number.name}")
    made = _core.atomic_type(number, align)
    if made not in _made:
        plain = made if made.kind == "struct" else made.element
        name = plain.name if plain == made else f"Atomic({plain.name[7:-1]}, align={made.align})"
        _made[made] = _AtomicType(name, (Atomic,), {
            "__slots__": (), "__module__": __name__, "__qualname__": name, "__hetjit_type__": made, "_number": number, "_plain": dtype,
            "_least": align, "__doc__": f"An atomic {number.name}. HETX-AT-1"})
        if plain == made:
            _core.remember_class(made, _made[made])
        else:
            _atomic(dtype)
    return _made[made]


class AtomicRef(AtomicInterface):
    """`AtomicRef(array, index)`: atomic operations on array[index], a number. The array is kept by the user for as long. HETX-AT-1

    On the host they are atomic among all that are made by way of an AtomicRef."""

    __slots__ = ("_array", "_index")
    __hetjit_builtin__ = "hetjit.device.AtomicRef"
    _changed = property(lambda self: _condition_of_arrays())
    _patience = 0.001  # the array may be changed otherwise, too

    def __init__(self, array, index):
        if not hasattr(array, "dtype") or not hasattr(array, "__setitem__"):
            raise TypeError(f"AtomicRef() takes an array of numbers, not {type(array).__name__}")
        self._array, self._index = array, index
        if getattr(self._read(), "ndim", 0):
            raise IndexError("AtomicRef() takes the index of one element")
        _types.dtype_of(array.dtype)

    @property
    def dtype(self):
        """The number's format."""
        return _types.dtype_of(self._array.dtype)

    def _as_format(self, value):
        return _numbers.number_of(_core.Type(self.dtype))(value, "AtomicRef: the value")

    def _result(self, operation, old, new):
        import numpy
        with numpy.errstate(all="ignore"):
            return type(old)(operation(old, new))

    def _read(self):
        return self._array[self._index]

    def _write(self, value):
        self._array[self._index] = value

    def __repr__(self):
        return f"AtomicRef({self.dtype.name} at {self._index})"

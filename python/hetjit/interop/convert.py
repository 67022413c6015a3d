"""Arguments to what a call takes: an int, a buffer, a Memory or None for a slot. One function for each way of calls.py, in; results.py has those out."""

import copy
import operator
import struct

import numpy

from hetjit import _core
from hetjit.lenders import MASKED
from hetjit.interop import adapters, memory, pointing, records
from hetjit.interop.memory import Memory

FORMATS = {"bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
            "float16": "e", "float32": "f", "float64": "d"}


class Taker:
    """How one argument of a function is taken. `function`: how messages about it begin, "area()"; `where`: those about the argument, "area(): 'width'"."""

    def __init__(self, binding, passed, function):
        self.binding, self.passed, self.where = binding, passed, f"{function}: '{passed.name}'"
        self.type = passed.type
        number = passed.way == "number" and not passed.buffer
        self.take = (self._to_buffer if passed.buffer else self._number_of(numpy.dtype(self.type.number)) if number
                     else getattr(self, f"_{passed.way}"))

    def wrong(self, exception, text):
        return exception(f"{self.where} {text}")

    def no_number(self, value):
        """What is said where a number is taken, and this is none."""
        if value is numpy.ma.masked:
            return self.wrong(ValueError, f"is {self.type.spelling}, and a masked element has no number")
        if self.type.levels and isinstance(value, (numpy.ndarray, list, tuple)):
            return self.wrong(TypeError, f"is one {self.type.name}, not {_named(value)}: an array is declared with +rank(1)")
        return self.wrong(TypeError, f"is {self.type.spelling}, not {_named(value)}")

    # ---- numbers

    def _number_of(self, dtype):
        if dtype.kind in "iu":
            return self._integer
        return {"b": self._bool, "f": self._float, "c": self._complex}[dtype.kind]

    def _packed(self, value):
        return int.from_bytes(struct.pack("<" + FORMATS[self.type.number], value), "little")

    def _integer(self, value):
        try:
            number = operator.index(value)
        except TypeError:
            raise self.no_number(value) from None
        reach = numpy.iinfo(self.type.number)
        if not reach.min <= number <= reach.max:
            size = "small" if number < reach.min else "large"
            raise self.wrong(OverflowError, f"is {self.type.spelling}, which {_shortened(number)} is too {size} for")
        return self._packed(number)

    def _bool(self, value):
        if not isinstance(value, (bool, numpy.bool_)):
            raise self.no_number(value)
        return int(value)

    def _float(self, value):
        if value is numpy.ma.masked or isinstance(value, (str, bytes, complex, numpy.complexfloating)) or not hasattr(value, "__float__") and not hasattr(value, "__index__"):
            raise self.no_number(value)
        try:
            return self._packed(float(value))
        except (TypeError, ValueError):
            raise self.no_number(value) from None
        except OverflowError:
            raise self.wrong(OverflowError, f"is {self.type.spelling}, which {_shortened(value)} is too large for") from None

    def _complex(self, value):
        if isinstance(value, (str, bytes)) or not isinstance(value, (int, float, complex, numpy.number)):
            raise self.no_number(value)
        with numpy.errstate(over="ignore"):
            made = numpy.array(value, self.type.number)
        if _overflows(made, numpy.asarray(value)):
            raise self.wrong(OverflowError, f"is {self.type.spelling}, which {value} is too large for")
        return made if made.nbytes > 8 else int.from_bytes(made.tobytes(), "little")

    def _character(self, value):
        if not isinstance(value, (str, bytes)) or len(value) != 1 or len(_encoded(value)) != 1:
            raise self.wrong(TypeError, f"is char, a str of one character, not {_named(value)}")
        return _encoded(value)[0]

    # ---- arrays

    def _array(self, value):
        if self.passed.device:
            return self._device_address(value)
        wanted = self.binding.dtype_of(self.type)
        if isinstance(value, _core.Pointer):
            value = self._elements(value, wanted)
        self._check_no_mask(value)
        if self.passed.intent == "inout" and isinstance(value, numpy.ndarray):
            self._check_written(value, wanted)
            made = value
        else:
            made = self._converted(value, wanted)
            if self.passed.intent == "inout" and not made.flags.writeable:
                raise self.wrong(ValueError, f"is written, and {_named(value)} is read-only")
        self._check_rank(made, value)
        memory.check(made)
        if not made.flags.c_contiguous or not made.flags.aligned:
            made = made.copy(order="C")
        return made

    def _elements(self, adapter, wanted):
        try:
            return adapters.elements(adapter, wanted)
        except TypeError as error:
            raise self.wrong(TypeError, str(error)) from None

    def _check_no_mask(self, value):
        if isinstance(value, numpy.ma.MaskedArray):
            raise self.wrong(TypeError, f"is an array, and {MASKED}")

    def _check_written(self, value, wanted):
        if value.dtype != wanted:
            raise self.wrong(ValueError, f"is written, so its elements have to be {wanted}, not {value.dtype}")
        if not value.flags.writeable:
            raise self.wrong(ValueError, "is written, and the array is read-only")

    def _check_rank(self, made, value):
        if made.ndim != self.passed.rank:
            told = f", and the array is {made.ndim}-D" if made.ndim or isinstance(value, numpy.ndarray) else f", not {_named(value)}"
            raise self.wrong(ValueError, f"is {self.passed.rank}-D{told}")

    def _converted(self, value, wanted):
        """An array of these elements; numbers may become other ones only if nothing is lost, or by rounding of Python's floats."""
        if hasattr(value, "copy_to_host"):
            raise self.wrong(TypeError, "is in the host's memory, and the array in a device's: pass device.to_numpy(x)")
        if wanted.names:
            return self._records(value, wanted)
        if value is None or isinstance(value, (str, bytes, dict, set)):
            raise self.wrong(TypeError, f"is an array of {wanted}, not {_named(value)}")
        found = None
        try:
            found = numpy.asarray(value)
            if found.dtype == wanted:
                return found
            if not found.size:
                return numpy.asarray(value, wanted)
            made = self._cast(found, wanted, isinstance(value, numpy.ndarray))
        except (TypeError, ValueError, OverflowError):
            raise self._unlike(value, found, wanted) from None
        if wanted.kind in "iu" and not _has_all(wanted, found) or _overflows(made, found):
            raise self.wrong(OverflowError, f"is an array of {wanted}, which has not all of these numbers")
        if wanted.kind == "f" and isinstance(value, numpy.ndarray) and not numpy.can_cast(found.dtype, wanted, "safe"):
            raise self.wrong(ValueError, f"is an array of {wanted}, not of {found.dtype}: pass x.astype({wanted.name!r})")
        return made

    def _unlike(self, value, found, wanted):
        """Why a value does not become an array of these elements. `found`: what NumPy made of it, if it made anything."""
        what, name = f"is an array of {wanted}", type(value).__name__
        if found is None:
            return self.wrong(ValueError, f"{what}, and the rows of the {name} are not all as long")
        if found.dtype.kind == "O":
            other = next((each for each in found.flat if not isinstance(each, int)), None) if found.ndim else value
            if found.ndim and other is None and None not in found:
                return self.wrong(OverflowError, f"{what}, which has not all of these numbers")
            return self.wrong(ValueError, f"{what}, not {_named(value)}" if not found.ndim else f"{what}, and {_named(other)} is among the {name}'s elements")
        of = "str" if found.dtype.kind in "US" else found.dtype
        if isinstance(value, numpy.ndarray):
            return self.wrong(ValueError, f"{what}, not of {of}" + f": pass x.astype({wanted.name!r})" * (found.dtype.kind in "biuf"))
        return self.wrong(ValueError, f"{what}, and the {name} is one of {of}")

    def _records(self, value, wanted):
        """An array of structs; messages about a field name it behind the parameter."""
        held, element = [], self.type.element if self.type.kind == "vector" else self.type

        def of_field(name, value, dtype, record=self.binding.records[element.name]):
            field = next(each for each in record.fields if each.name == name)
            taker = copy.copy(self)
            taker.where, taker.type = f"{self.where[:-1]}.{name}'", field.type
            if field.type.levels or field.type.kind == "function":
                return pointing.addresses(taker, value, held)
            if isinstance(value, records.Column):
                return taker._converted(value.array, dtype)
            if field.type.kind == "char" and field.extents and isinstance(value, (str, bytes)):
                return pointing.characters(taker, value, field.extents)
            return taker._converted(value, dtype)
        try:
            made = records.made(value, wanted, of_field)
        except records.Unlike as error:
            raise self.wrong(TypeError, str(error)) from None
        return memory.holding(made, held) if held else made

    @staticmethod
    def _cast(found, wanted, exact):
        """Numbers as others. Whether they are the same is asked of integers afterwards."""
        rounded = not exact and numpy.can_cast(found.dtype, wanted, "same_kind") or wanted.kind == found.dtype.kind
        whole = wanted.kind in "iu" and found.dtype.kind in "iu"
        with numpy.errstate(over="ignore"):
            return found.astype(wanted, casting="unsafe" if whole else "same_kind" if rounded else "safe")

    def _vector(self, value):
        self._check_no_mask(value)
        made = self._converted(value, self.binding.dtype_of(self.type.element))
        self._check_rank(made, value)
        memory.check(made)
        return numpy.ascontiguousarray(made)

    def _any(self, value):
        if isinstance(value, _core.Pointer):
            value = adapters.lent(value) or None
        if value is None:
            return None
        if isinstance(value, memory.Memory):
            return memoryview(value)
        self._check_no_mask(value)
        made = numpy.asarray(value)
        if made.dtype.hasobject:
            raise self.wrong(TypeError, f"is memory, which {_named(value)} has none of")
        memory.check(made)
        return numpy.ascontiguousarray(made) if made.ndim else made.reshape(1)

    def _device_address(self, value):
        if not hasattr(value, "copy_to_host"):
            raise self.wrong(TypeError, f"is in a device's memory, and {_named(value)} is not: pass device.array(x)")
        wanted = self.binding.dtype_of(self.type)
        if value.dtype != wanted or value.ndim != self.passed.rank:
            raise self.wrong(ValueError, f"is a {self.passed.rank}-D array of {wanted}, not a {value.ndim}-D one of "
                             f"{getattr(value.dtype, 'name', value.dtype)}")
        return self.binding.device_address(value)

    # ---- texts

    def _text(self, value):
        if value is None and self.passed.way == "text" and self.passed.intent == "in" and not self.passed.field:
            self._may_be_null("str")
            return None
        made = self._string(value)
        if b"\0" in made:
            raise self.wrong(ValueError, "has a NUL in it, where C takes its end to be")
        return made

    def _string(self, value):
        if not isinstance(value, (str, bytes)):
            raise self.wrong(TypeError, f"is a str, not {_named(value)}")
        try:
            return _encoded(value)
        except UnicodeEncodeError as error:
            raise self.wrong(ValueError, f"is no text: {error}") from None

    def _texts(self, value):
        if isinstance(value, (str, bytes)) or not isinstance(value, _core.ListOfBytes) and not hasattr(value, "__iter__"):
            raise self.wrong(TypeError, f"is a list of str, not {_named(value)}")
        one = self._string if self.type.kind in ("vector", "string") else self._text
        made = [one(self._text_in_list(each)) for each in value]
        return struct.pack(f"<{len(made) + 1}q", len(made), *map(len, made)) + b"".join(made)

    def _text_in_list(self, value):
        if not isinstance(value, (str, bytes)):
            raise self.wrong(TypeError, f"is a list of str, and {value if value is None else _named(value)} is among them")
        return value

    def _to_buffer(self, value):
        try:
            if not memoryview(value).readonly:
                return value
        except TypeError:
            pass
        raise self.wrong(TypeError, f"is a buffer that can be written, as a bytearray is, not {_named(value)}")

    # ---- memory and objects

    def _pointer(self, value):
        if value is None:
            return 0
        if isinstance(value, _core.Pointer):
            return adapters.lent(value)
        if isinstance(value, Memory):
            made = self.binding.seen_as(value, self.type.name) if self.type.kind == "class" else value
            if made is None:
                raise self.wrong(TypeError, f"is a {self.type.name}, and this is memory of a {value.kind}")
            return made
        if isinstance(value, int) and not isinstance(value, bool):
            if not 0 <= value < 2**64:
                raise self.wrong(OverflowError, f"is an address, which {value} is not")
            return value
        inner = getattr(value, "__hetjit_memory__", None)
        if inner is None or self.type.kind not in ("void", "class"):
            raise self.wrong(TypeError, f"is a pointer: a Memory, a types.Pointer, an int or None, not {_named(value)}")
        return inner

    def _address(self, value):
        return pointing.address(self, value)

    def _object(self, value):
        if value is None and self.type.levels:
            self._may_be_null(self.type.name)
            return 0
        made = value if isinstance(value, Memory) else getattr(value, "__hetjit_memory__", None)
        if made is None:
            unmade = hasattr(type(value), "__hetjit_seen__")
            raise self.wrong(TypeError, f"is a {self.type.name}, not {_named(value)}" +
                             " that has not been constructed: its __init__ has to call super().__init__(…)" * unmade)
        seen = self.binding.seen_as(made, self.type.name)
        if seen is None:
            raise self.wrong(TypeError, f"is a {self.type.name}, not a {made.kind}")
        return seen

    def _may_be_null(self, what):
        """Refuses None where nobody has said that the library takes null pointers: it would read at address 0."""
        if not self.passed.field and not self.passed.parameter.nullable:
            declared = _declared(self.type, self.passed.name)
            raise self.wrong(TypeError, f"is a {what}, not None; where a null pointer may be passed, declare that: {declared} +nullable")

    def _struct(self, value):
        made = self._converted(value, self.binding.dtype_of(self.type))
        if made.ndim:
            raise self.wrong(ValueError, f"is one {self.type.name}, not an array of them{': that is declared with +rank(1)' * bool(self.type.levels)}")
        return made.copy()

    def _callback(self, value):
        if value is None:
            self._may_be_null("function")
            return 0
        if not callable(value):
            raise self.wrong(TypeError, f"is a function, not {_named(value)}")
        returned = self.type.element
        return value, tuple(map(_item, (*self.type.arguments, returned))), f"{self.where} returns {returned.spelling}"


def _declared(type_, name):
    """A parameter as declarations have it."""
    return type_.spelling.replace("(*)", f"(*{name})") if "(*)" in type_.spelling else f"{type_.spelling} {name}"


def _shortened(number):
    """A number as messages have it."""
    return f"an int of {number.bit_length()} bits" if isinstance(number, int) and number.bit_length() > 128 else f"{number}"


def _has_all(dtype, integers):
    """Whether integers are among a type's own."""
    if integers.dtype.kind not in "iu":
        return True
    reach = numpy.iinfo(dtype)
    return reach.min <= int(integers.min()) and int(integers.max()) <= reach.max


def _overflows(made, found):
    """Whether numbers have become infinite."""
    return made.dtype.kind in "fc" and found.dtype.kind in "fciu" and bool((numpy.isinf(made) & ~numpy.isinf(found)).any())


def _item(type_):
    """A callback's argument or result, as the extension names it."""
    if type_.levels:
        return "p", 8
    return ("n", 0) if type_.kind == "void" else (numpy.dtype(type_.number).kind, type_.bytes)


def _encoded(value):
    return value.encode() if isinstance(value, str) else value


def _named(value):
    if isinstance(value, numpy.ndarray):
        return f"an array of {value.dtype}"
    return f"{value!r}" if isinstance(value, (bool, int, float, complex)) else type(value).__name__

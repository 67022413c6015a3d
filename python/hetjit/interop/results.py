"""What a call gives to values of Python. One function for each way of calls.py, out; convert.py has those in."""

import math
import struct

import numpy

from hetjit.interop import memory
from hetjit.interop.convert import FORMATS


class Giver:
    """How one result of a function becomes a value of Python."""

    def __init__(self, binding, passed, function):
        self.binding, self.passed, self.where = binding, passed, function
        self.type = passed.type
        self.give = getattr(self, f"_{passed.way}")
        wide = passed.way == "number" and self.type.bytes > 8
        self.kind = "w" if passed.way in ("number", "character") and not wide else "g"
        if passed.way == "number":
            self.give = self._wide if self.type.bytes > 8 else self._number
        if passed.field == "vector":
            self.give = self._vector_of_field
        if passed.field in ("strings", "texts"):
            self.give = lambda found: tuple(self._texts(found))

    def _number(self, word):
        raw = word.to_bytes(8, "little")
        if self.type.number == "complex64":
            return complex(numpy.frombuffer(raw, "complex64")[0])
        return struct.unpack_from(FORMATS[self.type.number], raw)[0]

    def _wide(self, found):
        return numpy.frombuffer(_contents(found), self.type.number)[0].item()

    def _character(self, word):
        return chr(word & 0xff)

    def _array(self, found):
        dtype = self.binding.dtype_of(self.type)
        if self.passed.device:
            return self.binding.device_array(found, self.type, dtype, self.passed.deref == "copy")
        if not _exists(found):
            return numpy.empty(found.shape, dtype) if 0 in found.shape else None
        if self.passed.deref == "scalar":
            return self._once(found, lambda array: array.copy()[()] if dtype.names else array.item())
        if self.passed.deref == "copy":
            return self._once(found, lambda array: numpy.array(array))
        return memory.view(found.memory, dtype, found.shape)

    def _struct(self, found):
        return self._once(found, lambda array: self.binding.struct_value(self.type, array.copy()))

    def _once(self, found, read):
        """What is read of memory that is released at once."""
        try:
            return read(numpy.ndarray(found.shape, self.binding.dtype_of(self._element()), buffer=found.memory))
        finally:
            found.memory.delete()

    def _element(self):
        return self.type.element if self.type.kind == "vector" else self.type

    def _vector(self, found):
        dtype = self.binding.dtype_of(self.type.element)
        if not _exists(found):
            found.memory.delete()
            return numpy.empty(found.shape, dtype)
        if self.passed.deref == "copy":
            return self._once(found, lambda array: numpy.array(array))
        return memory.view(found.memory, dtype, found.shape)

    def _vector_of_field(self, found):
        made = self._vector(found)
        if self.passed.deref == "copy":
            made.flags.writeable = False  # nobody would see it
        return made

    def _objects(self, found):
        """Objects that lie one behind another, as tuples."""
        def of_axis(shape, at):
            if not shape:
                return self.binding.instance(self.type.name, memory.part(found.memory, at, self.type.name))
            step = self.type.bytes * math.prod(shape[1:])
            return tuple(of_axis(shape[1:], at + i * step) for i in range(shape[0]))
        return of_axis(found.shape, found.address)

    def _text(self, found):
        if not _exists(found):
            return None
        if self.passed.deref == "pointer":
            return memoryview(found.memory)
        return self._decoded(_contents(found))

    def _string(self, found):
        if not found.address and not found.memory.owned:
            return None
        return self._decoded(_contents(found) if found.memory.size else (found.memory.delete(), b"")[1])

    def _decoded(self, raw):
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.where}: '{self.passed.name}' is no text in UTF-8: {error}") from None

    def _texts(self, found):
        raw = _contents(found)
        count, = struct.unpack_from("<q", raw)
        lengths = struct.unpack_from(f"<{count}q", raw, 8)
        at, made = 8 * (count + 1), []
        for length in lengths:
            made.append(self._decoded(raw[at:at + length]))
            at += length
        return made

    def _pointer(self, found):
        return found.memory if found.address else None

    def _object(self, found):
        return self.binding.instance(self.type.name, found.memory) if found.address else None


class Found:
    """What a call gave: where, of which extents, and the Memory that it is of. `lender`: what the call was given, a memory.Lender."""

    __slots__ = ("address", "shape", "memory")

    def __init__(self, binding, giver, raw, lender):
        self.address, element, self.shape, owner, idtor = raw
        size = element
        for extent in self.shape:
            size *= extent
        type_ = giver.type
        kind = type_.name if type_.kind in ("class", "struct") else ""
        if giver.passed.device:
            size = 0  # that the host can read
        source = binding if idtor else lender.of(self.address, binding)
        self.memory = memory.own(self.address, size, type_.const, kind, owner, idtor, binding.release, source)
        if lender.given and not idtor:
            self.memory.keep(lender.given)


def _exists(found):
    return found.address != 0


def _contents(found):
    """The bytes, of memory that is released at once."""
    try:
        return bytes(memoryview(found.memory))
    finally:
        found.memory.delete()

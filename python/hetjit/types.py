"""Adapters: what C calls by an address, as Python objects. Each takes what a program has at hand, keeps the memory for as long as it lives,
and knows nothing of its contents.

All are `Pointer`s: what takes one of them takes any. The order in which an object is asked what it is stands in python/ext/adapters/addresses.h and
in the documents (docs/adapters.md). Functions of ctypes take them as `argtypes`.
"""

import ctypes
import functools
import math
import operator
import re
import sys

from hetjit._core import (ArgumentPack, CodePointer, CStr, DeviceMemory, ListOfBytes, ListOfInt, ListOfPointer, ListOfUnsigned,
                          ListOfUnsignedLong, Pointer, RecordPointer)

__all__ = ["ArgumentPack", "CStr", "DeviceArray", "FunctionPointer", "ListOfBytes", "ListOfInt", "ListOfPointer", "ListOfUnsigned",
           "ListOfUnsignedLong", "Pointer", "Record", "adapted", "adapter_of", "dim3", "function_pointer", "include",
           "record"]

# Elements by their kind and bytes in a typestr: their format as the module struct has it. Those of other types are lent as bytes.
_FORMATS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f2": "e", "f4": "f",
            "f8": "d", "c8": "Zf", "c16": "Zd"}
_TYPESTR = re.compile(r"([<>|=]?)([a-zA-Z])(\d+)(\[\w+\])?")
_NAME = re.compile(r"(bool(?=$)|int(?=\d)|uint(?=\d)|float(?=\d)|complex(?=\d))((?:8|16|32|64|128)?)")


def _typestr(given):
    """"<f4" of "float32", "f4", a NumPy dtype or a type of device."""
    given = getattr(given, "dtype", given)
    text = getattr(given, "str", given)
    if not isinstance(text, str):
        raise TypeError(f"typestr is a text like '<f4' or 'float32', not {type(given).__name__}")
    name = _NAME.fullmatch(text)
    if name:
        bytes = int(name[2] or 8) // 8
        return f"{'<' if bytes > 1 else '|'}{name[1][0]}{bytes}"
    found = _TYPESTR.fullmatch(text)
    if not found or not int(found[3]):
        raise ValueError(f"'{text}' is no typestr, which tells how many bytes an element has; '<f4' and 'float32' are")
    order, kind, bytes, unit = found.groups(default="")
    return f"{order if order not in ('', '=') else '<' if bytes != '1' else '|'}{kind}{bytes}{unit}"


def _bytes(typestr):
    """Of an element."""
    _, kind, bytes, _ = _TYPESTR.fullmatch(typestr).groups()
    return int(bytes) * (4 if kind == "U" else 1)


def _extents(shape):
    extents = tuple(map(operator.index, shape)) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
    if not all(0 <= extent <= sys.maxsize for extent in extents):
        raise ValueError(f"no array has the shape {extents}")
    return extents


def _strides(shape, bytes):
    """Of an array whose elements follow one another, in bytes."""
    return tuple(math.prod(shape[axis + 1:]) * bytes for axis in range(len(shape)))


def _part(shape, key):
    """(first element, extents) of what an index means, as NumPy has it; a ValueError where its elements do not follow one another."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if keys.count(...) > 1 or len(keys) - (... in keys) > len(shape):
        raise IndexError(f"{len(keys)} indices for an array of {len(shape)} axes")
    if ... in keys:
        at = keys.index(...)
        keys[at:at + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    keys += [slice(None)] * (len(shape) - len(keys))
    ranges = [_along(one, extent, axis) for axis, (one, extent) in enumerate(zip(keys, shape))]
    first, rows = 0, 1  # rows: places along the axes before this one
    for (start, count), extent in zip(ranges, shape):
        if 1 < rows and count != extent and all(count for _, count in ranges):
            raise ValueError(f"elements of a part {key!r} of shape {shape} do not follow one another: only contiguous parts can be had")
        first, rows = first * extent + start, rows * count
    return first, tuple(count for one, (_, count) in zip(keys, ranges) if isinstance(one, slice))


def _along(key, extent, axis):
    """(first, how many) along an axis."""
    if isinstance(key, slice):
        start, stop, step = key.indices(extent)
        if step != 1:
            raise ValueError(f"a step of {step}: only contiguous parts can be had")
        return start, max(stop - start, 0)
    index = operator.index(key)
    if not -extent <= index < extent:
        raise IndexError(f"index {index} is outside of axis {axis} with {extent} elements")
    return index % extent, 1


@functools.cache
def _descriptor(rank):
    extents = ctypes.c_int64 * rank
    return type(f"Descriptor{rank}", (ctypes.Structure,), {"_fields_": [("data", ctypes.c_void_p), ("shape", extents), ("strides", extents)]})


class DeviceArray(DeviceMemory):
    """Memory of a device by its address, with shape and element type where somebody has said them. Made from what a Pointer is made from;
    of an object with `__cuda_array_interface__` it takes shape and type too, of anything else the address alone. It owns nothing.

    `a[1]` and `a[2:4]` are contiguous parts of it. Other libraries read it through the CUDA Array Interface, version 3, and where the host
    reaches the memory as a buffer: `numpy.asarray(a)`.
    """

    _shape = _typestr = _stream = None
    _itemsize = 1

    def __init__(self, source=None, /):
        super().__init__(source)
        self._shape = self._typestr = self._stream = None
        self._itemsize = 1
        interface = getattr(source, "__cuda_array_interface__", None)
        if interface is not None and (isinstance(source, DeviceArray) or not isinstance(source, Pointer)):
            if missing := {"shape", "typestr"} - set(interface):
                raise ValueError(f"the __cuda_array_interface__ of a {type(source).__name__} has no '{min(missing)}'")
            self._describe_by(interface)

    def _describe_by(self, interface):
        shape, typestr = _extents(interface["shape"]), _typestr(interface["typestr"])
        strides = interface.get("strides")
        if strides is not None and math.prod(shape) and tuple(strides) != _strides(shape, _bytes(typestr)):
            raise ValueError(f"elements of an array with shape {shape} and strides {strides} do not follow one another")
        self.configure(shape=shape, typestr=typestr, stream=interface.get("stream"), _force=True)

    shape = property(lambda self: self._shape, doc="Extents, as a tuple; None: nobody has said.")
    typestr = property(lambda self: self._typestr, doc="Type of the elements as NumPy writes it, \"<f4\"; None: nobody has said.")
    itemsize = property(lambda self: self._itemsize, doc="Bytes of an element.")
    stream = property(lambda self: self._stream, doc="By whose work the memory is written, as configure() was told.")
    ndim = property(lambda self: len(self._known()), doc="How many axes it has.")
    size = property(lambda self: math.prod(self._known()), doc="How many elements it has.")

    def _known(self):
        if self._shape is None:
            raise TypeError("this memory has no shape yet: configure(shape=..., typestr=...) says it")
        return self._shape

    def __len__(self):
        if not self._known():
            raise TypeError("len() of an array without axes")
        return self._shape[0]

    def configure(self, *, shape=None, typestr=None, stream=None, itemsize=None, read_only=None, _force=False):
        """Says what is in the memory; what is left out stays as it was. Returns the array itself.

        shape: an int or a tuple. typestr: "float32", "<f4", a NumPy dtype. itemsize: bytes of an element that has no typestr. stream: what
        the CUDA Array Interface tells, 1 the default one; 0 is a ValueError. read_only: whether it may only be read.

        Raises ValueError where that is another number of bytes than before, or nobody knows the number, unless `_force=True`; RuntimeError
        while somebody has a buffer of it.
        """
        self._check_unlocked()
        typestr = self._typestr if typestr is None else _typestr(typestr)
        bytes = operator.index(itemsize) if itemsize is not None else _bytes(typestr) if typestr else self._itemsize
        if typestr and bytes != _bytes(typestr):
            raise ValueError(f"elements of type {typestr} have {_bytes(typestr)} bytes, not {itemsize}")
        if not 1 <= bytes <= sys.maxsize:
            raise ValueError(f"elements have at least 1 byte and fewer than 2**63, not {bytes}")
        stream = self._stream if stream is None else operator.index(stream)
        read_only = self.read_only if read_only is None else bool(read_only)
        if stream == 0:
            raise ValueError("stream 0 could be one of two default streams: 1 is the legacy one, 2 that of the thread")
        shape = self._shape if shape is None else _extents(shape)
        if shape is not None:
            self._check_bytes(math.prod(shape) * bytes, shape, _force)
            self._lend_as(shape, typestr or "|V", bytes)
        self.read_only = read_only
        self._shape, self._typestr, self._itemsize, self._stream = shape, typestr, bytes, stream
        return self

    def _check_bytes(self, bytes, shape, force):
        if bytes > sys.maxsize:
            raise ValueError(f"an array of shape {shape} has more than 2**63 bytes")
        if not force and bytes != self.nbytes:
            there = "nobody knows how many there are" if self.nbytes is None else f"there are {self.nbytes}"
            raise ValueError(f"shape {shape} makes {bytes} bytes, and {there}; with _force=True it is taken all the same")

    def _lend_as(self, shape, typestr, bytes):
        format = _FORMATS.get(typestr[1:]) if typestr[0] in "<|" else None
        if format is None:
            shape, format, bytes = (*shape, bytes), "B", 1
        self._describe(shape, bytes, format)

    @property
    def __cuda_array_interface__(self):
        if self._shape is None or self._typestr is None:
            raise AttributeError("this memory has no shape and typestr yet: configure() says them")
        return {"shape": self._shape, "typestr": self._typestr, "data": (int(self), self.read_only), "strides": None,
                "stream": self._stream, "version": 3}

    def descriptor(self):
        """What a kernel of `device.kernel` reads for an array parameter, to be packed with a launch's arguments: address, extents and strides in
        elements (docs/abi.md), a ctypes.Structure that keeps the memory."""
        shape = self._known()
        if not int(self) and math.prod(shape):
            raise ValueError(f"{self!r} has elements, and no memory: it is NULL")
        made = _descriptor(len(shape))(self.as_c_void_p(), shape, _strides(shape, 1))
        made.array = self
        return made

    def __getitem__(self, key):
        """A part whose elements follow one another; a ValueError for any other."""
        first, extents = _part(self._known(), key)
        part = self._part(first * self._itemsize, math.prod(extents) * self._itemsize)
        return part.configure(shape=extents, typestr=self._typestr, itemsize=self._itemsize, stream=self._stream)

    def __repr__(self):
        return f"<DeviceArray {int(self):#x}, shape {self._shape}, {self._typestr}>"


# ---- wrappers made for types of C

class Record(RecordPointer):
    """The address of a struct or union of C. A class made by record() or adapter_of() has its fields: `P(1, y=2.0)` makes one, with the
    values by position, by name, or both; `P.from_object(x)` is one that is there, made from what a Pointer is made from."""

    _ctype = None
    _defaults = {}
    _made = None
    _kept = {}

    def __init__(self, *values, **named):
        if self._ctype is None:
            raise TypeError(f"{type(self).__name__} has no fields: types.record(ctype) makes a class that has them")
        names = _names(self._ctype)
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields, {len(values)} values were given")
        given = dict(zip(names, values))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"{type(self).__name__} has no field '{name}'; it has {', '.join(names)}")
            if name in given:
                raise TypeError(f"{type(self).__name__}(): two values for '{name}'")
            given[name] = value
        given = {**self._defaults, **given}
        self._made = self._ctype(**given)
        for name, value in given.items():
            _check_kept(self._made, name, value)
        super().__init__(self._made)

    @classmethod
    def from_object(cls, source, /):
        """The record at an address, which is not looked at."""
        made = cls.__new__(cls)
        RecordPointer.__init__(made, source)
        return made

    @classmethod
    def from_param(cls, source, /):
        """For `argtypes` of ctypes."""
        return source if isinstance(source, Pointer) else cls.from_object(source)

    def _there(self):
        if not self:
            raise ValueError(f"no {type(self).__name__} lies at NULL")
        if self._made is not None:
            return self._made
        size, bytes = ctypes.sizeof(self._ctype), _bytes_of(self)
        if bytes is not None and bytes < size:
            raise ValueError(f"{type(self).__name__} has {size} bytes, and {bytes} are there")
        if _is_read_only(self):  # by a copy: of one that ctypes sees there, parts could be written
            return self._ctype.from_buffer_copy(ctypes.string_at(int(self), size))
        there = self._ctype.from_address(int(self))
        there._hetjit_record = self  # parts of it, which it keeps, are as long there as the memory
        return there

    def __repr__(self):
        if not self:
            return f"<{type(self).__name__} NULL>"
        if not self._is_known():
            return super().__repr__()
        there = self._there()
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(there, name)!r}' for name in _names(self._ctype))})"

    def _is_known(self):
        """Whether there is a record to show: memory that the host is known to reach, and enough of it."""
        return self._made is not None or self._ctype is not None and _is_on_host(self) and (_bytes_of(self) or 0) >= ctypes.sizeof(self._ctype)

    def _store(self, name, value):
        there = self._there()
        if _is_read_only(self):
            raise BufferError(f"this {type(self).__name__} may only be read")
        setattr(there, name, value)
        _check_kept(there, name, value)
        self._kept = {**self._kept, name: there._objects}  # what a pointer points to, as ctypes knows it


# What a Pointer tells, also of a record with a field of the same name.
_bytes_of, _is_read_only, _is_on_host = Pointer.nbytes.__get__, Pointer.read_only.__get__, Pointer.on_host.__get__


def _names(ctype):
    """Of all fields, also of those of the types that it is derived from, which come first."""
    return [field[0] for base in reversed(ctype.__mro__) for field in vars(base).get("_fields_", ())]


def _check_kept(there, name, value):
    """ctypes takes what does not fit, and cuts it off."""
    if hasattr(type(value), "__index__") and isinstance(kept := getattr(there, name), int) and kept != operator.index(value):
        raise OverflowError(f"{value} does not fit the field '{name}' of {type(there).__name__}")


def _field(name):
    return property(lambda self: getattr(self._there(), name), lambda self, value: self._store(name, value))


def _adapter(ctype, base, name, members):
    """The adapter for a type of C, one for each name and defaults; without them the first. ctypes' class keeps them."""
    if "_hetjit_adapters" not in vars(ctype):
        ctype._hetjit_adapters = {}
    made = ctype._hetjit_adapters
    key = name, repr(members.get("_defaults", {}))
    if key not in made and (not made or key != (None, "{}")):
        made[key] = type(name or ctype.__name__, (base,), {"_ctype": ctype, "__module__": __name__, **members})
    return made.get(key) or next(iter(made.values()))


def record(ctype, name=None, **defaults):
    """The wrapper of a ctypes.Structure or Union, a subclass of Record. `defaults`: values of fields that are not given; the others are 0."""
    fields = {name: _field(name) for name in _names(ctype)}
    return _adapter(ctype, Record, name, {**fields, "_defaults": defaults, "__doc__": f"{ctype.__name__} of C, by its address."})


class FunctionPointer(CodePointer):
    """The address of a function in C. Made from a Python function, which C then calls; from a function of ctypes; from None, a Pointer, an
    int or a ctypes.c_void_p. Memory is no function: arrays and buffers are TypeErrors. It can be called."""

    _ctype = None

    def __init__(self, source=None, /):
        if callable(source) and not isinstance(source, Pointer):
            self._need_type()
            function = source if isinstance(source, ctypes._CFuncPtr) else self._ctype(source)
            source = ctypes.cast(function, ctypes.c_void_p)
            source.function = function
        super().__init__(source)

    def __call__(self, *values):
        self._need_type()
        if not self:
            raise ValueError(f"{type(self).__name__} is NULL")
        return self._ctype(int(self))(*values)

    def _need_type(self):
        if self._ctype is None:
            raise TypeError(f"{type(self).__name__} is of no type: types.function_pointer(ctype) makes a class that is")


def function_pointer(ctype, name=None):
    """The wrapper of a type that ctypes.CFUNCTYPE made, a subclass of FunctionPointer."""
    return _adapter(ctype, FunctionPointer, name, {"__doc__": "A function of C, by its address."})


_LISTS = ((ctypes.c_int, ListOfInt), (ctypes.c_uint, ListOfUnsigned), (ctypes.c_ulong, ListOfUnsignedLong), (ctypes.c_char_p, ListOfBytes),
          (ctypes.c_void_p, ListOfPointer))


def adapter_of(ctype):
    """What an argument of that type of ctypes is adapted by: `const char*` by CStr, arrays of ints by their lists, structs and functions by
    their wrappers, all other pointers by Pointer. Anything that is no pointer stays what it is."""
    if ctype is None or ctype is ctypes.c_void_p:
        return Pointer
    if ctype is ctypes.c_char_p:
        return CStr
    if issubclass(ctype, ctypes._CFuncPtr):
        return function_pointer(ctype)
    if not issubclass(ctype, ctypes._Pointer):
        return ctype
    target = ctype._type_
    if issubclass(target, (ctypes.Structure, ctypes.Union)) and hasattr(target, "_fields_"):
        return record(target)
    return next((adapter for of, adapter in _LISTS if target is of), Pointer)


def adapted(function):
    """A function of ctypes, whose `argtypes` are now adapters: it takes what they are made from. Returned is the function itself."""
    function.argtypes = [adapter_of(one) for one in function.argtypes]
    return function


def include():
    """The folder of our headers for other extensions, <hetjit/pointer.hpp>: `-I` of their compilers."""
    import pathlib
    return str(pathlib.Path(__file__).parent / "include")


class _Dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint32), ("y", ctypes.c_uint32), ("z", ctypes.c_uint32)]


dim3 = record(_Dim3, "dim3", x=1, y=1, z=1)

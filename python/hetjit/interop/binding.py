"""A library that is bound: its shims, loaded, and what its types are in Python."""

import math

import numpy

from hetjit import _core
from hetjit.errors import DeviceError
from hetjit.interop.memory import memory_of_all


class Binding:
    """What functions of one library share. It lasts for as long as anything that they gave."""

    def __init__(self, declared, built, classes):
        self.records, self._built = declared.records, built
        self.release = built.address("hetjit_release")
        self._structs = _structs(classes, declared.records)  # name in C++: a device.struct
        self._dtypes, self.classes, self.bases = {}, {}, {}  # bases: by (class, base), what converts
        self._pointed = {}  # by address and name of a field of an object that is not Python's

    def address(self, symbol):
        """Where one of its shims lies."""
        return self._built.address(symbol)

    # ---- numbers and structs

    def dtype_of(self, type_):
        """NumPy's dtype of elements of a type."""
        if type_.kind not in ("struct", "class"):
            return numpy.dtype(type_.number)
        if type_.name not in self._dtypes:
            self._dtypes[type_.name] = self._struct_dtype(type_.name)
        return self._dtypes[type_.name]

    def _struct_dtype(self, name):
        record = self.records[name]
        formats = [(self.dtype_of_field(field), field.extents) if field.extents else self.dtype_of_field(field) for field in record.fields]
        plain = numpy.dtype({"names": [field.name for field in record.fields], "formats": formats,
                             "offsets": [field.offset for field in record.fields], "itemsize": record.size})
        cls = self._structs.get(name)
        if cls is None:
            return plain
        from hetjit.device.layouts import numpy_dtype
        ours = numpy_dtype(cls)
        if not _alike(ours, plain):
            raise TypeError(f"bind(types=...): {cls.__name__} does not lie in memory as {name} does: {_layout(ours, plain)}, and {name} is {_layout(plain, ours)}")
        return ours

    def dtype_of_field(self, field):
        """Of its elements. What points somewhere is an address."""
        is_address = field.type.levels or field.type.kind == "function"
        return numpy.dtype("uint64") if is_address else self.dtype_of(field.type)

    def struct_value(self, type_, array):
        """A struct that was returned: an instance of its device.struct, or a scalar of NumPy."""
        cls = self._structs.get(type_.name)
        return array[()] if cls is None else cls(*array[()].item())

    # ---- classes

    def instance(self, name, memory):
        """An object of the library's as one of Python's."""
        cls = self.classes.get(name)
        if cls is None:
            return memory
        made = cls.__new__(cls)
        made.__hetjit_memory__ = memory
        return made

    def seen_as(self, memory, wanted):
        """Memory of an object as a class has it that its own is, or is derived from; None: it is not."""
        if memory.kind == wanted:
            return memory
        record = self.records.get(memory.kind)
        for base in record.bases if record else ():
            convert = self.bases.get((memory.kind, base))
            if convert and self.steps_to_base(base, wanted) is not None:
                made = convert.call((), (memory,), {})
                return self.seen_as(getattr(made, "__hetjit_memory__", made), wanted)
        return None

    def steps_to_base(self, name, wanted):
        """How many classes a class is derived over from another: 0, it is that one; None: it is not derived from it."""
        if name == wanted:
            return 0
        record = self.records.get(name)
        steps = [self.steps_to_base(base, wanted) for base in (record.bases if record else ())]
        return min((each + 1 for each in steps if each is not None), default=None)

    def point(self, memory, field, value):
        """Says that a field of an object points to a value: it lasts as long as the object, or, where that is not Python's, as this binding."""
        whole = memory_of_all(memory)
        size = self.records[whole.kind].size if whole.kind in self.records else 0
        if whole.owned and int(whole) <= int(memory) < int(whole) + max(1, size):
            whole.point((int(memory), field), value)
        else:
            self._pointed[int(memory), field] = value

    # ---- memory of devices

    def device_array(self, found, type_, dtype, copied):
        """Memory of the current device as an array, which is never read on the host; or a copy in the host's memory. It is released when
        the device has done what uses it."""
        from hetjit import devices
        from hetjit.arrays import DeviceArray
        where = devices.current()
        if where == "cpu":
            raise DeviceError("memory of a device was returned, and the current device is the CPU: device.use(...) says which it is")
        found.memory.on(where)
        element = _core.element_of_dtype(dtype)
        made = DeviceArray.at(found.address, found.memory, found.shape, element.text, where, not type_.const)
        if not copied:
            return made
        host = made.copy_to_host()
        found.memory.delete()
        return host

    def device_address(self, array):
        """Where such an array lies, for a library; what was launched before on it is done."""
        from hetjit import devices
        devices.synchronize(array.device)
        return numpy.array([array.address, *array.shape], numpy.int64)


def _structs(classes, records):
    """What `types` says, by name in C++, checked."""
    plain = [name for name, record in records.items() if record.plain or record.laid]
    made = {}
    for cls, name in classes.items():
        if not isinstance(cls, type) or not hasattr(cls, "__hetjit_type__"):
            raise TypeError(f"bind(types=...): {cls!r} is no device.struct; it is {{Body: \"body\"}}")
        if name not in plain:
            there = f"there are {', '.join(plain)}" if plain else "they use none"
            raise ValueError(f"bind(types=...): no struct of numbers that these declarations use is called {name!r}; {there}")
        if name in made:
            raise ValueError(f"bind(types=...): {name} is given to {made[name].__name__} and to {cls.__name__}")
        made[name] = cls
    return made


def _alike(one, other):
    """Whether two dtypes have the same fields, in which the same numbers lie at the same places."""
    return one.names == other.names and one.itemsize == other.itemsize and _numbers(one, 0) == _numbers(other, 0)


def _numbers(dtype, offset):
    """What numbers lie where: (offset, dtype, how many). A vector, a tuple and an array of the same numbers are alike."""
    found = []
    for at, number, count in _parts(dtype, offset):
        before = found[-1] if found else (0, None, 0)
        if before[1] == number and before[0] + before[2] * number.itemsize == at:
            found[-1] = before[0], number, before[2] + count
        else:
            found.append((at, number, count))
    return found


def _parts(dtype, offset):
    if dtype.subdtype:
        inner, count = dtype.base, math.prod(dtype.shape)
        if inner.names is None:
            yield offset, inner, count
        else:
            for i in range(count):
                yield from _parts(inner, offset + i * inner.itemsize)
    elif dtype.names is None:
        yield offset, dtype, 1
    else:
        for name in dtype.names:
            yield from _parts(dtype.fields[name][0], offset + dtype.fields[name][1])


def _layout(dtype, other):
    """Where its fields lie; what they are, where two lie alike."""
    if not dtype.names:
        return f"{dtype}"
    places = [[(name, each.fields[name][1]) for name in each.names or ()] for each in (dtype, other)]
    kinds = {name: f" {dtype.fields[name][0]}" * (places[0] == places[1]) for name in dtype.names}
    return ", ".join(f"{name}{kinds[name]} at {at}" for name, at in places[0]) + f", {dtype.itemsize} bytes"


def raise_failure(function, text):
    """What a shim says went wrong, as an exception: a letter, and the text. `function`: how it begins, "area()"."""
    from hetjit.errors import LibraryError
    kinds = {"V": ValueError, "O": OverflowError, "M": MemoryError, "I": IndexError, "T": TypeError}
    name, separator, _ = text[1:].partition(": ")
    if text[0] in kinds:
        raise kinds[text[0]](f"{function}: {text[1:]}")
    error = LibraryError(f"{function}: {text[1:]}")
    error.type = name if separator else text[1:]
    raise error



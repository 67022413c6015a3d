"""A library that is bound: its shims, loaded, and what its types are in Python."""

import numpy

from hetjit import _core
from hetjit.errors import DeviceError



class Binding:
    """What functions of one library share. It lasts for as long as anything that they gave."""

    def __init__(self, declared, built, classes):
        self.records, self._built = declared.records, built
        self.release = built.address("hetjit_release")
        self._structs = _structs(classes, declared.records)  # name in C++: a device.struct
        self._dtypes, self.classes, self.bases = {}, {}, {}  # bases: by (class, base), what converts

    def address(self, symbol):
        """Where one of its shims lies."""
        return self._built.address(symbol)

    # ---- numbers and structs

    def dtype_of(self, type_):
        """NumPy's dtype of elements of a type."""
        if type_.kind != "struct":
            return numpy.dtype(type_.number)
        if type_.name not in self._dtypes:
            self._dtypes[type_.name] = self._struct_dtype(type_.name)
        return self._dtypes[type_.name]

    def _struct_dtype(self, name):
        record = self.records[name]
        formats = [(self.dtype_of(type_), extents) if extents else self.dtype_of(type_) for _, type_, _, extents in record.fields]
        plain = numpy.dtype({"names": [field[0] for field in record.fields], "formats": formats,
                             "offsets": [field[2] for field in record.fields], "itemsize": record.size})
        cls = self._structs.get(name)
        if cls is None:
            return plain
        from hetjit.device.layouts import numpy_dtype
        ours = numpy_dtype(cls)
        if not _alike(ours, plain):
            raise TypeError(f"bind(types=...): {cls.__name__} does not lie in memory as {name} does: {_layout(ours)}, and {name} is {_layout(plain)}")
        return ours

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
    plain = [name for name, record in records.items() if record.plain]
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
    """Whether two dtypes are the same bytes; their fields' names may differ in what they are, not in where."""
    if one.itemsize != other.itemsize or (one.names is None) != (other.names is None):
        return False
    if one.names is None:
        return one == other or one.subdtype is not None and one.itemsize == other.itemsize
    if one.names != other.names:
        return False
    return all(one.fields[name][1] == other.fields[name][1] and one.fields[name][0].itemsize == other.fields[name][0].itemsize
               for name in one.names)


def _layout(dtype):
    if not dtype.names:
        return f"{dtype}"
    return ", ".join(f"{name} at {dtype.fields[name][1]}" for name in dtype.names) + f", {dtype.itemsize} bytes"


def raise_failure(function, text):
    """What a shim says went wrong, as an exception: a letter, and the text."""
    from hetjit.errors import LibraryError
    kinds = {"V": ValueError, "O": OverflowError, "M": MemoryError, "I": IndexError, "T": TypeError}
    name, separator, _ = text[1:].partition(": ")
    if text[0] in kinds:
        raise kinds[text[0]](f"{function}(): {text[1:]}")
    error = LibraryError(f"{function}(): {text[1:]}")
    error.type = name if separator else text[1:]
    raise error



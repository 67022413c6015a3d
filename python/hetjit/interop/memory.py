"""Memory of a library in Python: who releases it, and arrays of it."""

import atexit
import contextlib
import functools
import weakref

from hetjit import _core
from hetjit.errors import ReleasedError

_owned = weakref.WeakSet()  # what is to be released when the interpreter ends


class Memory(_core.Memory):
    """Memory of a library. `int(memory)` is where it lies; `delete()` releases it now, where it is the caller's, and else the last
    object that uses it does. It can be passed wherever the library takes such a pointer."""

    __slots__ = ("__weakref__", "_device", "_kept", "_calls", "_pointed")

    def __repr__(self):
        where = "released" if self.released else f"at {int(self):#x}"
        return f"<Memory: {self.kind or 'void'} {where}{', the caller’s' if self.owned else ''}>"

    def on(self, device):
        """Says that it is memory of a device, which has to be done with it before it is released."""
        self._device = device

    def keep(self, objects):
        """Says that it may lie in them, which therefore last as long."""
        self._kept = objects

    def point(self, field, value):
        """Says that a field of this object points to it, which therefore lasts as long."""
        pointed = getattr(self, "_pointed", None) or {}
        self._pointed = {**pointed, field: value}

    def delete(self):
        if getattr(self, "_calls", 0):
            raise BufferError("this memory is in use by a call of the library: release it when that has returned")
        device = getattr(self, "_device", None)
        if device is not None and self.owned:
            from hetjit import devices
            devices.synchronize(device)
        super().delete()

    def __del__(self):
        if getattr(self, "_device", None) is not None:
            self.delete()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.delete()


class Lender:
    """What a call was given. Results that nobody owns may lie in it: their memory keeps it, and ends with what it is known to be a part of."""

    def __init__(self, itself, prepared):
        self._itself = itself  # the object of a method, or nothing
        self.given = tuple(each for each in (*itself, *prepared) if not isinstance(each, (int, tuple, type(None))))

    def of(self, address, otherwise):
        """The Memory that what lies there is a part of; `otherwise` where nobody knows. A method's is a part of its object."""
        for each in self.given:
            found = memory_of(each)
            if found is not None and not found.released and int(found) <= address < int(found) + max(1, found.size):
                return found
        if self._itself:
            return self._itself[0]
        return otherwise

    @contextlib.contextmanager
    def busy(self):
        """While it lasts, nothing that the call was given can be released."""
        held = [memory_of_all(found) for each in self.given if (found := memory_of(each)) is not None]
        for each in held:
            each._calls = getattr(each, "_calls", 0) + 1
        try:
            yield
        finally:
            for each in held:
                each._calls -= 1


def own(address, size, readonly, kind, owner, idtor, release, source):
    """A Memory; one that is the caller's ends with the interpreter at the latest."""
    made = Memory(address, size, readonly, kind, owner, idtor, release, source)
    if idtor:
        _owned.add(made)
    return made


def part(whole, address, kind):
    """What lies at an address in a Memory, of whose size nobody says more."""
    return Memory(address, 0, whole.readonly, kind, address, 0, 0, whole)


def holding(array, objects):
    """The same array, which keeps objects."""
    made = array.view(_holding_class())
    made.held = tuple(objects)
    return made


@functools.cache
def _holding_class():
    import numpy
    return type("HoldingArray", (numpy.ndarray,), {"held": ()})


@atexit.register
def _release_all():
    for each in list(_owned):
        each.delete()


def memory_of(array):
    """The Memory behind an array, or None."""
    import numpy
    while isinstance(array, (numpy.ndarray, memoryview)):
        array = array.base if isinstance(array, numpy.ndarray) else array.obj
    return array if isinstance(array, Memory) else None


_view_class = None  # LibraryArray, once NumPy is there


def view(memory, dtype, shape):
    """An array of a library's memory. Whether it has been released is asked where it can be."""
    import numpy
    cls = _library_array() if memory_of_all(memory).owned else numpy.ndarray
    made = numpy.ndarray.__new__(cls, shape, dtype, buffer=memory)
    made.flags.writeable = not memory.readonly
    return made


def memory_of_all(part):
    """The Memory that this one is a part of, or itself."""
    while isinstance(part.source, Memory):
        part = part.source
    return part


def _library_array():
    """The class of arrays whose memory can be released before they end, made when NumPy is there."""
    global _view_class
    if _view_class is None:
        import numpy
        _view_class = type("LibraryArray", (numpy.ndarray,), _methods(numpy.ndarray))
        _view_class.__doc__ = "An array of a library's memory. `array.base` is the Memory, or an array whose base it is."
    return _view_class


def check(*arrays):
    """Raises ReleasedError where the memory of one of them has been released."""
    for each in arrays:
        memory = memory_of(each)
        if memory is not None and memory.released:
            raise ReleasedError("this array's memory has been released")


# What reads or writes elements without being a function of NumPy's.
_GUARDED = ("__getitem__ __setitem__ __iter__ __contains__ __int__ __float__ __complex__ __bool__ __index__ __copy__ __deepcopy__ "
            "__array__ __dlpack__ tolist item copy tobytes tofile astype fill sort flatten sum prod min max mean std var any all "
            "cumsum cumprod argmin argmax argsort put take byteswap nonzero round clip dot trace repeat choose compress searchsorted partition "
            "argpartition conj conjugate diagonal").split()


def _methods(ndarray):
    made = {name: _guarded(getattr(ndarray, name)) for name in _GUARDED if hasattr(ndarray, name)}
    made.update(__array_ufunc__=_ufunc, __array_function__=_function, __reduce_ex__=_reduced, __repr__=_as_text(repr), __str__=_as_text(str), __module__=__name__)
    return made


def _guarded(method):
    @functools.wraps(method)
    def checked(self, *args, **keywords):
        check(self)
        return method(self, *args, **keywords)
    return checked


def _ufunc(self, ufunc, method, *inputs, **keywords):
    """On plain arrays, so that what comes out is one."""
    out = keywords.get("out", ())
    check(*inputs, *out)
    if out:
        keywords["out"] = tuple(_plain(each) for each in out)
    made = getattr(ufunc, method)(*map(_plain, inputs), **keywords)
    return made if not out else out[0] if len(out) == 1 else out


def _function(self, function, types, arguments, keywords):
    check(self, *arguments)
    return super(_view_class, self).__array_function__(function, types, arguments, keywords)


def _reduced(self, protocol):
    """In a pickle it is an array of its own."""
    check(self)
    return _plain(self).__reduce_ex__(protocol)


def _as_text(how):
    def text(self):
        memory = memory_of(self)
        return f"<array of released memory, {self.shape}>" if memory is not None and memory.released else how(_plain(self))
    return text


def _plain(array):
    import numpy
    return array.view(numpy.ndarray) if isinstance(array, _view_class) else array


def _window(memory, size):
    if not isinstance(memory, Memory):
        raise TypeError(f"memory of a library is a Memory, not {type(memory).__name__}")
    if getattr(memory, "_device", None) is not None:
        raise TypeError(f"the host cannot read memory of {memory._device}")
    if memory.size and size > memory.size:
        raise ValueError(f"the memory has {memory.size} bytes, and {size} are asked for")
    return Memory(int(memory), size, memory.readonly, memory.kind, int(memory), 0, 0, memory)


def as_array(memory, shape, dtype):
    """An array of a library's memory, for whose shape and dtype the user answers: what `+deref(raw)` leaves to the program."""
    import math

    import numpy
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    dtype = numpy.dtype(getattr(dtype, "name", dtype) if isinstance(dtype, _core.DType) else dtype)
    if dtype.hasobject:
        raise TypeError("memory of a library holds no objects of Python's")
    if any(extent < 0 for extent in shape):
        raise ValueError(f"no array has the shape {shape}")
    return view(_window(memory, math.prod(shape) * dtype.itemsize), dtype, shape)


def as_bytes(memory, size):
    """A copy of so many bytes of a library's memory."""
    if size < 0:
        raise ValueError(f"there are no {size} bytes")
    return bytes(memoryview(_window(memory, size)))

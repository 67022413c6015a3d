"""Arrays in a device's memory, so that a GPU can be used without CuPy or PyTorch, and every device without NumPy."""

import math
import operator
import sys

from hetjit import _core, indexing, lenders
from hetjit.errors import DeviceError


class DeviceArray(_core.DeviceArray):
    """An array in memory of a device, or a view of one. Made by device.array(), asarray(), empty(), zeros(), ones() and full().

    shape, strides (in elements), format (name of the element type), nbytes, address, device. `x[1:, 0]` is a view, `x[2, 3]` a number,
    `x[...] = 0` stores. Others read it in place: DLPack, the CUDA Array Interface, and on the CPU the buffer protocol, by
    which numpy.asarray(x) shares its memory.
    """

    __slots__ = ("__weakref__", "_dtype")

    ndim = property(lambda self: len(self.shape), doc="How many axes it has.")

    def __eq__(self, other):
        if other is self:
            return True
        if isinstance(other, DeviceArray):
            raise TypeError("arrays of devices are not compared: launch a kernel, or compare copies, (a.copy_to_host() == b.copy_to_host()).all()")
        if isinstance(other, (int, float, complex, list, tuple)):
            raise TypeError("elements of an array of a device are not compared: launch a kernel, or compare a copy: a.copy_to_host() == x, a.tolist() == […]")
        return NotImplemented  # the other one may know better: a NumPy array does

    __hash__, __jax_array__ = _core.DeviceArray.__hash__, lenders.jax_array

    def __bool__(self):
        raise TypeError("whether an array is true is not asked for: test len(x), x is None, or an element")

    @property
    def size(self):
        """How many elements it has."""
        return math.prod(self.shape)

    @property
    def dtype(self):
        """The elements' type: device.float32; where they have parts what the array was made of, a struct, a vector or a NumPy dtype."""
        return getattr(self, "_dtype", None) or _number_format(self.format) or _core.Type(self.format)

    @property
    def device_id(self):
        """The number of its device: 1 of "cuda:1"."""
        return self.place[1]

    @property
    def T(self):
        """A view with its axes in reverse order."""
        return self._view(0, self.shape[::-1], self.strides[::-1])

    def reshape(self, *shape):
        """A view with another shape and as many elements in the same order; one extent may be -1. Raises ValueError where they do not fit, or
        do not lie in C order."""
        shape = indexing.shape_that_holds(self.size, _extents(shape if len(shape) != 1 else shape[0]))
        if not self.contiguous:
            raise ValueError("elements that do not lie in C order have no other shape: x.copy().reshape(...)")
        return self._view(0, shape, indexing.steps_in_order(shape))

    def copy(self):
        """An array with the same elements on the same device, in C order."""
        return array(self, self.device)

    def __getattr__(self, name):
        about = "" if name.startswith("_") else ": kernels work with its elements, and x.copy_to_host() is a NumPy array of them"
        raise AttributeError(f"'DeviceArray' object has no attribute '{name}'{about}", name=name, obj=self)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __getitem__(self, key):
        found, is_element = self._part(key)
        return found.tolist() if is_element else found

    def __setitem__(self, key, value):
        self._part(key)[0].copy_from(value)

    def _number(self):
        if self.size != 1:
            raise TypeError(f"an array of shape {self.shape} is no number: x[i] is one of its elements")
        return self.part(0, (), ()).tolist()

    def __int__(self):
        return int(self._number())

    def __float__(self):
        return float(self._number())

    def __complex__(self):
        return complex(self._number())

    def __iter__(self):
        return iter(self.tolist()) if self.ndim == 1 else (self[i] for i in range(len(self)))

    def _part(self, key):
        offset, shape, strides, is_element = indexing.place(self.shape, self.strides, key)
        return self._view(offset, shape, strides), is_element

    def _view(self, offset, shape, strides):
        return _kept(self.part(offset, shape, strides), getattr(self, "_dtype", None))

    def copy_from(self, source):
        """Takes the elements of an array, on whatever device, or of nested lists, repeated along axes as NumPy repeats them; or all become one
        value. Waits for the launches that use this array. Raises ValueError for a shape that cannot become this one, TypeError and
        OverflowError for what its elements cannot be."""
        source = list(source) if isinstance(source, range) else source
        found = source if isinstance(source, DeviceArray) else _over(source)
        if found is None:
            if not _is_list(source, self.dtype):
                return self.fill(source)
            shape = _shape_of_lists(source, self.dtype)
            if shape == self.shape or not indexing.becomes(shape, self.shape):
                return self.read_list(source)
            found = array(source, "cpu", self.dtype)
        if not found.shape and self.shape:
            return self.fill(found.tolist())
        if found.shape != self.shape:
            found = found._repeated(self.shape)
        if found.format != self.format:
            return self.read_list(found.tolist())
        # What may be the same memory is set aside.
        return self.copy_in(found if _is_lent(found) and not _is_on_host(self) else _bytes(found))

    def _repeated(self, shape):
        """A view of that shape: axes of one element, and those that are not there, step nowhere."""
        if not indexing.becomes(self.shape, shape):
            raise ValueError(f"an array of shape {self.shape} cannot be copied to one of shape {shape}")
        strides = (0 if one == 1 else stride for one, stride in zip(self.shape, self.strides))
        return self._view(0, shape, (0,) * (len(shape) - self.ndim) + tuple(strides))

    def copy_to(self, target):
        """Gives its elements to another array of the same shape, of this library or of the host. Waits for the launches that use them."""
        if isinstance(target, DeviceArray):
            return target.copy_from(self)
        found = _over(target, shares=True)
        if found is None:
            raise TypeError(f"copy_to() takes a DeviceArray or a buffer of the host, not {type(target).__name__}")
        found.copy_from(self)

    def copy_to_host(self):
        """A NumPy array with the same elements. Waits for the launches that use this one, and for the default stream."""
        import numpy
        from hetjit.device.layouts import numpy_dtype
        found = numpy.empty(self.shape, numpy_dtype(self.dtype))
        self.copy_out(found.view(numpy.uint8) if found.ndim else found.reshape(1).view(numpy.uint8))
        return found

    def __array__(self, dtype=None, copy=None):
        """For NumPy, where the buffer protocol does not tell: formats that NumPy does not have itself, memory of a GPU."""
        shares = _is_on_host(self) and self.contiguous and self.size and not copy
        if copy is False and not shares:
            raise ValueError(f"NumPy cannot share this array's memory, of {self.device}: device.to_numpy(x) makes a copy")
        if not shares:
            found = self.copy_to_host()
        else:
            import numpy
            from hetjit.device.layouts import numpy_dtype
            data = numpy.asarray(DeviceArray.over(self, (self.nbytes,), "uint8"))
            found = data.view(numpy_dtype(self.dtype)).reshape(self.shape)
        return found if dtype is None else found.astype(dtype, copy=False)

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None and tuple(dl_device) != self.place:
            raise BufferError(f"the array lies in memory of {self.device}: device.array(x, device) copies it to another")
        if copy:
            return array(self, self.device).__dlpack__(stream=stream, max_version=max_version)
        if stream != -1:
            self.order(0 if stream in (None, 1) else stream)  # 1 is CUDA's default stream
        return self.lend(max_version is not None and max_version[0] >= 1)

    @property
    def __cuda_array_interface__(self):
        if not self.device.startswith("cuda"):
            raise AttributeError(f"memory of {self.device} is not CUDA's")
        self.order(0)
        step = self.nbytes // (self.size or 1)
        return {"shape": self.shape, "typestr": _typestr(self.dtype), "data": (self.address if self.size else 0, not self.writable), "version": 3,
                "strides": None if self.contiguous else tuple(stride * step for stride in self.strides),
                "stream": 1}  # CUDA's default stream, which comes after those that use it

    def __reduce_ex__(self, protocol, /):
        """By its elements, which go out of band where the protocol can, and its device."""
        data = _bytes(self)
        if protocol >= 5:
            import pickle
            data = pickle.PickleBuffer(data)
        return _unpickled, (self.shape, self.format, getattr(self, "_dtype", None), self.device, data)

    def __repr__(self):
        return f"DeviceArray({self.shape}, {self.format}, {self.device!r})"


def array(source=..., device=None, dtype=None):
    """A copy of a host array, a buffer, a DeviceArray, a number or nested lists in the memory of a device ("cuda:0"; default:
    device.current()), in C order. dtype: as empty() takes it, by default that of the source; of lists bool, int64, float64 or complex128.
    Raises TypeError for other elements, OverflowError for numbers that do not fit, ValueError for ragged lists, DeviceError where there is
    no such device."""
    if source is ...:
        raise TypeError('array() copies its first argument, as in device.array(x, "cuda:0"); the type of an array parameter is x: device.float32[:]')
    found = source if isinstance(source, DeviceArray) else _over(source, dtype=dtype)
    if found is not None and (dtype is None or _element(dtype)[0] == found.format):
        made = _kept(DeviceArray(found.shape, _core.Type(found.format).text, _device_name(device)), getattr(found, "_dtype", None))
        made.copy_in(found if _is_lent(found) else _bytes(found))
        return made
    lists = source if found is None else found.tolist()
    lists = list(lists) if isinstance(lists, range) else lists
    dtype = _type_of_lists(lists) if dtype is None else dtype
    made = empty(_shape_of_lists(lists, dtype), dtype, device)
    made.read_list(lists)
    return made


def asarray(source, device=None, dtype=None):
    """The source as a DeviceArray, without a copy where there need not be one: a DeviceArray is given back, and an array or buffer of the
    host is shared, with its strides. device: where it is to be, by default where it is. Raises as array() does, and BufferError where
    elements do not lie whole elements apart."""
    found = source if isinstance(source, DeviceArray) else _over(source, shares=True, dtype=dtype)
    here = found.device if found is not None else "cpu"
    if found is None or dtype is not None and _element(dtype)[0] != found.format or device not in (None, here):
        return array(source, device or here, dtype)
    return found


def empty(shape, dtype, device=None):
    """An array on a device whose elements are not set. shape: an int or a tuple; dtype: device.float32, "float32", a struct, a NumPy
    dtype. Raises TypeError for what no element can be, DeviceError where there is no such device."""
    if isinstance(dtype, (int, tuple)) and not isinstance(dtype, bool) and isinstance(shape, (type, str, _core.DType)):
        raise TypeError("the shape comes first, then the type: device.zeros(8, device.float32)")
    text, kept = _element(dtype)
    return _kept(DeviceArray(_extents(shape), text, _device_name(device)), kept)


def zeros(shape, dtype, device=None):
    """An array of zeros on a device, as empty() makes one; elements with parts have zero bytes."""
    made = empty(shape, dtype, device)
    made.clear()
    return made


def ones(shape, dtype, device=None):
    """An array of ones on a device, as empty() makes one."""
    made = empty(shape, dtype, device)
    made.fill(True if made.format == "bool" else 1)
    return made


def full(shape, value, dtype=None, device=None):
    """An array on a device whose elements are all `value`, as empty() makes one; a list or an array is repeated as NumPy repeats it. dtype: by
    default as array() would have it."""
    found = value if isinstance(value, DeviceArray) else _over(value)
    of = dtype if dtype is not None else found.dtype if found is not None else _type_of_lists(value)
    made = empty(shape, of, device)
    if found is None and not isinstance(value, list):
        made.fill(value)
    else:
        made.copy_from(value)
    return made


def to_numpy(source):
    """The array as a NumPy array: a copy of a DeviceArray, anything else as numpy.asarray gives it."""
    if isinstance(source, DeviceArray):
        return source.copy_to_host()
    import numpy
    return numpy.asarray(source)


# ---- elements

_MOST_AXES = 8  # abi/type.h: kMaxRank
_TOO_DEEP = f"an array has at most {_MOST_AXES} axes, and these lists are nested more deeply"
_BUILTIN = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_LETTERS = {"?": "bool", **dict.fromkeys("bhilqn", "int"), **dict.fromkeys("BHILQN", "uint"), **dict.fromkeys("efd", "float"), "Zf": "complex", "Zd": "complex"}


def _number_format(name):
    from hetjit.device import types
    return next((of for of in types.FORMATS if of.name == name), None)


def _element(dtype):
    """(the type's text, an array's dtype where that says more than a number format)"""
    if isinstance(dtype, _core.DType):
        return dtype.name, None
    if isinstance(dtype, type) and dtype in _BUILTIN:
        return _BUILTIN[dtype], None
    numpy = sys.modules.get("numpy")
    if numpy and (isinstance(dtype, numpy.dtype) or isinstance(dtype, type) and issubclass(dtype, numpy.generic)):
        dtype = numpy.dtype(dtype)
        text = _format_of(dtype)
    else:
        text = _core.DType(_spelled_out(dtype)).name if isinstance(dtype, str) else _core.Type(dtype).text
    if text.startswith("weak "):
        raise TypeError(f"no element of an array is {dtype!r}, whose numbers have no size: tuple[device.int32, device.float32] says which")
    kind = _core.Type(text).kind
    if kind in ("none", "array"):
        raise TypeError(f"no element of an array is {dtype!r}: dtype= is a number format, device.float32, a vector, a tuple or a struct")
    says_more = kind != "scalar" or getattr(dtype, "metadata", None)
    return text, dtype if says_more else None


def _spelled_out(name):
    """The name of a number format: float32 of NumPy's "f4" and "<f4"."""
    code = name.removeprefix("<").removeprefix("|")
    if code in ("?", "b1"):
        return "bool"
    kind = {"i": "int", "u": "uint", "f": "float", "c": "complex"}.get(code[:1])
    return f"{kind}{8 * int(code[1:])}" if kind and code[1:] in ("1", "2", "4", "8", "16") else name


def _kept(made, dtype):
    if dtype is not None:
        made._dtype = dtype
    return made


def _typestr(dtype):
    """Of NumPy's array interface."""
    if isinstance(dtype, _core.DType) and not dtype._ml_dtypes_name:
        letter = "u" if dtype.kind == "integer" and not dtype.signed else dtype.kind[0]
        return f"{'|' if dtype.itemsize == 1 else '<'}{letter}{dtype.itemsize}"
    from hetjit.device.layouts import numpy_dtype
    return numpy_dtype(dtype).str


def _format_of(dtype):
    if not dtype.isnative:
        raise TypeError(f"elements of dtype {dtype} are in another machine's order of bytes: make the array from "
                        "a.astype(a.dtype.newbyteorder('='))")
    element = _core.element_of_dtype(dtype)
    if element is None:
        from hetjit.device.layouts import why_unreadable
        raise TypeError(f"device code has no type for elements of dtype {dtype}: {why_unreadable(dtype)}")
    return element.text


# ---- sources

def _device_name(device):
    if device is None:
        from hetjit.devices import current
        return current()
    if not isinstance(device, str):
        number = device if isinstance(device, int) else 0
        raise TypeError(f'a device is named by a text, "cpu", "cuda:{number}" or "hip:{number}", not {type(device).__name__}{": a type of elements is dtype=" * isinstance(device, (type, _core.DType))}')
    return device


def _extents(shape):
    try:
        return (operator.index(shape),) if hasattr(shape, "__index__") else tuple(map(operator.index, shape))
    except TypeError:
        raise TypeError(f"a shape is an int or a tuple of ints, not {shape!r}: '//' divides to an int") from None


def _is_on_host(made):
    return made.place[0] in (1, 3, 11)  # DLPack's numbers of memory that the host can read


def _is_lent(made):
    """Whether its bytes can be read where they are."""
    return made.contiguous and _is_on_host(made)


def _bytes(made):
    data = bytearray(made.nbytes)
    made.copy_out(data)
    return data


def _over(source, *, shares=False, dtype=None):
    """A host array or buffer as a DeviceArray that shares its memory; where it is not in C order and need not share, a copy; None: it is
    neither."""
    if any(hasattr(source, name) for name in ("__array__", "__array_interface__", "__dlpack__", "__cuda_array_interface__")):
        return _over_numpy(source, shares, dtype)
    try:
        view = memoryview(source)
    except TypeError:
        return None
    letters = view.format.lstrip("@=<")
    name = _LETTERS.get(letters)
    if name is None:
        raise TypeError(f"device code has no type for the elements of a buffer of format '{view.format}'")
    if shares and not view.c_contiguous:
        return _over_numpy(view, shares, dtype)
    return DeviceArray.over(view if view.c_contiguous else view.tobytes(), view.shape, name if name == "bool" else f"{name}{8 * view.itemsize}")


def _converted(found, dtype):
    """As NumPy converts it, where every number stays what it is but for rounding; else as it was: its lists say what does not fit."""
    import numpy
    is_whole = dtype.kind in "iu" and found.dtype.kind in "iuf"
    if not is_whole and not numpy.can_cast(found.dtype, dtype, "same_kind"):
        return found
    with numpy.errstate(all="ignore"):
        made = found.astype(dtype, copy=False)
    if made.dtype.kind in "iub":
        kept = made == found
    elif made.dtype.itemsize == 1:  # infinities become the largest number, and what is too large is refused: NumPy's way is another
        import ml_dtypes
        kept = (abs(found) <= float(ml_dtypes.finfo(dtype).max)) | numpy.isnan(found)
    else:
        kept = numpy.isfinite(made) == numpy.isfinite(found)
    return made if numpy.all(kept) else found


def _over_numpy(source, shares, dtype):
    import numpy
    from hetjit.device.layouts import numpy_dtype
    if isinstance(source, numpy.ma.MaskedArray):
        raise TypeError(lenders.MASKED)
    # numpy.asarray() asks no subclass of its own: a library's array says here that its memory has been released.
    found = numpy.asarray(source.__array__() if isinstance(source, numpy.ndarray) else source)
    if dtype is not None:
        found = _converted(found, numpy_dtype(_core.Type(_element(dtype)[0])))
    text, kept = _element(found.dtype)
    if shares and not found.flags.c_contiguous:
        return _kept(_over_strided(found, text), kept)
    found = found if found.flags.c_contiguous else found.copy()
    return _kept(DeviceArray.over(found.reshape(-1).view(numpy.uint8), found.shape, text), kept)


def _over_strided(source, text):
    """A NumPy array as a part of what lies between its first and its last byte."""
    import numpy
    size = source.itemsize
    if any(stride % size for stride in source.strides):
        raise BufferError(f"elements of {size} bytes that lie {source.strides} bytes apart are no array for device code: device.array(x) copies them")
    strides = tuple(stride // size for stride in source.strides)
    spans = [stride * (extent - 1) for stride, extent in zip(strides, source.shape)]
    first = source[tuple(slice(-1, None) if span < 0 else slice(1) for span in spans)].reshape(-1).view(numpy.uint8)
    length = sum(map(abs, spans)) + 1
    memory = numpy.lib.stride_tricks.as_strided(first, (length * size,), (1,), writeable=source.flags.writeable)
    return DeviceArray.over(memory, (length,), text).part(-sum(span for span in spans if span < 0), source.shape, strides)


def _is_list(source, dtype):
    """Whether it is a list of elements, and not one with parts."""
    return isinstance(source, list) or isinstance(source, tuple) and _core.Type(_element(dtype)[0]).kind == "scalar"


def _shape_of_lists(source, dtype):
    shape = ()
    while _is_list(source, dtype):
        shape += (len(source),)
        source = source[0] if len(source) else None
        if len(shape) > _MOST_AXES:
            raise ValueError(_TOO_DEEP)
    return shape


def _types_in_lists(source):
    """The types of what is in nested lists, without the lists."""
    found, level = {}, [source]
    for _ in range(_MOST_AXES + 1):
        of = dict.fromkeys(map(type, level))
        lists = tuple(one for one in of if issubclass(one, (list, tuple)) and getattr(one, "__hetjit_type__", None) is None)
        found |= dict.fromkeys(one for one in of if one not in lists)
        if not lists:
            return list(found)
        level = [each for one in level if type(one) in lists for each in one]
    raise ValueError(_TOO_DEEP)


def _type_of_lists(source):
    """The number format that holds what is in nested lists, or the type of the structs or vectors in them."""
    types, order = _types_in_lists(source), list(_BUILTIN)
    numpy = sys.modules.get("numpy")
    wholes = [one for one in types if getattr(one, "__hetjit_type__", None) is not None]
    numpys = [one for one in types if numpy and issubclass(one, numpy.generic) and one not in wholes]
    for one in types:
        if one not in (*wholes, *numpys, *order):
            raise TypeError(f"an array is made of numbers, not of {one.__name__}: dtype= says what other elements are to be")
    if numpys and not wholes:
        return numpy.asarray(source).dtype  # as NumPy has it
    if numpys:
        raise TypeError(f"elements of an array have one type, and these are {wholes[0].__name__} and numbers of NumPy's")
    if len(wholes) > 1 or wholes and len(types) > 1:
        raise TypeError(f"elements of an array have one type, and these are {' and '.join(one.__name__ for one in list(dict.fromkeys(wholes + types))[:2])}")
    return wholes[0] if wholes else max(types, key=order.index, default=float)


def _unpickled(shape, format, dtype, device, data):
    try:
        made = DeviceArray(shape, format, device)
    except DeviceError as error:
        raise DeviceError(f"a pickled DeviceArray comes back to the device that it was on, {device}: {error}; send device.to_numpy(x), "
                          "and make an array of it where it arrives") from error
    made.copy_in(data)
    return _kept(made, dtype)

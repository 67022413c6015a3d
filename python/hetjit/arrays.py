"""Arrays in a device's memory, so that a GPU can be used without CuPy or PyTorch."""

from hetjit import _core
from hetjit.errors import DeviceError


class DeviceArray(_core.DeviceArray):
    """A C-order array that owns memory of a device. Made by device.array() and device.zeros().

    shape, format (name of the element type), nbytes, address, device. CuPy, PyTorch and Numba read it through the CUDA
    Array Interface.
    """

    __slots__ = ("__weakref__", "_dtype")

    ndim = property(lambda self: len(self.shape), doc="How many axes it has.")

    @property
    def size(self):
        """How many elements it has."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def dtype(self):
        """The elements' NumPy dtype: that of the array it was made from, if it was made from one."""
        from hetjit.device.layouts import numpy_dtype
        return getattr(self, "_dtype", None) or numpy_dtype(_core.Type(self.format))

    @property
    def device_id(self):
        """The number of its device: 1 of "cuda:1"."""
        return self.place[1]

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def copy_to_host(self):
        """A NumPy array with the same elements. Waits for the launches that use this one, and for the default stream."""
        import numpy
        found = numpy.empty(self.shape, self.dtype)
        self.copy_out(found.view(numpy.uint8) if found.ndim else found.reshape(1).view(numpy.uint8))
        return found

    @property
    def __cuda_array_interface__(self):
        if not self.device.startswith("cuda"):
            raise AttributeError(f"memory of {self.device} is not CUDA's")
        self.order()
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address if self.size else 0, False),
                "version": 3, "strides": None, "stream": 1}  # CUDA's default stream, which comes after those that use it

    def __reduce_ex__(self, protocol, /):
        """By its elements, which go out of band where the protocol can, and its device."""
        data = bytearray(self.nbytes)
        self.copy_out(data)
        if protocol >= 5:
            import pickle
            data = pickle.PickleBuffer(data)
        return _unpickled, (self.shape, self.format, getattr(self, "_dtype", None), self.device, data)

    def __repr__(self):
        return f"DeviceArray({self.shape}, {self.format}, {self.device!r})"


def _unpickled(shape, format, dtype, device, data):
    try:
        made = DeviceArray(shape, format, device)
    except DeviceError as error:
        raise DeviceError(f"a pickled DeviceArray comes back to the device that it was on, {device}: {error}; send device.to_numpy(x), "
                          "and make an array of it where it arrives") from error
    if dtype is not None:
        made._dtype = dtype
    made.copy_in(data)
    return made


def _device_name(device):
    if device is None:
        from hetjit.devices import current
        return current()
    return device


def array(source, device=None):
    """A copy of a host array on a device ("cuda:0"; default: device.current()): a DeviceArray, on "cpu" a NumPy array. Any shape, elements
    of any type that device code has, in C order. Raises TypeError for other elements, DeviceError where there is no such device."""
    import numpy
    source = numpy.ascontiguousarray(source) if numpy.ndim(source) else numpy.asarray(source)
    device = _device_name(device)
    if device == "cpu":
        return source.copy()
    made = DeviceArray(source.shape, _format_of(source.dtype), device)
    made._dtype = source.dtype
    made.copy_in(source.reshape(-1).view(numpy.uint8))
    return made


def zeros(shape, dtype, device=None):
    """An array of zeros on a device, as array() makes one. shape: an int or a tuple; dtype: device.float32, a struct, a NumPy dtype."""
    import numpy
    from hetjit.device.layouts import numpy_dtype
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return array(numpy.zeros(shape, numpy.dtype(dtype) if dtype in (bool, int, float, complex) else numpy_dtype(dtype)), device)


def to_numpy(source):
    """The array as a NumPy array: a copy of a DeviceArray, anything else as numpy.asarray gives it."""
    if isinstance(source, DeviceArray):
        return source.copy_to_host()
    import numpy
    return numpy.asarray(source)


def _format_of(dtype):
    if not dtype.isnative:
        raise TypeError(f"elements of dtype {dtype} are in another machine's order of bytes: make the array from "
                        "a.astype(a.dtype.newbyteorder('='))")
    element = _core.element_of_dtype(dtype)
    if element is None:
        from hetjit.device.layouts import why_unreadable
        raise TypeError(f"device code has no type for elements of dtype {dtype}: {why_unreadable(dtype)}")
    return element.text

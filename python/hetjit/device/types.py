"""Number formats by name. In device code `device.float32(x)` converts; as an annotation (`n: device.int64`) it fixes a
parameter's type; on the host it makes a NumPy scalar (ml_dtypes for the formats NumPy lacks), importing it then."""

from hetjit import _core

__all__ = ["DType", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8e4m3",
           "float8e5m2", "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "readonly"]

_ML_DTYPES = {"bfloat16": "bfloat16", "float8e4m3": "float8_e4m3fn", "float8e5m2": "float8_e5m2"}


def scalar_type(name):
    """The NumPy or ml_dtypes type of scalars of that format."""
    if name in _ML_DTYPES:
        import ml_dtypes
        return getattr(ml_dtypes, _ML_DTYPES[name])
    import numpy
    return getattr(numpy, "bool_" if name == "bool" else name)


class DType(_core.DType):
    """A number format: name, itemsize (bytes), kind ("bool", "integer", "floating", "complex"), signed."""

    __slots__ = ()

    def __call__(self, value=0):
        return scalar_type(self.name)(value)

    def __repr__(self):
        return f"device.{_attribute(self.name)}"

    def __reduce__(self):
        return DType, (self.name,)

    def __eq__(self, other):
        return self.name == other.name if isinstance(other, DType) else NotImplemented

    def __hash__(self):
        return hash(self.name)

    def __getitem__(self, axes):
        """The type of arrays: `float32[:, :]`, `float32[:, ::1]` in C order, `float32[()]` without axes."""
        return array_type(self, axes)


def _attribute(name):
    return "bool_" if name == "bool" else name


class _ReadOnly:
    """`x: device.readonly`: the kernel only reads that array, so that one of a producer that forbids writing may be passed; a
    store to it is an error."""

    __slots__ = ()
    _hetjit_read_only = True

    def __repr__(self):
        return "device.readonly"

    def __reduce__(self):
        return "readonly"


readonly = _ReadOnly()


def array_type(element, axes):
    """The type of arrays with such elements; each axis is a `:`, the last one `::1` where they lie in C order."""
    axes = axes if isinstance(axes, tuple) else (axes,)
    contiguous = bool(axes) and axes[-1] == slice(None, None, 1)
    if any(axis != slice(None) for axis in (axes[:-1] if contiguous else axes)):
        raise TypeError(f"an array's type is written with colons, as float32[:, :] or float32[:, ::1], not {axes!r}")
    return _core.array_type(_core.Type(element), len(axes), contiguous)


bool_ = DType("bool")
int8, int16, int32, int64 = map(DType, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(DType, ("uint8", "uint16", "uint32", "uint64"))
float8e4m3, float8e5m2, float16, bfloat16 = map(DType, ("float8e4m3", "float8e5m2", "float16", "bfloat16"))
float32, float64, complex64, complex128 = map(DType, ("float32", "float64", "complex64", "complex128"))

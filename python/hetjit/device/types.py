"""Number formats by name. In device code `device.float32(x)` converts; as an annotation (`n: device.int64`) it fixes a
parameter's type; on the host it makes a NumPy scalar (ml_dtypes for the formats NumPy lacks), importing it then."""

from hetjit import _core

__all__ = ["DType", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8e4m3",
           "float8e5m2", "float16", "bfloat16", "float32", "float64", "complex64", "complex128", "numpy_dtype"]

_ML_DTYPES = {"bfloat16": "bfloat16", "float8e4m3": "float8_e4m3fn", "float8e5m2": "float8_e5m2"}


def _scalar_type(name):
    if name in _ML_DTYPES:
        import ml_dtypes
        return getattr(ml_dtypes, _ML_DTYPES[name])
    import numpy
    return getattr(numpy, "bool_" if name == "bool" else name)


class DType(_core.DType):
    """A number format: name, itemsize (bytes), kind ("bool", "integer", "floating", "complex"), signed."""

    __slots__ = ()

    def __call__(self, value=0):
        return _scalar_type(self.name)(value)

    def __repr__(self):
        return f"device.{_attribute(self.name)}"

    def __reduce__(self):
        return DType, (self.name,)

    def __eq__(self, other):
        return self.name == other.name if isinstance(other, DType) else NotImplemented

    def __hash__(self):
        return hash(self.name)


def _attribute(name):
    return "bool_" if name == "bool" else name


def numpy_dtype(dtype):
    """The NumPy dtype of arrays with elements of that format: `numpy.zeros(n, device.numpy_dtype(device.bfloat16))`."""
    import numpy
    return numpy.dtype(_scalar_type(dtype.name) if isinstance(dtype, DType) else dtype)


bool_ = DType("bool")
int8, int16, int32, int64 = map(DType, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(DType, ("uint8", "uint16", "uint32", "uint64"))
float8e4m3, float8e5m2, float16, bfloat16 = map(DType, ("float8e4m3", "float8e5m2", "float16", "bfloat16"))
float32, float64, complex64, complex128 = map(DType, ("float32", "float64", "complex64", "complex128"))

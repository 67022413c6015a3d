"""Number formats by name. In device code `device.float32(x)` converts; as an annotation (`n: device.int64`) it fixes a
parameter's type; on the host it makes a NumPy scalar (ml_dtypes for the formats NumPy lacks), importing it then."""

import sys

from hetjit import _core

__all__ = ["Array", "DType", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8e4m3",
           "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz", "float16", "bfloat16", "float32", "float64", "complex64",
           "complex128", "readonly", "finfo", "iinfo"]


def scalar_type(name):
    """The NumPy or ml_dtypes type of scalars of that format."""
    theirs = DType(name)._ml_dtypes_name
    if theirs:
        import ml_dtypes
        return getattr(ml_dtypes, theirs)
    import numpy
    return getattr(numpy, _attribute(name))


class DType(_core.DType):
    """A number format: name, itemsize (bytes), kind ("bool", "integer", "floating", "complex"), signed."""

    __slots__ = ()

    def __call__(self, value=0, imag=None):
        """A NumPy scalar of this format (an array, when given one: NumPy's astype). Integers that do not fit raise OverflowError;
        into the 8-bit floats what is too large becomes the largest number, as in device code. HET-FIX-5"""
        of = scalar_type(self.name)
        if imag is not None:
            if self.kind != "complex":
                raise TypeError(f"{self.name} takes one number")
            return of(complex(value, imag))
        if getattr(value, "shape", ()):
            return (_saturated(value, self._largest) if self._largest else value).astype(of)
        if self.kind == "integer" and not isinstance(value, (str, bytes)):
            return of(int(value))
        return of(_saturated(value, self._largest) if self._largest else value)

    @property
    def dtype(self):
        """The NumPy dtype; also what makes `x.dtype == device.int16` true, either way round."""
        import numpy
        return numpy.dtype(scalar_type(self.name))

    def __repr__(self):
        return f"device.{_attribute(self.name)}"

    def __reduce__(self):
        return DType, (self.name,)

    def __eq__(self, other):
        if isinstance(other, DType):
            return self.name == other.name
        if isinstance(other, str):
            return self.name == other  # as a NumPy dtype equals its name
        numpy = sys.modules.get("numpy")
        theirs = numpy and (isinstance(other, numpy.dtype) or isinstance(other, type) and issubclass(other, numpy.generic))
        return self.dtype == other if theirs else NotImplemented

    def __hash__(self):  # that of the NumPy dtype, which it equals
        try:
            return hash(self.dtype)
        except ImportError:
            return hash(self.name)

    def __getitem__(self, axes):
        """The type of arrays: `float32[:, :]`, `float32[:, ::1]` in C order, `float32[()]` without axes."""
        return array_type(self, axes)


def _saturated(value, largest):
    """A number or array within the finite range, infinities included; NaN stays."""
    import numpy
    wide = numpy.asarray(value).astype(numpy.float64)
    clipped = numpy.clip(wide, -largest, largest)
    return clipped if wide.ndim else float(clipped)


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


class Array:
    """`x: device.Array` is documentation, `x: device.Array[T, :, ::1]` the same annotation as `T[:, ::1]`: in this form type checkers take
    it for every T, a struct's class or a vector's, too."""

    def __class_getitem__(cls, key):
        element, *axes = key if isinstance(key, tuple) else (key,)
        return array_type(element, tuple(axes))


def dtype_of(dtype):
    """The DType of a number format in any spelling: ours, NumPy's, a NumPy dtype."""
    if isinstance(dtype, DType):
        return dtype
    import numpy
    name = numpy.dtype(dtype).name
    return DType(_NAMES_OF_ML_DTYPES.get(name, name))


def finfo(dtype):
    """What numpy.finfo says of a floating format; ml_dtypes says it of those that NumPy lacks. Raises ValueError for other formats."""
    if dtype_of(dtype)._ml_dtypes_name:
        import ml_dtypes
        return ml_dtypes.finfo(dtype_of(dtype).dtype)
    import numpy
    return numpy.finfo(dtype_of(dtype).dtype)


def iinfo(dtype):
    """What numpy.iinfo says of an integer format. Raises ValueError for other formats."""
    import numpy
    return numpy.iinfo(dtype_of(dtype).dtype)


bool_ = DType("bool")
int8, int16, int32, int64 = map(DType, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(DType, ("uint8", "uint16", "uint32", "uint64"))
float8e4m3, float8e5m2, float16, bfloat16 = map(DType, ("float8e4m3", "float8e5m2", "float16", "bfloat16"))
float8e4m3fnuz, float8e5m2fnuz = map(DType, ("float8e4m3fnuz", "float8e5m2fnuz"))
float32, float64, complex64, complex128 = map(DType, ("float32", "float64", "complex64", "complex128"))

FORMATS = [of for of in list(globals().values()) if isinstance(of, DType)]
_NAMES_OF_ML_DTYPES = {of._ml_dtypes_name: of.name for of in FORMATS if of._ml_dtypes_name}

"""A number of a format, made of an argument on the host: fields of structs, values of atomics. HET-STR-3"""

import operator

from hetjit.device import types, vectors

__all__ = ["number_of", "wrong"]

_LARGEST_FLOAT = 3.4028235677973366e38  # half way to the next float32: from here on it rounds to infinity


def wrong(where, value, wanted):
    """What is raised for a value of another type."""
    return TypeError(f"{where} is {value!r}, a {type(value).__name__}; its type is {wanted}")


def _to_bool(value, where):
    if type(value) is bool or type(value).__name__ in ("bool", "bool_") and hasattr(value, "dtype"):
        return bool(value)
    raise wrong(where, value, "bool")


def _to_int(value, where):
    try:
        found = operator.index(value)
    except TypeError:
        raise wrong(where, value, "int") from None
    if not -2**31 <= found < 2**31:
        raise OverflowError(f"{where} is {found}, which does not fit the 32 bits of an int in device code; "
                            "use device.int64 as the field's type")
    return found


def _real(value):
    return hasattr(value, "__float__") and not isinstance(value, (str, complex)) and not getattr(value, "ndim", 0) or \
        hasattr(value, "__index__")


def _to_float(value, where):
    if not _real(value):
        raise wrong(where, value, "float")
    found = float(value)
    if _LARGEST_FLOAT <= abs(found) < float("inf"):
        raise OverflowError(f"{where} is {found}, which does not fit the float32 that a float is in device code; "
                            "use device.float64 as the field's type")
    return found


def _to_complex(value, where):
    if not _real(value) and not hasattr(value, "__complex__"):
        raise wrong(where, value, "complex")
    return complex(value)


_BUILTIN = {"bool": _to_bool, "int32": _to_int, "float32": _to_float, "complex64": _to_complex}


def _to_fixed(format):
    """A number of the same or a lower category; integers must fit."""
    kind = types.DType(format).kind

    def convert(value, where):
        if kind == "integer":
            try:
                value = operator.index(value) if not hasattr(value, "dtype") else value.__index__()
            except (TypeError, AttributeError):
                raise wrong(where, value, f"device.{format}") from None
        elif kind == "bool":
            value = _to_bool(value, where)
        elif kind == "floating" and not _real(value) or kind == "complex" and not hasattr(value, "__complex__") \
                and not _real(value):
            raise wrong(where, value, f"device.{format}")
        try:
            return vectors.element(format, value, where)
        except OverflowError:
            raise OverflowError(f"{where} is {value}, which does not fit {format}") from None
    return convert


def number_of(type_):
    """What makes a number of that format of an argument."""
    return _BUILTIN[type_.scalar] if type_.weak else _to_fixed(type_.scalar)

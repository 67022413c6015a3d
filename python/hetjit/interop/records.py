"""Values as structs of a library. Fields are found by their names; only a tuple without names has them in their order, as `{1, 2.0}` has in C++."""

import numpy


class Unlike(TypeError):
    """A value is no such struct."""


class Column:
    """What an array of structs has in a field."""

    def __init__(self, array):
        self.array = array


def made(value, dtype, convert):
    """An array of a struct's dtype: of one struct, of an array of NumPy's, of lists of structs. `convert(name, value, dtype)` makes an array of
    what is given for a field. Raises Unlike with what follows a parameter's name."""
    if isinstance(value, list):
        return _stacked([made(each, dtype, convert) for each in value], dtype)
    if isinstance(value, (tuple, dict)):
        return _assembled(_values(value, dtype), (), dtype, convert)
    found = numpy.asarray(value)
    if found.dtype == dtype:
        return found
    _check_names(found.dtype.names, dtype, f"an array of {found.dtype}" if isinstance(value, numpy.ndarray) else f"a {type(value).__name__}")
    return _assembled([Column(found[name]) for name in dtype.names], found.shape, dtype, convert)


def _stacked(parts, dtype):
    shapes = {part.shape for part in parts} or {()}
    if len(shapes) > 1:
        raise Unlike(f"is {_words(dtype)}, and the lists of them are not of one length")
    stack = numpy.empty((len(parts), *shapes.pop()), dtype)
    for i, part in enumerate(parts):
        stack[i] = part
    return stack


def _values(value, dtype):
    """What one struct has in the fields of a dtype, in their order."""
    if isinstance(value, dict):
        _check_names(value, dtype, "the dict")
        return [value[name] for name in dtype.names]
    names = getattr(value, "_fields", None)
    if names is not None:
        _check_names(names, dtype, f"a {type(value).__name__}")
        return [getattr(value, name) for name in dtype.names]
    if len(value) != len(dtype.names):
        raise Unlike(f"is {_words(dtype)}, and the tuple has {len(value)} items")
    return value


def _check_names(names, dtype, whose):
    if set(names or ()) != set(dtype.names):
        raise Unlike(f"is {_words(dtype)}, and {whose} has {', '.join(map(str, names)) if names else 'no fields'}")


def _assembled(values, shape, dtype, convert):
    structs = numpy.zeros(shape, dtype)
    for name, value in zip(dtype.names, values, strict=True):
        field = dtype[name]
        part = convert(name, value, field.base)
        if part.shape != (*shape, *field.shape):
            raise Unlike(f"is {_words(dtype)}, and what is given for {name} has the shape {part.shape[len(shape):]}, not {field.shape}")
        structs[name] = part
    return structs


def _words(dtype):
    return f"a struct with the fields {', '.join(dtype.names)}"

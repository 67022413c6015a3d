"""What fields of structs are set to point to: addresses, and what has to last as long. `taker`: of that field, a convert.Taker."""

import numpy

from hetjit.interop import memory, records


def kept(taker, value):
    """What is to last as long as the field points to it: a text becomes memory."""
    if taker.type.kind == "char" and taker.type.levels == 1 and isinstance(value, (str, bytes)):
        return numpy.array(bytearray(taker._text(value) + b"\0"))
    return value


def address(taker, value):
    """Of what a field points to from now on: what kept() gave."""
    type_ = taker.type
    if not isinstance(value, numpy.ndarray) or not type_.levels:
        return taker._pointer(value)
    if type_.kind not in ("void", "char"):
        _check_elements(taker, value)
    if not (value.flags.c_contiguous and value.flags.aligned):
        raise taker.wrong(ValueError, "is pointed to from now on, so it has to lie in one piece")
    if not (value.flags.writeable or type_.const):
        raise taker.wrong(ValueError, "can be written through the pointer, and the array is read-only")
    memory.check(value)
    return value.ctypes.data


def _check_elements(taker, value):
    type_ = taker.type
    wanted = taker.binding.dtype_of(type_) if type_.levels == 1 and type_.of_arrays else None
    if wanted is None or value.dtype != wanted:
        told = f"an array of {wanted}" if wanted else type_.spelling
        raise taker.wrong(ValueError, f"is pointed to from now on, so it is {told}, and not one of {value.dtype}")


def addresses(taker, value, held):
    """What a field that points has in a record: an address, or those that an array of records has. `held`: what is to last as long as the record."""
    if isinstance(value, records.Column):
        if value.array.dtype != numpy.uint64:
            raise taker.wrong(TypeError, f"is an address in an array of structs, a uint64, not {value.array.dtype}")
        return value.array
    held.append(kept(taker, value))
    return numpy.array(int(address(taker, held[-1])), numpy.uint64)


def characters(taker, value, extents):
    """A text as an array of characters has it."""
    made = taker._text(value)
    if len(made) >= extents[-1]:
        raise taker.wrong(ValueError, f"has {len(made)} bytes, and there is room for {extents[-1] - 1}")
    return numpy.frombuffer(made.ljust(extents[-1], b"\0"), numpy.int8)

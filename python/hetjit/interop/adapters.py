"""Adapters of hetjit.types as arguments of a library: the memory that they keep, and the elements in it."""

import numpy

from hetjit import _core
from hetjit.interop import memory

_LISTS = ((_core.ListOfInt, "int32"), (_core.ListOfUnsigned, "uint32"), (_core.ListOfUnsignedLong, "uint64"))
_NO_NUMBERS = (_core.ArgumentPack, _core.CodePointer, _core.CStr, _core.ListOfBytes, _core.ListOfPointer, _core.RecordPointer)


def lent(adapter):
    """What lies at an adapter's address as a Memory, which keeps it; 0 for NULL. It is not looked at, so it may be a device's."""
    if not adapter:
        return 0
    return memory.Memory(int(adapter), adapter.nbytes or 0, _core.DeviceMemory(adapter).read_only, "", int(adapter), 0, 0, adapter)


def elements(adapter, dtype):
    """An array of what lies there, without a copy. An adapter that says what its elements are is taken for no others; bytes of which nobody
    says it are elements of this dtype. Raises TypeError with what follows a parameter's name."""
    name = type(adapter).__name__
    if isinstance(adapter, _NO_NUMBERS):
        raise TypeError(f"is an array of {dtype}, which a {name} is not")
    if not _core.DeviceMemory(adapter).on_host:
        raise TypeError(f"is an array in the host's memory, which the {name} is not known to point to: make it from what has the memory")
    if getattr(adapter, "shape", None) is not None:
        found = numpy.asarray(adapter)
        told = found.dtype
    else:
        found, told = None, next((numpy.dtype(each) for cls, each in _LISTS if isinstance(adapter, cls)), dtype)
    if told != dtype:
        raise TypeError(f"is an array of {dtype}, and the {name} one of {told}")
    if found is None:
        found = _of_bytes(adapter, dtype, name)
    if not found.flags.aligned:
        raise TypeError(f"is an array of {dtype}, and what the {name} points to does not lie as such elements do")
    return found


def _of_bytes(adapter, dtype, name):
    if not adapter or adapter.nbytes is None:
        raise TypeError(f"is an array, and nobody knows how many elements lie at the {name}")
    if adapter.nbytes % dtype.itemsize:
        raise TypeError(f"is an array of {dtype}, which {adapter.nbytes} bytes of the {name} are not")
    return memory.view(lent(adapter), dtype, (adapter.nbytes // dtype.itemsize,))

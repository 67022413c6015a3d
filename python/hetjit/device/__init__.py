"""The device model: `from hetjit import device`."""

from hetjit import _core
from hetjit.arrays import DeviceArray, array, asarray, empty, full, ones, to_numpy, zeros
from hetjit.devices import current, devices, info, synchronize, use, why_not
from hetjit.streams import Event, Graph, Stream
from hetjit.device.decorators import Function, Kernel, func, kernel, launch
from hetjit.device.lang import *
from hetjit.device.lang import __all__ as _language
from hetjit.device.atomics import *
from hetjit.device.atomics import __all__ as _atomics
from hetjit.device.constants import ConstExpr
from hetjit.device.emission import emit
from hetjit.device.exports import Export
from hetjit.device.groups import *
from hetjit.device.groups import __all__ as _groups
from hetjit.device.layouts import Aligned, Layout, abi, align, as_array, numpy_dtype
from hetjit.device.libraries import cxx, extern
from hetjit.device.records import Struct, struct
from hetjit.device.targets import *
from hetjit.device.targets import __all__ as _targets
from hetjit.device.types import *
from hetjit.device.types import __all__ as _types
from hetjit.device import atomic
from hetjit.device import cache
from hetjit.device import memory
from hetjit.device import random
from hetjit.device import vector_math as _vector_math
from hetjit.device import vectors as _vectors
from hetjit.device.vector_math import *
from hetjit.device.vectors import Vector, vector
from hetjit.errors import (AssignmentWarning, BarrierError, BoundsError, CacheWarning, CheckError, CompileError, CompileWarning, DeviceError, OutOfMemoryError, OverflowWarning,
                           PrecisionWarning, RaceError, ReadOnlyError, RebindingWarning, UnsignedWarning)
from hetjit.lenders import writable

__all__ = ["AssignmentWarning", "BarrierError", "BoundsError", "CacheWarning", "CheckError", "CompileError", "CompileWarning", "DeviceArray", "DeviceError", "Event", "OutOfMemoryError", "OverflowWarning", "PrecisionWarning", "RaceError", "ReadOnlyError", "RebindingWarning", "Export", "Function", "Graph", "Kernel", "ConstExpr", "Stream", "UnsignedWarning", "array", "asarray", "current", "devices", "empty", "full", "func",
           "info", "kernel", "launch", "ones", "random", "synchronize", "to_numpy", "use", "why_not", "writable", "zeros", "Dim3", "Aligned", "Layout", "Struct", "Vector", "abi",
           "align", "as_array", "atomic", "cache", "memory", "cxx", "emit", "extern", "numpy_dtype", "struct", "vector", *_language, *_atomics, *_groups, *_targets, *_types,
           *_vector_math.__all__, *sorted(_vectors.NAMES)]


def _advice(name):
    """What to write instead of a name that there is not: of what newcomers bring, or the nearest of ours."""
    if name.startswith("__"):
        return ""
    if hint := _core.name_hint(name):
        return f": {hint}"
    import difflib
    near = difflib.get_close_matches(name, __all__, 1)
    return f": did you mean 'device.{near[0]}'?" if near else ""


class _NoSuchName(AttributeError):
    """Says what to write only when somebody reads it: compilations ask for names that are not there, also in a process that was forked while
    a thread imported what the advice needs."""

    def __str__(self):
        return f"module '{__name__}' has no attribute '{self.args[0]}'{_advice(self.args[0])}"


_NoSuchName.__name__ = _NoSuchName.__qualname__ = "AttributeError"  # as tracebacks show it
_NoSuchName.__module__ = "builtins"


def __getattr__(name):
    """Vector types are made when they are first named."""
    if name in _vectors.NAMES:
        globals()[name] = _vectors.named(name)
    elif name == "Dim3":
        globals()[name] = _vectors.Dim3
    else:
        raise _NoSuchName(name)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *__all__})

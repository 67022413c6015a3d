"""The device model: `from hetjit import device`."""

from hetjit.arrays import DeviceArray, array, to_numpy, zeros
from hetjit.devices import current, devices, info, synchronize, use, why_not
from hetjit.device.decorators import Function, Kernel, func, kernel, launch
from hetjit.device.lang import *
from hetjit.device.lang import __all__ as _language
from hetjit.device.types import *
from hetjit.device.types import __all__ as _types
from hetjit.errors import CompileError, DeviceError

__all__ = ["CompileError", "DeviceArray", "DeviceError", "Function", "Kernel", "array", "current", "devices", "func", "info",
           "kernel", "launch", "synchronize", "to_numpy", "use", "why_not", "zeros", *_language, *_types]

"""Compiles ordinary Python functions for NVIDIA and AMD GPUs and for the host CPU. What a user writes is in `device`."""

import sys as _sys

if _sys.implementation.name != "cpython" or _sys.version_info < (3, 11):
    raise ImportError(f"hetjit needs CPython 3.11 or newer, whose bytecode it reads, and this is {_sys.implementation.name} "
                      f"{_sys.version_info[0]}.{_sys.version_info[1]}")
try:
    from hetjit import _core as _core
except ImportError as _error:
    from hetjit.unsupported import why
    raise ImportError(why(_error)) from None

from hetjit import device
from hetjit.errors import CompileError, DeviceError

__version__ = "0.1.0"
__all__ = ["device", "CompileError", "DeviceError", "__version__"]

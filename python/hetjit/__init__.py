"""Compiles ordinary Python functions for NVIDIA and AMD GPUs and for the host CPU. What a user writes is in `device`."""

from hetjit import device
from hetjit.errors import CompileError, DeviceError

__version__ = "0.1.0"
__all__ = ["device", "CompileError", "DeviceError", "__version__"]

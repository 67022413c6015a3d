from collections.abc import Callable
from typing import Any

from hetjit import device

__all__ = ["check"]

def check(number: int, kernel: device.Kernel[...] | Callable[..., Any]) -> bool: ...

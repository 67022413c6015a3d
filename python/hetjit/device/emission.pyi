"""The code of a function for a target, without a device."""

from collections.abc import Callable
from typing import Any, Literal, overload

from hetjit import _core

__all__ = ["emit"]

@overload
def emit(f: Callable[..., Any] | _core.Kernel, signature: Any, target: str = "host", kind: Literal["llvm", "asm"] = "asm", *,
         contract: bool | None = None, kernel: bool | None = None) -> str: ...
@overload
def emit(f: Callable[..., Any] | _core.Kernel, signature: Any, target: str, kind: Literal["obj"], *,
         contract: bool | None = None, kernel: bool | None = None) -> bytes: ...
@overload
def emit(f: Callable[..., Any] | _core.Kernel, signature: Any, target: str = "host", *, kind: Literal["obj"],
         contract: bool | None = None, kernel: bool | None = None) -> bytes: ...

"""Kernels compiled before they are launched."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

from hetjit.device.decorators import Kernel

def asynchronously(kernel: Kernel[Any], arguments: tuple[Any, ...], keywords: dict[str, Any], target: str | None) -> Future[Kernel[Any]]: ...
def all_of(kernel: Kernel[Any], signatures: Iterable[tuple[Any, ...] | list[Any]], targets: str | Iterable[str] | None,
           progress: Callable[[int, int], object] | bool | None) -> None: ...

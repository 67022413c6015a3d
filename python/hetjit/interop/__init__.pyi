"""Libraries in C and C++ on the host."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from hetjit import _core
from hetjit.errors import BindError as BindError, LibraryError as LibraryError, ReleasedError as ReleasedError

__all__ = ["bind", "as_array", "as_bytes", "Library", "Memory", "BindError", "LibraryError", "ReleasedError"]

class Library:
    def __init__(self, name: str) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class Memory(_core.Memory):
    def on(self, device: str) -> None: ...
    def __enter__(self) -> Memory: ...
    def __exit__(self, *_: object) -> None: ...

def bind(declarations: str | os.PathLike[str], library: str | os.PathLike[str] | None = None, *, headers: str | Sequence[str] = (),
         include: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (), options: str | Sequence[str] = (),
         language: Literal["c", "c++"] | None = None, destructors: Mapping[str, str] | None = None, types: Mapping[type, str] | None = None,
         defaults: Mapping[str, str] | None = None) -> Library: ...
def as_array(memory: Memory, shape: int | Sequence[int], dtype: Any) -> np.ndarray[Any, np.dtype[Any]]: ...
def as_bytes(memory: Memory, size: int) -> bytes: ...

"""Functions of C++ in kernels."""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

__all__ = ["cxx", "extern"]

class Library:
    __hetjit_library__: tuple[Any, ...]
    __hetjit_name__: str
    def __init__(self, parts: tuple[Any, ...], name: str = "") -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, arguments: Any) -> Any: ...
    def __call__(self, *args: Any) -> Any: ...

def cxx(source: str | PathLike[str], *, include: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
        defines: Mapping[str, Any] | None = None, options: str | Iterable[str] = (),
        types: Mapping[Any, str] | None = None) -> Library: ...

_Files = str | PathLike[str] | Iterable[str | PathLike[str]]
def extern(name: str, signature: Iterable[Any], *, returns: Any = None, link: _Files | Mapping[str, _Files] = ()) -> Library: ...

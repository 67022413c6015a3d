"""The cache on disk."""

from typing import TypedDict, type_check_only

__all__ = ["Entry", "clear", "entries", "info", "prune"]

@type_check_only
class _Info(TypedDict):
    path: str
    shared: str
    reads: bool
    writes: bool
    most_bytes: int
    bytes: int
    files: int

class Entry:
    name: str
    bytes: int
    used: int
    made_of: tuple[tuple[str, str], ...]
    fault: str
    shared: bool
    def __init__(self, name: str, bytes: int, used: int, made_of: str, fault: str, shared: bool) -> None: ...
    def first(self, kind: str) -> str: ...

def info() -> _Info: ...
def entries() -> list[Entry]: ...
def clear() -> int: ...
def prune(size: int | str | None = None) -> int: ...

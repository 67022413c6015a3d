"""Functions for C++ to call."""

from os import PathLike
from pathlib import Path

__all__ = ["Export"]

class Export:
    code: bytes
    symbol: str
    header: str
    target: str
    kind: str
    def __init__(self, code: bytes, symbol: str, header: str, target: str, kind: str) -> None: ...
    def write(self, folder: str | PathLike[str]) -> Path: ...

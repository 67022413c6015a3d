"""How values lie in memory."""

from typing import Any

import numpy
from hetjit import _core
from numpy.typing import NDArray

__all__ = ["Aligned", "Layout", "abi", "align", "as_array", "numpy_dtype"]

MYPY = False  # which mypy takes for true

class Layout(tuple[Any, ...]):
    @property
    def size(self) -> int: ...
    @property
    def align(self) -> int: ...
    @property
    def fields(self) -> tuple[tuple[str, int, _core.Type], ...]: ...
    @property
    def cxx(self) -> str: ...

if MYPY:  # as formats are: types.pyi
    Aligned: Any
else:
    from hetjit.device.types import annotates

    @annotates
    class Aligned: ...

def align(t: Any, n: int) -> Any: ...
def abi(t: Any) -> Layout: ...
def numpy_dtype(t: Any) -> numpy.dtype[Any]: ...
def as_array(x: Any, dtype: Any) -> NDArray[Any]: ...
def why_unreadable(dtype: Any) -> str: ...

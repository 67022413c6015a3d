"""Parameters whose value is known while compiling."""

from typing import Any

__all__ = ["ConstExpr"]

MYPY = False  # which mypy takes for true

if MYPY:  # as formats are: types.pyi
    ConstExpr: Any
else:
    from hetjit.device.types import annotates

    @annotates
    class ConstExpr: ...

"""Structs. What @device.struct makes is constructed from its fields, by position and by name; the class that `device.Struct` is the base
of knows the rest, too: checkers do not see what a decorator adds to a class."""

from collections.abc import Callable, Iterator
from typing import Any, Self, SupportsIndex, TypeVar, dataclass_transform, overload

__all__ = ["Struct", "struct"]

_T = TypeVar("_T")

class Struct:
    def replace(self, /, **fields: Any) -> Self: ...
    def __getitem__(self, index: SupportsIndex) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

@overload
@dataclass_transform()
def struct(cls: type[_T], /) -> type[_T]: ...
@overload
def struct(cls: None = None, /, *, align: int | None = None) -> Callable[[type[_T]], type[_T]]: ...

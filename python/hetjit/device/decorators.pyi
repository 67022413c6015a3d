"""`@device.kernel`, `@device.func` and `device.launch`. How many arguments a launch has and what they are called is checked; what
they may be is said by the annotations of the parameters, where there are any."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import CodeType
from typing import Any, Generic, Literal, ParamSpec, Self, SupportsIndex, TypedDict, TypeVar, Unpack, overload, type_check_only

from hetjit import _core
from hetjit.device.exports import Export

_P = ParamSpec("_P")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)

@type_check_only
class _Options(TypedDict, total=False):
    contract: bool
    fastmath: bool
    portable_math: bool
    interop: bool
    name: str
    check: str
    cache: bool
    debug: Literal["", "lines"]
    launch_bounds: int | tuple[int, int]
    max_registers: int

class _Launchable(_core.Kernel, Generic[_P, _R_co]):
    __name__: str
    __qualname__: str
    __module__: str
    __wrapped__: Callable[_P, _R_co]
    __code__: CodeType
    __defaults__: tuple[Any, ...] | None
    __kwdefaults__: dict[str, Any] | None
    options: dict[str, Any]
    def __new__(cls, function: Callable[_P, _R_co], options: _Options | None = None, on: str | None = None) -> Self: ...
    @property
    def underlying(self) -> Callable[_P, _R_co]: ...
    def on(self, device: str) -> Self: ...
    @property
    def registers(self) -> int: ...
    def occupancy(self, block: _core._Extents, *, shared: SupportsIndex = 0) -> int: ...
    def forall(self, n: SupportsIndex, *, block: SupportsIndex = 256, stream: Any = None,
               shared: SupportsIndex = 0) -> Callable[_P, None]: ...
    def compile(self, signature: str | tuple[Any, ...], *, target: str = "cpu:native", kind: str | None = None) -> Export: ...
    def __getitem__(self, config: _core._Config, /) -> _core.Bound[_P]: ...

class Explanation(str): ...

class Kernel(_Launchable[_P, None]):
    def explain(self, /, *args: Any, target: str | None = None, **kwargs: Any) -> Explanation: ...
    def precompile(self, signatures: Iterable[tuple[Any, ...] | list[Any]], /, targets: str | Iterable[str] | None = None, *,
                   progress: Callable[[int, int], object] | bool | None = None) -> None: ...
    def compile_async(self, /, *args: Any, target: str | None = None, **kwargs: Any) -> Future[Self]: ...
    def as_torch_op(self, name: str) -> Any: ...

class Function(_Launchable[_P, _R_co]):
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., _R_co]: ...

@overload
def kernel(function: Callable[_P, None], /) -> Kernel[_P]: ...
@overload
def kernel(function: None = None, /, **options: Unpack[_Options]) -> _KernelDecorator: ...
@overload
def func(function: Callable[_P, _R], /) -> Function[_P, _R]: ...
@overload
def func(function: None = None, /, **options: Unpack[_Options]) -> _FunctionDecorator: ...
def launch(f: _Launchable[Any, Any], /, *args: Any, grid: _core._Extents, block: _core._Extents, stream: Any = None,
           shared: SupportsIndex = 0, cooperative: bool = False, cluster: _core._Extents | None = None,
           priority: SupportsIndex | None = None, programmatic: bool = False, **kwargs: Any) -> None: ...

@type_check_only
class _KernelDecorator:
    def __call__(self, function: Callable[_P, None], /) -> Kernel[_P]: ...

@type_check_only
class _FunctionDecorator:
    def __call__(self, function: Callable[_P, _R], /) -> Function[_P, _R]: ...

"""Kernels as operators of PyTorch: `kernel.as_torch_op("library::name")`.

An operator says in its schema which tensors it writes to, and PyTorch's compiler believes it and looks no further. What a kernel stores to is
known when it is compiled for the types of its arguments, so an operator is made when the first arguments come; while PyTorch traces, too, where
tensors have types and no elements.
"""

import keyword
import re
import threading

from hetjit import _core, device, lenders

torch = None  # until somebody wants an operator
_lock = threading.RLock()  # the two below, and what their operators know
_made: dict = {}  # the TorchOps by key
_names: dict = {}  # how many operators a name has been given to, and the first one's kernel

_ELEMENTS = {"bool": "bool_", "float8_e4m3fn": "float8e4m3", "float8_e5m2": "float8e5m2"}  # where PyTorch's name is another
_NUMBERS = {bool: "bool", int: "SymInt", float: "float"}
_SHAPE = "SymInt[] launch_grid, SymInt[] launch_block, SymInt launch_shared"
_LAST_NUMBER = 63  # arrays from this one on are told as one (abi/array_numbers.h)


def operator_of(kernel, name):
    """A TorchOp. Raises as Kernel.as_torch_op() does."""
    global torch
    import torch
    for function in (_operator, _stored):
        torch.compiler.assume_constant_result(function)
    with _lock:
        same = [op for op in _made.values() if op.kernel is kernel and op.name == name]
        return same[0] if same else TorchOp(kernel, name)


def _check_name(kernel, name):
    """What is no name, what our numbered operators may be called, and what somebody else's operator is called is refused."""
    says = f"{kernel.__name__}.as_torch_op({name!r}): "
    parts = name.split("::")
    if len(parts) != 2 or not all(part.isascii() and part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        raise ValueError(f"{says}an operator is called \"library::name\"")
    if re.search(r"__\d+$", name):
        raise ValueError(f"{says}what ends like this is an operator for arguments of other types; leave the number away")
    _, owner = _names.get(name, (0, None))
    if owner is None and hasattr(getattr(torch.ops, parts[0]), parts[1]):
        raise ValueError(f"{says}PyTorch has an operator of this name")
    if owner is not None and (owner.__module__, owner.__qualname__) != (kernel.__module__, kernel.__qualname__):
        raise ValueError(f"{says}this is the name of {owner!r}")


def _next_name(kernel, name):
    """The name, or one with a number that no other operator has: of what was defined with it nothing is replaced."""
    count, owner = _names.get(name, (0, kernel))
    _names[name] = count + 1, owner
    return f"{name}__{count + 1}" if count else name


def _operator(key, kinds):
    """The name in its library of a TorchOp's operator for arguments of such kinds: to a trace a constant, which the key guards."""
    return _made[key].operator(kinds)[0].partition("::")[2]


def _stored(key, kinds):
    """The numbers of the arguments that it stores to, as text: to a trace a constant, too."""
    op = _made[key]
    return " ".join(str(op.parameters.index(name)) for name in op.operator(kinds)[1])


def _kind(argument):
    return (argument.dtype, argument.dim()) if isinstance(argument, torch.Tensor) else type(argument)


def _extents(shape):
    return [*shape] if isinstance(shape, (tuple, list)) else [shape]


def _array_type(dtype, rank):
    name = str(dtype).removeprefix("torch.")
    element = getattr(device, _ELEMENTS.get(name, name), None)
    if element is None:
        raise TypeError(f"kernels have no elements of {dtype}")
    return element[(slice(None),) * rank] if rank else element[()]


class TorchOp:
    """`op[grid, block](x, y)` and `op[grid, block, shared](x, y)`: a launch on PyTorch's current stream, in its graphs too."""

    def __init__(self, kernel, name):
        _check_name(kernel, name)
        self.kernel, self.name = kernel, name
        self.library = name.partition("::")[0]
        self.key = _next_name(kernel, name)  # its first operator's
        code = kernel.__code__
        self.parameters = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        self._by_kinds, self._by_schema = {}, {}
        _made[self.key] = self

    def __getitem__(self, key):
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise TypeError(f"{self.name}[...] takes grid, block and optionally shared")
        grid, block, shared = key if len(key) == 3 else (*key, 0)

        def launch(*arguments):
            kinds = tuple([_kind(argument) for argument in arguments])
            operator = getattr(getattr(torch.ops, self.library), _operator(self.key, kinds))
            for number in _stored(self.key, kinds).split():
                tensor = arguments[int(number)]
                if tensor.requires_grad:
                    lenders.check_gradient(f"{self.name}: argument '{self.parameters[int(number)]}'", tensor, stacklevel=3)
            operator(_extents(grid), _extents(block), shared, *arguments)
        return launch

    def forall(self, n, block=256):
        """A launch of at least n threads along x, as Kernel.forall() makes one."""
        return self[max((n + block - 1) // block, 1), block]

    def operator(self, kinds):
        """(the name of the operator for arguments of such kinds, the names of those that it stores to)"""
        with _lock:
            if kinds not in self._by_kinds:
                schema, stored = self._schema(kinds)
                if schema not in self._by_schema:
                    self._by_schema[schema] = self._define(schema, stored)
                self._by_kinds[kinds] = self._by_schema[schema], stored
            return self._by_kinds[kinds]

    def _schema(self, kinds):
        """(its text, the names of the tensors that the kernel stores to)"""
        if len(kinds) != len(self.parameters):
            raise TypeError(f"{self.name} takes {len(self.parameters)} arguments, not {len(kinds)}: {', '.join(self.parameters)}")
        for name, kind in zip(self.parameters, kinds):
            if not isinstance(kind, tuple) and kind not in _NUMBERS:
                raise TypeError(f"{self.name}: argument '{name}' is {kind.__name__}; operators take tensors, ints, floats and bools")
        types = tuple([_array_type(*kind) if isinstance(kind, tuple) else kind for kind in kinds])
        numbers = set(_core.stored(self.kernel, types, {}, None))
        tensors = [name for name, kind in zip(self.parameters, kinds) if isinstance(kind, tuple)]
        stored = [name for number, name in enumerate(tensors) if min(number, _LAST_NUMBER) in numbers]
        words = {name: f"Tensor({name}!)" if name in stored else "Tensor" for name in tensors}
        parts = [f"{words.get(name) or _NUMBERS[kind]} {name}" for name, kind in zip(self.parameters, kinds)]
        return f"({', '.join([_SHAPE, *parts])}) -> ()", stored

    def _define(self, schema, stored):
        name = _next_name(self.kernel, self.name) if self._by_schema else self.key

        def run(grid, block, shared, *arguments):
            if self.operator(tuple([_kind(argument) for argument in arguments]))[0] != name:
                raise TypeError(f"{name} is for arguments of other types: launch by {self.name}[grid, block](...)")
            self.kernel[tuple(grid), tuple(block), None, shared](*arguments)
        made = torch.library.custom_op(name, run, mutates_args=stored, schema=schema)
        made.register_fake(lambda *_: None)
        return name

    def __repr__(self):
        return f"<{self.name} of {self.kernel!r}>"

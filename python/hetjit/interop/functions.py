"""Functions of a library as Python calls them. What fits as it is goes from the extension to the library (Entry); the rest is converted
here and then goes the same way."""

import contextlib
import functools
import inspect
import keyword

from hetjit import _core
from hetjit.interop import memory, overloads
from hetjit.interop.binding import raise_failure
from hetjit.interop.convert import Taker
from hetjit.interop.results import Found, Giver
from hetjit.interop.shims import comes_back


class Variant:
    """One call with its converters: a function has one for each number of arguments that it can be given."""

    def __init__(self, binding, call, entry_of):
        told = call.function.told
        self.call, self.names = call, [_python_name(each.name) for each in call.asked]
        self.binding = binding
        self.takers = [Taker(binding, each, told) for each in call.asked]
        self.givers = [None if comes_back(each) else Giver(binding, each, told) for each in call.returned]
        self.kinds = "".join(giver.kind for giver in self.givers if giver)
        self.calls_back = any(each.way == "callback" for each in call.arguments)
        self.back = [call.asked.index(each) if comes_back(each) else None for each in call.returned]
        self.entry = entry_of(self)

    def __call__(self, values, before=()):
        prepared = [taker.take(value) for taker, value in zip(self.takers, values, strict=True)]
        lender = memory.Lender(before, prepared)
        with lender.busy() if self.calls_back else contextlib.nullcontext():
            raw = iter(self.entry.invoke([*before, *prepared], self.kinds))
        found = [Found(self.binding, giver, next(raw), lender) if giver and giver.kind == "g" else next(raw) if giver else None
                 for giver in self.givers]
        results = []
        for giver, one, back in zip(self.givers, found, self.back, strict=True):
            results.append(giver.give(one) if giver else _written(values[back], prepared[back]))
        return results[0] if len(results) == 1 else tuple(results) or None


def _python_name(name):
    """A parameter's name as Python can have it: `in_`."""
    return name + "_" * keyword.iskeyword(name)


def _written(value, prepared):
    """An array that was passed to be written: what was copied for the library goes back to it."""
    import numpy
    if hasattr(value, "copy_to_host"):
        return value
    if not isinstance(value, numpy.ndarray):
        return prepared
    if prepared is not value:
        value[...] = prepared
    return value


class Caller:
    """A function: it chooses among its variants by how many arguments there are."""

    def __init__(self, name, variants):
        self.name, self.variants = name, variants

    def __call__(self, *args, **kwargs):
        return self.call((), args, kwargs)

    def call(self, before, args, kwargs):
        """With what goes before the arguments: an object's address."""
        variant, values = self.choose(args, kwargs)
        return variant(values, before)

    def choose(self, args, kwargs):
        fitting = [variant for variant in self.variants if len(variant.names) == len(args) + len(kwargs)
                   and all(name in variant.names[len(args):] for name in kwargs)]
        if not fitting:
            raise TypeError(self._wrong_arguments(args, kwargs))
        given = [[*args, *(kwargs[name] for name in variant.names[len(args):])] for variant in fitting]
        if len(fitting) == 1:
            return fitting[0], given[0]
        chosen = overloads.nearest(fitting, given)
        if chosen is None:
            raise TypeError(self._no_overload([*args, *kwargs.values()], fitting))
        return fitting[chosen], given[chosen]

    def _no_overload(self, values, fitting):
        there = "; ".join(f"{self.name}({', '.join(f'{each.type.spelling} {each.name}' for each in variant.call.asked)})" for variant in fitting)
        return f"{self.name}(): none takes ({', '.join(type(value).__name__ for value in values)}): there are {there}"

    def _wrong_arguments(self, args, kwargs):
        names = self.variants[0].names
        for name in kwargs:
            if all(name not in each.names for each in self.variants):
                return f"{self.name}() has no parameter '{name}': it takes ({', '.join(names)})"
            if name in names[:len(args)]:
                return f"{self.name}(): '{name}' is given twice"
        counts = sorted({len(each.names) for each in self.variants})
        left_out = next((name for name in names[len(args):] if name not in kwargs), None)
        if left_out and len(args) + len(kwargs) in counts:
            return f"{self.name}() has no '{left_out}', which stands before '{list(kwargs)[-1]}': only the last arguments can be left out"
        wanted = " or ".join(map(str, counts))
        return f"{self.name}({', '.join(names)}) takes {wanted} argument{'s' * (counts != [1])}, not {len(args) + len(kwargs)}"

    @property
    def signature(self):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        least = min(len(each.names) for each in self.variants)
        names = self.variants[0].names
        return inspect.Signature([inspect.Parameter(name, kind, default=inspect.Parameter.empty if i < least else ...)
                                  for i, name in enumerate(names)])

    @property
    def signature_of_method(self):
        itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        return self.signature.replace(parameters=[itself, *self.signature.parameters.values()])


def bound(binding, name, numbered):
    """The object that Python calls, of (number of its shim, Call) of each variant: the longest first."""
    caller = Caller(name, [])

    def entry_of(number, call):
        items, result = plan(call) if len(numbered) == 1 else (None, ("n", 0))
        return lambda variant: _core.Entry(binding.address(f"hetjit_call_{number}"), binding.release, items, result, caller,
                                           functools.partial(raise_failure, call.function.told))
    caller.variants = [Variant(binding, call, entry_of(number, call)) for number, call in numbered]
    for variant in caller.variants:
        variant.entry.__name__ = name
    return caller


def documented(numbered):
    """The declarations of a function, as help() shows them."""
    return "\n".join(dict.fromkeys(call.function.declared for _, call in numbered))


def published(caller, numbered):
    """A Caller as a function with a name, a signature and a text."""
    entry = caller.variants[0].entry
    entry.__qualname__ = caller.name
    entry.__doc__ = documented(numbered)
    entry.__signature__ = caller.signature
    return entry


# ---- what goes to the library as it is

_PLAIN = {"b": "b", "i": "i", "u": "u", "f": "f"}


def plan(call):
    """The items of an Entry and its result; None for items where some argument has to be converted."""
    import numpy
    items = [_item(each, numpy) for each in call.asked]
    returned = call.returned
    result = None
    if not returned:
        result = ("n", 0)
    elif len(returned) == 1 and comes_back(returned[0]):
        result = ("r", call.asked.index(returned[0]))
    elif len(returned) == 1 and returned[0].way == "number":
        result = _number(returned[0].type, numpy)
    arrays = sum(item is not None and item[0] == "a" for item in items)
    if result is None or None in items or arrays > 8 or len(items) > 64 or call.function.owner:
        return None, ("n", 0)
    return tuple(items), result


def _number(type_, numpy):
    dtype = numpy.dtype(type_.number)
    kind = _PLAIN.get(dtype.kind)
    return None if kind is None or dtype.name == "float16" else (kind, dtype.itemsize)


def _item(passed, numpy):
    if passed.way == "number":
        return _number(passed.type, numpy)
    if passed.way != "array" or passed.device or passed.type.kind != "number" or passed.rank > 7:
        return None
    return "a", passed.type.number, passed.rank, int(passed.intent == "inout")

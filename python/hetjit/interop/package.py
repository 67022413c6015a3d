"""A binding as a package of Python's: its shims, what they are, and a stub. It needs hetjit, and no clang."""

import pathlib
import pickle

from hetjit.interop import library
from hetjit.interop.model import DEFAULT_MADE

_INIT = '''"""A binding of {name}, written by `python -m hetjit bind`."""

import pathlib as _pathlib

from hetjit.interop import package as _package

globals().update(_package.load(_pathlib.Path(__file__).parent))
'''


def write(prepared, folder):
    """Writes the package; the folder is made if it is not there."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(_INIT.format(name=prepared.name))
    (folder / "__init__.pyi").write_text(stub(prepared))
    (folder / "binding.pickle").write_bytes(pickle.dumps(prepared))
    (folder / "py.typed").write_text("")


def load(folder):
    """The names of a package."""
    return vars(library.loaded(pickle.loads((folder / "binding.pickle").read_bytes())))


# ---- its stub

_BASES = "(bases)"  # among a class's names
_NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def stub(prepared):
    """What type checkers are to know."""
    root = {}
    records = prepared.declared.records
    for (scope, owner, accessor, name), variants in library.groups(prepared.calls).items():
        if variants[0][1].function.kind == "base":
            base = records[name]
            _inside(root, scope).setdefault(_BASES, []).append(".".join((*base.scope, base.name)))
        elif accessor != "setter":
            _inside(root, scope)[name] = _alternatives([call for _, call in variants])
    for scope, name, _ in prepared.declared.constants:
        _inside(root, scope)[name] = lambda indent, name=name: [f"{indent}{name}: int"]
    return "\n".join(["from collections.abc import Callable, Sequence", "from typing import Any, overload", "", "import numpy as np",
                      "import numpy.typing as npt", "", *_printed(root, "")]) + "\n"


def _inside(names, scope):
    for name in scope:
        names = names.setdefault(name, {})
    return names


def _printed(names, indent):
    for name, content in names.items():
        if callable(content):
            yield from content(indent)
        elif name != _BASES:
            bases = ", ".join(content.get(_BASES, ()))
            yield f"{indent}class {name}{f'({bases})' if bases else ''}:"
            yield from _printed(content, indent + "    ")


def _alternatives(calls):
    """The lines of a function, once for each of those that only arguments tell apart."""
    counts = [len(call.asked) for call in calls]
    if len(set(counts)) == len(counts):
        return _lines(calls[0], min(counts))
    made = [_lines(call, len(call.asked)) for call in calls]
    return lambda indent: [line for each in made for line in (f"{indent}@overload", *each(indent))]


def _lines(call, least):
    """A function's lines at an indentation. Those of namespaces are static functions of a class: the nearest that stubs can say."""
    function = call.function
    names = [f"{_parameter_name(each.name)}: {_taken(each)}{' = ...' if i >= least else ''}" for i, each in enumerate(call.asked)]
    names += ["**fields: Any"] * function.expression.startswith(DEFAULT_MADE)
    result = "None" if function.kind == "constructor" and function.name == "__init__" else _results(call)

    def lines(indent):
        if function.kind == "getter":
            return [f"{indent}{function.name}: {result}"] if call.result.way in ("number", "character", "string") else _property(call, result, indent)
        own = function.kind == "method" or function.name == "__init__"
        static = [f"{indent}@staticmethod"] if indent and not own else []
        return [*static, f"{indent}def {function.name}({', '.join([*['self'] * own, *names])}) -> {result}: ..."]
    return lines


def _property(call, result, indent):
    """A field that takes more than it gives."""
    from hetjit.interop import fields
    name, made = call.function.name, [f"{indent}@property", f"{indent}def {call.function.name}(self) -> {result}: ..."]
    if not fields.is_written(call.function.field):
        return made
    taken = fields.written(call.function.result, call.function.field)
    return [*made, f"{indent}@{name}.setter", f"{indent}def {name}(self, value: {_taken(taken)}) -> None: ..."]


def _parameter_name(name):
    import keyword
    return name + "_" * keyword.iskeyword(name)


def _taken(passed):
    if passed.buffer:
        return "bytearray | memoryview"
    if passed.way == "number":
        return _number(passed.type)
    if passed.way == "array" and not passed.device and passed.type.kind == "number":
        return _array(passed.type) if passed.intent == "inout" else "npt.ArrayLike"
    none = " | None" if passed.intent == "in" and not passed.field else ""
    return {"text": f"str | bytes{none}", "string": "str | bytes", "character": "str", "texts": "Sequence[str | bytes]",
            "callback": "Callable[..., Any] | None", "vector": "npt.ArrayLike"}.get(passed.way, "Any")


def _results(call):
    found = [_given(each) for each in call.returned]
    return "None" if not found else found[0] if len(found) == 1 else f"tuple[{', '.join(found)}]"


def _given(passed):
    if passed.way == "number" or passed.way == "array" and passed.deref == "scalar":
        return _number(passed.type)
    if passed.way == "array" and not passed.device and passed.type.kind == "number":
        return _array(passed.type)
    if passed.way == "vector" and passed.type.element.kind == "number":
        return _array(passed.type.element)
    if passed.way == "text" and passed.deref == "pointer":
        return "memoryview | None"
    if passed.way == "texts" and passed.field:
        return "tuple[str, ...]"
    return {"text": "str" if passed.field == "characters" else "str | None" if passed.intent == "out" else "str", "string": "str", "character": "str", "texts": "list[str]"}.get(passed.way, "Any")


def _number(type_):
    import numpy
    return _NUMBERS[numpy.dtype(type_.number).kind]


def _array(type_):
    name = "bool_" if type_.number == "bool" else type_.number
    return f"np.ndarray[Any, np.dtype[np.{name}]]"

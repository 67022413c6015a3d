"""Records Python functions as `.snap` text, under any CPython from 3.11 on, with the standard library only.

    python3.14 tests/snapshots/record.py FILE.py [FUNCTION …] > out.snap     named functions; all without names
    python3.14 tests/snapshots/record.py --all                               what the tests use: samples and goldens

A name means what it means in the module when it is recorded, as python/ext captures it: modules with dotted names,
Python functions with everything they call, builtins, types, constants. hetjit and numpy need not be there: standins.py.
"""

import builtins
import dis
import linecache
import os
import pathlib
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = ROOT / "tests/unit/typing/programs"
sys.path[:0] = [str(HERE), str(HERE.parent / "golden")]
sys.dont_write_bytecode = True

import golden
import snap
import standins

VERSION = "%d.%d" % sys.version_info[:2]
CONSTANT_TYPES = (type(None), bool, int, float, complex, str, type(Ellipsis), slice)
MEMBER_KINDS = {types.FunctionType: "method", classmethod: "classmethod", property: "property"}
LOADS_ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")


def article(type_name):
    return ("an " if type_name[0] in "aeiou" else "a ") + type_name


def is_constant(value):
    if type(value) is tuple:
        return all(map(is_constant, value))
    return type(value) in CONSTANT_TYPES or isinstance(value, standins.FixedNumber)


def as_constant(value):
    """Stand-ins inside a constant become what snap.constant() knows."""
    if type(value) is tuple:
        return tuple(map(as_constant, value))
    return snap.Fixed(value.scalar, value.bits) if isinstance(value, standins.FixedNumber) else value


def outside_names(code):
    """Dotted names that the code loads from outside: {"math.sqrt": ["math", "sqrt"], …}, each prefix included."""
    found, chain = {}, None
    for instruction in dis.get_instructions(code):
        outside = instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") or (
            instruction.opname == "LOAD_DEREF" and instruction.argval in code.co_freevars)
        if outside:
            chain = [instruction.argval]
        elif chain and instruction.opname in LOADS_ATTRIBUTE:
            chain = chain + [instruction.argval]
        else:
            chain = None
        if chain:
            found[".".join(chain)] = chain
    return found


class Recorder:
    """A program that grows: functions get their numbers when they are first met."""

    def __init__(self):
        self.keys = []  # function and code objects; the index is the function's number
        self.pending = []
        self.functions = []
        self.structs = {}  # text of the type -> the struct's lines, None while they are made

    def program(self, roots):
        for function in roots:
            self.number_of(function, function.__code__, function, function.__globals__)
        while self.pending:
            self.functions.append(self.record(*self.pending.pop(0)))
        return snap.program(self.functions, [lines for lines in self.structs.values() if lines])

    def number_of(self, key, code, function, scope):
        for number, known in enumerate(self.keys):
            if known is key:
                return number
        self.keys.append(key)
        self.pending.append((len(self.keys) - 1, code, function, scope))
        return len(self.keys) - 1

    def record(self, number, code, function, scope):
        constants = [self.code_constant(value, scope) for value in code.co_consts]
        # A nested code object's free variables are its outer function's, and it gets them when it is made.
        cells = dict(zip(code.co_freevars, getattr(function, "__closure__", None) or ()))
        return snap.function(
            number, VERSION, code, self.source(code, scope), self.defaults(code, function),
            self.annotations(code, function), constants, list(self.names(code, scope, cells)))

    def code_constant(self, value, scope):
        if isinstance(value, types.CodeType):
            return snap.constant(snap.Code(self.number_of(value, value, None, scope)))
        return snap.constant(value)

    def source(self, code, scope):
        last = max([at[1] or 0 for at in code.co_positions()], default=0)
        return linecache.getlines(code.co_filename, scope)[code.co_firstlineno - 1:last]

    def defaults(self, code, function):
        texts = [None] * (code.co_argcount + code.co_kwonlyargcount)
        if function is not None:
            values = function.__defaults__ or ()
            for i, value in enumerate(values, code.co_argcount - len(values)):
                texts[i] = self.meaning(value)
            for i in range(code.co_argcount, len(texts)):
                if code.co_varnames[i] in (function.__kwdefaults__ or {}):
                    texts[i] = self.meaning(function.__kwdefaults__[code.co_varnames[i]])
        return texts

    def annotations(self, code, function):
        names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        try:
            given = function.__annotations__ if function is not None else {}
        except NameError:  # evaluated late from 3.14 on
            given = {}
        values = [given.get(name) for name in names]  # int and float say nothing: arguments decide
        for value in values:
            if isinstance(value, standins.TypeStandin):
                self.record_struct(value)
        return [snap.word(value.text) if isinstance(value, standins.TypeStandin) else None for value in values]

    def record_struct(self, type_):
        """Defaults, methods and constants of a struct type, and of those in its fields."""
        if type_.class_ is None or type_.text in self.structs:
            return
        self.structs[type_.text] = None
        fields, members = type_.class_.__annotations__, []
        for annotation in fields.values():
            if isinstance(annotation, standins.TypeStandin):
                self.record_struct(annotation)
        defaults = [self.meaning(vars(type_.class_)[name]) if name in vars(type_.class_) else None for name in fields]
        for name, value in vars(type_.class_).items():
            if name in fields or name.startswith("__") and not isinstance(value, types.FunctionType):
                continue
            kind = MEMBER_KINDS.get(type(value), "value")
            if kind == "property":
                value = value.fget
            members.append((name, kind, self.meaning(getattr(value, "__func__", value))))
        self.structs[type_.text] = snap.struct_lines(type_.text, defaults, members)

    def names(self, code, scope, cells):
        for path, chain in outside_names(code).items():
            if chain[0] in code.co_freevars and chain[0] not in cells:
                continue
            found, value = self.look_up(chain[0], scope, cells)
            for attribute in chain[1:]:
                if not found or not isinstance(value, types.ModuleType):
                    break
                found, value = hasattr(value, attribute), getattr(value, attribute, None)
            else:
                yield path, self.meaning(value) if found else snap.meaning("unbound")

    @staticmethod
    def look_up(name, scope, cells):
        if name in cells:
            try:
                return True, cells[name].cell_contents
            except ValueError:
                return False, None
        if name in scope:
            return True, scope[name]
        return hasattr(builtins, name), getattr(builtins, name, None)

    def meaning(self, value):
        if is_constant(value):
            return snap.meaning("constant", as_constant(value))
        if isinstance(value, types.ModuleType):
            return snap.meaning("module", value.__name__)
        if isinstance(value, types.FunctionType):
            return snap.meaning("function", self.number_of(value, value.__code__, value, value.__globals__))
        if isinstance(value, standins.TypeStandin):
            self.record_struct(value)
            return snap.meaning("type", value.text)
        if isinstance(value, standins.NameStandin):
            return snap.meaning("builtin", value.name)
        if isinstance(value, type) and value in standins.BUILTIN_TYPES:
            return snap.meaning("type", standins.BUILTIN_TYPES[value])
        if isinstance(value, (types.BuiltinFunctionType, type)):
            module = {"math.integer": "math"}.get(value.__module__, value.__module__)  # factorial, gcd, … of 3.15
            if module in ("builtins", "math", "cmath"):
                return snap.meaning("builtin", module + "." + value.__name__)
        return snap.meaning("opaque", article(type(value).__name__))


def load(path):
    """The module's names after running the file. Its functions' file name is relative to the repository."""
    source = path.read_text()
    shown = os.path.relpath(path, ROOT)
    shown = path.name if shown.startswith("..") else shown
    linecache.cache[shown] = (len(source), None, source.splitlines(True), shown)
    namespace = {"__name__": path.stem}
    exec(compile(source, shown, "exec", dont_inherit=True), namespace)
    return namespace


def functions_of(namespace):
    return [value for value in namespace.values()
            if isinstance(value, types.FunctionType) and value.__globals__ is namespace]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def record_all():
    """tests/snapshots/<version>/: the samples, the programs of the tests of typing, and one file per golden function. Files of goldens
    that are gone go."""
    for name in ("samples", "values"):
        functions = functions_of(load(HERE / (name + ".py")))
        write(HERE / VERSION / (name + ".snap"), Recorder().program(functions))
    for path in sorted(PROGRAMS.glob("*.py")):
        write(HERE / VERSION / "programs" / (path.stem + ".snap"), Recorder().program(functions_of(load(path))))
    kept = set()
    for path in golden.files():
        if golden.entry_name(path) is None or path.with_suffix(".snap").exists():
            continue  # a .snap beside the file was written by hand, and is used instead
        target = HERE / VERSION / "golden" / (golden.label(path).replace("/", "__") + ".snap")
        write(target, Recorder().program([golden.load(path)]))
        kept.add(target)
    for old in (HERE / VERSION / "golden").glob("*.snap"):
        if old not in kept:
            old.unlink()


def main(arguments):
    standins.install()
    if arguments == ["--all"]:
        record_all()
        return
    if not arguments:
        sys.exit(__doc__)
    namespace = load(pathlib.Path(arguments[0]).resolve())
    chosen = [namespace[name] for name in arguments[1:]] or functions_of(namespace)
    sys.stdout.write(Recorder().program(chosen))


if __name__ == "__main__":
    main(sys.argv[1:])

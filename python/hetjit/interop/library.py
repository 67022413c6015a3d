"""`bind()`: from declarations to a Library whose attributes are the library's functions, classes and constants."""

import dataclasses
import os
import pathlib

import numpy

from hetjit.interop import calls, overloads, parse, pointing, shims, yaml_text
from hetjit.interop.binding import Binding
from hetjit.interop.build import Built, build
from hetjit.interop.errors import Source, first_of, wrong
from hetjit.interop.functions import bound, documented, published
from hetjit.interop.model import DEFAULT_MADE, Declared, Type


class Library:
    """A library that is bound, or one of its namespaces. Its attributes are what it declares."""

    def __init__(self, name, elsewhere=frozenset()):
        self.__name__, self.__elsewhere__ = name, elsewhere

    def __getattr__(self, name):
        why = (": it is declared in an included file, and what is not among the declarations themselves is not bound; declare it there, with the file "
               "among headers=[…], or bind that file" if name in vars(self).get("__elsewhere__", ()) else "")
        raise AttributeError(f"{vars(self).get('__name__', 'the library')} has no '{name}'{why}")

    def __repr__(self):
        names = [name for name in vars(self) if not name.startswith("__")]
        return f"<Library {self.__name__}: {', '.join(names[:8])}{', …' if len(names) > 8 else ''}>"


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A library ready to be loaded: what it declares, what each function comes to, and the compiled shims."""
    name: str
    declared: Declared
    calls: tuple
    code: bytes


@dataclasses.dataclass(frozen=True)
class Written:
    """A library of which nothing has been compiled. `text`: C++; `library`: its path, or nothing."""
    name: str
    declared: Declared
    calls: tuple
    text: str
    library: str
    options: tuple
    source: Source


def bind(declarations, library=None, *, headers=(), include=(), options=(), language=None, destructors=None, types=None, defaults=None, leave_out=()):
    """Functions of a library in C or C++ for Python to call.

    `declarations`: their declarations with attributes, as a text or a file, YAML where its name ends in ".yaml"; `library`: the shared library, a file or
    a name as linkers know it ("gsl"); without one, the declarations hold the functions themselves. `headers`: what they need, "<gsl/gsl_math.h>";
    `include`: folders of headers; `options`: more of clang's. `language`: "c" or "c++", which it is else. `destructors`: code by name that releases
    `void* ptr`. `types`: which type of the library a device.struct is, {Body: "body"}. `defaults`: how results are taken that do not say it,
    {"deref_func_array": "copy"}. `leave_out`: names of functions that are not to be bound, "gz*" for all that begin so.
    """
    return loaded(prepare(declarations, library, headers=headers, include=include, options=options, language=language, destructors=destructors,
                          defaults=defaults, leave_out=leave_out), types)


def prepare(declarations, library=None, *, headers=(), include=(), options=(), language=None, destructors=None, defaults=None, leave_out=()):
    """What bind() does before anything is loaded."""
    found = written(declarations, library, headers=headers, include=include, options=options, language=language, destructors=destructors, defaults=defaults,
                    leave_out=leave_out)
    return Prepared(found.name, found.declared, found.calls, build(found.text, found.library, found.options, found.declared.files, found.source, found.calls))


def written(declarations, library=None, *, headers=(), include=(), options=(), language=None, destructors=None, defaults=None, leave_out=()):
    """The C++ that is written for declarations, and what it was made from."""
    source, given = _source(declarations)
    headers = [*given.get("headers", ()), *([headers] if isinstance(headers, str) else headers)]
    language = language or given.get("language", "c++")
    if language not in ("c", "c++"):
        raise ValueError(f"bind(language={language!r}): a language is 'c' or 'c++'")
    path = _find(library)
    words = [f"-I{os.path.abspath(os.fspath(folder))}" for folder in ([include] if isinstance(include, (str, os.PathLike)) else include)]
    if isinstance(declarations, os.PathLike):
        words.append(f"-iquote{os.path.dirname(os.path.abspath(declarations))}")  # as compilers read a file
    words += [options] if isinstance(options, str) else list(options)
    declared = parse.parse(source, headers, language, words, _left_out(leave_out))
    released = calls.Destructors({**given.get("destructors", {}), **(destructors or {})})
    made = calls.decide(declared, source, _defaults({**given.get("defaults", {}), **(defaults or {})}), released)
    _check_variants(made, source)
    text = shims.write(parse.plain(source), headers, language, made, released)
    name = os.path.basename(path) if path else source.name
    return Written(name, declared, tuple(made), text, path, tuple(words), source)


def _source(declarations):
    """The Source, and what a file of YAML says besides."""
    if not isinstance(declarations, (str, os.PathLike)):
        raise TypeError(f"bind() takes declarations as a text or a file, not {type(declarations).__name__}")
    if not isinstance(declarations, os.PathLike):
        return Source(declarations), {}
    text, name = pathlib.Path(declarations).read_text(encoding="utf-8"), os.fspath(declarations)
    if not name.endswith((".yaml", ".yml")):
        return Source(text, name), {}
    text, given = yaml_text.read(text, name)
    return Source(text, name), given


def _left_out(given):
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, (list, tuple, set)) or not all(isinstance(each, str) for each in names):
        raise TypeError(f"bind(leave_out=...) takes names of functions, not {given!r}")
    return tuple(names)


def _find(library):
    """The path of a shared library; "" where there is none."""
    if library is None:
        return ""
    name = os.fspath(library)
    if os.path.exists(name):
        return os.path.abspath(name)
    if isinstance(library, os.PathLike) or "/" in name:
        raise FileNotFoundError(f"bind(): there is no library {name}")
    file, more = (name, "") if ".so" in name else (f"lib{name}.so", "*")
    for folder in (*os.environ.get("LD_LIBRARY_PATH", "").split(":"), "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                   "/usr/lib64", "/usr/lib", "/lib/x86_64-linux-gnu"):
        found = sorted(pathlib.Path(folder).glob(file + more)) if folder else []
        if found:
            return str(found[0])
    raise FileNotFoundError(f"bind(): there is no library {file} where linkers look; give its path")


def _defaults(given):
    for name, way in given.items():
        if name not in calls.OPTIONS:
            raise ValueError(f"bind(defaults=...): nothing is called {name!r}; there are {', '.join(calls.OPTIONS)}")
        if way not in ("pointer", "copy", "allocatable", "raw", "scalar"):
            raise ValueError(f"bind(defaults=...): {name} is 'pointer', 'copy', 'raw' or 'scalar', not {way!r}")
    return {**calls.OPTIONS, **given}


def groups(made):
    """The calls by what they are members of, whether of fields, and their names: (number of its shim, Call) of each."""
    found = {}
    for number, call in enumerate(made):
        function = call.function
        kind = function.kind if function.kind in ("getter", "setter") else ""
        found.setdefault((function.scope, function.owner, kind, function.name), []).append((number, call))
    return found


def loaded(prepared, types=None):
    """The library with everything in its place."""
    declared, library = prepared.declared, Library(prepared.name, prepared.declared.elsewhere)
    binding = Binding(declared, Built(prepared.code), dict(types or {}))
    for (scope, owner, accessor, name), variants in groups(prepared.calls).items():
        caller = bound(binding, variants[0][1].function.title, variants)
        if variants[0][1].function.kind == "base":
            binding.bases[owner, name] = caller
            _class(library, binding, declared.records[owner])
        elif owner:
            _add_member(_class(library, binding, declared.records[owner]), caller, variants, name, accessor)
        else:
            setattr(_inside(library, scope), name, published(caller, variants))
    for owner, name, why in declared.absent:
        cls = _class(library, binding, declared.records[owner])
        setattr(cls, name, _Absent(f"{cls.__name__}.{name} is {why}, which Python has no fields of: declare a function that reads it"))
    for scope, name, value in declared.constants:
        setattr(_inside(library, scope), name, value)
    used = {each.type.name for call in prepared.calls for each in (*call.arguments, call.result)}
    for record in sorted(declared.records.values(), key=lambda each: len(each.scope)):
        if (record.plain or record.laid) and (record.place.begin or record.cxx in used):
            _add_struct(library, binding, record)
    return library


def _check_variants(made, source):
    refused = []
    for variants in groups(made).values():
        for number, (_, call) in enumerate(variants):
            if any(overloads.same_to_python(call, other) for _, other in variants[:number]):
                at = call.function.result.place
                refused.append((call.function.result.name, wrong(source, at.begin, at.end, "B134", f"there are two '{call.function.name}' that no argument "
                                                                 "of Python's tells apart: give one of them another name, +name(…), or leave it out")))
    if refused:
        raise first_of(refused)


def _inside(library, scope):
    """The namespace or class that a name is in."""
    for name in scope:
        if not hasattr(library, name):
            setattr(library, name, Library(name))
        if isinstance(getattr(library, name), numpy.dtype):
            return library  # which has no names in it
        library = getattr(library, name)
    return library


def _class(library, binding, record):
    """The class of a record, made at its first member."""
    if record.cxx not in binding.classes:
        bases = [_class(library, binding, base) for each in record.bases if (base := binding.records[each]).place.begin and not base.plain]
        made = {"__slots__": (), "__init__": LibraryObject.__init__, "__hetjit_seen__": lambda self: binding.seen_as(self.__hetjit_memory__, record.cxx)}
        binding.classes[record.cxx] = cls = type(record.name, tuple(bases) or (LibraryObject,), made)
        setattr(_inside(library, record.scope), record.name, cls)
    return binding.classes[record.cxx]


def _add_struct(library, binding, record):
    """Its dtype; one that has addresses is a class, which NumPy asks for it."""
    dtype = binding.dtype_of(Type("struct", record.cxx))
    if record.plain:
        setattr(_inside(library, record.scope), record.name, dtype)
    elif record.cxx in binding.classes and not hasattr(binding.classes[record.cxx], "dtype"):
        binding.classes[record.cxx].dtype = dtype


class LibraryObject:
    """An object of a library's class. `delete()` releases it now, where it is Python's."""

    __slots__ = ("__hetjit_memory__", "__weakref__")

    def __init__(self, *args, **kwargs):
        raise TypeError(f"{type(self).__name__} has no constructor among its declarations")

    def delete(self):
        """Runs its destructor now, where it is Python's to run; once."""
        self.__hetjit_memory__.delete()

    def __repr__(self):
        return f"<{type(self).__name__} {self.__hetjit_memory__!r}>"


class _Constructed:
    """The slot of what a constructor has made: a derived class may have forgotten to call it."""

    def __init__(self, slot):
        self._slot = slot

    def __get__(self, instance, cls):
        try:
            return self._slot.__get__(instance, cls)
        except AttributeError:
            raise AttributeError(f"this {cls.__name__} has not been constructed: its __init__ has to call super().__init__(…)") from None

    def __set__(self, instance, value):
        self._slot.__set__(instance, value)


LibraryObject.__hetjit_memory__ = _Constructed(LibraryObject.__hetjit_memory__)


class _Absent:
    """A field that C++ has and Python has not."""

    def __init__(self, why):
        self._why = why

    def __get__(self, instance, cls):
        raise AttributeError(self._why)

    def __set__(self, instance, value):
        raise AttributeError(self._why)


def _memory(instance, cls):
    """Of an object of that class, and of no other: what the library is handed is not looked at there."""
    if not isinstance(instance, cls):
        raise TypeError(f"a member of {cls.__name__} is for a {cls.__name__}, not for {type(instance).__name__}")
    return vars(cls)["__hetjit_seen__"](instance)


def _add_member(cls, caller, variants, name, accessor):
    call = variants[0][1]
    kind = call.function.kind
    if kind == "constructor" and name == "__init__":
        fields_alone = call.function.expression.startswith(DEFAULT_MADE)

        def __init__(self, *args, **kwargs):
            if hasattr(self, "__hetjit_memory__"):  # others may point to the object that it is
                raise TypeError(f"this {cls.__name__} has been constructed before; {cls.__name__}(…) makes another one")
            given, values = ({}, kwargs) if fields_alone else (kwargs, {})
            self.__hetjit_memory__ = caller.call((), args, given).__hetjit_memory__
            for field, value in values.items():
                _set_field(cls, self, field, value)
        cls.__init__, cls.__doc__ = __init__, documented(variants)
    elif kind == "constructor" or kind == "function":
        setattr(cls, name, staticmethod(published(caller, variants)))
    elif accessor:
        _add_accessor(cls, caller, name, kind)
    else:
        def method(self, *args, **kwargs):
            return caller.call((_memory(self, cls),), args, kwargs)
        method.__name__ = name
        method.__qualname__ = f"{cls.__name__}.{name}"
        method.__doc__, method.__signature__ = documented(variants), caller.signature_of_method
        setattr(cls, name, method)


def _set_field(cls, instance, name, value):
    if not isinstance(getattr(cls, name, None), property):
        raise TypeError(f"{cls.__name__}() has no field '{name}'")
    setattr(instance, name, value)


def _add_accessor(cls, caller, name, kind):
    """A field, as a property."""
    had = getattr(cls, name, None)
    if kind == "getter":
        setattr(cls, name, property(lambda self: caller.call((_memory(self, cls),), (), {}), getattr(had, "fset", None), doc=name))
    else:
        setattr(cls, name, had.setter(_pointing(cls, caller, name) if caller.variants[0].takers[0].passed.way == "address" else
                                      lambda self, value: caller.call((_memory(self, cls),), (value,), {})))


def _pointing(cls, caller, name):
    """What sets a field that points: what it points to lasts as long as the object."""
    taker = caller.variants[0].takers[0]

    def set_field(self, value):
        kept, memory = pointing.kept(taker, value), _memory(self, cls)
        caller.call((memory,), (kept,), {})
        caller.variants[0].binding.point(memory, name, kept)
    return set_field

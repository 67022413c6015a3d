"""Functions of C++ in kernels: `device.cxx(source)`; those that others compiled: `device.extern(name, signature)`."""

import os

from hetjit import _core
from hetjit.device import layouts

__all__ = ["cxx", "extern"]

_SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".cu", ".hip", ".c", ".cc", ".cpp", ".cxx", ".inl")


class Library:
    """C++ source. Its attributes are what it declares, by C++'s rules: `lib.norm(x)`, `lib.app.norm(x)` of a namespace,
    `lib.norm[device.float32, 4](x)` with arguments of a template. In kernels only."""

    __slots__ = ("__hetjit_library__", "__hetjit_name__")

    def __init__(self, parts, name=""):
        object.__setattr__(self, "__hetjit_library__", parts)
        object.__setattr__(self, "__hetjit_name__", name)

    def __setattr__(self, name, value):
        raise AttributeError("a C++ library does not change")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self.__hetjit_name__
        return type(self)(self.__hetjit_library__, f"{path}::{name}" if path else name)

    def __getitem__(self, arguments):
        raise TypeError(f"'{self.__hetjit_name__}' is a template of C++, which kernels give its arguments")

    def __call__(self, *args, **kwargs):
        raise TypeError(f"'{self.__hetjit_name__}' is a function of C++, which kernels call")

    def __repr__(self):
        path, source = self.__hetjit_library__[:2]
        return f"<C++ {self.__hetjit_name__ or path or source[:40]!r}>"

    def __eq__(self, other):
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        return self.__hetjit_library__, self.__hetjit_name__

    def __reduce__(self):
        return type(self), self._key()


def cxx(source, *, include=(), defines=None, options=(), types=None):
    """C++ whose functions kernels call, on every target. `source`: a file, or the text itself.

    `include`: folders of headers. `defines`: macros, {"SCALE": 4, "FAST": None}. `options`: more of clang's. `types`: which
    type of C++ one of ours is, {Body: "app::body", device.float32x3: "glm::vec3"}; they must lie in memory alike, which
    the compiler checks. C++'s own rules choose among overloads and find out what a function returns.
    """
    path, text = _read(source)
    words = [f"-I{os.path.abspath(os.fspath(folder))}" for folder in ([include] if isinstance(include, (str, os.PathLike)) else include)]
    if path:
        words += [f"-I{os.path.dirname(path)}", f"-iquote{os.path.dirname(path)}"]  # by quotes first of all
    words += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in (defines or {}).items()]
    words += [options] if isinstance(options, str) else [word.decode() if isinstance(word, bytes) else word for word in options]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"device.cxx(options=...): an option is a str, not {type(word).__name__}")
    mapped = tuple((_type(one), _spelling(one, name)) for one, name in (types or {}).items())
    return Library((path, text, tuple(words), mapped))


_FOR_HOSTS, _FOR_NVIDIA, _FOR_ALL = "!defined(__CUDA__) && !defined(__HIP__)", "defined(__CUDA__)", "1"
# Where a file of code is linked.
_LINKED = {".so": _FOR_HOSTS, ".ptx": _FOR_NVIDIA, ".cubin": _FOR_NVIDIA, ".ltoir": _FOR_NVIDIA, ".fatbin": _FOR_NVIDIA, ".bc": _FOR_ALL,
           ".o": _FOR_HOSTS, ".a": _FOR_HOSTS}
_TARGETS = {"cpu": _FOR_HOSTS, "cuda": _FOR_NVIDIA, "hip": "defined(__HIP__)"}


def extern(name, signature, *, returns=None, link=()):
    """A function of kernels that others have compiled, with the symbol and convention of C++'s `extern "C"`.

    `signature`: a tuple of the types of its parameters, (device.float32, int); one that device code does not have, as C++ writes it:
    (int, "float*"). `returns`: that of its result. `link`: files that have it, for all targets or `{"cpu": [...], "cuda": [...], "hip": [...]}`:
    .o, .a and .so of the CPU; .ptx, .cubin, .fatbin, .ltoir, .o and .a of NVIDIA; clang's bitcode (.bc) of any. Nobody checks that the
    types are what the symbol has.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise TypeError(f"device.extern(name, ...): the name of a function of C's, not {name!r}")
    if isinstance(signature, str) or not hasattr(signature, "__iter__"):
        raise TypeError(f"device.extern({name!r}, signature): a tuple of types, (device.float32, int), not {signature!r}")
    definitions, mapped, files = {}, {}, list(_linked(link))
    passed = "{}" if all(path.endswith(".bc") or where == _FOR_HOSTS for path, where in files) else "hetjit::shim::passed<{}>::type"  # clang's convention, or nvcc's
    taken = [passed.format(_in_cxx(one, definitions, mapped)) for one in signature]
    given = "void" if returns is None else _in_cxx(returns, definitions, mapped)
    lines = ["#define HETJIT_INTEROP_LEAN 1", '#include "hetjit/interop.hpp"', *definitions.values(),
             f'extern "C" __device__ {given} {name}({", ".join(taken)});']
    for number, (path, where) in enumerate(files):
        quoted = path.replace("\\", "\\\\").replace('"', '\\"')
        lines += [f"#if {where}", f'#if !__has_include("{quoted}")', f'#error "there is no {quoted}"', "#endif",
                  f'extern "C" __device__ const char hetjit_link_{number}[] = "{quoted}";', "#endif"]
    return Library(("", "\n".join(lines) + "\n", (), tuple(mapped.items())), name)


def _in_cxx(one, definitions, mapped):
    """A type as C++ writes it. Of records `mapped` keeps the names."""
    if isinstance(one, str):
        return one
    found = _type(one)
    spelling = layouts.spelling(found, definitions)
    if found.kind in ("struct", "tuple"):
        mapped[found] = spelling
    return spelling


def _linked(link):
    """(path, condition of the preprocessor) of each file."""
    for where, files in (link.items() if isinstance(link, dict) else [(None, link)]):
        if where is not None and where not in _TARGETS:
            raise ValueError(f"device.extern(link=...): {where!r} is no target; there are {', '.join(map(repr, _TARGETS))}")
        for file in [files] if isinstance(files, (str, os.PathLike)) else files:
            path = os.path.abspath(os.fspath(file))
            if not os.path.isfile(path):
                raise FileNotFoundError(f"device.extern(link=...): there is no {path}")
            suffix = os.path.splitext(path)[1]
            if suffix not in _LINKED:
                raise ValueError(f"device.extern(link=...): {os.path.basename(path)} is none of {', '.join(_LINKED)}")
            yield path, _TARGETS[where] if where else "!defined(__HIP__)" if _is_nvccs(path) else _LINKED[suffix]


def _is_nvccs(path):
    """Whether it is an object, or an archive of some, for the CPU and NVIDIA's GPUs at once."""
    with open(path, "rb") as file:
        return path.endswith((".o", ".a")) and b".nvFatBinSegment" in file.read()


def _read(source):
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"device.cxx() takes a file or the text of one, not {type(source).__name__}")
    name = os.fspath(source)
    one_line = "\n" not in name and name.endswith(_SUFFIXES)
    if not isinstance(source, os.PathLike) and not one_line:
        return "", name
    path = os.path.abspath(name)
    with open(path, encoding="utf-8") as file:
        return path, file.read()


def _type(one):
    return one if isinstance(one, _core.Type) else _core.Type(one)


def _spelling(one, name):
    if not isinstance(name, str) or not name:
        raise TypeError(f"device.cxx(types=...): the name of {one!r} in C++ is a str, not {name!r}")
    return name

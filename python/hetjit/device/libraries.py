"""Functions of C++ in kernels: `device.cxx(source)`."""

import os

from hetjit import _core

__all__ = ["cxx"]

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
        words.append(f"-I{os.path.dirname(path)}")
    words += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in (defines or {}).items()]
    words += [options] if isinstance(options, str) else [word.decode() if isinstance(word, bytes) else word for word in options]
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"device.cxx(options=...): an option is a str, not {type(word).__name__}")
    mapped = tuple((_type(one), _spelling(one, name)) for one, name in (types or {}).items())
    return Library((path, text, tuple(words), mapped))


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

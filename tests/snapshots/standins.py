"""Stand-ins for the packages that kernels name (hetjit.device, numpy, ml_dtypes), so that recordings can be made
under a CPython that has none of them, and come out the same where it has."""

import importlib.abc
import importlib.machinery
import math
import os
import re
import struct
import sys
import types

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PACKAGES = ("hetjit", "numpy", "ml_dtypes")
SUBMODULES = {"hetjit": ("device",), "hetjit.device": ("atomic", "random"), "numpy": ("linalg",)}
NUMBERS = {"numpy": {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "euler_gamma": 0.5772156649015329,
                     "newaxis": None},
           "hetjit.device": {"FULL_MASK": -1}}
ALIASES = {"numpy": {"bool_": "bool", "half": "float16", "single": "float32", "double": "float64", "byte": "int8",
                     "short": "int16", "intc": "int32", "int_": "int64", "intp": "int64", "longlong": "int64",
                     "ubyte": "uint8", "ushort": "uint16", "uintc": "uint32", "uint": "uint64", "uintp": "uint64",
                     "ulonglong": "uint64", "csingle": "complex64", "cdouble": "complex128",
                     # a ufunc's own name, whatever it is reached by
                     "abs": "absolute", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
                     "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "pow": "power", "mod": "remainder",
                     "true_divide": "divide", "bitwise_not": "invert", "conj": "conjugate",
                     "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
                     "bitwise_right_shift": "right_shift"}}
BUILTIN_TYPES = {bool: "bool", int: "int", float: "float", complex: "complex"}
FIELD_TYPES = {bool: "weak bool", int: "weak i32", float: "weak f32", complex: "weak c64", None: "none",
               type(None): "none"}
STRUCT_CODES = {"f16": "e", "f32": "f", "f64": "d"}


def read_scalars():
    """Python name -> (short name, bits), from abi/scalars.def."""
    with open(os.path.join(ROOT, "abi", "scalars.def")) as rows:
        found = re.findall(r'^SCALAR\(\w+,\s*"(\w+)",\s*"(\w+)",\s*(\w+),\s*\w+,\s*(\d+)', rows.read(), re.M)
    return {python: (text, category, int(bits)) for text, python, category, bits in found}


SCALARS = read_scalars()


def type_text(name):
    """The type that a name like float32 or uint8x3 stands for, as `.snap` spells it; None when it is none."""
    vector = re.fullmatch(r"(\w+?)x([1-4])", name)
    if vector and vector[1] in SCALARS:
        return name
    if name not in SCALARS:
        return None
    return "bool_" if name == "bool" else name


class FixedNumber:
    """float32(1.5): what it holds, for the recorder."""

    def __init__(self, scalar, bits):
        self.scalar, self.bits = scalar, bits


class TypeStandin:
    """A type used as a value: `text` is its `.snap` spelling. Calling it with a number makes a FixedNumber."""

    def __init__(self, text, class_=None):
        self.text, self.class_ = text, class_  # class_: of a struct, with its methods and defaults

    def __call__(self, value=0):
        text, category, bits = SCALARS[self.text.rstrip("_")]
        if text in STRUCT_CODES:
            return FixedNumber(text, int.from_bytes(struct.pack("<" + STRUCT_CODES[text], value), "little"))
        if category in ("Integer", "Bool"):
            return FixedNumber(text, int(value) & ((1 << bits) - 1))
        raise NotImplementedError("a stand-in cannot make a number of type " + self.text)

    def __getitem__(self, index):  # float32[:], float32[:, ::1]
        parts = index if isinstance(index, tuple) else (index,)
        return TypeStandin("%s[%s]" % (self.text, ", ".join("::1" if part.step == 1 else ":" for part in parts)))


class NameStandin:
    """Anything else, known by its full name. As a decorator it gives the function back."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return NameStandin(self.name + "." + attribute)

    def __getitem__(self, index):  # ConstExpr[int]
        return self

    def __call__(self, *arguments, **options):
        if len(arguments) == 1 and isinstance(arguments[0], types.FunctionType):
            return arguments[0]
        if len(arguments) == 1 and isinstance(arguments[0], type):
            return struct_type(arguments[0], **options)
        return lambda decorated: self(decorated, **options)


class AtomicStandin(NameStandin):
    """device.Atomic: in a struct's hint Atomic(int, align=16) is a type."""

    def __call__(self, dtype, align=None):
        name = dtype.__name__ if isinstance(dtype, type) else dtype.text
        text = 'struct "hetjit.Atomic[%s]" {value: %s}' % (name, field_text(dtype))
        return TypeStandin(text + (" align %d" % align if align else ""))


def struct_type(class_, align=None):
    """@device.struct: the type that the class's annotations describe."""
    fields = ["%s: %s" % (name, field_text(annotation)) for name, annotation in class_.__annotations__.items()]
    head = "struct %s " % class_.__name__ + ("align %d " % align if align else "")
    return TypeStandin(head + "{" + ", ".join(fields) + "}", class_)


def field_text(annotation):
    """The type of a field: a builtin number is weak, a tuple of builtins as well."""
    if isinstance(annotation, types.GenericAlias) and annotation.__origin__ is tuple:
        items = [field_text(item) for item in annotation.__args__]
        weak = all(item.startswith("weak ") for item in items)
        return ("weak " if weak else "") + "(%s,)" % ", ".join(item.removeprefix("weak ") for item in items)
    return FIELD_TYPES.get(annotation) or annotation.text


class ModuleStandin(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in SUBMODULES.get(self.__name__, ()):
            return importlib.import_module(self.__name__ + "." + name)
        if name in NUMBERS.get(self.__name__, ()):
            return NUMBERS[self.__name__][name]
        name = ALIASES.get(self.__name__, {}).get(name, name)
        text = type_text(name)
        if name == "Atomic":
            return AtomicStandin(self.__name__ + "." + name)
        return TypeStandin(text) if text else NameStandin(self.__name__ + "." + name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in PACKAGES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return ModuleStandin(spec.name)

    def exec_module(self, module):
        pass


def install():
    """From here on, imports of PACKAGES give stand-ins."""
    sys.meta_path.insert(0, Finder())

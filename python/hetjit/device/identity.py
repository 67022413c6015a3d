"""Which struct classes are one type: those of one name whose fields, defaults, constants and methods are equal, so that a
class that is made again as it was (a notebook's cell that runs once more, a reloaded module) goes on with the values of the
older one, while each class of a factory has its own methods and captured values. HET-STR-12"""

import sys
import types

from hetjit import _core

__all__ = ["NO_MEMBERS", "by_cloudpickle", "found", "module_name", "struct_type"]

_PLAIN = (type(None), type(...), bool, float, complex, str, bytes)
_CODE = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags", "co_code", "co_names", "co_varnames",
         "co_freevars", "co_cellvars", "co_exceptiontable")
_WRAPPERS = {staticmethod: "__func__", classmethod: "__func__", property: "fget", _core.Kernel: "underlying"}
NO_MEMBERS = ("__dict__", "__weakref__", "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__",
              "__static_attributes__", "__firstlineno__")  # what each Python keeps in a class for itself


def module_name(name):
    """A module's name, the same in every process: a worker that was spawned calls the program's `__mp_main__`."""
    return "__main__" if name == "__mp_main__" else name


def found(module, qualname):
    """What a module that is loaded has under a name, or None."""
    value = sys.modules.get(module)
    for name in qualname.split("."):
        value = getattr(value, name, None)
    return value


def by_cloudpickle(frame_globals):
    """Whether code with those globals is cloudpickle's; joblib, Ray and Spark each have one of their own."""
    return frame_globals.get("__name__", "").rpartition(".")[2] == "cloudpickle"


class _Content:
    """All that compiled code sees of a class beside its fields, as two digests. `shared` is the same in every process;
    `own` tells apart what only looks the same: the globals of two modules of one name, two objects of one class."""

    def __init__(self, cls, fields, made=None):
        import hashlib  # not before the first struct: it is large
        self.cls, self.made = cls, made
        self.bytes, self.addresses = hashlib.blake2b(digest_size=8), []
        self.known, self.pending = {}, []
        members = {name: value for name, value in sorted(vars(cls).items()) if self._is_member(name, value, fields)}
        for name, value in members.items():
            self._write("member", name)
            self._read(value)
        self.shared = self.bytes.hexdigest() if members else ""
        self.bytes.update(repr(self.addresses).encode())
        self.own = self.bytes.hexdigest()

    @staticmethod
    def _is_member(name, value, fields):
        if name in NO_MEMBERS:
            return False
        return name in fields or not name.startswith("__") or isinstance(value, (types.FunctionType, *_WRAPPERS))

    def _write(self, *words):
        self.bytes.update(repr(words).encode("utf-8", "surrogatepass"))

    def _read(self, value):
        """Not recursive: functions capture functions, to any depth."""
        self.pending.append(value)
        while self.pending:
            self._read_one(self.pending.pop())

    def _parts(self, kind, parts):
        self._write(kind, len(parts))
        self.pending.extend(reversed(parts))

    def _place(self, value, description=None):
        """Something that is only equal to itself; in another process to what is described alike."""
        self._write("place", description or id(value))
        self.addresses.append(id(value))

    def _read_one(self, value):
        kind = type(value)
        if value is self.cls or value is self.made and value is not None:
            self._write("this class")
        elif kind in _PLAIN:
            self._write(kind.__name__, repr(value))
        elif kind is int:
            self._write("int", hex(value))
        elif id(value) in self.known:
            self._write("again", self.known[id(value)])
        elif getattr(value if isinstance(value, type) else kind, "__hetjit_type__", None) is not None:
            self._read_ours(value)
        else:
            self._read_object(value, kind)

    def _read_ours(self, value):
        if isinstance(value, type):
            self._write("type", value.__hetjit_type__.text)
        else:
            self._parts(type(value).__hetjit_type__.text, list(value))

    def _read_object(self, value, kind):
        wrapper = next((attribute for base, attribute in _WRAPPERS.items() if isinstance(value, base)), None)
        if kind in (tuple, types.FunctionType):
            self.known[id(value)] = len(self.known)
        if wrapper:
            self._parts(wrapper, [getattr(value, wrapper)])
        elif kind is tuple:
            self._parts("tuple", value)
        elif kind in (slice, range):
            self._parts(kind.__name__, (value.start, value.stop, value.step))
        elif hasattr(value, "__args__") and not isinstance(value, type):  # list[int], float | None: each time another object
            self._parts("generic", (getattr(value, "__origin__", None), *value.__args__))
        elif hasattr(value, "__forward_arg__"):
            self._write("forward", value.__forward_arg__)
        elif kind is frozenset:
            self._write("frozenset", sorted(map(repr, value)))
        elif kind is types.CodeType:
            self._write("code", *(getattr(value, name) for name in _CODE))
            self._parts("constants", value.co_consts)
        elif kind is types.FunctionType:
            self._read_function(value)
        elif hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0 and hasattr(value, "tobytes"):
            self._write("number", str(value.dtype), value.tobytes())
        elif isinstance(value, _core.Type):
            self._write("type", value.text)
        elif hasattr(value, "itemsize") and getattr(value, "metadata", self) is None:
            self._write("dtype", repr(value))
        elif hasattr(value, "itemsize"):  # a dtype that knows a class
            self._place(value, repr(value))
        else:
            name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
            self._place(value, f"{kind.__name__} {module_name(getattr(value, '__module__', None))}.{name}")

    def _read_function(self, function):
        module = sys.modules.get(function.__globals__.get("__name__"))
        known = module and vars(module) is function.__globals__
        self._place(function.__globals__, module_name(vars(module).get("__name__")) if known else None)
        parts = [function.__code__, function.__defaults__]
        for name, value in sorted((function.__kwdefaults__ or {}).items()):
            parts += [name, value]
        for name, hint in sorted(_annotations(function).items()):
            parts += [name, self.cls if _name_of(hint) == self.cls.__qualname__ else hint]
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            parts += [name, self._in_cell(name, cell)]
        self._parts("function", parts)

    def _in_cell(self, name, cell):
        """A variable that has no value yet is this class, which is being made, or nobody can say what it will be."""
        try:
            return cell.cell_contents
        except ValueError:
            return self.cls if name == self.cls.__name__ else cell


def _annotations(function):
    if sys.version_info < (3, 14):
        return function.__annotations__
    import annotationlib
    return annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)


def _name_of(hint):
    return getattr(hint, "__forward_arg__", None) or isinstance(hint, type) and hint.__qualname__


def struct_type(cls, name, fields, align):
    """The type of a struct class, which is still to be made of `cls`."""
    def of(variant):
        return _core.struct_type(f"{name}#{variant}" if variant else name, tuple(fields.items()), align)
    found = _Content(cls, fields)
    made = of(found.shared)
    for twin in _core.classes_of(made)[:1]:
        if found.shared and _Content(twin.underlying, fields, twin).own != found.own:
            return of(found.own)
    return made

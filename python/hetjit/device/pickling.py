"""Pickles of kernels, device functions and struct types. Where a module has one under its name it is pickled by reference, with a digest
of all that compiled code sees of it, so that another process with another version of the module refuses instead of computing
something else. What a notebook or a program itself defines goes by value, through a pickler that takes functions so: cloudpickle."""

import hashlib
import pickle
import platform
import uuid
import weakref

from hetjit import _core
from hetjit.device.identity import by_cloudpickle, found, module_name

_PYTHON = ".".join(platform.python_version_tuple()[:2])  # whose bytecode a digest is of
_PLACES = ("path ", "line ", "| ", "at ")  # what a snapshot says of where code stands

# Kernels that were sent or received by value, so that one that comes again is the one that is here, with all that it compiled.
_known: "weakref.WeakValueDictionary[tuple[str, str | None], _core.Kernel]" = weakref.WeakValueDictionary()


def reduced(kernel, pickler):
    """What Kernel.__reduce__ returns. `pickler`: the globals of the frame that asks."""
    module, name, content = module_name(kernel.__module__), kernel.__qualname__, _content(kernel)
    here = found(module, name)
    if _is_of(here, kernel) and not _taken_by_value(module, pickler):
        return by_reference, (module, name, _PYTHON, content, kernel._on)
    identity = kernel.__dict__.setdefault("_identity", uuid.uuid4().hex)
    _known[identity, kernel._on] = kernel
    return by_value, (type(kernel), kernel.underlying, kernel.options, kernel._on, identity, content)


def by_reference(module, name, python, content, on):
    """The kernel that a module has under that name."""
    __import__(module)
    kernel = found(module, name)
    if not isinstance(kernel, _core.Kernel):
        raise AttributeError(f"a pickle names the kernel '{name}' of module '{module}', which has none here: "
                             + ("cloudpickle takes by value what a program itself defines" if module == "__main__" else
                                "the module is another one where it was pickled"))
    if python == _PYTHON and _content(kernel) != content:
        raise pickle.UnpicklingError(f"'{module}.{name}' is not what was pickled: its code, its options, a function that it calls or a global "
                                     "that it names differ here. Both processes need the same version of the module; a value that changes "
                                     "is passed as an argument")
    return kernel if on is None else kernel.on(on)


def by_value(cls, function, options, on, identity, content):
    """A kernel that was made again of its function, or the one that is here if it is still the same."""
    kernel = _known.get((identity, on))
    if kernel is None or _content(kernel) != content:
        kernel = _known[identity, on] = cls(function, options, on)
        kernel._identity = identity
    return kernel


def reduced_struct(cls):
    """What the class of a struct, or their base, is pickled as. A name alone, if it does not lead back, leaves it to the pickler to say so."""
    if cls.__hetjit_type__ is None or found(cls.__module__, cls.__qualname__) is not cls:
        return cls.__qualname__
    return struct_by_reference, (module_name(cls.__module__), cls.__qualname__, _PYTHON, cls.__hetjit_type__.text)


def struct_by_reference(module, name, python, text):
    """The struct type that a module has under that name."""
    __import__(module)
    cls = found(module, name)
    here = getattr(cls, "__hetjit_type__", None)
    if here is None:
        raise AttributeError(f"a pickle names the struct '{name}' of module '{module}', which has none here")
    if here.text != text and (python == _PYTHON or _fields(here.text) != _fields(text)):
        raise pickle.UnpicklingError(f"struct '{module}.{name}' is not what was pickled: its fields or methods differ here. Both processes "
                                     "need the same version of the module")
    return cls


def _fields(text):
    """A struct's text without the digest of its methods, which is of one Python's bytecode."""
    head, _, tail = text.partition("#")
    return head, tail.partition('"')[2]


def _is_of(here, kernel):
    """Whether that is the kernel, or the one that it was made of by on()."""
    return here is kernel or (type(here) is type(kernel) and kernel._on is not None and here._on is None
                              and (here.underlying, here.options) == (kernel.underlying, kernel.options))


def _taken_by_value(module, pickler):
    """As cloudpickle decides for functions: what workers cannot import, or somebody has said of the module."""
    if not by_cloudpickle(pickler):
        return False
    chosen = pickler.get("list_registry_pickle_by_value", tuple)()
    return module == "__main__" or any(module == name or module.startswith(f"{name}.") for name in chosen)


def _content(kernel):
    """A digest of what a kernel would be compiled from here and now, the values of captured names included."""
    try:
        snapshot = _core.capture(kernel.underlying)
    except Exception:  # what cannot be captured cannot be compiled, and a launch says why
        snapshot = ""
    kept = [line for line in snapshot.splitlines() if not line.startswith(_PLACES)]
    return hashlib.blake2b(repr((type(kernel).__name__, sorted(kernel.options.items()), kept)).encode(errors="surrogatepass"),
                           digest_size=16).hexdigest()

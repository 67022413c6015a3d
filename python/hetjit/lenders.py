"""What libraries ask of those who use the memory of their arrays, beside what DLPack's structures say.

PyTorch marks tensors as conjugated or negated instead of changing them, and counts changes for its gradients. JAX's arrays
are immutable. Asked once per array type (`lender`), or when something is wrong.
"""

import sys

# Libraries whose arrays may be written, also where they come in capsules from before DLPack 1.0, which cannot say so.
MUTABLE = ("cupy", "numba", "numpy", "torch", "tvm_ffi")

# Types whose `__dlpack__` is Python, and takes ten times as long as the buffer that they have on the CPU.
BUFFERS = (("jaxlib", "ArrayImpl"),)

MASKED = "a masked array has elements that are none: pass x.filled(value), or x.data and x.mask"


class writable:
    """The array `array` of another library as an argument that a kernel may write to, whatever its library says of it.

    For memory that nothing else uses, such as a copy: `kernel[grid, block](device.writable(jax.numpy.array(x)))`.
    """

    __slots__ = ("_array",)
    _hetjit_writable = True
    array = property(lambda self: self._array, doc="The array itself.")  # not to be replaced while a kernel runs

    def __init__(self, array):
        self._array = array

    def __repr__(self):
        return f"device.writable({self.array!r})"


def jax_array(array):
    """An array of ours as one of JAX's, which `jax.numpy.asarray(x)` asks for: of the same memory, to which nothing may write any more;
    a copy where its elements have gaps, which JAX's have not."""
    import jax
    return jax.dlpack.from_dlpack(array if array.contiguous else array.copy())


def _package(cls):
    return cls.__module__.partition(".")[0] if isinstance(cls.__module__, str) else ""


def _home(cls):
    """The library with gradients that the class is of: the one that defines the attribute, not one that inherits it."""
    return next((_package(base) for base in reversed(cls.__mro__) if "requires_grad" in vars(base)), None)


def lender(cls):
    """(mutable, is_conj, is_neg, increment_version, buffers) of an array type: whether its memory may always be written;
    functions of one argument, or None where the library has nothing of the kind; whether it is read by its buffer."""
    packages = {_package(base) for base in cls.__mro__}
    graph = sys.modules.get(f"{_home(cls)}.autograd.graph")
    return (not packages.isdisjoint(MUTABLE), getattr(cls, "is_conj", None), getattr(cls, "is_neg", None),
            getattr(graph, "increment_version", None), (_package(cls), cls.__name__) in BUFFERS)


def _is_leaf(tensor):
    """Whether it, or the tensor that it is a view of, is one whose gradients are collected."""
    base = getattr(tensor, "_base", None)
    return tensor.is_leaf or base is not None and base.requires_grad and base.is_leaf


def check_gradient(where, tensor, stacklevel=2):
    """Before a kernel stores to a tensor that requires a gradient. stacklevel: of the launch, as warnings count."""
    home = _home(type(tensor))
    if not sys.modules[home].is_grad_enabled():
        return
    if _is_leaf(tensor):
        raise RuntimeError(f"{where} is a leaf tensor that requires a gradient, and the kernel stores to it: launch the kernel "
                           f"under {home}.no_grad(), or pass .detach()")
    import warnings  # hetjit's own import is light
    warnings.warn(f"{where} requires a gradient, and the kernel stores to it, which {home} cannot differentiate: gradients of "
                  f"what it was computed from will not know of the kernel; launch under {home}.no_grad() or in a "
                  f"{home}.autograd.Function", RuntimeWarning, stacklevel=stacklevel)


def _answer(array, name):
    """What an attribute, or a method without arguments, says; None where there is none or it fails."""
    try:
        found = getattr(array, name)
        return found() if callable(found) else found
    except Exception:
        return None


# Why a library does not lend an array, and what to pass instead.
_REASONS = (
    (lambda x: _answer(x, "is_deleted") is True, "has been deleted: it was donated to a compiled function, or .delete() was called"),
    (lambda x: any(base.__name__ == "Tracer" for base in type(x).__mro__),
     "is being traced and has no elements yet: launch the kernel outside of the traced function, or by jax.pure_callback"),
    (lambda x: _answer(x, "is_quantized") is True, "is quantized: pass .int_repr(), or .dequantize()"),
    (lambda x: _answer(x, "is_meta") is True, "is a meta tensor, which has a shape but no elements"),
    (lambda x: _answer(x, "is_nested") is True, "is nested: pass its .values(), or .to_padded_tensor(...)"),
    (lambda x: "sparse" in str(getattr(x, "layout", "")), "is sparse: pass its .values(), or .to_dense()"),
    (lambda x: str(getattr(x, "layout", "strided")).endswith("_mkldnn"), "is not laid out with strides: pass .to_dense()"),
)


def refuse(where, array, error):
    """Raises what a launch says of an array whose library would not lend it; `error` is the library's own, or None."""
    if error is not None and not isinstance(error, Exception):
        raise error  # KeyboardInterrupt
    text = next((text for holds, text in _REASONS if holds(array)), None)
    if text is None and error is not None and "\nException raised from" not in str(error):
        error.add_note(f"raised while {where} was read")
        raise error
    said = str(error).partition("\n")[0] if error is not None else "its library would not lend it, and does not say why"
    raise BufferError(f"{where} {text}" if text else f"{where} cannot be read: {said}") from None

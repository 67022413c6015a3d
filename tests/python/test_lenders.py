"""What libraries ask of those who use their arrays: marks of conjugated and negated tensors, gradients, versions, memory that
may only be read. With a library of our own (producers.lending); the real ones: test_torch.py, test_jax.py."""

import contextlib
import warnings

import pytest

from hetjit import device
from hetjit.errors import ReadOnlyError

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers
from lent_kernels import copy, double
from producers import lending

Tensor = lending.tensor_class(producers.exchange_class())
Capsules = lending.tensor_class(producers.Producer)
CLASSES = pytest.mark.parametrize("cls", [Tensor, Capsules], ids=["functions", "capsules"])


def ones(n=8, dtype=np.float32):
    return np.ones(n, dtype)


@CLASSES
def test_marks_are_refused(cls):
    out = np.zeros(8, np.complex64)
    for dtype in (np.complex64, np.complex128):
        copy[1, 8](cls(ones(8, dtype)), out)
        with pytest.raises(BufferError, match=r"argument 'x' is conjugated only by a mark.* pass x\.resolve_conj\(\)"):
            copy[1, 8](cls(ones(8, dtype), conj=True), out)
    for dtype in (np.float16, np.float32, np.float64, np.complex64):
        with pytest.raises(BufferError, match=r"argument 'x' is negated only by a mark.* pass x\.resolve_neg\(\)"):
            copy[1, 8](cls(ones(8, dtype), neg=True), out)


def test_marks_are_asked_where_they_can_be():
    for dtype, asked in ((np.int32, set()), (np.float32, {"is_neg"}), (np.complex64, {"is_neg", "is_conj"})):
        lending.asked.clear()
        copy[1, 8](Tensor(ones(8, dtype)), np.zeros(8, dtype))
        assert set(lending.asked) == asked


@device.func
def deep(t):
    t[1][device.tid(1)] = 1


@device.func
def first_half(x):
    return x[:4]


@device.struct
class Pair:
    a: device.float32[:]
    b: device.float32[:]


@device.kernel
def by_name(a, b): b[device.tid(1)] = a[device.tid(1)]


@device.kernel
def by_view(a, b): v = b[::2]; w = v[1:]; w[0] = a[0]


@device.kernel
def by_view_of_all(a, b): b[...] = a


@device.kernel
def by_call(a, b): first_half(b)[device.tid(1) // 2] = a[0]


@device.kernel
def by_tuple_in_call(a, b): deep((a, b))


@device.kernel
def by_atomic(a, b): device.atomic.add(b, 0, a[0])


@device.kernel
def by_choice(a, b):
    v = b[1:] if a[0] > 0 else b[:-1]
    v[0] = 1


@device.kernel
def in_loop(a, b):
    v = b
    for i in range(3):
        v = v[1:]
    v[0] = a[0]


@device.kernel
def by_reference(a, b):
    r = device.AtomicRef(b, 0)
    r.store(a[0])


@device.kernel
def swapped(a, b):
    for i in range(3):
        a, b = b, a
    a[0] = b[0]


@device.kernel
def never(a, b):
    if False:
        a[0] = 1
    t = (a, b)
    device.local_array(4, device.float32)[0] = t[0][0] + t[1][0]


STORES = [(by_name, "b"), (by_view, "b"), (by_view_of_all, "b"), (by_call, "b"), (by_tuple_in_call, "b"), (by_atomic, "b"),
          (by_choice, "b"), (in_loop, "b"), (by_reference, "b"), (swapped, "ab"), (never, "")]


@pytest.mark.parametrize("kernel, stored", STORES, ids=[kernel.__name__ for kernel, _ in STORES])
@CLASSES
def test_stores_are_announced(cls, kernel, stored):
    """The versions of those tensors are raised that the kernel may store to, and of no others."""
    a, b = cls(ones()), cls(ones())
    for _ in range(2):
        lending.asked.clear()
        kernel[1, 8](a, b)
        assert lending.asked["increment_version"] == bool(stored)
    assert (a.version, b.version) == (2 * ("a" in stored), 2 * ("b" in stored))


@device.kernel
def of_tuple(t): t[1][0][device.tid(1)] = t[0][0]


@device.kernel
def of_tuple_by_number(t, i): t[i][0] = 1


@device.kernel
def of_struct(p): p.b[device.tid(1)] = p.a[0]


def test_stores_through_parts_are_announced():
    a, b, c = Tensor(ones()), Tensor(ones()), Tensor(ones())
    of_tuple[1, 8]((a, (b, c)))
    assert (a.version, b.version, c.version) == (0, 1, 0)
    of_struct[1, 8](Pair(c, a))
    assert (a.version, b.version, c.version) == (1, 1, 0)
    of_tuple_by_number[1, 1]((a, b), 1)
    assert (a.version, b.version, c.version) == (2, 2, 0)
    lots = tuple(Tensor(ones()) for _ in range(70))
    @device.kernel
    def last(t, x): x[0] = t[69][0]
    last[1, 1](lots, b)
    assert b.version == 3 and not any(one.version for one in lots[:62])


@CLASSES
def test_leaves_that_require_a_gradient(cls):
    leaf, out = cls(ones(), requires_grad=True), cls(ones())
    copy[1, 8](leaf, out)  # to read it is no matter
    with pytest.raises(RuntimeError, match=r"double\(\): argument 'x' is a leaf tensor that requires a gradient, and the kernel "
                                           r"stores to it: launch the kernel under lending\.no_grad\(\), or pass \.detach\(\)"):
        double[1, 8](leaf)
    view = cls(leaf.array[2:], requires_grad=True, is_leaf=False, base=leaf)
    with pytest.raises(RuntimeError, match="leaf tensor that requires"):
        double[1, 6](view)
    with pytest.raises(RuntimeError, match=r"argument 't'\[1\]\[0\] is a leaf"):
        of_tuple[1, 8]((out, (leaf, out)))
    assert (leaf.array == 1).all() and leaf.version == 0
    lending.grad_enabled = False
    try:
        double[1, 8](leaf)
    finally:
        lending.grad_enabled = True
    assert (leaf.array == 2).all() and leaf.version == 1


@CLASSES
def test_results_that_require_a_gradient(cls):
    tensor = cls(ones(), requires_grad=True, is_leaf=False)
    with pytest.warns(RuntimeWarning, match="argument 'x' requires a gradient, and the kernel stores to it, which lending cannot"):
        double[1, 8](tensor)
    assert (tensor.array == 2).all() and tensor.version == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            double[1, 8](tensor)
    assert (tensor.array == 2).all()


def test_a_library_that_fails_while_it_is_told():
    class Broken(Tensor):
        requires_grad = property(lambda self: 1 / 0, lambda self, value: None)
    with pytest.raises(ZeroDivisionError):
        double[1, 8](Broken(ones()))


STACK = "Cannot access data pointer of Tensor that doesn't have storage\nException raised from throw_data_ptr_access_error at x.cpp:1"


@pytest.mark.parametrize("error, raised, text", [
    (RuntimeError(STACK), BufferError, r"argument 'x', a lending\.\S+, cannot be read: Cannot access data pointer of Tensor that "
                                       r"doesn't have storage$"),
    (KeyboardInterrupt(), KeyboardInterrupt, "^$"),
    (ValueError("not now"), ValueError, "not now"),
    (..., BufferError, "argument 'x'.* its library would not lend it, and does not say why")], ids=["stack", "interrupt", "other", "none"])
def test_what_is_not_lent(error, raised, text):
    cls = lending.tensor_class(producers.exchange_class(refuses=error))
    with pytest.raises(raised, match=text) as caught:
        double[1, 8](cls(ones()))
    assert "Exception raised from" not in str(caught.value)
    if raised is ValueError:
        assert any("argument 'x'" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("attribute, value, text", [
    ("layout", "torch.sparse_coo", r"is sparse: pass its \.values\(\), or \.to_dense\(\)"), ("is_quantized", True, "is quantized"),
    ("is_meta", True, "is a meta tensor"), ("is_deleted", lambda: True, "has been deleted")])
def test_reasons_of_what_is_not_lent(attribute, value, text):
    cls = lending.tensor_class(producers.exchange_class(refuses=RuntimeError(STACK)))
    tensor = cls(ones())
    setattr(tensor, attribute, value)
    with pytest.raises(BufferError, match=r"double\(\): argument 'x', a lending\.\S+, " + text):
        double[1, 8](tensor)


# ---- memory that may only be read


class Immutable(producers.Producer):
    """As JAX's arrays: capsules from before DLPack 1.0, whatever is asked for."""

    def __init__(self, array, **options):
        super().__init__(array, old=True, **options)


@device.kernel
def total(t, out):
    out[0] = t[0][0] + t[1][0]


@pytest.mark.row("HET-ARR-16")
def test_unversioned_capsules_are_only_read():
    x, out = Immutable(ones()), np.zeros(8, np.float32)
    copy[1, 8](x, out)
    assert (out == 1).all()
    with pytest.raises(ReadOnlyError) as caught:
        double[1, 8](x)
    text = str(caught.value)
    assert "x[i] = x[i] * 2" in text and "device.writable(copy)" in text
    assert "argument 'x' is a producers.Immutable" in text or "argument 'x' is a test_lenders.Immutable" in text
    with pytest.raises(ReadOnlyError, match=r"argument 't'\[1\]\[0\] is a"):
        of_tuple[1, 8]((out, (x, out)))
    total[1, 1]((x, x), out)
    assert out[0] == 2 and (x.array == 1).all() and x.deleted == 5
    assert isinstance(caught.value, BufferError) and device.ReadOnlyError is ReadOnlyError


def test_the_user_says_that_it_may_be_written():
    x = Immutable(ones())
    double[1, 8](device.writable(x))
    of_tuple[1, 8]((ones() * 7, (device.writable(x), 1)))
    assert (x.array == 7).all() and x.deleted == 2
    flagged = producers.Producer(ones(), flags=1)
    double[1, 8](device.writable(flagged))
    assert (flagged.array == 2).all()
    flagged = producers.CudaArray(ones(), data=(4096, True))
    double.on("null")[1, 8](device.writable(flagged))
    own = ones()
    double[1, 8](device.writable(own))
    assert (own == 2).all()
    for wrong in (3, None, [1], device.writable(own), (own,)):
        with pytest.raises(TypeError, match=r"double\(\): argument 'x' is "):
            double[1, 8](device.writable(wrong))


def test_the_next_launch_is_not_writable_by_the_last():
    x = Immutable(ones())
    with pytest.raises(ReadOnlyError, match="argument 'out'"):
        copy[1, 8](device.writable(ones()), x)
    by_name[1, 8](device.writable(Immutable(ones())), device.writable(x))
    with pytest.raises(ReadOnlyError):
        by_name[1, 8](device.writable(Immutable(ones())), x)


def test_arrays_of_structs_fields_must_be_writable():
    with pytest.raises(TypeError, match=r"argument 'p'\.b is .*read-only"):
        of_struct[1, 8](Pair(ones(), Immutable(ones())))
    with pytest.raises(TypeError, match=r"argument 'p'\.a is .*read-only"):
        of_struct[1, 8](Pair(np.broadcast_to(np.float32(1), 8), ones()))


@pytest.mark.parametrize("read_only", [False, True])
def test_another_interface_says_what_a_capsule_cannot(read_only):
    for interface, where, kind in (("__array_interface__", "cpu", producers.CPU), ("__cuda_array_interface__", "null", producers.CUDA)):
        told = property(lambda self: {"data": (self.array.ctypes.data, read_only)})
        of_all = type("Telling", (Immutable,), {interface: told})(ones(), device=(kind, 0))
        alone = Immutable(ones(), device=(kind, 0))
        setattr(alone, interface, {"data": (alone.array.ctypes.data, read_only)})
        for x in (of_all, alone):
            with pytest.raises(ReadOnlyError) if read_only else contextlib.nullcontext():
                double.on(where)[1, 8](x)
            assert x.array[0] == (2 if where == "cpu" and not read_only else 1)


@pytest.mark.parametrize("library", ["cupy", "numba.cuda.cudadrv", "torch", "tvm_ffi.core"])
def test_libraries_of_mutable_arrays(library):
    base = type("Array", (Immutable,), {"__module__": library})
    x = type("Mine", (base,), {})(ones())
    double[1, 8](x)
    assert (x.array == 2).all()


def test_kernels_without_gradients_need_no_announcement():
    """Arrays that need nothing of this are not kept, nor asked."""
    lending.asked.clear()
    x, out = ones(), ones()
    by_name[1, 8](x, out)
    by_name[1, 8](producers.Producer(x), producers.Producer(out))
    assert not lending.asked

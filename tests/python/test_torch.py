"""PyTorch's tensors as arguments: values behind marks, gradients, versions, and what has no plain memory. `./dev setup --torch`
installs PyTorch; the same rules with a library of our own: test_lenders.py."""

import warnings

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
torch = pytest.importorskip("torch", reason="PyTorch is not installed for this Python: ./dev setup --torch", exc_type=ImportError)
if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
    pytest.skip("PyTorch before 2.10: its tensors come by __dlpack__, which refuses marks and gradients itself", allow_module_level=True)

from lent_kernels import copy, double


@pytest.mark.parametrize("name", ["bool", "int8", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
                                  "float64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64",
                                  "complex128"])
def test_element_types(name):
    x = torch.arange(8).to(getattr(torch, name))
    out = torch.zeros(8, dtype=getattr(torch, name))
    copy[1, 8](x, out)
    assert x.view(torch.uint8).tolist() == out.view(torch.uint8).tolist() and out._version == 1 and x._version == 0


@pytest.mark.parametrize("name", ["complex32", "float8_e8m0fnu"])
def test_element_types_that_no_kernel_reads(name):
    with pytest.raises(BufferError, match="argument 'x'"):
        copy[1, 8](torch.zeros(8, dtype=torch.uint8).view(getattr(torch, name)), np.zeros(8))


def test_conjugated_and_negated():
    x, out = torch.tensor([1 + 2j]), torch.zeros(1, dtype=torch.complex64)
    assert x.conj().is_conj() and x.conj().imag.is_neg()
    with pytest.raises(BufferError, match=r"argument 'x' is conjugated only by a mark.* pass x\.resolve_conj\(\)"):
        copy[1, 1](x.conj(), out)
    with pytest.raises(BufferError, match=r"argument 'x' is negated only by a mark.* pass x\.resolve_neg\(\)"):
        copy[1, 1](x.conj().imag, out)
    with pytest.raises(BufferError, match="argument 'out' is conjugated"):
        copy[1, 1](x, out.conj())
    copy[1, 1](x.conj().resolve_conj(), out)
    assert out[0] == 1 - 2j
    copy[1, 1](x.conj().conj(), out)
    assert out[0] == 1 + 2j


def test_leaves():
    w = torch.ones(8, requires_grad=True)
    out = torch.empty(8)
    copy[1, 8](w, out)
    for leaf in (w, w[2:], torch.nn.Parameter(torch.ones(8))):
        with pytest.raises(RuntimeError, match=r"double\(\): argument 'x' is a leaf tensor that requires a gradient, and the kernel "
                                               r"stores to it: launch the kernel under torch\.no_grad\(\), or pass \.detach\(\)"):
            double[1, leaf.numel()](leaf)
    assert (w == 1).all() and w._version == 0
    with torch.no_grad():
        double[1, 8](w)
    assert (w == 2).all() and w._version == 1
    double[1, 8](w.detach())
    assert (w == 4).all() and w._version == 2


def test_backward_knows_what_was_overwritten():
    w = torch.ones(8, requires_grad=True)
    loss = (w * w).sum()
    double[1, 8](w.detach())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    y = torch.ones(8, requires_grad=True).exp()  # saves its result
    with pytest.warns(RuntimeWarning, match=r"requires a gradient, and the kernel stores to it, which torch cannot differentiate"):
        double[1, 8](y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_reading_leaves_gradients_alone():
    w = torch.ones(8, requires_grad=True)
    loss = (w * w).sum()
    copy[1, 8](w, torch.empty(8))
    loss.backward()
    assert (w.grad == 2).all()


def test_functions_of_autograd():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            out = x.clone()
            double[1, 8](out)
            return out

        @staticmethod
        def backward(context, gradient):
            found = gradient.clone()
            double[1, 8](found)
            return found
    w = torch.ones(8, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = Double.apply(w)
        out.sum().backward()
    assert (out == 2).all() and (w.grad == 2).all()


def test_inference_mode():
    with torch.inference_mode():
        x = torch.ones(8)
        double[1, 8](x)
        double[1, 8](torch.nn.Parameter(x))
    double[1, 8](x)
    assert (x == 8).all()


def test_in_tuples_and_structs():
    @device.struct
    class Pair:
        a: device.float32[:]
        b: device.float32[:]

    @device.kernel
    def by_struct(p): p.b[0] = p.a[0]

    @device.kernel
    def by_tuple(t): t[1][0] = t[0][7]
    w, out = torch.nn.Parameter(torch.arange(8.0)), torch.zeros(8)
    by_tuple[1, 1]((w, out))
    assert out[0] == 7 and (w._version, out._version) == (0, 1)
    by_struct[1, 1](Pair(w, out))
    assert out[0] == 0 and (w._version, out._version) == (0, 2)
    with pytest.raises(RuntimeError, match=r"argument 't'\[1\] is a leaf"):
        by_tuple[1, 1]((out, w))
    with pytest.raises(RuntimeError, match=r"argument 'p'\.b is a leaf"):
        by_struct[1, 1](Pair(out, w))


def no_storage():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(torch.eye(3).to_sparse(), "is sparse: pass"), (torch.eye(3).to_sparse_csr(), "is sparse: pass"),
                (torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8), "is quantized: pass"),
                (torch.ones(3, device="meta"), "is a meta tensor"), (torch.ones(3).to_mkldnn(), "is not laid out with strides"),
                (torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), "is nested: pass")]


@pytest.mark.parametrize("x, text", no_storage(), ids=["coo", "csr", "quantized", "meta", "mkldnn", "nested"])
def test_tensors_without_plain_memory(x, text):
    with pytest.raises(BufferError, match=r"copy\(\): argument 'x', a torch\.Tensor, " + text) as caught:
        copy[1, 1](x, torch.zeros(3))
    assert "Exception raised from" not in str(caught.value) and caught.value.__cause__ is None


def test_tensors_of_transformations():
    """Wrappers of torch.func and fake tensors have no memory of their own."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode():
        fake = torch.ones(3)
    with pytest.raises(BufferError, match="argument 'x'") as caught:
        copy[1, 1](fake, torch.zeros(3))
    assert "Exception raised from" not in str(caught.value)
    with pytest.raises(BufferError, match="argument 'x'") as caught:
        torch.vmap(lambda x: copy[1, 1](x, torch.zeros(3)) or x)(torch.ones(2, 3))
    assert "Exception raised from" not in str(caught.value)


def test_shapes():
    out = torch.full((8,), 5.0)
    copy[1, 8](torch.zeros(0), out)
    assert (out == 5).all()
    x = torch.arange(12.0).reshape(3, 4)

    @device.kernel
    def copy_2(x, out):
        i, j = device.tid(2)
        out[i, j] = x[i, j]
    for view in (x.t(), x[:, ::2], x[1:], x.t()[::2], torch.ones(1).expand(3, 4)):
        out = torch.zeros(view.shape)
        copy_2[1, tuple(view.shape)](view, out)
        assert (out == view).all()
    column = torch.zeros(4, 6)
    copy_2[1, (3, 4)](x, column.t()[:3])
    assert (column[:, :3].t() == x).all() and column._version == 1


def test_lazy_clones():
    """A clone shares its memory until one of the two is written to."""
    x = torch.ones(8)
    clone = torch._lazy_clone(x)
    double[1, 8](clone)
    assert (x == 1).all() and (clone == 2).all()


def test_views_by_numpy():
    x = torch.ones(8)
    double[1, 8](x.numpy())
    assert (x == 2).all()
    with pytest.raises(RuntimeError, match="requires grad"):
        torch.ones(8, requires_grad=True).numpy()


def test_pinned_memory():
    if not torch.cuda.is_available():
        pytest.skip("pinned memory needs a GPU")
    x = torch.ones(8).pin_memory()
    double[1, 8](x)
    assert (x == 2).all() and x._version == 1


def test_subclasses():
    class Named(torch.Tensor):
        pass
    x = torch.ones(8).as_subclass(Named)
    double[1, 8](x)
    assert (x == 2).all() and x._version == 1

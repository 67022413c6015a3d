"""Kernels as operators of PyTorch: what they say to mutate, and that torch.compile takes them into its graphs. `./dev setup --torch` installs
PyTorch."""

import sys

import pytest

from hetjit import device


@device.kernel
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]


def test_without_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "hetjit.device.torch_ops", raising=False)
    with pytest.raises(ModuleNotFoundError):
        saxpy.as_torch_op("tests::saxpy")


torch = None
try:
    import torch
except ImportError:
    pass
with_torch = pytest.mark.skipif(torch is None, reason="PyTorch is not installed for this Python: ./dev setup --torch")


@device.func
def scaled(to, of, i, by):
    to[i] = of[i] * by


@device.kernel
def scale_both(x, first, second, by, limit: device.int32, doubled: bool):
    i = device.tid(1)
    if i < limit:
        scaled(first, x, i, by)
        if doubled:
            scaled(second, x, i, 2)


def schema(library, name):
    return str(getattr(getattr(torch.ops, library), name).default._schema)


@with_torch
def test_what_it_mutates_is_what_the_kernel_stores_to():
    op = saxpy.as_torch_op("hetjit_stores::saxpy")
    x, y = torch.arange(5.0), torch.ones(5)
    op[1, 32](2.0, x, y)
    assert y.tolist() == [1, 3, 5, 7, 9] and y._version > 0 and x._version == 0
    assert schema("hetjit_stores", "saxpy").endswith("float a, Tensor x, Tensor(y!) y) -> ()")
    both = scale_both.as_torch_op("hetjit_stores::both")
    first, second = torch.zeros(2, 3)[0], torch.zeros(3, dtype=torch.float64)
    both[(1, 1), (32, 1), 0](torch.ones(3), first, second, 5, 2, True)
    assert first.tolist() == [5, 5, 0] and second.tolist() == [2, 2, 0]
    told = torch.ops.hetjit_stores.both.default._schema.arguments
    assert [(one.name, one.alias_info is not None and one.alias_info.is_write) for one in told[3:]] == [
        ("x", False), ("first", True), ("second", True), ("by", False), ("limit", False), ("doubled", False)]


@with_torch
def test_arguments_of_other_types_are_another_operator():
    op = saxpy.as_torch_op("hetjit_types::saxpy")
    for dtype in (torch.float32, torch.float64, torch.int64):
        y = torch.ones(3, dtype=dtype)
        op.forall(3)(2, torch.ones(3, dtype=dtype), y)
        assert y.tolist() == [3, 3, 3]
    op.forall(3)(0.5, torch.ones(3), y := torch.ones(3))
    assert y.tolist() == [1.5] * 3
    assert "SymInt a" in schema("hetjit_types", "saxpy") and "float a" in schema("hetjit_types", "saxpy__2")
    op.forall(0)(0.5, torch.ones(0), torch.ones(0))


@device.kernel
def filled(x, k):
    x[device.tid(1)] = k


@device.kernel
def added(x, k):
    x[device.tid(1)] += k


@with_torch
def test_an_operator_is_one_kernels():
    """Another's name is refused, whatever comes first; the numbered ones are nobody's to choose."""
    fill, add = filled.as_torch_op("hetjit_names::fill"), added.as_torch_op("hetjit_names::fill_2")
    x = torch.ones(2)
    add[1, 2](x, 1.0)
    fill[1, 2](x, 7)
    fill[1, 2](x, 8.0)
    add[1, 2](x, 1.0)
    assert x.tolist() == [9, 9]
    assert filled.as_torch_op("hetjit_names::fill") is fill
    for name, says in (("fill", "the name of .*filled"), ("fill_2", None), ("fill__2", "leave the number away"), ("other__12", "leave the number")):
        if says:
            with pytest.raises(ValueError, match=says):
                added.as_torch_op(f"hetjit_names::{name}")
    with pytest.raises(ValueError, match="PyTorch has an operator of this name"):
        added.as_torch_op("aten::add")


@with_torch
def test_a_kernel_that_is_defined_again():
    """A cell of a notebook that is run twice: what was made before stays what it is."""
    def cell(number):
        @device.kernel
        def again(x):
            x[device.tid(1)] = number
        return again.as_torch_op("hetjit_cells::again")
    ops = [cell(number) for number in (1, 2, 3)]
    x = torch.zeros(1)
    for order in (ops, ops[::-1]):
        for op in order:
            op[1, 1](x)
            assert x.tolist() == [ops.index(op) + 1]
            op[1, 1](y := torch.zeros(1, dtype=torch.int64))
            assert y.tolist() == [ops.index(op) + 1]


@with_torch
def test_which_operator_it_is_is_guarded():
    ops = filled.as_torch_op("hetjit_guards::fill"), added.as_torch_op("hetjit_guards::add")

    class Layer(torch.nn.Module):
        def __init__(self, op):
            super().__init__()
            self.op = op

        def forward(self, x):
            return program(self.op, x)

    def program(op, x):
        y = x.clone()
        op[1, 4](y, 2.0)
        return y
    compiled, x = torch.compile(program, backend="eager", fullgraph=True), torch.ones(4)
    for _ in range(2):
        assert [compiled(op, x)[0].item() for op in ops] == [2, 3]
    assert [torch.compile(Layer(op), backend="aot_eager", fullgraph=True)(x)[0].item() for op in ops] == [2, 3]


@with_torch
def test_gradients_that_nobody_would_know_of(recwarn):
    """The words of a launch by hand: a leaf is refused, for what was computed there is a warning."""
    op = filled.as_torch_op("hetjit_gradients::fill")

    def program(x):
        op[1, 4](x, 2.0)
        return x
    leaf = torch.ones(4, requires_grad=True)
    with pytest.warns(RuntimeWarning) as told:
        program(leaf * 2)
    assert [warning.filename for warning in told] == [__file__], "it is told of the launch"
    for run in (program, torch.compile(program, backend="eager")):
        with pytest.raises(RuntimeError, match="argument 'x' is a leaf tensor that requires a gradient"):
            run(leaf)
        with pytest.warns(RuntimeWarning, match="argument 'x' requires a gradient"):
            run(leaf * 2)
    with pytest.raises(Exception, match="leaf tensor that requires a gradient"):
        torch.compile(program, backend="eager", fullgraph=True)(leaf)
    assert leaf.tolist() == [1] * 4
    recwarn.clear()
    with torch.no_grad():
        op[1, 4](leaf, 2.0)
    op[1, 4](leaf.detach(), 3.0)
    saxpy.as_torch_op("hetjit_gradients::saxpy")[1, 4](1.0, leaf, y := torch.zeros(4))
    assert y.tolist() == leaf.tolist() == [3] * 4 and not recwarn.list


@device.kernel
def either(x, y):
    if x.ndim == 1:
        y[device.tid(1)] = x[device.tid(1)]
    else:
        x[device.tid(1), 0] = y[device.tid(1)]


@with_torch
def test_what_is_stored_to_may_hang_on_the_types():
    op = either.as_torch_op("hetjit_either::either")
    row, column = torch.ones(2), torch.zeros(2, 1)
    op[1, 2](row, out := torch.zeros(2))
    op[1, 2](column, row)
    assert out.tolist() == [1, 1] and column.tolist() == [[1], [1]] and row._version == 0
    with pytest.raises(TypeError, match="for arguments of other types"):
        torch.ops.hetjit_either.either([1], [2], 0, column, row)


@with_torch
def test_a_compiled_function_has_one_graph():
    op, graphs = saxpy.as_torch_op("hetjit_graphs::saxpy"), []

    def backend(module, inputs):
        graphs.append(module)
        from torch._dynamo.backends.debugging import aot_eager
        return aot_eager(module, inputs)

    def program(x, y):
        y = y * 2
        op[(x.numel() + 31) // 32, 32](0.5, x, y)
        op.forall(x.numel())(1.0, x, y)
        return y + x
    compiled = torch.compile(program, fullgraph=True, backend=backend)
    for count in (4, 100, 37):
        x, y = torch.arange(float(count)), torch.ones(count)
        assert torch.equal(compiled(x, y), program(x, y)) and y.tolist() == [1] * count
    assert len(graphs) == 2, "one for four elements, one for any number"
    assert "hetjit_graphs.saxpy" in graphs[0].code


@with_torch
def test_an_operator_keeps_pytorchs_rules():
    op = saxpy.as_torch_op("hetjit_rules::saxpy")
    op.forall(3)(1.0, torch.ones(3), torch.ones(3))
    torch.library.opcheck(torch.ops.hetjit_rules.saxpy.default, ([1], [32], 0, 2.0, torch.ones(3), torch.ones(3)))


@with_torch
def test_mistakes():
    for name in ("saxpy", "::saxpy", "a::", "a b::c", "a::b::c", "a::def", "é::b"):
        with pytest.raises(ValueError, match="an operator is called"):
            saxpy.as_torch_op(name)
    op = saxpy.as_torch_op("hetjit_mistakes::saxpy")
    with pytest.raises(TypeError, match="takes 3 arguments, not 2: a, x, y"):
        op[1, 1](1.0, torch.ones(1))
    with pytest.raises(TypeError, match="argument 'y' is list; operators take"):
        op[1, 1](1.0, torch.ones(1), [1])
    with pytest.raises(TypeError, match="takes grid, block"):
        op[1]
    with pytest.raises(TypeError, match="no elements of torch.complex32"):
        op[1, 1](1.0, torch.ones(1), torch.ones(1, dtype=torch.complex32))
    with pytest.raises(device.CompileError):
        op[1, 1](1.0, torch.ones(()), torch.ones(1))

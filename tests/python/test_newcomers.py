"""Names that people bring from CUDA C++, Numba, Warp, Triton, CuPy and NumPy lead to ours: what the message says to write instead."""

import re
import textwrap

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

BROUGHT = [
    ("i = device.grid(1)", "device.tid(1)"), ("i = cuda.grid(1)", "device.tid(1)"), ("n = cuda.gridsize(1)", "device.tid(1)"),
    ("n = device.gridsize(1)", "device.grid_size(1)"), ("i = threadIdx.x", "device.thread_idx.x"), ("i = blockIdx.x", "device.block_idx.x"),
    ("n = blockDim.x", "device.block_dim.x"), ("n = gridDim.x", "device.grid_dim.x"), ("i = device.threadIdx.x", "device.thread_idx.x"),
    ("n = warpSize", "device.warp_size"), ("i = device.laneid", "device.lane_id"), ("__syncthreads()", "device.syncthreads()"),
    ("device.__syncthreads()", "device.syncthreads()"), ("syncthreads()", "device.syncthreads()"), ("__syncwarp()", "device.syncwarp()"),
    ("__threadfence()", "device.threadfence()"), ("s = device.shared.array(8, device.float32)", "device.shared_array(n, device.float32)"),
    ("s = device.local.array(8, device.float32)", "device.local_array(n, device.float32)"), ("device.printf('%d', x[0])", "print(i, x[i])"),
    ("printf('%d', x[0])", "print(i, x[i])"), ("atomicAdd(x, 1)", "device.atomic.add(a, i, value)"),
    ("device.atomicAdd(x, 0, 1)", "device.atomic.add(a, i, value)"), ("atomicCAS(x, 1, 2)", "device.atomic.cas(a, i, compare, value)"),
    ("v = make_float3(1, 2, 3)", "device.float32x3(x, y, z)"), ("v = device.float3(1, 2, 3)", "device.float32x3(x, y, z)"),
    ("v = device.make_int4(1, 2, 3, 4)", "device.int32x4(x, y, z, w)"), ("v = device.vec3(1, 2, 3)", "device.float32x3(x, y, z)"),
    ("v = device.double(1)", "device.float64(x)"), ("v = device.half(1)", "device.float16(x)"), ("v = device.int(1)", "device.int64(x)"),
    ("i = wp.tid()", "device.tid(1)"), ("i = tl.program_id(0)", "i = device.tid(1)"), ("v = tl.load(x)", "i = device.tid(1)"),
    ("i = device.program_id(0)", "device.block_idx.x"), ("v = jnp.sqrt(x[0])", "np.sqrt(x[i])"), ("v = cp.sqrt(x[0])", "np.sqrt(x[i])"),
    ("v = numpy.linalg.norm(x)", "math.sqrt(total)"), ("v = numpy.random.rand()", "device.random.uniform"), ("v = random.random()", "device.random.uniform"),
    ("v = numpy.random.normal()", "device.random.normal"), ("v = numpy.mean(x)", "divide by the number"), ("v = numpy.matmul(x, x)", "a[i, k] * b[k, j]"),
    ("v = x @ x", "a[i, k] * b[k, j]"), ("v = numpy.zeros(3)", "pass one as an argument"), ("l = []\nl.append(x[0])", "device.local_array"),
    ("d = {}", "keys and values"), ("open('a')", "on the host"), ("import time", "at the top of the module"), ("x.sort()", "sort on the host"),
    ("try:\n    x[0] = 1\nexcept ValueError:\n    pass", "test beforehand"), ("t = (1, 2)\nt.append(3)", "device.local_array"),
    ("v = sum([x[i] for i in range(len(x))])", "device.local_array"), ("x[0] = 'text'", "print(…) writes text"), ("a, b = x[0]", "assign it to one name"),
]


def kernel_of(body, **names):
    space = {"device": device, "numpy": np, "random": __import__("random"), **names}
    exec(f"def kernel(x):\n{textwrap.indent(body, '    ')}", space)
    return device.kernel(space["kernel"])


@pytest.mark.parametrize("body, wanted", BROUGHT, ids=[body for body, _ in BROUGHT])
def test_a_name_that_was_brought(body, wanted):
    with pytest.raises(device.CompileError) as caught:
        kernel_of(body)[1, 1](np.ones(4, np.float32))
    assert any("help: " in line and wanted in line for line in str(caught.value).splitlines()), caught.value


@pytest.mark.parametrize("body, said", [("v = numpy.linalg.norm(x)", "'numpy.linalg.norm' is not"), ("v = random.random()", "'random.random' is not"),
                                        ("i = device.grid(1)", "'device.grid' is not")])
def test_modules_are_called_as_the_user_calls_them(body, said):
    with pytest.raises(device.CompileError, match=said):
        kernel_of(body)[1, 1](np.ones(4, np.float32))


def test_swapped_arguments():
    with pytest.raises(device.CompileError, match="mind the order of the arguments"):
        kernel_of("x[0] = 1")[1, 1](3)


@pytest.mark.parametrize("name, advice", [("threadIdx", "write device.thread_idx.x"), ("jit", "write @device.kernel"),
                                          ("to_device", "write device.array(x,"), ("syncthread", "did you mean 'device.syncthreads'?")])
def test_names_that_device_has_not_on_the_host(name, advice):
    with pytest.raises(AttributeError, match=f"module 'hetjit.device' has no attribute '{name}': {re.escape(advice)}"):
        getattr(device, name)
    assert not hasattr(device, "__wrapped__") and not hasattr(device, "quite_another_thing")


def test_edits_are_parts_of_a_message():
    @device.kernel
    def half(x):
        x[len(x) / 2] = 0
    with pytest.raises(device.CompileError) as caught:
        half[1, 1](np.zeros(4, np.float32))
    (edit,) = caught.value.edits
    assert edit.text == "/" and edit.span.column == edit.span.end_column and edit.span.line == caught.value.span.line
    assert device.CompileError("text").edits == ()


@pytest.mark.parametrize("wrong, says", [
    (lambda: device.kernel("void(float32[:])"), "takes no signature"), (lambda: device.kernel(device=True), "Functions that kernels call"),
    (lambda: device.kernel(fast_math=True), "write fastmath=True"), (lambda: device.kernel(lambda x: None).forall(np.zeros(3)), "n is an int, not ndarray"),
    (lambda: device.kernel(lambda x: None).forall(3, np.zeros(3)), "forall(n)(x, y)")])
def test_options_and_launches_of_other_packages(wrong, says):
    with pytest.raises(TypeError) as caught:
        wrong()
    assert says in str(caught.value)

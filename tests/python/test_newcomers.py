"""Names that people bring from CUDA C++, Numba, Warp, Triton, CuPy and NumPy lead to ours: what the message says to write instead."""

import linecache
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
    ("i = device.curand_init(1, 0, 0)", "there is no state"), ("v = device.ldg(x, 0)", "write x[i]"), ("v = numpy.random.uniform(0, 1)", "device.random.uniform"),
    ("for i in prange(4):\n    x[i] = 0", "device.tid(1)"), ("x[0] = FLT_MAX", "np.finfo(np.float32).max"), ("d = device.array(x)", "pass one as an argument"),
    ("x[0] = device.finfo(device.float32).max", "as a global"), ("device.synchronize()", "the host waits"),
    ("@device.func\ndef twice(v):\n    return v * 2\nx[0] = twice(1.0)", "need no decorator"), ("x[0] = x[1].sqrt()", "math.sqrt(x)"),
    ("x[0] = x.numel()", "write x.size"), ("x[0] = x.size(0)", "x.shape[0]"), ("i = device.thread_idx\nx[i] = 1", "device.thread_idx.x"),
    ("x[0] = x[1] ^ 2", "x ** y"), ("device.atomic.add(x[0], 0, 1)", "the array and the index apart"),
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


def written(body):
    """The same, of a file: messages show its lines, and offer changes of them."""
    text = f"def kernel(x):\n{textwrap.indent(body, '    ')}\n"
    linecache.cache["newcomers.py"] = (len(text), None, text.splitlines(True), "newcomers.py")
    space = {"device": device}
    exec(compile(text, "newcomers.py", "exec"), space)
    return device.kernel(space["kernel"])


HOST = sorted(name for name in dir(device) if not name.startswith("_") and callable(getattr(device, name)))


@pytest.mark.parametrize("name", HOST)
def test_names_of_device_in_a_kernel(name):
    """Whatever is called in a kernel, what is said is about that kernel: no line of the package's own is shown but of functions for device code."""
    for arguments in ("", "x", "x, 0", "4, device.float32"):
        try:
            kernel_of(f"device.{name}({arguments})").explain(np.ones(4, np.float32))
        except device.CompileError as error:
            own = re.findall(r"/hetjit/(\S+?\.py)", str(error))
            assert set(own) <= {"device/vector_math.py", "device/random.py"} and "_core" not in str(error) and "E0316" not in str(error), error


def test_a_name_that_is_wrong_is_told_once():
    with pytest.raises(device.CompileError) as caught:
        written("i = threadIdx.x + threadIdx.y\nx[i] = threadIdx.x")[1, 1](np.ones(4, np.float32))
    assert str(caught.value).count("error[E") == 1 and len(caught.value.edits) == 3


def test_and_between_comparisons_is_meant_where_no_brackets_say_otherwise():
    """The change is offered for `a > 1 & b > 1`, not for `(a & 1) > 0`."""
    for body, word in (("if x[0] > 1 & x[1] > 1:\n    x[0] = 1", "and"), ("if (x[0] > 1 | x[1] > 1):\n    x[0] = 1", "or"),
                       ("if (x[0] & 1) > 0:\n    x[0] = 1", "int("), ("i = x[0] & 1", "int(")):
        with pytest.raises(device.CompileError) as caught:
            written(body)[1, 1](np.ones(4, np.float32))
        assert caught.value.edits[0].text == word, caught.value


def test_swapped_arguments():
    with pytest.raises(device.CompileError, match="mind the order of the arguments"):
        kernel_of("x[0] = 1")[1, 1](3)


@pytest.mark.parametrize("name, advice", [("threadIdx", "write device.thread_idx.x"), ("jit", "write @device.kernel"),
                                          ("to_device", "write device.array(x,"), ("malloc", "device.empty("), ("pinned_array", "memory that is pinned is host_malloc"), ("gpus", "write device.devices()"),
                                          ("vectorize", "write a kernel"), ("syncthread", "did you mean 'device.syncthreads'?")])
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
    (lambda: device.kernel(lambda x: None).forall(3, np.zeros(3)), "forall(n)(x, y)"),
    (lambda: device.kernel(lambda x: None).forall((3, 3)), "launched by grid and block"), (lambda: device.kernel(lambda x: None)[1, 1, None, 0, 8], "is a tuple"),
    (lambda: device.kernel(lambda x: None)[1.5, 1], "'//' divides to an int"), (lambda: device.launch(device.kernel(lambda x: None), dim=8), "kernel.forall(n)"),
    (lambda: device.kernel(staticmethod(lambda x: None)), "write @staticmethod above"), (lambda: device.kernel(max), "write a function that calls it"),
    (lambda: device.kernel(check=True), '"bounds", "race"'),
    (lambda: device.array(np.zeros(3), 0), "named by a text"), (lambda: device.zeros(3.0, np.float32), "a shape is an int"),
    (lambda: device.kernel(lambda x: None)[1, 1]({"a": 1}), "one by one, each by its name"), (lambda: device.kernel(lambda x: None)[1, 1]({1}), "sorted(x)"),
    (lambda: device.kernel(lambda x: None)[1, 1](range(3)), "loop over range"), (lambda: device.kernel(lambda x: None)[1, 1](object()), "make its class a @device.struct"),
    (lambda: device.kernel(lambda x: None)[1, 1]("text"), "device.ConstExpr"), (lambda: device.kernel(lambda self, x: None)[1, 1](1), "gets no 'self'"),
    (lambda: device.kernel(lambda x, *, n: None)[1, 1](1, 2), "write n=…"), (lambda: device.kernel(lambda *x: None), "a tuple of arrays")])
def test_options_and_launches_of_other_packages(wrong, says):
    with pytest.raises(TypeError) as caught:
        wrong()
    assert says in str(caught.value)

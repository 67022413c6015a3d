"""Headers with what users write in C++ (headers.py), called from kernels on every target; what is said of mistakes in such calls."""

import linecache
import pathlib
import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from headers import HEADERS
from hetjit import device, toolchain

THREADS = 8


def kernel_of(name, body, library):
    """The kernel, with its source where messages look for it."""
    text = "def k(out):\n    i = device.tid(1)\n    if i < out.shape[0]:\n" + body.strip("\n") + "\n"
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"device": device, "lib": library}
    exec(compile(text, file, "exec"), scope)
    return scope["k"]


def cuda_folders():
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("CUDA's headers are not installed")
    include = pathlib.Path(nvcc).resolve().parents[1] / "include"
    return [include, include / "cccl"]


@pytest.mark.parametrize("name, where", [(name, place) for name, header in HEADERS.items() for place in header.places])
def test_a_header_is_called_from_a_kernel(name, where):
    header = HEADERS[name]
    include = {"include": cuda_folders()} if header.cuda and where == "cpu" else {}
    library = device.cxx(header.cxx, types=eval(header.types), **include)
    out = launched(kernel_of(name, header.kernel, library), where, np.full((THREADS, 4), -99.0), n=THREADS)[0]
    for i in range(THREADS):
        assert [None if want is None else got for got, want in zip(out[i].tolist(), header.expected(i))] == header.expected(i), i


# name: (C++, what fills out, target, what is said, what to do)
MISTAKES = {
    "enumeration": ("enum class Mode { A, B };\ninline int f(Mode m) { return int(m); }\ninline Mode g(int i) { return Mode(i); }",
                    "out[i, 0] = lib.f(lib.g(1))", "cpu", "no matching function", r"Mode\(value\)"),
    "place": ("__device__ inline int f() { return threadIdx.x; }", "out[i, 0] = lib.f()", "cpu", "only Python knows where a thread is", "library"),
    "place for AMD": ("__device__ inline int f() { return threadIdx.x; }", "out[i, 0] = lib.f()", "hip:gfx942", "threadIdx", "device.thread_idx"),
    "barrier": ("__device__ inline int f() { __syncthreads(); return 1; }", "out[i, 0] = lib.f()", "cpu", "waits for other threads", "library"),
    "variable of the host": ("inline auto f = [](int x) { return x; };", "out[i, 0] = lib.f(1)", "cuda:sm_90", "__host__ variable", "constexpr"),
    "changed variable": ("int counter = 0;\ninline int f(int x) { return counter += x; }", "out[i, 0] = lib.f(1)", "cuda:sm_90",
                         "the variable 'counter'", "__device__"),
    "without a name": ("struct S { struct { int a; } part; };\ninline S f() { return {}; }", "out[i, 0] = lib.f().part.a", "cpu", "without a name", "name in C"),
    "no definition": ("int f(int x);", "out[i, 0] = lib.f(1)", "cpu", r"'f\(int\)'", "define it"),
    "no definition for NVIDIA": ("int f(int x);", "out[i, 0] = lib.f(1)", "cuda:sm_90", r"'f\(int\)'", "define it"),
    "no definition for AMD": ("int f(int x);", "out[i, 0] = lib.f(1)", "hip:gfx942", r"'f\(int\)'", "define it"),
    "a function that is nowhere": ('extern "C" int defined_nowhere(int);\ninline int f(int x) { return defined_nowhere(x); }', "out[i, 0] = lib.f(1)", "cpu", "not there", "define it|library"),
    "printf for AMD": ('#include <cstdio>\ninline int f(int x) { printf("%d", x); return x; }', "out[i, 0] = lib.f(1)", "hip:gfx942", "printf", "print in Python"),
    "private": ("class C { int n = 1; public: int m = 2; };\ninline C f() { return {}; }", "out[i, 0] = lib.f().n", "cpu", "private", "write a call"),
    "exception": ("inline int f(int x) { if (x) throw 1; return x; }", "out[i, 0] = lib.f(1)", "cpu", "'throw'", "correct the library"),
    "text": ('#include <string>\ninline std::string f() { return "a"; }', "out[i, 0] = lib.f()", "cpu", "no type in Python", "types="),
    "a copy": ("struct C { int n; int next() { return ++n; } };\ninline C f() { return {1}; }", "c = lib.f()\n        out[i, 0] = c.next()", "cpu",
               "a copy", "local_array"),
    "not called": ("inline int f(int x) { return x; }", "out[i, 0] = lib.f", "cpu", "no value", "call it"),
    "not called, overloaded": ("inline int f(int x) { return x; }\ninline int f(float x) { return 1; }", "out[i, 0] = lib.f", "cpu", "no value", "call it"),
    "misspelt": ("namespace app { inline int clamp(int x) { return x; } }", "out[i, 0] = lib.app.clmp(1)", "cpu", "did you mean 'clamp'", "write a call"),
    "too few": ("inline int f(int x, int y) { return x + y; }", "out[i, 0] = lib.f(1)", "cpu", "no matching function", "write a call"),
    "an element of a member": ("struct C { int n[4]; };\ninline C f() { return {}; }", "c = lib.f()\n        c.n[1] = 5\n        out[i, 0] = c.n[1]", "cpu",
                               "cannot be assigned", "take it out into a variable"),
    "a member of a member": ("struct B { int n; }; struct C { B b; };\ninline C f() { return {}; }", "c = lib.f()\n        c.b.n = 5\n        out[i, 0] = c.b.n", "cpu",
                             "cannot assign attribute", r"part\.n = v; whole"),
    "elements of another type": ("inline int f(int* x) { return *x; }", "a = device.local_array(2, device.float32)\n        out[i, 0] = lib.f(a)", "cpu",
                                 "no matching function", "write a call"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_at_the_call(name):
    cxx, body, target, problem, remedy = MISTAKES[name]
    with pytest.raises(device.CompileError) as caught:
        device.emit(kernel_of(name, "        " + body, device.cxx(cxx)), "(float64[:, ::1],)", target=target, kind="obj", kernel=True)
    said = str(caught.value)
    assert re.search(problem, said.split("\n")[0]) and f"--> <{name}>:" in said and re.search(rf"= help: .*({remedy})", said), said

"""Where clang is absent NVRTC compiles C++ for NVIDIA's GPUs: the same kernels have the same results, and what it cannot do is said."""

import ctypes.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import toolchain

HERE = pathlib.Path(__file__).resolve().parent
FILES = [["test_calls.py", "test_objects.py"], ["test_libraries.py"]]


def nvrtc():
    """Its file, or None."""
    nvcc = toolchain.find("nvcc")
    beside = pathlib.Path(nvcc).resolve().parents[1] / "lib64/libnvrtc.so" if nvcc else None
    return beside if beside and beside.exists() else ctypes.util.find_library("nvrtc")


@pytest.fixture(scope="module", autouse=True)
def there():
    if not nvrtc():
        pytest.skip("NVRTC is not installed")


def run(*arguments, **environment):
    """A Python that finds no clang."""
    of = {**os.environ, "PATH": "/nowhere", **environment}
    of.pop("HETJIT_CLANG", None)
    return subprocess.run([sys.executable, *map(str, arguments)], env=of, capture_output=True, text=True)


def said(program, **environment):
    done = run("-c", program, **environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("files", FILES, ids=" ".join)
def test_what_is_tested_of_clang_is_so_of_nvrtc(files):
    """Each kernel of these files that is launched everywhere."""
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "emu:sm_90", *(HERE / file for file in files), HETJIT_TESTS_WITHOUT_CLANG="1",
               HETJIT_CASES="all", HETJIT_EMULATION_UNWRITTEN="zero")  # NVRTC's code copies what lies between the parts of records
    counts = re.search(r"(\d+) passed, (?:3 skipped, )?\d+ deselected", done.stdout.splitlines()[-1])
    assert done.returncode == 0 and counts and int(counts[1]) >= (7 if len(files) > 1 else 5), done.stdout[-5000:]


CALL = """
from hetjit import device
lib = device.cxx({source!r}, **{options!r})
def k(x, out):
    {body}
try:
    print(device.emit(k, "(float32[::1], float32[::1])", target={target!r}, kind="asm", kernel=True))
except device.CompileError as error:
    print(error)
"""


def answer(source, body, target="cuda:sm_90", options=None, **environment):
    return said(CALL.format(source=source, body=body, target=target, options=options or {}), **environment)


ONE = "inline float f(float x) { return x + 1; }"


def test_two_libraries_with_functions_of_one_name_have_each_its_own():
    text = said("""
import numpy as np
from hetjit import device
one, other = (device.cxx(f"__device__ int kept = {n}; __device__ __noinline__ int by() {{ return kept += {n}; }} inline int f(int x) {{ return x + by(); }}") for n in (1, 100))
@device.kernel
def k(out):
    out[0], out[1], out[2] = one.f(0), other.f(0), one.f(0)
out = device.array(np.zeros(3, np.int32), "emu:sm_90")
k[1, 1](out)
print(device.to_numpy(out).tolist())
""")
    assert text.strip() == "[2, 200, 3]"


def test_quoted_includes_lie_beside_the_file_wherever_the_program_runs(tmp_path):
    for folder, number in (("lib", 10), ("elsewhere", 5555)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "factor.cuh").write_text(f"inline int factor() {{ return {number}; }}")
    (tmp_path / "lib/lib.cuh").write_text('#include "factor.cuh"\ninline int f(int x) { return x * factor(); }')
    text = said(f"""
import os
import numpy as np
from hetjit import device
os.chdir({str(tmp_path / "elsewhere")!r})
lib, inline = device.cxx({str(tmp_path / "lib/lib.cuh")!r}), device.cxx('#include "factor.cuh"')
@device.kernel
def k(out):
    out[0], out[1] = lib.f(3), inline.factor()
out = device.array(np.zeros(2, np.int32), "emu:sm_90")
k[1, 1](out)
print(device.to_numpy(out).tolist())
""")
    assert text.strip() == "[30, 5555]"


@pytest.mark.parametrize("source, body", [
    ('extern "C" __device__ int add(int a, int b) { return a + b; }', "lib.add(3, 4)"),
    ("__device__ int ret = 5, add = 2; inline int f(int x) { return x + ret + add++; }", "lib.f(0)"),
    ('inline int f(int x) { int r; asm("/* returns {x + 4 */ add.s32 %0, %1, 4;" : "=r"(r) : "r"(x)); return r; }', "lib.f(3)"),
    ('inline int f(int x) { int r; asm("{ // a } brace\\n .reg .pred add; setp.gt.s32 add, %1, 0; selp.s32 %0, 7, 8, add; @add bra done; done: }" '
     ': "=r"(r) : "r"(x)); return r; }', "lib.f(3)")])
def test_names_and_comments_that_look_like_ptx(source, body, tmp_path):
    text = said(f"""
import numpy as np
from hetjit import device
lib = device.cxx({source!r})
@device.kernel
def k(out):
    out[0] = {body}
out = device.array(np.zeros(1, np.int32), "emu:sm_90")
k[1, 1](out)
print(device.to_numpy(out).tolist())
print(device.emit(k.function if hasattr(k, "function") else k, "(int32[::1],)", target="cuda:sm_90", kind="asm"))
""")
    numbers, ptx = text.split("\n", 1)
    assert numbers == "[7]"
    if toolchain.find_ptxas():
        assert toolchain.assemble(ptx.encode(), "sm_90") == "", ptx


@pytest.mark.parametrize("option", ["-rdc=false", "-dlto"])
def test_options_that_leave_nothing_to_link(option):
    assert "the library's options leave no relocatable PTX of this function" in answer(ONE, "out[0] = lib.f(x[0])", options={"options": [option]})


def test_what_others_compiled_is_linked(tmp_path):
    (tmp_path / "more.ptx").write_text(""".version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 result) more(.param .b32 x) {
  .reg .f32 %f<3>;
  ld.param.f32 %f0, [x];
  add.f32 %f1, %f0, 0f3F800000;
  st.param.f32 [result], %f1;
  ret;
}
""")
    linked = said(f"""
from hetjit import device
more = device.extern("more", (float,), returns=float, link={str(tmp_path / "more.ptx")!r})
def k(out):
    out[0] = more(out[1])
print(device.emit(k, "(float32[::1],)", target="cuda:sm_90", kind="obj", kernel=True)[:4])
""")
    assert linked.strip() == repr(b"\x7fELF")


def test_ptxas_takes_what_comes_of_it(tmp_path):
    if not toolchain.find_ptxas():
        pytest.skip("ptxas is not installed")
    for arch in ("sm_75", "sm_90", "sm_100", "sm_120"):
        ptx = answer('inline float f(float x) { printf("%g", x); return x * x + 1; }', "out[0] = lib.f(x[0])", target=f"cuda:{arch}")
        assert ".entry k" in ptx and toolchain.assemble(ptx.encode(), arch) == "", ptx


def test_products_are_not_fused():
    ptx = answer("inline float f(float x, float y) { return x * y + 1; }", "out[0] = lib.f(x[0], x[1])")
    assert "fma" not in ptx and "mul" in ptx


@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "hip:gfx942"])
def test_other_targets_need_clang(target):
    assert "C++ is compiled by clang 22, and there is no 'clang++-22' on the PATH" in answer(ONE, "out[0] = lib.f(x[0])", target=target)


def test_a_clang_that_is_named_is_the_one():
    assert "HETJIT_CLANG is '/nowhere/clang', which cannot be run" in said(
        "import os; os.environ['HETJIT_CLANG'] = '/nowhere/clang'" + CALL.format(source=ONE, body="out[0] = lib.f(x[0])", target="cuda:sm_90", options={}))


def test_where_neither_is_there():
    text = answer(ONE, "out[0] = lib.f(x[0])", HETJIT_NVRTC="/nowhere/libnvrtc.so")
    assert "there is no 'clang++-22' on the PATH" in text and "NVRTC cannot be loaded: /nowhere/libnvrtc.so" in text


@pytest.mark.parametrize("source, body, words", [
    ("inline float f(float x) { return x }", "out[0] = lib.f(x[0])", ['its library does not compile, C++:1: expected a ";"']),
    ("#include <nothing.h>", "out[0] = lib.f(x[0])", ["C++:1: 'nothing.h' file not found", 'include=["folder"]']),
    ("#include <iostream>", "out[0] = lib.f(x[0])", ["'iostream' file not found", "install clang 22"]),
    ("struct o {};\ninline int f(o) { return 1; }\ninline int f(int, int) { return 2; }", "out[0] = lib.f(x[0])",
     ['no instance of overloaded function "f"', "C++:2", "C++:3"]),
    ("float f(float*);", "out[0] = lib.f(x)", ["which is not there for kernels", "'f(float*)'"]),
    ("struct s { int n; void next() { ++n; } };\ninline s make() { return {1}; }", "a = lib.make(); a.next()", ["it changes the 's' that it is given, a copy"]),
    ("struct s { const int* p; };\nstruct n { int v; };\ninline n make() { return {1}; }\ninline s look(const n& of) { return {&of.v}; }",
     "a = lib.look(lib.make())", ["it keeps the address of the 'n' that it is given, a copy"]),
    (ONE, "out[0] = lib.f(x[0], 1, 2)", ["E0322"]),
])
def test_what_is_refused(source, body, words):
    text = answer(source, body)
    assert all(word in text for word in words), text


def test_options_are_nvrtcs():
    for option in ("-fmad=true", "-ffp-contract=fast"):  # clang's word for it, too
        assert "fma" in answer("inline float f(float x, float y) { return x * y + 1; }", "out[0] = lib.f(x[0], x[1])", options={"options": [option]})
    text = answer(ONE, "out[0] = lib.f(x[0])", options={"options": ["-fsomething=else"]})
    assert "unrecognized option -fsomething=else" in text


def test_macros_mean_nothing_in_what_is_written_around():
    assert ".entry k" in answer("inline float f(float x) { return x + Type; }", "out[0] = lib.f(x[0])", options={"defines": {"Type": "4", "call": None}})


def test_standard_headers_that_cudas_library_has():
    text = answer("#include <cstdint>\n#include <limits>\ninline std::uint16_t f(float x) { return std::numeric_limits<std::uint16_t>::max(); }", "out[0] = lib.f(x[0])")
    assert ".entry k" in text


def test_headers_of_cudas_packages_lie_beside_nvrtcs(tmp_path):
    """CUDA 12's packages have each a folder of its own."""
    libraries = pathlib.Path(os.path.realpath(nvrtc())).parent if os.path.isabs(nvrtc()) else pytest.skip("NVRTC is not of a toolkit")
    lib = tmp_path / "nvidia/cuda_nvrtc/lib"
    lib.mkdir(parents=True)
    for file in libraries.glob("libnvrtc*"):
        (lib / file.name).symlink_to(file)
    for package, header in (("cuda_cccl", "cuda/only_here.h"), ("cuda_runtime", "runtime_only.h"), ("curand", "curand_only.h")):
        file = tmp_path / "nvidia" / package / "include" / header
        file.parent.mkdir(parents=True)
        file.write_text(f"#define {file.stem.upper()} 1\n")
    text = answer("#include <cuda/only_here.h>\n#include <runtime_only.h>\n#include <curand_only.h>\n"
                  "inline float f(float x) { return x + ONLY_HERE + RUNTIME_ONLY + CURAND_ONLY; }",
                  "out[0] = lib.f(x[0])", HETJIT_NVRTC=str(lib / "libnvrtc.so"))
    assert ".entry k" in text, text


@pytest.mark.parametrize("members, words", [("int n; float x;", ""), ("float n; float x;", "field 'n' of 'named' is another number")])
def test_fields_of_equal_size_are_not_each_others_for_nvrtc_either(members, words):
    program = f"""
from hetjit import device
@device.struct
class Named:
    n: int
    x: float
lib = device.cxx("struct named {{ {members} }}; inline int f(named) {{ return 1; }}", types={{Named: "named"}})
def k(a):
    return lib.f(a)
try:
    print(device.emit(k, (Named,), target="cuda:sm_90", kind="asm"))
except device.CompileError as error:
    print(error)
"""
    text = said(program)
    assert words in text and (words or ".func" in text), text


def test_it_is_kept_until_a_header_changes(tmp_path):
    (tmp_path / "step.h").write_text("inline float f(float x) { return x + 4; }\n")
    program = CALL.format(source='#include "step.h"', body="out[0] = lib.f(x[0])", target="cuda:sm_90", options={"include": str(tmp_path)})
    program += "print([e.first('kernel') for e in device.cache.entries()])"
    cache = {"HETJIT_CACHE": "on", "HETJIT_CACHE_DIR": str(tmp_path / "cache")}
    first = said(program, **cache)
    assert "C++ f(hetjit_a0)" in first and "0f40800000" in first
    kept = {file: file.stat().st_mtime_ns for file in (tmp_path / "cache").rglob("*") if file.is_file()}
    assert said(program, **cache) == first
    assert {file: file.stat().st_mtime_ns for file in kept} == kept
    (tmp_path / "step.h").write_text("inline float f(float x) { return x + 8; }\n")
    assert "0f41000000" in said(program, **cache)

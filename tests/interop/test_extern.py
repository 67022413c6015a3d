"""Kernels that call functions which others compiled (device.extern): every kind of file, on every target, by the convention of its compiler."""

import ctypes
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device, toolchain

SOURCE = """
#include "hetjit/interop.hpp"
#if defined(__HIP__) || defined(__CUDA__) && !defined(__NVCC__)
#define __device__ __attribute__((device))
#elif !defined(__CUDACC__)
#define __device__
#endif
struct body { bool heavy; double mass; short tag; hetjit::float32x3 pos; };
struct mixed { signed char a; hetjit::float16x2 h; hetjit::int64 n; };

extern "C" {
__device__ float norm1(hetjit::float32x3 v, float by) { return (v.x + 10 * v.y + 100 * v.z) * by; }
__device__ body moved(body b, hetjit::float32x3 by) {
  b.pos.x += by.x, b.pos.y += by.y, b.pos.z += by.z, b.mass *= 2, b.tag = -b.tag, b.heavy = !b.heavy;
  return b;
}
__device__ mixed turned(hetjit::float16x2 h, mixed m, signed char a) {
  m.n += m.a, m.a = a, m.h = h;
  return m;
}
__device__ hetjit::float64 last(hetjit::interoperable_array_descriptor<double, 2> x) {
  return x.data[(x.shape[0] - 1) * x.strides[0] + (x.shape[1] - 1) * x.strides[1]];
}
__device__ void bump(int* at, unsigned char by) { *at += by; }
}
"""


@device.struct
class Body:
    heavy: bool
    mass: device.float64
    tag: device.int16
    pos: device.float32x3


@device.struct
class Mixed:
    a: device.int8
    h: device.float16x2
    n: device.int64


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


CLANG = ["clang++-22", "-std=c++20", "-O1", "-w", "-fno-exceptions", "-emit-llvm", "-c"]
GPU = ["-nogpulib", "-nogpuinc", "-fgpu-rdc"]
NVCC = ["-std=c++20", "-rdc=true", "-arch=sm_90", "-w"]
COMMANDS = {  # of each kind of file
    "g++.o": ["g++", "-std=c++20", "-O2", "-fPIC", "-c"],
    "clang++.o": ["clang++-22", "-std=c++20", "-O0", "-fPIC", "-c"],
    "host.so": ["g++", "-std=c++20", "-O2", "-fPIC", "-shared"],
    "host.bc": CLANG,
    "nvidia.bc": [*CLANG, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", *GPU, "-D__CUDACC__", "-DHETJIT_INTEROP_LEAN"],
    "amd.bc": [*CLANG, "-x", "hip", "--offload-device-only", "--offload-arch=gfx942", *GPU],
    "nvcc.cubin": ["nvcc", *NVCC, "-cubin"], "nvcc.ptx": ["nvcc", *NVCC, "-ptx"], "nvcc.ltoir": ["nvcc", *NVCC, "-dlto", "-ltoir"],
    "nvcc.fatbin": ["nvcc", *NVCC, "-fatbin"], "nvcc.o": ["nvcc", *NVCC, "-c"]}
COMMANDS["nvcc.ltoir"] = ["nvcc", *[word for word in NVCC if word != "-arch=sm_90"], "-gencode", "arch=compute_90,code=lto_90", "-ltoir"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes the file of a name, once."""
    folder = tmp_path_factory.mktemp("extern")

    @device.func(interop=True)
    def any(x):
        return x

    any.compile((int,), target="cuda:sm_90", kind="bitcode").write(folder)  # the headers
    (folder / "source.cu").write_text(SOURCE)
    (folder / "source.cpp").write_text(SOURCE)

    def make(name):
        path = folder / name
        if not path.exists() and name.endswith(".a"):
            member = make(name.replace(".a", ".o"))
            run("ar", "rcs", path, member)
        elif not path.exists():
            program, *options = COMMANDS[name]
            program = toolchain.find("nvcc") if program == "nvcc" else program
            if not program:
                pytest.skip("nvcc is not installed")
            run(program, *options, "-I", folder, "-o", path, folder / ("source.cu" if program.endswith("nvcc") else "source.cpp"))
        return path

    return make


def functions(link):
    """The five, by name."""
    f3 = device.float32x3
    return {"norm1": device.extern("norm1", (f3, float), returns=float, link=link),
            "moved": device.extern("moved", (Body, f3), returns=Body, link=link),
            "turned": device.extern("turned", (device.float16x2, Mixed, device.int8), returns=Mixed, link=link),
            "last": device.extern("last", (device.float64[:, :],), returns=device.float64, link=link),
            "bump": device.extern("bump", ("int*", device.uint8), link=link)}


def calling(link):
    scope = {**functions(link), "device": device}
    exec("""
def k(bodies, mixed, x, out, counts):
    i = device.tid(1)
    if i < bodies.shape[0]:
        out[i, 0] = norm1(bodies[i].pos, 0.5)
        bodies[i] = moved(bodies[i], device.float32x3(1.0, 2.0, 3.0))
        mixed[i] = turned(device.float16x2(3.0, 4.0), mixed[i], device.int8(-i))
        out[i, 1] = last(x[:, ::2])
        bump(counts[i:], device.uint8(200 + i))
""", scope)
    return scope["k"]


def arguments():
    bodies, mixed = np.zeros(5, device.numpy_dtype(Body)), np.zeros(5, device.numpy_dtype(Mixed))
    bodies["mass"], bodies["tag"], bodies["pos"]["y"], mixed["a"], mixed["n"] = np.arange(5) + 0.5, np.arange(5), np.arange(5), 7, 2**40
    return bodies, mixed, np.arange(15.0).reshape(3, 5), np.zeros((5, 2)), np.zeros(5, np.int32)


@pytest.mark.parametrize("name, where", [(name, "cpu") for name in ("g++.o", "clang++.o", "g++.a", "host.so", "host.bc")]
                         + [("nvidia.bc", "emu:sm_90"), ("amd.bc", "emu:gfx942")])
def test_each_kind_of_file_is_called(name, where, made):
    bodies, mixed, _, out, counts = launched(calling(made(name)), where, *arguments(), n=5)
    assert out[:, 0].tolist() == [5.0 * i for i in range(5)] and (out[:, 1] == 14).all()
    assert bodies["mass"].tolist() == [2 * i + 1 for i in range(5)] and bodies["tag"].tolist() == [-i for i in range(5)]
    assert bodies["heavy"].all() and bodies["pos"].tolist() == [(1, i + 2, 3) for i in range(5)]
    assert mixed["a"].tolist() == [-i for i in range(5)] and (mixed["n"] == 2**40 + 7).all() and mixed["h"].tolist() == [(3, 4)] * 5
    assert counts.tolist() == [200 + i for i in range(5)]


def image(kernel, target="cuda:sm_90"):
    matrix = device.float64[:, :]
    types = (device.Array[Body, :], device.Array[Mixed, :], matrix, matrix, device.int32[::1])
    return device.emit(kernel, types, target=target, kind="obj", kernel=True)


@pytest.mark.parametrize("name", ["nvcc.cubin", "nvcc.ptx", "nvcc.ltoir", "nvcc.fatbin", "nvcc.o", "nvcc.a", "nvidia.bc"])
def test_nvjitlink_links_what_nvidias_compiler_made(name, made):
    code = image(calling(made(name)))
    assert code[:4] == b"\x7fELF" if not name.endswith(".bc") else b".entry k" in code


@pytest.mark.always
def test_a_list_serves_all_targets(made, where):
    files = [made(name) for name in ("g++.o", "amd.bc", "nvidia.bc")]
    assert launched(calling(files), where, *arguments(), n=5)[4].tolist() == [200 + i for i in range(5)]


@pytest.mark.always
@pytest.mark.parametrize("where", ["cpu", "emu:gfx942"])
def test_files_for_one_target(made, where):
    kernel = calling({"cpu": made("g++.o"), "hip": [made("amd.bc")]})
    assert launched(kernel, where, *arguments(), n=5)[4].tolist() == [200 + i for i in range(5)]


def test_what_is_wrong_is_said(made, tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no"):
        device.extern("f", (int,), link="nowhere.o")
    with pytest.raises(TypeError, match="the name of a function"):
        device.extern("a b", (int,))
    with pytest.raises(ValueError, match="none of"):
        (tmp_path / "f.txt").write_text("")
        device.extern("f", (int,), link=tmp_path / "f.txt")
    with pytest.raises(ValueError, match="is no target"):
        device.extern("f", (int,), link={"gpu": made("g++.o")})

    missing = device.extern("not_there", (int,), returns=int, link=made("g++.o"))

    def k(out):
        out[0] = missing(out[1])

    with pytest.raises((device.CompileError, device.DeviceError), match="not_there"):
        launched(k, "cpu", np.zeros(2, np.int32))

    there = device.extern("norm1", (device.float32x3, float), returns=float, link=made("g++.o"))

    def wrong(out):
        out[0] = there(out[0])

    with pytest.raises(device.CompileError, match="candidate|no matching"):
        launched(wrong, "cpu", np.zeros(2, np.float32))


def test_a_file_that_changes_is_linked_again(tmp_path):
    results = []
    for by in (3, 50):
        (tmp_path / "add.c").write_text(f"int add(int x) {{ return x + {by}; }}")
        run("gcc", "-O1", "-fPIC", "-c", tmp_path / "add.c", "-o", tmp_path / "add.o")
        add = device.extern("add", (int,), returns=int, link=tmp_path / "add.o")

        def k(out):
            out[0] = add(1)

        results.append(int(launched(k, "cpu", np.zeros(1, np.int32))[0][0]))
    assert results == [4, 51]


def test_functions_of_a_linked_library_replace_nobody_elses(tmp_path):
    """A library that the program loads later has functions of the same name: it calls its own."""
    def library(name, number):
        source = f'extern "C" float hetjit_test_twin(float x) {{ return x + {number}; }}\nextern "C" float call(float x) {{ return hetjit_test_twin(x); }}\n'
        (tmp_path / f"{name}.cpp").write_text(source)
        subprocess.run(["g++", "-O0", "-fPIC", "-shared", "-o", tmp_path / f"{name}.so", tmp_path / f"{name}.cpp"], check=True)
        return tmp_path / f"{name}.so"

    twin = device.extern("hetjit_test_twin", (float,), returns=float, link=[str(library("linked", 1))])

    @device.kernel
    def k(out):
        out[0] = twin(1.0)

    out = np.zeros(1, np.float32)
    k[1, 1](out)
    theirs = ctypes.CDLL(str(library("theirs", 100)))
    theirs.call.restype, theirs.call.argtypes = ctypes.c_float, [ctypes.c_float]
    assert out[0] == 2 and theirs.call(1.0) == 101


def test_a_linked_library_names_what_it_uses(tmp_path):
    for name, text in (("base", "float base(float x) { return x + 1; }"), ("above", "float base(float); float above(float x) { return base(x) * 2; }")):
        (tmp_path / f"{name}.c").write_text(text)
    shared = ["gcc", "-fPIC", "-shared"]
    subprocess.run([*shared, "-o", tmp_path / "libbase.so", tmp_path / "base.c"], check=True)
    subprocess.run([*shared, "-o", tmp_path / "alone.so", tmp_path / "above.c"], check=True)
    subprocess.run([*shared, "-o", tmp_path / "named.so", tmp_path / "above.c", "-L", tmp_path, "-lbase", f"-Wl,-rpath,{tmp_path}"], check=True)

    def result(*files):
        above = device.extern("above", (float,), returns=float, link=[str(tmp_path / file) for file in files])

        @device.kernel
        def k(out):
            out[0] = above(1.0)
        out = np.zeros(1, np.float32)
        k[1, 1](out)
        return out[0]

    assert result("named.so") == 4
    with pytest.raises(device.DeviceError, match="alone.so: undefined symbol: base"):
        result("libbase.so", "alone.so")

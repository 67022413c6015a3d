"""Programs in C++ and CUDA C++ that call functions of Python: built by CMake, run on the host, linked by nvlink and by nvJitLink."""

import ctypes
import pathlib
import shutil
import subprocess
import sys

import pytest

from hetjit import toolchain

SOURCE = pathlib.Path(__file__).parent / "program"


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr[-4000:] + done.stdout[-3000:]
    return done.stdout


def built(folder, *options):
    """Configures the program and builds it; its folder."""
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    package = run([sys.executable, "-m", "hetjit", "export", "--cmake"]).strip()
    run(["cmake", "-S", SOURCE, "-B", folder, f"-Dhetjit_DIR={package}", f"-DPython3_EXECUTABLE={sys.executable}", *options])
    run(["cmake", "--build", folder])
    return folder


@pytest.mark.row("HETX-FN-3")
def test_a_program_of_the_host(tmp_path):
    assert run([built(tmp_path) / "host"]) in ("descriptor 0\n", "mdspan 0\n")


@pytest.mark.row("HET-DSC-5")
def test_mdspan_of_libcxx(tmp_path):
    if not pathlib.Path("/usr/lib/llvm-22/include/c++/v1/mdspan").exists():
        pytest.skip("libc++ of clang 22 is not installed")
    assert run([built(tmp_path, "-DCMAKE_CXX_COMPILER=clang++-22", "-DCMAKE_CXX_FLAGS=-stdlib=libc++") / "host"]) == "mdspan 0\n"


def test_what_has_changed_is_compiled_again(tmp_path):
    folder = built(tmp_path)
    object_file = next(folder.rglob("clamped.o"))
    before = object_file.stat().st_mtime_ns
    run(["cmake", "--build", folder])
    assert object_file.stat().st_mtime_ns == before


@pytest.fixture(scope="module")
def cuda_program(tmp_path_factory):
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("nvcc is not installed")
    return built(tmp_path_factory.mktemp("program"), "-DWITH_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}")


@pytest.mark.row("HET-DSC-5")
@pytest.mark.row("HETX-IF-1")
def test_a_program_in_cuda_cxx_linked_by_nvlink(cuda_program):
    assert run([cuda_program / "cuda"]).startswith("host 0, ")


def test_the_same_linked_by_nvjitlink(cuda_program, tmp_path):
    found = pathlib.Path(toolchain.find("nvcc")).resolve().parents[1] / "lib64/libnvJitLink.so"
    if not found.exists():
        pytest.skip("libnvJitLink is not installed")
    linker = ctypes.CDLL(str(found))
    folder = cuda_program / "hetjit/cuda/cuda_sm_90"
    caller = tmp_path / "main.cubin"
    run([toolchain.find("nvcc"), "-std=c++20", "-rdc=true", "-arch=sm_90", "-cubin", "-I", folder, "-o", caller, SOURCE / "main.cu"])
    handle = ctypes.c_void_p()
    options = (ctypes.c_char_p * 1)(b"-arch=sm_90")
    assert linker.nvJitLinkCreate(ctypes.byref(handle), 1, options) == 0
    for cubin in [caller, *folder.glob("*.cubin")]:
        assert linker.nvJitLinkAddFile(handle, 1, str(cubin).encode()) == 0, cubin
    assert linker.nvJitLinkComplete(handle) == 0
    size = ctypes.c_size_t()
    assert linker.nvJitLinkGetLinkedCubinSize(handle, ctypes.byref(size)) == 0 and size.value > 1000
    linker.nvJitLinkDestroy(ctypes.byref(handle))

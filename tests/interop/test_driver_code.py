"""hetjit.driver runs code that C++ compilers made: kernels for NVIDIA and AMD, and host entries (docs/abi.md) for the CPU."""

import ctypes
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device, driver
from hetjit.types import ListOfBytes

GPU = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#ifdef __CUDA__
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#else
#define THREAD __builtin_amdgcn_workitem_id_x()
#endif
struct alignas(16) four { float x, y, z, w; };
__device__ int times = 2;
extern "C" __global__ void scale(char first, four by, short count, float* rows, double more) {
  int i = THREAD;
  if (i < count) rows[i] = first + rows[i] * by.z * times + more;
}
"""
HOST = """
#include <cstdint>
#include <cstddef>
struct geometry { uint32_t grid[3], block[3]; };
struct alignas(16) four { float x, y, z, w; };
struct arguments { char first; four by; short count; float* rows; double more; };
extern "C" {
int times = 2;
void scale(const std::byte* block, const geometry* shape, uint64_t from, uint64_t to) {
  const auto* a = reinterpret_cast<const arguments*>(block);
  for (uint64_t b = from; b < to; ++b)
    for (uint32_t i = 0; i < shape->block[0] && i < a->count; ++i)
      a->rows[i] = a->first + a->rows[i] * a->by.z * times + a->more;
}
}
"""
COMMANDS = {
    "cpu": (HOST, "host.cpp", ["-c", "-fPIC"], "host.o"),
    "emu:sm_90": (GPU, "kernel.cu", ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-S"], "kernel.ptx"),
    "emu:gfx942": (GPU, "kernel.hip", ["-x", "hip", "--offload-device-only", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib",
                                       "--no-gpu-bundle-output"], "kernel.co"),
}


class Four(ctypes.Structure):
    _fields_ = [("lanes", ctypes.c_float * 4)]
    _align_ = 16


@pytest.fixture
def code(where, tmp_path):
    text, name, words, made = COMMANDS[where]
    (tmp_path / name).write_text(text)
    done = subprocess.run(["clang++-22", "-O1", "-w", *words, "-o", made, name], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tmp_path / made


@pytest.mark.row("HIPPY-EXT-2")
@pytest.mark.row("HIPPY-EXT-4")
def test_arguments_reach_code_of_others(where, code):
    """Each at the place where the C++ compiler reads it, a struct that is aligned to 16 bytes too."""
    calls = driver.open(where)
    rows = calls.malloc(80).configure(typestr="float32", shape=20)
    calls.memcpy(rows, np.arange(20, dtype=np.float32), 80)
    module = calls.module_load(code)
    function = calls.module_get_function(module, "scale")
    assert function.argument_bytes is None
    extra = [ctypes.c_byte(1), Four((0, 0, 3, 0)), ctypes.c_short(10), rows, ctypes.c_double(0.5)]
    calls.module_launch_kernel(function, 1, 32, extra=extra)
    calls.device_synchronize()
    found = np.zeros(20, np.float32)
    calls.memcpy(found, rows, 80)
    assert found.tolist() == [*(1.5 + i * 6 for i in range(10)), *range(10, 20)]
    calls.free(rows)


def test_variables_of_a_module(where, code):
    calls = driver.open(where)
    module = calls.module_load(code)
    times = calls.module_get_global(module, "times")
    found = ctypes.c_int()
    if where != "cpu":
        calls.memcpy_dtoh(found, times, 4)
        assert found.value == 2
    else:
        assert ctypes.c_int.from_address(int(times)).value == 2
    for ask in (calls.module_get_global, calls.module_get_function):
        with pytest.raises((ValueError, device.DeviceError)):
            ask(module, "missing")


@pytest.mark.row("HIPPY-LST-9")
def test_options_may_be_a_list_of_bytes():
    for options in (ListOfBytes([b"-DTENS=4", b"-DONES=3"]), [b"-DTENS=4", "-DONES=3"], ("-DTENS=4", b"-DONES=3")):
        lib = device.cxx("inline int number() { return 10 * TENS + ONES; }", options=options)

        @device.kernel
        def ask(out):
            out[0] = lib.number()
        out = np.zeros(1, np.int32)
        ask[1, 1](out)
        assert out[0] == 43
    with pytest.raises(TypeError, match="an option is a str"):
        device.cxx("", options=[3])

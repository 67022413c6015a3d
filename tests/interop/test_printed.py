"""What Python's functions print where C++ calls them: on the host as Python does, on NVIDIA's GPUs as CUDA's printf does."""

import ctypes
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from hetjit import device, driver, toolchain
from hetjit.emulation import devices

F64, I64 = device.float64, device.int64


def tells(x, d, n, small):
    print("100%", n, -n, small, n > 3, f"|{x:8.3f}|{d:+e}|{n:04d}|{n:<6}|{n:>6}|", "braces {}", end="!\n")
    print(x, d, complex(x, d), device.float16(x), device.uint64(n), device.int8(-n), device.bfloat16(x))


KERNEL_TYPES = (float, F64, I64, device.uint8)
NUMBERS = (0.5, 2.25, 41, 200)
LINES = ["100% 41 -41 200 True |   0.500|+2.250000e+00|0041|41    |    41| braces {}!", "0.5 2.25 (0.5+2.25j) 0.5 41 -41 0.5"]


@pytest.fixture
def said(monkeypatch):
    """What the machine prints."""
    texts = []
    monkeypatch.setattr(devices.machine("emu:sm_90"), "output", texts.append)
    return texts


def launched(kernel, types, numbers, tmp_path):
    """Launches PTX that C++ would launch, on the machine."""
    file = kernel.compile(types, target="cuda:sm_90", kind="ptx").write(tmp_path)
    calls = driver.open("emu:sm_90")
    entry = calls.module_get_function(calls.module_load(file), kernel.__name__)
    calls.module_launch_kernel(entry, 1, 1, extra=list(numbers))
    calls.device_synchronize()


def test_a_kernel_prints(tmp_path, said):
    launched(device.kernel(interop=True)(tells), KERNEL_TYPES, [ctypes.c_float(0.5), ctypes.c_double(2.25), ctypes.c_int64(41), ctypes.c_uint8(200)], tmp_path)
    assert "".join(said).splitlines() == LINES


def test_the_host_prints_the_same(tmp_path):
    """But for digits that C needs to tell floats apart, of which these have none."""
    device.func(interop=True)(tells).compile(KERNEL_TYPES, target="cpu:native", kind="object").write(tmp_path)
    (tmp_path / "main.cpp").write_text('#include "tells.hpp"\nint main() { tells(0.5f, 2.25, 41, 200); }\n')
    subprocess.run(["g++", "-std=c++20", "-I", tmp_path, tmp_path / "main.cpp", tmp_path / "tells.o", "-o", tmp_path / "main"], check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.splitlines() == LINES


def test_floats_lose_no_digit(tmp_path, said):
    @device.kernel(interop=True)
    def digits(x, d):
        print(x, d)

    launched(digits, (float, F64), [ctypes.c_float(0.1), ctypes.c_double(0.1)], tmp_path)
    x, d = "".join(said).split()
    assert np.float32(x) == np.float32(0.1) and float(d) == 0.1


def test_a_function_calls_vprintf_and_is_linked(tmp_path):
    shouts = device.func(interop=True)(tells)
    ptx = shouts.compile(KERNEL_TYPES, target="cuda:sm_90", kind="ptx").code.decode()
    assert ".extern .func  (.param .b32 func_retval0) vprintf" in ptx and "hetjit_print" not in ptx
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("nvcc is not installed")
    cubin = shouts.compile(KERNEL_TYPES, target="cuda:sm_90", kind="cubin").write(tmp_path)
    (tmp_path / "main.cu").write_text('#include "tells.hpp"\n__global__ void k() { tells(0.5f, 2.25, 41, 200); }\nint main() { k<<<1, 1>>>(); }\n')
    for made, words in (("main.o", ["-c", "main.cu"]), ("tells.o", ["-c", cubin])):
        subprocess.run([nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-I", ".", *words, "-o", made], cwd=tmp_path, check=True)
    subprocess.run([nvcc, "-arch=sm_90", "-dlink", "main.o", "tells.o", "-o", "linked.o"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("text, words", [
    ('f"{n:,}"', "no form for a number with the format ',' of int32"), ('f"{x:^9.2f}"', "with the format '^9.2f' of float32"),
    ('f"{n:b}"', "the format 'b'"), ('f"{n:x}"', "the format 'x' of int32"), ("device.float8e4m3(x)", "of float8e4m3"),
    (", ".join(["n"] * 33), "takes 32 numbers; print in parts"),
    ("f'{n:<08d}'", "has no form for a number with the format '<08d'"), ("f'{x:>08.2f}'", "with the format '>08.2f'"),
    (r"n, 'x\0y'", "ends at a zero byte; leave it out"),
])
def test_what_printf_has_no_form_for(text, words):
    scope = {"device": device}
    exec(f"def f(n, x):\n    print({text})\n", scope)
    with pytest.raises(device.CompileError) as caught:
        device.func(interop=True)(scope["f"]).compile((int, float), target="cuda:sm_90", kind="ptx")
    assert words in str(caught.value)


def test_what_amds_gpus_print_is_nobodys():
    @device.func(interop=True)
    def shouts(x):
        print(x)
        return x

    with pytest.raises(device.CompileError, match="nobody takes what it prints"):
        shouts.compile((int,), target="hip:gfx942", kind="bitcode")

"""launch_bounds=, max_registers=: what they may be, that GPUs' code obeys them, and that a launch keeps what was promised."""

import re
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device, toolchain
from hetjit.commands import programs


def scale(x, a):
    i = device.tid(1)
    if i < x.shape[0]:
        x[i] *= a


def ptx(**options):
    return programs.request_of(device.kernel(**options)(scale), "(float32[:], float)", "cuda:sm_90").show("ptx")


def amdgcn(**options):
    return programs.request_of(device.kernel(**options)(scale), "(float32[:], float)", "hip:gfx942").show("amdgcn")


@pytest.mark.parametrize("options, directives", [
    ({}, []), ({"launch_bounds": 256}, [".maxntid 256"]), ({"launch_bounds": (256,  4)}, [".maxntid 256", ".minnctapersm 4"]),
    ({"max_registers": 40}, [".maxnreg 40"]), ({"max_registers": 300}, [".maxnreg 255"]),
    ({"launch_bounds": (128, 2), "max_registers": 64}, [".maxntid 128", ".minnctapersm 2", ".maxnreg 64"])])
def test_ptx_says_it(options, directives):
    assert re.findall(r"^(\.(?:max|min)\w+ \d+)", ptx(**options), re.M) == directives


@pytest.mark.parametrize("options, most", [({"launch_bounds": (1024, 2)}, 32), ({"launch_bounds": (128, 2), "max_registers": 24}, 24)])
def test_ptxas_takes_it(options, most, tmp_path):
    assembler = toolchain.find_ptxas()
    if not assembler:
        pytest.skip("no ptxas here")
    source = tmp_path / "code.ptx"
    source.write_text(programs.request_of(device.kernel(**options)(hungry), "(float32[:], float32[:])", "cuda:sm_90").show("ptx"))
    done = subprocess.run([assembler, "-v", "-arch=sm_90", "-o", tmp_path / "code.cubin", source], capture_output=True, text=True)
    assert done.returncode == 0 and int(re.search(r"Used (\d+) registers", done.stderr)[1]) <= most, done.stderr


@pytest.mark.parametrize("options, threads", [({}, 1024), ({"launch_bounds": 128}, 128), ({"launch_bounds": (128, 3)}, 128)])
def test_code_for_amd_says_it(options, threads):
    assert int(re.search(r"\.max_flat_workgroup_size:\s+(\d+)", amdgcn(**options))[1]) == threads


def hungry(x, y):
    a = device.local_array(64, device.float32)
    for i in range(64):
        a[i] = x[i]
    for k in range(x.shape[0]):
        s = a[0]
        for i in range(63):
            a[i] = a[i] * a[i + 1] + x[k]
        a[63] = s
    for i in range(64):
        y[i] = a[i]


@pytest.mark.parametrize("options, most", [({"max_registers": 32}, 32), ({"launch_bounds": (1024, 2)}, 64)])
def test_registers_are_fewer_where_fewer_are_allowed(options, most):
    """gfx942 has 512 for a wave of each SIMD: 32 waves of two blocks of 1024 threads leave 64."""
    counts = [int(re.search(r"\.vgpr_count:\s+(\d+)", programs.request_of(device.kernel(**given)(hungry), "(float32[:], float32[:])",
                                                                     "hip:gfx942").show("amdgcn"))[1]) for given in ({}, options)]
    assert counts[1] <= most < counts[0]


def test_on_the_cpu_they_mean_nothing():
    kernel = device.kernel(launch_bounds=(32, 2), max_registers=16)(scale)
    x = np.ones(1000, np.float32)
    kernel.on("cpu")[1, 1000](x, 3.0)
    assert (x == 3).all()


@pytest.mark.always
@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942"])
def test_larger_blocks_are_refused(where):
    kernel = device.kernel(launch_bounds=128)(scale)
    x = device.array(np.ones(128, np.float32), where)
    kernel[1, 128](x, 2.0)
    kernel[1, (16, 8)](x, 2.0)
    for block in (129, (16, 16), (1, 1, 64)) :
        threads = int(np.prod(block))
        if threads <= 128:
            kernel[1, block](x, 2.0)
            continue
        with pytest.raises(ValueError, match=rf"block of {threads} threads is more than the 128 that 'scale' was compiled for: launch smaller"):
            kernel[1, block](x, 2.0)
    assert device.to_numpy(x)[5] == 4


def test_what_they_may_be():
    for wrong in ("256", 256.0, (256, 2.0), (1, 2, 3), True, [256]):
        with pytest.raises(TypeError, match=r"device\.kernel\(launch_bounds=.*an int, or a tuple of two is needed"):
            device.kernel(launch_bounds=wrong)(scale)
    for wrong in (0, -1, 1025, (0, 1), (256, 0), (256, 65)):
        with pytest.raises(ValueError, match=r"device\.kernel\(launch_bounds="):
            device.kernel(launch_bounds=wrong)(scale)
    with pytest.raises(TypeError, match=r"device\.func\(max_registers='32'\): an int is needed, not str"):
        device.func(max_registers="32")(scale)
    for wrong in (0, 15, 513):
        with pytest.raises(ValueError, match="registers of a thread are 16 to 512"):
            device.kernel(max_registers=wrong)(scale)
    device.kernel(launch_bounds=None, max_registers=None)(scale)


@pytest.mark.differs("asks for devices by name")
def test_each_is_a_compilation_of_its_own():
    """Kernels of one content with other limits are not one another's."""
    x = device.array(np.ones(64, np.float32), "null")
    made = _core.compilations()
    for options in ({}, {"launch_bounds": 64}, {"launch_bounds": (64, 2)}, {"max_registers": 32}):
        kernel = device.kernel(cache=False, **options)(scale).on("null")
        kernel[1, 64](x, 2.0)
        assert _core.compilations() == (made := made + 1)


def test_the_request_repeats_them(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import numpy as np\nfrom hetjit import device\n@device.kernel(launch_bounds=(64, 3), max_registers=48)\n"
                       "def kernel(x):\n    x[0] = 1\nkernel[1, 1](np.zeros(1, np.float32))\n")
    request, = programs.requests_of_run(str(program))
    assert request.options["limits"] == (64, 3, 48)
    assert ".minnctapersm 3" in request.show("ptx", "cuda:sm_90")


@pytest.mark.differs("asks where it was launched")
def test_nobody_counts_registers_of_the_cpu():
    kernel = device.kernel(scale).on("cpu")
    asked = {AttributeError: lambda: kernel.registers, RuntimeError: lambda: kernel.occupancy(64)}
    for error, ask in asked.items():
        with pytest.raises(error, match=r"scale.*launched nowhere yet"):
            ask()
    assert not hasattr(kernel, "registers") and getattr(kernel, "registers", 0) == 0
    kernel[1, 4](np.ones(4, np.float32), 2.0)
    for error, ask in asked.items():
        with pytest.raises(error, match="cpu has no multiprocessors"):
            ask()
    assert not hasattr(kernel, "registers")


@pytest.mark.always
@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942"])
def test_machines_tell_what_they_know(where):
    kernel = device.kernel(launch_bounds=512)(scale)
    kernel[1, 64](device.array(np.ones(64, np.float32), where), 2.0)
    assert [kernel.occupancy(block) for block in (64, 256, (16, 16), 512)] == [32, 8, 8, 4]
    assert kernel.occupancy(64, shared=16 << 10) == (4 if "gfx" in where else 14)
    with pytest.raises(ValueError, match="more than the 512 that 'scale' was compiled for"):
        kernel.occupancy(513)
    with pytest.raises(TypeError, match="block is a str"):
        kernel.occupancy("64")
    if where == "emu:gfx942":
        assert 1 <= kernel.registers <= 32
        return
    with pytest.raises(device.DeviceError, match="PTX has registers without end"):
        kernel.registers

"""The demo and the kernels of benchmarks/ run on the machines, small and with right results: ours, by way of the run time, and the same in C++ that
nvcc and clang have compiled (`recorded/twins-*`, made by record.sh), or compile now."""

import lzma
import pathlib
import re
import struct
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import on_machine
from benchmark_kernels import FOLDER, PROBLEMS, module
from hetjit import device

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded"
on_machines = pytest.mark.parametrize("machine", on_machine.MACHINES)
KERNEL = re.compile(r"^__global__ void (\w+)\(", re.M)
FILE_OF = {name: file for file in ("plain", "block") for name in KERNEL.findall((FOLDER / "codegen" / f"{file}.cu").read_text())}


@on_machines
@pytest.mark.parametrize("name", PROBLEMS)
def test_ours(name, machine):
    it = PROBLEMS[name]
    there = [device.array(a, machine) if isinstance(a, np.ndarray) else a for a in it.arguments]
    it.kernel[it.grid, it.block](*there)
    it.check([device.to_numpy(a) if isinstance(a, device.DeviceArray) else a for a in there])


# ---- C++

def parameter(machine, value):
    """(bytes, alignment) as prelude.h declares them; an array is its address and extents, and its memory a third part."""
    if isinstance(value, np.ndarray):
        place = machine.arena.allocate(value.nbytes)
        machine.arena.slice(place, value.nbytes)[:] = np.ascontiguousarray(value).view(np.uint8).ravel()
        return struct.pack(f"<Q{value.ndim}i{'4x' * (value.ndim % 2)}", place, *value.shape), 8, (place, value)
    return struct.pack("<i" if isinstance(value, int) else "<f", value), 4, (None, value)


def run_twin(name, machine, code):
    it = PROBLEMS[name]
    made = on_machine.machine_for(on_machine.target_of(machine))
    program, block, held = made.load(code), b"", []
    for value in it.arguments:
        data, align, memory = parameter(made, value)
        block += bytes(-len(block) % align) + data
        held.append(memory)
    program.launch(name, it.grid, it.block, block)
    it.check([value if place is None else made.arena.slice(place, value.nbytes).view(value.dtype).reshape(value.shape) for place, value in held])


def file_name(name, machine):
    return f"{FILE_OF[name]}.ptx" if machine == "emu:sm_90" else f"{machine[4:]}-{FILE_OF[name]}"


def code_of(data, machine):
    return data.decode() if machine == "emu:sm_90" else data


@on_machines
@pytest.mark.parametrize("name", PROBLEMS)
def test_twins(name, machine):
    run_twin(name, machine, code_of(lzma.decompress((RECORDED / f"twins-{file_name(name, machine)}.xz").read_bytes()), machine))


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twins")
    done = subprocess.run([sys.executable, FOLDER / "codegen.py", "--emit", folder], capture_output=True, text=True)
    return folder, done.stderr.strip().split("\n")[-1]


@on_machines
@pytest.mark.parametrize("name", PROBLEMS)
def test_twins_compiled_now(name, machine, fresh):
    folder, why = fresh
    if why:
        pytest.skip(f"the C++ is not compiled here: {why}")
    run_twin(name, machine, code_of((folder / file_name(name, machine)).read_bytes(), machine))


def test_no_kernel_is_forgotten():
    timed = {value.underlying.__name__ for file in ("kernels", "kernels_block", "kernels_more") for value in vars(module(FOLDER / f"{file}.py")).values()
             if hasattr(value, "underlying") and isinstance(value, device.Kernel)}
    assert timed == set(PROBLEMS) == set(FILE_OF)


@on_machines
def test_demo(machine):
    pytest.importorskip("matplotlib")
    pytest.importorskip("PIL")
    main = FOLDER.parent / "demo" / "main.py"
    done = subprocess.run([sys.executable, main, "--device", machine], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if line.endswith("yes")]
    assert len(rows) == 5 and f"ms {machine}" in done.stdout

"""The PTX machine against CUDA C++ that nvcc compiled: what each kernel must leave is computed here, by NumPy or Python.

With nvcc on this machine the programs are compiled anew; the texts that it made of them once (`recorded/`) always run.
"""

import pathlib
import re
import shutil
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from expected import PROGRAMS
from hetjit.emulation.ptx.machine import Machine

HERE = pathlib.Path(__file__).resolve().parent
FILES = sorted({p.file for p in PROGRAMS.values()})


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    """PTX of all programs by the nvcc of this machine."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return None
    folder = tmp_path_factory.mktemp("ptx")
    for name in FILES:
        subprocess.run([nvcc, "-ptx", "-arch=sm_90", "-lineinfo", HERE / "sources" / f"{name}.cu", "-o",
                        folder / f"{name}.ptx"], check=True)
    return {name: (folder / f"{name}.ptx").read_text() for name in FILES}


@pytest.fixture(scope="session")
def loaded():
    return {}


def machine_for(loaded, key, text):
    if key not in loaded:
        said = []
        machine = Machine(output=said.append)
        loaded[key] = machine, machine.load(text), said
    return loaded[key]


def check(program, machine, kernel):
    arrays = [program.out.copy(), *program.inputs()]
    places = []
    for array in arrays:
        places.append(machine.arena.allocate(array.nbytes))
        machine.arena.slice(places[-1], array.nbytes)[:] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    with np.errstate(all="ignore"):
        want = np.asarray(program.expect(*program.inputs())).astype(program.out.dtype)
    kernel.launch(program.name, program.grid, program.block, [*places, np.int32(program.count)], program.shared)
    got = machine.arena.slice(places[0], arrays[0].nbytes).view(arrays[0].dtype)
    program.compare(got, want)
    for place in places:
        machine.arena.release(place)


@pytest.mark.parametrize("name", PROGRAMS)
def test_recorded(name, loaded):
    program = PROGRAMS[name]
    machine, kernels, _ = machine_for(loaded, (program.file, "recorded"),
                                      (HERE / "recorded" / f"{program.file}.ptx").read_text())
    check(program, machine, kernels)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_now(name, loaded, fresh):
    if fresh is None:
        pytest.skip("no nvcc on this machine (CUDA toolkit)")
    program = PROGRAMS[name]
    machine, kernels, _ = machine_for(loaded, (program.file, "fresh"), fresh[program.file])
    check(program, machine, kernels)


def test_printf(loaded):
    machine, kernels, said = machine_for(loaded, ("threads", "recorded"),
                                         (HERE / "recorded" / "threads.ptx").read_text())
    said.clear()
    check(PROGRAMS["printing"], machine, kernels)
    halves = PROGRAMS["printing"].inputs()[0] * 0.5
    assert "".join(said) == "".join(f"{i}: {halves[i]:5.2f} text {1 << (40 + i):x}%\n" for i in range(3))


def test_every_kernel_is_expected():
    """No kernel of the files is forgotten."""
    for name in FILES:
        text = (HERE / "sources" / f"{name}.cu").read_text()
        kernels = set(re.findall(r"^KERNEL\((\w+),", text, re.M)) | set(re.findall(r"__global__ void (\w+)\(int\* out, int n", text))
        assert kernels == {p.name for p in PROGRAMS.values() if p.file == name}
    assert len(PROGRAMS) > 60

"""The machine for AMD against C++ that clang compiled: the programs of test_cuda_programs.py, by CUDA's names on clang's builtins
(sources/amd/names.h), and some of AMD's own instructions.

With clang-22 on this machine the programs are compiled anew; the code objects that it made of them once (`recorded/`) run, too: a share of them
by default.
"""

import inspect
import lzma
import pathlib
import re
import shutil
import struct
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

import on_machine
from expected_amd import AMD_PROGRAMS, ONLY_64
from test_cuda_programs import PROGRAMS

HERE = pathlib.Path(__file__).resolve().parent
MACHINES = {"emu:gfx942": 64, "emu:gfx1100": 32}
SOURCES = {"integers": "integers.cu", "floats": "floats.cu", "threads": "threads.cu", "instructions": "amd/instructions.cu"}
KERNEL = re.compile(r"^KERNEL\((\w+),|__global__ void (\w+)\(int\* out, int n", re.M)


def kernels_of(file):
    """The names of those that are compiled for AMD."""
    text = re.sub(r"#ifndef __HIP__.*?#endif", "", (HERE / "sources" / SOURCES[file]).read_text(), flags=re.S)
    return {a or b for a, b in KERNEL.findall(text)}


ALL = {**PROGRAMS, **AMD_PROGRAMS}
NAMES = [name for name, program in ALL.items() if name in kernels_of(program.file)]
CASES = [(name, machine) for name in NAMES for machine in MACHINES if machine == "emu:gfx942" or name not in ONLY_64]
on_all = pytest.mark.parametrize("name, machine", CASES)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    """Compiles a file by the clang of this machine, once."""
    folder, made = tmp_path_factory.mktemp("code"), {}

    def compiled(file, machine):
        if (file, machine) not in made:
            out = folder / f"{machine[4:]}-{file}"
            subprocess.run([HERE / "compile_amd.sh", HERE / "sources" / SOURCES[file], machine[4:], str(MACHINES[machine]), out], check=True)
            made[file, machine] = out.read_bytes()
        return made[file, machine]
    return compiled


@pytest.fixture(scope="session")
def loaded():
    programs = {}

    def load(image, machine):
        if (image, machine) not in programs:
            made = on_machine.machine_for(on_machine.target_of(machine), 4096)
            programs[image, machine] = made, made.load(image)
        return programs[image, machine]
    return load


def recorded(file, machine):
    return lzma.decompress((HERE / "recorded" / f"{machine[4:]}-{file}.xz").read_bytes())


def check(program, machine, code, wave):
    arrays = [program.out.copy(), *program.inputs()]
    places = []
    for array in arrays:
        places.append(machine.arena.allocate(array.nbytes))
        machine.arena.slice(places[-1], array.nbytes)[:] = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    options = {"wave": wave} if "wave" in inspect.signature(program.expect).parameters else {}
    with np.errstate(all="ignore"):
        want = np.asarray(program.expect(*program.inputs(), **options)).astype(program.out.dtype)
    code.launch(program.name, program.grid, program.block, struct.pack(f"<{len(places)}Qi", *places, program.count), program.shared)
    got = machine.arena.slice(places[0], arrays[0].nbytes).view(arrays[0].dtype)
    program.compare(got, want)
    for place in places:
        machine.arena.release(place)


@on_all
def test_recorded(name, machine, loaded):
    program = ALL[name]
    check(program, *loaded(recorded(program.file, machine), machine), MACHINES[machine])


@on_all
def test_compiled_now(name, machine, loaded, fresh):
    for tool in ("clang-22", "llc-22", "ld.lld-22"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} on this machine")
    program = ALL[name]
    check(program, *loaded(fresh(program.file, machine), machine), MACHINES[machine])


def test_every_kernel_is_expected():
    for file in SOURCES:
        assert kernels_of(file) <= {name for name, program in ALL.items() if program.file == file}, file
    assert len(NAMES) > 100, len(NAMES)

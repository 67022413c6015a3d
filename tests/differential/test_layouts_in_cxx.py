"""`device.abi(T)` against C++ compilers: random structs and tuples, and every number and vector, are written out as C++ over
abi/interop.hpp, with a static_assert for each size, alignment and offset that abi() says."""

import pathlib
import random
import shutil
import subprocess

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "abi"
BUILTINS = {bool: "bool", int: "hetjit::int32", float: "hetjit::float32", complex: "hetjit::complex64", None: "void*"}
LANES = tuple(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)) + \
    ("float16", "bfloat16", "float32", "float64", "float8e4m3", "float8e5m2")
SCALARS = (*LANES, "complex64", "complex128")
VECTORS = tuple(f"{name}x{lanes}" for name in LANES for lanes in range(1, 5))

# HIP's device pass alone is clang for amdgcn, with the host's C++ library but without ROCm's.
COMPILERS = {
    "gcc": ("g++", "-fsyntax-only"),
    "clang": ("clang++-22", "-fsyntax-only"),
    "amdgcn": ("clang++-22", "-x", "hip", "--offload-device-only", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-fsyntax-only"),
    "nvcc": ("nvcc", "-x", "cu", "-ptx", "-o", "/dev/null"),
}


class Types:
    """Random types, each as what Python says and as what C++ says; records are written out in `self.lines`."""

    def __init__(self, seed):
        self.random, self.lines, self.records, self.asserts = random.Random(seed), [], {}, 0

    def pick(self, options):
        return options[self.random.randrange(len(options))]

    def type(self, depth):
        """(Python type, its C++)."""
        which = self.random.randrange(9 if depth > 0 else 5)
        if which == 0:
            return self.pick(tuple(BUILTINS.items()))
        if which < 5:
            name = self.pick(SCALARS if which < 3 else VECTORS)
            return getattr(device, name), f"hetjit::{name}"
        if which == 5:
            rank, name = 1 + self.random.randrange(8), self.pick((*SCALARS, *VECTORS))
            element, cxx = (getattr(device, name), f"hetjit::{name}") if self.random.randrange(2) else self.struct(depth - 1)
            return element[(slice(None),) * rank], f"hetjit::interoperable_array_descriptor<{cxx}, {rank}>"
        return self.tuple(depth) if which == 6 else self.struct(depth)

    def field(self, depth):
        """(Python type, C++ with its alignas)."""
        t, cxx = self.type(depth)
        if self.random.randrange(5):
            return t, cxx
        align = 1 << self.random.randrange(7)
        return device.align(t, align), (f"alignas({align}) " if align > device.abi(t).align else "") + cxx

    def tuple(self, depth):
        fields = [self.field(depth - 1) for _ in range(self.random.randrange(6))]
        return self.record(tuple[tuple(t for t, _ in fields)], fields, [f"m{k}" for k in range(len(fields))], "")

    def struct(self, depth):
        fields = [self.field(depth - 1) for _ in range(self.random.randrange(1, 7))]
        names = [f"f{k}" for k in range(len(fields))]
        align = 1 << self.random.randrange(8) if self.random.randrange(5) == 0 else None
        made = type(f"S{len(self.records)}", (), {"__annotations__": dict(zip(names, (t for t, _ in fields)))})
        natural = max(device.abi(t).align for t, _ in fields)
        return self.record(device.struct(align=align)(made) if align else device.struct(made), fields, names,
                           f"alignas({align}) " if align and align > natural else "")

    def record(self, t, fields, names, alignas):
        if t in self.records:
            return t, self.records[t]
        record = self.records[t] = f"Record{len(self.records)}"
        self.lines += [f"struct {alignas}{record} {{", *(f"  {cxx} {name};" for (_, cxx), name in zip(fields, names)), "};"]
        self.require(t, record, names)
        return t, record

    def require(self, t, cxx, names=()):
        found = device.abi(t)
        assert len(found.fields) == len(names) or not names
        wanted = [(f"sizeof({cxx})", found.size), (f"alignof({cxx})", found.align)]
        wanted += [(f"offsetof({cxx}, {name})", offset) for name, (_, offset, _) in zip(names, found.fields)]
        self.lines += [f'static_assert({what} == {value}, "");' for what, value in wanted]
        self.asserts += len(wanted)


def source_of(lines):
    return "\n".join(["#include <cstddef>", '#include "interop.hpp"', *lines, ""])


@pytest.fixture(params=COMPILERS)
def compiled(request, tmp_path):
    """A function: what the compiler says of a source, "" when it compiles."""
    program, *options = COMPILERS[request.param]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")

    def compile_it(lines):
        source = tmp_path / "layouts.cpp"
        source.write_text(source_of(lines))
        done = subprocess.run([program, "-std=c++20", *options, f"-I{HEADERS}", str(source)], capture_output=True, text=True)
        return done.stderr + f"ended with {done.returncode}" if done.returncode else ""
    return compile_it


@pytest.mark.row("HET-TUP-4", "HET-STR-6", "HET-STR-7", "HET-STR-8", "HET-STR-14", "HET-ALN-2", "HET-DSC-1")
def test_random_structs_and_tuples(compiled):
    types = Types(seed=3)
    while len(types.records) < 200:
        types.pick((types.struct, types.tuple))(3)
    assert types.asserts > 800
    assert compiled(types.lines) == ""


@pytest.mark.row("HET-NUM-2", "HET-NUM-3", "HET-NUM-5", "HET-NONE-2", "HET-VEC-20")
def test_every_number_and_vector(compiled):
    types = Types(seed=0)
    for t, cxx in [*BUILTINS.items(), *((getattr(device, name), f"hetjit::{name}") for name in (*SCALARS, *VECTORS))]:
        types.require(t, cxx)
        types.record(tuple[bool, t, bool], [(bool, "bool"), (t, cxx), (bool, "bool")], ["m0", "m1", "m2"], "")
    assert (len(SCALARS), len(VECTORS)) == (16, 56)
    assert types.asserts == (5 + len(SCALARS) + len(VECTORS)) * (2 + 5)
    assert compiled(types.lines) == ""


def test_what_abi_writes_as_cxx(compiled):
    """The C++ of `abi(T).cxx`, with its own static_asserts, each type in a namespace of its own."""
    types, lines = Types(seed=5), []
    while len(types.records) < 60:
        t, _ = types.pick((types.struct, types.tuple))(2)
        lines += [f"namespace space{len(lines)} {{", device.abi(t).cxx, "}"]
    assert sum("static_assert(offsetof(" in line for line in lines) > 20
    assert compiled(lines) == ""


def test_a_wrong_layout_does_not_compile(compiled):
    types = Types(seed=0)
    _, record = types.record(tuple[bool, device.float32x3], [(bool, "bool"), (device.float32x3, "hetjit::float32x3")], ["m0", "m1"], "")
    assert compiled(types.lines) == ""
    assert "static" in compiled([*types.lines, f'static_assert(offsetof({record}, m1) == 8, "");'])

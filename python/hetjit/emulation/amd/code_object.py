"""Code objects in memory, as ROCm's loader puts them there: segments, relocations, kernels and what they ask for.

From LLVM's document of the target ("Code Object", "Kernel Descriptor", "Code Object V5 Metadata") and the System V ABI's.
"""

import bisect
import struct
from typing import NamedTuple

import numpy as np

from ..faults import AddressFault, LinkError
from .elf import DAMAGE, DYNAMIC_SYMBOLS, LOADED, NOWHERE, RELOCATABLE, SHARED_OBJECT, Elf, damaged
from .lines import line_at, rows_of
from .messages import unpacked

HSA, AMDGPU, NOTE = 64, 224, 32
MACHINES = {3: "x86", 62: "x86-64", 183: "AArch64", 190: "NVIDIA's GPUs", 243: "RISC-V"}
VERSIONS = {2: 4, 3: 5, 4: 6}  # the ELF header's byte: the version that documents speak of
PAGE = 4096
DYNAMIC_STACK, WAVE_32 = 1 << 11, 1 << 10  # of a kernel's properties
CODE = 2  # symbols of functions
GENERIC = {"gfx9-generic": ("gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"), "gfx9-4-generic": ("gfx940", "gfx941", "gfx942", "gfx950"),
           "gfx10-1-generic": ("gfx1010", "gfx1011", "gfx1012", "gfx1013"),
           "gfx10-3-generic": ("gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"),
           "gfx11-generic": ("gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"),
           "gfx12-generic": ("gfx1200", "gfx1201")}


class ForeignError(LinkError):
    """Code for another architecture."""


class Kernel(NamedTuple):
    name: str
    entry: int  # the address of its first instruction
    kernarg_bytes: int
    group_bytes: int
    private_bytes: int
    rsrc1: int
    rsrc2: int
    rsrc3: int
    properties: int
    wave_size: int
    hidden: list  # (offset, bytes, kind) of each argument that the run time fills in
    explicit_bytes: int  # those that the caller gives
    max_threads: int
    registers: int  # of a thread: vector registers, accumulators among them
    dynamic_stack: bool
    descriptor: int  # where it lies


class Program:
    """One code object that lies in the arena from `base` on."""

    def __init__(self, arena, base, architecture, elf):
        self.arena, self.base, self.architecture, self.elf = arena, base, architecture, elf
        self.rows = None  # of the line tables, read for the first fault
        self.kernels = {}
        self.variables = {}  # name: (address, bytes)
        self.functions = []  # (address, end, name), by address

    def function_at(self, address):
        """The name of the function whose code lies there, for messages."""
        at = bisect.bisect_right(self.functions, (address, 1 << 64, "")) - 1
        found = self.functions[at] if at >= 0 else (0, 0, "")
        return found[2] if found[0] <= address < found[1] else f"code at {address:#x}"

    def line_at(self, address):
        """(file, line) that an instruction comes from, where the code object says so; None elsewhere."""
        if self.rows is None:
            self.rows = rows_of(self.elf)
        return line_at(self.rows, address - self.base)

    def release(self):
        self.arena.release(self.base)


def runs_on(architecture, device):
    """Whether code for an architecture runs on a device; a generic one is for several."""
    return device == architecture or device in GENERIC.get(architecture, ())


def load(image, arena, device=None):
    """`device`: the architecture that it must be for, "gfx942"."""
    elf = Elf(image)
    check_header(elf.header)
    base = None
    try:
        notes = metadata(elf)
        architecture = notes.get("amdhsa.target", "").rpartition("--")[2].partition(":")[0]
        if device and not runs_on(architecture, device):
            raise ForeignError(f"the code object is for {architecture}, not for {device}")
        base = arena.allocate(span(elf), PAGE)
        place(elf, arena.slice(base, span(elf)))
        relocate(elf, arena, base)
        return described(elf, Program(arena, base, architecture, elf), notes)
    except (LinkError, AddressFault, AttributeError, *DAMAGE) as error:
        if base is not None:
            arena.release(base)
        raise error if isinstance(error, LinkError) else damaged(error)


def check_header(header):
    if header.machine != AMDGPU:
        raise LinkError(f"an ELF file for {MACHINES.get(header.machine, f'machine {header.machine}')}, not for AMD's GPUs")
    if header.kind != SHARED_OBJECT:
        what = "that has not been linked" if header.kind == RELOCATABLE else f"of kind {header.kind}"
        raise LinkError(f"an ELF file {what}: a code object is a shared object")
    if header.system != HSA:
        raise LinkError(f"a code object for another system than HSA (number {header.system})")
    if header.version not in VERSIONS:
        raise LinkError(f"a code object of a version other than {', '.join(map(str, VERSIONS.values()))} (ABI version {header.version})")


def metadata(elf):
    for name, kind, text in elf.notes():
        if name == b"AMDGPU" and kind == NOTE:
            try:
                return unpacked(text)
            except ValueError as error:
                raise LinkError(f"the code object's notes: {error}") from error
    raise LinkError("the code object has no notes (NT_AMDGPU_METADATA)")


def span(elf):
    """Bytes from the file's address 0 to the end of the last segment."""
    size = max((s.address + s.bytes for s in elf.segments if s.kind == LOADED), default=0)
    if not 0 < size < 1 << 32:
        raise LinkError("a code object whose segments nobody could load")
    return size


def place(elf, memory):
    memory[:] = 0
    for s in elf.segments:
        if s.kind == LOADED:
            memory[s.address:s.address + s.file_bytes] = np.frombuffer(elf.part(s.offset, s.file_bytes), np.uint8)


# What the loader does at `address` for each kind of relocation: (name, bytes, of S + A).
RELOCATIONS = {1: ("R_AMDGPU_ABS32_LO", 4, lambda value: value & 0xFFFFFFFF), 2: ("R_AMDGPU_ABS32_HI", 4, lambda value: value >> 32),
               3: ("R_AMDGPU_ABS64", 8, lambda value: value), 6: ("R_AMDGPU_ABS32", 4, lambda value: value & 0xFFFFFFFF),
               13: ("R_AMDGPU_RELATIVE64", 8, lambda value: value)}
WITHOUT_SYMBOL = {13}
WEAK = 2


def relocate(elf, arena, base):
    for relocation in elf.relocations:
        if relocation.kind == 0:
            continue
        if relocation.kind not in RELOCATIONS:
            raise LinkError(f"relocation of kind {relocation.kind}, which no loader does")
        _, size, word = RELOCATIONS[relocation.kind]
        value = base if relocation.kind in WITHOUT_SYMBOL else address_of(relocation.symbol, base)
        value = word(value + relocation.addend & (1 << 64) - 1)
        arena.slice(base + relocation.address, size)[:] = np.frombuffer(value.to_bytes(size, "little"), np.uint8)


def address_of(symbol, base):
    if symbol.section != NOWHERE:
        return base + symbol.address
    if symbol.binding != WEAK:
        raise LinkError(f"'{symbol.name}' is defined nowhere")
    return 0


def described(elf, program, notes):
    base, symbols = program.base, elf.every_symbol()
    for kernel in notes["amdhsa.kernels"]:
        descriptor = next((s for s in symbols if s.name == kernel[".symbol"]), None)
        if descriptor is None:
            raise LinkError(f"the kernel {kernel['.name']} has no descriptor")
        program.kernels[kernel[".name"]] = described_kernel(program.arena, base + descriptor.address, kernel)
    program.functions = sorted({(base + s.address, base + s.address + s.bytes, s.name) for s in symbols if s.kind == CODE and s.bytes})
    visible = [s for k, table in elf.symbols.items() if elf.sections[k].kind == DYNAMIC_SYMBOLS for s in table]
    program.variables = {s.name: (base + s.address, s.bytes) for s in visible
                         if s.section != NOWHERE and s.kind != CODE and not s.name.endswith(".kd")}
    return program


def described_kernel(arena, address, notes):
    """What the descriptor (64 bytes) and the notes say of a kernel."""
    group, private, kernarg, entry, rsrc3, rsrc1, rsrc2, properties = struct.unpack("<III4xq20xIIIH6x", bytes(arena.slice(address, 64)))
    arguments = notes.get(".args", [])
    hidden = [(a[".offset"], a[".size"], a[".value_kind"]) for a in arguments if a[".value_kind"].startswith("hidden_")]
    given = [a[".offset"] + a[".size"] for a in arguments if not a[".value_kind"].startswith("hidden_")]
    return Kernel(notes[".name"], address + entry, max(kernarg, notes[".kernarg_segment_size"]), group, private, rsrc1, rsrc2, rsrc3,
                  properties, notes.get(".wavefront_size", 32 if properties & WAVE_32 else 64), hidden, max(given, default=0),
                  notes[".max_flat_workgroup_size"], notes[".vgpr_count"], bool(notes.get(".uses_dynamic_stack") or properties & DYNAMIC_STACK), address)

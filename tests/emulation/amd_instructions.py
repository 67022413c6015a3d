"""Single instructions on the machine for AMD: a wave whose registers hold given numbers runs some lines of assembly.

LLVM's assembler made the bytes; `recorded/amd-instructions.txt` holds them (HETJIT_UPDATE=1 writes it anew), so the tests need no assembler.
"""

import os
import pathlib
import re
import shutil
import subprocess
import types

import numpy as np

from hetjit.emulation.amd.code_object import Kernel
from hetjit.emulation.amd.machine import Launch, Machine
from hetjit.emulation.amd.operands import VGPR
from hetjit.emulation.amd.program import Code

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded" / "amd-instructions.txt"
ASSEMBLER = shutil.which("llvm-mc-22")
END = "s_endpgm"
WAVES = {"gfx942": 64, "gfx90a": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}
MODE = 0xF0 | 1 << 9 | 1 << 8  # as kernels begin: to the nearest, denormals kept, IEEE


def read_recorded():
    if not RECORDED.exists():
        return {}
    rows = (line.rstrip("\n").split("\t") for line in RECORDED.open())
    return {(architecture, text): bytes.fromhex(data) for architecture, text, data in rows}


KNOWN = read_recorded()


def assembled(architecture, text):
    """By LLVM, now; None where it is not."""
    if ASSEMBLER is None:
        return None
    command = [ASSEMBLER, "--triple=amdgcn-amd-amdhsa", f"-mcpu={architecture}", "--show-encoding"]
    if architecture.startswith("gfx1"):
        command.append("-mattr=+wavefrontsize32")
    done = subprocess.run(command, input=text.replace(" | ", "\n") + "\n", capture_output=True, text=True, check=True)
    return bytes(int(byte, 16) for row in re.findall(r"encoding: \[([^\]]*)\]", done.stdout) for byte in row.split(","))


def encoded(architecture, text):
    key = architecture, text
    if key not in KNOWN or os.environ.get("HETJIT_UPDATE") and ASSEMBLER:
        found = assembled(architecture, text)
        if found is None:
            raise LookupError(f"{RECORDED.name} lacks '{text}' for {architecture}")
        KNOWN[key] = found
        if os.environ.get("HETJIT_UPDATE"):
            RECORDED.write_text("".join(f"{a}\t{t}\t{data.hex()}\n" for (a, t), data in sorted(KNOWN.items())))
    return KNOWN[key]


class Wave:
    """One wave of an architecture, or several of a block. `run` sets registers ("v0", "s4"; two of them where the numbers have 64 bits), runs lines
    joined by " | ", and keeps what it leaves. Numbers are for each lane, or for each wave, or one for all."""

    def __init__(self, architecture, shared_bytes=0, private_bytes=0, waves=1):
        self.machine, self.architecture, self.width = Machine(architecture), architecture, WAVES[architecture]
        self.threads = self.width * waves
        self.sizes = shared_bytes, private_bytes
        self.launch = None

    def run(self, text, mode=MODE, **registers):
        data = encoded(self.architecture, text) + encoded(self.architecture, END)
        arena = self.machine.arena
        base = arena.allocate(len(data) + 16, 256)
        arena.slice(base, len(data))[:] = np.frombuffer(data, np.uint8)
        program = types.SimpleNamespace(arena=arena, base=base, architecture=self.architecture, function_at=lambda address: "lines",
                                        line_at=lambda address: None)
        kernel = Kernel("lines", base, 0, *self.sizes, mode << 12 & 0xFF000 | (mode >> 8 & 1) << 21 | (mode >> 9 & 1) << 23, 0, 0, 0, self.width, [], 0,
                        1024, 0, False, 0)
        loaded = types.SimpleNamespace(program=program, machine=self.machine, code=lambda wave, writer: Code(program, wave, writer))
        with np.errstate(all="ignore"):
            self.launch = Launch(loaded, kernel, (1, 1, 1), (self.threads, 1, 1), 0, 1, 0, 0, 0)
            for name, values in registers.items():
                self.set(name, values)
            self.launch.run()
        return self

    def key(self, name):
        kind, number = re.fullmatch(r"([vs])(\d+)", name).groups()
        return int(number) + (VGPR if kind == "v" else 0)

    def set(self, name, values):
        """The bits of any array; two registers for 64 of them."""
        values = np.atleast_1d(np.asarray(values))
        values = values.view(f"u{values.dtype.itemsize}")
        words = values.astype(np.uint32)[:, None] if values.dtype.itemsize < 8 else values.view(np.uint32).reshape(-1, 2)
        for place in range(words.shape[1]):
            column = words[:, place].reshape((self.launch.count, -1) if len(words) > 1 else (1, 1))
            self.launch.registers.write(self.key(name) + place, None, np.array(np.broadcast_to(column, (self.launch.count, column.shape[1]))))

    def get(self, name, dtype=np.uint32):
        """A vector register of every lane, or a scalar one, as a type of 16, 32 or 64 bits."""
        size = np.dtype(dtype).itemsize
        width = self.launch.count * self.width if name[0] == "v" else self.launch.count
        shape = (self.launch.count, width // self.launch.count)
        words = [np.broadcast_to(self.launch.registers.read(self.key(name) + place, None), shape).ravel() for place in range(2 if size == 8 else 1)]
        if size == 8:
            return np.stack(words, axis=1).copy().view(dtype).ravel()
        return words[0].astype(f"u{size}").view(dtype)

"""Code in memory as blocks that run: from a place that something jumps to, to the next one or to what leaves it."""

from typing import NamedTuple

import numpy as np

from ..faults import LinkError, MachineError, UnknownCode
from .decode import tables_of
from .memory import WINDOWS
from .system import End, SystemWriter
from .values import DTYPES

U4 = DTYPES["U4"]
LONGEST = 200  # instructions of a block


class Place(NamedTuple):
    """An instruction, for messages."""

    address: int
    text: str
    source: tuple = None  # (file, line), looked up for a fault

    @property
    def place(self):
        return f"{self.address:#x}: {self.text}"


class Block:
    """`following`: the address behind it; `mode`: the register MODE, as it leaves it; `touched`: StepWriter's."""

    def __init__(self, writer, places, end, following, text):
        self.run, self.mode, self.touched = writer.space["run"], writer.mode, writer.touched
        self.places, self.end, self.following, self.text = places, end, following, text


class Code:
    """The code of a program (code_object.py). `writer`: of blocks."""

    def __init__(self, program, wave, writer=SystemWriter):
        self.program, self.wave, self.writer = program, wave, writer
        self.tables = tables_of(program.architecture)
        self.blocks = {}
        start, end = program.arena.find(program.base)
        self.start, self.bytes = start, bytes(program.arena.slice(start, end - start))
        self.leaders = self.find_leaders()

    def find_leaders(self):
        """Where branches may go. Words that only look like one do no harm."""
        words = np.frombuffer(self.bytes[:len(self.bytes) // 4 * 4], U4)
        places = np.flatnonzero(words >> U4.type(23) == 0x17F)
        offsets = (words[places] & U4.type(0xFFFF)).astype(np.int16).astype(np.int64)
        return set((self.start + 4 * (places + 1 + offsets)).tolist())

    def block(self, address, mode):
        found = self.blocks.get((address, mode))
        if found is None:
            found = self.blocks[address, mode] = self.compiled(address, mode)
        return found

    def instruction(self, address):
        at = address - self.start
        if not 0 <= at < len(self.bytes) or address & 3:
            raise LinkError(f"a jump to {address:#x}, where no code of the program is")
        data = self.bytes[at:at + 16]
        return self.tables.decode(data + bytes(16 - len(data)))

    def compiled(self, address, mode):
        writer = self.writer(self.tables, self.wave, WINDOWS, mode)
        writer.wide_scratch = self.program.architecture == "gfx90a"
        writer.space["LANE"] = np.arange(self.wave, dtype=U4)[None]
        places, start, end = [], address, None
        while end is None:
            try:
                instruction = self.instruction(address)
                places.append(Place(address, instruction.name.lower()))
                writer.do(f"g.at = {len(places) - 1}")
                end = writer.instruct(instruction, address)
            except MachineError as error:
                raise self.named(error, address)
            address += instruction.bytes
            if end is None and (address in self.leaders or len(places) >= LONGEST):
                end = End("next", target=address)
        text = writer.function(end.text)
        exec(compile(text, f"<code at {start:#x}>", "exec"), writer.space)
        return Block(writer, places, end, address, text)

    def named(self, error, address):
        if isinstance(error, UnknownCode):
            return UnknownCode(f"{error}\n  in {self.program.function_at(address)}, at {address:#x}")
        return error

"""Code objects with something taken from a kernel's machine code."""

import re

from hetjit.emulation.amd.code_object import CODE
from hetjit.emulation.amd.decode import tables_of
from hetjit.emulation.amd.elf import LOADED, Elf

NOTHING = (0xBF800000).to_bytes(4, "little")  # s_nop 0, on every family


def without(name, behind=""):
    """No instruction of this name; or only none that stands behind one of that name."""
    def change(tables, before, instruction, data):
        if re.fullmatch(name, instruction.name) and re.fullmatch(behind or ".*", before):
            return NOTHING * (len(data) // 4)
    return change


def cleared(name, field):
    """The instructions of this name with a bit of theirs that is zero now."""
    def change(tables, before, instruction, data):
        if not re.fullmatch(name, instruction.name) or not instruction.fields.get(field):
            return None
        wanted = instruction._replace(fields={**instruction.fields, field: 0})
        for bit in range(8 * len(data)):
            changed = (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")
            try:
                if tables.decode(changed.ljust(16, b"\0")) == wanted:
                    return changed
            except Exception:  # no instruction
                continue
    return change


def edited(image, architecture, kernel, change):
    elf, tables = Elf(image), tables_of(architecture)
    symbol = next(s for s in elf.every_symbol() if s.name == kernel and s.kind == CODE)
    segment = next(s for s in elf.segments if s.kind == LOADED and s.address <= symbol.address < s.address + s.file_bytes)
    data, at, before, count = bytearray(image), segment.offset + symbol.address - segment.address, "", 0
    end = at + symbol.bytes
    while at < end:
        instruction = tables.decode(bytes(data[at:at + 16]).ljust(16, b"\0"))
        new = change(tables, before, instruction, bytes(data[at:at + instruction.bytes]))
        if new is not None:
            data[at:at + instruction.bytes], count = new, count + 1
        at, before = at + instruction.bytes, instruction.name
    assert count, "nothing to take"
    return bytes(data)

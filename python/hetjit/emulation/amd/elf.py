"""An ELF file's segments, symbols, notes and relocations, in 64 bits and little-endian (the System V ABI's document)."""

import ctypes
import struct
from typing import NamedTuple

from ..faults import LinkError

LOADED = 1  # segments that lie in memory
SYMBOLS, RELOCATIONS, NOTES, DYNAMIC_SYMBOLS = 2, 4, 7, 11  # kinds of sections
COMPRESSED = 0x800  # a section's flag
SHARED_OBJECT, RELOCATABLE = 3, 1
NOWHERE = 0  # the section of a symbol that is defined elsewhere


class Header(NamedTuple):
    system: int
    version: int
    kind: int
    machine: int


class Segment(NamedTuple):
    kind: int
    flags: int
    offset: int
    address: int
    physical: int
    file_bytes: int
    bytes: int
    align: int


class Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    bytes: int
    link: int
    info: int
    align: int
    entry_bytes: int


class Symbol(NamedTuple):
    name: str
    kind: int  # 1 data, 2 code, 3 section
    binding: int  # 0 local, 1 global, 2 weak
    section: int
    address: int
    bytes: int


class Relocation(NamedTuple):
    address: int
    kind: int
    symbol: Symbol
    addend: int


DAMAGE = (struct.error, LookupError, TypeError, ValueError, OverflowError)  # what reading it stumbles over


def damaged(error):
    return LinkError(f"the code object is damaged or cut short: {type(error).__name__}: {error}")


def image_at(address):
    """The bytes of a file that lies in memory: to the end of the table of its sections, which linkers write last."""
    head = ctypes.string_at(address, 64)
    if head[:4] != b"\x7fELF":
        raise LinkError(f"no code object: it begins with {head[:16]!r}")
    sections, = struct.unpack_from("<Q", head, 40)
    section_bytes, section_count = struct.unpack_from("<HH", head, 58)
    return ctypes.string_at(address, sections + section_bytes * section_count)


class Elf:
    """LinkError for what is no such file, or is cut short."""

    def __init__(self, image):
        self.image = bytes(image)
        if self.image[:4] != b"\x7fELF":
            raise LinkError(f"no code object: it begins with {self.image[:16]!r}")
        try:
            self.read()
        except DAMAGE as error:
            raise damaged(error)

    def read(self):
        if tuple(self.image[4:6]) != (2, 1):
            raise LinkError("an ELF file of 32 bits or in big-endian order, which is no code object")
        kind, machine = struct.unpack_from("<HH", self.image, 16)
        self.header = Header(self.image[7], self.image[8], kind, machine)
        segments, sections = struct.unpack_from("<QQ", self.image, 32)
        segment_bytes, segment_count, section_bytes, section_count = struct.unpack_from("<HHHH", self.image, 54)
        self.segments = [Segment(*struct.unpack_from("<IIQQQQQQ", self.image, segments + k * segment_bytes)) for k in range(segment_count)]
        self.sections = [Section(*struct.unpack_from("<IIQQQQIIQQ", self.image, sections + k * section_bytes)) for k in range(section_count)]
        self.symbols = {k: self.symbols_of(s) for k, s in enumerate(self.sections) if s.kind in (SYMBOLS, DYNAMIC_SYMBOLS)}
        self.relocations = [r for s in self.sections if s.kind == RELOCATIONS for r in self.relocations_of(s)]

    def part(self, offset, bytes):
        if offset + bytes > len(self.image):
            raise IndexError(f"{len(self.image)} bytes, of which it speaks of {offset + bytes}")
        return self.image[offset:offset + bytes]

    def text_at(self, table, offset):
        start = self.sections[table].offset + offset
        return self.image[start:self.image.index(b"\0", start)].decode()

    def named(self, name):
        """The bytes of a section; none where it is compressed, or not there."""
        names, = struct.unpack_from("<H", self.image, 62)
        found = [s for s in self.sections if s.kind and not s.flags & COMPRESSED and self.text_at(names, s.name) == name]
        return self.part(found[0].offset, found[0].bytes) if found else b""

    def symbols_of(self, section):
        found = []
        for data in struct.iter_unpack("<IBBHQQ", self.part(section.offset, section.bytes)):
            name, info, _, where, address, bytes = data
            found.append(Symbol(self.text_at(section.link, name), info & 15, info >> 4, where, address, bytes))
        return found

    def relocations_of(self, section):
        for address, info, addend in struct.iter_unpack("<QQq", self.part(section.offset, section.bytes)):
            symbols = self.symbols.get(section.link)
            yield Relocation(address, info & 0xFFFFFFFF, symbols[info >> 32] if symbols else None, addend)

    def every_symbol(self):
        return [symbol for table in self.symbols.values() for symbol in table]

    def notes(self):
        """(name, kind, what it says) of each."""
        for section in self.sections:
            at, end = section.offset, section.offset + section.bytes
            while section.kind == NOTES and at < end:
                name_bytes, bytes, kind = struct.unpack_from("<III", self.image, at)
                start = at + 12 + -(-name_bytes // 4) * 4
                yield self.part(at + 12, name_bytes).rstrip(b"\0"), kind, self.part(start, bytes)
                at = start + -(-bytes // 4) * 4

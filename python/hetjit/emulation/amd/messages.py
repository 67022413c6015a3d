"""MessagePack, as far as the notes of code objects use it (msgpack.org/index)."""

import struct

NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
LENGTHS = {0xC4: (bytes, ">B"), 0xC5: (bytes, ">H"), 0xC6: (bytes, ">I"), 0xD9: (str, ">B"), 0xDA: (str, ">H"),
           0xDB: (str, ">I"), 0xDC: (list, ">H"), 0xDD: (list, ">I"), 0xDE: (dict, ">H"), 0xDF: (dict, ">I")}


def unpacked(data):
    """The first value. ValueError for what is none."""
    try:
        return Reader(data).value()
    except (IndexError, struct.error, UnicodeDecodeError, TypeError) as error:
        raise ValueError(f"malformed MessagePack: {error}") from error


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        found, = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return found

    def value(self):
        tag = self.number(">B")
        if tag <= 0x7F or tag >= 0xE0:
            return tag if tag <= 0x7F else tag - 0x100
        if tag <= 0xBF:
            kind, count = (dict, tag & 15) if tag <= 0x8F else (list, tag & 15) if tag <= 0x9F else (str, tag & 31)
            return self.several(kind, count)
        if tag in CONSTANTS:
            return CONSTANTS[tag]
        if tag in NUMBERS:
            return self.number(NUMBERS[tag])
        if tag not in LENGTHS:
            raise ValueError(f"MessagePack of kind {tag:#x}")
        kind, form = LENGTHS[tag]
        return self.several(kind, self.number(form))

    def several(self, kind, count):
        if kind is dict:
            return {self.value(): self.value() for _ in range(count)}
        if kind is list:
            return [self.value() for _ in range(count)]
        if self.at + count > len(self.data):
            raise IndexError("it is cut short")
        self.at += count
        data = bytes(self.data[self.at - count:self.at])
        return data.decode() if kind is str else data

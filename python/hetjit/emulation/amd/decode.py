"""Bits to instructions, by AMD's machine-readable descriptions of its instruction sets, as the tables of tinygrad hold them."""

import functools
import importlib
import re
import struct
from typing import NamedTuple

from ..faults import UnknownCode

FAMILIES = {"gfx9": "cdna", "gfx11": "rdna3", "gfx12": "rdna4"}
KNOWN = ("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950")  # of gfx9: the others have instructions that no table holds


def family_of(architecture):
    """The tables for an architecture."""
    for start, family in FAMILIES.items():
        if architecture.startswith(start) and (start != "gfx9" or architecture in KNOWN):
            return family
    raise UnknownCode(f"{architecture}: there are tables for {', '.join(KNOWN)}, gfx11… and gfx12…")


# Of gfx90a, which the tables (gfx942's) lack or have as others: by the operation's bits the name, and one with the same operands.
CACHES = {0x3E: "BUFFER_WBINVL1", 0x3F: "BUFFER_WBINVL1_VOL"}
UNFUSED = {"VOP3": {0x1C1: ("V_MAD_F32", 0x1CB), 0x116: ("V_MAC_F32", 0x13B)},
           "VOP2": {0x16: ("V_MAC_F32", 0x3B), 0x17: ("V_MADMK_F32", 0x17), 0x18: ("V_MADAK_F32", 0x18)}}


class Instruction(NamedTuple):
    name: str  # "V_ADD_F32", without the encoding's suffix
    encoding: str  # "VOP3", "VOP2_DPP16", …
    operation: object  # the key of the tables
    fields: dict  # raw bits by the field's name
    bytes: int

    def field(self, *names):
        """The first that the encoding has; None for none."""
        return next((self.fields[name] for name in names if name in self.fields), None)


class Tables:
    """What an instruction set is."""

    def __init__(self, family, older=False):
        """`older`: as gfx90a has it."""
        try:
            from tinygrad.renderer.amd import decode_inst
        except ImportError as error:
            raise ImportError(f"the machine for AMD needs tinygrad 0.14.0 (pip install hetjit[emulation]): {error}") from error
        module = f"tinygrad.runtime.autogen.amd.{family}"
        self.family, self.decode_bits, self.older = family, decode_inst, older
        self.operands = importlib.import_module(module + ".operands").OPERANDS
        self.pseudocode = importlib.import_module(module + ".str_pcode").PCODE
        self.forms = importlib.import_module(module + ".ins")
        self.buffers = [getattr(self.forms, name) for name in ("MUBUF", "VBUFFER") if hasattr(self.forms, name) and family != "cdna"]
        self.by_name = {}
        for operation in self.pseudocode:
            self.by_name.setdefault(plain(operation.name), operation)
        self.cache = {}

    def decode(self, data):
        """The instruction that some bytes (up to 16) begin with."""
        known = self.cache.get(data)
        if known is None:
            known = self.cache[data] = (self.unfused(data) if self.older else None) or self.decoded(data)
        return known

    def unfused(self, data):
        """Products and sums that are rounded twice; None for others."""
        word = int.from_bytes(data[:4], "little")
        if word >> 26 == 0b110100:
            encoding, shift, mask = "VOP3", 16, 0x3FF
        elif word >> 31 == 0 and word >> 25 & 63 < 62:
            encoding, shift, mask = "VOP2", 25, 0x3F
        else:
            return None
        name, like = UNFUSED[encoding].get(word >> shift & mask, (None, None))
        if name is None:
            return None
        word = word & ~(mask << shift) | like << shift
        return self.decoded(word.to_bytes(4, "little") + data[4:])._replace(name=name)

    def decoded(self, data):
        word = int.from_bytes(data[:4], "little")
        if self.family == "cdna" and word >> 26 == 0b111000 and word >> 18 & 127 in CACHES:
            return Instruction(CACHES[word >> 18 & 127], "MUBUF", None, {}, 8)
        try:
            found = self.buffer(data) or self.decode_bits(data, self.family)
            operation = getattr(found, "op", None)
        except (ValueError, AssertionError, RuntimeError) as error:
            words = " ".join(f"{word:08x}" for word in struct.unpack("<II", data[:8]))
            raise UnknownCode(f"no instruction of {self.family}: {words}") from error
        form = self.in_eights(found)
        if form is not None:
            found._raw, fields, size = int.from_bytes(data[:form._base_size], "little"), form._fields, form._base_size
        else:
            form, fields, size = type(found), found._fields, found._base_size
        fields = {name: found._raw >> field.lo & field.mask for name, field in fields}
        if operation is None:  # two in one
            name = f"{found.opx.name}::{found.opy.name}"
        else:
            name = plain(operation.name)
        return Instruction(name, form.__name__, operation, fields, size)

    def in_eights(self, found):
        """The form of an instruction whose first operand comes by DPP8, which `decode_inst` does not tell from others; None for the others."""
        if self.family == "cdna" or not hasattr(found, "src0") or found.src0.offset not in (233, 234):
            return None
        return getattr(self.forms, type(found).__name__ + "_DPP8", None)

    def buffer(self, data):
        """Accesses by a buffer's description, which `decode_inst` leaves out for RDNA."""
        for form in self.buffers:
            if int.from_bytes(data[:4], "little") >> form.encoding.lo == form.encoding.default:
                return form.from_bytes(data)
        return None

    def operand_bits(self, operation, field):
        found = self.operands.get(operation, {}).get(field)
        return found[1] if found else None

    def operand_format(self, operation, field):
        found = self.operands.get(operation, {}).get(field)
        return found[0].name.removeprefix("FMT_").removeprefix("NUM_") if found else None


def plain(name):
    return re.sub(r"_E(32|64)$", "", name)


@functools.cache
def tables(family, older=False):
    return Tables(family, older)


def tables_of(architecture):
    return tables(family_of(architecture), architecture == "gfx90a")

"""Instructions that access memory: what they are by their names, and how they are written (what they do: transfers.py)."""

import re
from typing import NamedTuple

import numpy as np

from ..faults import UnknownCode
from .lanes import swizzle_pattern
from .operands import ACC, VGPR
from .values import DTYPES
from .vectors import VectorWriter

U4 = DTYPES["U4"]


class Moved(NamedTuple):
    """A load or store: `count` words of `size` bytes."""

    size: int
    count: int
    signed: bool = False
    half: object = None  # "low" or "high": of the register, of which the other one stays


BYTES = {"UBYTE": (1, False), "SBYTE": (1, True), "USHORT": (2, False), "SSHORT": (2, True), "BYTE": (1, False), "SHORT": (2, False),
         "U8": (1, False), "I8": (1, True), "U16": (2, False), "I16": (2, True), "B8": (1, False), "B16": (2, False)}


def moved(kind):
    """What is loaded or stored, by the end of the name; None if that is something else."""
    half = "high" if "D16_HI" in kind else "low" if "D16" in kind else None
    kind = kind.replace("_D16_HI", "").replace("_D16", "").replace("D16_HI_", "").replace("D16_", "")
    if kind in BYTES:
        return Moved(BYTES[kind][0], 1, BYTES[kind][1], half)
    match = re.fullmatch(r"DWORD(?:X(\d))?|B(32|64|96|128)", kind)
    return Moved(4, int(match[2]) // 32 if match[2] else int(match[1] or 1)) if match else None


KINDS = {"SMIN": ("min", "s"), "UMIN": ("min", "u"), "SMAX": ("max", "s"), "UMAX": ("max", "u"), "SWAP": ("exch", "b"),
         "CMPSWAP": ("cas", "b"), "WRXCHG": ("exch", "b"), "STOREXCHG": ("exch", "b"), "CMPST": ("cas", "b"), "CMPSTORE": ("cas", "b"),
         "INC": ("inc", "u"), "DEC": ("dec", "u"), "ADD": ("add", "u"), "SUB": ("sub", "u"), "RSUB": ("rsub", "u"), "AND": ("and", "b"),
         "OR": ("or", "b"), "XOR": ("xor", "b"), "MIN": ("min", "u"), "MAX": ("max", "u"), "MIN_NUM": ("min", "f"), "MAX_NUM": ("max", "f")}
ATOMIC = re.compile(r"(PK_ADD|MIN_NUM|MAX_NUM|[A-Z]+)(?:_RTN)?(?:_([FUIB])(32|64|16)|_(BF16))?(_X2)?")


class Atomic(NamedTuple):
    operation: str
    kind: str  # the type's name, which numbers/atomics.py goes by
    dtype: object


def atomic(name):
    """ADD_X2, CMPSWAP_B32, MIN_RTN_I32, PK_ADD_F16: None if it is none."""
    match = ATOMIC.fullmatch(name)
    if not match:
        return None
    if match[1] == "PK_ADD":
        return Atomic("add", "bf16x2" if match[4] else "f16x2", U4)
    if match[1] not in KINDS:
        return None
    operation, letter = KINDS[match[1]]
    letter = {"I": "s", "F": "f", "U": "u"}.get(match[2], letter)
    bits = 64 if match[5] or match[3] == "64" else 32
    dtype = np.dtype({"s": "i", "f": "f"}.get(letter, "u") + str(bits // 8))
    return Atomic(operation, f"{letter}{bits}", dtype)


class MemoryWriter(VectorWriter):
    """Writes accesses: an address for each lane, then what the group does with them (Transfers)."""

    def vector_key(self, instruction, field):
        return (ACC if instruction.fields.get("acc") else VGPR) + instruction.fields[field]

    def flat(self, instruction):
        """FLAT, GLOBAL, SCRATCH, and theirs of later families."""
        space, _, kind = instruction.name.partition("_")
        space = space.lower()
        data = "data" if "data" in instruction.fields else "vsrc"
        if kind.startswith("LOAD_LDS"):
            raise UnknownCode(instruction.name)
        verb, _, what = kind.partition("_")
        address = self.flat_address(instruction, space)
        if verb == "LOAD" and moved(what):
            return self.load(space, address, moved(what), self.vector_key(instruction, "vdst"))
        if verb == "STORE" and moved(what):
            return self.store(space, address, moved(what), self.vector_key(instruction, data))
        found = atomic(what) if verb == "ATOMIC" else None
        if found is None:
            if verb in ("INV", "WB", "WBINV"):
                return None
            raise UnknownCode(instruction.name)
        returns = instruction.fields.get("sc0") or instruction.fields.get("glc") or instruction.fields.get("th", 0) & 1
        key = self.vector_key(instruction, data)
        wide = found.dtype.itemsize == 8
        value = self.read64(key) if wide else self.read(key)
        operands = [value]
        if found.operation == "cas":
            operands = [self.read64(key + 2) if wide else self.read(key + 1), value]
        return self.atomic(space, address, found, operands, self.vector_key(instruction, "vdst") if returns else None)

    def flat_address(self, instruction, space):
        fields = instruction.fields
        vector = fields["addr"] if "addr" in fields else fields["vaddr"]
        bits = 13 if "ioffset" not in fields else 24
        raw = fields["offset"] if "offset" in fields else fields["ioffset"]
        if space == "flat" and self.family == "cdna":
            offset = raw & 0xFFF
        else:
            offset = raw - (1 << bits) if raw >> bits - 1 else raw
        nothing = (127,) if self.family == "cdna" else (124, 127)
        scalar = None if fields["saddr"] in nothing or space == "flat" and self.family == "cdna" else fields["saddr"]
        if space == "scratch":
            parts = [self.read(scalar)] if scalar is not None else []
            if fields.get("sve") or scalar is None and self.family == "cdna" and self.wide_scratch:
                parts.append(self.read(VGPR + vector))
            total = " + ".join([*parts, self.constant(offset, 32)])
            return self.emit(total)
        if scalar is None:
            return self.emit(f"{self.read64(VGPR + vector)} + {self.constant(offset, 64)}")
        return self.emit(f"{self.read64(scalar)} + {self.read(VGPR + vector)}.astype(U8) + {self.constant(offset, 64)}")

    wide_scratch = False  # scratch accesses without a scalar address have a vector one

    def load(self, space, address, what, key):
        names = [self.fresh() for _ in range(what.count)]
        self.do(f"{', '.join(names)}, = g.load({space!r}, {address}, {self.on()}, {what.size}, {what.count}, {what.signed})")
        for place, name in enumerate(names):
            if what.half:
                name = self.emit(f"placed({name}, {5 if what.half == 'high' else 4}, 2, {self.read(key)})")
            self.write_lanes(key + place, name)

    def store(self, space, address, what, key):
        self.do(f"g.store({space!r}, {address}, {self.on()}, {what.size}, [{', '.join(self.stored(what, key))}])")

    def stored(self, what, key):
        values = [self.read(key + place) for place in range(what.count)]
        return [self.emit(f"{values[0]} >> {self.constant(16, 32)}")] if what.half == "high" else values

    def atomic(self, space, address, found, operands, key):
        name = self.emit(f"g.atomic({space!r}, {address}, {self.on()}, {self.named(found)}, [{', '.join(operands)}])")
        if key is not None:
            self.write_vector(key, name, 8 * found.dtype.itemsize)

    def buffer(self, instruction):
        """Private memory by its buffer: what a scalar register holds counts bytes of all lanes together."""
        fields = instruction.fields
        verb, _, what = instruction.name.removeprefix("BUFFER_").partition("_")
        if verb not in ("LOAD", "STORE") or not moved(what) or fields.get("lds") or fields["idxen"]:
            raise UnknownCode(instruction.name)
        self.do(f"g.private_buffer({self.read((fields['srsrc'] << 2) + 1)})")
        parts = [self.constant(fields["offset"], 32)]
        if fields["soffset"] < 128:
            parts.append(f"({self.read(fields['soffset'])} >> {self.constant(6, 32)})")
        if fields["offen"]:
            parts.append(self.read(VGPR + fields["vaddr"]))
        address = self.emit(" + ".join(parts))
        write = self.load if verb == "LOAD" else self.store
        write("scratch", address, moved(what), self.vector_key(instruction, "vdata"))

    # ---- shared memory

    def shared(self, instruction):
        fields, name = instruction.fields, instruction.name[3:]
        if fields.get("gds"):
            raise UnknownCode(f"{instruction.name} of global data share")
        method = getattr(self, "shared_" + name, None)
        if method:
            return method(instruction)
        match = re.fullmatch(r"(READ|LOAD|WRITE|STORE)(2|_2ADDR)(ST64|_STRIDE64)?_B(32|64)", name)
        if match:
            return self.shared_two(instruction, match[1] in ("READ", "LOAD"), int(match[4]), 64 if match[3] else 1)
        address = self.shared_address(instruction, fields["offset0"] | fields["offset1"] << 8)
        verb, _, what = name.partition("_")
        if verb in ("READ", "LOAD") and moved(what):
            return self.load("lds", address, moved(what), self.vector_key(instruction, "vdst"))
        if verb in ("WRITE", "STORE") and moved(what):
            return self.store("lds", address, moved(what), self.vector_key(instruction, "data0"))
        return self.shared_atomic(instruction, name, address)

    def shared_atomic(self, instruction, name, address):
        found = atomic(name)
        if found is None:
            raise UnknownCode(instruction.name)
        keys = [self.vector_key(instruction, field) for field in ("data0", "data1")]
        values = [self.read64(key) if found.dtype.itemsize == 8 else self.read(key) for key in keys[:2 if found.operation == "cas" else 1]]
        if name.startswith("CMPSTORE"):
            values.reverse()
        returns = "_RTN" in name
        return self.atomic("lds", address, found, values, self.vector_key(instruction, "vdst") if returns else None)

    def shared_address(self, instruction, offset):
        return self.emit(f"{self.read(VGPR + instruction.fields['addr'])} + {self.constant(offset, 32)}")

    def shared_two(self, instruction, reads, bits, stride):
        fields, words = instruction.fields, bits // 32
        addresses = [self.shared_address(instruction, fields[f"offset{number}"] * stride * bits // 8) for number in (0, 1)]
        for number, address in enumerate(addresses):
            if reads:
                self.load("lds", address, Moved(4, words), self.vector_key(instruction, "vdst") + number * words)
            else:
                self.store("lds", address, Moved(4, words), self.vector_key(instruction, f"data{number}"))

    def exchange(self, instruction, text):
        self.write_lanes(self.vector_key(instruction, "vdst"), self.emit(text))

    def shared_BPERMUTE_B32(self, instruction):
        address = self.shared_address(instruction, instruction.fields["offset0"])
        value = self.read(self.vector_key(instruction, "data0"))
        self.exchange(instruction, f"bpermute({address}, {value}, {self.on()}, n, {self.wave})")

    def shared_PERMUTE_B32(self, instruction):
        address = self.shared_address(instruction, instruction.fields["offset0"])
        value = self.read(self.vector_key(instruction, "data0"))
        self.exchange(instruction, f"permute({address}, {value}, {self.on()}, n, {self.wave})")

    def shared_SWIZZLE_B32(self, instruction):
        offset = instruction.fields["offset0"] | instruction.fields["offset1"] << 8
        if offset >= 0xE000:
            raise UnknownCode(f"{instruction.name} with pattern {offset:#x}")
        index = self.named(swizzle_pattern(offset, self.wave))
        value = self.read(VGPR + instruction.fields["addr"])
        self.exchange(instruction, f"gathered({value}, {index}, True, {self.on()}, n, {self.wave})[0]")

    # ---- scalar loads

    def scalar_memory(self, instruction):
        fields, name = instruction.fields, instruction.name
        if name.startswith(("S_DCACHE", "S_GL1", "S_ATC", "S_PREFETCH", "S_ICACHE")):
            return
        if name in ("S_MEMTIME", "S_MEMREALTIME"):
            clock = self.emit("g.clock()")
            self.scalar_results(fields["sdata"], [self.emit(f"low({clock})"), self.emit(f"high({clock})")])
            return
        match = re.fullmatch(r"S_LOAD_(\w+)", name)
        kind = match and (re.fullmatch(r"(?:DWORD|B)(?:X?(\d+))?", match[1]) or BYTES.get(match[1]))
        if not kind:
            raise UnknownCode(name)
        if isinstance(kind, tuple):
            size, count, signed = kind[0], 1, kind[1]
        else:
            number = int(kind[1] or 1)
            size, count, signed = 4, number // 32 if match[1].startswith("B") else number, False
        address = self.scalar_address(fields)
        names = [self.fresh() for _ in range(count)]
        self.do(f"{', '.join(names)}, = g.scalar_load({address}, {size}, {count}, {signed})")
        self.scalar_results(self.scalar_code(fields["sdata"]), names)

    def scalar_results(self, code, names):
        for place, each in enumerate(names):
            self.write(code + place, each)

    def scalar_address(self, fields):
        raw, bits = (fields["ioffset"], 24) if "ioffset" in fields else (fields["offset"], 21)
        address = self.read64(fields["sbase"] << 1)
        if self.family == "cdna" and not fields["imm"]:
            return self.emit(f"{address} + {self.read(raw & 127)}.astype(U8)") if not fields["soffset_en"] else self.emit(
                f"{address} + {self.read(fields['soffset'])}.astype(U8)")
        offset = raw - (1 << bits) if raw >> bits - 1 else raw
        parts = [address, self.constant(offset, 64)]
        if fields["soffset_en"] if self.family == "cdna" else fields["soffset"] not in (124, 127):
            code = self.scalar_code(fields["soffset"])
            parts.append(f"{self.read(code)}.astype(U8)")
        return self.emit(" + ".join(parts))

"""Instructions that access memory: what they are by their names, how they are written, and what they do."""

import re
from typing import NamedTuple

import numpy as np

from ..arena import ARENA
from ..faults import AddressFault, Fault, UnknownCode
from ..ptx.atomics import update
from .lanes import swizzle_pattern
from .memory import PRIVATE_WINDOW, Space, set_words, words_of
from .operands import ACC, VGPR
from .values import DTYPES
from .vectors import VectorWriter

U4, U8, I4 = (DTYPES[n] for n in ("U4", "U8", "I4"))


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
    kind: str  # PTX's name of the type, which atomics.py goes by
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
    """Writes accesses: an address for each lane, then what the group does with them (Accesses)."""

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
        values = [self.read(key + place) for place in range(what.count)]
        if what.half == "high":
            values = [self.emit(f"{values[0]} >> {self.constant(16, 32)}")]
        self.do(f"g.store({space!r}, {address}, {self.on()}, {what.size}, [{', '.join(values)}])")

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
            self.write64(fields["sdata"], self.emit("g.clock()"))
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
        for place, each in enumerate(names):
            self.write(self.scalar_code(fields["sdata"]) + place, each)

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


class Accesses:
    """What a group of waves does to memory: part of a Group (machine.py), which gives `count`, `wave`, `threads`, `launch`."""

    def chosen(self, on):
        """Positions of the lanes that are on, among all of the group; None for all."""
        return None if on is None else np.flatnonzero(np.broadcast_to(on, (self.count, self.wave)))

    def picked(self, value, positions):
        value = np.broadcast_to(value, (self.count, self.wave)).ravel()
        return value if positions is None else value[positions]

    def spread(self, value, positions):
        if positions is not None:
            result = np.zeros(self.count * self.wave, value.dtype)
            result[positions] = value
            value = result
        return value.reshape(self.count, self.wave)

    def prepared(self, address, on):
        positions = self.chosen(on)
        addresses = self.picked(address, positions).astype(U8)
        threads = self.threads if positions is None else self.threads[positions]
        return positions, addresses, Space(self.launch, threads)

    def failed(self, fault, positions):
        if positions is not None and fault.position is not None:
            fault.position = int(positions[fault.position])
        return fault

    def load(self, kind, address, on, size, count, signed):
        positions, addresses, space = self.prepared(address, on)
        results = [np.zeros(addresses.size, U4) for _ in range(count)]
        try:
            for at, memory, places in space.resolve(kind, addresses, size * count, True, False) if addresses.size else ():
                for result, word in zip(results, words_of(memory, places, size, count)):
                    if signed:
                        word = word.view(f"i{size}").astype(I4).view(U4)
                    result[slice(None) if at is None else at] = word
        except Fault as fault:
            raise self.failed(fault, positions)
        return [self.spread(result, positions) for result in results]

    def store(self, kind, address, on, size, values):
        positions, addresses, space = self.prepared(address, on)
        values = [self.picked(value, positions) for value in values]
        try:
            for at, memory, places in space.resolve(kind, addresses, size * len(values), False, True) if addresses.size else ():
                set_words(memory, places, size, values if at is None else [value[at] for value in values])
        except Fault as fault:
            raise self.failed(fault, positions)

    def atomic(self, kind, address, on, what, operands):
        positions, addresses, space = self.prepared(address, on)
        operands = [self.picked(value, positions).view(what.dtype) for value in operands]
        size = what.dtype.itemsize
        result = np.zeros(addresses.size, what.dtype)
        operation = what.operation
        if operation == "sub":
            operation, operands = "add", [-operands[0]]
        if operation == "rsub" or what.kind[0] == "f" and operation in ("min", "max") and size == 2:
            raise UnknownCode(f"atomic {operation}")
        try:
            for at, memory, places in space.resolve(kind, addresses, size, True, True) if addresses.size else ():
                wrong = places & U8.type(size - 1)
                if wrong.any():
                    position = int(np.argmax(wrong != 0))
                    position = position if at is None else int(at[position])
                    raise AddressFault(f"misaligned atomic access of {size} bytes", position=position, address=int(addresses[position]))
                chosen = operands if at is None else [value[at] for value in operands]
                found = update(memory.view(what.dtype), places >> U8.type(size.bit_length() - 1), operation, what.kind, *chosen)
                result[slice(None) if at is None else at] = found
        except Fault as fault:
            raise self.failed(fault, positions)
        return self.spread(result.view(U8 if size == 8 else U4), positions)

    def private_buffer(self, high):
        if (high & U4.type(0xFFFF) != PRIVATE_WINDOW >> 32).any():
            raise UnknownCode("a buffer of other than private memory")

    def scalar_load(self, address, size, count, signed):
        addresses = np.broadcast_to(address, (self.count, 1)).ravel().astype(U8)
        if size == 4:
            addresses = addresses & ~U8.type(3)
        try:
            self.launch.arena.check(addresses, size * count)
        except Fault as fault:
            raise self.failed(fault, np.arange(self.count) * self.wave)
        words = words_of(self.launch.arena, addresses - U8.type(ARENA), size, count)
        if signed:
            words = [word.view(f"i{size}").astype(I4).view(U4) for word in words]
        return [word.astype(U4)[:, None] for word in words]



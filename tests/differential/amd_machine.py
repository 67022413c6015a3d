"""A machine for AMD's gfx942: one wave of 64 lanes that runs the text of a kernel's code, with its masks, as the hardware would.

    run(lines, [x, y])    # kernel k(x, y) of arrays of one dimension, changed in place

It is there for what lanes of one wave do with each other: which of them are on, what loops leave behind, atomic operations. Each
instruction is a row of a table, with the meaning that the manual of the instruction set gives it; others are an error. A wave that
has not ended after `steps` instructions never will: TimeoutError.
"""

import re
import struct


LANES = 64
ALL = (1 << LANES) - 1
GLOBAL = 1 << 40  # arrays lie from here on, far from one another
ARGUMENTS = 1 << 36


def _signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


_SCALAR = {
    "mov": lambda a: a, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "not": lambda a: ~a,
    "andn2": lambda a, b: a & ~b, "orn2": lambda a, b: a | ~b, "mul": lambda a, b: a * b, "lshl": lambda a, b: a << (b & 63),
    "movk": lambda a: a,
}
_COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lg": lambda a, b: a != b, "lt": lambda a, b: a < b,
            "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
_VECTOR = {  # by name: bits of the operands, signed ones, and what is done
    "mov_b32": (32, False, lambda a: a), "mov_b64": (64, False, lambda a: a), "add_u32": (32, False, lambda a, b: a + b),
    "sub_u32": (32, False, lambda a, b: a - b), "and_b32": (32, False, lambda a, b: a & b), "or_b32": (32, False, lambda a, b: a | b),
    "xor_b32": (32, False, lambda a, b: a ^ b), "max_i32": (32, True, max), "min_i32": (32, True, min), "max_u32": (32, False, max), "min_u32": (32, False, min),
    "lshlrev_b32": (32, False, lambda n, a: a << (n & 31)), "lshlrev_b64": (64, False, lambda n, a: a << (n & 63)),
    "ashrrev_i32": (32, True, lambda n, a: a >> (n & 31)), "lshl_add_u64": (64, False, lambda a, n, b: (a << n) + b),
    "add3_u32": (32, False, lambda a, b, c: a + b + c), "mul_lo_u32": (32, False, lambda a, b: a * b),
    "add_lshl_u32": (32, False, lambda a, b, n: (a + b) << (n & 31)),
    "not_b32": (32, False, lambda a: ~a), "lshl_add_u32": (32, False, lambda a, n, b: (a << (n & 31)) + b),
}
_ATOMIC = {"add": lambda old, new: old + new, "sub": lambda old, new: old - new, "swap": lambda old, new: new,
           "and": lambda old, new: old & new, "or": lambda old, new: old | new, "xor": lambda old, new: old ^ new}
_NOTHING = {"s_waitcnt", "s_nop", "s_sleep", "buffer_inv", "buffer_wbl2", "s_clause"}


class _Wave:
    def __init__(self, lines, arrays):
        self.arrays = arrays
        self.code, self.labels = [], {}
        for line in lines:
            line = line.split(";")[0].rstrip()
            if re.match(r"[.\w]+:", line):
                self.labels[line.split(":")[0]] = len(self.code)
            elif re.match(r"\t[a-z]", line):
                name, _, rest = line.strip().partition(" ")
                self.code.append((name, [each.strip() for each in re.split(r",", rest)] if rest else []))
        self.scalars = {"exec": ALL, "vcc": 0, "scc": 0, "s2": 0}  # s2: the block's number
        self.vectors = [[0] * LANES for _ in range(256)]
        self.vectors[0] = list(range(LANES))
        self.write("s[0:1]", ARGUMENTS, 64)
        self.arguments = b"".join(struct.pack("<QQQ", GLOBAL * (i + 1), each.size, 1) for i, each in enumerate(arrays))
        self.arguments += struct.pack("<IIIHHH", 1, 1, 1, LANES, 1, 1).ljust(256, b"\0")  # the hidden ones

    # ---- registers: 64 bits are two of them

    def read(self, text, bits, lane=0):
        if pair := re.fullmatch(r"([sv])\[(\d+):\d+\]", text):
            one = [self.read(pair[1] + str(int(pair[2]) + i), 32, lane) for i in (0, 1)]
            return one[0] | one[1] << 32
        if text[0] == "v" and text[1:].isdigit():
            return self.vectors[int(text[1:])][lane]
        if half := re.fullmatch(r"(vcc|exec)_(lo|hi)", text):
            return self.scalars[half[1]] >> (32 if half[2] == "hi" else 0) & 0xFFFFFFFF
        if text in self.scalars or re.fullmatch(r"s\d+", text):
            return self.scalars[text]
        return int(text, 0) & (1 << bits) - 1

    def write(self, text, value, bits, lane=0):
        value &= (1 << bits) - 1
        if pair := re.fullmatch(r"([sv])\[(\d+):\d+\]", text):
            for i in (0, 1):
                self.write(pair[1] + str(int(pair[2]) + i), value >> 32 * i, 32, lane)
        elif text[0] == "v" and text[1:].isdigit():
            self.vectors[int(text[1:])][lane] = value
        elif half := re.fullmatch(r"(vcc|exec)_(lo|hi)", text):
            shift = 32 if half[2] == "hi" else 0
            self.scalars[half[1]] = self.scalars[half[1]] & ~(0xFFFFFFFF << shift) | value << shift
        else:
            self.scalars[text] = value

    def on(self):
        return [lane for lane in range(LANES) if self.scalars["exec"] >> lane & 1]

    # ---- memory

    def memory(self, address):
        if address < GLOBAL:
            return memoryview(self.arguments), address - ARGUMENTS
        return memoryview(self.arrays[address // GLOBAL - 1]).cast("B"), address % GLOBAL

    def load(self, address, size):
        memory, at = self.memory(address)
        assert 0 <= at <= len(memory) - size, "out of bounds"
        return int.from_bytes(memory[at:at + size], "little")

    def store(self, address, value, size):
        memory, at = self.memory(address)
        assert 0 <= at <= len(memory) - size, "out of bounds"
        memory[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")

    def global_(self, name, operands):
        last, *flags = operands[-1].split()
        operands = [*operands[:-1], last]
        offset = sum(int(each[7:]) for each in flags if each.startswith("offset:"))
        returns = "load" in name or "sc0" in flags and "atomic" in name
        result = operands.pop(0) if returns else None
        place, data, base = operands[0], operands[1] if len(operands) > 2 else None, operands[-1]
        for lane in self.on():
            if base == "off":
                address = self.read(place, 64, lane) + offset
            else:
                address = self.read(base, 64) + self.read(place, 32, lane) + offset
            old = self.access(name, address, data, lane)
            if returns:
                self.write(result, old, 32, lane)

    def access(self, name, address, data, lane):
        if name == "global_store_dword":
            return self.store(address, self.read(data, 32, lane), 4)
        old = self.load(address, 4)
        if name == "global_load_dword":
            return old
        operation = name.removeprefix("global_atomic_")
        if operation == "cmpswap":
            both = self.read(data, 64, lane)
            if old == both >> 32:
                self.store(address, both, 4)
        else:
            self.store(address, _ATOMIC[operation](old, self.read(data, 32, lane)), 4)
        return old

    # ---- instructions

    def scalar(self, name, operands):
        operation, _, kind = name.removeprefix("s_").partition("_")
        bits = int(kind[-2:]) if kind[-2:].isdigit() else 32
        if operation == "load":
            count = int(kind[6:] or 1)
            address = self.read(operands[1], 64) + int(operands[2], 0)
            return self.write(operands[0], self.load(address, 4 * count), 32 * count)
        if operation == "cmp":
            how, kind = kind.split("_")
            a, b = (self.read(each, 32) for each in operands)
            signed = kind[0] == "i"
            self.scalars["scc"] = int(_COMPARE[how](_signed(a, 32) if signed else a, _signed(b, 32) if signed else b))
            return None
        if kind.startswith("saveexec"):
            source, before = self.read(operands[1], 64), self.scalars["exec"]
            self.write(operands[0], before, 64)
            self.write("exec", _SCALAR[operation](source, before), 64)
            self.scalars["scc"] = int(self.scalars["exec"] != 0)
            return None
        values = [self.read(each, bits) for each in operands[1:]]
        if operation in ("add", "addc"):
            total = sum(values) + (self.scalars["scc"] if operation == "addc" else 0)
            self.scalars["scc"] = total >> 32
            return self.write(operands[0], total, 32)
        if operation == "cselect":
            return self.write(operands[0], values[0] if self.scalars["scc"] else values[1], bits)
        if operation == "bcnt1":
            return self.write(operands[0], self.read(operands[1], 64).bit_count(), 32)
        self.write(operands[0], _SCALAR[operation](*values), bits)
        if operation not in ("mov", "movk", "mul"):
            self.scalars["scc"] = int(self.read(operands[0], bits) != 0)
        return None

    def vector(self, name, operands):
        name = re.sub(r"_e(32|64)$", "", name.removeprefix("v_"))
        if name == "readfirstlane_b32":
            return self.write(operands[0], self.read(operands[1], 32, (self.on() or [0])[0]), 32)
        if name.startswith("cmp_"):
            _, how, kind = name.split("_")
            bits, mask = int(kind[1:]), 0
            for lane in self.on():
                a, b = (self.read(each, bits, lane) for each in operands[1:])
                if kind[0] == "i":
                    a, b = _signed(a, bits), _signed(b, bits)
                mask |= _COMPARE[how](a, b) << lane
            return self.write(operands[0], mask, 64)
        for lane in self.on():
            self.write(operands[0], *self.element(name, operands[1:], lane), lane)
        return None

    def element(self, name, operands, lane):
        if name == "cndmask_b32":
            return self.read(operands[self.read(operands[2], 64) >> lane & 1], 32, lane), 32
        if name.startswith("mbcnt"):
            below = (1 << lane) - 1 >> (32 if "hi" in name else 0) & 0xFFFFFFFF
            return (self.read(operands[0], 32, lane) & below).bit_count() + self.read(operands[1], 32, lane), 32
        bits, signed, compute = _VECTOR[name]
        values = [self.read(each, bits, lane) for each in operands]
        return compute(*(_signed(each, bits) if signed else each for each in values)), bits

    def branches(self, name):
        which = name.removeprefix("s_cbranch_").removeprefix("s_")
        truth = {"exec": self.scalars["exec"] != 0, "vcc": self.scalars["vcc"] != 0, "scc": self.scalars["scc"]}
        if which == "branch":
            return True
        if which.startswith("scc"):
            return truth["scc"] == int(which[3:])
        return truth[re.sub(r"n?z$", "", which)] == which.endswith("nz")

    def run(self, steps):
        at = 0
        for _ in range(steps):
            name, operands = self.code[at]
            at += 1
            if name == "s_endpgm":
                return
            if name == "s_barrier":
                assert self.scalars["exec"] == ALL, "a barrier without some lanes"
            elif "branch" in name:
                at = self.labels[operands[0]] if self.branches(name) else at
            elif name.startswith("global_"):
                self.global_(name, operands)
            elif name not in _NOTHING:
                (self.scalar if name.startswith("s_") else self.vector)(name, operands)
        raise TimeoutError(f"still running after {steps} instructions")


def run(lines, arrays, steps=200_000):
    """Runs a kernel for one block of 64 threads; the arrays are its parameters."""
    _Wave(lines, arrays).run(steps)

"""A block of instructions that ends at each access, wait and invalidation, for launches in which memory is weak (weak.py)."""

from typing import NamedTuple

from .flight import Part
from .system import End, SystemWriter

# Counters of accesses that a wave has under way. Those of CDNA count loads and stores together, and shared memory with scalar loads.
LOADS, STORES, SHARED, SCALAR = "loads", "stores", "shared", "scalar"
VECTOR, LOCAL = frozenset((LOADS, STORES)), frozenset((SHARED, SCALAR))
ALL = VECTOR | LOCAL


class Wait(NamedTuple):
    kinds: frozenset
    most: int  # of them may go on


class Access(NamedTuple):
    """`beyond`: past the caches, to memory itself."""

    parts: list
    kinds: frozenset
    beyond: bool


def cdna_wait(number):
    return [Wait(VECTOR, number & 15 | number >> 10 & 0x30), Wait(LOCAL, number >> 8 & 15)]


def rdna3_wait(number):
    return [Wait(frozenset((LOADS,)), number >> 10 & 63), Wait(LOCAL, number >> 4 & 63)]


def two(first, second):
    return lambda number: [Wait(frozenset((first,)), number >> 8 & 63), Wait(frozenset((second,)), number & 63)]


def one(*kinds):
    return lambda number: [Wait(frozenset(kinds), number & 63)]


# By an instruction's name: what it waits for, of its number. "Counters" in the documents of the instruction sets.
WAITS = {"S_WAITCNT_VMCNT": one(LOADS), "S_WAITCNT_VSCNT": one(STORES), "S_WAITCNT_LGKMCNT": one(SHARED, SCALAR), "S_WAIT_LOADCNT": one(LOADS),
         "S_WAIT_STORECNT": one(STORES), "S_WAIT_DSCNT": one(SHARED), "S_WAIT_KMCNT": one(SCALAR), "S_WAIT_LOADCNT_DSCNT": two(LOADS, SHARED),
         "S_WAIT_STORECNT_DSCNT": two(STORES, SHARED), "S_WAIT_IDLE": lambda number: [Wait(ALL, 0)]}
NEAR, BEHIND = 1, 2  # caches: that of the compute unit, and the one behind it


def waits(instruction, family):
    """The waits that an instruction is; none of others."""
    if instruction.name == "S_WAITCNT":
        return (cdna_wait if family == "cdna" else rdna3_wait)(instruction.fields["simm16"])
    return WAITS[instruction.name](instruction.fields["simm16"]) if instruction.name in WAITS else []


def invalidated(instruction):
    """Which caches an instruction invalidates; None of others."""
    name, fields = instruction.name, instruction.fields
    if name == "BUFFER_INV":  # buffer_invl2 of gfx90a, too, which has no bits and does nothing within one device
        return (NEAR, BEHIND) if fields["sc1"] else (NEAR,) if fields["sc0"] else ()
    if name == "GLOBAL_INV":
        return (NEAR, BEHIND) if fields["scope"] else ()
    return {"BUFFER_WBINVL1": (NEAR,), "BUFFER_WBINVL1_VOL": (NEAR,), "BUFFER_GL0_INV": (NEAR,), "BUFFER_GL1_INV": (BEHIND,)}.get(name)


def goes_beyond(instruction, older):
    """Whether an access asks for memory itself. `older`: gfx90a."""
    fields = instruction.fields
    return bool(fields.get("glc") or fields.get("scope") or fields.get("sc0" if older else "sc1"))


class StepWriter(SystemWriter):
    """Accesses give their operands to the launch, and no results. `touched`: the registers that a block reads or writes as it found them, and the
    first instruction that does."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.touched, self.number = {}, -1

    def read(self, key):
        self.touched.setdefault(key, self.number)
        return super().read(key)

    def write(self, key, name):
        self.touched.setdefault(key, self.number)
        super().write(key, name)

    def instruct(self, instruction, address):
        self.number += 1
        found = waits(instruction, self.family)
        if found:
            return End("wait", data=found)
        caches = invalidated(instruction)
        if caches is not None:
            return End("invalidate", data=caches)
        if instruction.name in ("BUFFER_WBL2", "S_DCACHE_INV"):
            return End("write_back" if "WB" in instruction.name else "forget_scalars", data=bool(instruction.fields.get("sc1")))
        self.parts, self.given = [], []
        end = super().instruct(instruction, address)
        if not self.parts:
            return end
        return End("access", f"({', '.join(self.given)},)", data=Access(self.parts, self.kinds(instruction), goes_beyond(instruction, self.tables.older)))

    def kinds(self, instruction):
        encoding = instruction.encoding
        if encoding in ("DS", "SMEM"):
            return frozenset((SHARED if encoding == "DS" else SCALAR,))
        loads = any(part.keys for part in self.parts)
        vector = LOADS if loads else STORES
        return frozenset((vector, SHARED)) if encoding in ("FLAT", "VFLAT") else frozenset((vector,))

    def part(self, verb, space, what, keys, *operands):
        self.parts.append(Part(verb, space, what, tuple(keys)))
        self.given.append(f"({', '.join(operands)},)")

    def load(self, space, address, what, key):
        self.part("load", space, what, range(key, key + what.count), address, self.on())

    def store(self, space, address, what, key):
        self.part("store", space, what, (), address, self.on(), *self.stored(what, key))

    def atomic(self, space, address, found, operands, key):
        keys = () if key is None else range(key, key + found.dtype.itemsize // 4)
        self.part("atomic", space, found, keys, address, self.on(), *operands)

    def exchange(self, instruction, text):
        self.part("given", "lds", None, [self.vector_key(instruction, "vdst")], self.emit(text), self.on())

    def scalar_results(self, code, names):
        self.part("given", "scalar", None, range(code, code + len(names)), *names)

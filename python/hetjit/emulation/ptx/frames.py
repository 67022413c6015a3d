"""Threads that were called together: their registers, where each waits to go on, and the memory they see."""

import numpy as np

from ..arena import ARENA
from ..faults import UNWRITTEN_IS_ZERO, UninitializedFault
from ..numbers.atomics import update, update_global
from .formats import BOOL, DTYPES, U8, storage
from .memory import LOCAL_START, LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BYTES, aligned, stack_overflow

WINDOWS = {"shared": (SHARED_WINDOW, SHARED_WINDOW + WINDOW_BYTES), "global": (ARENA, 1 << 64),
           "local": (LOCAL_WINDOW, LOCAL_WINDOW + WINDOW_BYTES), "const": (1, 1), "param": (1, 1)}


class Frame:
    """One activation of a function for a set of threads. A register is one element for all of them, or one each.

    `waiting` holds, for each block that some of them are about to enter, which (None: all) and since when.
    """

    def __init__(self, launch, compiled, threads, base, parent=None, members=None, resume=None):
        self.launch, self.compiled, self.threads, self.base = launch, compiled, threads, base
        self.count = self.left = threads.size
        self.values = [None] * len(compiled.registers)
        self.undefined = set(range(len(compiled.registers)))
        self.defined = {}  # of registers that only some have written: who has
        self.owned = set()  # registers whose arrays nobody else refers to
        self.waiting = {}
        self.parent, self.members, self.resume = parent, members, resume
        self.whole = launch.group(self, None)
        self.check_stack()

    def check_stack(self):
        top = self.base + self.compiled.stack
        if top > self.launch.stack_bytes:
            fault = stack_overflow(top - LOCAL_START, self.launch.stack_bytes - LOCAL_START)
            fault.position = 0
            raise self.launch.place(fault, self.whole, None)
        if self.compiled.stack and self.parent is not None:
            self.launch.local.forget(self.threads, self.base, top)

    def close(self):
        self.values, self.whole, self.defined = None, None, None

    def add(self, block, index, stamp):
        """Some go on at a block, with those who wait there."""
        if index is not None and index.size == self.count:
            index = None
        known = self.waiting.get(block)
        if known is not None:
            index = np.sort(np.concatenate([known[0], index]))
            stamp = known[1]
            if index.size == self.count:
                index = None
        self.waiting[block] = (index, stamp)

    def gather(self, block, index):
        """The registers that a block reads, for those who run it."""
        values = self.values
        if not self.undefined.isdisjoint(block.input_set):
            self.check_defined(block, index)
        if index is None:
            self.owned.difference_update(block.inputs)
            return [values[s] for s in block.inputs]
        return [values[s] if values[s].size == 1 else values[s][index] for s in block.inputs]

    def check_defined(self, block, index):
        for slot in block.input_set & self.undefined:
            mask = self.defined.get(slot)
            if UNWRITTEN_IS_ZERO:
                if self.values[slot] is None:
                    self.values[slot] = np.zeros(1, storage(self.compiled.registers[slot].type))
                continue
            if mask is None:
                bad = 0
            else:
                missing = ~(mask if index is None else mask[index])
                if not missing.any():
                    continue
                bad = int(np.flatnonzero(missing)[0])
            name = self.compiled.registers[slot].name
            fault = UninitializedFault(f"register {name} that nobody wrote", position=bad)
            raise fault.at(self.compiled.name, block.readers[slot])

    def write(self, index, slots, values):
        if index is None:
            for slot, value in zip(slots, values):
                self.values[slot] = value
            self.undefined.difference_update(slots)
            self.owned.difference_update(slots)
            return
        for slot, value in zip(slots, values):
            self.write_some(index, slot, value)

    def write_some(self, index, slot, value):
        held = self.values[slot]
        if slot in self.undefined:
            if slot not in self.defined or held is None:
                self.defined[slot] = np.zeros(self.count, BOOL)
            mask = self.defined[slot]
            mask[index] = True
            if mask.all():
                self.undefined.discard(slot)
                del self.defined[slot]
        if slot not in self.owned or held.size != self.count:
            if held is None:
                held = np.zeros(self.count, storage(self.compiled.registers[slot].type))
            else:
                held = np.array(np.broadcast_to(held, (self.count,)))
            self.values[slot] = held
            self.owned.add(slot)
        held[index] = value


class Group:
    """The threads of a frame that run together now; what generated code calls. Positions are within the group."""

    __slots__ = ("frame", "launch", "index", "at", "cache")

    def __init__(self, frame, index):
        self.frame, self.launch, self.index, self.at, self.cache = frame, frame.launch, index, None, {}

    @property
    def threads(self):
        found = self.cache.get("threads")
        if found is None:
            all_threads = self.frame.threads
            found = self.cache["threads"] = all_threads if self.index is None else all_threads[self.index]
        return found

    def __len__(self):
        return self.frame.count if self.index is None else self.index.size

    def rows(self, kind):
        """Which row of shared or local memory each thread has."""
        found = self.cache.get(kind)
        if found is None:
            found = self.launch.block_of[self.threads] if kind == "shared" else self.threads
            found = self.cache[kind] = found.astype(U8)
        return found

    def special(self, name, dtype):
        found = self.cache.get((name, dtype))
        if found is None:
            value = self.launch.special(name)
            value = value if value.size == 1 else value[self.threads]
            found = value.astype(dtype)
            if not name.startswith(("clock", "globaltimer")):
                self.cache[name, dtype] = found
        return found

    # ---- addresses

    aligned = staticmethod(lambda addresses, size: (aligned(addresses, size), addresses)[1])

    def local_address(self, offset, dtype):
        return np.array([self.frame.base + offset], dtype)

    def to_generic(self, address, space):
        window = SHARED_WINDOW if space == "shared" else LOCAL_WINDOW
        return address.astype(U8) + U8.type(window)

    def from_generic(self, address, space):
        window = SHARED_WINDOW if space == "shared" else LOCAL_WINDOW
        return address - U8.type(window)

    def is_in(self, address, space):
        low, high = WINDOWS[space]
        return (address >= U8.type(low)) & (address <= U8.type(high - 1))

    def spaces(self, addresses):
        """(space, positions or None for all) of generic addresses."""
        low, high = int(addresses.min()), int(addresses.max())
        if low >= ARENA:
            yield "global", None
            return
        for space, window in (("shared", SHARED_WINDOW), ("local", LOCAL_WINDOW)):
            if window <= low and high < window + WINDOW_BYTES:
                yield space, None
                return
        inside = [self.is_in(addresses, space) for space in ("shared", "local")]
        for space, mask in zip(("shared", "local", "global"), (*inside, ~(inside[0] | inside[1]))):
            if mask.any():
                yield space, np.flatnonzero(mask)

    def part(self, positions):
        """A group of some of this one's threads."""
        own = np.arange(self.frame.count) if self.index is None else self.index
        found = type(self)(self.frame, own[positions])
        found.at = self.at
        return found

    # ---- memory

    def load_global(self, addresses, dtype):
        return self.launch.arena.read(addresses, dtype)

    def store_global(self, addresses, values):
        self.launch.arena.write(addresses, values)

    def load_shared(self, addresses, dtype):
        return self.launch.shared.read(self.rows("shared"), addresses, dtype)

    def store_shared(self, addresses, values):
        self.launch.shared.write(self.rows("shared"), addresses, values)

    def load_local(self, addresses, dtype):
        return self.launch.local.read(self.rows("local"), addresses, dtype, self.top())

    def store_local(self, addresses, values):
        self.launch.local.write(self.rows("local"), addresses, values, self.top())

    def top(self):
        return self.frame.base + self.frame.compiled.stack

    def load_generic(self, addresses, dtype):
        result = None
        for space, positions in self.spaces(addresses):
            if positions is None:
                return getattr(self, f"load_{space}")(self.inner(addresses, space), dtype)
            result = np.zeros(addresses.size, dtype) if result is None else result
            values = getattr(self.part(positions), f"load_{space}")(self.inner(addresses[positions], space), dtype)
            result[positions] = values
        return result

    def store_generic(self, addresses, values):
        for space, positions in self.spaces(addresses):
            if positions is None:
                getattr(self, f"store_{space}")(self.inner(addresses, space), values)
            else:
                part = values if values.size == 1 else values[positions]
                getattr(self.part(positions), f"store_{space}")(self.inner(addresses[positions], space), part)

    def inner(self, addresses, space):
        return addresses if space == "global" else self.from_generic(addresses, space)

    # ---- atomics

    def atomic_global(self, operation, kind, addresses, *values):
        arena, dtype = self.launch.arena, DTYPES[kind]
        addresses = self.each(addresses)
        arena.check(addresses, dtype.itemsize)
        places = (addresses - U8.type(ARENA)) // U8.type(dtype.itemsize)
        return update_global(arena.view(dtype), places, operation, kind, *values)

    def atomic_shared(self, operation, kind, addresses, *values):
        return self.atomic_rows(self.launch.shared, "shared", None, operation, kind, addresses, values)

    def atomic_local(self, operation, kind, addresses, *values):
        return self.atomic_rows(self.launch.local, "local", self.top(), operation, kind, addresses, values)

    def atomic_rows(self, memory, name, limit, operation, kind, addresses, values):
        dtype = DTYPES[kind]
        addresses, rows = self.each(addresses), self.rows(name)
        memory.read(rows, addresses, dtype, limit)
        places = memory.places(rows, addresses) // U8.type(dtype.itemsize)
        return update(memory.bytes.view(dtype), places, operation, kind, *values)

    def atomic_generic(self, operation, kind, addresses, *values):
        result = None
        addresses = self.each(addresses)
        for space, positions in self.spaces(addresses):
            if positions is None:
                return getattr(self, f"atomic_{space}")(operation, kind, self.inner(addresses, space), *values)
            old = getattr(self.part(positions), f"atomic_{space}")(
                operation, kind, self.inner(addresses[positions], space),
                *(v if v.size == 1 else v[positions] for v in values))
            result = np.zeros(addresses.size, old.dtype) if result is None else result
            result[positions] = old
        return result

    def each(self, addresses):
        """One for every thread: each of them does it."""
        return addresses if addresses.size == len(self) else np.broadcast_to(addresses, (len(self),))

"""What lanes see of memory: the arena, the shared memory of their block (LDS), the private memory of each (scratch).

Flat addresses have windows for shared and private memory. What the hardware allows is allowed: an access may be misaligned, but for
atomic ones; bytes beyond every allocation, or that nobody wrote, are not there.
"""

import numpy as np

from ..arena import ARENA
from ..faults import AddressFault, StackFault, UninitializedFault
from .values import DTYPES

U1, U2, U4, U8 = (DTYPES[n] for n in ("U1", "U2", "U4", "U8"))
SHARED_WINDOW, PRIVATE_WINDOW, WINDOW_BYTES = 0x6000_0000_0000, 0x6100_0000_0000, 1 << 32
WINDOWS = {235: SHARED_WINDOW, 236: SHARED_WINDOW + WINDOW_BYTES - 1, 237: PRIVATE_WINDOW, 238: PRIVATE_WINDOW + WINDOW_BYTES - 1}


class Rows:
    """Memory of which every block (shared) or thread (private) has its own row, and which of its bytes have been written."""

    def __init__(self, kind, count, size):
        self.kind, self.size, self.stride = kind, size, -(-size // 16) * 16
        self.bytes = np.zeros(max(count * self.stride, 16), U1)
        self.written = np.zeros(max(count * self.stride, 16), np.bool_)
        self.views = {U1: self.bytes}

    def view(self, dtype):
        found = self.views.get(dtype)
        if found is None:
            found = self.views[dtype] = self.bytes.view(dtype)
        return found

    def places(self, rows, addresses, size):
        """Where the bytes lie; a fault for what lies outside."""
        addresses = addresses.astype(U8)
        if addresses.size and int(addresses.max()) + size > self.size:
            position = int(np.argmax(addresses + U8.type(size) > U8.type(self.size)))
            kind = StackFault if self.kind == "private" else AddressFault
            raise kind(f"{size} bytes outside {self.size} bytes of {self.kind} memory", position=position, address=int(addresses[position]))
        return rows.astype(U8) * U8.type(self.stride) + addresses

    def check_read(self, places, size, addresses):
        known = self.written[places]
        if known.all():
            return
        for byte in range(1, size):
            known = known | self.written[places + U8.type(byte)]
        if not known.all():
            position = int(np.argmin(known))
            raise UninitializedFault(f"{size} bytes of {self.kind} memory that nobody wrote", position=position, address=int(addresses[position]))

    def mark(self, places, size):
        for byte in range(size):
            self.written[places + U8.type(byte)] = True


def words_of(memory, places, size, count):
    """`count` words of `size` bytes at places in bytes; they need not be aligned."""
    dtype = {1: U1, 2: U2, 4: U4}[size]
    if size == 1 or not (places & U8.type(size - 1)).any():
        view, index = memory.view(dtype), places >> U8.type(size >> 1)
        return [view[index + U8.type(k)] for k in range(count)]
    found = []
    for k in range(count):
        parts = [memory.view(U1)[places + U8.type(size * k + byte)].astype(dtype) << dtype.type(8 * byte) for byte in range(size)]
        found.append(np.bitwise_or.reduce(parts))
    return found


def set_words(memory, places, size, values):
    dtype = {1: U1, 2: U2, 4: U4}[size]
    if size == 1 or not (places & U8.type(size - 1)).any():
        view, index = memory.view(dtype), places >> U8.type(size >> 1)
        for k, value in enumerate(values):
            view[index + U8.type(k)] = value.astype(dtype)
        return
    for k, value in enumerate(values):
        for byte in range(size):
            memory.view(U1)[places + U8.type(size * k + byte)] = (value >> U4.type(8 * byte)).astype(U1)


class Space:
    """Where a set of accesses goes: (memory, places in it)."""

    def __init__(self, launch, threads):
        self.launch, self.threads = launch, threads

    def resolve(self, kind, addresses, size, reading, writing):
        """Yields (chosen positions or None for all, memory, places)."""
        if kind == "flat":
            window = addresses >> U8.type(32)
            shared, private = window == U8.type(SHARED_WINDOW >> 32), window == U8.type(PRIVATE_WINDOW >> 32)
            if shared.any() or private.any():
                for chosen, name in ((shared, "lds"), (private, "scratch"), (~shared & ~private, "global")):
                    at = np.flatnonzero(chosen)
                    if at.size:
                        yield at, *self.within(name, addresses[at] & U8.type(0xFFFFFFFF) if name != "global" else addresses[at], size, reading,
                                               writing, at)
                return
        yield None, *self.within(kind, addresses, size, reading, writing, None)

    def within(self, kind, addresses, size, reading, writing, at):
        try:
            if kind in ("global", "flat"):
                arena = self.launch.arena
                arena.check(addresses, size)
                return arena, addresses - U8.type(ARENA)
            threads = self.threads if at is None else self.threads[at]
            rows = self.launch.shared if kind == "lds" else self.launch.private
            places = rows.places(threads // self.launch.threads_per_block if kind == "lds" else threads, addresses, size)
            if reading:
                rows.check_read(places, size, addresses)
            if writing:
                rows.mark(places, size)
            return rows, places
        except (AddressFault, UninitializedFault, StackFault) as fault:
            if at is not None:
                fault.position = int(at[fault.position])
            raise

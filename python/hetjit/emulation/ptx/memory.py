"""The machine's memory: one arena for global, constant and parameter space, rows of bytes for shared and local.

Every allocation is known, and bytes between allocations belong to nobody. An address in global, constant or parameter space is
its generic address. Shared and local space have windows of generic addresses, the same for every block and thread.
"""

import numpy as np

from ..arena import ARENA, Arena, shift
from ..faults import AddressFault, StackFault, UNWRITTEN_IS_ZERO, UninitializedFault
from .formats import U1, U8

SHARED_WINDOW, LOCAL_WINDOW, WINDOW_BYTES = 0x6000_0000_0000, 0x6100_0000_0000, 1 << 32
CODE = 0x5000_0000_0000  # what function pointers hold
SHARED_START = 1024  # below it lies what the system keeps for itself, so that no shared variable has a null address
LOCAL_START = 64


class Rows:
    """Memory of which every block (shared) or thread (local) has its own row, and which bytes of it have been written."""

    def __init__(self, kind, count, size):
        self.kind, self.count = kind, count
        self.size = -(-size // 16) * 16
        self.bytes = np.zeros(max(count * self.size, 16), U1)
        self.written = np.zeros(max(count * self.size, 16), np.bool_)
        self.limit = size
        self.holes = []  # (first, end) of what lies between variables

    def check(self, rows, addresses, size, limit):
        low, high = int(addresses.min()), int(addresses.max())
        first = SHARED_START if self.kind == "shared" else LOCAL_START
        if low < first or high + size > limit:
            bad = (addresses < U8.type(first)) | (addresses + U8.type(size) > U8.type(limit))
            position = int(np.flatnonzero(bad)[0])
            raise AddressFault(f"{size} bytes outside {self.kind} memory", position=position,
                               address=int(addresses[position]))
        for begin, end in self.holes:
            if low < end and high + size > begin:
                bad = (addresses < U8.type(end)) & (addresses + U8.type(size) > U8.type(begin))
                if bad.any():
                    position = int(np.flatnonzero(bad)[0])
                    raise AddressFault(f"{size} bytes between the variables of {self.kind} memory", position=position,
                                       address=int(addresses[position]))

    def places(self, rows, addresses):
        return rows * U8.type(self.size) + addresses

    def read(self, rows, addresses, dtype, limit=None):
        self.check(rows, addresses, dtype.itemsize, limit or self.limit)
        places = self.places(rows, addresses)
        known = self.written[places]
        if not known.all() and not UNWRITTEN_IS_ZERO:
            for byte in range(1, dtype.itemsize):
                known = known | self.written[places + U8.type(byte)]
            if not known.all():
                position = int(np.flatnonzero(~known)[0])
                address = int(addresses[position if addresses.size > 1 else 0])
                raise UninitializedFault(f"{dtype.itemsize} bytes of {self.kind} memory that nobody wrote",
                                         position=position, address=address)
        return self.bytes.view(dtype)[places >> shift(dtype)]

    def write(self, rows, addresses, values, limit=None):
        size = values.dtype.itemsize
        self.check(rows, addresses, size, limit or self.limit)
        places = self.places(rows, addresses)
        if places.size == 1 and values.size > 1:
            values = values[-1:]
        index = places >> shift(values.dtype)
        self.bytes.view(values.dtype)[index] = values
        self.written.view(f"u{size}" if size < 16 else "V16")[index] = FULL[size]

    def forget(self, rows, first, end):
        """A frame of the stack is gone or new: nobody has written it."""
        if end > first:
            self.written.reshape(self.count, self.size)[rows.astype(np.intp), first:end] = False


FULL = {1: 1, 2: 0x0101, 4: 0x01010101, 8: 0x0101010101010101, 16: np.frombuffer(b"\1" * 16, "V16")[0]}


def aligned(addresses, size):
    """A fault unless all are multiples of the size."""
    if size > 1:
        wrong = addresses & U8.type(size - 1)
        if wrong.any():
            position = int(np.flatnonzero(wrong)[0])
            raise AddressFault(f"misaligned access of {size} bytes", position=position, address=int(addresses[position]))


def stack_overflow(needed, limit):
    return StackFault(f"the stack of {limit} bytes is used up: {needed} bytes are needed")

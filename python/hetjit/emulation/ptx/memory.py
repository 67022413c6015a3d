"""The machine's memory: one arena for global, constant and parameter space, rows of bytes for shared and local.

Every allocation is known, and bytes between allocations belong to nobody. An address in global, constant or parameter space is
its generic address. Shared and local space have windows of generic addresses, the same for every block and thread.
"""

import bisect
import mmap

import numpy as np

from .faults import AddressFault, StackFault, UninitializedFault
from .formats import U1, U8

ARENA = 0x7000_0000_0000
SHARED_WINDOW, LOCAL_WINDOW, WINDOW_BYTES = 0x6000_0000_0000, 0x6100_0000_0000, 1 << 32
CODE = 0x5000_0000_0000  # what function pointers hold
SHARED_START = 1024  # below it lies what the system keeps for itself, so that no shared variable has a null address
LOCAL_START = 64
GAP = 256


def reserve():
    """Address space that costs memory only where it is touched."""
    for bits in (38, 36, 34, 32):
        try:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
            return mmap.mmap(-1, 1 << bits, flags=flags)
        except OSError:
            continue
    raise MemoryError("no address space for the machine's memory")


class Arena:
    """Global memory. Addresses are not used twice, so that a use after free is seen."""

    def __init__(self):
        self.map = reserve()
        self.bytes = np.frombuffer(self.map, U1)
        self.views = {U1: self.bytes}
        self.starts, self.sizes, self.freed = [], {}, set()
        self.top, self.last = GAP, (1, 0)

    def view(self, dtype):
        found = self.views.get(dtype)
        if found is None:
            found = self.views[dtype] = self.bytes.view(dtype)
        return found

    def allocate(self, size, align=256):
        start = -(-self.top // align) * align
        if start + size + GAP > len(self.bytes):
            raise MemoryError(f"{size} bytes of the machine's memory")
        size = -(-size // 4) * 4  # an atomic on a byte goes by its word
        self.top = start + size + GAP
        self.starts.append(ARENA + start)
        self.sizes[ARENA + start] = size
        return ARENA + start

    def release(self, address):
        if address in self.freed or address not in self.sizes:
            raise AddressFault("freed, though it is no allocation", address=address)
        self.last = (1, 0)
        first, end = address - ARENA, address - ARENA + self.sizes[address]
        self.freed.add(address)
        at = bisect.bisect_left(self.starts, address)
        if at + 1 < len(self.starts) and self.starts[at + 1] in self.freed:
            self.join(at)
        if at and self.starts[at - 1] in self.freed:
            at -= 1
            self.join(at)
        self.give_back(at, first, end)

    def join(self, at):
        """Neighbours that are both freed become one, so that programs that allocate again and again keep no list of it."""
        start, gone = self.starts[at], self.starts.pop(at + 1)
        self.sizes[start] = gone + self.sizes.pop(gone) - start
        self.freed.discard(gone)

    def give_back(self, at, first, end):
        """The pages of what was freed of which nothing else is alive."""
        page, others = mmap.PAGESIZE, self.starts
        alive = others[at - 1] - ARENA + self.sizes[others[at - 1]] if at else 0
        first = max(first // page * page, -(-alive // page) * page)
        end = -(-end // page) * page
        if at + 1 < len(others):
            end = min(end, (others[at + 1] - ARENA) // page * page)
        if end > first and hasattr(self.map, "madvise"):
            self.map.madvise(mmap.MADV_DONTNEED, first, end - first)

    def find(self, address):
        """(start, end) of the allocation that holds the address; (start, 0) of one that was freed."""
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.starts[at] + max(self.sizes[self.starts[at]], 1):
            return 1, 0
        start = self.starts[at]
        return (start, 0) if start in self.freed else (start, start + self.sizes[start])

    def check(self, addresses, size):
        """Every access lies in an allocation; most often all in the one of the access before."""
        low, high = int(addresses.min()), int(addresses.max()) + size
        start, end = self.last
        if start <= low and high <= end:
            return
        self.last = start, end = self.find(low)
        if start <= low and high <= end:
            return
        for position, address in enumerate(addresses.tolist()):
            start, end = self.last
            if not (start <= address and address + size <= end):
                self.last = start, end = self.find(address)
                if not (start <= address and address + size <= end):
                    self.last = (1, 0)
                    what = "use after free" if not end and start > 1 else "outside every allocation"
                    raise AddressFault(f"{size} bytes {what}", position=position, address=address)

    def read(self, addresses, dtype):
        self.check(addresses, dtype.itemsize)
        return self.view(dtype)[(addresses - U8.type(ARENA)) >> shift(dtype)]

    def write(self, addresses, values):
        self.check(addresses, values.dtype.itemsize)
        places = (addresses - U8.type(ARENA)) >> shift(values.dtype)
        if places.size == 1 and values.size > 1:
            values = values[-1:]  # all threads write there; any of them may win
        self.view(values.dtype)[places] = values

    # ---- from outside

    def slice(self, address, size):
        """The bytes of a copy; it must lie in one allocation."""
        start, end = self.find(address)
        if not (start <= address and address + size <= end):
            raise AddressFault(f"copy of {size} bytes outside every allocation", address=address)
        return self.bytes[address - ARENA:address - ARENA + size]


SHIFTS = {1: U8.type(0), 2: U8.type(1), 4: U8.type(2), 8: U8.type(3), 16: U8.type(4)}


def shift(dtype):
    return SHIFTS[dtype.itemsize]


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
        if not known.all():
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

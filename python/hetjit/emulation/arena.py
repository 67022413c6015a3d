"""The memory that machines share: one arena, of which every allocation is known; bytes between allocations belong to nobody."""

import bisect
import gc
import mmap

import numpy as np

from .faults import AddressFault

U1, U8 = np.dtype(np.uint8), np.dtype(np.uint64)
ARENA = 0x7000_0000_0000  # the address of its first byte
GAP = 256
SIZES = [1 << bits for bits in (38, 36, 34, 32)]  # bytes of an arena, as much as can be had


def mapped(size):
    try:
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000))
    except OSError:
        return None


def reserve():
    """Address space that costs memory only where it is touched. A process has room for some five hundred arenas; a machine that
    nobody holds any more may keep its own until it is collected, and Python does not know that space runs short."""
    found = mapped(SIZES[0])
    if found is None:
        gc.collect()
        found = next(filter(None, map(mapped, SIZES)), None)
    if found is None:
        raise MemoryError("no address space for the machine's memory")
    return found


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

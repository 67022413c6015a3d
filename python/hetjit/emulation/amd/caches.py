"""Global memory behind caches that are not coherent, as LLVM's document of the target describes them ("Memory Model").

Each compute unit has a cache near its waves, which it writes through, and which may keep an old value until it is invalidated. CDNA 3 has several L2
caches behind them, which keep what is written until it is written back; RDNA 3 a read-only L1. Behind all lies memory, which is one: of CDNA 2 and RDNA
the only L2. A cache may have read a line long before anybody asked for it, as others share the line; so it has what memory held at some time since
it was last invalidated. Each place is a line of its own.
"""

import numpy as np

KEPT = 8  # values that a place remembers: the oldest are forgotten, which only forbids more


class Cache:
    """`parent`: where its lines come from, None for memory itself. `keeps`: it is written back, not through."""

    def __init__(self, parent=None, keeps=False):
        self.parent, self.keeps = parent, keeps
        self.emptied = 0  # when it was invalidated
        self.dirty = {}  # its places that memory does not have yet, in order

    def above_memory(self):
        """It and those behind it, without memory."""
        cache = self
        while cache.parent is not None:
            yield cache
            cache = cache.parent


class Cell:
    """A place. `logs`: of each cache that has it, (since when, value), the last of which it holds; `dropped`: when a cache last lost it; `users`: what
    is under way there (flight.py), as it was issued."""

    __slots__ = ("start", "size", "logs", "dropped", "users")

    def __init__(self, start, size, logs, dropped):
        self.start, self.size, self.logs, self.dropped, self.users = start, size, logs, dropped, []

    def halves(self):
        bits = 4 * self.size
        for start, shift in ((self.start, 0), (self.start + self.size // 2, bits)):
            logs = {cache: [(since, value >> shift & (1 << bits) - 1) for since, value in log] for cache, log in self.logs.items()}
            half = Cell(start, self.size // 2, logs, dict(self.dropped))
            for cache in logs:
                if self in cache.dirty:
                    cache.dirty[half] = None
            yield half
        for cache in self.logs:
            cache.dirty.pop(self, None)


class Memory:
    """`forgets`: how likely a cache loses a line that is asked for. `arena`: holds what memory holds now."""

    def __init__(self, arena, random, forgets):
        self.arena, self.random, self.forgets = arena, random, forgets
        self.root = Cache()
        self.now = 1

    def cell(self, start, size):
        value = int.from_bytes(self.arena.slice(start, size).tobytes(), "little")
        return Cell(start, size, {self.root: [(0, value)]}, {})

    def held(self, cell, cache):
        """The log of a cache that has the place; None of others."""
        log = cell.logs.get(cache)
        return log if log and (log[-1][0] >= cache.emptied or cell in cache.dirty) else None

    def enter(self, cell, cache, value):
        self.now += 1
        log = cell.logs.setdefault(cache, [])
        log.append((self.now, value))
        del log[:-KEPT]
        if cache.parent is None:
            self.arena.slice(cell.start, cell.size)[:] = np.frombuffer(value.to_bytes(cell.size, "little"), np.uint8)

    def drop(self, cell, cache):
        if cell in cache.dirty:
            self.write_back(cell, cache)
        cell.logs.pop(cache, None)
        cell.dropped[cache] = self.now

    def write_back(self, cell, cache):
        del cache.dirty[cell]
        self.enter(cell, self.root, cell.logs[cache][-1][1])

    def write_all_back(self, cache):
        for cell in list(cache.dirty):
            self.write_back(cell, cache)

    # ---- reads

    def values(self, cell, cache, since):
        """What a cache may have given since then, oldest first: the line that it does not have may have been read before, and lost. One that keeps
        what is written may have lost what memory did not have then."""
        log = cell.logs[cache] if cache.parent is None else self.held(cell, cache)
        if log is None:
            lost = max(cache.emptied, cell.dropped.get(cache, 0))
            return self.values(cell, cache.parent, lost if cache.keeps else min(lost, since))
        first = max((at for at, (when, _) in enumerate(log) if when <= since), default=0)
        return [value for _, value in log[first:]]

    def read(self, cell, cache):
        """Through the caches, from this one on."""
        if cache.parent is None:
            return self.newest(cell)
        self.forget(cell, cache)
        log = self.held(cell, cache)
        if log:
            return log[-1][1]
        value = self.random.choice(self.values(cell, cache, self.now))
        for each in cache.above_memory():
            if not self.held(cell, each):
                cell.logs.pop(each, None)
                self.enter(cell, each, value)
        return value

    def forget(self, cell, cache):
        """Now and then a cache loses a line, and the one behind it, too."""
        lost = []
        for each in cache.above_memory():
            if self.held(cell, each):
                if self.random.random() >= self.forgets:
                    break
                lost.append(each)
        for each in reversed(lost):
            self.drop(cell, each)

    def newest(self, cell):
        return cell.logs[self.root][-1][1]

    def read_beyond(self, cell, cache):
        """As memory has it; the caches forget theirs."""
        for each in cache.above_memory():
            self.drop(cell, each)
        return self.newest(cell)

    def is_old(self, cell, cache):
        return cache.parent is not None and (log := self.held(cell, cache)) is not None and log[-1][1] != self.newest(cell)

    # ---- writes

    def write(self, cell, cache, value, through):
        """`through`: to memory itself, whatever keeps it on the way."""
        keeper = next((each for each in cache.above_memory() if each.keeps), None)
        if keeper is None or through:
            self.enter(cell, self.root, value)
        for each in cache.above_memory():
            if each is keeper:
                self.keep(cell, each, value, through)
            else:
                cell.logs.pop(each, None)
                cell.dropped[each] = self.now
        if cache is not keeper and cache is not self.root:
            self.enter(cell, cache, value)

    def keep(self, cell, cache, value, clean):
        if not self.held(cell, cache):  # others may have read a line from it that held what was there before
            cell.logs[cache] = [(cache.emptied, self.random.choice(self.values(cell, cache, self.now)))]
        self.enter(cell, cache, value)
        cache.dirty.pop(cell, None)
        if not clean:
            cache.dirty[cell] = None

    def modify(self, cell, cache, value):
        """By an atomic operation, which memory does after it has been read."""
        self.enter(cell, self.root, value)
        for each in cache.above_memory():
            cell.dropped[each] = self.now

    def invalidate(self, *caches):
        self.now += 1
        for cache in caches:
            cache.emptied = self.now

    def any_of(self, cell, since):
        """What memory held at some time since then: for reads of the scalar cache, which no store reaches."""
        return self.random.choice(self.values(cell, self.root, since))

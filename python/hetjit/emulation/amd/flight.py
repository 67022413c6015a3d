"""What waves have issued and nothing has waited for: accesses on their way, each of which happens at some time between its issue and its wait.

Of one lane's access the unit is a Piece, so those of one instruction part. What a compute unit has stored its own waves see at once; a cache
gets accesses of one place in the order of their issue, those of other places in any.
"""

from typing import NamedTuple

import numpy as np

from ..numbers.atomics import update


class Part(NamedTuple):
    """What an instruction does to memory, as it is written. `verb`: load, store, atomic, or given, a result that is there already."""

    verb: str
    space: str  # global, flat, lds, scratch
    what: object  # Moved or Atomic (accesses.py)
    keys: tuple  # the registers that it loads


class Flight:
    """An instruction that was issued. `kinds`: the counters of its wave that count it; `pieces`: those of global memory; `turns`: accesses of
    shared memory."""

    __slots__ = ("group", "block", "at", "kinds", "keys", "pieces", "turns")

    def __init__(self, group, block, kinds, keys):
        self.group, self.block, self.at, self.kinds, self.keys = group, block, group.at, kinds, keys
        self.pieces, self.turns = [], []


class Piece:
    """One lane's access. `unit`: the cache near its wave; `changes`: it is no load."""

    __slots__ = ("wave", "unit", "cells", "changes", "value", "act", "done")

    def __init__(self, wave, unit, cells, changes, act, value=None):
        self.wave, self.unit, self.cells, self.changes = wave, unit, cells, changes
        self.act, self.value, self.done = act, value, False


class Turn:
    """An access of shared memory. `queue`: those of its wave, which happen in their order."""

    __slots__ = ("queue", "act", "done")

    def __init__(self, queue, act):
        self.queue, self.act, self.done = queue, act, False
        queue.append(self)

    def happen(self):
        while not self.done:
            first = self.queue.popleft()
            first.done = True
            first.act()


class Traffic:
    """All pieces under way. `loose`: what may happen next."""

    def __init__(self, random):
        self.random, self.loose = random, []

    def issue(self, piece):
        for cell in piece.cells:
            cell.users.append(piece)
        self.loose.append(piece)

    def stored(self, unit, cells):
        """The last piece of a unit that changes the places, and is on its way; None for none."""
        found = [p for cell in cells for p in cell.users if p.unit is unit and p.changes]
        return found[-1] if found else None

    def happen(self, piece):
        """After those of its wave, and those of its unit that it must not pass, at the same place."""
        if piece.done:
            return
        if isinstance(piece, Turn):
            return piece.happen()
        for cell in piece.cells:
            for other in list(cell.users):
                if other is piece:
                    break
                if other.wave == piece.wave or other.unit is piece.unit and (other.changes or piece.changes):
                    self.happen(other)
        piece.done = True
        piece.act()
        for cell in piece.cells:
            cell.users.remove(piece)

    def clear(self, cells):
        """Lets happen all that is on its way to some places, which then may be cut."""
        for cell in cells:
            while cell.users:
                self.happen(cell.users[0])

    def drift(self, pace):
        """Something may happen."""
        while self.loose and self.random.random() < pace:
            self.happen(self.any_of_loose())

    def any_of_loose(self):
        """One that has not happened, if there is one."""
        while True:
            at = self.random.randrange(len(self.loose))
            self.loose[at], self.loose[-1] = self.loose[-1], self.loose[at]
            piece = self.loose.pop()
            if not piece.done or not self.loose:
                return piece

    def settle(self, chosen=lambda piece: True):
        for piece in list(self.loose):
            if chosen(piece):
                self.happen(piece)
        self.loose = [piece for piece in self.loose if not piece.done]


def chunks(start, size):
    """Aligned parts of at most 8 bytes: (start, size)."""
    while size:
        part = next(n for n in (8, 4, 2, 1) if n <= size and start % n == 0)
        yield start, part
        start, size = start + part, size - part


def joined(start, cells, values):
    return sum(value << 8 * (cell.start - start) for cell, value in zip(cells, values))


def part_of(word, start, cell):
    return word >> 8 * (cell.start - start) & (1 << 8 * cell.size) - 1


def changed(what, old, operands):
    """What an atomic operation makes of a number's bits."""
    memory = np.frombuffer(bytearray(old.to_bytes(what.dtype.itemsize, "little")), what.dtype)
    update(memory, np.zeros(1, np.intp), what.operation, what.kind, *operands)
    return int.from_bytes(memory.tobytes(), "little")

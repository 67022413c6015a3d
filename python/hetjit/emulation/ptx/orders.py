"""Memory as PTX's consistency model leaves it open (PTX ISA, chapter 8): each place keeps what was written to it, in its coherence
order, and a load finds any of it that nothing forbids.

What a thread knows is a vector clock: how far each thread had come when what it did was last handed over by a release that was
acquired, a barrier, or a pair of `fence.sc`. That is base causality. A write is known to a thread when its clock covers the write, or
a strong read of the write (causality adds observation, and no more). A load finds the newest write that its thread knows, or any newer one.

Everything of one device, so the scopes `.gpu` and `.sys` are one, and a cluster is one block.
"""

import functools
from typing import NamedTuple

import numpy as np

HISTORY = 8  # writes that a place remembers: the oldest are forgotten, which only forbids more
NARROW = {"cta", "cluster"}
STRONG = {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"}


class Order(NamedTuple):
    """How an instruction accesses memory. `wide`: its scope is the device, and not only the block."""

    strong: bool
    wide: bool = True
    acquire: bool = False
    release: bool = False
    sc: bool = False


WEAK = Order(False)


def order_of(instruction):
    return order_by_opcode(instruction.opcode)


@functools.cache
def order_by_opcode(opcode):
    """Of an access or a fence; None of a fence between proxies, of which there is one here."""
    name, *parts = opcode.split(".")
    parts = set(parts)
    wide = not parts & NARROW
    if name == "membar":
        return None if "proxy" in parts else Order(True, wide, True, True, True)
    if name == "fence":
        only = parts & {"acquire", "release"}
        if parts & {"proxy", "mbarrier_init"}:
            return None
        return Order(True, wide, "release" not in only, "acquire" not in only, "sc" in parts)
    strong = name in ("atom", "red") or bool(parts & STRONG)
    both = "acq_rel" in parts
    acquires = (both or "acquire" in parts) and name != "red"  # the read of a reduction is part of no acquire
    return Order(strong, wide, acquires, both or "release" in parts)


class Release(NamedTuple):
    """What a write hands over to who acquires it: a clock to acquires of the device's scope, and one to each of some blocks."""

    device: object = None
    blocks: dict = {}

    def joined(self, other):
        """Of an atomic operation, which hands on what it found."""
        blocks = {**self.blocks, **{block: larger(self.blocks.get(block), clock) for block, clock in other.blocks.items()}}
        return Release(larger(self.device, other.device), blocks)


NOTHING = Release()


def larger(first, second):
    """Of two clocks, either of which may be None."""
    if first is None or second is None or first is second:
        return second if first is None else first
    return np.maximum(first, second)


class Message:
    """A write. `value` None: shared memory that nobody wrote. `source`: what the atomic operation read that wrote it."""

    __slots__ = ("value", "thread", "epoch", "order", "release", "source", "seen", "observed")

    def __init__(self, value, thread=None, epoch=0, order=WEAK, source=None):
        self.value, self.thread, self.epoch, self.order, self.source = value, thread, epoch, order, source
        self.release = NOTHING
        self.seen, self.observed = {}, {}  # thread → when it read this first; when a strong read of it did

    def with_value(self, value):
        made = Message(value, self.thread, self.epoch, self.order, self.source)
        made.release, made.seen, made.observed = self.release, dict(self.seen), dict(self.observed)
        return made


class Access(NamedTuple):
    """The last of its kind by one thread at one place, for races."""

    epoch: int
    order: Order
    instruction: object


class Cell:
    """One place: so many bytes that are always accessed together."""

    __slots__ = ("start", "size", "messages", "handed", "reads", "writes")

    def __init__(self, start, size, messages):
        self.start, self.size, self.messages = start, size, messages
        self.handed = {}  # thread → by the scope's width, its clock when it made a release here
        self.reads, self.writes = {}, {}  # (thread, order) → Access

    def halves(self):
        bits = 4 * self.size
        for start, place in ((self.start, 0), (self.start + self.size // 2, bits)):
            messages = [m.with_value(None if m.value is None else m.value >> place & (1 << bits) - 1) for m in self.messages]
            half = Cell(start, self.size // 2, messages)
            half.handed = {thread: dict(made) for thread, made in self.handed.items()}
            half.reads, half.writes = dict(self.reads), dict(self.writes)
            yield half


class Race(Exception):
    """`thread` made `access` to the same place, and nothing orders it."""

    def __init__(self, thread, access):
        super().__init__(thread, access)
        self.thread, self.access = thread, access


class Orders:
    """What each thread knows, and what it may read and write. `blocks`: the block of each thread."""

    def __init__(self, blocks, random, races):
        self.blocks, self.random, self.races = blocks.tolist(), random, races
        count = len(self.blocks)
        self.clocks = np.zeros((count, count), np.int32)
        self.fences = [{} for _ in self.blocks]  # by the scope's width, the thread's clock at its last fence
        self.pending = [{} for _ in self.blocks]  # place → [for the device, for the block]: clocks that a fence may acquire
        self.total = {}  # a block, or None for the device → what its `fence.sc` knew

    def mutual(self, first, first_wide, second, second_wide):
        """Each scope holds the other thread: with both strong, they are morally strong."""
        return first == second or (first_wide and second_wide) or self.blocks[first] == self.blocks[second]

    def strong_pair(self, thread, order, message):
        if message.thread is None or message.thread == thread:
            return True
        return order.strong and message.order.strong and self.mutual(thread, order.wide, message.thread, message.order.wide)

    def tick(self, thread):
        self.clocks[thread, thread] += 1
        return int(self.clocks[thread, thread])

    # ---- what may be read, and where a write may come

    def floor(self, thread, cell, writing):
        """The newest write that the thread knows. One that it will write comes after whatever was read before, by a weak load too."""
        clock, messages = self.clocks[thread], cell.messages
        for at in range(len(messages) - 1, 0, -1):
            message = messages[at]
            if clock[message.thread] >= message.epoch:
                return at
            readers = message.seen if writing else message.observed
            if any(clock[reader] >= epoch for reader, epoch in readers.items()):
                return at
        return 0

    def choose(self, places):
        """Half of the time the newest."""
        return places[-1] if self.random.random() < 0.5 else self.random.choice(places)

    def read(self, thread, cell, order, instruction, newest=False):
        epoch = self.tick(thread)
        self.check(thread, cell, order, instruction, cell.writes)
        at = len(cell.messages) - 1
        if at and not newest:
            at = self.choose(range(self.floor(thread, cell, False), at + 1))
        self.observe(thread, cell, order, cell.messages[at], epoch)
        if instruction is not None:  # none of the program's: the system reads for it
            cell.reads[thread, order] = Access(epoch, order, instruction)
        return cell.messages[at].value

    def observe(self, thread, cell, order, message, epoch):
        message.seen.setdefault(thread, epoch)
        if not self.strong_pair(thread, order, message):
            return
        message.observed.setdefault(thread, epoch)
        if order.strong and message.release is not NOTHING:
            waiting = self.pending[thread].setdefault(cell.start, [None, None])
            waiting[0] = larger(waiting[0], message.release.device)
            waiting[1] = larger(waiting[1], message.release.blocks.get(self.blocks[thread]))
        if order.acquire:
            self.acquire(thread, order, (cell.start,))

    def write(self, thread, cell, order, instruction, value, newest=False):
        epoch = self.tick(thread)
        self.check(thread, cell, order, instruction, cell.writes, cell.reads)
        at = len(cell.messages)
        if at > 1 and not newest and self.random.random() < 0.25:
            at = self.random.choice(self.free(thread, cell, order))
        self.enter(thread, cell, order, instruction, Message(value, thread, epoch, order), at)

    def enter(self, thread, cell, order, instruction, message, at):
        if order.release:
            self.remember(thread, order, cell.handed.setdefault(thread, {}))
        if order.strong:
            made = self.handed(thread, cell)
            message.release = message.release if made is NOTHING else made.joined(message.release)
        cell.messages.insert(at, message)
        del cell.messages[:-HISTORY]
        cell.writes[thread, order] = Access(message.epoch, order, instruction)

    def remember(self, thread, order, releases):
        """One of the device's scope is one of the block's as well."""
        releases.update(dict.fromkeys((False, order.wide), self.clocks[thread].copy()))

    def handed(self, thread, cell):
        """What a strong write of the thread hands over: what its last fence or release of that place knew."""
        own, here = self.fences[thread], cell.handed.get(thread, {})
        if not own and not here:
            return NOTHING
        narrow = larger(own.get(False), here.get(False))
        return Release(larger(own.get(True), here.get(True)), {self.blocks[thread]: narrow})

    def modify(self, thread, cell, order, instruction, change, newest=False):
        """An atomic operation: reads, and writes what `change` makes of it right behind what it read."""
        epoch = self.tick(thread)
        self.check(thread, cell, order, instruction, cell.writes, cell.reads)
        at = len(cell.messages) - 1
        if at and not newest:
            at = self.choose(self.free(thread, cell, order)) - 1
        before = cell.messages[at]
        reading = order if instruction is None or instruction.parts[0] != "red" else order._replace(strong=False)
        self.observe(thread, cell, reading, before, epoch)
        message = Message(change(before.value), thread, epoch, order, before)
        if self.strong_pair(thread, order, before):
            before.observed.setdefault(thread, epoch)
            message.release = before.release
        self.enter(thread, cell, order, instruction, message, at + 1)
        return before.value

    def free(self, thread, cell, order):
        """Where a write may come: not between what an atomic operation read and wrote, if the two are morally strong."""
        messages = cell.messages
        return [at for at in range(self.floor(thread, cell, True) + 1, len(messages) + 1)
                if not any(m.source is not None and m.source not in messages[at:] and self.strong_pair(thread, order, m)
                           for m in messages[at:])]

    # ---- what hands knowledge over

    def join(self, thread, clock):
        np.maximum(self.clocks[thread], clock, out=self.clocks[thread])

    def acquire(self, thread, order, places=None):
        """By an operation on a place, of what was read there; by a fence, of all that was read."""
        waiting = self.pending[thread]
        for place in list(waiting) if places is None else places:
            device, block = waiting.pop(place, (None, None))
            if block is not None:
                self.join(thread, block)
            if device is not None and order.wide:
                self.join(thread, device)
            elif device is not None:
                waiting[place] = [device, None]

    def fence(self, thread, order):
        if order.acquire:
            self.acquire(thread, order)
        if order.sc:
            self.total_fence(thread, order)
        self.tick(thread)
        if order.release:
            self.remember(thread, order, self.fences[thread])

    def total_fence(self, thread, order):
        """After every `fence.sc` that was before it and whose scope and its own hold each other's thread."""
        block = self.blocks[thread]
        for place in (block, None) if order.wide else (block,):
            if place in self.total:
                self.join(thread, self.total[place])
        for place in (block, None) if order.wide else (block,):
            self.total[place] = np.maximum(self.total.get(place, 0), self.clocks[thread])

    def meet(self, threads, given=None):
        """A barrier: who waits there knows what all of them knew, and what others gave."""
        clock = larger(self.clocks[threads].max(axis=0), given)
        for thread in threads.tolist():
            self.join(thread, clock)

    # ---- races

    def check(self, thread, cell, order, instruction, *earlier):
        """Two accesses of one place, one of them a write, neither known to the other, and not both strong in each other's scope."""
        if not self.races or instruction is None:
            return
        clock = self.clocks[thread]
        for accesses in earlier:
            for (other, others), access in accesses.items():
                if clock[other] < access.epoch and not (
                        order.strong and others.strong and self.mutual(thread, order.wide, other, others.wide)):
                    raise Race(other, access)

"""Launches whose threads go in a random order, and see memory as PTX's model leaves it open (orders.py).

Every access is a step of its own. At each step some threads that stand at one place, few or all of them, go on together; their
accesses are made one after another, in any order. The same seed gives the same run.
"""

import random

import numpy as np

from ..faults import Fault, UninitializedFault
from ..numbers.atomics import update, update_global
from ..places import Places
from .flow import OWN
from .formats import DTYPES, U8
from .frames import Group
from .machine import Launch, Step
from .orders import WEAK, Cell, Message, Orders, Race, larger, order_of
from .syntax import Instruction
from .waiting import Waiting

ROW = 1 << 40  # between the addresses of one block's shared memory and the next one's


class RaceFault(Fault):
    """Two threads use the same memory, one of them to write, with nothing that orders them and not both by strong accesses."""


class Weak:
    """What a machine's `schedule` may be. `races`: whether one is a fault; if not, the launch shows what it may lead to."""

    wave_threads = 1 << 11

    def __init__(self, seed=0, races=True):
        self.random, self.races = random.Random(seed), races

    def launch(self, *arguments):
        return WeakLaunch(self, *arguments)


class WeakGroup(Group):
    __slots__ = ()

    def how(self):
        """The order of the access that is made now, and its instruction; None if no race counts: the system reads, or it is a guess."""
        if self.at is None:
            return WEAK, None
        compiled = self.frame.compiled
        instruction = compiled.instructions[self.at]
        if compiled.guesses is None:
            compiled.guesses = guesses(compiled.function.body)
        return order_of(instruction), None if id(instruction) in compiled.guesses else instruction

    def visit(self, space, addresses, size, access):
        """What `access` gives for each thread, in the order of the threads, made in any."""
        launch, (order, instruction) = self.launch, self.how()
        cells, rows = launch.cells[space], self.launch.block_of
        threads, addresses = self.threads.tolist(), np.broadcast_to(addresses, (len(self),)).tolist()
        found = [None] * len(threads)
        for position in launch.schedule.random.sample(range(len(threads)), len(threads)):
            thread, start = threads[position], addresses[position]
            place = start + ROW * int(rows[thread]) if space == "shared" else start
            try:
                found[position] = access(position, thread, place, cells.find(place, size), order, instruction)
            except Race as race:
                raise launch.race_fault(race, position, start)
            except UninitializedFault as fault:
                fault.position, fault.address = position, start
                raise
        return found

    # ---- loads and stores

    def loaded(self, space, addresses, dtype):
        orders, size = self.launch.orders, dtype.itemsize

        def access(position, thread, place, cells, order, instruction):
            return joined(place, size, cells, [orders.read(thread, c, order, instruction, len(cells) > 1) for c in cells])
        words = self.visit(space, addresses, size, access)
        return np.frombuffer(bytearray(b"".join(w.to_bytes(size, "little") for w in words)), dtype)

    def stored(self, space, addresses, values):
        orders, size = self.launch.orders, values.dtype.itemsize
        words = words_of(values, len(self))

        def access(position, thread, place, cells, order, instruction):
            for cell in cells:
                orders.write(thread, cell, order, instruction, part(words[position], place, cell), len(cells) > 1)
        self.visit(space, addresses, size, access)

    def load_global(self, addresses, dtype):
        if self.at is not None and not OWN.isdisjoint(self.frame.compiled.instructions[self.at].parts):
            return super().load_global(addresses, dtype)
        self.launch.arena.check(addresses, dtype.itemsize)
        return self.loaded("global", addresses, dtype)

    def store_global(self, addresses, values):
        self.launch.arena.check(addresses, values.dtype.itemsize)
        self.stored("global", addresses, values)

    def check_shared(self, addresses, size):
        shared = self.launch.shared
        shared.check(self.rows("shared"), addresses, size, shared.limit)

    def load_shared(self, addresses, dtype):
        self.check_shared(addresses, dtype.itemsize)
        return self.loaded("shared", addresses, dtype)

    def store_shared(self, addresses, values):
        self.check_shared(addresses, values.dtype.itemsize)
        self.stored("shared", addresses, values)

    # ---- atomics

    def atomic_global(self, operation, kind, addresses, *values):
        self.launch.arena.check(self.each(addresses), DTYPES[kind].itemsize)
        return self.modified("global", update_global, operation, kind, addresses, values)

    def atomic_shared(self, operation, kind, addresses, *values):
        self.check_shared(self.each(addresses), DTYPES[kind].itemsize)
        return self.modified("shared", update, operation, kind, addresses, values)

    def modified(self, space, update, operation, kind, addresses, values):
        orders, dtype, count = self.launch.orders, DTYPES[kind], len(self)
        size, values = dtype.itemsize, [np.broadcast_to(v, (count,)) for v in values]

        def changed(old, position):
            if old is None:
                raise uninitialized(size)
            memory = np.frombuffer(bytearray(old.to_bytes(size, "little")), dtype)
            update(memory, np.zeros(1, np.intp), operation, kind, *(v[position:position + 1] for v in values))
            return int.from_bytes(memory.tobytes(), "little")

        def access(position, thread, place, cells, order, instruction):
            if len(cells) == 1:
                return orders.modify(thread, cells[0], order, instruction, lambda old: changed(old, position))
            old = joined(place, size, cells, [cell.messages[-1].value for cell in cells])
            new = changed(old, position)
            for cell in cells:
                orders.modify(thread, cell, order, instruction, lambda _, cell=cell: part(new, place, cell), True)
            return old
        words = self.visit(space, addresses, size, access)
        return np.frombuffer(bytearray(b"".join(w.to_bytes(size, "little") for w in words)), dtype)


def guesses(body):
    """Loads by an address that an `atom.cas` has, too: with one its loop begins, LLVM's and people's. An old value is tried in vain."""
    known = [i for i in body if isinstance(i, Instruction)]
    places = {i.operands[1] for i in known if i.parts[0] == "atom" and "cas" in i.parts}
    return {id(i) for i in known if i.parts[0] == "ld" and i.operands[1] in places}


def uninitialized(size):
    return UninitializedFault(f"{size} bytes of shared memory that nobody wrote, or of which no write is sure to be seen")


def joined(place, size, cells, values):
    """The value of an access from those of the places that it covers."""
    if all(value is None for value in values):
        raise uninitialized(size)
    return sum((value or 0) << 8 * (cell.start - place) for cell, value in zip(cells, values))


def part(word, place, cell):
    return word >> 8 * (cell.start - place) & (1 << 8 * cell.size) - 1


def words_of(values, count):
    data, size = np.ascontiguousarray(np.broadcast_to(values, (count,))).tobytes(), values.dtype.itemsize
    return [int.from_bytes(data[at:at + size], "little") for at in range(0, count * size, size)]


class WeakWaiting(Waiting):
    """Barriers of a block, and `bar.warp.sync`, hand over what their threads know; other operations of warps do not."""

    def __init__(self, launch):
        super().__init__(launch)
        self.given = {}  # (block, barrier) → what those knew who arrived without waiting
        self.left = {}  # block → what those knew who have ended: they count as come to every barrier that follows

    def finish(self, here, operation, targets, rows):
        super().finish(here, operation, targets, rows)
        if operation[0] == "sync":
            self.meet(here.threads, rows)

    def release(self, released):
        super().release(released)
        if released[0][0].code.data.operation[0][0] == "sync":
            self.meet(np.concatenate([a.threads for a, _ in released]), np.concatenate([rows for _, rows in released]))

    def meet(self, threads, rows):
        for row in np.unique(rows):
            self.launch.orders.meet(threads[rows == row])

    def count(self, here):
        super().count(here)
        clocks, blocks = self.launch.orders.clocks, self.launch.block_of
        for thread, barrier in zip(here.threads.tolist(), here.operands[0].tolist()):
            key = int(blocks[thread]), barrier
            self.given[key] = larger(self.given.get(key), clocks[thread].copy())
            self.launch.orders.tick(thread)

    def pass_barrier(self, released, rows):
        super().pass_barrier(released, rows)
        threads = np.concatenate([a.threads for a in released])
        barriers = np.concatenate([a.operands[0] for a in released])
        keys = self.launch.block_of[threads] * 16 + barriers
        for key in np.unique(keys).tolist():
            team, place = threads[keys == key], (int(key) // 16, int(key) % 16)
            self.launch.orders.meet(team, larger(self.given.pop(place, None), self.left.get(place[0])))

    def end(self, threads):
        for thread in threads.tolist():
            block = int(self.launch.block_of[thread])
            self.left[block] = larger(self.left.get(block), self.launch.orders.clocks[thread].copy())


class Trace(Group):
    """Runs a block for the sake of its addresses. `places`: (addresses, size) of each access, None for one of a thread's own memory."""

    __slots__ = ("places",)

    def __init__(self, frame, index):
        super().__init__(frame, index)
        self.places = []

    def own(self, addresses, *_):
        self.places.append(None)
        return np.zeros(len(self), np.uint64)

    def load_global(self, addresses, dtype):
        if self.at is not None and not OWN.isdisjoint(self.frame.compiled.instructions[self.at].parts):
            return super().load_global(addresses, dtype)
        return self.load_generic(addresses, dtype)

    def load_generic(self, addresses, dtype):
        self.places.append((addresses, dtype.itemsize))
        return np.zeros(len(self), dtype)

    def load_shared(self, addresses, dtype):
        return self.load_generic(self.to_generic(addresses, "shared"), dtype)

    def store_generic(self, addresses, values):
        self.places.append((addresses, values.dtype.itemsize))

    def store_shared(self, addresses, values):
        self.store_generic(self.to_generic(addresses, "shared"), values)

    def atomic_generic(self, operation, kind, addresses, *values):
        return self.load_generic(addresses, DTYPES[kind])

    def atomic_shared(self, operation, kind, addresses, *values):
        return self.load_shared(addresses, DTYPES[kind])

    load_local = store_local = own
    store_global, atomic_global = store_generic, atomic_generic


def overlap(first, second):
    (a, size), (b, other) = first, second
    return bool(((a < b + U8.type(other)) & (b < a + U8.type(size))).any())


def turn(compiled, block):
    """A load and the independent access behind it, the other way round: two blocks more, of which the number of the first is given."""
    load = compiled.blocks[block]
    after = compiled.blocks[load.targets[0]]
    if after.kind != "next" or after.access is None or after.access.parts[0] not in ("st", "atom", "red"):
        return None
    kept = [order_of(code.access) for code in (load, after)]
    if any(o.acquire or o.release for o in kept) or not {"volatile", "mmio"}.isdisjoint(load.access.parts + after.access.parts):
        return None
    if load.output_set & (after.input_set | after.output_set) or load.input_set & after.output_set:
        return None
    early = len(compiled.blocks)
    compiled.blocks += [after._replace(targets=[early + 1]), load._replace(targets=after.targets)]
    compiled.turned[early] = compiled.turned[early + 1] = None
    return early


class WeakLaunch(Launch):
    group, waiters = WeakGroup, WeakWaiting

    def __init__(self, schedule, machine, *arguments):
        self.schedule = schedule
        super().__init__(machine, *arguments)
        self.orders = Orders(self.block_of, schedule.random, schedule.races)
        self.cells = {"global": Places(lambda start, size: Cell(start, size, [Message(self.initial(start, size))])),
                      "shared": Places(lambda start, size: Cell(start, size, [Message(None)]))}
        self.turn = 1  # nobody goes on for long

    def initial(self, start, size):
        return int.from_bytes(self.arena.slice(start, size).tobytes(), "little")

    def run(self):
        draw = self.schedule.random
        while self.frames:
            ready = [(frame, block) for frame in self.frames for block in frame.waiting]
            if not ready:
                self.waiting.deadlock()
            frame, block = draw.choice(ready)
            index, _ = frame.waiting.pop(block)
            index = self.some(frame, block, index)
            self.go(frame, self.turned(frame, block, index), index)

    def some(self, frame, block, index):
        """Half of the time all who wait there; the others stay."""
        draw, members = self.schedule.random, np.arange(frame.count) if index is None else index
        if members.size == 1 or draw.random() < 0.5:
            return index
        chosen = np.zeros(members.size, np.bool_)
        chosen[draw.sample(range(members.size), draw.randint(1, members.size - 1))] = True
        frame.add(block, members[~chosen], self.clock)
        return members[chosen]

    def turned(self, frame, block, index):
        """At a load, now and then, the block behind it, which a late load then follows; else the block itself."""
        access = frame.compiled.blocks[block].access
        if access is None or access.parts[0] != "ld" or self.schedule.random.random() < 0.75:
            return block
        compiled = frame.compiled
        if block not in compiled.turned:
            compiled.turned[block] = turn(compiled, block)
        early = compiled.turned[block]
        return block if early is None or not self.apart(frame, index, block, early) else early

    @staticmethod
    def apart(frame, index, *blocks):
        """No thread's accesses in the two blocks overlap."""
        traces = [Trace(frame, index) for _ in blocks]
        try:
            for block, trace in zip(blocks, traces):
                code = frame.compiled.blocks[block]
                code.run(trace, *frame.gather(code, index))
        except Fault:
            return False
        first, second = (trace.places for trace in traces)
        return None not in first + second and not any(overlap(a, b) for a in first for b in second)

    def exit(self, frame, code, index, ends, group):
        self.waiting.end(group.threads)
        super().exit(frame, code, index, ends, group)

    def fence(self, frame, code, index, ends, group):
        order, = code.data.operation
        threads = group.threads.tolist()
        for thread in self.schedule.random.sample(threads, len(threads)) if order is not None else ():
            self.orders.fence(thread, order)
        return Step(code.targets[0], index)

    def race_fault(self, race, position, address):
        other = race.thread
        where = (f"thread {self.name_of(int(self.number_of[other]), self.block)} of block "
                 f"{self.name_of(int(self.block_of[other]) + self.first, self.grid)}")
        there = race.access.instruction
        source = " from {}:{}".format(*there.source) if there.source else ""
        return RaceFault(f"nothing orders this access and that of {where} in PTX line {there.line}: {there.text}{source}",
                         position=position, address=address)

    def close(self):
        """The kernel's end: memory holds what was written last, where it was not freed."""
        for cell in self.cells["global"].by_start.values():
            newest = cell.messages[-1]
            if newest.thread is not None and self.arena.find(cell.start)[1]:
                at = self.arena.slice(cell.start, cell.size)
                at[:] = np.frombuffer(newest.value.to_bytes(cell.size, "little"), np.uint8)
        super().close()

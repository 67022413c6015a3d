"""Launches whose waves go in a random order, one access at a time, and see memory as AMD's caches leave it open (caches.py): accesses are on their
way (flight.py) until the wave waits for them. The same seed gives the same run.
"""

import collections
import random

import numpy as np

from ..faults import BarrierFault, WaitFault
from ..places import Places
from .caches import Cache, Memory
from .flight import Flight, Piece, Traffic
from .issuing import Issuing
from .machine import Group, Launch
from .operands import name_of
from .steps import LOCAL, NEAR, SCALAR, SHARED, STORES, VECTOR, StepWriter
from .values import DTYPES

U4 = DTYPES["U4"]
BEHIND = {"cdna": 2, "rdna3": 2, "rdna4": 0}  # caches behind those of compute units, between which blocks are dealt out: L2 of CDNA 3, L1 of RDNA 3
WORKGROUP_MODE = 1 << 29  # of rsrc1, on RDNA: a block's waves run on two compute units


class Weak:
    """What a machine's `schedule` may be."""

    most_threads = 1 << 11

    def __init__(self, seed=0):
        self.random = random.Random(seed)

    def launch(self, *arguments):
        return WeakLaunch(self.random, *arguments)


class WeakGroup(Group):
    """One wave."""

    def scalar_load(self, address, size, count, signed):
        words = super().scalar_load(address, size, count, signed)
        start, launch = int(np.ravel(address)[0]) & -min(size, 4), self.launch
        data = bytearray(launch.arena.slice(start, size * count).tobytes())
        if not launch.old_bytes(data, start, launch.near[self.number]) or size < 4:
            return words
        return [np.full((1, 1), word, U4) for word in np.frombuffer(bytes(data), U4)]

    @property
    def number(self):
        return 0 if self.index is None else int(self.index[0])


class WeakLaunch(Issuing, Launch):
    group, writer = WeakGroup, StepWriter

    def __init__(self, draw, *arguments):
        self.random = draw
        super().__init__(*arguments)
        self.turn = 1  # nobody goes on for long
        self.traffic = Traffic(draw)
        self.last, self.steady = None, draw.choice((0, 0.8, 0.95))
        self.pace, self.late = draw.choice((0.03, 0.3, 0.7)), draw.choice((0.1, 0.5, 0.9))
        self.caches = Memory(self.arena, draw, draw.choice((0, 0, 0.1, 0.5)))
        self.places = Places(self.caches.cell)
        self.near = self.deal_out()
        self.flights = [[] for _ in range(self.count)]
        self.turns = [collections.deque() for _ in range(self.count)]
        self.scalars = collections.defaultdict(int)  # when the scalar cache beside a unit was invalidated
        self.read_old = collections.Counter()  # by wave and place: reads of an old value

    def deal_out(self):
        """The cache of each wave. Some blocks share it."""
        draw, root, family = self.random, self.caches.root, self.code.tables.family
        behind = [root]
        if BEHIND[family] and not self.code.tables.older:
            behind = [Cache(root, keeps=family == "cdna") for _ in range(BEHIND[family])]
        self.apart = family != "cdna" and bool(self.kernel.rsrc1 & WORKGROUP_MODE)
        homes = []
        for _ in range(self.blocks):
            homes.append(draw.choice(homes) if homes and draw.random() < 0.3 else self.home(draw.choice(behind)))
        return [draw.choice(homes[wave // self.waves_per_block]) for wave in range(self.count)]

    def home(self, behind):
        return [Cache(behind) for _ in range(2 if self.apart else 1)]

    # ---- who goes next

    def run(self):
        while self.alive.any():
            if not self.waiting:
                raise BarrierFault("waves wait at a barrier for others that will not come")
            key, wave = self.draw()
            waves, since = self.waiting.pop(key)
            if waves.size > 1:
                self.waiting[key] = waves[waves != wave], since
            self.go(*key[1:], np.array([wave]))
            self.traffic.drift(self.pace)
        self.traffic.settle()
        for cache in {unit.parent for unit in self.near} - {None}:
            self.caches.write_all_back(cache)

    def draw(self):
        """The wave that goes on: often the one that went before."""
        ready = {int(wave): key for key, (waves, _) in self.waiting.items() for wave in waves}
        if self.last not in ready or self.random.random() > self.steady:
            self.last = self.random.choice(list(ready))
        return ready[self.last], self.last

    def step(self, block, group):
        """A register that something on its way loads is none that an instruction may use."""
        for flight in self.flights[group.number]:
            for key in flight.keys:
                if key in block.touched:
                    group.at = block.touched[key]
                    raise WaitFault(f"{name_of(key)} is used before a wait for what loads it: {flight.block.places[flight.at].place}", position=0)
        return super().step(block, group)

    # ---- waits and caches

    def finish_wait(self, block, ends, waves, group):
        for wait in block.end.data:
            self.wait(group.number, *wait)
        return block.following

    def wait(self, wave, kinds, most):
        flights = self.flights[wave]
        counted = [flight for flight in flights if flight.kinds & kinds]
        if most and any(SCALAR in flight.kinds for flight in counted) and SHARED in kinds:
            return  # scalar loads come in any order
        for flight in counted[:max(len(counted) - most, 0)]:
            flight.kinds -= kinds
            for piece in flight.pieces if kinds & VECTOR else ():
                self.traffic.happen(piece)
            for turn in flight.turns if kinds & LOCAL else ():
                turn.happen()
            if not flight.kinds or not (flight.kinds & VECTOR and flight.pieces or flight.kinds & LOCAL and flight.turns):
                flights.remove(flight)
        if not most and STORES in kinds and not self.apart:
            self.reach_memory(self.near[wave])

    def reach_memory(self, unit):
        """One unit's stores are waited for together: what LLVM emits for a block that hands over what several of its waves wrote rests on it."""
        self.traffic.settle(lambda piece: isinstance(piece, Piece) and piece.unit is unit and piece.changes)

    def finish_invalidate(self, block, ends, waves, group):
        unit = self.near[group.number]
        caches = [unit if cache == NEAR else unit.parent for cache in block.end.data]
        self.caches.invalidate(*(cache for cache in caches if cache.parent is not None))
        return block.following

    def finish_forget_scalars(self, block, ends, waves, group):
        self.caches.now += 1
        self.scalars[self.near[group.number]] = self.caches.now
        return block.following

    def finish_write_back(self, block, ends, waves, group):
        """Behind all stores of the unit that were issued before it."""
        unit, wave = self.near[group.number], group.number
        flight = self.flight(block, group, frozenset((STORES,)), ())
        stores = [p for p in self.traffic.loose if isinstance(p, Piece) and p.unit is unit and p.changes]

        def act():
            for store in stores:
                self.traffic.happen(store)
            if block.end.data:
                self.caches.write_all_back(unit.parent)
        flight.pieces.append(Piece(wave, unit, (), False, act))
        self.traffic.issue(flight.pieces[0])
        return block.following

    # ---- accesses

    def flight(self, block, group, kinds, keys):
        found = Flight(group, block, kinds, frozenset(keys))
        self.flights[group.number].append(found)
        return found

    def finish_access(self, block, ends, waves, group):
        access = block.end.data
        keys = [key for part in access.parts for key in part.keys]
        self.overtake(block, group, access.kinds, keys)
        flight = self.flight(block, group, access.kinds, keys)
        for part, given in zip(access.parts, ends):
            if part.verb == "given":
                self.give(group, part, given)
            else:
                self.issue(flight, part, given, access.beyond)
        return block.following

    def overtake(self, block, group, kinds, keys):
        """A register is loaded again before anybody waited: fine where results come in order, which they do here."""
        for flight in self.flights[group.number]:
            if flight.keys.isdisjoint(keys):
                continue
            if not flight.kinds & kinds or SCALAR in kinds:
                name = name_of(min(flight.keys & set(keys), key=str))
                raise WaitFault(f"{name} is loaded before a wait for what loads it: {flight.block.places[flight.at].place}", position=0)
            for piece in flight.pieces + flight.turns:
                self.traffic.happen(piece)

    def give(self, group, part, given):
        if part.space == "scalar":
            for key, value in zip(part.keys, given):
                group.write(key, value)
            return
        value, on = given
        for lane in self.lanes(group, on).tolist():
            self.registers.put(part.keys[0], group.number, lane, np.broadcast_to(value, (1, self.wave))[0, lane])

    def old_bytes(self, data, start, unit):
        """What the scalar cache may have instead of `data`; whether anything may be old."""
        end, since = start + len(data), self.scalars[unit]
        cells = [cell for at in range(start & -8, end) if (cell := self.places.by_start.get(at)) and cell.start + cell.size > start]
        for cell in cells:
            value = self.caches.any_of(cell, since).to_bytes(cell.size, "little")
            first, last = max(cell.start, start), min(cell.start + cell.size, end)
            data[first - start:last - start] = value[first - cell.start:last - cell.start]
        return bool(cells)

"""How accesses of a wave get on their way: lane by lane those of global memory, all lanes together those of shared memory, at once those of private
memory, which nobody else sees. Part of a launch (weak.py).
"""

import numpy as np

from ..faults import BarrierFault, Fault
from .flight import Piece, Turn, changed, chunks, joined, part_of
from .memory import PRIVATE_WINDOW, SHARED_WINDOW
from .transfers import check_aligned, operation_of
from .values import DTYPES

U4, U8 = DTYPES["U4"], DTYPES["U8"]
WINDOW_OF = {SHARED_WINDOW >> 32: "lds", PRIVATE_WINDOW >> 32: "scratch"}
OFTEN = 1000  # reads of one old value, with nothing that would make it new


class Issuing:
    def lanes(self, group, on):
        positions = group.chosen(on)
        return np.arange(self.wave) if positions is None else positions

    def issue(self, flight, part, given, beyond):
        address, on, *values = given
        lanes = self.lanes(flight.group, on)
        addresses, *values = (np.broadcast_to(each, (1, self.wave)).ravel()[lanes] for each in (address, *values))
        spaces = np.full(lanes.size, part.space, object)
        if part.space == "flat":
            spaces = np.array([WINDOW_OF.get(int(address) >> 32, "global") for address in addresses], object)
            addresses = np.where(spaces == "global", addresses, addresses & U8.type(0xFFFFFFFF))
        for space in ("global", "lds", "scratch"):
            at = spaces == space
            if not at.any():
                continue
            chosen = lanes[at], addresses[at], [value[at] for value in values]
            if space == "global":
                self.issue_global(flight, part, *chosen, beyond)
            elif space == "lds":
                turn = Turn(self.turns[flight.group.number], lambda chosen=chosen: self.at_once(flight, part, "lds", *chosen))
                flight.turns.append(turn)
                self.traffic.loose.append(turn)
            else:
                self.at_once(flight, part, "scratch", *chosen)

    def at_once(self, flight, part, space, lanes, addresses, values):
        """What has no cache, as the strong machine does it."""
        group, on = flight.group, np.zeros((1, self.wave), np.bool_)
        on[0, lanes] = True
        address, *values = (self.spread(lanes, each) for each in (addresses, *values))
        try:
            if part.verb == "store":
                group.store(space, address, on, part.what.size, values)
                return
            if part.verb == "load":
                found = group.load(space, address, on, part.what.size, part.what.count, part.what.signed)
            else:
                found = group.atomic(space, address, on, part.what, values)
                found = [found] if len(part.keys) < 2 else [found.astype(U4), (found >> U8.type(32)).astype(U4)]
        except Fault as fault:
            raise self.named(flight, fault)
        for key, value in zip(part.keys, found):
            for lane in lanes.tolist():
                self.land(flight, part, key, lane, int(value[0, lane]))

    def spread(self, lanes, values):
        result = np.zeros((1, self.wave), values.dtype)
        result[0, lanes] = values
        return result

    def named(self, flight, fault):
        flight.group.at = flight.at
        return self.place(fault, flight.group, flight.block)

    def land(self, flight, part, key, lane, value):
        """A result comes into its register, or its half of it."""
        half, wave = getattr(part.what, "half", None), flight.group.number
        if half:
            old = int(np.broadcast_to(self.registers.read(key, None), (self.count, self.wave))[wave, lane])
            value = old & 0xFFFF | value << 16 & 0xFFFF0000 if half == "high" else old & 0xFFFF0000 | value & 0xFFFF
        self.registers.put(key, wave, lane, value)

    # ---- global memory

    def issue_global(self, flight, part, lanes, addresses, values, beyond):
        size = part.what.dtype.itemsize if part.verb == "atomic" else part.what.size * part.what.count
        try:
            self.arena.check(addresses, size)
            if part.verb == "atomic":
                check_aligned(addresses, size)
        except Fault as fault:
            fault.position = int(lanes[fault.position])
            raise
        issue = getattr(self, "issue_" + part.verb)
        for at in self.random.sample(range(lanes.size), lanes.size):
            issue(flight, part, int(lanes[at]), int(addresses[at]), size, [value[at:at + 1] for value in values], beyond)

    def cells(self, start, size):
        """The places of an access. What is on its way to one that is cut happens first."""
        place = self.places.by_start.get(start)
        if place is None or place.size != size:
            self.traffic.clear([p for at in range(start & -8, start + size) if (p := self.places.by_start.get(at))])
        return tuple(self.places.find(start, size))

    def piece(self, flight, cells, changes, act, value=None):
        wave = flight.group.number
        made = Piece(wave, self.near[wave], cells, changes, act, value)
        flight.pieces.append(made)
        self.traffic.issue(made)
        return made

    def issue_store(self, flight, part, lane, start, size, values, through):
        step, unit = part.what.size, self.near[flight.group.number]
        word = sum((int(value[0]) & (1 << 8 * step) - 1) << 8 * step * place for place, value in enumerate(values))
        for at, length in chunks(start, size):
            for cell in self.cells(at, length):
                value = part_of(word, start, cell)
                self.piece(flight, (cell,), True, lambda cell=cell, value=value: self.caches.write(cell, unit, value, through), value)

    def issue_load(self, flight, part, lane, start, size, values, beyond):
        """What the unit has stored is there at once; what it has not may come late."""
        unit, data, missing = self.near[flight.group.number], bytearray(size), set()
        for at, length in chunks(start, size):
            cells = self.cells(at, length)
            missing.add(at)

            def act(at=at, length=length, cells=cells, found=None):
                values = [self.read(flight, cell, unit, beyond) for cell in cells] if found is None else [found]
                data[at - start:at - start + length] = joined(at, cells, values).to_bytes(length, "little")
                missing.remove(at)
                if not missing:
                    self.loaded(flight, part, lane, data)
            stored = self.traffic.stored(unit, cells)
            if stored and len(cells) == 1 and stored.value is not None and not beyond:
                act(found=stored.value)
                continue
            made = self.piece(flight, cells, False, act)
            if self.random.random() > self.late:
                self.traffic.happen(made)

    def read(self, flight, cell, unit, beyond):
        if beyond:
            return self.caches.read_beyond(cell, unit)
        if not self.caches.forgets and self.caches.is_old(cell, unit):
            key = flight.group.number, cell.start
            self.read_old[key] += 1
            if self.read_old[key] > OFTEN:
                raise self.named(flight, BarrierFault(f"an old value that was read {OFTEN} times, and that no cache is made to forget", position=0,
                                                      address=cell.start))
        return self.caches.read(cell, unit)

    def loaded(self, flight, part, lane, data):
        """All bytes of what a lane loads have come."""
        size = part.what.size
        for place, key in enumerate(part.keys):
            word = int.from_bytes(data[size * place:size * (place + 1)], "little", signed=part.what.signed)
            self.land(flight, part, key, lane, word & 0xFFFFFFFF)

    def issue_atomic(self, flight, part, lane, start, size, values, beyond):
        unit, cells = self.near[flight.group.number], self.cells(start, size)
        operation, operands = operation_of(part.what, [value.view(part.what.dtype) for value in values])
        change = part.what._replace(operation=operation)

        def act():
            old = joined(start, cells, [self.caches.read_beyond(cell, unit) for cell in cells])
            new = changed(change, old, operands)
            for cell in cells:
                self.caches.modify(cell, unit, part_of(new, start, cell))
            for place, key in enumerate(part.keys):
                self.land(flight, part, key, lane, old >> 32 * place & 0xFFFFFFFF)
        made = self.piece(flight, cells, True, act)
        if self.random.random() > self.late:
            self.traffic.happen(made)

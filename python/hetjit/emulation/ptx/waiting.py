"""Threads that wait for each other: at barriers of a block, and at what the named lanes of a warp do together."""

from dataclasses import dataclass

import numpy as np

from ..faults import BarrierFault
from .formats import U4, storage
from .frames import Group
from .warps import operate

FULL = 0xFFFFFFFF


@dataclass
class Arrival:
    """Part of a frame that stands at an instruction. `operands` have one element for each."""

    frame: object
    code: object
    index: np.ndarray
    threads: np.ndarray
    operands: list

    def some(self, chosen):
        return Arrival(self.frame, self.code, self.index[chosen], self.threads[chosen], [x[chosen] for x in self.operands])


def arrival(frame, code, index, operands):
    index = np.arange(frame.count) if index is None else index
    operands = [np.broadcast_to(x, index.shape) for x in operands]
    return Arrival(frame, code, index, frame.threads[index], operands)


class Waiting:
    def __init__(self, launch):
        self.launch = launch
        self.warps = {}  # by the instruction's name
        self.blocks = []
        self.counted = {}  # (block, barrier) → threads that arrived without waiting

    # ---- warps

    def warp(self, frame, code, index, operands, group):
        operation, waits, targets, name = code.data.operation
        launch = self.launch
        everyone = not self.warps and len(group) == launch.alive_count
        if not waits or (everyone and operands[-1].size == 1 and operands[-1][0] == FULL):
            here = arrival(frame, code, index, operands[:-1] if waits else operands)
            self.finish(here, operation, targets, launch.warp_of[here.threads])
            return code.targets[0], index
        here = arrival(frame, code, index, operands)
        if not ((here.operands[-1] >> launch.lane_of[here.threads]) & U4.type(1)).all():
            bad = np.flatnonzero(((here.operands[-1] >> launch.lane_of[here.threads]) & U4.type(1)) == 0)
            raise BarrierFault("the thread's own lane is not in the mask", position=int(bad[0]))
        self.warps.setdefault(name, []).append(here)
        self.look_at_warps(name)

    def look_at_warps(self, name):
        """Lets those go on whose mask's living lanes have all arrived with the same mask."""
        launch, arrivals = self.launch, self.warps[name]
        threads = np.concatenate([a.threads for a in arrivals])
        masks = np.concatenate([a.operands[-1] for a in arrivals])
        teams = launch.warp_of[threads].astype(np.int64) << 32 | masks.astype(np.int64)
        teams, row = np.unique(teams, return_inverse=True)
        present = bits(row, launch.lane_of[threads], len(teams))
        warps, masks = teams >> 32, teams & FULL
        complete = (masks & self.alive_in(warps) & ~present) == 0
        if not complete.any():
            return
        self.warps[name], start, released = [], 0, []
        for a in arrivals:
            chosen = complete[row[start:start + a.threads.size]]
            if not chosen.all():
                self.warps[name].append(a.some(~chosen))
            if chosen.any():
                released.append((a.some(chosen), row[start:start + a.threads.size][chosen]))
            start += a.threads.size
        if not self.warps[name]:
            del self.warps[name]
        self.release(released)

    def release(self, released):
        """They may stand at different places, of different frames: one operation, and each goes on from its own."""
        first = released[0][0]
        operands = [np.concatenate(x) for x in zip(*(a.operands[:-1] for a, _ in released))]
        threads = np.concatenate([a.threads for a, _ in released])
        rows = np.concatenate([r for _, r in released])
        results = operate(first.code.data.operation[0], rows, self.launch.lane_of[threads], operands)
        start = 0
        for a, _ in released:
            self.write(a, a.code.data.operation[2], [r[start:start + a.threads.size] for r in results])
            start += a.threads.size
            a.frame.add(a.code.targets[0], a.index, self.launch.clock)

    def finish(self, here, operation, targets, rows):
        self.write(here, targets, operate(operation, rows, self.launch.lane_of[here.threads], here.operands))

    def write(self, here, targets, results):
        index = None if here.index.size == here.frame.count else here.index
        for target, result in zip(targets, results):
            if target is not None:
                held = storage(target.type)
                here.frame.write(index, [target.slot], [np.ascontiguousarray(result).view(held)])

    def alive_in(self, warps):
        """The living lanes of each of these warps, as bits."""
        launch = self.launch
        block, first = warps // launch.warps_per_block, warps % launch.warps_per_block * 32
        numbers = first[:, None] + np.arange(32)
        exists = numbers < launch.per_block
        threads = np.where(exists, block[:, None] * launch.per_block + numbers, 0)
        alive = exists & launch.alive[threads]
        return (alive.astype(np.int64) << np.arange(32)).sum(axis=1)

    # ---- barriers

    def barrier(self, frame, code, index, operands, group):
        (how, *_), _, counted, _ = code.data.operation
        launch = self.launch
        if operands and (operands[0] > U4.type(15)).any():
            raise BarrierFault("there are sixteen barriers", position=0)
        here = arrival(frame, code, index, operands)
        if how == "arrive":
            if not counted:
                raise BarrierFault("bar.arrive without a count", position=0)
            self.count(here)
            self.look_at_blocks()
            return code.targets[0], index
        alone = not self.blocks and not self.counted and not counted and operands[0].size == 1
        self.blocks.append(here)
        if alone and len(group) == launch.alive_count:
            self.blocks.pop()
            self.pass_barrier([here], np.zeros(here.threads.size, np.int64) + launch.block_of[here.threads])
            return code.targets[0], index
        self.look_at_blocks()

    def count(self, here):
        for block, barrier in zip(self.launch.block_of[here.threads].tolist(), here.operands[0].tolist()):
            self.counted[block, barrier] = self.counted.get((block, barrier), 0) + 1

    def look_at_blocks(self):
        if not self.blocks:
            return
        launch, arrivals = self.launch, self.blocks
        threads = np.concatenate([a.threads for a in arrivals])
        keys = launch.block_of[threads] * 16 + np.concatenate([a.operands[0] for a in arrivals]).astype(np.int64)
        needed = np.concatenate([self.needed(a) for a in arrivals])
        unique, row = np.unique(keys, return_inverse=True)
        arrived = np.bincount(row, minlength=len(unique))
        arrived += np.array([self.counted.get((int(k) // 16, int(k) % 16), 0) for k in unique], arrived.dtype)
        complete = (arrived[row] >= needed)
        if not complete.any():
            return
        self.blocks, released, rows, start = [], [], [], 0
        for a in arrivals:
            chosen = complete[start:start + a.threads.size]
            if not chosen.all():
                self.blocks.append(a.some(~chosen))
            if chosen.any():
                released.append(a.some(chosen))
                rows.append(row[start:start + a.threads.size][chosen])
            start += a.threads.size
        for key in unique[np.unique(row[complete])].tolist():
            self.counted.pop((key // 16, key % 16), None)
        self.check_warps(released)
        self.pass_barrier(released, np.concatenate(rows))
        for a in released:
            a.frame.add(a.code.targets[0], a.index, launch.clock)

    def needed(self, a):
        """How many threads each one's barrier waits for: the count, or all of the block that live."""
        _, _, counted, _ = a.code.data.operation
        if counted:
            return a.operands[1].astype(np.int64)
        launch = self.launch
        living = launch.alive.reshape(launch.blocks, launch.per_block).sum(axis=1)
        return living[launch.block_of[a.threads]]

    def check_warps(self, released):
        """All of a warp stand at one aligned barrier, not at several."""
        seen = {}
        for a in released:
            if not a.code.data.operation[1]:
                continue
            for warp in np.unique(self.launch.warp_of[a.threads]).tolist():
                if seen.setdefault(warp, a.code.exit) is not a.code.exit:
                    fault = BarrierFault("one warp waits at two aligned barriers", position=0)
                    raise fault_of(self.launch, fault, a)

    def pass_barrier(self, released, rows):
        """The result of bar.red for each."""
        targets = [a.code.data.operation[3] for a in released]
        if not any(targets):
            return
        predicate = np.concatenate([a.operands[-1] for a in released])
        unique, row = np.unique(rows, return_inverse=True)
        yes, all_of = np.bincount(row, predicate, len(unique)), np.bincount(row, minlength=len(unique))
        start = 0
        for a in released:
            mode, part = a.code.data.operation[0][1], row[start:start + a.threads.size]
            start += a.threads.size
            result = {"popc": yes[part].astype(U4), "and": yes[part] == all_of[part], "or": yes[part] > 0}[mode]
            self.write(a, [a.code.data.operation[3]], [result])

    # ---- when something has changed, or nothing will

    def look_again(self):
        """Threads have ended: others may wait for nobody now."""
        for name in list(self.warps):
            self.look_at_warps(name)
        self.look_at_blocks()

    def deadlock(self):
        stuck = [a for group in self.warps.values() for a in group] + self.blocks
        first = stuck[0]
        places = {a.code.exit.text for a in stuck}
        count = sum(a.threads.size for a in stuck)
        fault = BarrierFault(f"{count} threads wait for others that will not come ({' and '.join(sorted(places))})",
                             position=0)
        raise fault_of(self.launch, fault, first)


def fault_of(launch, fault, arrival):
    return launch.place(fault, Group(arrival.frame, arrival.index), arrival.code, arrival.code.exit)


def bits(row, lanes, count):
    """The lanes of each row as bits."""
    return np.bincount(row, np.ldexp(1.0, lanes.astype(np.int64)), count).astype(np.int64)

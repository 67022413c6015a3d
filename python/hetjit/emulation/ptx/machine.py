"""Runs a grid: all threads of it side by side, those at the same place in one NumPy operation.

The group that stands earliest (flow.py), in the youngest call, goes first. When others have waited for long, all take turns for a
while: so a thread that holds a lock gets on while others spin.
"""

import sys
from typing import NamedTuple

import numpy as np

from ..arena import Arena
from ..faults import Fault, LinkError, MachineError, TrapFault
from .formats import U4
from .frames import Frame, Group
from .memory import LOCAL_START, Rows
from .program import Program, recast
from .system import CALLS, special
from .waiting import Waiting

WAVE_THREADS = 1 << 20  # more of them run one wave of blocks after another
PATIENCE, FAIR_TURNS = 256, 128
WARP = 32


class Machine:
    """Memory and settings; programs are loaded into it. `output` takes what printf writes. `schedule`: None, or a weak.Weak."""

    def __init__(self, stack_bytes=1024, output=None, schedule=None):
        self.schedule = schedule
        self.arena = Arena()
        self.stack_bytes = stack_bytes
        self.output = output or sys.stdout.write

    def load(self, *texts):
        return LoadedProgram(self, Program(self.arena, texts))


class LoadedProgram:
    def __init__(self, machine, program):
        self.machine, self.program = machine, program

    def launch(self, name, grid, block, parameters=b"", shared_bytes=0, cluster=(1, 1, 1)):
        """Runs a kernel to its end. `parameters`: the bytes of its parameters, or a list of values in their order. `cluster`: as its
        threads are told; what blocks of a cluster do together is not there."""
        schedule = self.machine.schedule
        kernel = self.program.entry(name, schedule is not None)
        begin = Launch if schedule is None else schedule.launch
        if not isinstance(parameters, bytes):
            parameters = packed_parameters(kernel, parameters)
        if len(parameters) < kernel.parameter_bytes:
            raise LinkError(f"{name} has {kernel.parameter_bytes} bytes of parameters, not {len(parameters)}")
        grid, block = three(grid), three(block)
        memory = self.machine.arena.slice(kernel.parameter_start, kernel.parameter_bytes)
        memory[:] = np.frombuffer(parameters[:kernel.parameter_bytes], np.uint8)
        blocks, threads = int(np.prod(grid)), int(np.prod(block))
        wave = max(1, (WAVE_THREADS if schedule is None else schedule.wave_threads) // threads)
        with np.errstate(all="ignore"):
            for first in range(0, blocks, wave):
                launch = begin(self.machine, kernel, grid, block, first, min(wave, blocks - first), shared_bytes)
                launch.cluster = cluster
                try:
                    launch.run()
                finally:
                    launch.close()

    def entry(self, name):
        return self.program.entry(name)

    def variable(self, name):
        """(address, bytes) of a variable in global or constant memory; None if there is none."""
        for module in self.program.modules:
            known = module.variables.get(name)
            if known is not None and known.space in ("global", "const"):
                return self.program.address(module, None, name).address, known.bytes

    def unload(self):
        for address in self.program.allocated:
            self.machine.arena.release(address)


def three(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(int(x) for x in shape)
    return shape + (1,) * (3 - len(shape))


def packed_parameters(kernel, values):
    """NumPy scalars and ints (addresses, or what the parameter's size says) at their offsets."""
    memory = bytearray(kernel.parameter_bytes)
    for variable, value in zip(kernel.function.parameters, values, strict=True):
        start = kernel.parameters[variable.name]
        data = value.tobytes() if isinstance(value, (np.generic, np.ndarray)) else (
            value if isinstance(value, bytes) else int(value).to_bytes(variable.bytes, "little", signed=int(value) < 0))
        memory[start:start + len(data)] = data
    return bytes(memory)


class Step(NamedTuple):
    """Where a group goes on; `block` None: nowhere by itself."""

    block: object
    index: object


class Launch:
    """One wave of blocks."""

    group, waiters = Group, Waiting

    def __init__(self, machine, kernel, grid, block, first, blocks, shared_bytes):
        self.machine, self.kernel, self.arena = machine, kernel, machine.arena
        self.grid, self.block, self.first, self.blocks = grid, block, first, blocks
        self.shared_bytes, self.cluster = shared_bytes, (1, 1, 1)
        per_block = self.per_block = int(np.prod(block))
        self.count = blocks * per_block
        numbers = np.arange(self.count)
        self.block_of = numbers // per_block
        self.number_of = numbers % per_block  # within the block
        self.warps_per_block = -(-per_block // WARP)
        self.warp_of = self.block_of * self.warps_per_block + self.number_of // WARP
        self.lane_of = (self.number_of % WARP).astype(U4)
        self.alive, self.alive_count = np.ones(self.count, np.bool_), self.count
        program = kernel.program
        self.shared = Rows("shared", blocks, program.dynamic + shared_bytes)
        self.shared.holes = program.holes
        self.stack_bytes = LOCAL_START + max(machine.stack_bytes, stack_known(kernel) or kernel.stack)
        self.local = Rows("local", self.count, self.stack_bytes if uses_stack(program) else 0)
        self.specials, self.clock, self.turn = {}, 0, 0
        self.frames = [Frame(self, kernel, numbers, LOCAL_START)]
        self.frames[0].add(0, None, 0)
        self.waiting = self.waiters(self)

    def special(self, name):
        found = self.specials.get(name)
        if found is None:
            found = special(self, name)
            if not name.startswith(("clock", "globaltimer")):
                self.specials[name] = found
        return found

    def close(self):
        """Lets go of memory now: frames and their groups know each other, and nobody collects so large a cycle in time."""
        for frame in self.frames:
            frame.close()
        self.shared = self.local = None
        self.specials.clear()

    # ---- who goes next

    def run(self):
        while self.frames:
            frame, block = self.pick()
            if frame is None:
                self.waiting.deadlock()
            index, _ = frame.waiting.pop(block)
            self.go(frame, block, index)

    def pick(self):
        ready = [f for f in self.frames if f.waiting]
        if not ready:
            return None, None
        alone = len(ready) == 1 and len(ready[0].waiting) == 1
        self.turn = 0 if alone else self.turn + 1
        if self.turn > PATIENCE:
            if self.turn > PATIENCE + FAIR_TURNS:
                self.turn = 0
            _, place, block = min((stamp, place, block) for place, f in enumerate(ready)
                                  for block, (_, stamp) in f.waiting.items())
            return ready[place], block
        frame = ready[-1]
        blocks = frame.compiled.blocks
        return frame, min(frame.waiting, key=lambda b: blocks[b].order)

    def go(self, frame, block, index):
        """Runs a group for as long as nobody else has a claim."""
        blocks = frame.compiled.blocks
        while True:
            self.clock += 1
            code = blocks[block]
            group = frame.whole if index is None else frame_group(frame, index)
            group.at = None
            try:
                ends, values = code.run(group, *frame.gather(code, index))
            except MachineError as fault:
                raise self.place(fault, group, code)
            if code.outputs:
                frame.write(index, code.outputs, values)
            try:
                step = getattr(self, code.kind)(frame, code, index, ends, group)
            except MachineError as fault:
                raise self.place(fault, group, code, code.exit)
            if step is None:
                return
            block, index = step
            if frame.waiting or self.turn or self.frames[-1] is not frame:
                frame.add(block, index, self.clock)
                return

    def place(self, fault, group, code, instruction=None):
        """Completes a fault by where and by whom."""
        if not isinstance(fault, Fault):
            return fault
        compiled = group.frame.compiled
        if instruction is None and group.at is not None:
            instruction = compiled.instructions[group.at]
        if instruction is None and code is not None:
            instruction = code.exit
        fault.at(compiled.name, instruction)
        if fault.position is not None and fault.thread is None:
            thread = int(group.threads[min(fault.position, len(group) - 1)])
            fault.by(self.name_of(int(self.block_of[thread]) + self.first, self.grid),
                     self.name_of(int(self.number_of[thread]), self.block))
        return fault

    @staticmethod
    def name_of(number, shape):
        x, rest = number % shape[0], number // shape[0]
        return (x, rest % shape[1], rest // shape[1])

    # ---- ends of blocks

    def next(self, frame, code, index, ends, group):
        return Step(code.targets[0], index)

    def branch(self, frame, code, index, ends, group):
        taken, = ends
        yes, no = code.targets
        if taken.size == 1:
            return Step(yes if taken[0] else no, index)
        if taken.all():
            return Step(yes, index)
        if not taken.any():
            return Step(no, index)
        members = np.arange(frame.count) if index is None else index
        frame.add(yes, members[taken], self.clock)
        frame.add(no, members[~taken], self.clock)

    def switch(self, frame, code, index, ends, group):
        number = ends[0]
        beyond = np.flatnonzero(number >= len(code.targets))
        if beyond.size:
            raise TrapFault("brx.idx beyond its list", position=int(beyond[0]))
        if number.size == 1:
            return Step(code.targets[int(number[0])], index)
        members = np.arange(frame.count) if index is None else index
        for value in np.unique(number):
            frame.add(code.targets[int(value)], members[number == value], self.clock)

    def call(self, frame, code, index, ends, group):
        target, name = code.data.operation
        if target is not None or name in CALLS:
            self.enter(frame, code, index, ends, target, name)
            return
        pointers, arguments = ends[0], ends[1:]
        members = np.arange(frame.count) if index is None else index
        for pointer in np.unique(pointers):
            chosen = np.flatnonzero(np.broadcast_to(pointers == pointer, members.shape))
            function = frame.compiled.program.by_code.get(int(pointer))
            if function is None:
                raise TrapFault("call of what is no function", position=int(chosen[0]))
            parts = [a if a.size == 1 else a[chosen] for a in arguments]
            self.enter(frame, code, members[chosen], parts, function, function.name)

    def enter(self, frame, code, index, arguments, target, name):
        """Hands arguments to a new frame, or to the system."""
        given, arguments = [], list(arguments)
        for passed in code.data.reads:
            keys = list(frame.compiled.slots[passed])
            given.append(dict(zip(keys, arguments)))
            del arguments[:len(keys)]
        resume = code.targets[0]
        members = np.arange(frame.count) if index is None else index
        if target is None:
            group = frame_group(frame, members)
            self.hand_back(frame, code, members, CALLS[name](self, group, given))
            frame.add(resume, members, self.clock)
            return
        callee = frame.compiled.program.compile(target, frame.compiled.split)
        saved = frame.compiled.saved[frame.compiled.blocks.index(code)]  # registers that must outlive the call
        base = frame.base + frame.compiled.stack + saved
        child = Frame(self, callee, frame.threads[members], base, frame, members, code)
        for variable, parts in zip(callee.function.parameters, given):
            wanted = callee.slots.get(variable.name, {})
            if wanted:
                parts = recast(parts, list(wanted))
                child.write(None, [r.slot for r in wanted.values()], list(parts.values()))
        self.frames.append(child)
        child.add(0, None, self.clock)

    def hand_back(self, frame, code, members, results):
        """Writes what a call returned where the caller reads it: a dict of (offset, bytes) for each result."""
        index = None if members.size == frame.count else members
        for name, parts in zip(code.data.results, results):
            wanted = frame.compiled.slots.get(name, {})
            if wanted and parts:
                parts = recast(parts, list(wanted))
                frame.write(index, [r.slot for r in wanted.values()], [parts[k] for k in wanted])

    def ret(self, frame, code, index, ends, group):
        parent, ends = frame.parent, list(ends)
        results = []
        for _, slots in frame.compiled.returned():
            results.append(dict(zip(slots, ends)))
            del ends[:len(slots)]
        members = frame.members if index is None else frame.members[index]
        self.hand_back(parent, frame.resume, members, results)
        parent.add(frame.resume.targets[0], members, self.clock)
        self.leave(frame, len(group))

    def leave(self, frame, count):
        frame.left -= count
        if not frame.left:
            self.frames.remove(frame)
            frame.close()

    def exit(self, frame, code, index, ends, group):
        self.alive[group.threads] = False
        count = len(group)
        self.alive_count -= count
        while frame is not None:
            self.leave(frame, count)
            frame = frame.parent
        self.waiting.look_again()

    def trap(self, frame, code, index, ends, group):
        raise TrapFault("trap", position=0)

    def warp(self, frame, code, index, ends, group):
        return self.waiting.warp(frame, code, index, ends, group)

    def barrier(self, frame, code, index, ends, group):
        return self.waiting.barrier(frame, code, index, ends, group)


def frame_group(frame, index):
    return frame.whole if index is None or index.size == frame.count else frame.launch.group(frame, index)


def stack_known(compiled, callers=()):
    """Bytes of stack of a function and those it calls, which any thread has, as ptxas counts them; None where functions call one another
    in a circle, or by pointer."""
    if compiled in callers:
        return None
    if compiled.stack_known == ():
        compiled.stack_known = deepest(compiled, (*callers, compiled))
    return compiled.stack_known


def deepest(compiled, callers):
    below = 0
    for block in (block for block in compiled.blocks if block.kind == "call"):
        target, name = block.data.operation
        if target is None and name in CALLS:
            continue
        callee = target and stack_known(compiled.program.compile(target, compiled.split), callers)
        if callee is None:
            return None
        below = max(below, compiled.saved[compiled.blocks.index(block)] + callee)
    return compiled.stack + below


def uses_stack(program):
    return any(v.space == "local" for m in program.modules for f in m.functions.values() for v in f.variables)

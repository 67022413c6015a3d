"""Runs a grid of waves: all that stand at the same instruction in one NumPy operation.

The group in the deepest call that stands earliest goes first, so waves that part at a branch meet again. When others have waited for
long, all take turns for a while: so a wave that holds a lock gets on while others spin.
"""

import sys

import numpy as np

from ..arena import Arena
from ..faults import BarrierFault, Fault, LinkError, MachineError, TrapFault, UnknownCode
from . import code_object
from .dispatch import kernarg_segment
from .dispatch import packet as packet_of
from .memory import Rows
from .program import Code
from .registers import Registers, beginning
from .system import SystemWriter
from .transfers import Transfers
from .values import DTYPES

U4, U8 = DTYPES["U4"], DTYPES["U8"]
CACHE_LINE = 64  # in bytes; arguments lie in lines of their own, and scalar loads of several words read over their end
MOST_THREADS = 1 << 20  # of a launch at once; larger grids run in parts
PATIENCE, FAIR_TURNS = 256, 128


class Machine:
    """Memory and settings; programs are loaded into it. `output` takes what printf writes. `schedule`: None, or a weak.Weak."""

    def __init__(self, architecture="gfx942", stack_bytes=1024, output=None, schedule=None):
        self.architecture, self.arena, self.stack_bytes, self.schedule = architecture, Arena(), stack_bytes, schedule
        self.output = output or sys.stdout.write

    def load(self, image):
        return LoadedProgram(self, code_object.load(image, self.arena, self.architecture))


class LoadedProgram:
    def __init__(self, machine, program):
        self.machine, self.program, self.codes = machine, program, {}

    def entry(self, name):
        if name not in self.program.kernels:
            raise LinkError(f"the program has no kernel {name}")
        return self.program.kernels[name]

    def variable(self, name):
        return self.program.variables.get(name)

    def unload(self):
        self.program.release()

    def code(self, wave, writer=SystemWriter):
        if (wave, writer) not in self.codes:
            self.codes[wave, writer] = Code(self.program, wave, writer)
        return self.codes[wave, writer]

    def launch(self, name, grid, block, kernarg=b"", shared_bytes=0):
        """Runs a kernel to its end. `kernarg`: the bytes of the explicit arguments; the hidden ones are filled in here."""
        kernel, grid, block = self.entry(name), three(grid), three(block)
        data = kernarg_segment(kernel, grid, block, kernarg, shared_bytes)
        data += bytes(-len(data) % CACHE_LINE)
        blocks, threads = int(np.prod(grid)), int(np.prod(block))
        schedule = self.machine.schedule
        begin = Launch if schedule is None else schedule.launch
        part = max(1, (MOST_THREADS if schedule is None else schedule.most_threads) // max(threads, 1))
        arena = self.machine.arena
        packet = arena.allocate(64)
        arguments = arena.allocate(max(len(data), CACHE_LINE))
        try:
            arena.slice(arguments, len(data))[:] = np.frombuffer(data, np.uint8)
            described = packet_of(kernel, grid, block, arguments, kernel.group_bytes + shared_bytes, kernel.private_bytes)
            arena.slice(packet, 64)[:] = np.frombuffer(described, np.uint8)
            with np.errstate(all="ignore"):
                for first in range(0, blocks, part):
                    run = begin(self, kernel, grid, block, first, min(part, blocks - first), shared_bytes, arguments, packet)
                    run.run()
        finally:
            arena.release(arguments)
            arena.release(packet)


def three(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(int(x) for x in shape)
    return shape + (1,) * (3 - len(shape))


class Group(Transfers):
    """Waves that run together: what a block's function sees of them."""

    def __init__(self, launch, index):
        self.launch, self.index, self.wave = launch, index, launch.wave
        self.count = launch.count if index is None else index.size
        self.at = self.known = None

    @property
    def threads(self):
        if self.known is None:
            if self.index is None:
                self.known = self.launch.every_thread
            else:
                self.known = (self.index[:, None] * self.wave + np.arange(self.wave)).ravel()
        return self.known

    def read(self, key):
        return self.launch.registers.read(key, self.index)

    def write(self, key, value):
        self.launch.registers.write(key, self.index, value)

    def clock(self):
        return np.full((self.count, 1), self.launch.clock, U8)


class Launch:
    """Some blocks of a grid."""

    group, writer = Group, SystemWriter

    def __init__(self, loaded, kernel, grid, block, first, blocks, shared_bytes, arguments, packet):
        self.program, self.kernel, self.arena = loaded.program, kernel, loaded.machine.arena
        self.grid, self.block, self.first, self.blocks = grid, block, first, blocks
        self.wave = kernel.wave_size
        self.code = loaded.code(self.wave, self.writer)
        per_block = int(np.prod(block))
        self.waves_per_block = -(-per_block // self.wave)
        self.threads_per_block = self.waves_per_block * self.wave
        self.count = blocks * self.waves_per_block
        self.every_thread = np.arange(self.count * self.wave)
        self.shared = Rows("shared", blocks, kernel.group_bytes + shared_bytes)
        private = max(kernel.private_bytes, loaded.machine.stack_bytes if kernel.dynamic_stack else 0)
        self.private = Rows("private", self.count * self.wave, private)
        self.registers = Registers(self.count, self.wave)
        beginning(self, arguments, packet)
        self.clock = self.turn = 0
        self.waiting = {}  # (-call depth, address, mode): (waves, since when)
        self.depth = np.zeros(self.count, np.int64)
        self.modes = np.full(self.count, first_mode(kernel, self.code.tables.family))
        self.arrived = np.zeros(self.count, np.bool_)
        self.alive = np.ones(self.count, np.bool_)
        self.add(kernel.entry, np.arange(self.count))

    # ---- who goes next

    def add(self, address, waves):
        """Waves that go on at an address; those of one call depth and mode together."""
        labels = self.depth[waves] << 32 | self.modes[waves]
        for label in [labels[0]] if (labels == labels[0]).all() else np.unique(labels):
            self.add_group((-int(label >> 32), address, int(label & 0xFFFFFFFF)), waves[labels == label])

    def add_group(self, key, waves):
        known = self.waiting.get(key)
        if known is None:
            self.waiting[key] = waves, self.clock
        else:
            self.waiting[key] = np.union1d(known[0], waves), known[1]

    def run(self):
        while self.alive.any():
            if not self.waiting:
                raise BarrierFault("waves wait at a barrier for others that will not come")
            key = self.pick()
            waves, _ = self.waiting.pop(key)
            self.go(*key[1:], waves)

    def pick(self):
        self.turn = 0 if len(self.waiting) == 1 else self.turn + 1
        if self.turn > PATIENCE:
            if self.turn > PATIENCE + FAIR_TURNS:
                self.turn = 0
            return min(self.waiting, key=lambda key: self.waiting[key][1])
        return min(self.waiting)

    def go(self, address, mode, waves):
        """Runs waves for as long as nobody else has a claim."""
        index = None if waves.size == self.count else waves
        while True:
            self.clock += 1
            group = self.group(self, index)
            block = None
            try:
                block = self.code.block(address, mode)
                ends = self.step(block, group)
                if block.mode != mode:
                    mode = self.modes[waves] = block.mode
                address = self.finish(block, ends, waves, group)
            except MachineError as fault:
                raise self.place(fault, group, block)
            if address is None:
                return
            if self.waiting or self.turn:
                self.add(address, waves)
                return

    def step(self, block, group):
        return block.run(group)

    def place(self, fault, group, block):
        """Completes a fault by where and by whom."""
        if not isinstance(fault, Fault):
            if block is not None and isinstance(fault, UnknownCode) and "\n" not in str(fault):
                return self.code.named(fault, block.places[group.at or 0].address)
            return fault
        if block is not None and group.at is not None:
            place = block.places[group.at]
            fault.at(self.program.function_at(place.address), place._replace(source=self.program.line_at(place.address)))
        if fault.position is not None and fault.thread is None:
            thread = int(group.threads[min(fault.position, group.threads.size - 1)])
            fault.by(named(thread // self.threads_per_block + self.first, self.grid), named(thread % self.threads_per_block, self.block))
        return fault

    # ---- ends of blocks: the address at which all go on, or None

    def finish(self, block, ends, waves, group):
        return getattr(self, "finish_" + block.end.kind)(block, ends, waves, group)

    def finish_next(self, block, ends, waves, group):
        if block.end.call:
            self.depth[waves] += block.end.call
        return block.end.target

    def finish_branch(self, block, ends, waves, group):
        taken = np.broadcast_to(ends, (waves.size, 1))[:, 0]
        if taken.all():
            return block.end.target
        if not taken.any():
            return block.following
        self.add(block.end.target, waves[taken])
        self.add(block.following, waves[~taken])
        return None

    def finish_jump(self, block, ends, waves, group):
        self.depth[waves] += block.end.call
        targets = np.broadcast_to(ends, (waves.size, 1))[:, 0]
        if (targets == targets[0]).all():
            return int(targets[0])
        for target in np.unique(targets):
            self.add(int(target), waves[targets == target])
        return None

    def finish_mode(self, block, ends, waves, group):
        self.modes[waves] = np.broadcast_to(ends, (waves.size, 1))[:, 0]
        self.add(block.following, waves)

    def finish_end(self, block, ends, waves, group):
        self.alive[waves] = False
        self.release()
        return None

    def finish_trap(self, block, ends, waves, group):
        raise TrapFault(f"trap {ends}", position=0)

    def finish_barrier(self, block, ends, waves, group):
        """Waits until every wave of the block that has not ended is there."""
        self.arrived[waves] = True
        self.resume[waves] = block.following
        self.release()
        return None

    def release(self):
        """Lets go on the waves of blocks all of which have come."""
        if not self.arrived.any():
            return
        shape = self.blocks, self.waves_per_block
        full = (self.arrived | ~self.alive).reshape(shape).all(axis=1)
        ready = np.flatnonzero(self.arrived & np.repeat(full, self.waves_per_block))
        if ready.size:
            self.arrived[ready] = False
            targets = self.resume[ready]
            for target in np.unique(targets):
                self.add(int(target), ready[targets == target])

    @property
    def resume(self):
        if not hasattr(self, "resumes"):
            self.resumes = np.zeros(self.count, np.int64)
        return self.resumes


def first_mode(kernel, family):
    """The register MODE: how floats are rounded and denormals kept; but on gfx12, clamping as in DX10 and signaling NaNs (IEEE)."""
    floats = kernel.rsrc1 >> 12 & 0xFF
    return floats if family == "rdna4" else floats | (kernel.rsrc1 >> 21 & 1) << 8 | (kernel.rsrc1 >> 23 & 1) << 9


def named(number, shape):
    x, rest = number % shape[0], number // shape[0]
    return (x, rest % shape[1], rest // shape[1])

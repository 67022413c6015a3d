"""The registers of all waves of a launch, and what they hold when a kernel begins."""

import numpy as np

from .memory import PRIVATE_WINDOW
from .operands import EXEC, M0, SCC, VCC, VGPR
from .values import DTYPES

U4, U8 = DTYPES["U4"], DTYPES["U8"]
NOBODY = 0xBAD0BAD0  # what a register holds that nobody wrote


class Registers:
    """An array for each register: (waves, lanes) for vector registers, (waves, 1) for scalar ones and for equal lanes."""

    def __init__(self, count, wave):
        self.count, self.wave = count, wave
        self.arrays, self.own = {}, set()  # own: nobody else holds the array

    def read(self, key, index):
        array = self.arrays.get(key)
        if array is None:
            array = self.arrays[key] = self.unknown(key)
            self.own.add(key)
        return array if index is None else array[index]

    def unknown(self, key):
        if key == SCC:
            return np.zeros((self.count, 1), np.bool_)
        return np.full((self.count, 1), NOBODY, U4)

    def write(self, key, index, value):
        value = np.asarray(value)
        width = value.shape[1] if value.ndim == 2 else 1
        if index is None:
            self.arrays[key] = value if value.ndim == 2 and value.shape[0] == self.count else np.broadcast_to(value, (self.count, width))
            self.own.discard(key)
            return
        array = self.arrays.get(key)
        if array is None:
            array, _ = self.unknown(key), self.own.add(key)
        if array.shape[1] < width:
            array, _ = np.repeat(array, width, axis=1), self.own.add(key)
        elif key not in self.own:
            array, _ = array.copy(), self.own.add(key)
        array[index] = value
        self.arrays[key] = array

    def put(self, key, wave, lane, value):
        """One lane's number."""
        array = self.read(key, None)
        if array.shape[1] <= lane:
            array, _ = np.repeat(array, self.wave, axis=1), self.own.add(key)
        elif key not in self.own:
            array, _ = array.copy(), self.own.add(key)
        array[wave, lane] = value
        self.arrays[key] = array


def beginning(launch, arguments, packet):
    """LLVM's document of the target, "Initial Kernel Execution State"."""
    registers, count = launch.registers, launch.count

    def write(key, value):
        registers.write(key, None, np.broadcast_to(np.asarray(value, U4), (count, np.shape(value)[1] if np.ndim(value) == 2 else 1)))

    for key in (VCC, VCC + 1, M0):
        write(key, 0)
    registers.write(SCC, None, np.zeros((count, 1), np.bool_))
    user_registers(launch, write, arguments, packet)
    wave = np.arange(count)
    block = wave // launch.waves_per_block + launch.first
    ids = (block % launch.grid[0], block // launch.grid[0] % launch.grid[1], block // (launch.grid[0] * launch.grid[1]))
    block_registers(launch, ids, write)
    thread = (wave % launch.waves_per_block * launch.wave)[:, None] + np.arange(launch.wave)
    x, rest = thread % launch.block[0], thread // launch.block[0]
    y, z = rest % launch.block[1], rest // launch.block[1]
    axes = launch.kernel.rsrc2 >> 11 & 3  # beside x, that the kernel asks for: what it does not is 0
    write(VGPR, x | (y << 10 if axes else 0) | (z << 20 if axes > 1 else 0))
    there = thread < int(np.prod(launch.block))
    mask = np.packbits(there, axis=1, bitorder="little").view(U4)
    write(EXEC, mask[:, :1])
    write(EXEC + 1, mask[:, 1:] if launch.wave == 64 else 0)


def user_registers(launch, write, arguments, packet):
    """Those that the properties ask for, in the order of their bits."""
    kernel = launch.kernel
    words = (("buffer", 4, (0, PRIVATE_WINDOW >> 32, 0xFFFFFFFF, 0)), ("packet", 2, halves(packet)), ("queue", 2, (0, 0)),
             ("arguments", 2, halves(arguments)), ("dispatch", 2, (0, 0)), ("flat scratch", 2, (0, 0)), ("private bytes", 1, (kernel.private_bytes,)))
    at = 0
    for bit, (_, size, values) in enumerate(words):
        if kernel.properties >> bit & 1:
            for value in values:
                write(at, value)
                at += 1


def halves(address):
    return address & 0xFFFFFFFF, address >> 32


def block_registers(launch, ids, write):
    """The block's numbers, behind the user's registers; gfx12 has them elsewhere."""
    rsrc2 = launch.kernel.rsrc2
    if launch.code.tables.family == "rdna4":
        write(108 + 9, ids[0][:, None])
        write(108 + 7, (ids[1] | ids[2] << 16)[:, None])
        return
    at = rsrc2 >> 1 & 31
    for axis in range(3):
        if rsrc2 >> 7 + axis & 1:
            write(at, ids[axis][:, None])
            at += 1
    if rsrc2 >> 10 & 1:
        write(at, 0)
        at += 1
    if rsrc2 & 1:
        write(at, 0)

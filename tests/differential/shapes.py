"""Blocks of every shape, and kernels that were written for blocks of one axis in them.

What a thread asks of its place along x, it is given of its place among all threads of the block, x fastest. So one kernel has the same
meaning in every block of as many threads, whatever a row has, and whether or not warps go on from row to row.
"""

import pathlib
import sys
import types

from hetjit import device


def rank():
    """The thread's number in its block. To who asks for nothing else of it each block is one row."""
    return device.thread_idx.x + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z)


def seen_rank():
    """The same, of a block that is as it is."""
    x = (device.thread_idx.x ^ device.block_dim.z) ^ device.block_dim.z
    return x + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z)


def size():
    """Threads of a block."""
    return device.block_dim.x * device.block_dim.y * device.block_dim.z


def threads():
    """All threads of a grid of one axis."""
    return device.int32(device.grid_dim.x * size())


def placed(rank):
    """The thread's number in a grid of one axis."""
    def place():
        return device.int32(device.block_idx.x * size() + rank())
    return place


place, seen_place = placed(rank), placed(seen_rank)


OF_A_ROW = {"device.thread_idx.x": "rank()", "device.block_dim.x": "size()", "device.tid(1)": "place()", "device.grid_size(1)": "threads()"}
NOT_IN_ALL = {"device.block_dim.x", "device.grid_size(1)"}


def in_any_block(module, rank=seen_rank, **constants):
    """The module anew: its kernels for blocks of any shape, and constants with other values."""
    text = pathlib.Path(module.__file__).read_text()
    for one_axis, any_shape in OF_A_ROW.items():
        assert one_axis in text or one_axis in NOT_IN_ALL
        text = text.replace(one_axis, any_shape)
    return anew(module, text, constants, rank)


def with_constants(module, **constants):
    return anew(module, pathlib.Path(module.__file__).read_text(), constants)


def anew(module, text, constants, rank=seen_rank):
    for name, value in constants.items():
        before, line, after = text.partition(f"\n{name} = ")
        assert line
        text = f"{before}{line}{value}\n{after.partition(chr(10))[2]}"
    made = types.ModuleType(f"{module.__name__}_anew")
    made.__file__ = module.__file__
    made.rank, made.size, made.place, made.threads = rank, size, placed(rank), threads
    sys.modules[made.__name__] = made
    exec(compile(text, module.__file__, "exec"), made.__dict__)
    return made


def divisors(number):
    return [k for k in range(1, number + 1) if number % k == 0]


def blocks_of(threads):
    """Shapes with that number of threads: of one axis, two and three, with rows of one thread, odd ones, and some that fill no warp."""
    sides = divisors(threads)
    rows = [x for x in sides if 1 < x < threads]
    two = [(x, threads // x) for x in (rows[:1] + rows[len(rows) // 2:len(rows) // 2 + 1] + rows[-1:])]
    three = [(x, y, threads // x // y) for x in rows for y in divisors(threads // x) if 1 < y < threads // x]
    deep = [(1, 1, threads)] if threads <= 64 else []
    return list(dict.fromkeys([threads, (1, threads), *two, *three[:1], *three[len(three) // 2:len(three) // 2 + 1], *deep]))

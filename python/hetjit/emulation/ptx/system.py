"""What a program finds around it: special registers, and the functions that every driver provides."""

import re
import time

import numpy as np

from ..faults import TrapFault
from .formats import BITS, F8, U1, U4, U8

AXES = {"x": 0, "y": 1, "z": 2, "w": 3}


def special(launch, name):
    """The value for every thread of the launch, or one for all."""
    if "." in name:
        return place(launch, *name.split("."))
    lane = launch.lane_of
    one = U4.type(1)
    rows = {"laneid": lambda: lane, "warpid": lambda: launch.warp_of % launch.warps_per_block,
            "nwarpid": lambda: np.array([64]), "smid": lambda: launch.block_of % 132, "nsmid": lambda: np.array([132]),
            "gridid": lambda: np.array([1]), "is_explicit_cluster": lambda: np.array([launch.cluster != (1, 1, 1)]),
            "dynamic_smem_size": lambda: np.array([launch.shared_bytes]),
            "total_smem_size": lambda: np.array([launch.kernel.program.dynamic + launch.shared_bytes]),
            "aggr_smem_size": lambda: np.array([launch.kernel.program.dynamic + launch.shared_bytes]),
            "lanemask_eq": lambda: one << lane, "lanemask_lt": lambda: (one << lane) - one,
            "lanemask_le": lambda: (one << lane) | ((one << lane) - one),
            "lanemask_gt": lambda: ~((one << lane) | ((one << lane) - one)),
            "lanemask_ge": lambda: ~((one << lane) - one),
            "clock": lambda: np.array([launch.clock], U4), "clock64": lambda: np.array([launch.clock], U8),
            "clock_hi": lambda: np.array([0], U4), "globaltimer": lambda: np.array([time.monotonic_ns()], U8),
            "globaltimer_lo": lambda: np.array([time.monotonic_ns() & 0xFFFFFFFF], U8),
            "globaltimer_hi": lambda: np.array([time.monotonic_ns() >> 32], U8)}
    return rows[name]()


def place(launch, name, axis):
    """A thread's indices."""
    axis = AXES[axis]
    if axis == 3:
        return np.array([0 if name in ("tid", "ctaid", "clusterid", "cluster_ctaid") else 1], U4)
    side = launch.cluster[axis]
    sizes = {"ntid": launch.block[axis], "nctaid": launch.grid[axis], "nclusterid": launch.grid[axis] // side, "cluster_nctaid": side}
    if name in sizes:
        return np.array([sizes[name]], U4)
    index = index_of(launch.number_of, launch.block, axis) if name == "tid" else index_of(launch.block_of + launch.first, launch.grid, axis)
    return {"tid": index, "ctaid": index, "clusterid": index // U4.type(side), "cluster_ctaid": index % U4.type(side)}[name]


def index_of(numbers, shape, axis):
    if shape[axis] == 1:
        return np.array([0], U4)
    return (numbers // int(np.prod(shape[:axis], initial=1)) % shape[axis]).astype(U4)


# ---- functions: (launch, group, arguments) → one {(offset, bytes): values} for each result

FORMAT = re.compile(rb"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(hh|h|ll|l|j|z|t)?([diouxXeEfFgGaAcsp%])")


def text_at(group, position, address):
    """The C string at a generic address of one thread."""
    found, one = bytearray(), group.part(np.array([position]))
    while True:
        byte = int(one.load_generic(np.array([address + len(found)], U8), U1)[0])
        if not byte:
            return bytes(found)
        found.append(byte)


def value_of(argument, position):
    """One thread's value of an argument that is a single word."""
    value = next(iter(argument.values()))
    return int(value[0 if value.size == 1 else position])


def print_formatted(launch, group, arguments):
    """vprintf(format, where the values lie): each at the alignment of its size, floats as float64."""
    for position in range(len(group)):
        pattern = text_at(group, position, value_of(arguments[0], position))
        at, one, values = value_of(arguments[1], position), group.part(np.array([position])), []

        def word(size, dtype):
            nonlocal at
            at = -(-at // size) * size
            found = one.load_generic(np.array([at], U8), dtype)[0]
            at += size
            return found

        def spell(match, word=word):
            length, kind = match[1] or b"", match[2].decode()
            if kind == "%":
                return b"%%"
            stars = match[0].count(b"*")
            values.extend(int(word(4, np.dtype(np.int32))) for _ in range(stars))
            if kind in "eEfFgGaA":
                values.append(float(word(8, F8)))
            elif kind == "s":
                values.append(text_at(group, position, int(word(8, U8))).decode(errors="replace"))
            elif kind == "p":
                values.append(f"{int(word(8, U8)):#x}")
                return match[0].replace(b"p", b"s")
            else:
                size = 8 if length in (b"l", b"ll", b"j", b"z", b"t") else 4
                values.append(int(word(size, BITS[size] if kind in "ouxX" else np.dtype(f"i{size}"))))
            return match[0].replace(length, b"") if length else match[0].replace(b"u", b"d") if kind == "u" else match[0]

        template = FORMAT.sub(spell, pattern).decode(errors="replace")
        launch.machine.output(template % tuple(values))
    return [{(0, 4): np.array([1], U4)}]


def assertion(launch, group, arguments):
    message, file, line, function = (value_of(a, 0) for a in arguments[:4])
    raise TrapFault(f"assertion '{text_at(group, 0, message).decode()}' failed in {text_at(group, 0, function).decode()} "
                    f"({text_at(group, 0, file).decode()}:{line})", position=0)


def allocate(launch, group, arguments):
    sizes = [value_of(arguments[0], p) for p in range(len(group))]
    return [{(0, 8): np.array([launch.arena.allocate(max(s, 1)) for s in sizes], U8)}]


def release(launch, group, arguments):
    for position in range(len(group)):
        address = value_of(arguments[0], position)
        if address:
            launch.arena.release(address)
    return []


CALLS = {"vprintf": print_formatted, "__assertfail": assertion, "malloc": allocate, "free": release}

"""Runs a random kernel of stencils.py as Python, in the interpreter with each kind of target's passes, and on the host in one of the ways that it may
go there or on another device. With arguments of which Python says that an index is outside of an array it is not run."""

import itertools
import math
import random

import numpy as np

from hetjit import _core, device

import compare
import compare_blocks
import compare_indices
import compare_launches
import page_ends

LENGTHS = (33, 1, 2, 3, 5, 7, 15, 16, 17, 31, 32, 47, 64, 65, 100, 130)
HIGH = (5, 1, 2, 3, 7, 8, 17)
WIDE = (33, 17, 1, 2, 3, 7, 15, 16, 31, 32, 47, 64)  # of two axes the last
BLOCKS = {1: (64, 32, 16, 7, 8, 256), 2: ((8, 8), (16, 16), (1, 32), (32, 1), (7, 3), (1, 64), (4, 16))}
LAYOUTS = ("as it is",) * 6 + ("inside another", "every other", "from the end", "columns first", *page_ends.LAYOUTS)
TARGETS = ("cpu", "cuda:sm_90", "hip:gfx942")
ARGUMENTS, ATTEMPTS = 5, 12  # how many lists of arguments, of how many drawn


class Elements(list):
    """An array as Python has it: indices from the end are below zero."""

    def __init__(self, array):
        super().__init__(array.tolist())
        self.shape = array.shape

    def __getitem__(self, index):
        if isinstance(index, tuple):
            return list.__getitem__(self, index[0])[index[1]]
        return list.__getitem__(self, index)

    def __setitem__(self, index, value):
        if isinstance(index, tuple):
            list.__getitem__(self, index[0])[index[1]] = value
        else:
            list.__setitem__(self, index, value)


class Stand:
    """`device`, of one thread."""
    place = ()
    float64 = float

    def local_array(self, size, kind):
        return [0] * size

    def tid(self, axes):
        return self.place[0] if axes == 1 else self.place


def wrapped(kind):
    bits = int(kind.lstrip("uint"))
    low = 0 if kind.startswith("u") else -2 ** (bits - 1)
    return staticmethod(lambda x: (int(x) - low) % 2 ** bits + low)


for each in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"):
    setattr(Stand, each, wrapped(each))


def values(kind, shape, draw):
    low, high = (0, 60) if kind.startswith("u") else (-30, 60)
    edge = draw.choice((low, 4))  # of what conditions ask for
    return np.array([draw.choice((draw.randint(low, high), draw.randint(edge, 6))) for _ in range(math.prod(shape))]).astype(kind).reshape(shape)


def arguments_of(kernel, seed):
    """(lengths, arrays and numbers in the order of the parameters)"""
    draw = random.Random(seed)
    lengths = [draw.choice(LENGTHS)] if len(kernel.threads) == 1 else [draw.choice(HIGH), draw.choice(WIDE)]
    by_name = dict(zip(kernel.arrays[0].axes, lengths))
    arrays = [values(array.kind, tuple(by_name[axis] for axis in array.axes), draw) for array in kernel.arrays]
    numbers = {"n": lengths[0], "h": lengths[0], "w": lengths[-1], "r": draw.randrange(5), "p": draw.choice((draw.randint(1, 40), min(lengths), 1))}
    return lengths, [*arrays, *(numbers[name] for name in kernel.numbers)]


def by_meaning(kernel, lengths, arguments):
    """The arrays that are left; None: an index is outside of one."""
    stand, by_name = Stand(), dict(zip(kernel.arrays[0].axes, lengths))
    scope = {"device": stand}
    exec(compile(kernel.source, compare.FILE, "exec"), scope)
    given = [Elements(a) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        for stand.place in itertools.product(*(range(by_name[axis] + 1) for axis in kernel.threads)):
            scope["program"](*given)
    except (IndexError, ZeroDivisionError):
        return None
    left = []
    for before, now in zip(arguments, given):
        if not isinstance(before, np.ndarray):
            continue
        fits = getattr(Stand, before.dtype.name, float)
        left.append(np.array([fits(x) for x in np.array(now, object).reshape(-1)]).astype(before.dtype).reshape(before.shape))
    return left


def launched(kernel, lengths, draw):
    """(grid, block), x first."""
    block = draw.choice(BLOCKS[len(kernel.threads)])
    by_name = dict(zip(kernel.arrays[0].axes, lengths))
    sides = block if isinstance(block, tuple) else (block,)
    grid = tuple(-(-by_name[axis] // side) + (draw.randrange(4) == 0) for axis, side in zip(kernel.threads, sides))
    return grid if len(sides) > 1 else grid[0], block


def ways(seed, where):
    draw = random.Random(seed)
    if where:
        return {"device": where} if where != "interpreter" else {"target": "hip:gfx942"}
    return {"tier": draw.choice((None, None, *compare_blocks.TIERS)), "lanes": draw.choice((None, None, "4", "8", "16", "32", "64", *compare_blocks.LANES))}


def run(kernel, function, way, lengths, arguments, own):
    """The arrays that are left."""
    layouts = random.Random(own // ATTEMPTS)  # the same for all lists of arguments, so that there is less to compile
    grid, block = launched(kernel, lengths, random.Random(own))
    made = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            layout = layouts.choice(LAYOUTS) if "device" not in way else LAYOUTS[0]
            made.append(compare_indices.surrounded(argument) if layout == LAYOUTS[0] else compare_launches.laid(argument.copy(), layout)[0])
    given = [*made, *arguments[len(made):]]
    if "target" in way:
        _core.interpret(_core.capture(function), tuple(given), grid, block, contract=False, target=way["target"])
    elif "device" in way:
        there = [device.array(a, way["device"]) if isinstance(a, np.ndarray) else a for a in given]
        device.kernel(contract=False)(function)[grid, block](*there)
        device.synchronize(way["device"])
        made = [device.to_numpy(held) for held in there[:len(made)]]
    else:
        with compare_blocks.environment(HETJIT_TIER=way["tier"], HETJIT_LANES=way["lanes"]), compare_blocks.time_limit(compare_blocks.SECONDS):
            device.kernel(contract=False)(function)[grid, block](*given)
    return made


def tried(kernel, seed):
    """(seed, lengths, arguments, what Python leaves) of the first lists of arguments with which every index is inside."""
    found = []
    for k in range(ATTEMPTS):
        lengths, arguments = arguments_of(kernel, seed * ATTEMPTS + k)
        left = by_meaning(kernel, lengths, arguments)
        if left is not None:
            found.append((seed * ATTEMPTS + k, lengths, arguments, left))
        if len(found) == ARGUMENTS:
            break
    return found


def compare_kernel(kernel, seed, where=""):
    """A compare.Outcome."""
    function = compare.load(kernel.source)
    lists = tried(kernel, seed)
    for own, lengths, arguments, want in lists:
        targets = [{"target": TARGETS[own % 3]}] if where != "interpreter" else [{"target": each} for each in TARGETS]
        for way in (*targets, ways(seed, where)):
            try:
                got = run(kernel, function, way, lengths, arguments, own)
            except device.CompileError as error:
                return compare.Outcome("refused", str(error))
            except Exception as error:
                return compare.Outcome("different", f"{way}, arguments {own}: {type(error).__name__}: {error}")
            found = compare_blocks.differences(got, want)
            if found:
                return compare.Outcome("different", f"{way}, arguments {own}:\n" + "\n".join(found))
    return compare.Outcome("same", str(len(lists)))


def report(kernel, seed, outcome):
    lines = [f"import numpy as np\n\nfrom hetjit import device\n\n\n{kernel.source}"]
    lines += [f"# {line}" for line in outcome.text.splitlines()]
    for own, lengths, arguments, _ in tried(kernel, seed):
        grid, block = launched(kernel, lengths, random.Random(own))
        lines.append(f"# arguments {own}, grid {grid}, block {block}:")
        lines += [f"#   {a.dtype}{a.shape} {a.tolist()}" if isinstance(a, np.ndarray) else f"#   {a!r}" for a in arguments]
    return "\n".join(lines) + "\n"

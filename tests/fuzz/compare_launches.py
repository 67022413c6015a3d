"""Runs a random kernel of launches.py in the interpreter of the typed graph, and on the host in one of the ways that it may go there or on
another device. Its arrays lie in memory in every way that NumPy knows, and one may be given for several. All leave the same bits, also
beside the arrays."""

import math
import random

import numpy as np

from hetjit import _core, device

import compare
import compare_blocks
import page_ends

LENGTHS = {1: (100, 0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 130, 257, 1000), 2: (8, 0, 1, 2, 5, 16, 17, 33, 40), 3: (4, 1, 2, 0, 3, 7, 9, 16)}
BLOCKS = {1: (64, 1, 3, 8, 16, 31, 32, 37, 96, 100, 128, 256),
          2: ((8, 8), (16, 16), (32, 8), (1, 64), (33, 2), (5, 7), (64, 1), (16, 4), (2, 2), (1, 1), (7, 1)),
          3: ((4, 4, 4), (8, 8, 2), (1, 1, 16), (16, 2, 3), (3, 5, 2), (32, 1, 2), (1, 4, 1))}
LAUNCHES = 4    # of each kernel
FEW_BLOCKS = 5  # of a grid that may not cover the arrays
LAYOUTS = ("as it is", "as it is", "columns first", "from the end", "every other", "inside another", "unaligned", *page_ends.LAYOUTS, "one for all")


def launched(kernel, draw):
    """(grid, block, {extent: length})"""
    axes = kernel.cover.axes
    names = kernel.extents
    block = draw.choice(BLOCKS[axes])
    sides = (block,) if axes == 1 else block
    if kernel.cover.exact:
        grid = tuple(draw.choice((1, 2, 3, 5)) for _ in sides)
        lengths = [0] * len(names)
        for along, count, side in zip(kernel.cover.exact, grid, sides):
            lengths[along] = count * side
    else:
        lengths = [draw.choice(LENGTHS[len(names)]) for _ in names]
        grid = tuple(draw.choice((1, 2, 3, FEW_BLOCKS, -(-max(lengths) // side) or 1, -(-max(lengths) // side) or 1)) for side in sides)
    if kernel.repeatable and axes == 1 and draw.randrange(4) == 0:  # rows of the same
        grid, block = (*grid, 2), (*sides, draw.choice((1, 3)))
    return grid if len(grid) > 1 else grid[0], block, dict(zip(names, lengths))


def extent(name, lengths):
    return name if isinstance(name, int) else 2 * lengths[name[2:]] if name.startswith("2*") else lengths[name]


def laid(values, layout):
    """(an array of these values, all the memory it lies in)"""
    filling = np.array(77).astype(values.dtype)
    if layout in page_ends.LAYOUTS:
        made = page_ends.at_an_end(values, layout)
        return made, made
    if layout == "columns first":
        made = np.asfortranarray(values)
        return made, made
    if layout == "from the end":
        memory = np.ascontiguousarray(values[(slice(None, None, -1),) * values.ndim])
        return memory[(slice(None, None, -1),) * values.ndim], memory
    if layout == "every other":
        memory = np.full((*values.shape[:-1], 2 * values.shape[-1]), filling)
        made = memory[..., ::2]
    elif layout == "inside another":
        memory = np.full([length + 3 for length in values.shape], filling)
        made = memory[tuple(slice(1, 1 + length) for length in values.shape)]
    elif layout == "unaligned":
        memory = np.full(values.nbytes + 1, 77, np.uint8)
        memory = made = memory[1:].view(values.dtype).reshape(values.shape)
    elif layout == "one for all":
        memory = values.reshape(-1)[:1].copy() if values.size else np.full(1, filling)
        return np.lib.stride_tricks.as_strided(memory, values.shape, (0,) * values.ndim), memory
    else:
        return values, values
    made[...] = values
    return made, memory


def layout_of(array, layouts, plain):
    if plain or array.role == "sums":
        return LAYOUTS[0]
    return layouts.choice(LAYOUTS[:-1] if array.role in ("output", "ends") else LAYOUTS)


def values_of(array, lengths, draw):
    shape = tuple(extent(name, lengths) for name in array.shape)
    count = math.prod(shape)
    if array.role == "places":
        end = min(lengths[next(iter(lengths))], np.iinfo(array.kind).max + 1)
        return np.array([draw.randrange(max(end, 1)) for _ in range(count)], array.kind).reshape(shape)
    if array.role == "sums":
        return np.array([draw.randrange(5) for _ in range(count)]).astype(array.kind).reshape(shape)
    return compare.array(array.kind, [compare.element(array.kind, draw) for _ in range(count)]).reshape(shape)


def alike(a, b):
    return a.kind == b.kind and a.shape == b.shape


def arguments_of(kernel, seed, k, plain=False):
    """(grid, block, arguments, memory of each array) of launch `k`; arrays lie alike in all. `plain`: each by itself, contiguous."""
    draw, layouts = random.Random(seed * LAUNCHES + k), random.Random(seed)
    grid, block, lengths = launched(kernel, draw)
    made = {}
    for array in kernel.arrays:
        same = [other for other in kernel.arrays if other.name in made and alike(array, other) and "output" in (array.role, other.role)
                and {array.role, other.role} <= {"output", "near"} and 0 not in made[other.name][0].strides]
        own = laid(values_of(array, lengths, draw), layout_of(array, layouts, plain))
        shared = same and not plain and not kernel.repeatable and draw.randrange(2) == 0
        made[array.name] = made[draw.choice(same).name] if shared else own
    return grid, block, [*(each for each, _ in made.values()), *lengths.values()], [memory for _, memory in made.values()]


def by_interpreter(kernel, function, seed, k, contract, where):
    grid, block, arguments, memory = arguments_of(kernel, seed, k, plain=bool(where))
    _core.interpret(_core.capture(function), tuple(arguments), grid, block, contract=contract, target=compare_blocks.target_of(where))
    return memory


def on_the_host(kernel, function, seed, k, way):
    options = {"contract": way.get("contract", False)} | ({"check": way["check"]} if "check" in way else {})
    grid, block, arguments, memory = arguments_of(kernel, seed, k)
    with compare_blocks.environment(HETJIT_TIER=way.get("tier"), HETJIT_LANES=way.get("lanes")), compare_blocks.time_limit(compare_blocks.SECONDS):
        device.kernel(**options)(function)[grid, block](*arguments)
    return memory


def by_device(kernel, function, seed, k, where, contract):
    grid, block, arguments, memory = arguments_of(kernel, seed, k, plain=True)
    there = [device.array(a, where) if isinstance(a, np.ndarray) else a for a in arguments]
    with compare_blocks.time_limit(compare_blocks.SECONDS):
        device.kernel(contract=contract)(function)[grid, block](*there)
        device.synchronize(where)
    return [device.to_numpy(held) for held in there[:len(memory)]]


def compare_kernel(kernel, seed, where=""):
    """A compare.Outcome; of the device `where` instead of the host."""
    function = compare.load(kernel.source)
    (way,) = compare_blocks.ways(seed, where)
    contract = way.get("contract", False)
    for k in range(LAUNCHES):
        try:
            want = by_interpreter(kernel, function, seed, k, contract, where)
            got = by_device(kernel, function, seed, k, where, contract) if where else on_the_host(kernel, function, seed, k, way)
        except device.CompileError as error:
            return compare.Outcome("refused", str(error))
        except Exception as error:
            return compare.Outcome("different", f"{way or 'as it is'}, launch {k}: {type(error).__name__}: {error}")
        found = compare_blocks.differences(got, want)
        if found:
            return compare.Outcome("different", f"{way or 'as it is'}, launch {k}, against the interpreter:\n" + "\n".join(found))
    return compare.Outcome("same", "")


def report(kernel, seed, outcome):
    """The program, how it was launched, and what differed."""
    lines = [f"import numpy as np\n\nfrom hetjit import device\n\n\n{kernel.source}"]
    lines += [f"# {line}" for line in outcome.text.splitlines()]
    for k in range(LAUNCHES):
        grid, block, arguments, _ = arguments_of(kernel, seed, k)
        lines.append(f"# launch {k}: grid {grid}, block {block}; arguments of seed {seed}:")
        for argument in arguments:
            lines.append(f"#   {argument!r}" if not isinstance(argument, np.ndarray) else
                         f"#   {argument.dtype}{argument.shape}, strides {argument.strides}: {argument.reshape(-1)[:24].tolist()}")
    return "\n".join(lines) + "\n"

"""Runs a random kernel of indices (indices.py) on the meaning of the language, in the interpreter, and on the host in one of the ways
that it may go there or on another device; with several arrays, long, short and empty ones."""

import linecache
import operator
import random

import numpy as np

from hetjit import _core, device

import compare
import compare_blocks
import indices
import meaning

LENGTHS = (0, 1, 2, 3, 5, 8, 13, 0, 4)
BLOCKS = ((1, 12), (12, 1), (3, 4), (2, 6), (1, 16), (1, 40))  # a thread that is too many has no `go`
TURNS, ARGUMENTS = 60, 4  # of a loop; how many lists of arguments
OUTSIDE = (IndexError, OverflowError, TimeoutError)




def counted(*bounds):
    """range() of ints, of which lengths have 64 bits."""
    start, stop, step = map(meaning.as_number, ((0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1))[:3])
    kind = "extent" if "extent" in (start.kind, stop.kind, step.kind) else "int"
    turns = range(start.value, stop.value, step.value) if step.value else ()
    if len(turns) > TURNS:
        raise TimeoutError
    return [meaning.Number(kind, k) for k in turns]


class Memory(meaning.Memory):
    def __getitem__(self, index):
        value = super().__getitem__(index)
        return Memory(value.array, value.kind) if isinstance(value, meaning.Memory) else value

    shape = property(lambda self: tuple(meaning.Number("extent", extent) for extent in self.array.shape))
    T = property(lambda self: Memory(self.array.T, self.kind))

    def __iter__(self):
        return (self[k] for k in range(len(self.array)))


class Stand(meaning.Stand):
    @staticmethod
    def local_array(length, dtype):
        return Memory(np.zeros(length, np.int32), "int32")


def scope(place):
    cast = meaning.cast("int")
    return meaning.scope(place) | {
        "device": Stand(place), "range": counted, "len": lambda array: meaning.Number("extent", len(array.array)), "reversed": lambda turns: turns[::-1],
        "int": lambda x: x if isinstance(x, meaning.Number) and x.kind == "extent" else cast(x)}


def arguments_of(kernel, seed):
    """In the order of the parameters."""
    draw = random.Random(seed)
    small = lambda kind: compare.element(kind, draw) if draw.randrange(4) == 0 else max(meaning.limits(kind)[0], draw.randint(-4, 9))  # noqa: E731
    line = lambda kind, count: compare.array(kind, [small(kind) for _ in range(count)])  # noqa: E731
    inputs = [line(kind, draw.choice(LENGTHS)) for kind in kernel.inputs]
    columns = kernel.columns if kernel.columns and draw.randrange(4) else draw.choice(LENGTHS)
    m = line("int32", draw.choice((0, 1, 2, 4, 12)) * columns).reshape(-1, columns) if columns else np.zeros((draw.choice((0, 3)), 0), np.int32)
    if draw.randrange(5) == 0:
        m = m[::-1, ::-1] if draw.randrange(2) else np.asfortranarray(m)
    w = line("int32", indices.THREADS * indices.ROW).reshape(indices.THREADS, indices.ROW)
    n = draw.choice((*range(-4, 10), 2 ** 31 - 1, -2 ** 31))
    return [*inputs, m, w, np.ones(64, np.uint8) * (np.arange(64) < indices.THREADS), n, draw.choice((0.0, 1.5, -1.0, 3.0, float("nan"))),
            np.zeros((indices.THREADS, indices.ROW), np.int32)]


def surrounded(array):
    """A copy with other numbers before and behind it, so that what is read outside is wrong."""
    around = 64
    memory = np.full(array.size + 2 * around, 77, array.dtype)
    copy = memory[around:around + array.size]
    copy = copy.reshape(array.T.shape).T if array.flags.f_contiguous and array.ndim > 1 else copy.reshape(array.shape)
    copy[...] = array
    return copy[::-1, ::-1].copy()[::-1, ::-1] if array.ndim > 1 and array.strides[0] < 0 else copy


def copied(arguments):
    return [surrounded(a) if isinstance(a, np.ndarray) else a for a in arguments]


def by_meaning(kernel, arguments):
    """What the kernel leaves; `go` is 0 of threads that go outside, or for long."""
    code = compile(compare.Negations().visit(compare.ast.parse(kernel.source)), compare.FILE, "exec")
    kinds = [*kernel.inputs, "int32", "int32", "uint8", "int", "float", "int32"]
    w, go, out = arguments[-5], arguments[-4], arguments[-1]
    for place in range(indices.THREADS):
        names = scope(place)
        exec(code, names)
        before = w[place].copy(), out[place].copy()
        given = [Memory(a, kind) if isinstance(a, np.ndarray) else meaning.Number(kind, a) for a, kind in zip(arguments, kinds)]
        try:
            names["program"](*given)
        except OUTSIDE:
            go[place] = 0
            w[place], out[place] = before
    return arguments


def ways(seed, where):
    draw = random.Random(seed)
    if where == "interpreter":
        return {"target": "hip:gfx942"}
    if where:
        return {"device": where}
    return {"tier": draw.choice((None, None, *compare_blocks.TIERS)), "lanes": draw.choice((None, None, *compare_blocks.LANES)), "block": draw.choice(BLOCKS)}


def run(function, way, arguments):
    given = copied(arguments)
    if "target" in way:
        _core.interpret(_core.capture(function), tuple(given), 1, indices.THREADS, contract=False, target=way["target"])
    elif "device" in way:
        there = [device.array(a, way["device"]) if isinstance(a, np.ndarray) else a for a in given]
        device.kernel(contract=False)(function)[1, indices.THREADS](*there)
        device.synchronize(way["device"])
        given = [device.to_numpy(held) if isinstance(a, np.ndarray) else a for a, held in zip(given, there)]
    else:
        with compare_blocks.environment(HETJIT_TIER=way["tier"], HETJIT_LANES=way["lanes"]):
            device.kernel(contract=False)(function)[way["block"]](*given)
    return given


def compare_kernel(kernel, seed, where=""):
    """A compare.Outcome."""
    function = compare.load(kernel.source)
    live = 0
    for k in range(ARGUMENTS):
        arguments = arguments_of(kernel, seed * ARGUMENTS + k)
        want = by_meaning(kernel, copied(arguments))
        arguments[-4][...] = want[-4]
        live += int(want[-4].sum())
        for way in ({"target": "cpu"}, {"target": "cuda:sm_90"}, ways(seed, where)):  # passes are the target's
            try:
                got = run(function, way, arguments)
            except device.CompileError as error:
                return compare.Outcome("refused", str(error))
            except Exception as error:
                return compare.Outcome("different", f"{way}, arguments {k}: {type(error).__name__}: {error}")
            found = compare.differences(compare.Run(got, set()), compare.Run(want, set()))
            if found:
                return compare.Outcome("different", f"{way}, arguments {k}:\n" + "\n".join(found[:8]))
    return compare.Outcome("same", str(live))


def report(kernel, seed, outcome):
    lines = [f"import numpy as np\n\nfrom hetjit import device\n\n\n{kernel.source}"]
    lines += [f"# {line}" for line in outcome.text.splitlines()]
    for k in range(ARGUMENTS):
        lines.append(f"# arguments {k} of seed {seed}:")
        lines += [f"#   {a.tolist()}" if isinstance(a, np.ndarray) else f"#   {a!r}" for a in arguments_of(kernel, seed * ARGUMENTS + k)]
    return "\n".join(lines) + "\n"

"""The puzzles: for each the launches that a solution must do right, and what is asked of its code."""

import re
import typing


class Case(typing.NamedTuple):
    """A launch: the arguments in their order, and what arrays among them hold afterwards."""
    about: str
    grid: object
    block: object
    arguments: dict
    wanted: dict


class Puzzle(typing.NamedTuple):
    cases: typing.Callable  # without parameters: the cases, with arrays of their own
    rules: tuple = ()       # functions of kernel and case: what is wrong with the code, or ""


def _case(about, grid, block, wanted, **arguments):
    """A case whose one output is `out`, which begins as zeros."""
    import numpy
    wanted = numpy.asarray(wanted)
    unchanged = {name: value.copy() for name, value in arguments.items() if hasattr(value, "copy")}
    return Case(about, grid, block, {**arguments, "out": numpy.zeros_like(wanted)}, {**unchanged, "out": wanted})


def _floats(*shape):
    import numpy
    return numpy.arange(1, 1 + numpy.prod(shape), dtype=numpy.float32).reshape(shape) % 17


def _blocks(n, block):
    return (n + block - 1) // block


# ---- rules

def _uses(*names):
    def rule(kernel, case):
        missing = [name for name in names if name not in kernel.underlying.__code__.co_names]
        return f"this puzzle is about device.{missing[0]}, which the kernel does not use" if missing else ""
    return rule


def _without(name):
    def rule(kernel, case):
        return f"this puzzle is to be solved without device.{name}" if name in kernel.underlying.__code__.co_names else ""
    return rule


def _side_by_side(kernel, case):
    """Neighbouring threads use neighbouring elements of arrays, as a GPU wants it."""
    told = kernel.explain(*case.arguments.values(), target="cuda:sm_90")
    lines = told.split("\n")
    for number, line in enumerate(lines):
        if re.search(r"- (load|store): (strided|gather|scatter)", line) and "shared memory" not in line:
            source = next(text for text in reversed(lines[:number]) if re.match(r"\d+ +\|", text))
            return f"neighbouring threads do not use neighbouring elements here:\n{source}\n{line}\nhint: which index comes from thread_idx.x?"
    return ""


# ---- the puzzles

def _map():
    a = _floats(32)
    yield _case("32 elements", 1, 32, a + 10, a=a)


def _guard():
    for n in (20, 32, 1):
        a = _floats(n)
        yield _case(f"{n} elements", 1, 32, a + 10, a=a)


def _outer():
    for w, h in ((8, 8), (5, 7)):
        a, b = _floats(w), _floats(h)
        yield _case(f"a of {w} and b of {h} elements", 1, (8, 8), b[:, None] + a[None, :], a=a, b=b)


def _many_blocks():
    for n in (128, 100, 33):
        a = _floats(n)
        yield _case(f"{n} elements", _blocks(n, 32), 32, a * a, a=a)


def _stride():
    for n in (64, 1000, 10):
        a = _floats(n)
        yield _case(f"{n} elements", 2, 32, 2 * a, a=a)


def _image():
    for h, w in ((16, 32), (10, 45)):
        a, most = _floats(h, w), max(h, w)  # threads for both orders of the axes
        yield _case(f"a of shape {h, w}", (_blocks(most, 32), _blocks(most, 8)), (32, 8), 255 - a, a=a)


def _neighbours():
    import numpy
    for n in (64, 50):
        a = _floats(n)
        padded = numpy.pad(a, 1, mode="edge")
        yield _case(f"{n} elements", 1, 64, (padded[:-2] + padded[1:-1] + padded[2:]) / 3, a=a)


def _reverse():
    a = _floats(4, 32).reshape(-1)
    yield _case("128 elements in 4 blocks", 4, 32, a.reshape(4, 32)[:, ::-1].reshape(-1), a=a)


def _block_sum():
    for blocks in (1, 5):
        a = _floats(blocks * 128)
        yield _case(f"{len(a)} elements", blocks, 128, a.reshape(blocks, 128).sum(axis=1), a=a)


def _histogram():
    import numpy
    for n in (100, 1000):
        a = (_floats(n) * 7 % 8).astype(numpy.int32)
        yield _case(f"{n} elements in 8 bins", 4, 64, numpy.bincount(a, minlength=8).astype(numpy.int32), a=a)


def _prefix():
    import numpy
    for n in (64, 40):
        a = _floats(n)
        yield _case(f"{n} elements", 1, 64, numpy.cumsum(a), a=a)


def _warp_sum():
    for n in (32, 320):
        a = _floats(n)
        yield _case(f"{n} elements", n // 32, 32, a.reshape(-1, 32).sum(axis=1), a=a)


def _transpose():
    for h, w in ((32, 32), (40, 70)):
        a = _floats(h, w)
        yield _case(f"a of shape {h, w}", (_blocks(w, 16), _blocks(h, 16)), (16, 16), a.T.copy(), a=a)


def _matmul():
    import numpy
    for m, k, n in ((16, 16, 16), (20, 40, 33), (1, 17, 1)):
        a, b = _floats(m, k), _floats(k, n)
        yield _case(f"a of shape {m, k} and b of shape {k, n}", (_blocks(n, 16), _blocks(m, 16)), (16, 16),
                    (a.astype(numpy.float64) @ b).astype(numpy.float32), a=a, b=b)


PUZZLES = {
    1: Puzzle(_map), 2: Puzzle(_guard), 3: Puzzle(_outer), 4: Puzzle(_many_blocks), 5: Puzzle(_stride),
    6: Puzzle(_image, (_side_by_side,)),
    7: Puzzle(_neighbours, (_uses("shared_array"),)),
    8: Puzzle(_reverse, (_uses("shared_array"), _side_by_side)),
    9: Puzzle(_block_sum, (_uses("shared_array"), _without("atomic"))),
    10: Puzzle(_histogram, (_uses("atomic"),)),
    11: Puzzle(_prefix, (_uses("shared_array"),)),
    12: Puzzle(_warp_sum, (_without("shared_array"), _without("atomic"))),
    13: Puzzle(_transpose, (_uses("shared_array"), _side_by_side)),
    14: Puzzle(_matmul, (_uses("shared_array"), _side_by_side)),
}

"""Exercises in writing kernels, for one who has no GPU: `puzzles.check(3, my_kernel)` says whether it solves puzzle 3, and what is wrong.

The puzzles are told in the documents. A kernel is launched on the CPU with everything watched: bounds, races, barriers, reads of what
nobody wrote; then its results are compared; then some puzzles ask how it would run on a GPU.
"""

import importlib.util

from hetjit import device
from hetjit.puzzles.tasks import PUZZLES

__all__ = ["check"]

_CHECKS = ("bounds,arith,race", "init")  # one after another, so that a mistake is named alike on every machine
_HINTS = (
    (device.BarrierError, "all threads of a block come to a barrier, or none: let no `if` and no `return` stand round it"),
    (device.BoundsError, "more threads run than there are elements, or an index is one off: let those threads do nothing"),
    (device.RaceError, "put device.syncthreads() between the two, or let one thread alone use that element, or use device.atomic"),
    (device.CheckError, "shared memory begins undefined: write every element before a thread reads it"),
)


def check(number, kernel):
    """Whether a kernel solves the puzzle of that number (1 to 14); prints what is wrong, for the first case that goes wrong."""
    puzzle = _puzzle(number)
    if importlib.util.find_spec("numpy") is None:
        raise ImportError("puzzles.check() compares with NumPy, which is not installed: pip install numpy")
    watched = [device.kernel(check=check)(getattr(kernel, "underlying", kernel)) for check in _CHECKS]
    for alike in zip(*(puzzle.cases() for _ in watched)):
        case = alike[-1]
        said = next(filter(None, map(_run, watched, alike)), "") or _compare(case)
        if said:
            return _say(number, f"not yet\n  with {case.about}, {_geometry(case)}:\n{_indented(said)}")
    said = next(filter(None, (rule(watched[0], case) for rule in puzzle.rules)), "")
    return _say(number, f"right, but\n{_indented(said)}" if said else "solved", not said)


def _puzzle(number):
    if number not in PUZZLES:
        raise ValueError(f"puzzles.check({number!r}, ...): the puzzles are numbered 1 to {len(PUZZLES)}")
    return PUZZLES[number]


def _run(watched, case):
    """What went wrong in a launch; "" when nothing did."""
    try:
        watched[case.grid, case.block](*case.arguments.values())
    except device.CheckError as error:
        hint = next(text for kind, text in _HINTS if isinstance(error, kind))
        return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ()), f"hint: {hint}"])
    except (device.CompileError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _compare(case):
    """The first element that is not what was asked for; "" when there is none."""
    import numpy
    for name, wanted in case.wanted.items():
        found = case.arguments[name]
        wrong = numpy.argwhere(~numpy.isclose(found, wanted, rtol=1e-4, atol=1e-4))
        if len(wrong):
            place = tuple(map(int, wrong[0]))
            index = ", ".join(map(str, place))
            return f"{name}[{index}] is {found[place]}, and should be {wanted[place]}; {len(wrong)} of {wanted.size} elements are wrong"
    return ""


def _geometry(case):
    return f"grid {case.grid}, block {case.block}"


def _indented(text):
    return "\n".join("  " + line for line in text.split("\n"))


def _say(number, text, solved=False):
    print(f"puzzle {number}: {text}")
    return solved

"""What a kernel of the gallery is: its launch, its place on the axes, and what NumPy says its result is."""

import dataclasses
from collections.abc import Callable

import numpy as np

GROUPS = ("elements", "loops", "shapes", "blocks", "tables")  # a file of each name in Python and in C++
KINDS = ("memory", "compute")  # what the best form waits for


@dataclasses.dataclass
class Case:
    kernel: Callable
    grid: object
    block: object
    arguments: tuple  # of the kernel, and of Numba's form
    outputs: dict[int, np.ndarray]  # by position: what NumPy has in place of the argument afterwards
    sizes: tuple[int, ...] = ()  # what C++ is given beside the arguments: it has pointers only
    tolerance: float = 0.0  # relative to the largest number expected; 0: the same
    undecided: float = 0.0  # the share of elements that rounding decides
    restore: bool = False  # a run needs its outputs as they were
    small: bool = False  # so little work that C++ had better take one thread


CASES = {}  # by name: (group, axes, function that makes the case)


def case(kind, *axes):
    """Registers the function that makes a case, under its name. `axes`: access, control, element, block, size."""
    assert kind in KINDS and len(axes) == 5
    def register(make):
        CASES[make.__name__] = (make.__module__.rpartition(".")[2], kind, axes, make)
        return make
    return register


def load():
    for group in GROUPS:
        __import__(f"gallery.{group}")
    return CASES


def blocks(n, block):
    return -(-n // block)


def random(shape, dtype=np.float32, seed=1):
    """Numbers from 0 to 1, or all that an integer type has."""
    generator, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    if dtype.kind == "c":
        return (generator.random(shape) + 1j * generator.random(shape)).astype(dtype)
    return generator.random(shape).astype(dtype)


def zeros(shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def off_by(found, expected, undecided):
    """The largest difference, relative to the largest number expected."""
    if found.dtype.names:
        return max(off_by(found[name], expected[name], undecided) for name in found.dtype.names)
    found, expected = (a.astype(np.complex128 if a.dtype.kind == "c" else np.float64) for a in (found, expected))
    worst = np.quantile(np.abs(found - expected), 1 - undecided, method="higher") / max(np.max(np.abs(expected)), 1e-30)
    return float(worst) if np.isfinite(worst) else float("inf")

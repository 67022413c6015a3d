"""CPython as an oracle: runs a kernel's own Python function for every thread of a grid, on NumPy arrays.

Only what a kernel asks of its place is simulated (`device.tid`, `device.thread_idx`, …); everything else is CPython and
NumPy. NumPy scalars keep their format when they meet Python's own numbers, as ours do, so a kernel whose arithmetic is
between array elements, or elements and literals, has one right answer.
"""

import types
import warnings

import numpy as np

from hetjit import device


class Place:
    """Stands for the `device` namespace while one thread runs."""

    def __init__(self, grid, block):
        self.grid_dim, self.block_dim = Axes(*grid), Axes(*block)
        self.block_idx, self.thread_idx = Axes(0, 0, 0), Axes(0, 0, 0)

    def tid(self, ndim):
        at = tuple(int(t) + int(b) * int(n) for t, b, n in zip(self.thread_idx, self.block_idx, self.block_dim))
        return at[0] if ndim == 1 else at[:ndim]

    def grid_size(self, ndim):
        size = tuple(int(g) * int(b) for g, b in zip(self.grid_dim, self.block_dim))
        return size[0] if ndim == 1 else size[:ndim]

    def __getattr__(self, name):
        return getattr(device, name)


class Axes(tuple):
    def __new__(cls, x, y, z):
        return super().__new__(cls, (np.uint32(x), np.uint32(y), np.uint32(z)))

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])
    z = property(lambda self: self[2])


def three(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return shape + (1,) * (3 - len(shape))


def run(kernel, grid, block, arguments):
    function = kernel.underlying
    grid, block = three(grid), three(block)
    place = Place(grid, block)
    scope = {**function.__globals__, "device": place}
    python = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__,
                                function.__closure__)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for b in np.ndindex(grid[::-1]):
            place.block_idx = Axes(*b[::-1])
            for t in np.ndindex(block[::-1]):
                place.thread_idx = Axes(*t[::-1])
                python(*arguments)

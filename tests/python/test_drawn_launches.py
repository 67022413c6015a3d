"""Launches of one Bound after the other with something changed between them, drawn: of every kind of array that launches remember
(test_last_launch.py has what is known to matter, one by one)."""

from random import Random

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers
from hetjit import device

OFTEN = 5  # launches after which arguments are surely kept
STEP = 1


@device.kernel
def describe(x, out, n, scale: device.float64):
    out[0], out[1], out[2], out[3], out[4], out[5] = len(x), x.strides[0], x[0], n, scale, STEP


class Drawn:
    """An array of one of the kinds, and what a kernel should see of it."""

    def __init__(self, random, exchange):
        self.random, self.memory = random, np.arange(200.0) + random.randrange(1000)
        self.kind = random.choice(("numpy", "ours", "lent"))
        self.array = self.memory if self.kind == "numpy" else device.asarray(self.memory) if self.kind == "ours" else exchange(self.memory)
        self.first, self.length, self.step = 0, 200, 1
        self.lie(0, 40, 1)

    def lie(self, first, length, step):
        """The very same tensor of a library lies elsewhere; of the others another array takes its place."""
        self.first, self.length, self.step = first, length, step
        if self.kind == "lent":
            self.array.tensor.byte_offset, self.array.shape[0], self.array.strides[0] = 8 * first, length, step
        else:
            whole = self.memory if self.kind == "numpy" else device.asarray(self.memory)
            self.array = whole[first:first + length * step:step]

    def change(self):
        """One thing alone."""
        drawn = self.random.choice(("elements", "first", "length", "step"))
        if drawn == "elements":
            self.memory += self.random.randrange(1, 9)
        else:
            self.lie(*(self.random.randrange(2, 60) if drawn == name else now
                       for name, now in (("first", self.first), ("length", self.length))), self.random.choice((1, 2)) if drawn == "step" else self.step)

    def check(self, bound, out, n, scale):
        out[:] = -1
        bound(self.array, out, n, scale)
        assert out.tolist() == [self.length, self.step, self.memory[self.first], n, scale, STEP], self.kind


@pytest.mark.parametrize("seed", range(12))
def test_drawn_changes_between_launches(seed):
    global STEP
    random, exchange, out, STEP = Random(seed), producers.exchange_class(), np.zeros(6), 1
    for turn in range(40):
        bound, arrays = describe[1, (1, 1) if turn % 2 else 1], [Drawn(random, exchange) for _ in range(random.choice((1, 1, 2, 3)))]
        n, scale = random.randrange(100), random.random()
        for _ in range(random.randrange(1, OFTEN + 2)):
            for one in arrays:
                one.check(bound, out, n, scale)
        for _ in range(random.randrange(1, 6)):
            event = random.random()
            if event < 0.7:
                random.choice(arrays).change()
            elif event < 0.9:
                n, scale = random.choice(((n + 1, scale), (n, scale / 2)))
            else:
                STEP = STEP % 3 + 1
            for one in random.choice((arrays, arrays[:1])):
                for _ in range(random.randrange(1, 3)):
                    one.check(bound, out, n, scale)

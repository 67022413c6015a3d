"""Random ways to a warp function that names all lanes: under check="warp" a launch fails exactly where some lane of a warp that is there, and has
not returned, does not come with the others. Which lanes come is counted here, thread by thread."""

import math
import random

import numpy as np
import pytest

import compare
import compare_blocks
from hetjit import device

CASES = {"cpu": 60, "emu:sm_90": 16, "emu:gfx942": 12}
BLOCKS = (4, 16, 32, 37, 64, (5, 3), (3, 2, 2), 7, (33, 2), 100, (8, 8, 2))
OPERATIONS = ("device.ballot_sync(device.FULL_MASK, t > 3)", "device.all_sync(device.FULL_MASK, t < 90)", "device.shfl_sync(device.FULL_MASK, t, 0)",
              "device.match_any_sync(device.FULL_MASK, t % 3)", "device.syncwarp()", "device.shfl_xor_sync(device.FULL_MASK, t, 0)")
# Conditions on a thread's number: of some threads, of whole warps, of all, of none.
CONDITIONS = ("t % 3 == 1", "t < 8", "t // WARP == 0", "t // WARP != 1", "n == 2", "n != 2", "t >= 0", "t < 0", "t != 5", "x[t] > 0", "t % WARP < n * 16", "t + n > 4")
INDENT = "    "


class Case:
    """A program with one warp function behind guards of every kind, and which threads come to it, which have returned before."""

    def __init__(self, seed, warp):
        draw = random.Random(seed)
        self.block, self.n, self.warp = draw.choice(BLOCKS), draw.randrange(4), warp
        self.size = int(np.prod(self.block))
        self.x = np.array([draw.choice((-1, 1, 1)) for _ in range(self.size)], np.int32)
        self.lines, indent = [], INDENT
        self.here, self.returned = set(range(self.size)), set()
        self.say(indent, "w, h = device.int32(device.block_dim.x), device.int32(device.block_dim.y)")
        self.say(indent, "t = device.int32(device.thread_idx.x) + w * (device.int32(device.thread_idx.y) + h * device.int32(device.thread_idx.z))")
        self.say(indent, "k = 0")
        if draw.randrange(3) == 0:
            condition = draw.choice(CONDITIONS)
            self.say(indent, f"if {self.spelled(condition)}:")
            self.say(indent, "    return")
            self.returned = self.those(condition)
            self.here -= self.returned
        for _ in range(1 + draw.randrange(2)):
            indent = self.guard(draw, indent)
        self.say(indent, draw.choice(OPERATIONS))
        self.say(indent, "k += 1")
        self.say(INDENT, "out[t] = k")

    def say(self, indent, text):
        self.lines.append(indent + text)

    def spelled(self, condition):
        return condition.replace("WARP", str(self.warp))

    def those(self, condition):
        return {t for t in self.here if eval(self.spelled(condition), {"t": t, "n": self.n, "x": self.x})}

    def guard(self, draw, indent):
        """A branch, or a loop of one turn of which some threads leave the rest out."""
        condition = draw.choice(CONDITIONS)
        way = draw.randrange(4)
        come = self.those(condition)
        if way == 0:
            self.say(indent, f"if {self.spelled(condition)}:")
        elif way == 1:
            self.say(indent, f"if {self.spelled(condition)}:")
            self.say(indent, "    k += 10")
            self.say(indent, "else:")
            come = self.here - come
        else:
            name = f"k{len(self.lines)}"
            self.say(indent, f"for {name} in range(1):")
            self.say(indent, f"    if {self.spelled(condition)}:")
            self.say(indent, f"        {('continue', 'break')[way - 2]}")
            come = self.here - come
        self.here = come
        return indent + INDENT

    @property
    def source(self):
        return "def program(x, n, out):\n" + "\n".join(self.lines) + "\n"

    @property
    def fails(self):
        for first in range(0, self.size, self.warp):
            there = set(range(first, min(first + self.warp, self.size))) - self.returned
            if there & self.here and there - self.here:
                return True
        return False


def outcome(case, where):
    """Whether the launch failed, and what it left."""
    out = device.array(np.zeros(case.size, np.int32), where)
    kernel = device.kernel(check="warp")(compare.load(case.source))
    try:
        with compare_blocks.time_limit(compare_blocks.SECONDS):
            kernel[1, case.block](device.array(case.x, where), case.n, out)
            device.synchronize(where)
    except device.BarrierError:
        return True, None
    return False, device.to_numpy(out)


@pytest.mark.parametrize("where", CASES)
def test_lanes_that_do_not_come_are_told_exactly_where_they_do_not(where):
    warp = compare_blocks.warp_size(where if where != "cpu" else "")
    cases = [Case(seed, warp) for seed in range(CASES[where])]
    for seed, case in enumerate(cases):
        failed, out = outcome(case, where)
        assert failed == case.fails, f"seed {seed}, block {case.block}, n {case.n}, x {case.x.tolist()}: {'a lane is told' if failed else 'no lane is told'}\n{case.source}"
        if not failed:
            assert {t for t in range(case.size) if out[t] % 10 == 1} == case.here
    assert 0 < sum(case.fails for case in cases) < len(cases)


def test_blocks_have_partial_warps():
    assert any(math.prod(np.atleast_1d(block)) < 16 for block in BLOCKS)

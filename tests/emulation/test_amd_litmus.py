"""Litmus programs, compiled by clang (sources/amd/litmus.cu), on machines for AMD whose memory is weak: what C++ forbids is never seen, in no order and
scope that synchronizes; and what it allows is seen, where the machine can show it.
"""

import functools
import lzma
import os
import pathlib
import struct
from typing import NamedTuple

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="the tables of AMD's instructions (tinygrad 0.14.0) are not installed")

from hetjit.emulation.amd import Machine, Weak

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = 300 if os.environ.get("HETJIT_MACHINES") == "all" else 3
WAVES = {"gfx942": 64, "gfx1100": 32}
ORDERS = ("relaxed", "acquire", "fences", "total", "totalfences")
SCOPES = ("workgroup", "agent", "system")
SYNCHRONIZES = {"relaxed": ORDERS, "acquire": ORDERS[1:], "total": ORDERS[3:]}


class Shape(NamedTuple):
    waves: int
    weak: object  # of what was found and of x: the outcome in question
    forbidden: str  # by orders from here on


SHAPES = {"message": Shape(2, lambda out, x: out[:2] == [1, 0], "acquire"),
          "store_buffering": Shape(2, lambda out, x: out[:2] == [0, 0], "total"),
          "load_buffering": Shape(2, lambda out, x: out[:2] == [1, 1], "acquire"),
          "independent_reads": Shape(4, lambda out, x: out[:4] == [1, 0, 1, 0], "total"),
          "causality": Shape(3, lambda out, x: out[:3] == [1, 1, 0], "acquire"),
          "handed_on": Shape(3, lambda out, x: out[:3] == [1, 1, 0], "acquire"),
          "two_writes": Shape(2, lambda out, x: x[0] == 1 and x[64] == 1, "total"),
          "read_and_write": Shape(2, lambda out, x: out[0] == 1 and x[0] == 2, "acquire"),
          "coherence": Shape(2, lambda out, x: out[0] > out[1], "relaxed"),
          "counting": Shape(2, lambda out, x: x[0] != 4 or out[0] == out[1], "relaxed"),
          "shared_flag": Shape(2, lambda out, x: out[:2] == [1, 0], "acquire"),
          "shared_data": Shape(2, lambda out, x: out[:2] == [1, 0], "acquire")}
WITHIN = ("shared_flag", "shared_data")  # a block alone
CASES = [(shape, order, scope, together) for shape in SHAPES for order in ORDERS for scope in SCOPES for together in (False, True)
         if shape not in WITHIN or together and scope == "workgroup"]


@functools.cache
def image(architecture):
    return lzma.decompress((HERE / "recorded" / f"{architecture}-litmus.xz").read_bytes())


class Runner:
    """Runs one program in many schedules."""

    def __init__(self, architecture, code=None):
        self.machine, self.wave = Machine(architecture), WAVES[architecture]
        self.program = self.machine.load(code or image(architecture))
        self.places, self.out = (self.machine.arena.allocate(1024) for _ in range(2))

    def outcome(self, name, shape, together, seed):
        """(what the waves found, x and y and z in the end)."""
        self.machine.schedule = None if seed is None else Weak(seed)
        places, out = (self.machine.arena.slice(each, 1024).view(np.int32) for each in (self.places, self.out))
        places[:], out[:] = 0, -1
        grid, block = (1, shape.waves * self.wave) if together else (shape.waves, 1)
        self.program.launch(name, grid, block, struct.pack("<QQi", self.places, self.out, together))
        return out.tolist(), places.tolist()

    def seen(self, name, shape, together, seeds):
        """The seeds that show the weak outcome."""
        return [seed for seed in range(seeds) if shape.weak(*self.outcome(name, shape, together, seed))]


@functools.cache
def runner(architecture):
    return Runner(architecture)


def synchronizes(shape, order, scope, together):
    return order in SYNCHRONIZES[SHAPES[shape].forbidden] and (together or scope != "workgroup" or SHAPES[shape].forbidden == "relaxed")


@pytest.mark.parametrize("shape, order, scope, together", [case for case in CASES if synchronizes(*case)])
@pytest.mark.parametrize("architecture", WAVES)
def test_what_is_forbidden_is_not_seen(architecture, shape, order, scope, together):
    assert not runner(architecture).seen(f"{shape}_{order}_{scope}", SHAPES[shape], together, SEEDS)


# What is allowed, and has to be seen.
SEEN = {"gfx942": [("message_relaxed_agent", False), ("message_acquire_workgroup", False), ("store_buffering_relaxed_agent", False),
                   ("store_buffering_acquire_agent", False), ("store_buffering_total_workgroup", False), ("handed_on_relaxed_agent", False),
                   ("handed_on_acquire_workgroup", False), ("two_writes_relaxed_agent", False), ("independent_reads_total_workgroup", False),
                   ("shared_data_relaxed_workgroup", True)],
        "gfx1100": [("message_relaxed_agent", False), ("message_relaxed_workgroup", True), ("message_total_workgroup", False),
                    ("store_buffering_relaxed_workgroup", True), ("store_buffering_acquire_agent", False), ("store_buffering_acquire_workgroup", True),
                    ("handed_on_relaxed_agent", False), ("shared_flag_relaxed_workgroup", True), ("shared_data_relaxed_workgroup", True)]}


@pytest.mark.parametrize("architecture, name, together", [(a, *case) for a, cases in SEEN.items() for case in cases])
def test_what_is_allowed_is_seen(architecture, name, together):
    shape = SHAPES[name[:name.rindex("_", 0, name.rindex("_"))]]
    assert any(shape.weak(*runner(architecture).outcome(name, shape, together, seed)) for seed in range(3000))
    assert not shape.weak(*runner(architecture).outcome(name, shape, together, None)), "the strong machine shows it"

"""A few random ways out of loops, on every run of the tests; `./dev fuzz --ways N` runs as many as wanted (run.py)."""

import dataclasses
import random
import zlib

import pytest

import compare_stencils
import run
import ways

KERNELS = 40
ON_MACHINES = {"emu:sm_90": 8, "emu:gfx942": 4}


def drawn(seed):
    chance = random.Random(seed)
    return run.drawn("ways", lambda options: chance.randrange(options))


def test_random_ways_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=4, kind="ways")
    assert not report, report
    assert verdicts["same"] >= 0.9 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_ways_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="ways", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.9 * count, refusals


def test_every_form_appears(monkeypatch):
    used, pick = set(), ways.Maker.pick
    monkeypatch.setattr(ways.Maker, "pick", lambda self, options: used.add(made if isinstance(made := pick(self, options), str) else "") or made)
    text = "\n".join(drawn(seed).source for seed in range(300))
    for forms in (ways.LANES, ways.TURNS, ways.ALL, ways.COUNTS, ways.LOOPS, ways.EXITS):
        assert used.issuperset(forms), forms
    for word in ("break", "continue", "return", "elif ", "else:", "while True:", ", -1, -1):", "for k3", "y[i] += ", "z[i] = v\n"):
        assert word in text, word


@pytest.mark.parametrize("right, wrong", [("v = k1", "v = k1 + 1"), ("k1 % 2 == 0", "k1 % 2 == 1"), ("w += 2", "w += 3")])
def test_a_wrong_meaning_is_found(monkeypatch, right, wrong):
    """What Python is told is another way than what is compiled."""
    def meant(kernel, lengths, arguments):
        return by_meaning(dataclasses.replace(kernel, source=kernel.source.replace(right, wrong)), lengths, arguments)
    by_meaning = compare_stencils.by_meaning
    kernels = [(seed, kernel) for seed, kernel in ((seed, drawn(seed)) for seed in range(100)) if right in kernel.source]
    monkeypatch.setattr(compare_stencils, "by_meaning", meant)
    assert any(compare_stencils.compare_kernel(kernel, seed).verdict == "different" for seed, kernel in kernels[:12]), len(kernels)

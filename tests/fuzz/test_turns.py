"""A few random kernels that are all turns, on every run of the tests; `./dev fuzz --turns N` runs as many as wanted (run.py)."""

import dataclasses
import random
import zlib

import pytest

import compare_stencils
import run
import turns

KERNELS = 40
ON_MACHINES = {"emu:sm_90": 12, "emu:gfx942": 8}


def drawn(seed):
    chance = random.Random(seed)
    return run.drawn("turns", lambda options: chance.randrange(options))


def test_random_turns_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=4, kind="turns")
    assert not report, report
    assert verdicts["same"] >= 0.9 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_turns_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="turns", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.9 * count, refusals


def test_every_form_appears(monkeypatch):
    used, pick = set(), turns.Maker.pick
    monkeypatch.setattr(turns.Maker, "pick", lambda self, options: used.add(made if isinstance(made := pick(self, options), str) else "") or made)
    text = "\n".join(drawn(seed).source for seed in range(400))
    for forms in (turns.KNOWN, turns.UNKNOWN, turns.TESTS, turns.EXITS):
        assert used.issuperset(forms), forms
    for word in ("break", "continue", "else:", "for k3", "y[i] += ", "+= -1", "local_array(32", "while 0 <= "):
        assert word in text, word


@pytest.mark.parametrize("right, wrong", [("s * 5", "s * 3"), ("at += 1", "at += 2"), ("in range(8)", "in range(7)")])
def test_a_wrong_meaning_is_found(monkeypatch, right, wrong):
    """What Python is told is another way than what is compiled."""
    def meant(kernel, lengths, arguments):
        return by_meaning(dataclasses.replace(kernel, source=kernel.source.replace(right, wrong)), lengths, arguments)
    by_meaning = compare_stencils.by_meaning
    kernels = [(seed, kernel) for seed, kernel in ((seed, drawn(seed)) for seed in range(100)) if right in kernel.source]
    monkeypatch.setattr(compare_stencils, "by_meaning", meant)
    assert any(compare_stencils.compare_kernel(kernel, seed).verdict == "different" for seed, kernel in kernels[:12]), len(kernels)

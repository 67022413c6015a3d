"""A few random kernels whose threads have places of their own, on every run of the tests; `./dev fuzz --launches N` runs as many as wanted
(run.py)."""

import random
import zlib

import pytest

import compare
import compare_launches
import run

KERNELS = 60
ON_MACHINES = {"emu:sm_90": 12, "emu:gfx942": 5}


def drawn(seed):
    chance = random.Random(seed)
    return run.drawn("launches", lambda options: chance.randrange(options))


def test_random_launches_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=21, kind="launches")
    assert not report, report
    assert verdicts["same"] >= 0.95 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_launches_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="launches", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.8 * count, refusals


def test_every_cover_and_layout_appears(monkeypatch):
    layouts, laid = set(), compare_launches.laid
    monkeypatch.setattr(compare_launches, "laid", lambda values, layout: layouts.add(layout) or laid(values, layout))
    kernels = list(map(drawn, range(400)))
    memories = [compare_launches.arguments_of(kernel, seed, 0)[3] for seed, kernel in enumerate(kernels)]
    assert layouts == set(compare_launches.LAYOUTS)
    assert any(len(set(map(id, memory))) < len(memory) for memory in memories)  # one array for two parameters
    text = "\n".join(kernel.source for kernel in kernels)
    for word in ("device.grid_size(1)", "while turn <", "part * ", "reversed(range(", "// w", "% h", "device.tid(3)", "rows, columns", "device.atomic.", "ends[",
                 "local[", "[places[", "[2 * i", "-1 - ", "continue", "break", "return", "else:"):
        assert word in text, word
    assert {kernel.cover.axes for kernel in kernels} == {1, 2, 3}


def test_a_wrong_result_is_found(monkeypatch):
    """On the host another program runs: one that stores a number more."""
    def wrong(kernel, function, seed, k, way):
        other = compare.load(kernel.source.replace("] = ", "] = 1 + "))
        return right(kernel, other, seed, k, way)
    right = compare_launches.on_the_host
    monkeypatch.setattr(compare_launches, "on_the_host", wrong)
    verdicts = [compare_launches.compare_kernel(drawn(seed), seed).verdict for seed in range(20)]
    assert verdicts.count("different") >= 5, verdicts

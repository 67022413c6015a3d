"""A few random kernels that are all indices, on every run of the tests; `./dev fuzz --indices N` runs as many as wanted (run.py)."""

import random
import zlib

import pytest

import compare_indices
import meaning
import run

KERNELS = 20
ON_MACHINES = {"emu:sm_90": 8, "emu:gfx942": 4}


def drawn(seed):
    chance = random.Random(seed)
    return run.drawn("indices", lambda options: chance.randrange(options))


def test_random_indices_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=20, kind="indices")
    assert not report, report
    assert verdicts["same"] >= 0.85 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_indices_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="indices", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.7 * count, refusals


def test_threads_stay_inside_often_enough():
    kernels = [(seed, drawn(seed)) for seed in range(40)]
    stay = [int(compare_indices.by_meaning(kernel, compare_indices.arguments_of(kernel, seed))[-4].sum()) for seed, kernel in kernels]
    assert sum(count > 0 for count in stay) >= 15 and sum(stay) >= 80, stay


def test_every_kind_of_index_appears():
    text = "\n".join(kernel.source for kernel in map(drawn, range(300)))
    for word in ("-1 - ", " else len(", ", -1, -1)", "reversed(range(", "while ", " and ", "not ", "a11, a12 = ", "::-1]", ".T", "device.local_array", "] = ",
                 " // -2", " >> 1", "max(", "abs(", "device.float32(", "break", "continue", "device.uint8(", "for u",
                 "while True:", "min(max(", "-128", "% m.shape[0]"):
        assert word in text, word


def test_a_wrong_meaning_of_an_index_is_found(monkeypatch):
    monkeypatch.setattr(compare_indices.Memory, "_place", staticmethod(lambda index: tuple(map(abs, map(int, index))) if isinstance(index, tuple)
                                                                      else index if isinstance(index, slice) else max(int(index), 0)))
    assert any(compare_indices.compare_kernel(drawn(seed), seed).verdict == "different" for seed in range(60))


def test_lengths_have_64_bits():
    length = meaning.Number("extent", 3)
    assert (length * 2 ** 40).value == 3 * 2 ** 40 and (length + meaning.Number("int", 1)).kind == "extent"
    assert (length + meaning.Number("int8", 1)).kind == "int8"

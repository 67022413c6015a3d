"""Some two hundred random programs on every run of the tests; `./dev fuzz` runs as many as wanted (run.py)."""

import itertools
import random
import zlib

import pytest

import compare
import meaning
import programs
import run

PROGRAMS = 60  # compiling one for the host takes half a second
ON_MACHINES = {"emu:sm_90": 40, "emu:sm_75": 10, "emu:sm_100": 10, "emu:gfx942": 12, "emu:gfx1100": 12}


def drawn(seed):
    chance = random.Random(seed)
    return programs.Maker(lambda options: chance.randrange(options)).program()


@pytest.mark.parametrize("seed", (20, 21, 22))
def test_random_programs_agree(seed):
    verdicts, refusals, report = run.hunt(PROGRAMS, seed)
    assert not report, report
    assert verdicts["same"] >= 0.8 * PROGRAMS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_programs_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), where=where)
    assert not report, report
    assert verdicts["same"] >= 0.8 * count, refusals


@pytest.mark.parametrize("symbol, wrong", [
    ("//", lambda a, b: int(a / b) if b else 0), ("%", lambda a, b: abs(a) % abs(b) if b else 0), ("+", lambda a, b: a + b + 1),
    ("^", lambda a, b: a | b)])
def test_a_wrong_meaning_is_found(symbol, wrong, monkeypatch):
    monkeypatch.setitem(meaning.INTEGER_MEANING, symbol, wrong)
    found = [(seed, drawn(seed)) for seed in range(300)]
    found.sort(key=lambda drawn: drawn[1].source.count(symbol) / len(drawn[1].source), reverse=True)  # most of it first
    assert any(compare.compare(program, seed).verdict == "different" for seed, program in found if symbol in program.source)


def test_programs_are_the_same_for_the_same_seed():
    assert drawn(7) == drawn(7) and drawn(7) != drawn(8)


def test_every_kind_of_statement_appears():
    text = "\n".join(program.source for program in map(drawn, range(300)))
    for word in ("for ", "while ", "else:", "elif ", "match ", "case ", "break", "continue", "lambda ", "def f", ":=", "*t", "**",
                 "//", ">>", "w[i, ", "min(", "round(", "np.sqrt(", " if ", " and ", "not ", "bfloat16", "uint64", "+= ", ".x = ", "x3(", ")[-1 - (",
                 "@device.struct", ".replace(", ".method(", "inner=", ".f0 = ", "[::-1]", ".reshape(", ".view(device.", "[...] ", "complex128(",
                 ".conjugate()", "raise ", "assert ", "if NEVER", "% 400 - 100, 60)", "& 7, -60)"):
        assert word in text, word


def test_literals_become_numbers_of_run_time():
    meant = "\n".join(program.meaning for program in map(drawn, range(300)))
    for text in ("(weak(", "= weak(", " if c else weak(", "in zip((weak(", "h0(weak("):
        assert text in meant, text


def test_some_programs_assign_views_of_other_shapes():
    """Which is found, and only in them: their meaning says so."""
    checked = [(seed, program) for seed, program in ((seed, drawn(seed)) for seed in range(2000)) if program.checked]
    assert len(checked) >= 10
    with compare.np.errstate(all="ignore"):
        raised = [compare.by_meaning(program, compare.arguments_of(program, seed)).raised for seed, program in checked]
    assert sum(compare.device.BoundsError in errors for errors in raised) >= 3


def test_meaning_of_small_floats():
    """The nearest bfloat16 of every kind of double, against the definition by bits."""
    import ml_dtypes
    import numpy as np
    for mantissa, exponent in itertools.product((0.5, 0.501953125, 0.50390625, 0.6, 0.998046875, 0.99609375), range(-140, 130)):
        x = float(np.float32(mantissa * 2.0 ** exponent))
        assert meaning.to_bfloat16(x) == float(np.float32(x).astype(ml_dtypes.bfloat16)), x

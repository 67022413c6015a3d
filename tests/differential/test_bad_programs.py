"""Wrong programs (bad_programs.txt) get the right message with the caret in the right place, and the process goes on."""

import pytest

from hetjit import _core

import bad_programs

PROGRAMS = list(bad_programs.read())


def rows(program):
    return [pytest.mark.row(line.removeprefix("# ROW: ")) for line in program.body if line.startswith("# ROW: ")]


def label(program):
    return " ".join("; ".join(line.strip() for line in program.body if not line.startswith("#")).split())[:60]


@pytest.mark.parametrize("program", [pytest.param(program, marks=rows(program)) for program in PROGRAMS], ids=label)
def test_message(program):
    assert bad_programs.say(program) == (program.code, program.underlined)


def test_there_are_enough_and_the_process_goes_on():
    assert len(PROGRAMS) >= 150
    assert len({program.code for program in PROGRAMS}) >= 40
    for program in PROGRAMS:
        bad_programs.say(program)
    assert _core.call(_core.capture(bad_programs.helper), (1, 2)) == 3

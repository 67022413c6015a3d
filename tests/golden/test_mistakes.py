"""Each natural mistake (mistakes.txt) has one answer, with its place and a remedy. The texts are of one Python; others must agree in kind
and heading."""

import re
import sys

import pytest

import golden
import mistakes

ALL = list(mistakes.read())
EXACT = f"{sys.version_info.major}.{sys.version_info.minor}" == golden.TEXT_VERSION


def heading(text):
    return text.partition("\n")[0]


@pytest.fixture(scope="module")
def answers():
    return {title: mistakes.answer(program) for title, program, _ in ALL}


def test_there_are_enough():
    assert len(ALL) >= 200 and len({title for title, _, _ in ALL}) == len(ALL)


@pytest.mark.parametrize("title, program, wanted", ALL, ids=[title for title, _, _ in ALL])
def test_answer(title, program, wanted, answers):
    said = answers[title]
    assert (said == wanted) if EXACT or golden.UPDATE else (heading(said) == heading(wanted))


@pytest.mark.parametrize("title, program, wanted", ALL, ids=[title for title, _, _ in ALL])
def test_one_mistake_one_message(title, program, wanted):
    """A compile error names one thing, says where and what to do."""
    if "error[E" in wanted:
        assert len(re.findall(r"^(?:\w+: )?error\[E", wanted, re.M)) == 1, wanted
        assert "--> mistake.py:" in wanted and "= help: " in wanted


# What a program with the change that its message offers still does wrong.
NEXT = {}


@pytest.mark.parametrize("title, program, wanted", [one for one in ALL if re.search(r"^\d+ +\+ ", one[2], re.M)],
                         ids=[title for title, _, wanted in ALL if re.search(r"^\d+ +\+ ", wanted, re.M)])
def test_edits(title, program, wanted):
    """The change that a message offers is made, and the program runs, or goes on to its next mistake."""
    warned, raised = mistakes.run(program)
    said = raised or warned[-1]
    changed = golden.edited(program, said.edits)
    assert changed != program
    warned, raised = mistakes.run(changed)
    assert getattr(raised, "code", type(raised).__name__) == NEXT.get(title, "NoneType"), f"{raised}"


def test_update(answers):
    """Under HETJIT_UPDATE=1 the file is written anew; else there is nothing to write."""
    if golden.UPDATE:
        mistakes.write([(title, program, answers[title]) for title, program, _ in ALL])
    assert all(program.strip() for _, program, _ in ALL)

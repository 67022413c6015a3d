"""hetjit.puzzles: its checker says what is wrong. That each puzzle's solution is right, and its wrong attempt is not, is said by its page."""

import pathlib
import re

import pytest

from hetjit import device, puzzles
from hetjit.puzzles.tasks import PUZZLES

PAGES = sorted((pathlib.Path(__file__).resolve().parents[2] / "docs" / "puzzles").glob("[0-9]*.md"))


def test_each_puzzle_has_a_page_with_an_attempt_and_a_solution():
    for number, page in enumerate(PAGES, 1):
        text = page.read_text()
        assert page.name.startswith(f"{number:02}_")
        assert re.findall(r"puzzles\.check\((\d+),", text) == [str(number)] * 2
        assert f"puzzle {number}: solved" in text and re.search(rf"puzzle {number}: (not yet|right, but)", text)
    assert len(PAGES) == len(PUZZLES) == 14


@pytest.mark.parametrize("number", PUZZLES)
def test_a_kernel_that_does_nothing_solves_nothing(number, capsys):
    @device.kernel
    def of_two(a, out): ...

    @device.kernel
    def of_three(a, b, out): ...
    case = next(PUZZLES[number].cases())
    assert not puzzles.check(number, of_two if len(case.arguments) == 2 else of_three)
    assert "out[0" in capsys.readouterr().out


def test_what_it_says(capsys):
    def plain(a, out):
        out[device.thread_idx.x] = a[device.thread_idx.x] + 10
    assert puzzles.check(1, plain)

    @device.kernel
    def wrong_type(a, out):
        out[device.thread_idx.x] = a
    assert not puzzles.check(1, wrong_type)
    assert "CompileError" in capsys.readouterr().out

    @device.kernel
    def too_few(a):
        a[0] = 1
    assert not puzzles.check(1, too_few)
    assert "TypeError" in capsys.readouterr().out

    @device.kernel
    def changes_what_it_reads(a, out):
        i = device.thread_idx.x
        out[i] = a[i] + 10
        a[i] = 0
    assert not puzzles.check(1, changes_what_it_reads)
    assert "a[0] is 0.0" in capsys.readouterr().out

    @device.kernel
    def by_shared_memory(a, out):
        s = device.shared_array(32, device.float32)
        t = device.thread_idx.x
        s[t] = a[device.tid(1)]
        device.syncthreads()
        if t == 0:
            total = 0.0
            for k in range(32):
                total += s[k]
            out[device.block_idx.x] = total
    assert not puzzles.check(12, by_shared_memory)
    assert "without device.shared_array" in capsys.readouterr().out


def test_without_numpy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install numpy"):
        puzzles.check(1, lambda a, out: None)


def test_there_are_fourteen():
    for number in (0, 15, "3"):
        with pytest.raises(ValueError, match="numbered 1 to 14"):
            puzzles.check(number, lambda: None)

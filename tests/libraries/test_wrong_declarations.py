"""Each mistake in a declaration is told at its place: wrong_declarations.txt."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import answers
from hetjit import interop

PAGE = pathlib.Path(__file__).with_name("wrong_declarations.txt")


def refused(marked):
    """What is said of declarations, and whether their mark is what it is said of."""
    text = re.sub("[«»]", "", marked)
    with pytest.raises(interop.BindError) as caught:
        interop.bind(text)
    error, begin = caught.value, marked.index("«")
    place = marked.count("\n", 0, begin) + 1, begin - (marked.rfind("\n", 0, begin) + 1)
    carets = str(error).split("\n")[2].count("^")
    return str(error), (error.span[1:3], carets) == (place, max(1, marked.index("»") - begin - 1))


@pytest.mark.row("SHROUD-DIM-4")
@pytest.mark.row("SHROUD-DIM-5")
def test_wrong_declarations_are_told_where_they_are():
    found = {title: refused(marked) for title, marked, _ in answers.read(PAGE)}
    assert len(found) >= 60
    answers.check(PAGE, {title: text for title, (text, _) in found.items()})
    assert not [title for title, (_, is_there) in found.items() if not is_there]


def test_the_whole_message():
    with pytest.raises(interop.BindError) as caught:
        interop.bind("int sum(const int* values +rank(1));\nvoid fill(int* values +intent(out)+rank(1));\n")
    assert str(caught.value) == (
        "<declarations>:2:16: error B121: 'values' comes back, and nothing says how much memory it needs: add dimension(…)\n"
        "    2 | void fill(int* values +intent(out)+rank(1));\n"
        "      |                ^^^^^^")


def test_no_declaration_ends_the_process(tmp_path):
    """Some hundreds of random ones; `./dev test --all`: 10,000."""
    count = 10_000 if os.environ.get("HETJIT_MACHINES") == "all" else 300
    done = subprocess.run([sys.executable, str(PAGE.with_name("fuzz_declarations.py")), "--count", str(count), "--seed", "18"], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-4000:]}{done.stderr[-2000:]}"
    assert re.search(r"declaration accepted: \d\d", done.stdout), done.stdout

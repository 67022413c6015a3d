"""The documents say what is there: dumps are the compiler's own, and what they name exists."""

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import dumps

DOCUMENTS = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])


def name(path):
    return path.name


@pytest.mark.parametrize("path", dumps.documents(), ids=name)
def test_dumps_are_current(path):
    failures = []
    text = path.read_text()
    now = dumps.rewritten(text, failures)
    assert not failures
    assert now == text, "./dev update, and read the diff"


def test_there_are_dumps():
    assert "architecture.md" in map(name, dumps.documents())
    assert all("```\n```" not in path.read_text() for path in dumps.documents()), "an empty dump"


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([\w./-]+\.\w+)(?:#[^)]*)?\)", path.read_text()):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_files_that_are_named_exist(path):
    for word in re.findall(r"`((?:abi|frontend|compiler|runtime|python|tests|docs|demo|benchmarks|cmake)/[\w./]+)`",
                           path.read_text()):
        assert (ROOT / word).exists() or list(ROOT.glob(word + ".*")), word


def test_the_index_promises_what_there_is():
    index = (ROOT / "docs" / "README.md").read_text()
    for path in (ROOT / "docs").glob("*.md"):
        assert path.name == "README.md" or f"({path.name})" in index, f"docs/README.md does not list {path.name}"


def test_switches_are_documented():
    """Every environment variable of ours that the library reads is in the guide and in docs/debugging.md, and the other way round."""
    read = set()
    for folder in ("abi", "frontend", "compiler", "runtime", "python"):
        for path in [*(ROOT / folder).rglob("*.cpp"), *(ROOT / folder).rglob("*.h"), *(ROOT / folder).rglob("*.py")]:
            read |= set(re.findall(r'"(HETJIT_[A-Z_]+)"', path.read_text()))
    for page in ("guides/environment.md", "debugging.md"):
        switches = (ROOT / "docs" / page).read_text().partition("For `./dev`")[0]
        assert read == set(re.findall(r"`(HETJIT_[A-Z_]+)`", switches)), page


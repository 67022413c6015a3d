"""The reference: no public name is missing, each has a text and an example, and the pages are what the docstrings say (docs/reference.py)."""

import inspect
import pathlib
import re
import sys

import pytest

from hetjit import device

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import reference


def test_no_public_name_is_missing():
    shown = reference.shown_names()
    assert set(shown) == reference.public_names()
    assert len(shown) == len(set(shown)), "a name in two places"


def test_families_are_what_they_say():
    assert reference.number_formats()[:2] == ["bool_", "int8"] and "complex128" in reference.number_formats()
    assert len(reference.vector_types()) == 64 and "sm90" in reference.architectures() and "gfx942" in reference.architectures()


@pytest.mark.parametrize("name", sorted(name for _, names in reference.GROUPS.values() for name in names.split()))
def test_each_has_a_text_and_an_example(name):
    examples = reference.examples()
    if name in reference.FAMILIES:
        assert name in examples or name == "architectures"
        return
    assert examples[f"device.{name}"].strip()
    thing = reference.found(name)
    assert len(reference.OF_VALUES.get(name, "") or reference.plain(thing.__doc__)) > 3
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        for member, _, text in reference.members(thing):
            assert text, f"{name}.{member} has no docstring"


def test_examples_are_of_names_that_there_are():
    known = {f"device.{name}" for name in reference.public_names()} | set(reference.FAMILIES) | {"puzzles.check"}
    assert set(reference.examples()) <= known


@pytest.mark.parametrize("name, text", reference.documents().items(), ids=lambda value: value if value.isidentifier() else "")
def test_pages_are_current(name, text):
    page = (reference.FOLDER / f"{name}.md").read_text()
    assert reference.without_output(page).rstrip() == text.rstrip(), "./dev update, and read the diff"


def test_no_row_of_the_specification_is_left():
    assert reference.plain("As it says. HETX-BS-1") == "As it says."
    assert reference.plain("Made. HET-STR-1, HET-STR-2, HET-STR-8 to 12") == "Made."
    for text in reference.documents().values():
        assert not re.search(r"\b(HETX?-[A-Z]+|AMB)-\d", text)


def test_every_page_is_listed():
    listed = set(re.findall(r"\]\((\w+)\.md\)", reference.index()))
    assert listed == set(reference.documents()) - {"index"} == {page.stem for page in reference.FOLDER.glob("*.md")} - {"index"}

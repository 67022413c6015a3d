"""Every page of the documents, run as its reader would: each block, in order, and what it prints is what the page shows (docs/pages.py)."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import pages


def name(path):
    return str(path.relative_to(ROOT).with_suffix("")).removeprefix("docs/")


def with_blocks(wanted):
    return [path for path in pages.PAGES if any(map(wanted, pages.blocks(path.read_text())))]


@pytest.mark.parametrize("path", with_blocks(lambda block: block.runs), ids=name)
def test_page(path, tmp_path):
    (pages.update if os.environ.get("HETJIT_UPDATE") == "1" else pages.check)(path, tmp_path)


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "cookbook").glob("*.md")), ids=name)
def test_recipe_watched(path, tmp_path, monkeypatch):
    """What people copy has no race, reads nothing that nobody wrote and stays within bounds, so the same is printed."""
    monkeypatch.setenv("HETJIT_CHECK", "all")
    pages.check(path, tmp_path)


ANY_ORDER = "its threads come in any order, and so do the results"
BY_WARPS = "one result for each warp, of 32 lanes or of 64"
DIFFERS = {"compaction": ANY_ORDER, "hash_table": ANY_ORDER, "sum_by_key": ANY_ORDER, "argmax": BY_WARPS, "mean_and_variance": BY_WARPS}


@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942"])
@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "cookbook").glob("*.md")), ids=name)
def test_recipe_on_a_machine(path, where, tmp_path):
    """A GPU's code of a recipe leaves what the CPU's did: arrays that live elsewhere are all that has to change."""
    if path.stem in DIFFERS:
        pytest.skip(f"{path.stem}: {DIFFERS[path.stem]}")
    import repeated  # which needs NumPy
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeated, "MOST", 2)
        noted = repeated.Noted(patch)
        pages.check(path, tmp_path)
        outcome, reason = noted.repeat(where)
    assert outcome in (None, "run"), reason


@pytest.mark.parametrize("path, reason", [(path, reason) for path in pages.PAGES for reason in pages.left_out(path.read_text())],
                         ids=lambda value: name(value) if isinstance(value, pathlib.Path) else "block")
def test_left_out(path, reason):
    pytest.skip(f"{name(path)}: {reason}")


# ---- the runner itself

def one(text, folder):
    return [(printed, type(error)) for _, printed, error in pages.run(text, folder)]


def test_what_is_shown_is_what_is_printed(tmp_path):
    shown = "```python\nx = 2\nprint(x)\n```\n\n```output\n2\n```\n"
    assert one(shown, tmp_path) == []
    assert one(shown.replace("output\n2", "output\n3"), tmp_path) == [("2\n", type(None))]
    assert one(shown.replace("output\n2", "output\n"), tmp_path) == [("2\n", type(None))]
    assert one("```python\nprint(1)\n```\n", tmp_path) == [("1\n", type(None))]


def test_exceptions_are_shown_or_are_failures(tmp_path):
    raising = "```python\nassert 1 == 2, 'no'\n```\n"
    assert one(raising, tmp_path) == [("AssertionError: no\n", AssertionError)]
    assert one(raising + "\n```output\nAssertionError: no\n```\n", tmp_path) == []


def test_what_varies(tmp_path):
    block = "```python\nprint('took 17 ms\\nfor 3\\nlines')\n```\n\n```output\n%s\n```\n"
    assert one(block % "took … ms\nfor 3\nlines", tmp_path) == []
    assert one(block % "took …\n…\nlines", tmp_path) == []
    assert one(block % "…", tmp_path) == []
    assert one(block % "took …\nlines", tmp_path) != []


def test_files_and_commands(tmp_path):
    page = '```python title="x.py"\nprint("from a file")\n```\n\n```sh\npython x.py\n```\n\n```output\nfrom a file\n```\n'
    assert one(page, tmp_path) == []
    assert one("```sh\nfalse\n```\n", tmp_path) == [("", subprocess.CalledProcessError)]


def test_blocks_that_are_not_run_say_why(tmp_path):
    page = "<!-- not run: needs a GPU -->\n```python\n1 / 0\n```\n"
    assert one(page, tmp_path) == [] and pages.left_out(page) == ["needs a GPU"]
    page = "<!-- needs: no_such_module -->\n```python\n1 / 0\n```\n"
    assert one(page, tmp_path) == [] and pages.left_out(page) == ["no_such_module is not installed for this Python"]
    assert pages.left_out(page.replace("no_such_module", "json")) == []


def test_pages_are_updated(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("a\n```python\nprint(1)\n```\nb\n```python\nprint(2)\n```\n\n```output\n3\n```\nc\n")
    pages.update(path, tmp_path)
    assert path.read_text() == "a\n```python\nprint(1)\n```\n\n```output\n1\n```\nb\n```python\nprint(2)\n```\n\n```output\n2\n```\nc\n"
    pages.check(path, tmp_path)

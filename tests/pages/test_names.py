"""What the pages name exists: names of hetjit.device, codes of diagnostics, switches, phases."""

import pathlib
import re

import pytest

from hetjit import _core, device

MEANT = {"syncthreds"}  # a mistake that a page tells of
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [page for folder in ("start", "tutorial", "puzzles", "cookbook", "guides", "language", "reference")
         for page in sorted((ROOT / "docs" / folder).glob("*.md"))]


def outside_of_mistakes(text):
    """A page without what it shows as printed."""
    return re.sub(r"^```output\n.*?^```$", "", text, flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_is_named_exists(page):
    text = outside_of_mistakes(page.read_text())
    for name in set(re.findall(r"\bdevice\.([A-Za-z_]\w*)", text)) - MEANT:
        assert hasattr(device, name), f"device.{name}"
    for name in re.findall(r"\bdevice\.(?:atomic|random)\.([a-z]\w*)", text):
        assert name in device.atomic.__all__ or name in device.random.__all__, name
    for code in re.findall(r"\b[EW]0\d{3}\b", text):
        assert code in _core.diagnostic_codes(), code
    for switch in re.findall(r"\bHETJIT_[A-Z_]+\b", text):
        assert switch in (ROOT / "docs/debugging.md").read_text(), switch

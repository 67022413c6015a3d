"""What is published with the package: one version everywhere, licences that are there, a page without links that lead nowhere from an index."""

import pathlib
import re
import tomllib

import hetjit

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version():
    assert PROJECT["version"] == hetjit.__version__
    assert f"version: {hetjit.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(), re.M)[1] == hetjit.__version__


def test_licences_of_what_is_inside():
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    inside = (ROOT / "THIRD_PARTY_LICENSES.txt").read_text()
    assert all(f"==== {name}" in inside for name in ("LLVM and lld", "DLPack", "zlib", "Zstandard", "libstdc++"))


def test_the_page_of_the_index():
    page = (ROOT / PROJECT["readme"]).read_text()
    assert not [target for target in re.findall(r"\]\(([^)]+)\)", page) if not target.startswith("https://")]


def test_links_of_the_pages_beside_the_readme():
    for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY"):
        for target in re.findall(r"\]\(([^)#]+)", (ROOT / f"{name}.md").read_text()):
            assert target.startswith("https://") or (ROOT / target).exists(), f"{name}.md: {target}"

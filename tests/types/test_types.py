"""The type stubs, as mypy and pyright see them: what they accept, what they find, and that they are all there is."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "python"
sys.path.insert(0, str(ROOT / "docs"))

import pages

DOCUMENTS = ("start", "tutorial", "cookbook", "puzzles", "guides", "language", "reference")
# Pages and the demo leave hints out, and may give a name a new value: their blocks are a notebook's cells.
AS_IN_NOTEBOOKS = {"mypy": ["--allow-untyped-defs", "--allow-incomplete-defs", "--allow-untyped-calls", "--disable-error-code=no-redef", "--allow-redefinition"],
                   "pyright": ["reportRedeclaration"]}
STUBBED = ("hetjit._core", "hetjit.arrays", "hetjit.device", "hetjit.devices", "hetjit.driver", "hetjit.errors", "hetjit.lenders",
           "hetjit.streams", "hetjit.types")


def needs(module):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed (PyPI has it)")


def run(*command, folder):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, "-m", *command], cwd=folder, text=True, capture_output=True, env=environment)


def mypy(folder, *options):
    """(file, line, what) of everything that mypy --strict finds in the files of a folder, the stubs included."""
    needs("mypy")
    done = run("mypy", "--strict", "--explicit-package-bases", "--no-color-output", *options, ".", folder=folder)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [(pathlib.Path(file).name, int(line), text)
            for file, line, text in re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.M)]


def pyright(folder, *options):
    needs("pyright")
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(PACKAGE)], **dict.fromkeys(options, False)}))
    done = run("pyright", "--outputjson", "--pythonpath", sys.executable, ".", folder=folder)
    if not done.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return [(pathlib.Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
            for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]


both = pytest.mark.parametrize("checker", [mypy, pyright], ids=lambda checker: checker.__name__)


@pytest.fixture(scope="module", params=[mypy, pyright], ids=lambda checker: checker.__name__)
def found(request, tmp_path_factory):
    """What a checker finds in all files that it is asked about, at once: it reads NumPy's stubs only once."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    for file in (ROOT / "demo/kernels.py", HERE / "accepted.py", HERE / "mistakes.py"):
        (folder / file.name).write_text(file.read_text())
    put_page(folder, ROOT / "README.md")
    return request.param(folder)


def put_page(folder, page):
    """The blocks of a page as one program, but for those that this machine cannot run. Gives the lines, as (file, number), of those whose
    mistakes are the point."""
    lines, meant, file = [], set(), f"{page.parent.name}_{page.stem}.py"
    for block in pages.blocks(page.read_text()):
        if block.language == "python" and block.runs:
            begin = len(lines)
            lines += block.text.splitlines()
            if block.expected and re.search(r"^[\w.]+Error: ", block.expected.text, re.M):
                meant |= {(file, number + 1) for number in range(begin, len(lines))}
    if lines:
        (folder / file).write_text("\n".join(lines) + "\n")
    return meant


@both
def test_the_demo_is_accepted(checker, tmp_path):
    for file in (ROOT / "demo").glob("*.py"):
        (tmp_path / file.name).write_text(file.read_text())
    assert not [found for found in checker(tmp_path, *AS_IN_NOTEBOOKS[checker.__name__]) if (ROOT / "demo" / found[0]).exists()]


@both
def test_documents_are_accepted(checker, tmp_path):
    meant = set()
    for page in sorted(page for name in DOCUMENTS for page in (ROOT / "docs" / name).glob("*.md")):
        meant |= put_page(tmp_path, page)
    assert len(list(tmp_path.iterdir())) > 50
    assert not [found for found in checker(tmp_path, *AS_IN_NOTEBOOKS[checker.__name__]) if found[:2] not in meant]


def test_programs_are_accepted(found):
    """The README's, the demo's kernels, and accepted.py; nor is anything wrong with the stubs themselves."""
    assert not [finding for finding in found if finding[0] != "mistakes.py"]


def test_mistakes_are_found(found):
    wrong = {number for number, line in enumerate((HERE / "mistakes.py").read_text().splitlines(), 1) if line.endswith("# WRONG")}
    assert len(wrong) >= 30
    assert {line for file, line, _ in found if file == "mistakes.py"} == wrong


def test_what_is_accepted_runs():
    pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    done = subprocess.run([sys.executable, HERE / "accepted.py"], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_stubs_are_complete(tmp_path):
    """Every public name, its kind and its parameters, as they are at run time."""
    needs("mypy")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nignore_missing_imports = True\n")  # modules that only newer Pythons have
    done = run("mypy.stubtest", "--concise", "--ignore-disjoint-bases", "--mypy-config-file", str(config), "--allowlist",
               str(HERE / "differences.txt"), *STUBBED, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "hetjit/py.typed").is_file()
    assert all((PACKAGE / name.replace(".", "/")).with_suffix(".pyi").is_file() or (PACKAGE / name.replace(".", "/") / "__init__.pyi").is_file()
               for name in STUBBED)

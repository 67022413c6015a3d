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
STUBBED = ("hetjit._core", "hetjit.arrays", "hetjit.device", "hetjit.devices", "hetjit.errors", "hetjit.lenders")


def needs(module):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed (PyPI has it)")


def run(*command, folder):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, "-m", *command], cwd=folder, text=True, capture_output=True, env=environment)


def mypy(folder):
    """(file, line, what) of everything that mypy --strict finds in the files of a folder, the stubs included."""
    needs("mypy")
    done = run("mypy", "--strict", "--explicit-package-bases", "--no-color-output", ".", folder=folder)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [(pathlib.Path(file).name, int(line), text)
            for file, line, text in re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.M)]


def pyright(folder):
    needs("pyright")
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(PACKAGE)]}))
    done = run("pyright", "--outputjson", "--pythonpath", sys.executable, ".", folder=folder)
    if not done.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return [(pathlib.Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
            for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]


def python_of(document):
    """The programs in a document, one after another."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", document.read_text(), re.M | re.S))


@pytest.fixture(scope="module", params=[mypy, pyright], ids=lambda checker: checker.__name__)
def found(request, tmp_path_factory):
    """What a checker finds in all files that it is asked about, at once: it reads NumPy's stubs only once."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    for file in (ROOT / "demo/kernels.py", HERE / "accepted.py", HERE / "mistakes.py"):
        (folder / file.name).write_text(file.read_text())
    (folder / "readme.py").write_text(python_of(ROOT / "README.md"))
    return request.param(folder)


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

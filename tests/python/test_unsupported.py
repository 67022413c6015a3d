"""Where the package cannot run: one sentence, with what to do."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import hetjit
from hetjit.unsupported import why

PACKAGE = pathlib.Path(hetjit.__file__).parent


def imported(python, folder):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([python, "-c", "import hetjit"], env=environment, text=True, capture_output=True, timeout=300)
    return done.stderr.strip().splitlines()[-1]


def test_without_the_compiled_part(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "hetjit", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    said = imported(sys.executable, tmp_path)
    assert said.startswith("ImportError: hetjit is here without its compiled part") and "./dev build" in said


@pytest.mark.parametrize("name", ["python3.10", "python3.9", "pypy3"])
def test_another_python(name):
    beside = pathlib.Path.home().glob(f".pyenv/versions/{name.removeprefix('python')}*/bin/{name}")
    found = next(map(str, beside), None) or shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not on this machine")
    assert imported(found, PACKAGE.parent).startswith("ImportError: hetjit needs CPython 3.11 or newer, whose bytecode it reads, and this is ")


@pytest.mark.parametrize("said, words", [
    ("/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by _core.abi3.so)", "needs glibc 2.34 or newer"),
    ("Error loading shared library ld-linux-x86-64.so.2: No such file or directory", "has musl: use an image of Debian"),
    ("No module named 'hetjit._core'", "pip install --force-reinstall hetjit"),
    ("something else", "cannot be loaded: something else")])
def test_systems(said, words):
    assert words in why(ImportError(said))

"""Extensions that tests are made of: C++ files beside them, compiled for the Python that runs."""

import importlib.util
import pathlib
import shutil
import subprocess
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compiler():
    """The command that compiles C++ of extensions. Skips where there is none."""
    found = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    python = sysconfig.get_paths()["include"]
    if found is None or not (pathlib.Path(python) / "Python.h").exists():
        pytest.skip("no C++ compiler, or no headers of Python, are here")
    return [found, "-std=c++20", "-I", str(ROOT), "-isystem", python]


def build(folder, name, *sources):
    """A file of a folder: the extension `name` from `name`.cpp and sources of the project."""
    made = folder / f"{name}.so"
    own = pathlib.Path(__file__).with_name(f"{name}.cpp")
    subprocess.run([*compiler(), "-shared", "-fPIC", "-o", made, own, *(ROOT / source for source in sources)], check=True)
    return made


def load(path, name=None):
    """A new module from an extension's file."""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LEDGER = tuple(f"python/ext/handles/{name}.cpp" for name in ("ledger", "ledger_functions", "trace"))  # what handle.h needs

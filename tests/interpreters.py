"""Finds the CPythons of this machine and gives each what the tests need."""

import collections
import glob
import os
import pathlib
import subprocess
import sys

Interpreter = collections.namedtuple("Interpreter", "path version")
FIRST, LAST = (3, 11), (3, 15)
NEEDED = ["numpy", "pytest", "pytest-xdist", "hypothesis", "ml_dtypes", "pyyaml"]


def candidates():
    yield sys.executable
    yield from filter(None, os.environ.get("HETJIT_PYTHONS", "").split(":"))
    for minor in range(FIRST[1], LAST[1] + 1):
        for folder in os.environ.get("PATH", "").split(":"):
            yield f"{folder}/python3.{minor}"
    yield from sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))


def version_of(path):
    """(major, minor), or None when it does not run or is not a CPython that we support."""
    code = "import sys; print(sys.implementation.name, *sys.version_info[:2])"
    try:
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    if done.returncode or len(words) != 3 or words[0] != "cpython":
        return None
    version = (int(words[1]), int(words[2]))
    return version if FIRST <= version <= LAST else None


def find():
    """One interpreter per version, the first found."""
    found = {}
    for path in candidates():
        if os.access(path, os.X_OK):
            version = version_of(path)
            if version and version not in found:
                found[version] = Interpreter(path, version)
    return [found[version] for version in sorted(found)]


def prepare(interpreter, root):
    """A virtual environment for the interpreter with what the tests need: (python, environment variables), or the
    reason why there is none."""
    if subprocess.run([interpreter.path, "-c", "import pytest, numpy"], capture_output=True).returncode == 0:
        return interpreter.path, dict(os.environ)  # it has what it needs
    folder = pathlib.Path(root) / "build" / ("venv-%d.%d" % interpreter.version)
    python = folder / "bin" / "python"
    stamp = folder / ".ready"
    if not stamp.exists():
        for command in ([interpreter.path, "-m", "venv", "--clear", str(folder)],
                        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "pytest"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                return f"no virtual environment with pytest for {interpreter.path}: {last_line(done.stderr)}"
        for package in NEEDED:  # NumPy may have no wheel for a new Python; its tests then skip themselves
            subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check",
                            "--only-binary=:all:", package], capture_output=True)
        stamp.touch()
    return str(python), dict(os.environ)


def last_line(text):
    lines = [line for line in text.strip().split("\n") if line.strip()]
    return lines[-1] if lines else "no message"

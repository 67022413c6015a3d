"""Tests of libraries in C and C++ that Python calls. Each library is compiled in its test, by g++ and by clang++."""

import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

COMPILERS = {"g++": "g++", "clang++": "clang++-22"}


def _why_not():
    if not shutil.which("clang++-22"):
        return "clang++-22 is not installed"
    from hetjit import toolchain
    from hetjit.interop import libclang
    try:
        libclang._loaded()
    except toolchain.Missing as missing:
        return str(missing)
    return None


def pytest_collection_modifyitems(items):
    mine = [item for item in items if "libraries" in item.path.parts]
    why = _why_not() if mine else None
    for item in mine if why else ():
        item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(autouse=True, scope="module")
def clang_once(compiled_once):
    yield


@pytest.fixture(scope="session", params=COMPILERS)
def compiled(request, tmp_path_factory):
    """Compiles C++, or C: a function from a text to the path of a shared library."""
    compiler = shutil.which(COMPILERS[request.param])
    if compiler is None:
        pytest.skip(f"{COMPILERS[request.param]} is not installed")
    made = {}

    def compile(text, language="c++", options=()):
        key = text, language, tuple(options)
        if key not in made:
            folder = tmp_path_factory.mktemp("library")
            source = folder / ("library.cpp" if language == "c++" else "library.c")
            source.write_text(text)
            command = [compiler, "-x", language, "-O1", "-fPIC", "-shared", *options, str(source), "-o", str(folder / "library.so")]
            subprocess.run(command, check=True)
            made[key] = folder / "library.so"
        return made[key]
    return compile

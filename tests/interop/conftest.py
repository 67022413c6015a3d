"""Tests of Python and C++ that call each other. They need clang 22; what GPUs run is run by the machines in their place."""

import os
import shutil
import sys
import pathlib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

PLACES = ("cpu", "emu:sm_90", "emu:gfx942")


def pytest_collection_modifyitems(items):
    if shutil.which("clang++-22") or os.environ.get("HETJIT_TESTS_WITHOUT_CLANG"):  # test_without_clang.py
        return
    for item in items:
        if "interop" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason="clang++-22 is not installed"))


@pytest.fixture(autouse=True, scope="module")
def clang_once(compiled_once):
    yield


@pytest.fixture(params=PLACES)
def where(request):
    """Each target, as the name of a device."""
    return request.param

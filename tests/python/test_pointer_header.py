"""<hetjit/pointer.hpp>: the adapters of hetjit.types in an extension of C++ (pointers.cpp), also of one that was built with another header."""

import ctypes
import gc
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

from adapted import ADAPTERS, is_held
from hetjit import types
from hetjit.types import Pointer

MEMBER = "  int (*look)(void* context, PyObject* adapter, struct hetjit_memory* to);\n"


def built(folder, header=None, *options):
    """The extension, compiled with the header as it is or with another text of it."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    python = sysconfig.get_paths()["include"]
    if compiler is None or not (pathlib.Path(python) / "Python.h").exists():
        pytest.skip("no C++ compiler, or no headers of Python, are here")
    include = types.include()
    if header is not None:
        include = folder / "include"
        (include / "hetjit").mkdir(parents=True)
        (include / "hetjit" / "pointer.hpp").write_text(header)
    made = folder / "pointers.so"
    source = pathlib.Path(__file__).with_name("pointers.cpp")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Werror", "-shared", "-fPIC", "-I", str(include), "-I", python, *options, "-o", made, source],
                   check=True)
    spec = importlib.util.spec_from_file_location("pointers", made)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def header():
    return (pathlib.Path(types.include()) / "hetjit" / "pointer.hpp").read_text()


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    return built(tmp_path_factory.mktemp("pointers"))


@pytest.mark.row("HIPPY-PROP-3")
def test_adapters_are_made_in_cxx(extension):
    for adapter in ADAPTERS:
        if not issubclass(adapter, (types.Record, types.FunctionPointer)):
            made = extension.make(adapter.__name__, 0x1230)
            assert type(made) is adapter and int(made) == 0x1230 and type(adapter(0x1230)) is adapter
    assert int(extension.make("Pointer", None)) == 0
    assert int(extension.at_address(2**64 - 1)) == 2**64 - 1
    assert extension.sum([1, -2, 30], 3) == 29
    for wrong, error in ((("Pointer", "s"), TypeError), (("ListOfInt", [1, 2.5]), TypeError), (("Nothing", 1), AttributeError),
                         (("adapter_of", None), TypeError), (("Pointer", -1), OverflowError)):
        with pytest.raises(error):
            extension.make(*wrong)


@pytest.mark.row("HIPPY-PROP-3")
def test_adapters_are_read_in_cxx(extension):
    memory = bytearray(12)
    adapter = Pointer(memory)
    assert extension.look(adapter) == (int(adapter), 12, True)
    assert extension.look(Pointer(b"text"))[1:] == (4, False)
    assert extension.look(Pointer(16)) == (16, None, True)
    for wrong in (16, memory, None):
        with pytest.raises(TypeError, match="is no adapter"):
            extension.look(wrong)


def test_memory_lives_as_long_as_the_adapter(extension):
    memory = bytearray(12)
    made = extension.make("Pointer", memory)
    gc.collect()
    assert is_held(memory)
    del made
    assert not is_held(memory)
    assert extension.sum(memory, 3) == 0 and not is_held(memory)
    before = sys.getrefcount(None), sys.getrefcount(memory)
    for _ in range(1000):
        extension.look(Pointer(memory))
        extension.sum([1, 2], 2)
    assert sys.getrefcount(memory) == before[1] and abs(sys.getrefcount(None) - before[0]) < 100


@pytest.mark.row("HPY-CTX-2")
def test_extensions_of_other_versions(tmp_path):
    """One that was built when the table had fewer members, and one for which it has more than there are."""
    text = header()
    assert MEMBER in text
    for name, changed, options, found in (
            ("newer", text.replace(MEMBER, MEMBER + "  int (*invented)(void);\n"), ["-DNEWER"], (True, False)),
            ("same", text, [], (True, None))):
        folder = tmp_path / name
        folder.mkdir()
        module = built(folder, changed, *options)
        assert module.members() == found and module.sum([1, 2], 2) == 3
    older = ctypes.Structure.__class__("Older", (ctypes.Structure,), {"_fields_": [
        ("version", ctypes.c_uint32), ("size", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("make", ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.py_object))]})
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    from hetjit import _core
    table = older.from_address(get(_core._pointer_table, b"hetjit._core._pointer_table"))
    assert table.version >= 1 and table.size > ctypes.sizeof(older)
    assert int(table.make(table.context, b"Pointer", 0x1230)) == 0x1230


@pytest.mark.row("HPY-TST-1")
def test_every_member_has_a_function_here():
    """Each function of the table has one in pointers.cpp that can be read on its own, and a test above."""
    members = [line.split("(*")[1].split(")")[0] for line in header().splitlines() if line.startswith("  ") and "(*" in line and "void* context" in line]
    source = pathlib.Path(__file__).with_name("pointers.cpp").read_text()
    assert members == ["make", "look"]
    for member in members:
        assert f"// {member}" in source and f"pointers->{member}(" in source

"""The extension as a binary, by the rules of the limited API; how it keeps Python's objects, and how it is called."""

import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import sys
import threading

import pytest

from built import LEDGER, build, load
from hetjit import _core, device

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = sorted((ROOT / "python" / "ext").rglob("*.*"))
SOURCES = [path for path in EXTENSION if path.suffix in (".cpp", ".h")]


def symbols(*options):
    nm = subprocess.run(["nm", "-D", *options, _core.__file__], capture_output=True, text=True)
    if nm.returncode:
        pytest.skip("no nm on this machine (binutils)")
    return {line.split()[-1].split("@")[0] for line in nm.stdout.splitlines()}


@pytest.mark.row("HPY-LEG-1")
@pytest.mark.row("HPY-ABI-1")
def test_only_the_stable_abi_is_used():
    """Of every CPython that runs this: its own list says what is stable."""
    stable = pytest.importorskip("test.test_stable_abi_ctypes", reason="this Python came without its own tests, which have the list")
    used = {name for name in symbols("--undefined-only") if re.match(r"_?Py[A-Z_]", name)}
    assert len(used) > 100 and not used - set(stable.SYMBOL_NAMES)
    settings = (ROOT / "python/ext/handles/python.h").read_text()
    assert "#define Py_LIMITED_API 0x030B0000" in settings


@pytest.mark.row("HPY-MOD-1")
def test_the_module_is_initialised_in_phases():
    exported, used = symbols("--defined-only"), symbols("--undefined-only")
    assert {name for name in exported if name.startswith("PyInit")} == {"PyInit__core"}
    assert "PyModuleDef_Init" in used and not {name for name in used if name.startswith("PyModule_Create")}
    assert _core.__name__ == _core.__spec__.name == "hetjit._core"
    loader = importlib.machinery.ExtensionFileLoader("elsewhere._core", _core.__file__)
    spec = importlib.util.spec_from_file_location("elsewhere._core", _core.__file__, loader=loader)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__name__ == module.__spec__.name == "elsewhere._core" and module is not _core
    assert module.Pointer is not _core.Pointer and int(module.Pointer(3)) == 3
    with pytest.raises(TypeError):
        module.Pointer(_core.Pointer(3))  # the other module's is no Pointer of this one


@pytest.mark.row("HPY-TYP-1")
def test_all_types_are_made_on_the_heap():
    types = [thing for thing in vars(_core).values() if isinstance(thing, type)]
    assert len(types) > 15
    for one in types:
        assert one.__flags__ & (1 << 9), one
    for path in SOURCES:
        assert not re.search(r"^\s*(static\s+)?PyTypeObject\s+\w+\s*[={]", path.read_text(), re.M), path


@pytest.mark.row("HPY-SUB-2")
def test_the_module_says_that_it_needs_the_gil():
    """Honestly: state is guarded by it, so a build without one turns it on."""
    versions, module = ((ROOT / "python/ext" / name).read_text() for name in ("handles/versions.h", "module.cpp"))
    assert "kGilSlot = 4" in versions and "kGilUsed" in module
    if hasattr(sys, "_is_gil_enabled"):
        assert sys._is_gil_enabled()


VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


@pytest.mark.row("HPY-ABI-2")
def test_the_reader_of_bytecode_is_chosen_at_run_time():
    """One binary has those of all versions: what was captured says which is meant, and one that nobody knows is named."""
    here = "%d.%d" % sys.version_info[:2]
    captured = _core.capture(lambda x: x + 1)
    assert f"function 0 <lambda> {here}\n" in captured and _core.call(captured, (41,)) == 42
    for unknown in ("2.7", "3.10", "3.99"):
        with pytest.raises(ValueError, match=f"expected {VERSIONS[0]}, .*{VERSIONS[-1]}, found \"{unknown}\""):
            _core.call(captured.replace(f" {here}\n", f" {unknown}\n"), (41,))


@pytest.mark.row("HPY-ABI-2")
@pytest.mark.parametrize("version", VERSIONS)
def test_all_versions_are_read_by_any(version):
    """Recordings of the others' bytecode, as tests/golden has them."""
    recordings = sorted((ROOT / "tests/snapshots" / version / "golden").glob("ssa__*.snap"))
    assert len(recordings) > 10
    for path in recordings:
        text = path.read_text()
        assert f" {version}\n" in text and _core.show(text, "bytecode", "()").startswith("bytecode "), path


# ---- handles

@pytest.fixture(scope="module")
def handles(tmp_path_factory):
    return load(build(tmp_path_factory.mktemp("handles"), "handles", *LEDGER))


@pytest.mark.row("HPY-HND-3")
@pytest.mark.row("HPY-HND-4")
@pytest.mark.row("HPY-HND-5")
def test_handles(handles):
    """What the compiler checks is in handles.cpp; each reference is released once."""
    thing = object()
    before = sys.getrefcount(thing)
    for _ in range(100):
        assert handles.dup_and_close(thing) is thing
        assert handles.drop(thing) is None
    assert sys.getrefcount(thing) == before


@pytest.mark.row("HPY-HND-6")
def test_handles_have_no_equality(handles):
    """handles.cpp has it for the compiler that there is no `==`; `is` asks for identity."""
    one, other = [1], [1]
    assert handles.same(one, one) and not handles.same(one, other)


BORROWING = re.compile(r"\b(PyTuple_GetItem|PyList_GetItem|PyDict_GetItem\w*|PyDict_SetDefault|PyDict_Next|PySys_GetObject|PyModule_GetDict|"
                       r"PyImport_GetModuleDict|PyImport_AddModule\w*|PyEval_Get(Builtins|Globals|Locals|Frame)|PyWeakref_GetObject|"
                       r"PyThreadState_GetDict|PyInterpreterState_GetDict)\(")
LENT = {"objects.cpp", "objects.h", "builder.h", "ledger.cpp"}  # where such functions are turned into ours; below Handle


def code_of(path):
    return re.sub(r"//.*", "", path.read_text())


@pytest.mark.row("HPY-HND-2")
def test_functions_that_lend_a_reference_are_called_in_one_place():
    found = {path.name for path in SOURCES if BORROWING.search(code_of(path))}
    assert found == LENT


@pytest.mark.row("HPY-HND-1")
@pytest.mark.row("HPY-HND-8")
def test_counts_change_in_handles_alone():
    """Outside of handles/ a count changes where CPython's own rules ask for it: an object's type, when the object ends; and no structure
    has a reference that is not a Handle."""
    for path in SOURCES:
        if path.parent.name == "handles":
            continue
        text = code_of(path)
        for line in re.findall(r".*\b(?:Py_(?:X?IncRef|X?DecRef|X?INCREF|X?DECREF|X?NewRef|CLEAR|SETREF))\b.*", text):
            assert re.search(r"Py_DecRef\(reinterpret_cast<PyObject\*>\(type\)\);", line), (path.name, line)
        assert not re.search(r"\breturn Py_(None|True|False|NotImplemented);", text), path  # a constant is not the callee's to give


@pytest.mark.row("HPY-CTX-1")
def test_no_object_of_python_is_the_process_own():
    """They are in the State of an interpreter, but for an exception that is on its way out of a call of the same thread."""
    holders = r"(?:Handle|Kept|Borrowed|PyObject ?\*|std::\w+<[^;()]*(?:Handle|Kept|PyObject ?\*)[^;()]*>)"
    found = []
    for path in SOURCES:
        text = code_of(path)
        found += re.findall(rf"^(?:(?:static|inline|thread_local|constinit) )*{holders} ?&?(\w+)(?: = [^(;]*|\{{[^}}]*\}})?;", text, re.M)
        found += re.findall(rf"^ +(?:static|thread_local) (?:inline )?{holders} ?&?(\w+)(?: = [^;]*|\{{[^}}]*\}})?;", text, re.M)
    assert found == ["interruption"]


@pytest.mark.row("HPY-HND-3")
@pytest.mark.row("HPY-DBG-8")
def test_arguments_are_not_kept():
    """A Borrowed is a parameter or a local; what is to stay is dup()ed, and then noted as any other handle."""
    for path in SOURCES:
        text = code_of(path)
        assert not re.search(r"<[^<>;()]*\bBorrowed\b[^<>;()]*>\s+\w+;|\bstatic\s+Borrowed\b|\bnew Borrowed\b", text), path
        for found in re.finditer(r"(?:struct|class)\s+\w+[^;{]*\{(.*?)\n\};", text, re.S):
            assert not re.search(r"^  Borrowed \w+( = [^;]*)?;", found[1], re.M), path


@pytest.mark.row("HPY-DBG-7")
def test_arguments_are_not_given_away():
    """What a function gives is a new reference, so it is never one that it merely looks at: the compiler refuses `return argument;`, and
    nobody writes `return argument.get();`."""
    for path in SOURCES:
        for function in re.findall(r"^PyObject\* \w+\(.*?^\}", code_of(path), re.M | re.S):
            assert not re.search(r"\breturn [^;]*\w\.get\(\)\s*[:;]", function), (path.name, function)
        assert not re.search(r"\bown\(\s*Py_(?:None|True|False|NotImplemented|Ellipsis)\b", code_of(path)), path  # nor are constants anybody's


@pytest.mark.row("HPY-ERR-1")
def test_an_empty_handle_is_an_error(handles):
    with pytest.raises(AttributeError):
        handles.null_handle()


# ---- calls

@pytest.mark.row("HPY-CALL-1")
def test_launches_build_no_tuple():
    """They are vectorcalls: the arguments come as an array."""
    @device.kernel
    def nothing(x):
        pass
    bound = nothing[1, 1]
    assert _core.Bound.__flags__ & (1 << 11)
    bound(1)
    bound(x=1)
    import ctypes
    flags = ctypes.pythonapi.PyCFunction_GetFlags
    flags.argtypes = [ctypes.py_object]
    fast = 0x80
    assert flags(_core.launch) & fast
    assert flags(_core.devices) == 0x4 and flags(_core.use_device) == 0x8  # METH_NOARGS, METH_O


@pytest.mark.row("HPY-CALL-2")
def test_arguments_are_parsed():
    @device.kernel
    def add(x, n, by=2):
        x[0] = n + by
    out = device.array([0], device="cpu")
    for given, named in (((out, 3), {}), ((out,), {"n": 3}), ((), {"n": 3, "x": out}), ((out, 1, 4), {}), ((out,), {"by": 1, "n": 4})):
        add.on("cpu")[1, 1](*given, **named)
        assert out.tolist() == [5]
    for given, named, text in (((), {}, "missing"), ((out,), {}, "'n'"), ((out, 1, 2, 3), {}, "4"), ((out, 1), {"x": out}, "'x'"), ((out, 1), {"z": 1}, "'z'")):
        with pytest.raises(TypeError, match=text):
            add.on("cpu")[1, 1](*given, **named)
    with device.Stream("cpu", priority=1) as stream:
        assert stream.done
    for wrong in (lambda: _core.Stream(), lambda: _core.Stream(3), lambda: _core.Stream("cpu", "high"), lambda: _core.Stream("cpu", 1, 2),
                  lambda: _core.Stream("cpu", speed=1), lambda: _core.Stream("cpu", device="cpu")):
        with pytest.raises(TypeError):
            wrong()

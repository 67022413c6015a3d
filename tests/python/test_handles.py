"""The ledger of handles (HETJIT_DEBUG=handles): what is left open or used wrongly is found, with the line. Faults to find are in faults.cpp."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest

import find_faults
from built import LEDGER, build, compiler, load
from hetjit import debug

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def faults_file(tmp_path_factory):
    return build(tmp_path_factory.mktemp("faults"), "faults", *LEDGER)


def run(*command, debug="handles", **options):
    environment = os.environ | {"HETJIT_DEBUG": debug, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    return subprocess.run([sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, **options)


def prints(code, *arguments, **options):
    done = run("-c", "import gc, sys\nfrom hetjit import debug\nfrom built import load\n" + code, *arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def line_of(name):
    """Where a fault stands."""
    lines = (HERE / "faults.cpp").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"// FAULT {name}"))


def called_at(function):
    """Python's line that calls a fault, as tracebacks have it."""
    lines = (HERE / "find_faults.py").read_text().splitlines()
    begins = lines.index(next(line for line in lines if line.startswith(f"def {function}(")))
    number = next(number for number, line in enumerate(lines[begins:], begins + 1) if "getattr(faults, name)(\"hello\")" in line)
    return f'find_faults.py", line {number}, in {function}'


@pytest.fixture(scope="module")
def found(faults_file):
    done = run(HERE / "find_faults.py", faults_file)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.row("HPY-DBG-2")
@pytest.mark.row("HPY-DBG-3")
@pytest.mark.row("HPY-DBG-4")
@pytest.mark.row("HPY-HND-7")
@pytest.mark.parametrize("name", find_faults.LEAKS)
def test_what_is_left_open_is_found(found, name):
    text = found[name]["leak"]
    count = 3 if name == "leak_many" else 1
    assert text.startswith(f"{count} unclosed handle(s):")
    assert ("\"'hello'\"" if name == "leak_made" else "'hello'") in text and "Allocation stacktrace" in text
    assert text.count(f"faults.cpp:{line_of(name)} in ") == count and f"{name}(" in text
    assert text.count(called_at("leak_of")) == count


@pytest.mark.row("HPY-HND-4")
@pytest.mark.row("HPY-HND-7")
@pytest.mark.row("HPY-DBG-5")
@pytest.mark.row("HPY-DBG-6")
@pytest.mark.row("HPY-DBG-7")
@pytest.mark.parametrize("name", [name for name in find_faults.USES if name.startswith(("use", "dup", "lend", "compare", "return", "close"))])
def test_use_of_a_closed_handle_ends_the_process(found, name):
    text, closing = found[name]["death"], name.startswith(("close", "return"))
    assert found[name]["signal"] == signal.SIGABRT
    assert ("Closing of" if closing else "Invalid usage of") + " already closed handle" in text
    assert f"at tests/python/faults.cpp:{line_of(name)} in " in text.replace(f"{HERE}/", "tests/python/")
    assert "opened at " in text and "closed at " in text and text.count(called_at("death_of")) == 3  # there, and where it was used
    assert found[name]["hook"] >= 1


# An argument is not the callee's: it is neither closed nor given away, and what it is called with becomes no reference by itself.
ALLOWED = ("PyObject* dup_it(Borrowed argument) { return argument.dup().release(); }",
           "PyObject* ask(Borrowed argument) { return PyObject_Repr(argument.get()); }")
REFUSED = ("PyObject* give(Borrowed argument) { return argument; }",
           "PyObject* give_const(const Borrowed argument) { return argument; }",
           "PyObject* give_either(Borrowed argument, bool first) { return first ? argument : nullptr; }",
           "PyObject* give_local(const Handle& handle) { const Borrowed lent = handle; return lent; }",
           "PyObject* give_lent(Borrowed tuple) { return held_item(tuple, 0); }",
           "Handle own(Borrowed argument) { return argument; }",
           "Handle own_raw(PyObject* argument) { return argument; }",
           "PyObject* give_handle(const Handle& handle) { return handle; }",
           "void close(Borrowed argument) { argument.close(); }",
           "void release(Borrowed argument) { (void)argument.release(); }",
           "void close_kept(const Handle& argument) { argument.close(); }")


@pytest.mark.row("HPY-HND-3")
@pytest.mark.row("HPY-DBG-7")
def test_the_compiler_refuses_to_give_an_argument_away(tmp_path):
    source, head = tmp_path / "arguments.cpp", '#include "python/ext/handles/objects.h"\nusing namespace hetjit::python;\n'
    source.write_text(head + "\n".join((*ALLOWED, *REFUSED)) + "\n")
    done = subprocess.run([*compiler(), "-fsyntax-only", source], capture_output=True, text=True)
    lines = source.read_text().splitlines()
    refused = {lines[int(line) - 1] for line in re.findall(r"arguments\.cpp:(\d+):\d+: error", done.stderr)}
    assert refused == set(REFUSED), done.stderr


@pytest.mark.row("HPY-DBG-11")
@pytest.mark.row("HPY-TYP-2")
@pytest.mark.parametrize("name", ["build_twice", "build_unset", "set_twice", "set_outside", "set_after_build", "wrong_struct"])
def test_misuse_is_told(found, name):
    assert found[name]["signal"] == signal.SIGABRT and found[name]["hook"] == 1
    assert "Invalid usage of " + ("as_struct" if name == "wrong_struct" else "a builder") in found[name]["death"]
    assert f"faults.cpp:{line_of(name)} in " in found[name]["death"] and found[name]["death"].count(called_at("death_of")) == 1


@pytest.mark.row("HPY-DBG-9")
def test_characters_of_a_closed_text_are_out_of_bounds(found):
    assert found["read_closed_text"]["signal"] == signal.SIGSEGV


def test_each_fault_is_told_of(found):
    """20 kinds and more, and none that the file has is missing here."""
    planted = (HERE / "faults.cpp").read_text().count("// FAULT ")
    assert len(found) >= 20 and planted == len(set(found) - {"read_closed_text"}) + 1  # and use_kept, of another interpreter


@pytest.mark.row("HPY-DBG-1")
def test_off_nothing_is_noted(faults_file):
    code = "print(debug.enabled)\ntry:\n    debug.LeakDetector().start()\nexcept RuntimeError as error:\n    print(error)"
    off = prints(code, debug="")
    assert off.startswith("False\n") and "HETJIT_DEBUG=handles" in off
    assert prints("print(debug.enabled)") == "True\n" == prints("print(debug.enabled)", debug="trace,handles")
    assert prints("print(debug.enabled)", debug="handlesome") == "False\n"
    silent = "f = load(__import__('pathlib').Path(sys.argv[1]))\nf.leak('hello')\nprint(f.open_handles(0))"
    assert prints(silent, faults_file, debug="") == "[]\n"


@pytest.mark.row("HPY-DBG-4")
def test_lines_of_python_are_noted_when_asked_for(faults_file):
    code = """
import pathlib
faults = load(pathlib.Path(sys.argv[1]))
ledger = debug.Ledger(faults)
def caller_of_the_fault():
    faults.leak("hello")
def told():
    generation = ledger.new_generation()
    caller_of_the_fault()
    return ledger.get_open_handles(generation)[0].told
print("caller_of_the_fault" in told())
ledger.set_handle_stack_trace_limit(4)
print("caller_of_the_fault" in told())
ledger.disable_handle_stack_traces()
print("caller_of_the_fault" in told())
for wrong in (-1, 10**6):
    try:
        ledger.set_handle_stack_trace_limit(wrong)
    except ValueError:
        print("refused")
"""
    assert prints(code, faults_file).split() == ["False", "True", "False", "refused", "refused"]


@pytest.mark.row("HPY-DBG-2")
@pytest.mark.row("HPY-DBG-10")
def test_a_handle_has_an_identity(faults_file):
    code = """
import pathlib
faults = load(pathlib.Path(sys.argv[1]))
ledger = debug.Ledger(faults)
generation = ledger.new_generation()
faults.leak("hello")
faults.leak("world")
one, two = ledger.get_open_handles(generation)
again = ledger.get_open_handles(generation)[0]
assert [one.obj, two.obj] == ["hello", "world"]
assert one == again and one.id == again.id and one is not again and hash(one) == hash(again) and one != two and one != "hello"
assert not one.is_closed and repr(one) == f"<DebugHandle {one.id} for 'hello'>"
faults.keep_argument("argument")
held = ledger.get_open_handles(generation)[-1]
assert held.obj == "argument" and not held.is_closed
faults.drop_argument()
assert held.is_closed and held in ledger.get_closed_handles()
size = ledger.get_closed_handles_queue_max_size()
for most in (10, 3, 0):
    ledger.set_closed_handles_queue_max_size(most)
    for _ in range(20):
        faults.keep_argument("argument"), faults.drop_argument()
    assert ledger.get_closed_handles_queue_max_size() == most and len(ledger.get_closed_handles()) == most
ledger.set_closed_handles_queue_max_size(size)
faults.keep("may stay")
assert "may stay" not in [h.obj for h in ledger.get_open_handles(generation)]
assert "may stay" in [h.obj for h in ledger.get_open_handles(generation, kept=True)]
print("done")
"""
    assert prints(code, faults_file) == "done\n"


@pytest.mark.row("HPY-DBG-5")
def test_a_closed_handle_is_known_however_long_ago(faults_file):
    code = """
import pathlib
faults = load(pathlib.Path(sys.argv[1]))
heard = []
faults.set_on_invalid_handle(lambda: heard.append(1))
faults.set_most_closed_handles(0)
faults.use_closed("x")
faults.set_on_invalid_handle(lambda: 1 / 0)
faults.use_closed("x")  # what the hook raises is told, and nobody's exception
try:
    faults.set_on_invalid_handle(3)
except TypeError:
    print(heard)
"""
    assert prints(code, faults_file) == "[1]\n"


@pytest.mark.row("HPY-CTX-3")
def test_a_handle_of_another_interpreter_ends_the_process(faults_file):
    code = """
import pathlib
faults = load(pathlib.Path(sys.argv[1]))
faults.keep("here")
print(faults.use_kept(), flush=True)
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    one = interpreters.create("legacy")
elif sys.version_info >= (3, 12):
    import _xxsubinterpreters as interpreters
    one = interpreters.create(isolated=False)
else:
    import _xxsubinterpreters as interpreters
    one = interpreters.create()
there = f"import sys; sys.path[:] = {sys.path!r}\\nfrom built import load\\nimport pathlib\\nload(pathlib.Path({sys.argv[1]!r})).use_kept()"
interpreters.run_string(one, there)
"""
    pytest.importorskip("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters", reason="no sub-interpreters in this Python")
    done = run("-c", "import sys\nfrom built import load\n" + code, faults_file)
    assert done.stdout == "here\n" and done.returncode == -signal.SIGABRT, done.stderr
    assert "Usage of a handle of another interpreter" in done.stderr and f"faults.cpp:{line_of('use_kept')} in " in done.stderr


@pytest.mark.row("HPY-DBG-3")
def test_the_detector_of_the_core():
    pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    code = """
import numpy as np
from hetjit import device, types

@device.kernel
def double(x, n):
    i = device.tid(1)
    if i < n:
        x[i] *= 2

with debug.LeakDetector():
    x = np.arange(8.0)
    for _ in range(3):
        double[1, 8](x, 8)
    types.ListOfBytes([b"a", b"b"]), types.Pointer(x), device.array([1, 2], device="cpu").tolist()
    for wrong in (lambda: double[1, 8](x), lambda: types.Pointer("s"), lambda: double[1](x, 8), lambda: double[1, 8](object(), 8)):
        try:
            wrong()
        except (TypeError, ValueError):
            pass
detector = debug.LeakDetector()
try:
    detector.stop()
except ValueError:
    print("not begun")
detector.start()
try:
    detector.start()
except ValueError:
    print("begun")
try:
    with debug.LeakDetector():
        1 / 0
except ZeroDivisionError:
    print("the failure itself")
"""
    assert prints(code) == "not begun\nbegun\nthe failure itself\n"


def test_calls_are_counted_and_timed():
    code = """
from hetjit import device

@device.kernel
def nothing(n):
    pass

for n in range(5):
    nothing.on("cpu")[1, 1](n)
calls, seconds = debug.calls()["call"]
print(calls, 0 < seconds < 60)
"""
    assert prints(code, debug="trace") == "5 True\n"
    assert prints("print(debug.calls())", debug="") == "{}\n"


@pytest.mark.row("HPY-DBG-12")
@pytest.mark.skipif(not debug.enabled, reason="without HETJIT_DEBUG=handles no handle is noted; ./dev test handles has it, under every Python")
def test_this_suite_is_under_the_detector(request, leaks):
    assert "leaks" in request.fixturenames and isinstance(leaks, debug.LeakDetector)


LEAKING = """
import pathlib
import pytest
from built import load
from hetjit import debug

faults = load(pathlib.Path({path!r}))
conftest.WATCHING = debug.LeakDetector(faults)
conftest.WATCHING.start()

@pytest.fixture(scope="module")
def leaves_one():
    faults.leak("of a fixture")

def test_clean():
    pass

def test_leaves_one():
    faults.leak("of a test")

def test_after_it():
    pass

def test_of_a_fixture(leaves_one):
    pass
"""


@pytest.mark.row("HPY-DBG-12")
def test_the_fixture_finds_what_a_test_leaves(faults_file, tmp_path):
    """It fails the test that does, and no other."""
    (tmp_path / "conftest.py").write_text((HERE.parent / "conftest.py").read_text())
    (tmp_path / "test_leaking.py").write_text("import conftest\n" + LEAKING.format(path=str(faults_file)))
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--rootdir", tmp_path, tmp_path, cwd=tmp_path)
    told = sorted(line.split()[1].split("::")[1] for line in done.stdout.splitlines() if line.startswith("ERROR test_"))
    assert told == ["test_leaves_one", "test_of_a_fixture"], done.stdout + done.stderr
    assert "4 passed" in done.stdout and done.stdout.count("'of a test'") and done.stdout.count("'of a fixture'")

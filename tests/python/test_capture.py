"""What capture makes of a function: the meaning of each name, constants, variables, source; from wherever it came."""

import cmath
import io
import math
import operator
import pathlib
import re
import subprocess
import sys
import types

import pytest

from hetjit import _core, device

HERE = pathlib.Path(__file__).resolve().parent

LIMIT = 5
PAIR = (1, 2.5, "x", None)
TABLE = [1, 2]


class Thing:
    pass


THING = Thing()


def callee(x, y=LIMIT, *, z=2.5):
    return x + y + z


@device.func
def decorated(x):
    return callee(x)


@device.kernel
def a_kernel(x):
    pass


def names(function):
    """{path: meaning} of the first function of what capture gives."""
    text = _core.capture(function).split("\nfunction 1 ")[0]
    return dict(re.match(r"name (\S+) (.*)", line).groups() for line in text.split("\n") if line.startswith("name "))


def test_constants():
    found = names(lambda: (LIMIT, PAIR))
    assert found == {"LIMIT": "constant(5)", "PAIR": 'constant((1, 2.5, "x", none))'} or set(found) == {"LIMIT", "PAIR"}
    assert found["LIMIT"] != found["PAIR"]


def test_functions_and_what_they_call():
    text = _core.capture(lambda x: decorated(x))
    assert re.search(r"^name decorated function\(1\)$", text, re.M)
    assert re.search(r"^function 1 decorated ", text, re.M) and re.search(r"^function 2 callee ", text, re.M)
    assert re.search(r"^name callee function\(2\)$", text, re.M)


def test_builtins_and_types():
    found = names(lambda x: (len(x), abs(x), range(x), int, float, bool, ValueError, math.sqrt, math.pi, cmath.exp,
                             operator.add, device.tid, device.thread_idx, device.float32, device.sqrt))
    assert found["len"] == "builtin(builtins.len)" and found["range"] == "builtin(builtins.range)"
    assert found["math"] == "module(math)" and found["math.sqrt"] == "builtin(math.sqrt)"
    assert found["ValueError"] == "builtin(builtins.ValueError)"
    assert found["device.tid"] == "builtin(hetjit.device.tid)"
    assert found["device.thread_idx"] == "builtin(hetjit.device.thread_idx)"
    assert found["device.sqrt"] == "builtin(hetjit.device.sqrt)"
    for name, text in (("int", "int"), ("float", "float"), ("bool", "bool"), ("device.float32", "float32")):
        assert found[name] == f"type({text})"
    assert "3.14" in found["math.pi"]


def test_numpy():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    number, kind = np.float64(1.5), np.dtype("i2")
    found = names(lambda x: (np.sqrt(x), np.absolute(x), np.float32(x), np.where(x, x, x), np.pi, number, kind, np.intc))
    assert found["np.sqrt"] == "builtin(numpy.sqrt)" and found["np.absolute"] == "builtin(numpy.absolute)"
    assert found["np.float32"] == "type(float32)" and found["kind"] == "type(int16)"
    assert found["np.intc"] == "type(int32)" and found["np.where"] == "builtin(numpy.where)"
    assert "f64" in found["number"]


def test_what_cannot_be_used_is_described():
    found = names(lambda: (TABLE, THING, Thing, a_kernel, nowhere))  # noqa: F821
    assert "a list" in found["TABLE"] and "Thing" in found["THING"]
    assert "the class 'Thing'" in found["Thing"] and "the kernel 'a_kernel'" in found["a_kernel"]
    assert found["nowhere"].startswith("unbound")


def test_closures():
    k = 3

    def inner():
        return k + later
    assert "3" in names(inner)["k"] and names(inner)["later"].startswith("unbound")
    later = 4
    assert "4" in names(inner)["later"]


def test_attributes_of_modules_are_recorded_once_asked_for():
    package = types.ModuleType("package")
    package.part = types.ModuleType("package.part")
    package.part.value = 7
    package.unused = 8
    found = names(lambda: package.part.value)
    assert "7" in found["package.part.value"] and "package.unused" not in found


def test_aliases_of_modules():
    def f(x):
        m = math
        return m.sqrt(x)
    assert names(f)["math.sqrt"] == "builtin(math.sqrt)"


def test_defaults_and_annotations():
    text = _core.capture(callee)
    assert re.search(r"^parameters 2 positional-only 0 keyword-only 1$", text, re.M)
    assert "\ndefault 1 5\ndefault 2 2.5\n" in text

    def annotated(a: device.int64, b: "device.float64", c: int, d: "no such thing", e=1):  # noqa: F722
        return a
    text = _core.capture(annotated)
    assert "\nannotations 5\nannotation 0 int64\nannotation 1 float64\nconstant" in text


def test_source_is_cut_out_of_the_file():
    text = _core.capture(callee)
    assert f"path {__file__}\n" in text
    assert "| def callee(x, y=LIMIT, *, z=2.5):\n|     return x + y + z\n" in text
    assert "decorated" not in text


def test_functions_without_source():
    scope = {}
    exec(compile("def f(x):\n    return x + 1\n", "<nowhere>", "exec"), scope)  # some Pythons know the lines of a "<string>"
    text = _core.capture(scope["f"])
    assert "path <nowhere>\n" in text and "\n| " not in text
    assert _core.call(text, (3,)) == 4


def test_lambdas_and_nested_functions():
    assert _core.capture(lambda x: x).startswith("snapshot 1\n\nfunction 0 <lambda> ")

    def outer(x):
        def inner(y):
            return x + y
        return inner(1)
    text = _core.capture(outer)
    assert re.search(r"^function 1 inner ", text, re.M)
    assert _core.call(text, (4,)) == 5


def test_recursion_ends():
    def endless(x):
        return endless(x)
    assert _core.capture(endless).count("\nfunction ") == 1


def test_a_program_that_is_too_large():
    scope = {}
    for i in range(4200):
        exec(f"def f{i}():\n    return f{i + 1}()\n", scope)
    text = _core.capture(scope["f0"])
    assert text.count("\nfunction ") == 4096 and "too large" in text


def test_capture_takes_functions_only():
    with pytest.raises(TypeError, match="takes a Python function, not a Kernel|takes a Python function, not a "):
        _core.capture(a_kernel)
    with pytest.raises(TypeError, match="not a builtin_function_or_method"):
        _core.capture(len)


def test_text_that_utf8_cannot_hold():
    scope = {}
    exec("def f(x):\n    return x if '\\udc80' else 'ä'\n", scope)
    _core.capture(scope["f"])


def test_a_python_that_is_not_known_yet():
    code = "import sys\nfrom hetjit import _core\nsys.version_info = (3, 99, 0)\n" \
           "try: _core.capture(lambda: 0)\nexcept NotImplementedError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "hetjit reads the bytecode of CPython 3.11 to 3.15; this is 3.99\n", done.stderr


def test_huge_constants():
    scope = {}
    exec(f"def f(x):\n    return x + {2**64 - 1} + {-2**64} + 0x{'f' * 5000}\n", scope)
    text = _core.capture(scope["f"])
    assert str(2**64 - 1) in text and str(2**64) in text


def repl(lines):
    done = subprocess.run([sys.executable, "-i", "-q"], input="\n".join(lines) + "\n", capture_output=True, text=True,
                          timeout=120)
    return done.stdout + done.stderr


def test_the_interactive_prompt():
    out = repl(["from hetjit import _core, device", "f = lambda x: x * 3", "print('got', _core.call(_core.capture(f), (5,)))"])
    assert "got 15" in out


def test_compiled_files(tmp_path):
    """From a .pyc without its source."""
    import py_compile
    (tmp_path / "m.py").write_text("def f(x):\n    return x - 1\n")
    py_compile.compile(str(tmp_path / "m.py"), str(tmp_path / "m.pyc"), doraise=True)
    (tmp_path / "m.py").unlink()
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import m\nfrom hetjit import _core\n" \
           "print(_core.call(_core.capture(m.f), (5,)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "4\n", done.stderr


def test_tracing_and_debugging_do_not_disturb():
    def f(x):
        total = 0
        for i in range(x):
            total += i
        return total
    before = _core.capture(f)
    for _ in range(3000):
        f(3)  # specialised by the interpreter
    seen = []
    sys.settrace(lambda *a: seen.append(1) or None)
    try:
        f(3)
        during = _core.capture(f)
    finally:
        sys.settrace(None)
    assert during == before == _core.capture(f) and seen


def test_no_columns():
    """python -X no_debug_ranges: lines only."""
    code = "from hetjit import _core\ndef f(x):\n    return x + 1\nt = _core.capture(f)\nprint(_core.call(t, (1,)))\nprint(t)"
    done = subprocess.run([sys.executable, "-X", "no_debug_ranges", "-c", code], capture_output=True, text=True,
                          timeout=120)
    assert done.stdout.startswith("2\n"), done.stderr


@pytest.mark.skipif(not (HERE.parent / "snapshots/record.py").exists(), reason="no recorder")
def test_the_recorder_and_capture_agree():
    """tests/snapshots/record.py does the same in Python, for recordings on machines without us."""
    path = HERE / "captured_functions.py"
    done = subprocess.run([sys.executable, str(HERE.parent / "snapshots/record.py"), str(path), "entry"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    scope = {"__name__": "captured_functions"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    ours = _core.capture(scope["entry"])

    def essence(text):
        """But for names that are not there: a variable of an outer function is such a name to the recorder."""
        return [line for line in text.split("\n")
                if re.match("function|parameters|locals|free|constant|code|at|handler|attributes|name", line)
                and not line.endswith(" unbound")]
    assert essence(ours) == essence(done.stdout)

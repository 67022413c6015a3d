"""Where code stands is no part of what a kernel is found by: comments and empty lines anywhere in the kernels of the benchmarks and
of the differential tests, and in the golden functions, leave their fingerprints as they are."""

import ast
import gc
import importlib.util
import io
import pathlib
import random
import sys
import tokenize

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("benchmarks/kernels*.py"), ROOT / "tests/differential/kernels.py", ROOT / "demo/kernels.py",
                *(ROOT / "tests/golden").glob("*/*.py")])
COMMENT = '# it\'s "new" \\'
FORMS = {
    "FunctionDef": "def f(x):\n    def g(y):\n        z = y + 1\n        return z\n    return g(x)\n",
    "brackets": "def f(x, y, z):\n    x[0] = (y[0]\n            +\n            z[0])\n    return max(\n        x[0],\n        y[0]\n    )\n",
    "texts": "def f(x):\n    s = '#' + \"it's # not\" + '''one\n# two\n\nthree'''\n    assert x > 0, f\"{x!r:#x} #\"\n    return s\n",
    "backslash": "def f(x):\n    y = x + \\\n        1\n    s = 'a\\\n#b'\n    return y, s\n",
    "blocks": "def f(x):\n    with g():\n        x[0] = 1\n        x[1] = 2\n    while x[0] < 2:\n        x[0] += 1\n    else:\n"
              "        x[1] = 3\n    return [\n        a\n        for a in x\n        if a > 0\n    ]\n",
}


def gaps(source):
    """After which lines another line may be put: not within texts, and not behind a backslash."""
    lines = source.split("\n")
    closed = set(range(len(lines) + 1))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.start[0] < token.end[0]:
            closed -= set(range(token.start[0], token.end[0]))
    fstrings = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr)]
    for node in fstrings:
        closed -= set(range(node.lineno, node.end_lineno))
    return sorted(i for i in closed if i == 0 or not lines[i - 1].endswith("\\"))


def commented(source, seed):
    """The source with lines that are comments, empty, or both, and with comments at the ends of lines."""
    draw = random.Random(seed)
    lines, open_after = source.split("\n"), set(gaps(source))
    found = []
    for number in range(len(lines) + 1):
        if number:
            line = lines[number - 1]
            ends = line.strip() and number in open_after and "#" not in line
            found.append(line + "   " + COMMENT if ends and draw.random() < 0.5 else line)
        if number in open_after and number < len(lines) and draw.random() < 0.5:
            found += [" " * draw.randrange(9) + COMMENT, ""] if draw.random() < 0.5 else [""]
    return "\n".join(found)


def functions(source, path, name):
    """The functions that a module of that source defines, by name."""
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    found = {}
    for key, value in vars(module).items():
        function = getattr(value, "underlying", value)
        if getattr(function, "__module__", None) == name and hasattr(function, "__code__"):
            found[key] = function
    return found


def fingerprints(source, path, name):
    found = {}
    function = None
    for key, function in functions(source, path, name).items():
        try:
            found[key] = _core.fingerprint(_core.capture(function))
        except Exception as error:  # one that no kernel could be made of
            found[key] = type(error)
    del function
    gc.collect()  # a class of structs that is still there is another one than that of a second module of this name
    return found


def names_nobody(source, path):
    """A golden file may be no module by itself."""
    try:
        return not functions(source, path, "tried")
    except Exception:
        return True


def expect_found(source, tmp_path, seeds):
    plain = fingerprints(source, tmp_path / "plain.py", "module_of_kernels")
    for seed in seeds:
        changed = commented(source, seed)
        assert changed != source
        (tmp_path / "there").mkdir(exist_ok=True)
        moved = fingerprints(changed, tmp_path / "there" / "moved.py", "module_of_kernels")
        assert moved.keys() == plain.keys()
        different = [key for key in plain if plain[key] != moved[key]]
        assert not different, f"{different} of seed {seed}:\n{changed}"
    return plain


@pytest.mark.parametrize("form", FORMS)
def test_forms(form, tmp_path):
    plain = expect_found(FORMS[form], tmp_path, range(40))
    assert isinstance(plain["f"], str)


def test_what_people_write(tmp_path):
    count = 0
    sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests" / "differential")]
    try:
        for path in FILES:
            source = path.read_text()
            if not names_nobody(source, tmp_path / "tried.py"):
                found = expect_found(source, tmp_path, range(1))
                count += sum(isinstance(value, str) for value in found.values())
    finally:
        del sys.path[:2]
    assert count > 300


@pytest.mark.parametrize("old, new", [("y[0]\n", "z[0]\n"), ("x[0],", "x[1],"), ("max(", "min("), ("+\n", "-\n")])
def test_what_is_code_counts(old, new, tmp_path):
    """Inside an expression of several lines, too."""
    source = FORMS["brackets"]
    plain = fingerprints(source, tmp_path / "one.py", "module")
    assert plain != fingerprints(source.replace(old, new, 1), tmp_path / "two.py", "module")

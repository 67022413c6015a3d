"""Runs the golden files; `./dev update` rewrites what they expect. The form of a file: golden.py."""

import re
import sys
import warnings

import numpy as np
import pytest

from hetjit import _core, device, errors

import golden

sys.path.insert(0, str(golden.HERE.parent))
import rows

PHASE_TARGETS = {"ptx": "cuda:sm_90", "amdgcn": "hip:gfx942", "host": "cpu:x86-64-v3"}
SHOWN = [path for path in golden.files() if path.parent.name != "diag"]
MESSAGES = golden.files("diag")

RUNS = [(path, line) for path in SHOWN for line in golden.directives(path, "RUN")]


def marked(items, path_of=lambda path: path):
    """Parameters with the marks of the rows that their files name."""
    return [pytest.param(item, marks=[pytest.mark.row(row) for row in rows.golden_rows(path_of(item))]) for item in items]


def shown(path):
    """The text that the file's directives ask for."""
    phase = golden.directive(path, "SHOW", "typed")
    target = golden.directive(path, "TARGET", PHASE_TARGETS.get(phase, "cpu:x86-64-v3"))
    kernel = golden.directive(path, "KERNEL", "no") == "yes"
    snapshot = golden.recording(path, golden.TEXT_VERSION)
    assert snapshot, f"no recording of {golden.label(path)} for {golden.TEXT_VERSION}: ./dev record"
    fastmath = golden.directive(path, "FASTMATH", "no") == "yes"
    sections = [_core.show(snapshot, phase, signature, target, kernel=kernel, fastmath=fastmath)
                for signature in golden.directives(path, "FOR") or ["()"]]
    only = golden.directive(path, "ONLY")  # a regular expression: print what the test is about
    lines = "\n".join(section.rstrip("\n") for section in sections).split("\n")
    return "\n".join(line for line in lines if not only or re.search(only, line))


@pytest.mark.parametrize("path", marked(SHOWN), ids=golden.label)
def test_text(path):
    text = shown(path)
    if golden.UPDATE:
        golden.rewrite(path, text)
    want = golden.expectation(path)
    assert "\n".join(line.rstrip() for line in text.split("\n")) == want


def message(path):
    """What compiling (or launching) the file's function says: (code, text)."""
    snapshot = golden.recording(path, golden.TEXT_VERSION)
    assert snapshot, f"no recording of {golden.label(path)} for {golden.TEXT_VERSION}: ./dev record"
    signature = golden.directive(path, "FOR", "()")
    target = golden.directive(path, "TARGET", "cpu:x86-64-v3")
    kernel = golden.directive(path, "KERNEL", "no") == "yes"
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error", errors.CompileWarning)
        for setting in golden.directives(path, "ENV"):
            patch.setenv(*setting.split("=", 1))
        with pytest.raises((device.CompileError, errors.CompileWarning)) as caught:
            _core.compile(snapshot, signature, target, kernel=kernel)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("path", marked(MESSAGES), ids=golden.label)
def test_message(path):
    code, text = message(path)
    if golden.UPDATE:
        golden.rewrite(path, text)
    assert text.rstrip() == golden.expectation(path).rstrip()
    by_hand = [(number, *found.groups()) for number, line in enumerate(path.read_text().split("\n"), 1)
               if not line.startswith("# CHECK:") and (found := re.search(r"#! ([EW]\d+) (.*)$", line))]
    assert by_hand, f"{path.name}: annotate the line by hand: #! E0000 text"
    for number, wanted_code, wanted_text in by_hand:
        assert code == wanted_code
        assert wanted_text.strip() in text
        assert f"{path.name}:{number}:" in text, f"the message should point at line {number}"


def caught(snapshot, path, signature=None):
    """What compiling the file's function raises, a warning too; None: nothing."""
    signature = signature or golden.directive(path, "FOR", "()")
    with warnings.catch_warnings():
        warnings.simplefilter("error", errors.CompileWarning)
        try:
            _core.compile(snapshot, signature, golden.directive(path, "TARGET", "cpu:x86-64-v3"),
                          kernel=golden.directive(path, "KERNEL", "no") == "yes")
        except (device.CompileError, errors.CompileWarning) as raised:
            return raised


@pytest.mark.parametrize("path", marked([path for path in MESSAGES if "# EDITED:" in path.read_text()]), ids=golden.label)
def test_edits_compile(path):
    """What a message offers as a change of the source is made, and the function compiles; or there is the message that the file names."""
    said = caught(_core.capture(golden.load(path)), path)
    assert said.edits, "a message with a change of the source"
    changed = golden.edited(path.read_text(), said.edits)
    again = caught(_core.capture(golden.load(path, changed)), path, golden.directive(path, "EDITED FOR"))
    assert (again.code if again else "compiles") == golden.directive(path, "EDITED")


def test_each_offered_edit_is_tested():
    """A message that shows a changed line is in a file that says what becomes of it."""
    for path in MESSAGES:
        offers = re.search(r"^\d+ +\+ ", golden.expectation(path), re.M)
        assert bool(offers) == bool(golden.directive(path, "EDITED")), path.name


def test_file_names_its_code():
    names = _core.diagnostic_codes()  # {"E0202": "TypesDisagree", …}
    for path in MESSAGES:
        code = re.search(r"#! ([EW]\d+)", path.read_text())[1]
        assert names[code] == path.stem.split(".")[0]  # NoAttribute.struct.py: another case of NoAttribute


def evaluate(text):
    scope = {name: getattr(np, name) for name in
             ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
              "float64", "bool_", "inf", "nan")}
    return eval(text, scope)  # our own test files


def parse_run(line):
    call, want = re.fullmatch(r"(.*?\)) == (.*)", line).groups()
    arguments = call[call.index("("):]
    return evaluate(arguments if arguments.endswith(",)") or arguments == "()" else arguments[:-1] + ",)"), want


def run_label(item):
    return f"{golden.label(item[0])}: {item[1]}"


def same(got, want):
    if isinstance(want, tuple):
        return len(got) == len(want) and all(map(same, got, want))
    return got == want or (got != got and want != want)


@pytest.mark.parametrize("item", marked(RUNS, lambda item: item[0]), ids=run_label)
def test_run_recordings_in_the_interpreter(item):
    path, line = item
    arguments, text = parse_run(line)
    ran = []
    for version in golden.VERSIONS:
        snapshot = golden.recording(path, version)
        if snapshot:
            want = golden.load(path)(*arguments) if text == "PYTHON" else evaluate(text)
            got = _core.call(snapshot, arguments)
            assert same(got, want), f"{version}: {got!r} is not {want!r}"
            ran.append(version)
    assert golden.TEXT_VERSION in ran


def wrapper(function, count, results):
    """A kernel that calls the function and stores its result, or its results."""
    parameters = ", ".join(f"a{k}" for k in range(count))
    outs = ", ".join(f"out{k}" for k in range(max(results, 1)))
    stores = "\n".join(f"    out{k}[0] = r[{k}]" for k in range(results)) or "    out0[0] = r"
    source = f"def wrapper({outs}, {parameters}):\n    r = function({parameters})\n{stores}\n"
    scope = {"function": function}
    exec(source, scope)
    return device.kernel(scope["wrapper"])


@pytest.mark.parametrize("item", marked(RUNS, lambda item: item[0]), ids=run_label)
def test_run_on_the_cpu(item):
    path, line = item
    arguments, text = parse_run(line)
    missing = {name for name in re.findall(r"device\.(\w+)", path.read_text()) if not hasattr(device, name)}
    if missing:
        pytest.skip(f"the package has no device.{min(missing)}")
    function = golden.load(path)
    want = function(*arguments) if text == "PYTHON" else evaluate(text)
    like = _core.call(golden.recording(path, golden.TEXT_VERSION), arguments)
    parts = like if isinstance(like, tuple) else (like,)
    outs = [np.zeros(1, np.asarray(part).dtype if not isinstance(part, int) or isinstance(part, bool) else np.int64)
            for part in parts]
    wrapper(function, len(arguments), len(parts) if isinstance(like, tuple) else 0)[1, 1](*outs, *arguments)
    got = tuple(out[0] for out in outs)
    assert same(got if isinstance(like, tuple) else got[0], want)

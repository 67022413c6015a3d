"""debug="lines": line tables that lead to the source, the same instructions with and without; names of host kernels for perf."""

import os
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device
from hetjit.commands import programs
from test_processes import python

HERE = pathlib.Path(__file__).resolve()
BENCHMARKS = HERE.parents[2] / "benchmarks"
TARGETS = {"ptx": "cuda:sm_90", "amdgcn": "hip:gfx942", "host": "cpu:x86-64-v3"}
SIGNATURE = "(float32[:], int32[:], float32[:])"


@device.func
def half(v):
    return v * 0.5


@device.kernel(debug="lines")
def steps(x, places, y):
    i = device.tid(1)
    if i < y.shape[0]:
        y[i] = half(x[places[i]])
        while y[i] > 1:
            y[i] = half(y[i]) - 1


def line_of(text, function=steps):
    lines, first = pathlib.Path(__file__).read_text().splitlines(), function.__code__.co_firstlineno
    return next(number for number in range(first, len(lines)) if text in lines[number - 1])


def shown(kernel, phase, signature=SIGNATURE, **options):
    return programs.request_of(kernel, signature, TARGETS[phase]).show(phase, **options)


@pytest.mark.parametrize("phase", TARGETS)
def test_lines_are_named(phase):
    text = shown(steps, phase)
    assert HERE.name in text
    found = {int(line) for line in re.findall(r"\.loc\s+\d+ (\d+) ", text)}
    for part in ("half(x[places[i]])", "while y[i] > 1"):
        assert line_of(part) in found, part
    assert line_of("return v * 0.5", half) in found
    assert ".loc" not in shown(device.kernel(steps.underlying), phase)


def test_calls_that_llvm_took_in_are_named():
    """The DWARF of an inlined subroutine: where its code is, the file and the line of the call."""
    lines = {int(line) for line in re.findall(r"\.long\t\.Ltmp\d+-\.Ltmp\d+\n\t\.byte\t1\n\t\.byte\t(\d+)\n", shown(steps, "amdgcn"))}
    assert {line_of("half(x[places[i]])"), line_of("y[i] = half(y[i])")} <= lines


CODE = {"ptx": r"^\t(?:@|[a-z]).*;", "amdgcn": r"^\t[vsgdbf]\w*_.*", "host": r"^\t[a-z].*"}


def instructions(phase, text):
    return [re.sub(r"\s*(//|;|#).*", "", line) for line in re.findall(CODE[phase], text.split(".section\t.debug")[0], re.M)]


def kernels():
    sys.path.insert(0, str(HERE.parents[1] / "golden"))
    import test_plans
    for (module, name), signature in test_plans.SIGNATURES.items():
        yield runpy.run_path(str(BENCHMARKS / f"{module}.py"))[name], signature
    yield steps, SIGNATURE


@pytest.mark.parametrize("phase", TARGETS)
def test_no_instruction_is_another(phase):
    for kernel, signature in kernels():
        plain, lines = (instructions(phase, shown(kernel, phase, signature, debug=debug)) for debug in (False, True))
        assert plain == lines and len(plain) > 5, kernel


@pytest.mark.always
@pytest.mark.differs("asks for faults by name")
@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942"])
def test_faults_name_lines(where):
    x, y = device.array(np.zeros(4, np.float32), where), device.zeros(4, device.float32, where)
    places = device.array(np.full(4, 1 << 28, np.int32), where)
    steps[1, 4](x, places, y)
    with pytest.raises(device.DeviceError, match=rf"from \S*{HERE.name}:{line_of('x[places')}\b"):
        device.synchronize(where)


def test_debug_is_lines_or_nothing():
    with pytest.raises(ValueError, match=r'device\.kernel\(debug=.full.\): it may be "lines"'):
        device.kernel(debug="full")
    with pytest.raises(TypeError, match="a str is needed, not bool"):
        device.func(debug=True)
    device.kernel(debug="")(steps.underlying)


def test_another_place_is_another_compilation():
    """What is found again must not lead to where its content stood before."""
    text = "@device.kernel(debug='lines', cache=False)\ndef f(x):\n    x[0] = 1\n"
    made = []
    for before in ("", "\n", ""):
        scope = {"device": device}
        import linecache
        file = f"<place {len(before)}>"
        linecache.cache[file] = (0, None, [line + "\n" for line in (before + text).splitlines()], file)
        exec(compile(before + text, file, "exec"), scope)
        count = _core.compilations()
        scope["f"].on("null")[1, 1](np.zeros(1, np.float32))
        made.append(_core.compilations() - count)
    assert made == [1, 1, 0]


@pytest.mark.differs("asks for the CPU's names")
def test_perf_finds_the_names():
    code = """
import os, numpy as np
from hetjit import device
@device.kernel
def named(x):
    x[device.tid(1)] += 1
named.on("cpu")[1, 4](np.zeros(4, np.float32))
print(os.getpid())
"""
    path = pathlib.Path(f"/tmp/perf-{python(code, HETJIT_PERF_MAP='1').strip()}.map")
    try:
        lines = path.read_text().splitlines()
        assert path.stat().st_mode & 0o777 == 0o600
    finally:
        path.unlink(missing_ok=True)
    assert lines and all(re.fullmatch(r"[0-9a-f]+ [0-9a-f]+ \S+ \[hetjit\]", line) for line in lines)
    assert any(line.endswith(" named [hetjit]") for line in lines)
    assert not pathlib.Path(f"/tmp/perf-{python(code).strip()}.map").exists()

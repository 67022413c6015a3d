"""Math functions in emitted GPU code: nothing approximate but what docs/math.md lists, and numbers that are promised to be the same
everywhere come from no vendor's functions."""

import pathlib
import re

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import tools
from hetjit import _core, device

ROOT = pathlib.Path(__file__).parents[2]
ARRAY = "array[{}, 1, contiguous, index32]"


def functions():
    """{row of math.def: (a name in kernels, arity)}"""
    names = (ROOT / "compiler/builtins/names.def").read_text()
    known = {}
    for modules, name, row in re.findall(r'MATH_NAME\("(\w+)",\s+(\w+),\s+(\w+)\)', names):
        known.setdefault(row, f"{'device' if 'D' in modules else 'math'}.{name}")
    rows = re.findall(r"^MATH\((\w+),\s+(\d)", (ROOT / "compiler/ir/math.def").read_text(), re.M)
    return {row: (known[row], int(arity)) for row, arity in rows}


def documented():
    """{(row, format): set of approximate instructions}, from the table of docs/math.md"""
    table = re.search(r"<!-- approximations -->\n(.*?)<!-- /approximations -->", (ROOT / "docs/math.md").read_text(), re.S)[1]
    found = {}
    for instruction, single, double in re.findall(r"^\| `([\w.]+)` \| (.*?) \| (.*?) \|$", table, re.M):
        for names, suffix in ((single, "float32"), (double, "float64")):
            for row in re.findall(r"\w+", names):
                found.setdefault((row, suffix), set()).add(instruction)
    return found


def emitted(call, kind, target="cuda:sm_90", phase="ptx", **options):
    import math
    scope = {"device": device, "math": math}
    code = f"def k(x, y):\n    i = device.tid(1)\n    y[i] = {call}\n"
    exec(compile(code, "<made>", "exec"), scope)
    arrays = ", ".join([ARRAY.format(kind)] * 2)
    return _core.show(_core.capture(scope["k"]), phase, f"({arrays})", target, kernel=True, **options)


def test_only_documented_approximations():
    allowed = documented()
    for (row, (name, arity)) in functions().items():
        for kind in ("float32", "float64"):
            call = f"{name}({', '.join(f'x[i + {each}]' for each in range(arity))})"
            ptx = tools.skip_without_libdevice(lambda: emitted(call, kind))
            found = {each.removesuffix(".f32").removesuffix(".f64") for each in re.findall(r"\b\w+\.approx[\w.]*", ptx)}
            assert found == allowed.get((row, kind), set()), (row, kind)


@pytest.mark.parametrize("call", ["device.sqrt(x[i])", "1 / device.sqrt(x[i])", "device.rsqrt(x[i])", "x[i] / x[i + 1]", "1 / x[i]",
                                  "x[i] ** 0.5", "abs(complex(x[i], x[i + 1]))", "math.hypot(x[i], x[i + 1], x[i + 2])",
                                  "math.dist((x[i], x[i + 1]), (x[i + 2], x[i + 3]))", "device.length(device.float32x2(x[i], x[i]))"])
def test_precise_division_and_roots(call):
    for kind in ("float32", "float64"):
        ptx = tools.skip_without_libdevice(lambda: emitted(call, kind))
        assert not re.search(r"\b(sqrt|div)\.(approx|full)", ptx), ptx


def test_the_architecture_is_told_to_libdevice():
    """It has an instruction for the hyperbolic tangent from sm_75 on, and asks."""
    for arch, newer in (("sm_70", False), ("sm_75", True), ("sm_90", True)):
        text = tools.skip_without_libdevice(lambda: emitted("device.tanh(x[i])", "float32", f"cuda:{arch}", fastmath=True))
        assert ("tanh.approx" in text) == newer, arch
        if tools.find_ptxas() and newer:
            tools.assemble(text.encode(), arch)


@pytest.mark.parametrize("target, phase", [("cuda:sm_90", "ptx"), ("hip:gfx942", "amdgcn"), ("hip:gfx1100", "amdgcn")])
def test_random_numbers_are_the_portable_ones(target, phase):
    call = "device.random.normal(7, i, 3)"
    usual = emitted(call, "float32", target, phase)
    assert usual == emitted(call, "float32", target, phase, portable_math=True)
    fast = emitted(call, "float32", target, phase, fastmath=True)
    assert "approx" not in fast and fast.count("sqrt") == usual.count("sqrt")
    both = call + " + math.log(x[i])"
    vendors = tools.skip_without_ocml if phase == "amdgcn" else tools.skip_without_libdevice
    mixed = vendors(lambda: emitted(both, "float32", target, phase))
    assert mixed != emitted(both, "float32", target, phase, portable_math=True)  # the user's own is the vendor's

"""fastmath=True: the vendors' approximate instructions in place of functions of float32, and how far off they are. The machine for NVIDIA rounds
each instruction correctly, so what is measured here is what the functions make of them; the table of docs/math.md has the vendor's bounds."""

import math
import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import anywhere, on_machines, tools
from hetjit import _core, device

ULP = 2.0 ** -23
POSITIVE = np.geomspace(1e-3, 1e3, 60)
ANGLES = np.linspace(-math.pi, math.pi, 61)
FUNCTIONS = {  # call: (arguments, exact, error allowed)
    "device.sin(x[i])": (ANGLES, np.sin, lambda x, y: np.full_like(x, 2 ** -20.5)),
    "device.cos(x[i])": (ANGLES, np.cos, lambda x, y: np.full_like(x, 2 ** -20.5)),
    "device.tan(x[i])": (np.linspace(-1.2, 1.2, 61), np.tan, lambda x, y: 2 ** -19 * (1 + y * y)),
    "device.exp(x[i])": (np.linspace(-20, 20, 61), np.exp, lambda x, y: (3 + 1.173 * abs(x)) * ULP * abs(y)),
    "device.exp2(x[i])": (np.linspace(-20, 20, 61), np.exp2, lambda x, y: 2 * ULP * abs(y)),
    "device.log(x[i])": (POSITIVE, np.log, lambda x, y: 2 ** -21 + 3 * ULP * abs(y)),
    "device.log2(x[i])": (POSITIVE, np.log2, lambda x, y: 2 ** -21 + 3 * ULP * abs(y)),
    "device.log10(x[i])": (POSITIVE, np.log10, lambda x, y: 2 ** -21 + 3 * ULP * abs(y)),
    "device.tanh(x[i])": (np.linspace(-6, 6, 61), np.tanh, lambda x, y: 2 ** -10.9 * abs(y)),
    "device.pow(x[i], 1.5)": (POSITIVE, lambda x: x ** 1.5, lambda x, y: 2 ** -18 * abs(y)),
    "x[i] / (x[i] + 3)": (POSITIVE, lambda x: x / (x + 3), lambda x, y: 4 * ULP * abs(y)),
    "device.sqrt(x[i])": (POSITIVE, np.sqrt, lambda x, y: 2 * ULP * abs(y)),
    "device.rsqrt(x[i])": (POSITIVE, lambda x: x ** -0.5, lambda x, y: 4 * ULP * abs(y)),
}
INSTRUCTIONS = {"sin": "sin.approx", "cos": "cos.approx", "tan": "sin.approx", "exp": "ex2.approx", "log": "lg2.approx", "log2": "lg2.approx",
                "log10": "lg2.approx", "tanh": "tanh.approx", "pow": "lg2.approx", "sqrt": "sqrt.approx", "rsqrt": "rsqrt.approx"}
LONG = 60  # lines of PTX: what no precise function of these gets by with


def made(call):
    scope = {"device": device}
    exec(f"def k(x, y):\n    i = device.tid(1)\n    if i < len(x):\n        y[i] = {call}\n", scope)
    return scope["k"]


def ptx(call, kind="float32", **options):
    line = f"array[{kind}, 1, contiguous, index32]"
    return tools.skip_without_libdevice(
        lambda: _core.show(_core.capture(made(call)), "ptx", f"({line}, {line})", "cuda:sm_90", kernel=True, **options))


@on_machines
@pytest.mark.parametrize("call", FUNCTIONS)
def test_as_near_as_is_said(call, where):
    arguments, exact, allowed = FUNCTIONS[call]
    x = arguments.astype(np.float32)
    out = device.array(np.zeros(len(x), np.float32), where)
    tools.skip_without_libdevice(lambda: device.kernel(made(call), fastmath=True)[(len(x) + 31) // 32, 32](device.array(x, where), out))
    wide = x.astype(np.float64)
    wanted = exact(wide)
    off = np.abs(device.to_numpy(out).astype(np.float64) - wanted) / (allowed(wide, wanted) + 1e-30)
    assert off.max() <= 1, (x[off.argmax()], off.max())


@on_machines
@pytest.mark.parametrize("call, special", [("device.exp(x[i])", [0.0, np.inf, np.nan]), ("device.log(x[i])", [-np.inf, np.nan, np.inf, np.nan]),
                                           ("device.sqrt(x[i])", [0.0, np.nan, np.inf, np.nan]), ("1 / x[i]", [np.inf, -1, 0, np.nan])])
def test_infinity_and_nan_keep_their_meaning(call, special, where):
    x = np.array({"device.exp(x[i])": [-np.inf, np.inf, np.nan], "1 / x[i]": [0, -1, np.inf, np.nan]}.get(call, [0, -1, np.inf, np.nan]), np.float32)
    out = device.array(np.zeros(len(x), np.float32), where)
    tools.skip_without_libdevice(lambda: device.kernel(made(call), fastmath=True)[1, 32](device.array(x, where), out))
    np.testing.assert_array_equal(device.to_numpy(out), np.array(special, np.float32))


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 2.0, -2.0, 1e-40, 5e-324, 1e-308, 1e30]
QUOTIENTS = ("1 / x[i]", "3 / x[i]", "x[i] / 1e30", "x[i] / 1e300", "2 / device.sqrt(x[i])", "device.rsqrt(x[i])", "device.sqrt(1 / x[i])",
             *(f"x[i] ** -{n}" for n in (1, 2, 3, 4)))


@anywhere
@pytest.mark.parametrize("kind", ("float32", "float64"))
@pytest.mark.parametrize("call", QUOTIENTS)
def test_quotients_of_what_is_no_ordinary_number(call, kind, where):
    """Zeros, infinities and NaN are where they are without fastmath; float32's denormals may be lost."""
    x = np.array(SPECIAL, kind)
    if kind == "float32":
        x = x[(x == 0) | ~(abs(x) < 1e-37)]
    out = {}
    for fast in (False, True):
        out[fast] = device.array(np.zeros(len(x), kind), where)
        tools.skip_without_libdevice(lambda: device.kernel(made(call), fastmath=fast)[1, 32](device.array(x, where), out[fast]))
    np.testing.assert_allclose(device.to_numpy(out[True]), device.to_numpy(out[False]), rtol=1e-6 if kind == "float32" else 1e-15)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_instructions_of_nvidia(name):
    call = next(each for each in FUNCTIONS if each.startswith(f"device.{name}("))
    fast = ptx(call, fastmath=True)
    assert INSTRUCTIONS[name] in fast and fast.count("\n") < LONG, fast
    assert ptx(call, fastmath=True, portable_math=True).count(".approx") == (name == "sqrt"), "its own functions keep their bits"
    assert ".approx.f32" not in re.sub(r"ex2\.approx\.f32", "", ptx(call, "float64", fastmath=True)), "float64 has none"


def test_division_of_nvidia():
    assert re.search(r"div\.(approx|full)|rcp\.approx", ptx("x[i] / (x[i] + 3)", fastmath=True))
    assert "div.rn" in ptx("x[i] / (x[i] + 3)") and "approx" not in ptx("x[i] / (x[i] + 3)")


@pytest.mark.parametrize("call, instruction", [("device.sin(x[i])", "v_sin_f32"), ("device.log2(x[i])", "v_log_f32"), ("device.exp2(x[i])", "v_exp_f32"),
                                               ("1 / x[i]", "v_rcp_f32"), ("device.sqrt(x[i])", "v_sqrt_f32")])
def test_instructions_of_amd(call, instruction):
    line = "array[float32, 1, contiguous, index32]"
    code = tools.skip_without_libdevice(
        lambda: _core.show(_core.capture(made(call)), "amdgcn", f"({line}, {line})", "hip:gfx942", kernel=True, fastmath=True))
    body = code[code.index("k:"):code.index("s_endpgm")]
    assert instruction in body and body.count("\n") < 40, body

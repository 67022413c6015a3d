"""The math library (compiler/mathlib): the same bits at every number of lanes and on every target, no calls of libm, exact
enough where tests/differential/test_math.py does not look: large angles, subnormal numbers, the edges of each function."""

import importlib.util
import os
import pathlib
import re

import mpmath
import numpy as np
import pytest

from hetjit import _core, device

import math_accuracy as accuracy
import tools
from both import bits

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = [np.float32, np.float64]
GPUS = [name for name in _core.devices() if not name.startswith("cpu")]


def library_compiler():
    spec = importlib.util.spec_from_file_location("mathlib_compile", ROOT / "compiler" / "mathlib" / "compile.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LIBRARY = library_compiler()
IN_LIBRARY = {function.__name__.rsplit("_", 1)[0] for family in LIBRARY.FAMILIES for function, _ in LIBRARY.functions(family)}
ROWS = [(name, arity) for name, arity in accuracy.rows() if name.lower() in IN_LIBRARY]


def format_name(dtype):
    return np.dtype(dtype).name


every_function = pytest.mark.parametrize("function, arity", ROWS, ids=lambda value: str(value))
every_format = pytest.mark.parametrize("dtype", FORMATS, ids=format_name)


def bit_patterns(dtype, count, seed):
    """Numbers of every size, NaN and infinities among them."""
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    return np.random.default_rng(seed).integers(0, np.iinfo(unsigned).max, count, unsigned, endpoint=True).view(dtype)


def spread(function, arity, dtype):
    """The useful range, random bits, and special values against each other."""
    special = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, np.inf, -np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).tiny,
                        np.finfo(dtype).smallest_subnormal, -3.0, 1e-20, 700.0, -745.0, 88.5], dtype)
    usual = accuracy.points(function, arity, dtype, 400, seed=5)
    if arity == 1:
        return [np.concatenate([usual[0], bit_patterns(dtype, 400, 6), special])]
    x, y = np.meshgrid(special, special)
    return [np.concatenate([usual[0], bit_patterns(dtype, 400, 6), x.ravel()]),
            np.concatenate([usual[1], bit_patterns(dtype, 400, 7), y.ravel()])]


def run(function, arguments, **options):
    kernel = accuracy.kernel_of(accuracy.python_names(function)[0], len(arguments))
    out = np.zeros_like(arguments[0])
    device.kernel(**options)(kernel.underlying)[(len(out) + 36) // 37, 37](*arguments, out)
    return out


def test_every_function_that_is_not_exact_is_in_the_library():
    missing = {name for name, _ in LIBRARY.rows()} - IN_LIBRARY
    assert missing == {"fmod", "remainder", "gamma", "lgamma", "nextafter"}


@pytest.mark.parametrize("family", LIBRARY.FAMILIES, ids=lambda family: family.__name__)
def test_the_compiled_library_is_up_to_date(family):
    path = ROOT / "compiler" / "mathlib" / (family.__name__ + ".inc")
    assert path.read_text() == LIBRARY.text_of(family), "run compiler/mathlib/compile.py and build"


@every_format
@every_function
def test_the_number_of_lanes_does_not_show(monkeypatch, function, arity, dtype):
    """Blocks of 37 threads: whole vectors, and the rest of a row."""
    arguments = spread(function, arity, dtype)
    monkeypatch.setenv("HETJIT_LANES", "1")
    want = run(function, arguments)
    for lanes in (2, 8, 16, 32):
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
        got = run(function, arguments)
        differs = bits(got) != bits(want)
        assert not differs.any(), (lanes, [float(x[differs][0]) for x in arguments], got[differs][0], want[differs][0])


@every_format
@every_function
def test_the_interpreter_gives_the_same_bits(function, arity, dtype):
    arguments = spread(function, arity, dtype)
    again = accuracy.interpreted(accuracy.python_names(function)[0], arguments)
    np.testing.assert_array_equal(bits(again), bits(run(function, arguments)))


@every_format
@every_function
def test_vector_code_without_calls(monkeypatch, function, arity, dtype):
    monkeypatch.setenv("HETJIT_LANES", "16")
    kernel = accuracy.kernel_of(accuracy.python_names(function)[0], arity).underlying
    name = format_name(dtype)
    signature = "(" + ", ".join([f"{name}[:]"] * (arity + 1)) + ")"
    text = _core.show(_core.capture(kernel), "llvm", signature)
    assert ("<16 x float>" if dtype == np.float32 else "<16 x double>") in text
    assert set(re.findall(r"^declare .*@([\w.]+)\(", text, re.M)) <= {
        called for called in re.findall(r"@(llvm\.[\w.]+)\(", text)}


# ---- where a random point of the useful range does not come

def worst(function, arguments, dtype):
    arguments = [np.array(argument, dtype) for argument in arguments]
    with mpmath.workprec(1400):
        exact = [[mpmath.mpf(float(value)) for value in argument] for argument in arguments]
        want = [accuracy.REFERENCES[function](*values) for values in zip(*exact)]
        return accuracy.ulp_errors(run(function, arguments), want, dtype).max()


@every_format
@pytest.mark.parametrize("function", ["Sin", "Cos", "Tan"])
def test_angles_of_every_size(function, dtype):
    x = bit_patterns(dtype, 3000, 8)
    assert worst(function, [x[np.isfinite(x)]], dtype) <= accuracy.bound(function, dtype)
    near = [float(dtype(k * np.pi / 2)) for k in (1, 2, 3, 11, 1000, 83443, 2**20 + 1, 2**27 + 3)]
    hard = [5.319372648326541e255, 6381956970095103 * 2.0**797, 2.0**1023] if dtype == np.float64 else [16367173 * 2.0**72]
    assert worst(function, [near + hard], dtype) <= accuracy.bound(function, dtype)


@every_format
def test_either_side_of_where_angles_become_large(dtype):
    limit = dtype(131072.0 if dtype == np.float32 else 268435456.0)
    x = np.concatenate([limit * (1 + np.finfo(dtype).eps * np.arange(200, dtype=dtype)), limit * (1 - np.linspace(0, 1e-4, 200, dtype=dtype))])
    assert worst("Sin", [x], dtype) <= accuracy.bound("Sin", dtype)


SMALL_RESULTS = {"Exp": ((-103.9, -87.4), (-745.1, -708.5)), "Exp2": ((-149.4, -126.1), (-1074.4, -1022.1)),
                 "Erfc": ((9.2, 10.0), (26.6, 27.2))}


@every_format
@pytest.mark.parametrize("function", list(SMALL_RESULTS))
def test_subnormal_results(function, dtype):
    low, high = SMALL_RESULTS[function][dtype == np.float64]
    x = np.linspace(low, high, 1000).astype(dtype)
    assert worst(function, [x], dtype) <= accuracy.bound(function, dtype)
    assert (run(function, [x]) > 0).all()


@every_format
@pytest.mark.parametrize("function", ["Log", "Log2", "Log10", "Cbrt", "Sin", "Tan", "Asin", "Atan", "Sinh", "Tanh", "Expm1", "Log1p",
                                      "Erf", "Asinh", "Atanh"])
def test_subnormal_arguments(function, dtype):
    x = np.finfo(dtype).tiny * np.random.default_rng(9).random(500).astype(dtype)
    assert worst(function, [x[x > 0]], dtype) <= accuracy.bound(function, dtype)


@every_format
def test_powers_at_the_ends(dtype):
    large, small = float(np.finfo(dtype).max) ** 0.5, float(np.finfo(dtype).tiny) ** 0.5
    x = [large * 0.99, small * 0.9, small * 0.01, 1 + 1e-6, 1 - 1e-6, np.finfo(dtype).smallest_subnormal, 3.0, 10.0]
    y = [2.0, 2.0, 2.0, 1e6, 1e6, 0.5, 7.0, -5.0]
    assert worst("Pow", [x, y], dtype) <= accuracy.bound("Pow", dtype)


@every_format
def test_hypot_and_atan2_of_extremes(dtype):
    large, small = float(np.finfo(dtype).max) / 2, float(np.finfo(dtype).tiny)
    x, y = [large, small, small / 4, large, 1.0], [large / 3, small / 3, small / 8, small, small]
    assert worst("Hypot", [x, y], dtype) <= accuracy.bound("Hypot", dtype)
    assert worst("Atan2", [x[:3], y[:3]], dtype) <= accuracy.bound("Atan2", dtype)


@pytest.mark.parametrize("where", ["cpu", "emu:sm_90", "emu:gfx942"])
@every_format
def test_hypot_near_the_largest_number_is_finite(dtype, where):
    """Not libdevice's, of float64. Of complex numbers' sizes too."""
    def kernel(x, y, z, out):
        i = device.tid(1)
        if i < len(x):
            out[i, 0], out[i, 1], out[i, 2] = device.hypot(x[i], y[i]), np.hypot(y[i], x[i]), abs(z[i])
    format = np.finfo(dtype)
    numbers = [format.max, format.max / 2, format.max * dtype(0.7), format.max * dtype(1e-8), format.tiny, format.smallest_subnormal, 0, 1, np.inf, np.nan]
    x, y = (np.ascontiguousarray(a.ravel()) for a in np.meshgrid(np.array(numbers, dtype), np.array(numbers, dtype)))
    z = x.astype(f"c{2 * x.itemsize}")
    z.imag = y
    out = device.zeros((len(x), 3), dtype, where)
    tools.skip_without_libdevice(lambda: device.kernel(kernel).forall(len(x))(*(device.array(a, where) for a in (x, y, z)), out))
    with np.errstate(over="ignore"):
        right = np.array([np.hypot(np.longdouble(a), np.longdouble(b)).astype(dtype) for a, b in zip(x, y)], dtype)
    for column in device.to_numpy(out).T:
        np.testing.assert_array_equal(np.isfinite(column), np.isfinite(right))
        np.testing.assert_allclose(column[np.isfinite(right)], right[np.isfinite(right)], rtol=4 * float(format.eps), atol=float(format.smallest_subnormal))


# ---- options and targets

@every_format
@every_function
def test_fastmath_leaves_the_library_alone(function, arity, dtype):
    arguments = accuracy.points(function, arity, dtype, 200, seed=12)
    np.testing.assert_array_equal(bits(run(function, arguments, fastmath=True)), bits(run(function, arguments)))


@pytest.mark.parametrize("target, library", [("cuda:sm_90", "__nv_"), ("hip:gfx942", "__ocml_")])
@every_format
@every_function
def test_gpus_can_have_it_too(monkeypatch, function, arity, dtype, target, library):
    """With the option, or where the vendor's library is not installed."""
    kernel = accuracy.kernel_of(accuracy.python_names(function)[0], arity).underlying
    signature = "(" + ", ".join([f"{format_name(dtype)}[:]"] * (arity + 1)) + ")"
    text = _core.show(_core.capture(kernel), "llvm", signature, target, portable_math=True)
    assert library not in text
    monkeypatch.setenv("HETJIT_LIBDEVICE", "no/such/file")
    monkeypatch.setenv("HETJIT_OCML", "no/such/file")
    code = _core.compile(_core.capture(kernel), signature, target, portable_math=True)["code"]
    if target.startswith("cuda") and tools.find_ptxas():
        tools.assemble(code, "sm_90")


@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942"])
def test_a_gpu_kernel_needs_no_vendors_library(monkeypatch, target):
    """Installed, it is used; where it is not, ours is. Only a file that was named must be there (diag/MissingDeviceLibrary)."""
    monkeypatch.delenv("HETJIT_LIBDEVICE", raising=False)
    monkeypatch.delenv("HETJIT_OCML", raising=False)
    kernel = accuracy.kernel_of("math.sin", 1).underlying
    assert _core.compile(_core.capture(kernel), "(float64[:], float64[:])", target)["code"]


@pytest.mark.skipif(not GPUS, reason="no GPU on this machine")
@every_format
@every_function
def test_gpus_give_the_hosts_bits(function, arity, dtype):
    arguments = spread(function, arity, dtype)
    kernel = accuracy.kernel_of(accuracy.python_names(function)[0], arity).underlying
    want = run(function, arguments)
    for where in GPUS:
        there = [_core.DeviceArray(a.shape, a.dtype.name, where) for a in (*arguments, want)]
        for array, values in zip(there, arguments):
            array.copy_in(values)
        device.kernel(portable_math=True)(kernel)[(len(want) + 36) // 37, 37](*there)
        got = np.zeros_like(want)
        there[-1].copy_out(got)
        np.testing.assert_array_equal(bits(got), bits(want), err_msg=where)

"""float16, bfloat16 and the 8-bit floats: every bit pattern against NumPy and ml_dtypes; interpreter = host; all targets compile."""

import math

import numpy as np
import pytest

from hetjit import _core, device

import tools
from both import both, refused

ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

TINY = {"float8e4m3": ml_dtypes.float8_e4m3fn, "float8e5m2": ml_dtypes.float8_e5m2,
        "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz}
LARGEST = {"float8e4m3": 448.0, "float8e5m2": 57344.0, "float8e4m3fnuz": 240.0, "float8e5m2fnuz": 57344.0}
HALF = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
ALL = {**TINY, **HALF}


def patterns(name):
    dtype = np.dtype(ALL[name])
    return np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)


def as_bits(x):
    """Bits with one NaN, of formats that NumPy knows or not."""
    nan = np.isnan(x.astype(np.float64))
    raw = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").copy()
    raw[nan] = 0x7F if x.dtype.itemsize == 1 else 0x7E00
    return raw


def both_raw(kernel, *arguments, grid):
    interpreted, native = (tuple(a.copy() for a in arguments) for _ in range(2))
    _core.interpret(_core.capture(kernel), interpreted, grid, 1)
    device.kernel(kernel)[grid, 1](*native)
    np.testing.assert_array_equal(as_bits(interpreted[-1]), as_bits(native[-1]))
    return native[-1]


def widen(x, out):
    i = device.tid(1)
    out[i] = x[i]


@pytest.mark.row("HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-F16", "HET-FIX-BF16")
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("wide", [np.float32, np.float64])
def test_every_pattern_widens_exactly(name, wide):
    x = patterns(name)
    out = both_raw(widen, x, np.zeros(len(x), wide), grid=len(x))
    np.testing.assert_array_equal(as_bits(out), as_bits(x.astype(wide)))


def expected(values, name):
    """Rounded once to nearest even; 8-bit formats saturate (AMB-10)."""
    values = np.asarray(values, np.float64)
    if name in TINY:
        values = np.clip(values, -LARGEST[name], LARGEST[name])
    if name == "float16":
        with np.errstate(over="ignore"):
            return values.astype(np.float16)
    # ml_dtypes rounds doubles to float32 first; so here the last bit of that float is set where something is cut off.
    with np.errstate(over="ignore", invalid="ignore"):
        single = values.astype(np.float32)
        raw = single.view(np.uint32) - (abs(single.astype(np.float64)) > abs(values)).astype(np.uint32)
        inexact = (single.astype(np.float64) != values) & ~np.isnan(values)
        return (raw | inexact.astype(np.uint32)).view(np.float32).astype(ALL[name])


def near(name):
    """Every finite value of the format, the middles between neighbours, and the doubles around those."""
    with np.errstate(invalid="ignore"):
        exact = np.unique(patterns(name).astype(np.float64))
    exact = exact[np.isfinite(exact)]
    middles = (exact[1:] + exact[:-1]) / 2
    points = np.concatenate([exact, middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf),
                             [np.inf, -np.inf, np.nan, 1e9, -1e9, 1e300, 5e-324, 448.0, 464.0, 480.0, 61440.0, 65520.0]])
    return points[:: max(1, len(points) // 20000)]


@pytest.mark.row("HET-FIX-5", "HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-F16", "HET-FIX-BF16")
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("wide", [np.float64, np.float32, np.float16])
def test_narrowing_rounds_once(name, wide):
    with np.errstate(over="ignore"):
        values = near(name).astype(wide)
    out = both_raw(widen, values, np.zeros(len(values), ALL[name]), grid=len(values))
    np.testing.assert_array_equal(as_bits(out), as_bits(expected(values.astype(np.float64), name)))


@pytest.mark.row("HET-FIX-5")
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("whole", ["int8", "uint8", "int16", "int32", "int64", "uint64"])
def test_integers_become_small_floats_and_back(name, whole):
    limits = np.iinfo(whole)
    values = np.unique(np.array([limits.min, limits.max, 0, 1, 3, 17, 100, limits.max // 3, limits.max // 2 + 1], whole))
    out = both_raw(widen, values, np.zeros(len(values), ALL[name]), grid=len(values))
    if whole not in ("int64", "uint64"):  # exact as doubles
        np.testing.assert_array_equal(as_bits(out), as_bits(expected(values.astype(np.float64), name)))

    scope = {"device": device, "kind": getattr(device, whole)}
    exec("def back(x, out):\n    i = device.tid(1)\n    out[i] = kind(x[i])\n", scope)
    x = patterns(name)[:: max(1, len(patterns(name)) // 2048)]
    got = both(scope["back"], x, np.zeros(len(x), whole), grid=len(x))
    for value, found in zip(x.astype(np.float64).tolist(), got.tolist()):
        want = 0 if math.isnan(value) else limits.max if value >= limits.max else limits.min if value <= limits.min else int(value)
        assert found == want, value


def small_arithmetic(x, y, out):
    i = device.tid(1)
    a, b = x[i], y[i]
    out[i, 0] = a + b
    out[i, 1] = a - b
    out[i, 2] = a * b
    out[i, 3] = a / b
    out[i, 4] = -a
    out[i, 5] = abs(a)
    out[i, 6] = device.sqrt(abs(a))
    out[i, 7] = device.floor(b)


@pytest.mark.row("HET-FIX-F16", "HET-FIX-BF16", "HET-FIX-4")
@pytest.mark.parametrize("name", HALF)
def test_arithmetic_rounds_each_result_once(name):
    x = np.random.default_rng(1).permutation(patterns(name))[:8192]
    y = np.random.default_rng(2).permutation(patterns(name))[:8192]
    scope = {"device": device}
    out = np.zeros((len(x), 8), ALL[name])
    again = out.copy()
    device.kernel(contract=False)(small_arithmetic)[len(x), 1](x, y, out)
    _core.interpret(_core.capture(small_arithmetic), (x, y, again), len(x), 1, contract=False)
    np.testing.assert_array_equal(as_bits(out), as_bits(again))
    a, b = x.astype(np.float64), y.astype(np.float64)
    with np.errstate(all="ignore"):
        want = np.stack([a + b, a - b, a * b, np.divide(a.astype(np.float32), b.astype(np.float32)), -a, abs(a),
                         np.sqrt(abs(a).astype(np.float32)), np.floor(b)], 1).astype(np.float32).astype(ALL[name])
    np.testing.assert_array_equal(as_bits(out), as_bits(want))
    assert scope


@pytest.mark.row("HET-FIX-F16")
def test_float16_adds_in_float16():
    def add(a, b, out):
        out[0] = a + b

    assert both(add, np.float16(2048), np.float16(1), np.zeros(1))[0] == 2048


def fused_exactly(a, b, c):
    """a * b + c rounded once, by whole numbers: a product of halves is a multiple of 2^-48."""
    whole = [[int(x * 2.0 ** bits) for x in values.astype(np.float64)] for values, bits in ((a, 24), (b, 24), (c, 48))]
    exact = [x * y + z for x, y, z in zip(*whole)]
    near = np.array([float(n) * 2.0 ** -48 for n in exact]).astype(np.float16)
    with np.errstate(over="ignore"):
        around = [np.nextafter(near, np.float16(-np.inf)), near, np.nextafter(near, np.float16(np.inf))]
    found = []
    for n, *three in zip(exact, *around):
        finite = [x for x in three if np.isfinite(x)]
        found.append(min(finite, key=lambda x: (abs(int(float(x) * 2.0 ** 48) - n), int(x.view(np.uint16)) & 1)))
    return np.array(found, np.float16)


@pytest.mark.row("HET-FIX-F16")
def test_a_fused_float16_is_rounded_once():
    """Products that end in a tie of float16, and an addend far below that breaks it."""
    def fused(a, b, c, out):
        i = device.tid(1)
        out[i] = a[i] * b[i] + c[i]

    generator = np.random.default_rng(16)
    some = generator.integers(0x0001, 0x5000, (3, 20000), np.uint16).view(np.float16)
    a = np.ldexp(generator.integers(1025, 2048, 20000), -10).astype(np.float16)
    b = np.ldexp(generator.integers(33, 64, 20000) * 2 + 1, -6).astype(np.float16)
    far = np.ldexp(generator.choice([-1.0, 1.0], 20000), generator.integers(-24, 5, 20000)).astype(np.float16)
    a, b, c = np.concatenate([some[0], a]), np.concatenate([some[1], b]), np.concatenate([some[2] * np.float16(-1), far])
    out = both_raw(fused, a, b, c, np.zeros_like(a), grid=len(a))
    within = np.abs(a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)) < 65000
    np.testing.assert_array_equal(as_bits(out[within]), as_bits(fused_exactly(a[within], b[within], c[within])))
    assert np.any(out[within] != (a * b + c)[within])
    with np.errstate(all="ignore"):
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, -65504, 6e-8, 1], np.float16)
        a, b, c = (x.ravel() for x in np.meshgrid(special, special, special))
        exact = (a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)).astype(np.float16)
    np.testing.assert_array_equal(as_bits(both_raw(fused, a, b, c, np.zeros_like(a), grid=len(a))), as_bits(exact))


@pytest.mark.row("HET-PROM-8", "HET-FIX-E4M3", "HET-FIX-E5M2")
@pytest.mark.parametrize("name", TINY)
def test_8_bit_floats_are_for_storage(name):
    convert = "convert first: device.float32(x)"
    assert convert in refused(lambda x: x + x, f"({name})")
    assert convert in refused(lambda x: x * 2.0, f"({name})")
    assert convert in refused(lambda x: abs(x), f"({name})")
    assert convert in refused(lambda x: device.sqrt(x), f"({name})")
    assert "cannot apply '-'" in refused(lambda x: -x, f"({name})")
    assert "cannot compare" in refused(lambda x, y: x < y, f"({name}, float32)")


@pytest.mark.differs("shows the bits of NaN, which no target promises")
@pytest.mark.row("HET-FIX-E4M3", "HET-FIX-E5M2", "HET-FIX-BF16", "HET-FIX-5")
def test_bytes_of_casts():
    def casts(x, out):
        out[0] = device.float8e4m3(x).view(device.uint8)
        out[1] = device.float8e5m2(x).view(device.uint8)
        out[2] = device.bfloat16(x).view(device.uint16)
        out[3] = device.float16(x).view(device.uint16)

    for value, want in ((1.0, (0x38, 0x3C, 0x3F80, 0x3C00)), (448.0, (0x7E, 0x5F, 0x43E0, 0x5F00)),
                        (57344.0, (0x7E, 0x7B, 0x4760, 0x7B00)), (1.00390625, (0x38, 0x3C, 0x3F80, 0x3C04)),
                        (1e9, (0x7E, 0x7B, 0x4E6E, 0x7C00)), (math.inf, (0x7E, 0x7B, 0x7F80, 0x7C00))):
        assert tuple(both(casts, value, np.zeros(4, np.int64)).tolist()) == want
    assert both(casts, math.nan, np.zeros(4, np.int64)).tolist()[:2] == [0x7F, 0x7F]


@pytest.mark.row("HET-FIX-4", "HET-FIX-6")
@pytest.mark.parametrize("target", ["cuda:sm_75", "cuda:sm_80", "cuda:sm_90", "hip:gfx90a", "cpu:x86-64-v3"])
def test_all_targets_compile_them(target):
    for name in ALL:
        for kernel, signature in ((widen, f"(float32[:], {name}[:])"), (widen, f"({name}[:], float64[:])"),
                                  (widen, f"(int64[:], {name}[:])")):
            image = _core.compile(_core.capture(kernel), signature, target)
            if target.startswith("cuda") and tools.find_ptxas():
                tools.assemble(image["code"], target.split(":")[1])
    for name in HALF:
        image = tools.skip_without_ocml(lambda: _core.compile(
            _core.capture(small_arithmetic), f"({name}[:], {name}[:], {name}[:, :])", target))
        if target.startswith("cuda") and tools.find_ptxas():
            tools.assemble(image["code"], target.split(":")[1])

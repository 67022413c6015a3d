"""Intrinsics on bits, and the functions of Python and NumPy that are written in Python (python/hetjit/library)."""

import math

import numpy as np
import pytest

from hetjit import _core, device

import tools
from both import both, refused, same

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def values(dtype):
    limits = np.iinfo(dtype)
    some = [0, 1, 2, 3, 5, 127, limits.max, limits.max - 1, limits.min, limits.min + 1, limits.max // 3, 64]
    rng = np.random.default_rng(1)
    return np.array(some + rng.integers(limits.min, limits.max, 50, dtype=dtype, endpoint=True).tolist(), dtype)


def bit_functions(x, out, reversed_):
    i = device.tid(1)
    out[i, 0] = device.popc(x[i])
    out[i, 1] = device.clz(x[i])
    out[i, 2] = device.ffs(x[i])
    out[i, 3] = x[i].bit_length()
    out[i, 4] = x[i].bit_count()
    out[i, 5] = np.bitwise_count(x[i])
    reversed_[i] = device.brev(x[i])


@pytest.mark.row("HETX-NI-1")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits_of_every_integer(dtype):
    x = values(dtype)
    out, reversed_ = np.zeros((len(x), 6), np.int32), np.zeros_like(x)
    device.kernel(bit_functions)[len(x), 1](x, out, reversed_)
    again, reversed_again = np.zeros_like(out), np.zeros_like(x)
    _core.interpret(_core.capture(bit_functions), (x, again, reversed_again), len(x), 1)
    same(out, again)
    same(reversed_, reversed_again)
    width = 8 * x.itemsize
    for value, row, back in zip(x, out.tolist(), reversed_):
        text = f"{int(value) & (1 << width) - 1:0{width}b}"
        low = text[::-1].find("1") + 1
        want = [text.count("1"), width if "1" not in text else text.index("1"), low]
        assert row[:3] == want == [device.popc(value), device.clz(value), device.ffs(value)]
        assert row[3:] == [int(value).bit_length(), int(value).bit_count(), int(value).bit_count()]
        assert f"{int(back) & (1 << width) - 1:0{width}b}" == text[::-1]
        assert device.brev(value) == back and device.brev(value).dtype == x.dtype


@pytest.mark.row("HETX-NI-1")
def test_builtin_ints_have_32_bits():
    def kernel(n, out):
        out[0] = device.popc(n)
        out[1] = device.clz(n)
        out[2] = device.ffs(n)
        out[3] = device.brev(n)

    for n in (-1, 0, 1, 12, -(2**31)):
        want = [device.popc(n), device.clz(n), device.ffs(n), device.brev(n)]
        assert both(kernel, n, np.zeros(4, np.int64)).tolist() == want
    assert device.popc(-1) == 32 and device.clz(1) == 31 and device.brev(1) == -(2**31)
    with pytest.raises(OverflowError):
        device.popc(2**32)
    with pytest.raises(TypeError):
        device.clz(1.5)


def high_halves(x, y, out):
    i = device.tid(1)
    out[i] = device.mulhi(x[i], y[i])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_upper_halves_of_products(dtype):
    x = np.repeat(values(dtype), 4)
    y = np.roll(values(dtype), 5).repeat(4)[::-1].copy()
    out = both(high_halves, x, y, np.zeros_like(x), grid=len(x))
    for a, b, high in zip(x, y, out):
        want = int(a) * int(b) >> 8 * x.itemsize
        assert high == want == device.mulhi(a, b) and device.mulhi(a, b).dtype == x.dtype


def test_upper_halves_of_builtin_and_mixed_ints():
    def kernel(n, x, out):
        out[0] = device.mulhi(n, 1 << 20)
        out[1] = device.mulhi(x[0], n)
        out[2] = device.mulhi(True, n)

    for n in (0, 1, -1, 12345678, -(2**31)):
        x = np.array([-(2**62) - 12345], np.int64)
        want = [n << 20 >> 32, int(x[0]) * n >> 64, n >> 32]
        assert both(kernel, n, x, np.zeros(3, np.int64)).tolist() == want
        assert [device.mulhi(n, 1 << 20), device.mulhi(x[0], n), device.mulhi(True, n)] == want
    assert "'mulhi' takes an integer, not float32" in refused(lambda x: device.mulhi(x, 1), "(float32)")
    assert "int64 and uint64" in refused(lambda x, y: device.mulhi(x, y), "(int64, uint64)")
    assert "does not fit" in refused(lambda x: device.mulhi(x, 1000), "(int8)")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_saturated_floats(dtype):
    def kernel(x, out):
        i = device.tid(1)
        out[i] = device.saturate(x[i])

    x = np.array([-math.inf, -2, -0.0, 0.0, 1e-7, 0.5, 1, 1.5, math.inf, math.nan], dtype)
    out = both(kernel, x, np.zeros_like(x), grid=len(x))
    want = np.array([0, 0, 0, 0, x[4], 0.5, 1, 1, 1, 0], dtype)
    np.testing.assert_array_equal(out, want)
    assert not np.signbit(out).any() and [device.saturate(one) for one in x] == want.tolist()


@pytest.mark.row("HETX-NI-1")
def test_cbrt_and_fma():
    def kernel(x, out):
        i = device.tid(1)
        out[i, 0] = device.cbrt(x[i])
        out[i, 1] = device.fma(x[i], x[i], -1.0)

    x = np.array([8.0, -27.0, 1 + 2**-30, 0.0])
    out = both(kernel, x, np.zeros((4, 2)), grid=4)
    np.testing.assert_allclose(out[:, 0], np.cbrt(x), rtol=1e-15)
    assert out[2, 1] == 2**-29 + 2**-60 == device.fma(x[2], x[2], -1.0)


@pytest.mark.row("HETX-NI-1")
def test_bits_of_floats_are_refused():
    assert "'popc' takes an integer, not float32" in refused(lambda x: device.popc(x), "(float32)")


@pytest.mark.row("HETX-NI-1")
@pytest.mark.parametrize("target", ["cuda:sm_75", "cuda:sm_90", "hip:gfx942"])
def test_gpus_have_instructions_for_them(target):
    for dtype in INTEGERS:
        image = _core.compile(_core.capture(bit_functions), f"({dtype}[:], int32[:, :], {dtype}[:])", target)
        if target.startswith("cuda"):
            text = bytes(image["code"]).decode()
            assert all(word in text for word in ("popc.b", "clz.b")) and (dtype[-2:] not in ("32", "64") or "brev.b" in text)
            if tools.find_ptxas():
                tools.assemble(image["code"], target.split(":")[1])


# ---- whole numbers

def whole_functions(a, b, out):
    i = device.tid(1)
    x, y = a[i], b[i]
    out[i, 0] = math.gcd(x, y)
    out[i, 1] = np.gcd(x, y)
    out[i, 2] = math.lcm(x, y)
    out[i, 3] = math.isqrt(abs(x))
    out[i, 4] = pow(x, abs(y), 97)
    out[i, 5] = pow(x, 5, -13)
    out[i, 6] = pow(abs(x), abs(y), y) if y != 0 else 0


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_whole_numbers(dtype):
    rng = np.random.default_rng(3)
    most = 2**15 if dtype == "int32" else 2**31
    a, b = (np.concatenate([rng.integers(-most, most, 60), [0, 1, -1, 12, 0]]).astype(dtype) for _ in range(2))
    out = both(whole_functions, a, b, np.zeros((len(a), 7), dtype), grid=len(a))
    for x, y, row in zip(a.tolist(), b.tolist(), out.tolist()):
        assert row == [math.gcd(x, y), math.gcd(x, y), math.lcm(x, y), math.isqrt(abs(x)), pow(x, abs(y), 97),
                       pow(x, 5, -13), pow(abs(x), abs(y), y) if y else 0], (x, y)


def test_roots_of_the_largest_numbers():
    def kernel(x, out):
        out[device.tid(1)] = math.isqrt(x[device.tid(1)])

    for dtype in INTEGERS:
        top = np.iinfo(dtype).max
        x = np.array([0, 1, 2, 3, 4, 15, 16, 17, top, top - 1, math.isqrt(int(top)) ** 2, math.isqrt(int(top)) ** 2 - 1], dtype)
        assert both(kernel, x, np.zeros_like(x), grid=len(x)).tolist() == [math.isqrt(int(n)) for n in x]


def test_powers_modulo_64_bits_do_not_wrap():
    def kernel(x, n, m, out):
        out[0] = pow(x[0], n[0], m[0])

    for dtype, modulus in (("int64", 2**63 - 25), ("uint64", 2**64 - 59)):
        x, n, m = (np.array([v], dtype) for v in (modulus - 12345, 10**18 + 9, modulus))
        assert both(kernel, x, n, m, np.zeros(1, dtype))[0] == pow(modulus - 12345, 10**18 + 9, modulus)


def test_ways_to_choose():
    def kernel(out):
        out[0] = math.factorial(12)
        out[1] = math.comb(28, 14)
        out[2] = math.perm(10, 3)
        out[3] = math.perm(6)
        out[4] = math.comb(3, 5)
        out[5] = math.gcd(12, 18, 27)
        out[6] = math.lcm(4, 6)
        out[7] = math.prod((2, 3, 7))

    want = [math.factorial(12), 40116600, 720, 720, 0, 3, 12, 42]
    assert both(kernel, np.zeros(8, np.int64)).tolist() == want


# ---- floats taken apart

def float_functions(x, y, out):
    i = device.tid(1)
    a, b = x[i], y[i]
    rest, whole = math.modf(a)
    m, e = math.frexp(a)
    out[i, 0], out[i, 1] = rest, whole
    out[i, 2], out[i, 3] = m, e
    out[i, 4] = math.ldexp(a, 3)
    out[i, 5] = math.ldexp(a, -700)
    out[i, 6] = math.ulp(a)
    out[i, 7] = math.isclose(a, b)
    out[i, 8] = np.heaviside(a, b)
    out[i, 9] = np.nan_to_num(a)
    out[i, 10] = np.spacing(a)
    out[i, 11] = math.ldexp(b, 40)
    out[i, 12] = a.is_integer()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_taken_apart(dtype):
    tiny = float(np.finfo(dtype).smallest_subnormal)
    some = [0.0, -0.0, 1.0, -1.5, 0.1, 1e10, -123.75, math.inf, -math.inf, math.nan, tiny, 3 * tiny, -7 * tiny,
            float(np.finfo(dtype).max), float(np.finfo(dtype).tiny)]
    x = np.array(some + np.random.default_rng(5).normal(size=30).tolist(), dtype)
    y = np.roll(x, 1)
    out = both(float_functions, x, y, np.zeros((len(x), 13), dtype), grid=len(x))
    with np.errstate(all="ignore"):
        rest, whole = np.modf(x)
        m, e = np.frexp(x)
        want = [rest, whole, m, np.where(np.isfinite(x), e, 0), np.ldexp(x, 3), np.ldexp(x, -700), abs(np.spacing(x)),
                [math.isclose(a, b) for a, b in zip(x.tolist(), y.tolist())], np.heaviside(x, y), np.nan_to_num(x),
                np.spacing(x), np.ldexp(y, 40), [v.is_integer() for v in x.tolist()]]
        want[6] = np.where(np.isinf(x), np.inf, want[6])
        want[6][x == np.finfo(dtype).max] = np.finfo(dtype).max - np.nextafter(np.finfo(dtype).max, dtype(0))
    for column, expected in enumerate(want):
        np.testing.assert_array_equal(out[:, column], np.asarray(expected, dtype), f"column {column}")
    assert (np.signbit(out[:, 0]) == np.signbit(rest))[~np.isnan(x)].all()


def test_sums_of_exponentials():
    def kernel(x, y, out):
        i = device.tid(1)
        out[i, 0] = np.logaddexp(x[i], y[i])
        out[i, 1] = np.logaddexp2(x[i], y[i])
        out[i, 2] = np.sinc(x[i])

    x = np.array([0.0, 1.0, 1000.0, -1000.0, -np.inf, np.inf, 3.0, np.nan])
    y = np.array([0.0, 2.0, 999.0, -1001.0, -np.inf, 1.0, -np.inf, 1.0])
    out = both(kernel, x, y, np.zeros((8, 3)), grid=8)
    with np.errstate(all="ignore"):
        want = np.stack([np.logaddexp(x, y), np.logaddexp2(x, y), np.sinc(x)], 1)
    np.testing.assert_allclose(out, want, rtol=1e-13, atol=1e-15)


def test_constants_of_math():
    def kernel(out):
        out[0] = math.pi + math.e + math.tau
        out[1] = math.inf
        out[2] = -math.inf
        out[3] = math.nan

    same(both(kernel, np.zeros(4)), [math.pi + math.e + math.tau, math.inf, -math.inf, math.nan])


def timed(x, out):
    i = device.tid(1)
    before = device.clock()
    device.clock()  # nobody reads this one
    total = 0.0
    for k in range(x.shape[0]):
        total += device.sqrt(x[k])
    x[i] = total
    out[i, 0] = before
    out[i, 1] = device.clock()


def test_clock():
    """Readings of one thread grow, with the work between them in between, and none is left out as the same as another."""
    x, out = np.ones(20000, np.float32), np.zeros((3, 2), np.int64)
    device.kernel(timed)[3, 1](x, out)
    assert (out[:, 1] > out[:, 0]).all() and (np.diff(out, axis=1) > 1000).all()
    _core.interpret(_core.capture(timed), (x[:100], out), 3, 1)
    assert (out[:, 1] > out[:, 0]).all()
    assert isinstance(device.clock(), np.int64) and device.clock() <= device.clock()
    for target, phase, text in [("cuda:sm_90", "ptx", "%clock64"), ("hip:gfx942", "amdgcn", "s_memtime"),
                                ("hip:gfx1030", "amdgcn", "s_memrealtime"),
                                ("hip:gfx1100", "amdgcn", "MSG_RTN_GET_REALTIME"), ("hip:gfx1200", "amdgcn", "SHADER_CYCLES_HI"),
                                ("cpu:x86-64-v3", "host", "rdtsc")]:
        code = _core.show(_core.capture(timed), phase, "(float32[::1], int64[:, ::1])", target)
        assert code.count(text) >= 3, target
    assert "clock" in refused(lambda out: device.clock(1), "(int64[:])")


def test_distances():
    def kernel(p, q, out):
        a, b = (p[0], p[1], p[2]), (q[0], q[1], q[2])
        out[0] = math.dist(a, b)
        out[1] = math.hypot(p[0], p[1], p[2])
        out[2] = math.hypot(p[0])
        out[3] = math.hypot()

    p, q = [3e200, -4e200, 12e200], [1.0, 2.0, 3e201]
    out = both(kernel, np.array(p), np.array(q), np.zeros(4))
    np.testing.assert_allclose(out, [math.dist(p, q), math.hypot(*p), p[0], 0], rtol=3e-16)
    with pytest.raises(ValueError, match="same number of dimensions"):
        device.kernel(lambda out: math.dist((1.0, 2.0), (3.0,)) and None)[1, 1](out)


def test_a_modulus_is_never_dropped():
    """However pow() came in: with three arguments it is not what two give."""
    def kernel(out, power):
        out[0] = power(2, 3, 5)

    out = np.zeros(1, np.int32)
    device.kernel(kernel)[1, 1](out, pow)
    assert out[0] == 3

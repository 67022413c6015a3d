"""Complex numbers: CPython's values where CPython has them, Annex G's for infinities and zeros; interpreter = host."""

import cmath
import itertools
import math

import numpy as np
import pytest

from hetjit import _core, device

import tools
from both import both, refused, same

pytestmark = pytest.mark.row("HET-NUM-5")

inf, nan = math.inf, math.nan
EDGES = [0.0, -0.0, 1.0, -2.5, 1e300, -1e-300, inf, -inf, nan]
K = np.complex128(0.1 + 0.2j)
SMALL = np.complex64(3 - 4j)


def numbers(count, dtype, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=count) * 4.0 ** rng.integers(-9, 9, count)
            + 1j * rng.normal(size=count) * 4.0 ** rng.integers(-9, 9, count)).astype(dtype)


def arithmetic(x, y, out):
    i = device.tid(1)
    a, b = x[i], y[i]
    out[i, 0] = a + b
    out[i, 1] = a - b
    out[i, 2] = a * b
    out[i, 3] = a / b
    out[i, 4] = -a
    out[i, 5] = +a
    out[i, 6] = a ** 2
    out[i, 7] = a ** -3
    out[i, 8] = a ** 0
    out[i, 9] = a * 2 + 1.5
    out[i, 10] = 2 - a
    out[i, 11] = a / 4
    out[i, 12] = 3j * a


def test_arithmetic_is_cpythons():
    x, y = numbers(64, np.complex128), numbers(64, np.complex128, 1)
    out = both(arithmetic, x, y, np.zeros((64, 13), np.complex128), grid=4, block=16)
    for a, b, got in zip(x.tolist(), y.tolist(), out):
        same(got[:7], [a + b, a - b, a * b, a / b, -a, a, a * a])
        same(got[8:12], [1, complex(a.real * 2 + 1.5, a.imag * 2), complex(2 - a.real, -a.imag),
                         complex(a.real / 4, a.imag / 4)])
        same(got[12], 3j * a)
        np.testing.assert_allclose(got[7], a ** -3, rtol=1e-14)


@pytest.mark.parametrize("contract", [False, True])
def test_single_precision_is_as_close_as_its_format(contract):
    x, y = numbers(64, np.complex64), numbers(64, np.complex64, 1)
    out = both(arithmetic, x, y, np.zeros((64, 13), np.complex64), grid=4, block=16, contract=contract)
    want = np.stack([x + y, x - y, x * y, x / y, -x, x, x**2, x**-3.0, x**0, x * 2 + 1.5, 2 - x, x / 4, 3j * x], 1)
    np.testing.assert_allclose(out, want, rtol=4e-6)


def annex_g_product(z, w):
    """The example of C11, G.5.1."""
    a, b, c, d = z.real, z.imag, w.real, w.imag
    ac, bd, ad, bc = a * c, b * d, a * d, b * c
    x, y = ac - bd, ad + bc
    if not (math.isnan(x) and math.isnan(y)):
        return complex(x, y)
    box = lambda v: math.copysign(1.0 if math.isinf(v) else 0.0, v)  # noqa: E731
    zero = lambda v: math.copysign(0.0, v) if math.isnan(v) else v  # noqa: E731
    again = False
    if math.isinf(a) or math.isinf(b):
        a, b, c, d, again = box(a), box(b), zero(c), zero(d), True
    if math.isinf(c) or math.isinf(d):
        c, d, a, b, again = box(c), box(d), zero(a), zero(b), True
    if not again and any(map(math.isinf, (ac, bd, ad, bc))):
        a, b, c, d, again = *map(zero, (a, b, c, d)), True
    return complex(inf * (a * c - b * d), inf * (a * d + b * c)) if again else complex(x, y)


def divided(x, y):
    if y:
        return x / y
    return nan if x == 0 or x != x else math.copysign(inf, x) * math.copysign(1, y)


def annex_g_quotient(z, w):
    """Smith's method, then the example of C11, G.5.1 for what is left NaN."""
    a, b, c, d = z.real, z.imag, w.real, w.imag
    if abs(c) >= abs(d):
        r = divided(d, c)
        s = c + d * r
        x, y = divided(a + b * r, s), divided(b - a * r, s)
    else:
        r = divided(c, d)
        s = c * r + d
        x, y = divided(a * r + b, s), divided(b * r - a, s)
    if not (math.isnan(x) and math.isnan(y)):
        return complex(x, y)
    box = lambda v: math.copysign(1.0 if math.isinf(v) else 0.0, v)  # noqa: E731
    if c == 0 and d == 0:
        return complex(math.copysign(inf, c) * a, math.copysign(inf, c) * b)
    infinite = lambda u, v: math.isinf(u) or math.isinf(v)  # noqa: E731
    finite = lambda u, v: math.isfinite(u) and math.isfinite(v)  # noqa: E731
    if infinite(a, b) and finite(c, d):
        a, b = box(a), box(b)
        return complex(inf * (a * c + b * d), inf * (b * c - a * d))
    if infinite(c, d) and finite(a, b):
        c, d = box(c), box(d)
        return complex(0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
    return complex(x, y)


def products(x, y, out):
    i = device.tid(1)
    out[i, 0] = x[i] * y[i]
    out[i, 1] = x[i] / y[i]


def test_special_values_are_annex_gs():
    edges = [complex(a, b) for a, b in itertools.product(EDGES, EDGES)]
    x, y = map(np.array, zip(*itertools.product(edges, edges)))
    out = both(products, x, y, np.zeros((len(x), 2), np.complex128), grid=len(x))
    same(out[:, 0], [annex_g_product(a, b) for a, b in zip(x.tolist(), y.tolist())])
    same(out[:, 1], [annex_g_quotient(a, b) for a, b in zip(x.tolist(), y.tolist())])


def test_an_infinity_stays_one_in_single_precision_too():
    edges = np.array([complex(inf, nan), complex(nan, -inf), complex(inf, 0), complex(-1, inf)], np.complex64)
    out = both(products, edges, np.full(4, 2 + 3j, np.complex64), np.zeros((4, 2), np.complex64), grid=4)
    assert np.isinf(out).all()
    out = both(products, np.full(4, 2 + 3j, np.complex64), np.zeros(4, np.complex64), np.zeros((4, 2), np.complex64),
               grid=4)
    assert np.isinf(out[:, 1]).all()


def powers(x, y, out):
    i = device.tid(1)
    a, b = x[i], y[i]
    out[i, 0] = a ** b
    out[i, 1] = a ** b.real
    out[i, 2] = pow(a, 0.5)
    out[i, 3] = 2 ** b


def test_powers():
    x, y = numbers(64, np.complex128), numbers(64, np.complex128, 2) / 16
    y = y / np.maximum(1, abs(y))
    out = both(powers, x, y, np.zeros((64, 4), np.complex128), grid=64)
    want = [[a**b, a ** b.real, a**0.5, 2**b] for a, b in zip(x.tolist(), y.tolist())]
    np.testing.assert_allclose(out, want, rtol=1e-13)
    edge = both(powers, np.zeros(3, complex), np.array([0, 2, 0.5 + 1j]), np.zeros((3, 4), complex), grid=3)
    same(edge[:, 0], [1, 0, 0])


def test_comparison_truth_and_size():
    def kernel(x, y, out):
        i = device.tid(1)
        out[i, 0] = x[i] == y[i]
        out[i, 1] = x[i] != y[i]
        out[i, 2] = bool(x[i])
        out[i, 3] = x[i] == 1
        out[i, 4] = not x[i]
        out[i, 5] = abs(x[i])

    x = np.array([1, 1j, 0, complex(nan, 0), complex(1, -0.0), 3 + 4j])
    y = np.array([1, 1, 0, complex(nan, 0), 1, 3 - 4j])
    out = both(kernel, x, y, np.zeros((6, 6)), grid=6)
    want = [[a == b, a != b, bool(a), a == 1, not a, abs(a)] for a, b in zip(x.tolist(), y.tolist())]
    same(out, np.array(want, float))


@pytest.mark.row("HET-PROM-8")
def test_formats_meet_as_the_table_says():
    def kernel(z, w, f, d, n, out):
        out[0] = (z[0] + 1j).dtype == device.complex64
        out[1] = (z[0] + d[0]).dtype == device.complex128
        out[2] = (n[0] * z[0]).dtype == device.complex64
        out[3] = (f[0] + 1j).dtype == device.complex64
        out[4] = (d[0] + 1j).dtype == device.complex128
        out[5] = (w[0] * z[0]).dtype == device.complex128
        out[6] = (K * 2).dtype == device.complex128
        out[7] = (device.float16(1) + 1j).dtype == device.complex64

    out = both(kernel, np.ones(1, np.complex64), np.ones(1, complex), np.ones(1, np.float32), np.ones(1),
               np.ones(1, np.int64), np.zeros(8, np.bool_))
    assert out.all()


def test_literals_keep_their_value_until_they_meet_a_format():
    def kernel(x, out):
        out[0] = x[0] + 0.1j
        out[1] = x[0] * K
        out[2] = SMALL * 1j
        out[3] = complex(0.1, 0.3) * x[0]
        out[4] = complex(x[0], 2j)
        out[5] = complex()

    out = both(kernel, np.ones(1, complex), np.zeros(6, complex))
    same(out, [1 + 0.1j, 0.1 + 0.2j, 4 + 3j, 0.1 + 0.3j, 1 - 2 + 0j, 0])


def test_paths_loops_and_calls_carry_them():
    def root(z):
        return z * z, -z

    def kernel(c, n, out):
        for i in range(len(c)):
            z = 0
            count = 0
            while count < n and abs(z) < 2:
                z = z * z + c[i]
                count += 1
            a, b = root(z if i % 2 else 1)
            out[i] = a + b

    c = numbers(16, np.complex128) / 8
    out = both(kernel, c, 20, np.zeros(16, complex))
    for i, point in enumerate(c.tolist()):
        z, count = 0, 0
        while count < 20 and abs(z) < 2:
            z = z * z + point
            count += 1
        a, b = (z * z, -z) if i % 2 else (1, -1)
        np.testing.assert_allclose(out[i], a + b, rtol=1e-9)


def test_arguments_and_stores():
    def kernel(z, narrow, wide, out, single):
        out[0] = z
        out[1] = narrow + 1
        out[2] = wide
        out[3] = 2
        single[0] = wide * 3

    single = np.zeros(1, np.complex64)
    out = np.zeros(4, complex)
    device.kernel(kernel)[1, 1](1 + 2j, np.complex64(3j), K, out, single)
    same(out, [1 + 2j, 1 + 3j, K, 2])
    same(single, np.array([K * 3], np.complex64))


@pytest.mark.parametrize("expression, text", [
    (lambda z: z < 1, "complex numbers have no order"),
    (lambda z: z // 2, "cannot apply '//' to complex64 and int"),
    (lambda z: z % 2, "cannot apply '%' to complex64 and int"),
    (lambda z: z & 1, "cannot apply '&' to complex64 and int"),
    (lambda z: ~z, "cannot apply '~' to complex64"),
    (lambda z: float(z), "cannot convert complex64 to float"),
    (lambda z: min(z, 1), "'min' takes real numbers, not complex64"),
    (lambda z: math.sqrt(z), "for complex numbers there is cmath.sqrt"),
    (lambda z: np.exp(z), "for complex numbers there is cmath.exp"),
], ids=range(9))
def test_what_complex_numbers_lack(expression, text):
    assert text in refused(expression, "(complex64)")


def test_they_do_not_become_real_by_being_stored():
    def kernel(z, out):
        out[0] = z

    assert "store a part, z.real or z.imag" in refused(kernel, "(complex64, float32[:])")


@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942", "cpu:x86-64-v3"])
def test_all_targets_compile_them(target):
    snapshot = _core.capture(arithmetic)
    for element in ("complex64", "complex128"):
        image = _core.compile(snapshot, f"({element}[:], {element}[:], {element}[:, :])", target)
        if target.startswith("cuda") and tools.find_ptxas():
            tools.assemble(image["code"], "sm_90")


def parts(z, out):
    i = device.tid(1)
    out[i, 0] = z[i].real
    out[i, 1] = z[i].imag
    out[i, 2] = z[i].conjugate()
    out[i, 3] = np.conj(z[i]) + np.real(z[i]) + np.imag(z[i])
    out[i, 4] = np.angle(z[i])
    out[i, 5] = np.abs(z[i])
    out[i, 6] = (2).imag + (2.5).real


def test_parts():
    z = numbers(16, np.complex128)
    out = both(parts, z, np.zeros((16, 7), complex), grid=16)
    want = np.stack([z.real, z.imag, z.conj(), z.conj() + z.real + z.imag, np.angle(z), abs(z), np.full(16, 2.5)], 1)
    np.testing.assert_allclose(out, want, rtol=1e-15)


ONE_ARGUMENT = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh",
                "acosh", "atanh"]


def of_cmath(name):
    scope = {"cmath": cmath, "device": device}
    exec(f"def kernel(z, out):\n    i = device.tid(1)\n    out[i] = cmath.{name}(z[i])\n", scope)
    return scope["kernel"]


def points():
    """Ordinary numbers, small and large ones, on the axes and both sides of the branch cuts."""
    edges = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 1e-9, -1e-9, 30.0]
    some = [complex(a, b) for a, b in itertools.product(edges, edges)]
    return np.array(some + (numbers(100, complex) / 16).tolist())


@pytest.mark.parametrize("name", ONE_ARGUMENT)
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_cmath(name, dtype):
    z = points().astype(dtype)
    out = both(of_cmath(name), z, np.zeros(len(z), dtype), grid=len(z))
    seen = 0
    for point, got in zip(z.tolist(), out.tolist()):
        try:
            want = getattr(cmath, name)(point)
        except (ValueError, OverflowError):
            continue
        if not cmath.isfinite(want) or abs(want) > (1e30 if dtype == np.complex64 else 1e300):
            continue
        tolerance = 1e-14 if dtype == np.complex128 else 2e-5
        assert abs(got - want) <= tolerance * abs(want) + tolerance / 100, (name, point, got, want)
        if want.imag == 0 and point.imag != 0 or want.imag != 0:
            assert math.copysign(1, got.imag) == math.copysign(1, want.imag) or abs(want.imag) < tolerance, (point, got, want)
        seen += 1
    assert seen > 150


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "sin", "tanh", "arcsin", "arccosh"])
def test_numpy_functions_are_cmaths(name):
    scope = {"np": np, "device": device}
    exec(f"def kernel(z, out):\n    i = device.tid(1)\n    out[i] = np.{name}(z[i])\n", scope)
    z = (np.linspace(-2, 2, 32) + 1j * np.linspace(3, -1, 32)).astype(np.complex64)
    out = both(scope["kernel"], z, np.zeros(32, np.complex64), grid=32)
    same(out, both(of_cmath(name.replace("arc", "a")), z, np.zeros(32, np.complex64), grid=32))
    np.testing.assert_allclose(out, getattr(np, name)(z.astype(complex)), rtol=2e-5)
    assert "real numbers" in refused(lambda z: np.expm1(z[0]), "(complex64[:])")


def test_cmath_with_more_arguments():
    def kernel(z, out):
        i = device.tid(1)
        r, phi = cmath.polar(z[i])
        out[i, 0] = cmath.rect(r, phi)
        out[i, 1] = cmath.log(z[i], 2)
        out[i, 2] = cmath.phase(z[i])
        out[i, 3] = cmath.isclose(z[i], z[i] * (1 + 1e-12)) + 2 * cmath.isclose(z[i], z[i] * 1.1)
        out[i, 4] = cmath.isnan(z[i]) + 2 * cmath.isinf(z[i]) + 4 * cmath.isfinite(z[i])
        out[i, 5] = cmath.pi + cmath.infj.imag + cmath.e if False else cmath.tau
        out[i, 6] = cmath.exp(1.0)

    z = numbers(16, complex)
    out = both(kernel, z, np.zeros((16, 7), complex), grid=16)
    want = [[p, cmath.log(p, 2), cmath.phase(p), 1, 4, cmath.tau, cmath.e] for p in z.tolist()]
    np.testing.assert_allclose(out, want, rtol=2e-7)
    np.testing.assert_allclose(out[:, 1], [row[1] for row in want], rtol=1e-15)  # the base is an integer, of which a logarithm is a float32 elsewhere


def test_infinities_in_cmath():
    def kernel(z, out):
        i = device.tid(1)
        out[i, 0] = cmath.exp(z[i])
        out[i, 1] = cmath.sqrt(z[i])

    z = np.array([complex(-inf, 1), complex(-inf, inf), complex(inf, 0), complex(1, inf), complex(-inf, -1)])
    out = both(kernel, z, np.zeros((5, 2), complex), grid=5)
    want = [[cmath.exp(p) if p != complex(1, inf) else complex(nan, nan), cmath.sqrt(p)] for p in z.tolist()]
    np.testing.assert_array_equal(out, want)

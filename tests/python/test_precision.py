"""Python's floats where they meet float64: exact where the program wrote them, warned of where they were rounded before."""

import cmath
import math
import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

pytestmark = pytest.mark.row("HET-PROM-5")
GLOBAL = 0.1


@device.struct
class Pair:
    wide: device.float64
    weight: float = 0.5


@device.func
def scaled(v, k):
    return v * k


@device.func
def scaled_by_default(v, k=0.1):
    return v * k


@device.func
def itself(k):
    return k


@device.func
def tenth():
    return 0.1


@device.func
def picked(c):
    return 0.1 if c else 0.2


@device.func
def early(c, k):
    if c:
        return k
    return 0.7


@device.func
def halved(k, n):
    return k if n == 0 else halved(k * 0.5, n - 1)


@device.func
def deep(v, k, n):
    return v * k if n == 0 else deep(v, k, n - 1)


@device.func
def of_tuple(v, pair):
    return v * pair[0] + pair[1]


@device.func
def summed(v, *more):
    for k in more:
        v += k
    return v


@device.func
def inner(v, k):
    f = lambda w: w * k  # noqa: E731
    return f(v)


# Each computes of x (a float64), n (an int) and c (a bool of run time); what CPython computes of the same is the result wanted.
EXACT = [
    lambda x, n, c: scaled(x, 0.1),
    lambda x, n, c: scaled(x, k=-0.1),
    lambda x, n, c: scaled_by_default(x),
    lambda x, n, c: scaled(x, GLOBAL),
    lambda x, n, c: scaled(x, itself(0.1)),
    lambda x, n, c: scaled(x, itself(itself(0.1) * 0.3)),
    lambda x, n, c: scaled(0.1, x),
    lambda x, n, c: x * tenth(),
    lambda x, n, c: x * picked(c),
    lambda x, n, c: x * early(c, 0.3),
    lambda x, n, c: x * halved(0.1, n),
    lambda x, n, c: deep(x, 0.1, n),
    lambda x, n, c: of_tuple(x, (0.1, 0.3)),
    lambda x, n, c: of_tuple(x, (0.1, n)),
    lambda x, n, c: summed(x, 0.1, 0.2, 0.3),
    lambda x, n, c: inner(x, 0.1),
    lambda x, n, c: inner(x, 0.1 if c else 0.2),
    lambda x, n, c: (0.1, 0.2, 0.3)[n] * x,
    lambda x, n, c: ((0.1, 0.2), (0.3, 0.4))[n - 1][0] + x,
    lambda x, n, c: (0.1 if c else 0.2) + x,
    lambda x, n, c: x * (0.1 if c else 0.2 if n > 5 else 0.3),
    lambda x, n, c: x - (1 if c else 0.1),
    lambda x, n, c: x * (16777217 if c else 0.5),
    lambda x, n, c: (n * 0.1) * x,
    lambda x, n, c: x + n / 3.0,
    lambda x, n, c: x + -(0.1 if c else 0.2),
    lambda x, n, c: x + abs((0.1 if c else -0.2) - 0.7),
    lambda x, n, c: x + min(0.1, 0.2 if c else 0.3),
    lambda x, n, c: x + (0.1 if c else 0.2) ** 2,
    lambda x, n, c: x + (0.1 + 0.2) * (1 / 3),
    lambda x, n, c: x + (k := 0.1 if c else 0.2) * k,
    lambda x, n, c: x * float(n + 16777216),
    lambda x, n, c: (0.1 if c else 0.2) < x,
    lambda x, n, c: sum((0.1, 0.2 if c else 0.3)) + x,
    lambda x, n, c: sum([k * 0.5 for k in (0.1, 0.2)], 0.3) + x,
    lambda x, n, c: sum(k * x for k in (0.1, 0.2)),
    lambda x, n, c: Pair(0.1 if c else 0.2).wide + x,
    lambda x, n, c: Pair(wide=0.1).wide + x,
    lambda x, n, c: (lambda k: x * k)(0.1),
    lambda x, n, c: (0.1 if c else 0.2),
    lambda x, n, c: device.float64(0.1 if c else 0.2),
]


def loop_over_literals(x, n, c):
    total = x
    for i, j in zip((1, 2, 3), (4.5, 5.6, 6.7)):
        total += i + j
    for w in (0.1, 0.2):
        total += w
    for k, w in enumerate(reversed((0.1, 0.2, 0.3))):
        total += k * w
    for w in map(itself, (0.1, 0.7)):
        total += w
    return total


def branches(x, n, c):
    if c:
        k = 0.1
    else:
        k = 0.2
    return k * x


def carried(x, n, c):
    t, s = 0.1, 1.0
    while t > 0.001:
        t = t * 0.3
        s /= 3.0
    return t + s * x


def carried_out(x, n, c):
    t = 0.1
    for _ in range(n):
        t = t * 0.3
    return t


def closure(x, n, c):
    k = 0.1 if c else 0.2

    def f(v, w=0.3):
        return v * k + w
    return f(x)


EXACT += [loop_over_literals, branches, carried, carried_out, closure]


def complex_parts(x, n, c):
    k = 0.1 if c else 0.2
    z = k + 1j * k
    return z.real * x + abs(z) + (k + z).real + (z - k).imag + (x * z).imag + (z * k).imag + z.conjugate().imag


def complex_of_imaginary(x, n, c):
    z = 1j * (0.1 if c else 0.2)
    return (z + 0.3).imag + (0.3 - z).real + (0.1 + z).real + complex(z.imag, 0.7).real + x


def divided(x, n, c):
    q, r = divmod(0.1 if c else 0.2, 0.03)
    return r * x + q


def taken_apart(x, n, c):
    m, e = math.frexp(0.1 if c else 0.2)
    rest, whole = math.modf(0.1 if c else 1.2)
    return (m * x + e) * rest + whole


EXACT += [complex_parts, complex_of_imaginary, divided, taken_apart]
EXACT += [
    lambda x, n, c: divmod(0.1 if c else 0.2, 0.03)[1] + x,
    lambda x, n, c: math.ldexp(0.1 if c else 0.2, 2) + x,
    lambda x, n, c: np.ldexp(0.1 if c else 0.2, n),
    lambda x, n, c: math.ldexp(0.1, n) * x,
    lambda x, n, c: math.frexp(0.1 if c else 0.2)[0],
    lambda x, n, c: math.modf(0.1 if c else 0.2)[0],
    lambda x, n, c: math.fsum((0.1 if c else 0.2, 0.3)),
    lambda x, n, c: math.fsum((0.1 if c else 0.2, 0.3)) * x,
    lambda x, n, c: math.prod((0.1 if c else 0.2, 0.3, n)) + x,
    lambda x, n, c: math.dist((0.1 if c else 0.2,), (0.3,)) + x,
    lambda x, n, c: math.fmod(0.1 if c else 0.2, 0.03) + x,
    lambda x, n, c: math.remainder(0.1 if c else 0.2, 0.03) + x,
    lambda x, n, c: round(0.123 if c else 0.456, 2) + x,
    lambda x, n, c: pow(0.1 if c else 0.2, 2) + x,
    lambda x, n, c: (0.1 if c else 0.2) // 0.03 + x,
    lambda x, n, c: (0.1 if c else 0.2) % 0.03 + x,
    lambda x, n, c: min((0.1 if c else 0.2, 0.3)) + max((0.1, 0.2 if c else 0.3)) + x,
    lambda x, n, c: sum((0.1 if c else 0.2, 0.3)) + abs(-0.1 if c else 0.2) + x,
    lambda x, n, c: np.clip(0.1 if c else 0.2, 0.15, 0.3) + x,
    lambda x, n, c: np.where(c, 0.1 if n else 0.2, 0.3) + x,
    lambda x, n, c: math.ulp(0.1 if c else 0.2),
    lambda x, n, c: np.heaviside(0.1 if c else 0.2, 0.5) * (0.1 if c else 0.2) + x,
]
# Of functions whose last bit may differ.
CLOSE = [
    lambda x, n, c: cmath.exp(complex(0.1 if c else 0.2, 0.3)).real + x,
    lambda x, n, c: cmath.sqrt(1j * (0.1 if c else 0.2)).imag,
    lambda x, n, c: np.sinc(0.1 if c else 0.2),
    lambda x, n, c: np.logaddexp(0.1 if c else 0.2, 0.3) + x,
    lambda x, n, c: math.hypot(0.1 if c else 0.2, 0.3) + x,
    lambda x, n, c: ((0.1 if c else 0.2) + 0.3j).real ** 3 + abs((0.1j if c else 0.2) ** 2),
]


def kernel_of(function):
    def kernel(out, x, n, c):
        out[0] = computed(x[0], n, c[0])
    computed = device.func(function)
    return device.kernel(contract=False)(kernel)


def plain(function):
    """What CPython computes."""
    return getattr(function, "underlying", function)


@pytest.mark.parametrize("which", range(len(EXACT)))
def test_python_numbers_are_exact_where_they_meet_float64(which):
    function = EXACT[which]
    kernel = kernel_of(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.PrecisionWarning)
        for n, c in ((1, True), (2, False)):
            out = np.zeros(1)
            kernel[1, 1](out, np.full(1, 1.7), n, np.array([c]))
            assert out[0] == float(function(1.7, n, c))


@pytest.mark.parametrize("which", range(len(CLOSE)))
def test_functions_of_python_numbers_are_computed_in_float64(which):
    kernel = kernel_of(CLOSE[which])
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.PrecisionWarning)
        for n, c in ((1, True), (2, False)):
            out = np.zeros(1)
            kernel[1, 1](out, np.full(1, 1.7), n, np.array([c]))
            assert out[0] == pytest.approx(float(CLOSE[which](1.7, n, c)), rel=4e-16, abs=0)


@pytest.mark.parametrize("which", range(len(EXACT)))
def test_without_float64_nothing_is_computed_in_it(which):
    """The same with a float32: not one float64 in the code of either kind of GPU."""
    function = EXACT[which]
    if "wide" in function.__code__.co_names or "float64" in function.__code__.co_names or function.__name__ == "kernel":
        return
    kernel = kernel_of(function)
    for target, kind in (("cuda:sm_90", "f64"), ("hip:gfx942", "_f64")):
        code = device.emit(kernel, "(float32[::1], float32[::1], int, bool_[::1])", target=target, kind="asm")
        assert kind not in (code if isinstance(code, str) else code.decode())


def complex_choice(out, z, c):
    out[0] = z[0] * (0.1j if c[0] else 0.2 + 0.3j)


def test_complex_literals():
    out = np.zeros(1, np.complex128)
    device.kernel(complex_choice)[1, 1](out, np.full(1, 2 + 0j), np.array([True]))
    assert out[0] == 2 * 0.1j


def complex_of_parts(out, z, c):
    w = 0.1 if c[0] else 0.2
    out[0] = z[0] * complex(w, w).conjugate() + 1j * w + complex(w, w).real


def shuffled(out, z, c):
    out[0] = device.shfl_sync(device.FULL_MASK, 0.1 if c[0] else 0.2, 0)


@pytest.mark.parametrize("function, want", [(complex_of_parts, 2 * (0.1 - 0.1j) + 0.1j + 0.1), (shuffled, 0.1)])
def test_other_ways_of_a_python_float(function, want):
    out = np.zeros(1, np.complex128)
    device.kernel(contract=False)(function)[1, 1](out, np.full(1, 2 + 0j), np.array([True]))
    assert out[0] == want


def half_of_literals(out, c):
    out[0] = 0.1 if c[0] else 0.2


def test_narrow_formats_round_as_before():
    for kind in (np.float16, np.float32):
        out = np.zeros(1, kind)
        device.kernel(half_of_literals)[1, 1](out, np.array([False]))
        assert out[0] == kind(np.float32(0.2))


# ---- warnings

def quotient(out, n):
    out[0] = n / 3


def quotient_of_elements(out, n):
    out[0] = n[0] / 3


def beside_elements(out, n):
    out[0] = n[0] * 0.1


def launch_float(out, a):
    out[0] = out[0] * a


def launch_float_deeper(out, a):
    out[0] = scaled(out[0], itself(a * 2.0))


def launch_tuple(out, pair):
    out[0] = pair[1] + out[0]


def launch_divided(out, a):
    out[0] = divmod(a, 0.03)[1] * out[1]


def launch_taken_apart(out, a):
    out[0] = math.frexp(a)[0] * out[1]


def launch_scaled(out, a):
    out[0] = math.ldexp(a, 2)


def launch_complex(out, a):
    out[0] = (a * 1j).imag * out[1]


def joined_at_a_loop(out, a):
    total = a
    for k in range(2):
        total += out[k]
    out[0] = total


def half_more(x, y=0.5):
    return x + y


def added_up(n):
    total = 0.0
    for i in range(1):
        total += n
    return total


def assigned_on_a_path(n):
    v = 0.5
    if n > 3:
        v = n
    return v


# float32 has 24 bits: an integer of a fixed format with more may be rounded on the way to a Python float
OF_INTEGERS = []
for number in (
        lambda n: n * 0.5, lambda n: n * 1.0, lambda n: n + 0.0, lambda n: -(n * 1.0), lambda n: n // 1.0, lambda n: n % 1e9,
        lambda n: divmod(n, 1e9)[1], lambda n: n ** 0.5, lambda n: pow(n, 1.0), float, lambda n: float(n) * 2, lambda n: complex(n, 0).real,
        lambda n: (1j * n).imag, lambda n: (n + 1j).real, lambda n: max(n, 0.5), lambda n: min(1e30, n), lambda n: max((n, 0.5)),
        lambda n: n if n > 3 else 0.5, lambda n: sum((0.5, n)), lambda n: math.copysign(n, 1.0), lambda n: math.hypot(n, 0.5),
        lambda n: np.maximum(n, 0.5), lambda n: (lambda m: m * 1.0)(n), half_more, added_up, assigned_on_a_path):
    def of_integer(out, n, number=number):
        out[0] = number(n[0])
    OF_INTEGERS.append(of_integer)


def complex_sum(out, n):
    out[0] = (out[0] + 1j * n[0]).imag


def complex_product(out, n):
    out[0] = abs(out[0] * (1j * n[0]))


OF_INTEGERS += [complex_sum, complex_product]


def launch_complex_sum(out, a):
    out[0] = (out[0] + 1j * a).imag


def small_integers(out, n):
    out[0] = n[0] * 0.5 + float(n[0]) + max(n[0], 0.5) + (1j * n[0]).imag


def exact_integers(out, n):
    out[0] = n[0]
    out[0] += n[0]
    out[0] = out[0] * n[0] + int(n[0]) * 0.5 + float(int(n[0])) + max(n[0], out[0])


@pytest.mark.parametrize("function, dtype", [(small_integers, np.int16), (small_integers, np.uint8), (exact_integers, np.int32)])
def test_integers_that_are_not_rounded(function, dtype):
    got, want, n = np.ones(2), np.ones(2), np.full(1, 77, dtype)
    function(want, n)
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.PrecisionWarning)
        device.kernel(contract=False)(function)[1, 1](got, n)
    assert got[0] == want[0]


ROUNDED = [
    (quotient, (7,), "a float computed of integers alone"),
    (quotient_of_elements, (np.full(1, 7, np.int32),), "a float computed of integers alone"),
    (beside_elements, (np.full(1, 7, np.int32),), "a Python float made of an integer"),
    *((function, (np.full(1, 2 ** 24 + 1, dtype),), "a Python float made of an integer")
      for function in OF_INTEGERS for dtype in (np.int32, np.uint64)),
    (beside_elements, (np.full(1, 7, np.int16),), "a Python float made of an integer"),
    (launch_float, (0.1,), "the Python float 'a' of the launch"),
    (launch_float_deeper, (0.1,), "the Python float 'a' of the launch"),
    (launch_tuple, ((1, 0.1),), "a Python float in the tuple 'pair' of the launch"),
    *((launch_tuple, ((number, 0.1),), "a Python float in the tuple 'pair' of the launch")
      for number in (np.float32(1), np.float64(1), np.int8(1), np.bool_(True), (np.float16(1), 2))),
    (launch_divided, (0.1,), "the Python float 'a' of the launch"),
    (launch_taken_apart, (0.1,), "the Python float 'a' of the launch"),
    (launch_scaled, (0.1,), "the Python float 'a' of the launch"),
    (launch_complex, (0.1,), "the Python float 'a' of the launch"),
    (launch_complex_sum, (0.1,), "the Python float 'a' of the launch"),
    (joined_at_a_loop, (0.1,), "the Python float 'a' of the launch"),
]


@pytest.mark.parametrize("function, arguments, text", ROUNDED, ids=lambda item: getattr(item, "__name__", ""))
def test_what_was_rounded_before_is_warned_of(function, arguments, text):
    kernel = device.kernel(function)
    with pytest.warns(device.PrecisionWarning, match=text) as caught:
        kernel[1, 1](np.ones(2), *arguments)
        kernel[1, 1](np.ones(2), *arguments)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert caught[0].lineno > function.__code__.co_firstlineno
    assert text in kernel.explain(np.ones(2), *arguments)


@pytest.mark.parametrize("function, arguments, text", ROUNDED, ids=lambda item: getattr(item, "__name__", ""))
def test_float32_is_not_warned_of(function, arguments, text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        device.kernel(function)[1, 1](np.ones(2, np.float32), *arguments)


def test_the_warning_is_off_by_one_line():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=device.PrecisionWarning)
        device.kernel(quotient)[1, 1](np.ones(1), 7)


def annotated(out, a: device.float64):
    out[0] = out[0] * a


def converted(out, n):
    out[0] = device.float64(n) / 3


def test_what_the_help_says_is_exact():
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.PrecisionWarning)
        out = np.ones(1)
        device.kernel(annotated)[1, 1](out, 0.1)
        assert out[0] == 0.1
        out = np.ones(1)
        device.kernel(launch_float)[1, 1](out, np.float64(0.1))
        assert out[0] == 0.1
        device.kernel(converted)[1, 1](out, 7)
        assert out[0] == 7 / 3

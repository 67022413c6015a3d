"""Warnings of the compiler's: by way of Python's `warnings`, once per place, each category off by one line."""

import linecache
import sys
import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device


def kernel_with_warning():
    @device.kernel
    def f(a):
        x = device.thread_idx.x
        if x - 1 >= 0:
            a[x] = 1
    return f


LINE = 3 + kernel_with_warning.__code__.co_firstlineno + 1


def caught(*launches, action="default"):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter(action)
        for kernel, argument in launches:
            kernel[1, 4](argument)
    return found


def test_a_warning_has_a_place_a_category_and_a_text():
    found, = caught((kernel_with_warning(), np.zeros(4, np.float32)))
    assert found.category is device.UnsignedWarning and issubclass(found.category, device.CompileWarning)
    assert (found.filename, found.lineno) == (__file__, LINE)
    text = str(found.message)
    assert text.startswith("warning[W0701]: '>= 0' is always true: uint32 is never negative") and "if x - 1 >= 0" in text
    assert found.message.code == "W0701" and found.message.span.line == LINE
    assert "compute it with a sign: int(x) - 1" in found.message.notes


def test_a_place_warns_once_however_often_it_is_compiled():
    a, b = kernel_with_warning(), kernel_with_warning()
    x = np.zeros(4, np.float32)
    assert len(caught((a, x), (a, x), (b, x), (a, x.astype(np.int16)))) == 1
    assert len(caught((kernel_with_warning(), x), (kernel_with_warning(), x), action="always")) == 2


def test_a_category_is_off_by_one_line():
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", device.UnsignedWarning)
        kernel_with_warning()[1, 4](np.zeros(4, np.float32))
    assert not found


def test_a_filter_makes_it_an_error_each_time():
    kernel, x = kernel_with_warning(), np.zeros(4, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.UnsignedWarning)
        for _ in range(2):
            with pytest.raises(device.UnsignedWarning, match="W0701"):
                kernel[1, 4](x)
    assert not x.any()
    assert len(caught((kernel, x))) == 1 and x.tolist() == [1, 1, 1, 1]


def test_explain_warns_too():
    with pytest.warns(device.UnsignedWarning):
        kernel_with_warning().explain(np.zeros(4, np.float32))


def test_a_kernel_that_fails_gives_its_error_alone():
    @device.kernel
    def f(a):
        x = device.thread_idx.x
        if x - 1 >= 0:
            a[x] = nobody  # noqa: F821

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(device.CompileError, match="E0301") as found:
            f[1, 4](np.zeros(4, np.float32))
    assert "W0701" not in str(found.value)


# ---- which differences of unsigned numbers are warned of: t and b are indices of thread and block

CERTAIN = [
    "x[t - 1] = 1", "x[0] = x[t - 1]", "y[t, t - 1] = 1", "for k in range(t - 2, n): x[k] = 1", "x[t] = (t - 3) // 2",
    "x[t] = (t - 3) % n", "x[t] = (t - 8) * 0.5", "x[t] = (t - 8) / 2", "x[t] = float(t - 1)",
    "x[t] = device.int64(t - 1)", "x[t] = max(t - 1, 0)", "x[t] = abs(t - 5)", "if t < n: x[t - 1] = 1",
    "if n > t: x[t - 1] = 1", "if n > 3: x[t - 1] = 1", "u = b * device.block_dim.x + t\nx[u - 1] = 1",
    "for k in range(n):\n    x[k] = 1\nx[t - 1] = 1", "if t >= n: return\nx[t - 1] = 1", "k = t\nk -= 2\nx[t] = k // 3",
    "if 0 <= t - 1: x[t] = 1", "if t - 1 < 0: x[t] = 1", "for d in range(-1, 2):\n    if t + d >= 0: x[t + d] = 1",
    "k = b\nwhile k >= 0:\n    k -= 4", "x[t] = (t - n) * 0.5", "x[t] = (t - device.block_dim.x // 2) / 3", "x[t] = float(b - n)", "x[0] = x[t - n]",
    "for k in range(n): x[k] = x[t - k]", "for k in range(t - n, t + n): x[k] = 1", "x[t] = (t - n) // 2", "if n > 2: x[t - n] = 1", "x[t] = abs(t - b)",
    "x[t] = max(0, n - t)", "x[t] = min(t - n, 0)", "if t >= n: x[t] = abs(t - b)", "x[t] = max(min(t - n, 9), 0)", "x[t] = -t / 3", "x[t] = float(-b)", "x[-t] = 1",
    "for k in range(-t, n): x[k] = 1", "k = n\nk -= t\nx[t] = abs(t - k)", "v = x[0] if t - 1 >= 0 else 0.0", "if x[0] > 0 and t - n >= 0: x[0] = 1",
]
FINE = [
    "if t > 0: x[t - 1] = 1", "if t >= 1 and t < n: x[t - 1] = 1", "if t: x[t - 1] = 1", "x[0] = x[t - 1] if t > 0 else 0",
    "if t == 0: return\nx[t - 1] = 1", "if t >= n: x[t - 1] = 1", "ok = t > 0\nif ok: x[t - 1] = 1",
    "ok = t > 0 and n > 2\nif ok: x[t - 1] = 1", "if t - 1 < n: x[t - 1] = 1", "if t - 1 < 1000: x[t - 1] = 1", "x[n - t] = 1",
    "x[device.block_dim.x - 1 - t] = 1", "for k in range(device.block_dim.x - t): x[k] = 1", "x[t] = (t - 3) % 4",
    "x[t] = (t - 5) ^ 3", "x[int(t) - 1] = 1", "x[t] = max(int(t) - 1, 0)", "if x[t] > t: x[t - 1] = 1",
    "for k in range(t): x[t - 1] = k", "for k in range(1, t): x[k - 1] = 1", "i = device.tid(1)\nif i - 1 >= 0: x[i - 1] = 1",
    "if t + 1 >= 0: x[t] = 1", "if t >= 0: x[t] = 1", "if z[0] < 0: x[t] = 1", "if t - 1 > 0: x[t] = 1", "if t - 1 == 0: x[t] = 1",
    "x[t] = (z[t] - 3) // 2", "z[t] = (z[t] - 3) >> 5", "k = 0\nif t > 2:\n    k = 1\nif k: x[t - 1] = 1",
    "if t % 2 == 1: x[t - 1] = 1", "k = t - 1\nk |= k >> 1\nx[t] = k + 1", "if device.lane_id > 0: x[t - 1] = 1",
    "lane = device.lane_id\nif lane == 0: return\nx[t - 1] = 1", "x[t] = x[t - 1] if device.lane_id % 2 == 1 else 0", "if device.lane_id & 1: x[t - 1] = 1",
    "if t >= n: x[t - n] = 1", "for k in range(n):\n    if k <= t: x[t - k] = 1", "x[t] = x[t - n] if t >= n else 0", "if t >= n and n > 3: x[t - n] = 1",
    "k = 1\nwhile k < device.block_dim.x:\n    if t >= k: x[t] += x[t - k]\n    k *= 2", "p = t - n\nif p < len(x): x[p] = 1", "if not t < n: x[t - n] = 1",
    "x[(t - n + device.block_dim.x) % device.block_dim.x] = 1", "x[t] = abs(t)", "a = z[t]\nz[t] = abs(a + (a - a))", "x[t] = max(t, 0)", "x[t] = min(z[t], 0)", "if t < n: return\nx[t - n] = 1",
    "x[t] = (int(t) - n) * 0.5", "x[t] = (t + n) * 0.5", "z[t] = -t", "x[t & -t] = 1", "if t > 2:\n    for k in range(n): x[k] = x[t - k]",
    "p = device.lane_id - 1\nif p >= 0: x[t - 1] = 1", "k = t - 3\nif k < n: x[k + b * device.block_dim.x] = 1",
]


def said_of(body):
    source = "def f(x, y, z, n):\n    t, b = device.thread_idx.x, device.block_idx.x\n"
    source += "".join(f"    {line}\n" for line in body.split("\n"))
    scope = {"device": device}
    exec(compile(source, f"<{body}>", "exec"), scope)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        device.kernel(scope["f"]).explain(np.zeros(4, np.float32), np.zeros((4, 4), np.float32), np.zeros(4, np.uint32), 3)
    return [str(one.message) for one in found]


@pytest.mark.parametrize("body", CERTAIN)
def test_what_certainly_wraps_round_is_said(body):
    assert said_of(body), body


@pytest.mark.parametrize("body", FINE)
def test_what_may_be_meant_is_not(body):
    assert not said_of(body)


# ---- names alone

@pytest.mark.parametrize("name", ["device.syncthreads", "device.syncwarp", "helper", "local", "given", "s[0].hits.add", "n.bit_length",
                                  "math.sqrt", "min"])
def test_a_function_that_is_named_and_not_called_is_an_error(name):
    import math

    @device.struct
    class Slot:
        hits: device.Atomic(int)

    source = f"def f(s, x, n, given):\n    local = device.syncthreads\n    {name}\n    x[0] = n\n"
    scope = {"device": device, "helper": said_of, "math": math}
    exec(source, scope)
    slots = np.zeros(1, device.numpy_dtype(Slot))
    with pytest.raises(device.CompileError, match="E0320") as found:
        device.kernel(scope["f"])[1, 1](slots, np.zeros(1, np.float32), 1, math.sin)
    assert found.value.span.line == 3


def test_values_may_stand_alone():
    @device.kernel
    def f(x, n):
        unused = device.syncthreads  # noqa: F841
        n
        x[0]
        device.thread_idx.x
        device.lane_id
        x.shape
        x[0] = n

    x = np.zeros(1, np.float32)
    f[1, 1](x, 5)
    assert x[0] == 5


# ---- names of arrays

def swapped():
    @device.kernel
    def f(x, y):
        x, y = y, x
    return f


def cleared_by_some():
    @device.kernel
    def f(x, y):
        if device.tid(1) < 3:
            x = 0
    return f


def lent_to_a_comprehension():
    @device.kernel
    def f(x, y):
        y[0] = sum(x for x in (1, 2, 3)) + tuple([x for x in (4, 5)])[0]
    return f


def exchanged_in_turn():
    @device.kernel
    def f(x, y):
        for _ in range(3):
            y[0] = x[0] + 1
            x, y = y, x
    return f


def bound_to_a_view():
    @device.kernel
    def f(x, y):
        x = x[1:]
        x[0] = 3
    return f


def cleared_where_none_comes():
    @device.kernel
    def f(x, y):
        if len((1, 2)) == 3:
            x = 0
    return f


def exchanged_in_turns_written_out():
    @device.kernel
    def f(x, y):
        for step in (1, 2.5):  # of two types: each turn is a copy
            y[0] = x[0] + step
            x, y = y, x
    return f


@pytest.mark.parametrize("make, names", [(swapped, "xy"), (cleared_by_some, "x"), (lent_to_a_comprehension, ""), (exchanged_in_turn, ""),
                                         (bound_to_a_view, ""), (cleared_where_none_comes, ""), (exchanged_in_turns_written_out, "")])
def test_an_array_whose_name_is_lost(make, names):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        make()[1, 4](np.zeros(4, np.float32), np.zeros(4, np.float32))
    assert all(w.category is device.AssignmentWarning and w.message.code == "W0721" for w in found)
    lost = "".join(str(w.message).split("'")[1] for w in found)
    assert lost == names or lost == names[:1] != "" and sys.version_info >= (3, 13)  # which may say of two names that they stand in one place


def test_numbers_may_be_bound_anew():
    @device.kernel
    def f(x, n):
        x[0] = n
        n = 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f[1, 1](np.zeros(1, np.float32), 2)


def warned_of(text, *types):
    """What is said of a kernel `k` of that text for arguments of these types."""
    path = f"<{text}>"
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    scope = {"device": device}
    exec(compile(text, path, "exec"), scope)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        device.kernel(scope["k"]).explain(*types)
    return said


# A body of a kernel of float16 `h`, bfloat16 `b`, float32 `x`; the names of the sums that are warned of.
NARROW_SUMS = [
    ("s = 0.0\n    for v in h: s += v\n    x[0] = s", "s"), ("s = 0\n    for i in range(len(b)): s = s + b[i]\n    x[0] = s", "s"), ("s = 0.0\n    for v in h: s -= v * v\n    h[0] = s", "s"),
    ("s, t = 0.0, 0.0\n    for i in range(9):\n        s += h[i]\n        t += x[i]\n    x[0] = s + t", "s"), ("s = 0.0\n    i = 0\n    while i < 9:\n        if x[i] > 0: s += b[i]\n        i += 1\n    x[0] = s", "s"),
    ("s = 0.0\n    for i in range(3):\n        for v in h: s += v\n    x[0] = s", "s"), ("s = 0.0\n    for v in h: s += device.float32(v)\n    x[0] = s", ""), ("s = device.float16(0)\n    for v in h: s += v\n    x[0] = s", ""),
    ("s = h[0]\n    for v in h: s += v\n    x[0] = s", ""), ("s = 0.0\n    for v in h: s += v * x[0]\n    x[0] = s", ""), ("s = 0.0\n    for v in h: s = max(s, v)\n    x[0] = s", ""), ("s = 0.0\n    for v in h: s = v + 1\n    x[0] = s", ""),
    ("x[0] = sum(v for v in h)", "sum(…)"), ("x[0] = sum(v * v for v in h if v > 0)", "sum(…)"), ("x[0] = sum((v for v in h), device.float32(0))", ""),
    ("x[0] = sum(device.float32(v) for v in h)", ""), ("x[0] = sum((h[0], h[1]))", ""), ("s = 1.0\n    for v in h: s *= v\n    x[0] = s", ""), ("for v in h: x[0] += v", ""), ("s = 0.0\n    s += h[0]\n    s += h[1]\n    x[0] = s", ""),
]


@pytest.mark.parametrize("body, names", NARROW_SUMS, ids=[body for body, _ in NARROW_SUMS])
def test_sums_that_stop_growing(body, names):
    said = warned_of(f"def k(h, b, x):\n    {body}\n", device.float16[:], device.bfloat16[:], device.float32[:])
    assert "".join(str(one.message).split("'")[1] for one in said) == names
    assert all(one.category is device.PrecisionWarning and one.message.code == "W0712" for one in said)


# A statement of a kernel of uint8 `b` and `t` that stores to `o` of a type; whether it is warned of.
NARROW = [
    ("o[i] = b[2 * i] | b[2 * i + 1] << 8", "uint32", True), ("o[i] = (b[0] * 77 + b[1] * 150 + b[2] * 29) >> 8", "uint8", True),
    ("o[i] = (b[0] + b[1] + b[2]) / 3", "float32", True), ("o[i] = (b[i] * t + b[i] * (255 - t)) // 255", "uint8", True),
    ("o[i] = max(0, min(255, b[i] + t))", "uint8", True), ("o[i] = abs(b[i] - b[1])", "uint8", True), ("o[i] = b[b[i] * 2 + 1]", "uint8", True),
    ("acc = 0\n    for v in b:\n        acc += v\n    o[i] = acc", "int64", True), ("o[i] = -b[i]", "int32", True), ("o[i] = b[i] - 128", "float32", True),
    ("acc = 0\n    for k in range(4):\n        acc += b[k] * b[k]\n    o[i] = acc", "int64", True), ("o[i] = device.int32(b[i]) << 32", "int32", True),
    ("o[i] = b[i] << t", "uint16", True), ("o[i] = device.float64(b[i] * 3)", "float64", True), ("o[b[i] + t] = 1", "int32", True),
    ("o[i] = device.int32(b[i]) + b[1]", "int32", False), ("o[i] = (b[i] & 15) * 2 + 1", "int32", False), ("o[i] = b[i] + b[1]", "uint8", False),
    ("o[i] = device.uint8(b[i] + b[1])", "int32", False), ("o[i] = b[i] // 2 + b[i] // 4", "int32", False), ("o[i] = b[i] >> 4", "int32", False),
    ("o[i] = b[i] ^ 3", "int32", False), ("o[i] = b[b[i] % 8 * 4 + 3]", "int32", False), ("device.atomic.add(o, b[i], 1)", "int32", False),
    ("o[i] = b[i] * 0.5", "float32", False), ("o[i] = b[i] if i > 2 else 0", "int32", False), ("o[i] = 255 - b[i]", "int32", False),
    ("o[i] = (b[i] >> 4 << 4) | b[1] >> 4", "int32", False), ("b[i] += 1", "uint8", False), ("o[i] = b[i] + i", "int32", True),
]


@pytest.mark.parametrize("body, element, warned", NARROW, ids=[body for body, _, _ in NARROW])
def test_numbers_that_are_narrow_too_long(body, element, warned):
    said = warned_of(f"def k(b, o, t):\n    i = device.tid(1)\n    {body}\n", device.uint8[:], getattr(device, element)[:], device.uint8)
    found = [one for one in said if one.category is device.OverflowWarning]
    assert bool(found) == warned, [str(one.message) for one in found]

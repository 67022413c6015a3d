"""What a function is compiled for beyond types: the target, values of constant parameters, functions and types as arguments."""

import pickle

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

TARGETS = ("cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942")


def typed(function, signature, target):
    return _core.show(_core.capture(function), "typed", signature, target, kernel=True)


def one(kernel, *arguments):
    """What the kernel stores to element 0 of its first argument."""
    out = np.zeros(1, np.int64)
    device.kernel(kernel)[1, 1](out, *arguments)
    return out[0]


# ---- targets

def for_targets(out):
    if device.target(device.is_host):
        out[0] = 1
    elif device.target(device.is_nvidia & device.provides(device.sm90)):
        out[0] = 2
    elif device.target(device.is_nvidia):
        out[0] = 3
    elif device.target(device.is_exactly(device.gfx942)):
        out[0] = 4
    else:
        out[0] = 5


def stored(function, target):
    text = typed(function, "(int64[:])", target)
    constants = [line.split("= ")[1].split()[1] for line in text.split("\n") if ": i64 = const" in line]
    return int(constants[-1])


@pytest.mark.row("HETX-TS-1", "HETX-TS-2", "HETX-ES-1")
def test_each_target_takes_its_branch():
    answers = {target: stored(for_targets, target) for target in
               ("cpu:x86-64-v3", "cuda:sm_90", "cuda:sm_90a", "cuda:sm_100", "cuda:sm_80", "hip:gfx942", "hip:gfx90a")}
    assert answers == {"cpu:x86-64-v3": 1, "cuda:sm_90": 2, "cuda:sm_90a": 2, "cuda:sm_100": 2, "cuda:sm_80": 3,
                       "hip:gfx942": 4, "hip:gfx90a": 5}
    assert one(for_targets) == 1


@pytest.mark.row("HETX-TS-1")
@pytest.mark.parametrize("target", TARGETS)
def test_a_branch_that_the_target_does_not_take_need_not_compile(target):
    def kernel(out):
        if device.target(device.no_target):
            out[0] = [].sort(key=print)  # nothing of this is in the language
        if not device.target(device.any_target):
            out.resize(100)
    assert typed(kernel, "(int64[:])", target)


@pytest.mark.row("HETX-TS-2")
@pytest.mark.parametrize("description, host, nvidia, amd", [
    (device.any_target, True, True, True), (device.no_target, False, False, False),
    (device.is_host, True, False, False), (device.is_device, False, True, True),
    (device.is_nvidia, False, True, False), (device.is_amd, False, False, True),
    (~device.is_host, False, True, True), (device.is_host | device.is_amd, True, False, True),
    (device.is_device & ~device.is_nvidia, False, False, True),
    (device.provides(device.sm80), False, True, False), (device.provides(device.sm100), False, False, False),
    (device.provides(device.sm90a), False, False, False), (device.is_exactly(device.sm_90), False, True, False),
    (device.is_exactly(device.sm80), False, False, False), (device.is_exactly(device.gfx942), False, False, True),
])
def test_descriptions_as_globals(description, host, nvidia, amd):
    def kernel(out):
        out[0] = 1 if device.target(description) else 0
    assert [stored(kernel, target) for target in TARGETS] == [host, nvidia, amd]
    assert device.target(description) is host
    assert pickle.loads(pickle.dumps(description)) == description


@pytest.mark.row("HETX-TS-2")
def test_not_is_understood_inside_device_code_only():
    def kernel(out):
        out[0] = 1 if device.target(not device.provides(device.sm90)) else 0
    assert [stored(kernel, target) for target in ("cuda:sm_80", "cuda:sm_90", "hip:gfx942")] == [1, 0, 1]
    with pytest.raises(TypeError, match="~description"):
        not device.is_host
    with pytest.raises(TypeError, match="device.TargetDescription"):
        device.target(True)
    with pytest.raises(TypeError, match="device.sm90"):
        device.provides(90)


@pytest.mark.row("HETX-TS-2", "HETX-GEN-2")
@pytest.mark.parametrize("source, code", [
    ("device.target(True)", "E0212"), ("device.target(device.sm90)", "E0212"), ("device.provides(90)", "E0212"),
    ("1 if device.is_host else 0", "E0207"), ("device.is_exactly(device.is_host)", "E0212"),
])
def test_wrong_questions_about_targets(source, code):
    scope = {"device": device}
    exec(f"def kernel(out):\n    out[0] = {source}\n", scope)
    with pytest.raises(device.CompileError) as caught:
        typed(scope["kernel"], "(int64[:])", "cuda:sm_90")
    assert caught.value.code == code


@pytest.mark.row("HETX-MR-1")
def test_machine_representation():
    assert device.machine_representation() == "itanium"

    def kernel(out):
        out[0] = 1 if device.machine_representation() == "itanium" else 2
    assert one(kernel) == 1


@pytest.mark.row("HETX-TP-3")
def test_warps():
    def kernel(out):
        i = device.tid(1)
        out[i] = device.lane_id + 100 * device.warp_size
    out = np.zeros(70, np.int64)
    device.kernel(kernel)[1, 70](out)
    assert out.tolist() == [i % 32 + 3200 for i in range(70)]
    assert "6400" in typed(kernel, "(int64[:])", "hip:gfx942")
    assert "3200" in typed(kernel, "(int64[:])", "hip:gfx1100")
    with pytest.raises(RuntimeError, match="inside a kernel"):
        device.lane_id + 1


# ---- constant parameters

@device.func
def power(x, n: device.ConstExpr):
    if n == 0:
        return 1
    return x * power(x, n - 1)


def unroll(t, count: device.ConstExpr[device.int32]):
    total = 0
    for i in range(count):
        total += t[i]
    return total


FOUR = 4


@pytest.mark.row("HETX-CE-1", "HETX-CE-2")
def test_constants_reach_device_functions():
    def kernel(out, x):
        two = 2
        out[0] = power(x, 3) + power(x, two) + power(x, FOUR) + unroll((x, x + 1, 100), two)
    assert one(kernel, 3) == 27 + 9 + 81 + 7


@pytest.mark.row("HETX-CE-1")
def test_a_run_time_value_is_no_constant():
    def kernel(out, n):
        out[0] = power(2, n)
    with pytest.raises(device.CompileError, match="'n' of 'power' must be a constant") as caught:
        one(kernel, 3)
    assert caught.value.code == "E0505"


@pytest.mark.row("HETX-CE-1", "HETX-CE-2")
@pytest.mark.parametrize("value", [7, True, 0.5, -0.0, "text", None, (1, (2, None)), np.int8(3), np.float64, device.int16, abs,
                                   lambda x: x, int])
def test_launches_pass_constants_of_every_kind(value):
    @device.kernel
    def kernel(out, c: device.ConstExpr):
        if c is None:
            out[0] = 1
        elif isinstance(c, tuple):
            out[0] = 2 + c[1][0]
        elif callable(c):
            out[0] = c(9)
        elif c == "text":
            out[0] = 5
        elif c == 7:
            out[0] = 6
        else:
            out[0] = c
    out = np.zeros(1)
    kernel[1, 1](out, value)
    want = 1 if value is None else 4 if isinstance(value, tuple) else 5 if value == "text" else 9 if callable(value) else \
        6 if value == 7 else float(value)
    assert out[0] == want


@pytest.mark.row("HETX-CE-2")
def test_each_value_is_a_specialisation():
    @device.kernel
    def kernel(out, n: device.ConstExpr):
        t = (1, 10, 100)
        out[0] = t[n]  # only a constant may index a tuple
    out = np.zeros(1, np.int32)
    for _ in range(2):
        for n in range(3):
            kernel[1, 1](out, n)
            assert out[0] == 10**n
    with pytest.raises(device.CompileError, match="out of range"):
        kernel[1, 1](out, 3)
    kernel[1, 1](out, n=-1)
    assert out[0] == 100


@pytest.mark.row("HETX-CE-2", "HETX-GEN-2")
def test_the_type_of_a_constant_is_fixed():
    @device.kernel
    def kernel(out, n: device.ConstExpr[device.int8]):
        out[0] = n + n
    out = np.zeros(1, np.int32)
    kernel[1, 1](out, 100)
    assert out[0] == -56
    with pytest.raises(device.CompileError):
        kernel[1, 1](out, 1000)
    with pytest.raises(device.CompileError):
        kernel[1, 1](out, 0.5)


# ---- functions and types as arguments

def double(x):
    return 2 * x


def test_functions_as_launch_arguments():
    @device.kernel
    def apply(f, out):
        out[0] = f(21)
    out = np.zeros(1)
    apply[1, 1](double, out)
    assert out[0] == 42
    apply[1, 1](device.func(lambda x: x + 0.5), out)
    assert out[0] == 21.5
    apply[1, 1](abs, out)
    assert out[0] == 21
    apply[1, 1](np.int8, out)
    assert out[0] == 21
    apply[1, 1](double, out)
    assert out[0] == 42


def test_an_argument_that_is_rebound_compiles_again():
    @device.kernel
    def apply(f, out):
        out[0] = f(1)
    out = np.zeros(1)

    def make(k):
        return lambda x: x * k
    for k in range(5):
        apply[1, 1](make(k), out)
        assert out[0] == k

    def changing(x):
        return x + OFFSET
    global OFFSET
    for OFFSET in (1, 7):
        apply[1, 1](changing, out)
        assert out[0] == 1 + OFFSET


def test_types_as_launch_arguments():
    @device.kernel
    def cast(out, dtype, x):
        out[0] = dtype(x)
    out = np.zeros(1)
    for dtype, want in ((np.float64, 2.7), (np.int16, 2), (int, 2), (device.uint8, 2), (np.dtype("int32"), 2)):
        cast[1, 1](out, dtype, np.float64(2.7))
        assert out[0] == want, dtype


def test_kernels_are_no_arguments():
    @device.kernel
    def kernel(out):
        out[0] = 1

    @device.kernel
    def apply(f, out):
        out[0] = 1
    with pytest.raises(TypeError):
        apply[1, 1](kernel, np.zeros(1))


# ---- decorators and launches

@pytest.mark.row("HETX-FN-1", "HETX-FN-2", "HETX-FN-3", "HETX-KF-1")
def test_decorators():
    def plain(out):
        out[0] = 3
    for made in (device.func(plain), device.func(interop=True)(plain), device.kernel(plain), device.kernel(interop=False)(plain)):
        assert made.underlying is plain
        out = np.zeros(1)
        made[1, 1](out)  # a function that returns None may be launched too
        assert out[0] == 3
    recip = device.func(lambda a: 1 / a)
    assert recip(4) == 0.25


@pytest.mark.row("HETX-FN-4", "HETX-KF-1")
@pytest.mark.parametrize("decorator", [device.func, device.kernel])
def test_unknown_options_are_errors(decorator):
    with pytest.raises(TypeError, match="no option 'unroll'"):
        decorator(unroll=4)
    with pytest.raises(TypeError, match="not both"):
        device.kernel(device.func(lambda: None))


@pytest.mark.row("HETX-KF-1")
def test_a_kernel_returns_none():
    @device.kernel
    def kernel(out):
        return out[0]
    with pytest.raises(device.CompileError, match="a kernel returns None"):
        kernel[1, 1](np.zeros(1))


@pytest.mark.row("HETX-FN-5")
def test_plain_functions_are_device_functions():
    def kernel(out):
        out[0] = double(4)
    assert one(kernel) == 8


@pytest.mark.row("HETX-KF-3")
def test_only_kernels_are_launched():
    with pytest.raises(TypeError, match="takes a kernel"):
        device.launch(double, 1, grid=1, block=1)


@pytest.mark.row("HETX-KF-4", "HETX-TP-2")
@pytest.mark.parametrize("grid, block", [(2, 3), ((2,), (3,)), ((2, 1), (3, 1)), ((2, 1, 1), (3, 1, 1))])
def test_shapes(grid, block):
    @device.kernel
    def kernel(out):
        out[device.tid(1)] = device.grid_size(1)
    out = np.zeros(6, np.int32)
    device.launch(kernel, out, grid=grid, block=block)
    assert out.tolist() == [6] * 6


@pytest.mark.row("HETX-TP-2", "HETX-GEN-2")
@pytest.mark.parametrize("axes", [0, 4, -1])
@pytest.mark.parametrize("name", ["tid", "grid_size"])
def test_axes_are_one_to_three(name, axes):
    scope = {"device": device}
    exec(f"def kernel(out):\n    t = device.{name}({axes})\n    out[0] = 0\n", scope)
    with pytest.raises(device.CompileError) as caught:
        one(scope["kernel"])
    assert caught.value.code == "E0506"


@pytest.mark.row("HETX-GEN-2")
@pytest.mark.parametrize("call", ["narrow(0.5)", "narrow(n)", "narrow(300)"])
def test_arguments_match_type_hints(call):
    def narrow(x: device.int8):
        return x
    scope = {"device": device, "narrow": narrow}
    exec(f"def kernel(out, n):\n    out[0] = {call}\n", scope)
    with pytest.raises(device.CompileError) as caught:
        one(scope["kernel"], np.int64(3))
    assert caught.value.code in ("E0212", "E0501")


@pytest.mark.row("HETX-GEN-3", "HETX-GEN-1")
def test_only_the_language_is_in_the_namespace():
    assert all(hasattr(device, name) for name in device.__all__)
    assert {"func", "kernel", "launch", "target", "provides", "is_exactly", "TargetDescription", "SMSelector", "ConstExpr",
            "tid", "grid_size", "machine_representation", "warp_size", "lane_id", "sm90", "sm100a"} <= set(device.__all__)


@pytest.mark.row("HET-NONE-1")
def test_none_is_an_argument():
    @device.kernel
    def kernel(out, x):
        out[0] = 1 if x is None else 2
    out = np.zeros(1)
    kernel[1, 1](out, None)
    assert out[0] == 1
    kernel[1, 1](out, 5)
    assert out[0] == 2
    assert _core.call(_core.capture(lambda x: x is None), (None,)) is True


def test_annotations_in_strings():
    scope = {"device": device}
    exec("from __future__ import annotations\ndef kernel(out, n: device.ConstExpr[device.int64], m: 'device.int8'):\n"
         "    out[0] = (5, 6)[n] + m\n", scope)
    assert one(scope["kernel"], 1, 3) == 9

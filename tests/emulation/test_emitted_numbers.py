"""What emitted GPU code computes: conversions and shifts of every type, run on the machine, against the interpreter."""

import itertools
import math
import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import on_machine
from hetjit import _core, device

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
NVIDIA = ("sm_75", "sm_90", "sm_100")
AMD = ("gfx942", "gfx1100")
on_machines = pytest.mark.parametrize("machine", on_machine.MACHINES)


def archs_of(machine):
    """What a test with this parameter compiles for."""
    return NVIDIA if machine == "emu:sm_90" else (machine[4:],)


class Case:
    """y[i] = expression of the arrays named in `types`."""

    def __init__(self, expression, to, **types):
        scope = {"device": device, "np": np, "math": math}
        code = f"def k({', '.join(types)}, y):\n    i = device.tid(1)\n    y[i] = {expression}\n"
        exec(compile(code, "<made>", "exec"), scope)
        self.expression, self.function = expression, scope["k"]
        self.snapshot = _core.capture(scope["k"])
        arrays = [f"array[{each}, 1, contiguous, index32]" for each in (*types.values(), to)]
        self.to, self.signature = to, f"({', '.join(arrays)})"

    def text(self, target, phase, **options):
        return _core.show(self.snapshot, phase, self.signature, target, kernel=True, **options)

    def expected(self, arrays, **options):
        y = np.zeros(len(arrays[0]), self.to)
        _core.interpret(self.snapshot, (*arrays, y), 1, len(y), **options)
        return y

    def check(self, arch, arrays, expected, **options):
        target = on_machine.target_of(f"emu:{arch}")
        image = _core.compile(self.snapshot, self.signature, target, **options)
        y = np.zeros_like(expected)
        on_machine.run(image, 1, len(y), (*arrays, y))
        said = f"{self.expression} on {arch} {options}\n{arrays}\n{self.assembly(target, **options)}"
        np.testing.assert_array_equal(y, expected, said)
        np.testing.assert_array_equal(np.signbit(y), np.signbit(expected), said)

    def assembly(self, target, **options):
        return self.text(target, "ptx" if target.startswith("cuda") else "amdgcn", **options)


def integers(name):
    """The ends of the range, and what rounds in one format of floats or another."""
    low, high = np.iinfo(name).min, np.iinfo(name).max
    points = [0, 1, 2, 3, 7, 100, 127, 128, 255, 256, 2049, 32767, 32768, 65504, 65519, 65520, 65535, 2**24 + 1, 2**31 - 1, 2**31,
              2**32 - 1, 2**53 + 1, 2**63 - 513, high - 1, high]
    points += [-each for each in points] + [low, low + 1]
    return np.array(sorted({each for each in points if low <= each <= high}), name)


def floats(name):
    limits = [2.0**n for n in (7, 8, 15, 16, 31, 32, 63, 64)]
    points = [0.0, 0.5, 0.75, 1.0, 1.5, 2.5, 126.9, np.inf, 1e300, 5e-324, np.finfo(name).max, *limits]
    points += [each - 0.5 for each in limits] + [np.nextafter(each, 0, dtype=name) for each in np.array(limits, name)]
    with np.errstate(over="ignore"):
        return np.array([sign * each for each in points for sign in (1, -1)] + [np.nan], name)


def converted(of, between, to):
    return Case(f"device.{to}(device.{between}(x[i]))", to, x=of)


@on_machines
@pytest.mark.parametrize("between", FLOATS)
def test_integers_by_way_of_floats(between, machine):
    for of, to in itertools.product(INTEGERS, INTEGERS):
        case, x = converted(of, between, to), integers(of)
        expected = case.expected([x])
        for arch in archs_of(machine):
            case.check(arch, [x], expected)
        case.check(machine[4:], [x], expected, fastmath=True)


@pytest.mark.parametrize("between", FLOATS)
def test_amd_converts_negative_numbers_as_floats(between):
    """A small signed integer that becomes unsigned by way of a float does not become it directly, where -1 would be 255."""
    for of, arch in itertools.product(("int8", "int16"), AMD):
        code = converted(of, between, "uint32").text(f"hip:{arch}", "amdgcn")
        assert re.search(r"v_cvt_u32_f(32|64)|v_cmp_\w*le_f", code), code


DETOURS = {
    "times one": "device.uint32(x[i] * 1.0)", "rounded": "device.uint32(np.rint(device.float32(x[i])))",
    "cut": "device.uint32(np.trunc(device.float32(x[i])))", "down": "device.uint32(np.floor(device.float32(x[i])))",
    "shifted": "device.uint32(device.float32(int(x[i]) >> 3))", "negated": "device.uint32(-device.float32(x[i]))",
    "two floats": "device.uint32(device.float64(device.float16(x[i])))", "sum": "device.uint32(device.float32(x[i]) + 0.0)",
    "larger": "device.uint32(max(device.float32(x[i]), -100.0))", "chosen": "device.uint32(x[i] * 1.0 if x[i] > -5 else 2.0)",
    "anded": "device.uint32(device.float32(x[i] & 0x7F))", "brain": "device.uint32(device.bfloat16(x[i]))",
    "to 64": "device.uint64(device.float32(x[i]))", "to 16": "device.uint16(device.float32(x[i]))",
    "to 8": "device.uint8(device.float32(x[i]))",
}


@on_machines
@pytest.mark.parametrize("detour", DETOURS)
def test_negative_integers_by_other_ways(detour, machine):
    to = re.match(r"device\.(\w+)", DETOURS[detour])[1]
    for of in ("int8", "int16", "int32", "int64"):
        case, x = Case(DETOURS[detour], to, x=of), integers(of)
        expected = case.expected([x])
        for options in ({}, {"fastmath": True}, {"contract": False}):
            case.check(machine[4:], [x], expected, **options)


@on_machines
@pytest.mark.parametrize("of", FLOATS)
def test_floats_to_integers(of, machine):
    for to in INTEGERS:
        case, x = Case(f"device.{to}(x[i])", to, x=of), floats(of)
        expected = case.expected([x])
        for arch in archs_of(machine):
            case.check(arch, [x], expected)


def counts(name):
    ends = np.iinfo(name)
    points = [-1, -8, -2**32, -2**33 + 1, 0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 2**31, 2**32 - 1, 2**32, 2**32 + 1,
              2**32 + 31, 2**33 + 63, 2**40, ends.min, ends.max]
    return sorted({each for each in points if ends.min <= each <= ends.max})


SHIFTS = [(a, b, op) for a, b, op in itertools.product(INTEGERS, INTEGERS, ("<<", ">>"))
          if "uint64" not in (a, b) or (a[0], b[0]) == ("u", "u")]  # uint64 and signed integers meet in no type


def shifted(values, numbers, of, by):
    pairs = list(itertools.product(values, numbers))
    return [np.array([v for v, _ in pairs], of), np.array([n for _, n in pairs], by)]


@on_machines
def test_shifts_by_any_count(machine):
    """Every combination of types that has a shift, with counts beyond the width, negative ones and ones of over 32 bits."""
    assert len(SHIFTS) == 112
    for of, by, op in SHIFTS:
        both = np.result_type(of, by).name
        case = Case(f"x[i] {op} n[i]", both, x=of, n=by)
        top = np.iinfo(of)
        arrays = shifted([1, 5, top.max, top.min, top.max // 3], counts(by), of, by)
        expected = case.expected(arrays)
        for arch in ("sm_75", "sm_90") if machine == "emu:sm_90" else archs_of(machine):
            case.check(arch, arrays, expected)


GUARDED = {
    "guarded by the user": ("device.uint32(x[i]) << device.uint32(n[i]) if 0 <= n[i] and n[i] < 32 else device.uint32(0)", "uint32", "int64"),
    "to the right": ("device.uint32(x[i]) >> device.uint32(n[i]) if n[i] >= 0 and n[i] < 32 else device.uint32(0)", "uint32", "int64"),
    "of 16 bits": ("device.uint16(x[i]) << device.uint16(n[i]) if n[i] < 16 else device.uint16(0)", "uint16", "uint64"),
    "turned": ("x[i] << n[i] | x[i] >> (64 - n[i])", "uint64", "uint64"),
    "turned back": ("x[i] >> n[i] | x[i] << (64 - n[i])", "uint64", "uint64"),
    "turned within 64": ("x[i] << (n[i] & 63) | x[i] >> (64 - (n[i] & 63))", "uint64", "uint64"),
    "two words": ("x[i] << n[i] | (x[i] + 7) >> (64 - n[i])", "uint64", "uint64"),
    "turned in 32": ("x[i] << device.uint32(n[i]) | x[i] >> (32 - device.uint32(n[i]))", "uint32", "uint64"),
    "in both": ("(x[i] << n[i]) >> n[i]", "uint64", "uint64"),
    "of a constant": ("device.uint64(1) << n[i]", "uint64", "uint64"),
    "of a vector": ("(device.uint64x2(x[i], 3) << n[i]).x", "uint64", "uint64"),
    "and more": ("(x[i] << n[i]) + x[i]", "uint64", "uint64"),
}


@on_machines
@pytest.mark.parametrize("name", GUARDED)
def test_shifts_in_company(name, machine):
    expression, of, by = GUARDED[name]
    case = Case(expression, of, x=of, n=by)
    arrays = shifted([1, 5, np.iinfo(of).max, np.iinfo(of).max // 3], counts(by), of, by)
    expected = case.expected(arrays)
    for options in ({}, {"fastmath": True}):
        case.check(machine[4:], arrays, expected, **options)


DIFFERENCES = {  # each from zero, in what reads it: 0.0 - 0.0 is 0.0, and -0.0 is another number
    "multiplied": "(T(0) - x[i]) * T(0.5)", "divided by": "T(1) / (T(0) - x[i])", "added": "T(-0.0) + (T(0) - x[i])",
    "a negative": "(-x[i] + T(0)) * T(2)", "fused": "device.fma(T(0) - x[i], T(2), T(-0.0))", "of an integer": "(T(0) - T(device.int8(x[i]))) * T(0.5)",
    "a product": "device.fma(x[i], T(-1), T(0)) * T(2)", "converted": "device.float64(T(0) - x[i])", "the larger": "max(T(0) - x[i], T(-0.0))",
    "complex": "(device.complex64(device.float32(0), device.float32(x[i])) / 2j).real * T(2)", "its sign": "math.copysign(T(1), T(0) - x[i])",
    "of all lanes": "(T(0) - x[0]) * T(0.5)", "of a choice": "((T(0) if x[i] < 5 else T(0)) - x[i]) * T(0.5)",
    "of bfloat16": "device.float32((device.bfloat16(0) - device.bfloat16(x[i])) * device.bfloat16(0.5))"}


@on_machines
@pytest.mark.parametrize("of", FLOATS)
def test_differences_from_zero(of, machine):
    x = np.array([0.0, -0.0, 1.5, -7.0, np.inf], of)
    for expression in DIFFERENCES.values():
        case = Case(expression.replace("T(", f"device.{of}("), "float64", x=of)
        for contract in (True, False):
            expected = case.expected([x], contract=contract)
            for arch in archs_of(machine):
                case.check(arch, [x], expected, contract=contract)


def uniform_floats(n, x, out):
    y = device.uint32(device.thread_idx.y)
    if n == 2:
        y = device.uint32(device.float32(device.block_idx.x))
    t = device.thread_idx.x
    out[t, 0] = y
    out[t, 1] = device.uint32(x * 2)
    out[t, 2] = device.uint32(device.float32(device.int8(n)))
    out[t, 3] = device.uint32(x if n < 2 else device.float32(device.int16(-n)))


@pytest.mark.always
@pytest.mark.parametrize("machine", on_machine.MACHINES)
def test_uniform_floats_become_unsigned_integers(machine):
    """LLVM knows no way to fence on AMD what was computed in a vector register and is the same for all lanes."""
    signature = "(int32, float32, array[uint32, 2, contiguous, index32])"
    for target in (on_machine.target_of(machine), "hip:gfx90a", "hip:gfx1030", "hip:gfx1201"):
        image = _core.compile(_core.capture(uniform_floats), signature, target)
        for n, x in ((2, 1e30), (-5, -3.0), (1, float("nan")), (200, 7.5)) if target == on_machine.target_of(machine) else ():
            got, want = np.zeros((32, 4), np.uint32), np.zeros((32, 4), np.uint32)
            on_machine.run(image, 2, 32, (np.int32(n), np.float32(x), got))
            _core.interpret(_core.capture(uniform_floats), (np.int32(n), np.float32(x), want), 2, 32)
            np.testing.assert_array_equal(got[:, 1:], want[:, 1:])

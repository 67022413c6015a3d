"""What `&`, `|`, `^` and `~` make of a mask is a mask: its bits are lanes, the highest one too, which is the integer's sign."""

import functools
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import shapes
from hetjit import _core, device
from shapes import rank

WARP = 32  # lanes of a warp
EVEN = device.WarpMask(0x55555555)
HIGHEST = device.WarpMask(1 << 31) | device.WarpMask(1)
BUT_ONE = ~device.WarpMask(1 << 31)


@device.func
def both_of(mask, other):
    return mask | other


def combined(out, x):
    t = rank()
    every = device.FULL_MASK
    odd = device.ballot_sync(every, x[t] & 1)
    many = device.ballot_sync(every, x[t] > 1)
    out[t, 0], out[t, 1] = (odd | many).bit_count(), (odd | many).bit_length()
    out[t, 2], out[t, 3] = (odd & many).bit_count(), (odd & every).bit_count()
    out[t, 4], out[t, 5] = (odd ^ many).bit_count(), (every & odd ^ many).bit_length()
    out[t, 6], out[t, 7] = (~odd & device.activemask()).bit_count(), (~odd).bit_count()
    out[t, 8], out[t, 9] = every.bit_count(), (every ^ 4).bit_count()
    out[t, 10], out[t, 11] = (odd & EVEN).bit_count(), (EVEN | 1 << 1).bit_count()
    found = 0
    for k in range(3):
        found |= device.ballot_sync(every, x[t] == k)
    out[t, 12], out[t, 13] = found.bit_count(), found.bit_length()
    odd |= many
    odd &= ~device.ballot_sync(every, x[t] == 3)
    out[t, 14], out[t, 15] = odd.bit_count(), odd[WARP - 1]
    out[t, 16] = both_of(many, device.ballot_sync(every, x[t] == 0)).bit_count()
    out[t, 17] = (many if x[0] == 0 else 0).bit_count()
    out[t, 18], out[t, 19] = HIGHEST.bit_count() * 100 + BUT_ONE.bit_count(), (odd | device.lanemask_lt()).bit_count()


def expected(x):
    rows = []
    for t in range(len(x)):
        lanes = range(t // WARP * WARP, t // WARP * WARP + WARP)

        def mask(wanted):
            return sum(1 << k % WARP for k in lanes if wanted(x[k]))
        odd, many, full = mask(lambda v: v & 1), mask(lambda v: v > 1), (1 << WARP) - 1
        even = 0x55555555
        found = mask(lambda v: v < 3)
        rest = (odd | many) & ~mask(lambda v: v == 3)
        counts = [odd | many, odd & many, odd, odd ^ many]
        row = [counts[0].bit_count(), counts[0].bit_length(), counts[1].bit_count(), odd.bit_count(), counts[3].bit_count(), counts[3].bit_length(),
               (~odd & full).bit_count(), (~odd & full).bit_count(), WARP, WARP - 1, (odd & even).bit_count(), (even | 2).bit_count(),
               found.bit_count(), found.bit_length(), rest.bit_count(), rest >> WARP - 1 & 1, mask(lambda v: v > 1 or v == 0).bit_count(),
               (many if x[0] == 0 else 0).bit_count(), 200 + WARP - 1, (rest | (1 << t % WARP) - 1).bit_count()]
        rows.append(row)
    return np.array(rows, np.int32)


@functools.cache
def of_target(target):
    module = sys.modules[__name__]
    return shapes.with_constants(module, WARP=64) if "gfx9" in target else module


def inputs(threads):
    draw = np.random.default_rng(5)
    whole = [draw.integers(0, 5, threads).astype(np.int32) for _ in range(3)]
    return [*whole, np.zeros(threads, np.int32), np.full(threads, 3, np.int32), np.full(threads, 1, np.int32)]


@pytest.mark.row("HETX-WS-1")
@pytest.mark.parametrize("where", ("cpu", "emu:sm_90", "emu:gfx942", "emu:gfx1100"))
def test_masks_of_masks(where):
    module = of_target(where)
    kernel = device.kernel(module.combined).on(where)
    for x in inputs(128):
        out = device.zeros((128, 20), device.int32, where)
        kernel[1, 128](out, device.array(x, where))
        np.testing.assert_array_equal(device.to_numpy(out), module.expected(x.tolist()), str(x))


@pytest.mark.parametrize("target", ("cpu", "hip:gfx942"))
def test_masks_of_masks_by_the_interpreter(target):
    module = of_target(target)
    program = _core.capture(module.combined)
    for x in inputs(64):
        out = np.zeros((64, 20), np.int32)
        _core.interpret(program, (out, x), 1, 64, target=target)
        np.testing.assert_array_equal(out, module.expected(x.tolist()), str(x))


@pytest.mark.parametrize("tier", ("warps", "threads"))
def test_masks_of_masks_in_each_tier(tier, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    kernel = device.kernel(combined)
    for x in inputs(64):
        out = np.zeros((64, 20), np.int32)
        kernel[1, 64](out, x)
        np.testing.assert_array_equal(out, expected(x.tolist()), str(x))


@pytest.mark.parametrize("expression, advice", [
    *((text, "write it as a mask: device.WarpMask(2147483648)") for text in ("b & 0x80000000", "0x80000000 | b", "b ^ (1 << 31)", "b == 0x80000000", "(b | 1) & 0x80000000", "~b & 0x80000000")),
    *((text, "a mask has a bit for each lane of a warp") for text in ("b & 0x1FFFFFFFF", "b == 1 << 32", "device.ballot_sync(0x1FFFFFFFF, n > 2)", "device.WarpMask(1 << 40)"))])
def test_what_is_no_mask_beside_one(expression, advice):
    given = {"device": device}
    exec(f"def kernel(out, n):\n    b = device.ballot_sync(device.FULL_MASK, n > 2)\n    out[0] = {expression}\n", given)
    with pytest.raises(device.CompileError) as told:
        device.kernel(given["kernel"])[1, WARP](np.zeros(1, np.int64), 3)
    assert told.value.code == "E0501" and advice in " ".join(told.value.notes) and "int64" not in " ".join(told.value.notes)


@pytest.mark.parametrize("operator, wanted", [("&", 1), ("|", 32), ("^", 31)])
def test_the_mask_that_is_advised(operator, wanted):
    given, out = {"device": device}, np.zeros(1, np.int32)
    exec(f"def kernel(out, n):\n    b = device.ballot_sync(device.FULL_MASK, n > 2)\n    out[0] = (b {operator} device.WarpMask(2147483648)).bit_count()\n", given)
    device.kernel(given["kernel"])[1, WARP](out, 3)
    assert out[0] == wanted

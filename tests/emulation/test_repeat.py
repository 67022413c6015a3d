"""What the interpreter has done is asked of machines too (tests/differential/conftest.py): nothing is left out without a word."""

import math

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import ml_dtypes
import on_machine
import tools
from hetjit import _core, device
from on_machine import MACHINES, target_of


def doubled(x, out):
    i = device.tid(1)
    out[i] = x[i] * 2


def reversed_(x, out):
    i = device.tid(1)
    out[i] = x[len(x) - 1 - i]


def sines(x, out):
    i = device.tid(1)
    out[i] = math.sin(x[i]) + math.cos(x[i] * 20)


def next_lane(out):
    i = device.tid(1)
    out[i] = device.shfl_sync(device.FULL_MASK, i, (device.lane_id + 1) % device.warp_size)


def reads_the_clock(out):
    out[0] = device.clock()


def repeated(function, arguments, machine, grid=1, block=8, change=None):
    target = target_of(machine)
    given, program = tuple(map(tools.fresh, arguments)), _core.capture(function)
    _core.interpret(program, arguments, grid, block, target=target)
    if change:
        change(*arguments)
    return on_machine.repeat(target, program, given, arguments, grid, block)


DTYPES = ["int8", "uint64", "float16", "float64", "complex64", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_arrays_of_every_type_are_packed(dtype, machine):
    x = np.arange(8).astype(dtype)
    assert repeated(reversed_, (x, np.zeros(8, dtype)), machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_warp_has_as_many_lanes_as_the_machines(machine):
    out = np.zeros(128, np.int32)
    assert repeated(next_lane, (out,), machine, 1, 128)
    lanes = 64 if machine == "emu:gfx942" else 32
    assert out.tolist() == [i // lanes * lanes + (i + 1) % lanes for i in range(128)]


@pytest.mark.parametrize("machine", MACHINES)
def test_math_functions_are_ours_for_every_target(machine):
    x = np.linspace(-40, 40, 64, dtype=np.float32)
    assert repeated(sines, (x, np.zeros_like(x)), machine, 1, 64)


@pytest.mark.parametrize("machine", MACHINES)
def test_another_result_is_an_error(machine):
    with pytest.raises(AssertionError, match="is not"):
        repeated(doubled, (np.arange(8), np.zeros(8, int)), machine, change=lambda x, out: out.__setitem__(5, 3))


@pytest.mark.parametrize("machine", MACHINES)
def test_what_a_target_refuses_is_an_error(machine):
    x = np.zeros(8, ml_dtypes.float8_e5m2)
    with pytest.raises(device.CompileError, match="cannot apply '\\*' to float8e5m2"):
        on_machine.repeat(target_of(machine), _core.capture(doubled), (x, x.copy()), (x, x), 1, 8)


def test_clocks_and_what_cannot_be_packed_are_left_out():
    assert not repeated(reads_the_clock, (np.zeros(1, np.int64),), "emu:sm_90")
    assert not on_machine.repeat("cuda:sm_90", _core.capture(doubled), ((1, 2), None), (), 1, 8)

"""Every device that this machine has runs every kernel of tests/differential as the interpreter does, bit for bit: arrays are
copied to the device's own memory, the kernel is launched there, and copied back.

A vendor without a device is skipped with the driver's reason. Math functions differ between targets in the last places,
so those kernels are compared within a bound.
"""

import copy
import os
import pathlib
import sys

import numpy as np
import pytest

from hetjit import _core, device

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import kernels
import tools

OTHERS = ["emu:sm_75", "emu:sm_100"] if os.environ.get("HETJIT_MACHINES") == "all" else []
DEVICES = [*_core.devices(), "emu:sm_90", "emu:gfx942", "emu:gfx1100", *OTHERS]


def case_name(case):
    return f"{case[0].underlying.__name__}-{case[1]}"


def contiguous(arguments):
    """Device arrays are in C order."""
    return [np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in copy.deepcopy(arguments)]


def to_device(array, where):
    made = _core.DeviceArray(array.shape, "bool" if array.dtype == np.bool_ else array.dtype.name, where)
    made.copy_in(array)
    return made


def run_there(kernel, grid, block, arguments, where):
    """The arguments after a launch on the device."""
    given = [to_device(a, where) if isinstance(a, np.ndarray) else a for a in arguments]
    kernel[grid, block](*given)
    after = []
    for argument, on_device in zip(arguments, given):
        if isinstance(argument, np.ndarray):
            argument = np.empty_like(argument)
            on_device.copy_out(argument)
        after.append(argument)
    return after


def interpreted(kernel, grid, block, arguments):
    arguments = tuple(copy.deepcopy(arguments))
    _core.interpret(_core.capture(kernel.underlying), arguments, grid, block)
    return arguments


@pytest.mark.parametrize("vendor", ["cuda", "hip"])
def test_there_is_a_device(vendor):
    """Only to say among the skips why the tests below did not meet one."""
    reason = _core.why_not(vendor)
    present = any(name.startswith(vendor) for name in DEVICES)
    assert present == (reason == "")
    if not present:
        pytest.skip(reason)


@pytest.mark.parametrize("where", DEVICES)
@pytest.mark.parametrize("case", list(kernels.cases()), ids=case_name)
def test_kernels_agree_with_the_interpreter(case, where):
    kernel, _, grid, block, arguments = case
    arguments = contiguous(arguments)
    got = tools.skip_without_libdevice(lambda: run_there(kernel, grid, block, arguments, where))
    tools.assert_same_bits(got, interpreted(kernel, grid, block, arguments))


@pytest.mark.parametrize("where", DEVICES)
@pytest.mark.parametrize("case", list(kernels.inexact_cases()), ids=case_name)
def test_math_is_close(case, where):
    kernel, dtype, grid, block, arguments = case
    arguments = contiguous(arguments)
    got = tools.skip_without_libdevice(lambda: run_there(kernel, grid, block, arguments, where))
    want = interpreted(kernel, grid, block, arguments)
    np.testing.assert_allclose(got[-1], want[-1], rtol=8 * np.finfo(dtype).eps, atol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("where", DEVICES)
def test_memory_comes_back_as_it_went(where):
    for count in (0, 1, 1000, 1 << 20):
        there = np.random.default_rng(1).integers(0, 256, count, dtype=np.uint8)
        back = np.empty_like(there)
        to_device(there, where).copy_out(back)
        assert (back == there).all()


@device.kernel
def increment(x):
    i = device.tid(1)
    if i < len(x):
        x[i] += 1


@pytest.mark.parametrize("where", DEVICES)
def test_launches_run_in_order(where):
    x = np.zeros(10_000, np.int32)
    there = to_device(x, where)
    for _ in range(100):
        increment[40, 256](there)
    there.copy_out(x)
    assert (x == 100).all()


@pytest.mark.parametrize("where", DEVICES)
def test_impossible_launches_are_refused(where):
    there, info = to_device(np.zeros(1, np.int32), where), _core.device_info(where)
    for grid, block in ((0, 1), (1, info["max_threads_per_block"] + 1), ((1, info["max_grid"][1] + 1), 1)):
        with pytest.raises(ValueError, match="grid|block"):
            increment[grid, block](there)

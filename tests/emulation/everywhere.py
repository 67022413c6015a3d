"""A kernel by the interpreter, on the CPU and on each machine in a GPU's place; and what the tests of rows share."""

import pathlib
import sys

import numpy as np
import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "differential"), str(TESTS / "python")]

import rows
import tools
from hetjit import _core, device

MACHINES = tuple(vendor.machine for vendor in rows.VENDORS if vendor.machine)
on_machines = pytest.mark.parametrize("where", MACHINES)
anywhere = pytest.mark.parametrize("where", ("cpu", *MACHINES))  # that is launched on
everywhere = pytest.mark.parametrize("where", ("interpreter", "cpu", *MACHINES))


def launched(where, kernel, *arguments, grid=1, block=1):
    """The arrays among the arguments, as the kernel leaves them there."""
    given = tuple(map(tools.fresh, arguments))
    if where == "interpreter":
        hints = tuple(_core.element_of_dtype(a.dtype) if isinstance(a, np.ndarray) else None for a in given)
        _core.interpret(_core.capture(kernel, hints), given, grid, block)
    else:
        given = tuple(device.array(a, where) if isinstance(a, np.ndarray) else a for a in given)
        device.kernel(kernel)[grid, block](*given)
    return [device.to_numpy(a) for a in given if isinstance(a, (np.ndarray, device.DeviceArray))]


@device.kernel
def double(x, y):
    i = device.tid(1)
    if i < len(x):
        y[i] = 2 * x[i]


@device.struct
class Mixed:
    """Fields that need padding between them, of every kind."""
    flag: bool
    small: device.int8
    count: int
    pair: tuple[device.uint8, device.float64]
    place: device.float32x3
    wide: device.align(device.int16, 16)
    turn: complex
    last: device.uint8

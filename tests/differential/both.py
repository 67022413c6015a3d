"""A kernel by the interpreter and on the host, and what the tests of numbers compare."""

import math

import numpy as np

from hetjit import _core, device

import tools


def both(kernel, *arguments, grid=1, block=1, contract=False):
    """What the kernel leaves in its last argument: by the interpreter and on the host, the same bits."""
    interpreted, native = (tuple(map(tools.fresh, arguments)) for _ in range(2))
    _core.interpret(_core.capture(kernel), interpreted, grid, block, contract=contract)
    device.kernel(contract=contract)(kernel)[grid, block](*native)
    np.testing.assert_array_equal(bits(interpreted[-1]), bits(native[-1]))
    return native[-1]


def bits(x):
    """The bits of an array of numbers, with one NaN."""
    x = np.ascontiguousarray(x)
    x = x.view(x.real.dtype) if np.iscomplexobj(x) else x
    if x.dtype.kind == "f" or x.dtype.name == "bfloat16":
        x = np.where(np.isnan(x), np.array(math.nan, x.dtype), x)
    return x.view(f"u{x.dtype.itemsize}")


def same(got, want):
    np.testing.assert_array_equal(bits(np.asarray(got)), bits(np.asarray(want, np.asarray(got).dtype)))


def refused(kernel, signature):
    """The message that a kernel gets for this signature."""
    try:
        _core.show(_core.capture(kernel), "typed", signature)
    except device.CompileError as error:
        return str(error)
    raise AssertionError(f"{kernel.__name__} compiles for {signature}")

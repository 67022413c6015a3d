"""Launching a kernel on each target, for tests."""

import numpy as np

from hetjit import device


def launched(kernel, where, *arguments, n=1, options=None):
    """The arguments after a launch of n threads, arrays as NumPy has them."""
    there = [device.array(a, where) if isinstance(a, np.ndarray) and where != "cpu" else a.copy() if isinstance(a, np.ndarray) else a
             for a in arguments]
    if not isinstance(kernel, device.Kernel):
        kernel = device.kernel(**(options or {}))(kernel)
    kernel.forall(n, block=32)(*there)
    return [device.to_numpy(a) if isinstance(a, device.DeviceArray) else a for a in there]

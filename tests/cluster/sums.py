"""What test_dask.py sends to workers."""

import os
import pathlib
import signal

import numpy as np

from hetjit import _core, device


@device.kernel
def square(x):
    i = device.tid(1)
    if i < len(x):
        x[i] = x[i] * x[i] + 1


def squared(part):
    part = np.array(part)
    square.forall(len(part))(part)
    return part


def squared_by_the_killed(part, before):
    """The first worker that comes here is killed, with the launch done and nothing returned."""
    part = squared(part)
    try:
        pathlib.Path(before).touch(exist_ok=False)
    except FileExistsError:
        return part
    os.kill(os.getpid(), signal.SIGKILL)


def compilations():
    return os.getpid(), _core.compilations()

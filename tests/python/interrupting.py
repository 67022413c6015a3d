"""For test_reentry.py: long host kernels that a signal handler interrupts, or a finaliser."""

import faulthandler
import signal

import numpy as np

from hetjit import device

faulthandler.dump_traceback_later(200, exit=True)  # a deadlock says where

TEXT = """
@device.kernel{options}
def {name}(flag, out, n):
    if flag[0] == 0:
        t = 0.5
        for i in range(n):
            t = t * 0.999 + 0.001
        out[0] = t
    {more}
"""
NEVER = np.ones(1, np.int32)  # as `flag`: blocks that have nothing to do
ROUNDS = 100_000


def kernel(name="slow", more="pass", options=""):
    """Blocks that take long until flag[0] is set."""
    scope = {"device": device}
    exec(TEXT.format(name=name, more=more, options=options), scope)
    made = scope[name]
    short(made)
    return made


def short(kernel, blocks=4):
    kernel[blocks, 1](NEVER, np.zeros(1, np.float32), ROUNDS)


def interrupted(kernel, handler, block=1):
    """Launches, and calls `handler` in the middle. What it returned."""
    flag, out, returned = np.zeros(1, np.int32), np.zeros(1, np.float32), []

    def on_alarm(*_):
        if not returned:
            returned.append(None)
            try:
                returned[0] = handler()
            finally:
                flag[0] = 1
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        kernel[50_000, block](flag, out, ROUNDS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert returned, "nothing interrupted the launch"
    return returned[0]

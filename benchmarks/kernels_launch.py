"""Kernels that do next to nothing: what is timed is how they are launched."""

from hetjit import device


@device.kernel
def three_arrays(a, b, c, n, alpha):
    i = device.tid(1)
    if i < n:
        c[i] = a[i] + alpha * b[i]


@device.kernel
def nothing():
    pass


ONE = TWO = THREE = FOUR = FIVE = SIX = 1.0


@device.func
def scaled(x):
    return x * ONE + TWO


@device.kernel
def three_arrays_and_globals(a, b, c, n, alpha):
    i = device.tid(1)
    if i < n:
        c[i] = scaled(a[i]) * THREE + alpha * b[i] * FOUR + FIVE * SIX

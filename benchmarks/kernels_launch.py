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

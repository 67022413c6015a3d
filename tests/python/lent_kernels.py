"""Kernels for the tests of arrays that other libraries lend: one that reads its first argument, one that stores to it."""

from hetjit import device


@device.kernel
def copy(x, out):
    i = device.tid(1)
    if i < x.size:
        out[i] = x[i]


@device.kernel
def double(x):
    i = device.tid(1)
    if i < x.size:
        x[i] = x[i] * 2

"""Functions that raise, for C++ to call. Apart from the tests, whose assertions pytest rewrites."""

from hetjit import device


@device.struct
class Body:
    mass: float
    pos: device.float32x3


def twice(x):
    assert x != 7, f"{x + 1:>4} is too many"
    return x * 2


@device.func(interop=True)
def root(x, n):
    if x < 0:
        raise ValueError(f"negative {x}, {{n}} = {n:05d}")
    return twice(n) + x


@device.func(interop=True)
def moved(body, by):
    if body.mass <= 0:
        raise ZeroDivisionError("no mass")
    return body.replace(pos=body.pos + by / body.mass)


@device.func(interop=True)
def check(x):
    if x > 3:
        raise IndexError


@device.kernel(interop=True)
def doubled(x):
    i = device.tid(1)
    if i < x.shape[0]:
        if x[i] < 0:
            raise ValueError(f"negative {x[i]}")
        x[i] *= 2


@device.kernel(interop=True)
def begins(x):
    assert x[0] != 0

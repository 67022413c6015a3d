"""Functions that programs in C++ call."""

from hetjit import device


@device.struct
class Body:
    mass: float
    pos: device.float32x3


@device.func(interop=True)
def length2(v: device.float32x3):
    return v.x * v.x + v.y * v.y + v.z * v.z


@device.func(interop=True)
def moved(body: Body, by: device.float32x3, times: float):
    return body.replace(pos=body.pos + by * times)


@device.func(interop=True)
def trace(m):
    total = device.float64(0)
    for i in range(m.shape[0]):
        total += m[i, i]
    return total


@device.func(interop=True)
def clamped(x: device.int64, low: device.int64, high: device.int64):
    return min(max(x, low), high)

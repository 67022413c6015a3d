"""Mistakes that type checkers find by the stubs: each line that is marked, and no other. Read by test_types.py, never run."""

import numpy as np

from hetjit import device


@device.kernel
def scale(factor: float, x: device.float32[:]) -> None:
    i = device.tid(1)
    if i < x.shape[0]:
        x[i] *= factor


x = np.ones(100, np.float32)

# ---- names
device.syncthreds()  # WRONG
device.thread_idx.q  # WRONG
device.float33(1)  # WRONG
device.float32x5(1, 2, 3, 4)  # WRONG
device.atomic.addd(x, 0, 1.0)  # WRONG
device.random.unifrm(1, 2, 3)  # WRONG
device.is_nvida  # WRONG
device.sm93  # WRONG

# ---- launches
scale(2.0, x)  # WRONG
scale[100](2.0, x)  # WRONG
scale["1", 100](2.0, x)  # WRONG
scale[1, 100](2.0)  # WRONG
scale[1, 100](2.0, x, x)  # WRONG
scale[1, 100]("2", x)  # WRONG
scale[1, 100](2.0, x, y=x)  # WRONG
scale[1, 100, None, 0, "yes"](2.0, x)  # WRONG
scale.forAll(100)(2.0, x)  # WRONG
scale.forall("100")(2.0, x)  # WRONG
scale.forall(100, blok=64)(2.0, x)  # WRONG
scale.explain(2.0, x, target=90)  # WRONG
device.launch(scale, 2.0, x, grid=1)  # WRONG
device.launch(len, x, grid=1, block=1)  # WRONG


# ---- decorators
@device.kernel(contrct=False)  # WRONG
def misspelt() -> None: ...


@device.kernel(check=True)  # WRONG
def mistyped() -> None: ...


@device.kernel  # WRONG
def gives() -> int:
    return 1


@device.func
def half(value: device.float32) -> device.float32:
    return value / 2


half()  # WRONG


# ---- in kernels
@device.kernel
def wrong(a: device.float32[:, ::1], n: device.ConstExpr = 3) -> None:
    i, j = device.tid(1)  # WRONG
    i, j, k = device.tid(2)  # WRONG
    device.tid(4)  # WRONG
    device.tid()  # WRONG
    tile = device.shared_array((32, 32))  # WRONG
    other = device.shared_array("32", device.float32)  # WRONG
    fortran = device.shared_array(32, device.float32, order="K")  # WRONG
    device.syncwarp("all")  # WRONG
    device.shfl_sync(device.FULL_MASK, a[0, 0])  # WRONG
    device.atomic.add(a, 0, 1.0, memory="relaxd")  # WRONG
    device.threadfence(scope="warp")  # WRONG
    device.sqrt()  # WRONG
    if device.target("nvidia"):  # WRONG
        pass
    device.provides(90)  # WRONG


# ---- vectors and structs
v = device.float32x3(1, 2, 3)
v.w  # WRONG
v.replace(w=1)  # WRONG
device.float32x3(1, 2)  # WRONG
device.dot(v, 1.0)  # WRONG


@device.struct
class Body(device.Struct):
    position: device.float32x3
    mass: device.float32 = 1.0


body = Body(v, mass=2.0)
Body()  # WRONG
Body(v, 1.0, 2.0)  # WRONG
Body(v, weight=2.0)  # WRONG
body.positon  # WRONG
body.replaced(mass=3.0)  # WRONG
body.position.w  # WRONG


@device.struct(aling=16)  # WRONG
class Other:
    x: float


# ---- devices
device.synchronise()  # WRONG
device.use(0)  # WRONG
device.why_not("amd")  # WRONG
device.emit(scale, "(float, float32[:])", kind="ptx")  # WRONG

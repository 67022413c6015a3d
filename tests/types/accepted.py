"""Programs as users write them, in which type checkers find nothing. Run by test_types.py, too: what they accept is right."""

import math

import numpy as np

from hetjit import device


# ---- launches
@device.kernel
def saxpy(a: float, x: device.Array, y: device.Array) -> None:
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


x, y = np.ones(1000, np.float32), np.zeros(1000, np.float32)
saxpy[(len(x) + 255) // 256, 256](2.0, x, y)
saxpy[(4, 1, 1), (256,), None, 0](a=2.0, x=x, y=y)
saxpy.forall(len(x))(2.0, x, y)
saxpy.on("cpu").forall(np.int64(len(x)), block=64)(2.0, x, y)
device.launch(saxpy, 2.0, x, y, grid=(4, 1), block=256)
print(saxpy.explain(2.0, x, y, target="cpu:native").splitlines()[0], saxpy.specializations, saxpy.__name__)
bound = saxpy[4, 256]
bound(2.0, x, y)
print(bound.grid, bound.kernel)


# ---- annotations of parameters, constants, shared memory, warps
@device.kernel(contract=False, check="bounds")
def sums(a: device.float32[:, ::1], by: device.int64, rounds: device.ConstExpr = 3, more: device.ConstExpr[device.int64] = 2) -> None:
    i, j = device.tid(2)
    tile = device.shared_array((32, 33), device.float32)
    tile[device.thread_idx.y, device.thread_idx.x] = a[i, j]
    device.syncthreads()
    total = device.float32(0)
    for n in range(rounds):
        total += tile[device.thread_idx.y, device.thread_idx.x] * n + more
    if device.target(device.is_nvidia & device.provides(device.sm90) | ~device.is_host):
        total *= 2
    total += device.shfl_xor_sync(device.FULL_MASK, total, 1)
    mask = device.ballot_sync(device.FULL_MASK, total > 0)
    mask[0] = True
    if mask[device.lane_id]:
        device.atomic.add(a, (i, j), total + float(by), memory="acquire")


sums[1, (32, 32)](np.ones((32, 32), np.float32), 1, rounds=2)


@device.func
def scaled(value: device.float32, by: device.float32 = 2.0) -> device.float32:
    return math.sqrt(value) * by


print(scaled(1.0), scaled(4, by=3), device.float64(3), device.float32.itemsize, device.int8.dtype == np.int8)


# ---- without annotations: the types are those of the arguments
@device.kernel
def plain(x, y=3, *, z=4):  # type: ignore[no-untyped-def]
    i = device.tid(1)
    x[i] = y + z + device.random.uniform(1, i, 0)


plain[1, 32](x, z=3)


# ---- structs and vectors
@device.struct
class Body(device.Struct):
    position: device.float32x3
    mass: device.float32 = 1.0
    charge: float = 2.0
    HEAVY = 3

    def heavy(self) -> bool:
        return bool(self.mass > self.HEAVY)


@device.struct(align=16)
class Slot:
    hits: device.Atomic[int]
    busy: device.Aligned[device.Atomic[int], 16]


body = Body(device.float32x3(1, 2, 3), mass=2.0)
heavier = body.replace(mass=4.0)
place, mass, charge = heavier
print(heavier.position.x, heavier.heavy(), body[1], heavier.mass * 2, len(body), device.abi(Body).size, device.float32x3.__name__)
c = body.position + device.float32x3(1, 2, 3) * 2
print(c.x, c[1], device.dot(c, c), body.position.replace(x=3, z=1).z, body.position.replace(0, 2), isinstance(body, device.Struct))


@device.kernel
def move(bodies: device.Array[Body, :], slots: device.Array[Slot, ::1], dt: float) -> None:
    i = device.tid(1)
    body = bodies[i]
    place = body.position + body.position * dt
    place.x = 3.0
    body.position = place
    bodies[i] = body.replace(mass=2.0)
    slots[i].hits.add(1)
    slots[i].busy.store(3, memory="release", scope="device")


move[1, 8](np.zeros(8, device.numpy_dtype(Body)), np.zeros(8, device.numpy_dtype(Slot)), 0.5)

# ---- devices
there = device.array(x, device=device.current())
print(device.to_numpy(there).sum(), device.devices(), device.info()["name"], device.why_not("hip"))
try:
    device.use("cpu")
except device.DeviceError as error:
    print(error)
print(len(device.emit(saxpy, "(float, float32[:], float32[:])", "cuda:sm_90")), device.emit(scaled, (float, float), kind="obj")[:4])

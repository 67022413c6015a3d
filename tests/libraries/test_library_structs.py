"""Structs between Python, a library and kernels: the same memory."""

import numpy as np
import pytest

from hetjit import device, interop

SOURCE = r"""
struct body { float mass; float pos[3]; };
struct pair { int number; double value; };
extern "C" float total(const body* bodies, int n) { float sum = 0; for (int i = 0; i < n; ++i) sum += bodies[i].mass; return sum; }
extern "C" void push(body* bodies, int n, float by) { for (int i = 0; i < n; ++i) bodies[i].pos[0] += by; }
extern "C" body heaviest(const body* bodies, int n) { int k = 0; for (int i = 0; i < n; ++i) if (bodies[i].mass > bodies[k].mass) k = i; return bodies[k]; }
extern "C" body* world() { static body kept[3] = {{1, {0, 0, 0}}, {2, {1, 1, 1}}, {3, {2, 2, 2}}}; return kept; }
extern "C" pair doubled(pair one) { return {one.number * 2, one.value * 2}; }
extern "C" void change(pair* one) { one->number += 1; }
extern "C" void make(pair* out) { *out = {7, 0.5}; }
extern "C" double valueOf(const pair& one) { return one.value; }
"""

DECLARATIONS = """
struct body { float mass; float pos[3]; };
struct pair { int number; double value; };
extern "C" float total(const body* bodies +rank(1), int n +implied(size(bodies)));
extern "C" void push(body* bodies +rank(1), int n +implied(size(bodies)), float by);
extern "C" body heaviest(const body* bodies +rank(1), int n +implied(size(bodies)));
extern "C" body* world() +dimension(3);
extern "C" pair doubled(pair one);
extern "C" void change(pair* one);
extern "C" void make(pair* out +intent(out));
extern "C" double valueOf(const pair& one);
"""


@device.struct
class Body:
    mass: float
    pos: device.float32x3


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(DECLARATIONS, compiled(SOURCE), types={Body: "body"})


def test_kernel_and_library_work_on_the_same_memory(lib):
    @device.kernel
    def double_masses(bodies):
        i = device.tid(1)
        if i < len(bodies):
            bodies[i] = bodies[i].replace(mass=bodies[i].mass * 2)

    world = lib.world()
    assert world.dtype == device.numpy_dtype(Body)
    before = lib.total(world)
    double_masses.forall(3)(world)
    assert lib.total(world) == 2 * before == lib.total(lib.world())
    assert lib.push(world, 5.0) is world
    assert world["pos"]["x"].tolist() == lib.world()["pos"]["x"].tolist()


def test_structs_by_value(lib):
    bodies = np.zeros(4, device.numpy_dtype(Body))
    bodies["mass"] = 1, 9, 3, 4
    bodies["pos"][1] = 1, 2, 3
    assert lib.heaviest(bodies) == Body(9, device.float32x3(1, 2, 3))
    assert lib.doubled((3, 1.5)).item() == (6, 3.0)
    assert lib.doubled({"number": 1, "value": 2.0}).item() == (2, 4.0)
    assert lib.doubled(np.array((2, 0.5), lib.pair)).item() == (4, 1.0)
    assert lib.change((1, 2.0)).item() == (2, 2.0)
    assert lib.make().item() == (7, 0.5) and lib.valueOf((1, 2.5)) == 2.5
    with pytest.raises(TypeError, match="'one' is a pair, which 3 does not become|'one' is a pair"):
        lib.doubled("abc")


def test_layouts_that_differ_are_told(compiled):
    @device.struct
    class Wrong:
        mass: device.float64
        pos: device.float32x3

    with pytest.raises(TypeError, match=r"Wrong does not lie in memory as body does: mass at 0, pos at 8, 24 bytes, and body is mass at 0, pos at 4, 16 bytes"):
        interop.bind(DECLARATIONS, compiled(SOURCE), types={Wrong: "body"}).total([])

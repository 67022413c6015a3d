"""Structs between Python, a library and kernels: the same memory."""

import collections

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
    with pytest.raises(TypeError, match="'one' is a struct with the fields number, value, and a str has no fields"):
        lib.doubled("abc")


def test_layouts_that_differ_are_told(compiled):
    @device.struct
    class Wrong:
        mass: device.float64
        pos: device.float32x3

    with pytest.raises(TypeError, match=r"Wrong does not lie in memory as body does: mass at 0, pos at 8, 24 bytes, and body is mass at 0, pos at 4, 16 bytes"):
        interop.bind(DECLARATIONS, compiled(SOURCE), types={Wrong: "body"}).total([])


BODY = """
struct body { float mass; float pos[3]; };
struct couple { body first; int tag; };
inline float sum(const body* b +rank(1), int n +implied(size(b))) { float s = 0; for (int i = 0; i < n; ++i) s += b[i].mass + 100 * b[i].pos[2]; return s; }
inline float one(body b) { return b.mass + 100 * b.pos[2]; }
inline float both(const couple& c) { return one(c.first) + 1000 * c.tag; }
inline void grow(body* b +rank(1), int n +implied(size(b))) { for (int i = 0; i < n; ++i) b[i].mass *= 2; }
inline body grown(body b) { b.mass *= 2; return b; }
"""


@pytest.fixture(scope="module")
def bodies():
    return interop.bind(BODY)


def test_fields_are_found_by_their_names(bodies):
    @device.struct
    class Turned:
        pos: device.float32x3
        mass: float

    Named = collections.namedtuple("Named", "pos mass")
    turned = np.array([((1, 2, 3), 5), ((4, 5, 6), 7)], [("pos", "f4", 3), ("mass", "f4")])
    assert bodies.sum(turned) == bodies.sum(turned[::-1]) == 305 + 607 and bodies.one(turned[0]) == bodies.one(turned[0:1].reshape(())) == 305
    assert bodies.one(Named((1, 2, 3), 5)) == bodies.one({"pos": [1, 2, 3], "mass": 5}) == 305
    assert bodies.one(Turned(device.float32x3(1, 2, 3), 5.0)) == 305 and bodies.one((5, (1, 2, 3))) == 305
    assert bodies.sum([(5, (1, 2, 3)), {"pos": (4, 5, 6), "mass": 7}, turned[0]]) == 305 + 607 + 305 and bodies.sum([]) == 0
    packed = np.array([(3, (turned[0].item()))], [("tag", "i8"), ("first", turned.dtype)])
    assert bodies.both(packed[0]) == bodies.both({"tag": 3, "first": turned[0]}) == bodies.both(((5, (1, 2, 3)), 3)) == 3305
    assert bodies.grow([(5, (1, 2, 3))])["mass"].tolist() == [10] and bodies.grown(bodies.grown(turned[0]))["mass"] == 20
    with pytest.raises(ValueError, match="is written, so its elements have to be"):
        bodies.grow(turned)


@pytest.mark.parametrize("value", [
    np.array([1, 2, 3], "f4"), [1.0, 2.0], np.array([True]), ["ab"], [[1, 2]], [None], np.zeros(2, [("x", "f4"), ("y", "f4", 3)]),
    np.zeros(2, [("mass", "f4"), ("q", "f4")]), np.zeros(2, [("mass", "f4"), ("pos", "f4", 3), ("z", "f4")]), [(1.0,)], [(1.0, 2.0)], [(1.0, (1.0, 2.0))],
    [(1.0, (1, 2, 3), 4)], [{"mass": 1}], [[(1, (1, 2, 3))], []], np.zeros(2, [("mass", "f4"), ("pos", "f4")]), np.zeros(2, [("mass", "f4", 1), ("pos", "f4", 3)]),
], ids=repr)
def test_what_is_no_such_struct(bodies, value):
    for call in (bodies.sum, bodies.grow):
        if isinstance(value, list) or call == bodies.sum:
            with pytest.raises(TypeError, match="with the fields mass, pos, and"):
                call(value)
    with pytest.raises((TypeError, ValueError), match="with the fields mass, pos|'b' is one body"):
        bodies.one(value[0])


def test_numbers_of_fields_are_exact(lib, bodies):
    for wrong, error in (((3.5, 1.0), ValueError), ((2**31, 1.0), OverflowError), (("3", 1.0), TypeError), ((3, 1j), ValueError)):
        with pytest.raises(error, match="doubled.*: 'one.(number|value)' is an array of (int32|float64)"):
            lib.doubled(wrong)
    with pytest.raises(OverflowError, match="'b.pos' is an array of float32, which has not all"):
        bodies.one((1, (1e300, 0, 0)))
    with pytest.raises(ValueError, match="'b.mass' is an array of float32, not of float64"):
        bodies.sum(np.zeros(1, [("mass", "f8"), ("pos", "f4", 3)]))
    assert lib.doubled(np.array((3, 0.5), [("value", "f4"), ("number", "i8")][::-1])).item() == (6, 1.0)

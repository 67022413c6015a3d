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


PARTS = r"""
#include <complex>
#include <cstdint>
enum Kind : short { small, large };
struct corner { float x, y; std::int16_t tags[3]; };
struct part {
  corner first; corner both[2]; std::complex<double> z; double grid[2][3]; bool there; Kind kind; char name[4]; const double* at; void* handle; float v[4]; double last;
};
inline double held[2] = {5, 6};
inline part parts[3];
inline part* all() +dimension(3) { parts[1].at = held; parts[1].both[1].tags[2] = 7; parts[2].grid[1][2] = 9; parts[2].z = {1, 2}; parts[1].name[0] = 'n'; return parts; }
inline double sum() { double s = 0; for (auto& p : parts) s += p.first.y + p.both[1].tags[2] * 10 + p.grid[1][2] * 100 + p.z.imag() * 1000 + p.kind * 1e5 + p.there * 1e6 + p.v[3]; return s; }
class Holder { public: Holder() {} part inside[2] = {}; corner one = {}; double sum() { return inside[1].grid[1][2] + one.x; } };
"""


def test_structs_of_all_kinds_of_fields_in_kernels():
    """Nested structs, arrays, arrays of structs, addresses: a kernel writes them in the library's own memory."""
    @device.struct
    class Corner:
        x: float
        y: float
        tags: tuple[device.int16, device.int16, device.int16]

    @device.struct
    class Part:
        first: Corner
        both: tuple[Corner, Corner]
        z: device.complex128
        grid: tuple[device.float64x3, device.float64x3]
        there: bool
        kind: device.int16
        name: tuple[device.int8, device.int8, device.int8, device.int8]
        at: device.uint64
        handle: device.uint64
        v: tuple[float, float, float, float]
        last: device.float64

    @device.kernel
    def change(parts):
        i = device.tid(1)
        if i < len(parts):
            p = parts[i]
            both = p.both[0], p.both[1].replace(tags=(0, 0, p.both[1].tags[2] + 1))
            parts[i] = p.replace(first=p.first.replace(y=2.0), both=both, grid=(p.grid[0], p.grid[1] * 2), there=True, kind=1, z=p.z * 2, v=(0, 0, 0, 4.0))

    for types in ({}, {Part: "part", Corner: "corner"}):
        lib = interop.bind(PARTS, types=types)
        parts = lib.all()
        where = parts.ctypes.data
        before = lib.sum()
        assert parts["at"][1] != 0 and parts["name"][1].item()[0] == ord("n") if types else parts["name"][1][0] == ord("n")
        if types:
            change.forall(3)(parts)
            assert lib.sum() != before and parts.ctypes.data == where
            assert lib.sum() == 3 * 2 + (1 + 8 + 1) * 10 + 18 * 100 + 4 * 1000 + 3e5 + 3e6 + 3 * 4 and lib.all()["at"][1] == parts["at"][1]
        else:
            @device.kernel
            def first(parts, out):
                out[0] = parts[1].at
                out[1] = parts[1].both[1].tags[2]
            out = np.zeros(2, np.uint64)
            first[1, 1](parts, out)
            assert out.tolist() == [parts["at"][1], 7]
    holder = lib.Holder()
    change.forall(2)(holder.inside)
    assert holder.inside["first"]["y"].tolist() == [2, 2] and holder.sum() == 0
    holder.inside["grid"]["f1"]["z"] = 4
    holder.one["x"] = 1
    assert holder.sum() == 5


def test_numbers_of_other_types_are_no_such_struct():
    @device.struct
    class Whole:
        mass: device.int32
        pos: device.float32x3

    with pytest.raises(TypeError, match=r"Whole does not lie in memory as body does: mass int32 at 0, pos .* at 4, 16 bytes, and body is mass float32 at 0"):
        interop.bind("struct body { float mass; float pos[3]; }; inline float f(body b) { return b.mass; }", types={Whole: "body"}).f(Whole(1, device.float32x3(1, 2, 3)))


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

"""Vectors, tuples and structs in compiled code: the interpreter and the host target give what is written here, and so
does CPython with the package's own classes, but for assignments to parts of a local name, which only compiled code has."""

import numpy as np
import pytest

from hetjit import _core, device

import tools


@device.struct
class Particle:
    pos: device.float32x3
    mass: float
    tag: int = 7

    def weight(self, g=2.0):
        return self.mass * g

    @property
    def half(self):
        return self.mass / 2

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def unit(cls, x):
        return cls(device.float32x3(x, x, x), 1.0)

    def __mul__(self, k):
        return self.replace(pos=self.pos * k)


@device.struct
class Pair:
    left: Particle
    right: Particle
    both: tuple[int, device.float64]


def outcomes(kernel, *arguments, size, python=True):
    """What the kernel leaves in its last argument, an array of float64: in three ways, which agree."""
    runs = []
    for run in (plain, interpreted, native) if python else (interpreted, native):
        given = tuple(map(tools.fresh, arguments))
        out = np.zeros(size)
        run(kernel, *given, out)
        runs.append((*(a for a in given if isinstance(a, np.ndarray)), out))
    for other in runs[1:]:
        for one, another in zip(runs[0], other):
            assert one.tobytes() == another.tobytes(), f"{one} is not {another}"
    return runs[0][-1].tolist()


def plain(kernel, *arguments):
    kernel(*arguments)


def interpreted(kernel, *arguments):
    _core.interpret(_core.capture(kernel), arguments, 1, 1, contract=False)


def native(kernel, *arguments):
    device.kernel(contract=False)(kernel)[1, 1](*arguments)


# ---- vectors

@pytest.mark.row("HET-VEC-3", "HET-VEC-4", "HET-VEC-5", "HET-VEC-6", "HET-VEC-9", "HET-VEC-15", "HET-VEC-16", "HET-VEC-17",
                 "HET-VEC-18")
def test_the_parts_of_a_vector():
    def kernel(x, i, out):
        v = device.float32x4(x, 2, 0.5, i)
        out[0], out[1], out[2], out[3] = v.x, v.y, v.z, v.w
        out[4], out[5], out[6] = v[0], v[-1], v[i]
        out[7], out[8] = v.size, len(v)
        out[9] = v.dtype == device.float32

    assert outcomes(kernel, np.float32(1.25), np.int32(-3), size=10) == [1.25, 2, 0.5, -3, 1.25, -3, 2, 4, 4, 1]


@pytest.mark.row("HET-VEC-11", "HET-VEC-2")
def test_assignment_to_a_lane_rebinds_the_name():
    def changed(v):
        w = v
        v[0] = 5
        v.y += 1
        return w[0], v[0], v.y

    def kernel(i, out):
        v = device.int32x3(1, 2, 3)
        out[0], out[1], out[2] = changed(v)
        out[3], out[4] = v.x, v.y  # the caller's is untouched
        for k in range(3):
            v[k] = v[k] * 10 + k
        out[5], out[6], out[7] = v
        v[i] = 9
        out[8], out[9], out[10] = v

    assert outcomes(kernel, np.int32(-1), size=11, python=False) == [1, 5, 3, 1, 2, 10, 21, 32, 10, 21, 9]
    assert outcomes(kernel, np.uint32(0), size=11, python=False) == [1, 5, 3, 1, 2, 10, 21, 32, 9, 21, 32]


@pytest.mark.row("HET-VEC-2", "HET-VEC-14")
def test_vectors_are_replaced_and_iterated():
    def kernel(out):
        v = device.int32x3(1, 2, 3)
        a, b, c = v.replace(0, 9).replace(z=7)
        first, *rest = v
        n = 0
        for e in v:
            n = n * 10 + e
        out[0], out[1], out[2], out[3] = a, b, c, n
        out[4], out[5], out[6] = first + len(rest), sum(v), max(v)
        out[7], out[8] = 2 in v, 5 not in v
        out[9], out[10] = tuple(v)[1], v.x

    assert outcomes(kernel, size=11) == [9, 2, 7, 123, 3, 6, 3, 1, 1, 2, 1]


def test_operators_go_lane_by_lane():
    def kernel(x, out):
        v, w = device.float32x2(x, 3), device.int32x2(4, -7)
        out[0], out[1] = v + w
        out[2], out[3] = 2 * v - 1
        out[4], out[5] = w // 2
        out[6], out[7] = abs(-w)
        out[8], out[9] = v.astype(device.int8)
        out[10], out[11] = w % device.int32x2(3, 3)
        v += 1
        out[12], out[13] = v == device.float32x2(x + 1, 4), v != v
        out[14], out[15] = w << 1

    assert outcomes(kernel, np.float32(1.5), size=16) == [
        5.5, -4, 2, 5, 2, -4, 4, 7, 1, 3, 1, 2, 1, 0, 8, -14]


def test_library_functions_of_vectors_compile():
    def kernel(out):
        a, b = device.float32x3(3, 0, 4), device.float32x3(0, 2, 0)
        out[0], out[1] = device.dot(a, b + 1), device.length(a)
        out[2], out[3], out[4] = device.cross(a, b)
        out[5], out[6], out[7] = device.normalize(a) * 5

    found = outcomes(kernel, size=8, python=False)
    assert found == pytest.approx([7, 5, -8, 0, 6, 3, 0, 4])


def test_the_places_of_a_thread_are_vectors():
    def kernel(out):
        def flat(place):
            return place.x + place.y * 10 + place.z * 100

        x, y, z = device.block_dim
        here = device.thread_idx
        i = (device.block_idx * device.block_dim + here).x
        out[i] = flat(here) + x * y * z * 1000 + here[2] + here.size + len(device.grid_dim)

    out = np.zeros(4)
    device.kernel(kernel)[2, 2](out)
    again = np.zeros(4)
    _core.interpret(_core.capture(kernel), (again,), 2, 2)
    assert out.tolist() == again.tolist() == [2006, 2007, 2006, 2007]


# ---- tuples

@pytest.mark.row("HET-TUP-1")
def test_tuples_are_values():
    def kernel(i, x, out):
        t = (i, (2, x), None)
        out[0] = t[0] + t[1][0]
        out[1], out[2] = (10, 20, 30)[i], (10, 20, 30)[i - 3]
        out[3], out[4] = (i, x) < (i, 2.5), (i, x) >= (i, 2.5)
        out[5], out[6] = (1,) < (1, 2), ((1, i), 2) == ((1, 1), 2)
        a, b, *c = (t + t * 2)[::2]
        out[7], out[8] = len(c), c[0][0]
        out[9], out[10] = i in (3, 1), t[2] is None
        for pair in ((1, 2.0), (3, 4.0)):
            out[11] += pair[0] * pair[1]

    assert outcomes(kernel, np.int32(1), np.float32(2), size=12) == [3, 20, 20, 1, 0, 1, 1, 3, 2, 1, 1, 14]
    nan = outcomes(kernel, np.int32(0), np.float32("nan"), size=12)
    assert nan[3:5] == [0, 0]


# ---- structs

@pytest.mark.row("HET-STR-1", "HET-STR-5", "HET-STR-12")
def test_structs_have_fields_and_methods():
    def kernel(x, n, out):
        p = Particle(device.float32x3(x, 2, 3), mass=n)
        out[0], out[1], out[2] = p.pos.x, p.mass, p.tag
        out[3], out[4], out[5] = p.weight(), p.weight(g=3), p.half
        out[6], out[7], out[8] = Particle.twice(n), p.twice(1), p.pos.size
        u = Particle.unit(x)
        out[9], out[10], out[11] = u == Particle.unit(x), u != p, u.pos[2]
        pos, mass, tag = p.replace(tag=n)
        out[12], out[13], out[14] = pos.y, len(p), tag
        q = p * 2
        out[15], out[16], out[17] = q.pos.z, q[1], tuple(q)[2]

    assert outcomes(kernel, np.float32(1.5), np.int32(3), size=18) == [
        1.5, 3, 7, 6, 9, 1.5, 6, 2, 3, 1, 1, 1.5, 2, 3, 3, 6, 3, 7]


@pytest.mark.row("HET-STR-5")
def test_assignment_to_a_field_rebinds_the_name():
    def moved(p, by):
        p.pos = p.pos + by
        p.mass += 1
        return p

    def kernel(x, out):
        p = Particle(device.float32x3(x, x, x), 1)
        old = p
        q = moved(p, 2)
        p.tag = 9
        out[0], out[1], out[2] = q.pos.x, q.mass, q.tag
        out[3], out[4], out[5] = p.pos.x, p.tag, old.tag

    assert outcomes(kernel, np.float32(1), size=6, python=False) == [3, 2, 7, 1, 9, 7]


@pytest.mark.row("HET-STR-7", "HET-TUP-1")
def test_structs_nest():
    def kernel(x, out):
        one = Particle.unit(x)
        pair = Pair(one, one.replace(mass=5), (3, 0.1))
        out[0], out[1], out[2] = pair.left.pos.y, pair.right.mass, pair.both[1]
        (pos, mass, tag), right, both = pair
        out[3], out[4] = pos[0], both == (3, 0.1)
        other = Pair(one, one, both)
        out[5] = pair == other
        if x > 1:
            pair = other
        out[6] = pair.right.mass

    assert outcomes(kernel, np.float32(1.5), size=7, python=False) == [1.5, 5, 0.1, 1.5, 1, 0, 1]


V = device.float32x3(1, 2, 3)
P = Particle(V, 4.0)
CONSTANTS = (V, P, 5)


def scaled(a, by=V, *, of: Particle = P):
    return a * by.x + of.tag


def test_vectors_and_structs_outside_the_function_are_constants():
    def kernel(out):
        out[0], out[1], out[2] = V.y + P.pos.z, CONSTANTS[1].tag, V == P.pos
        out[3], out[4] = scaled(2), scaled(2, V * 2, of=P.replace(tag=1))
        out[5] = scaled(1, of=((1, 1, 1), 2, 3))  # the annotation makes a struct of it
        out[6], out[7] = isinstance(P, Particle), isinstance(V, (device.int32x3, device.float32x2))
        out[8] = type(V) is device.float32x3

    assert outcomes(kernel, size=9, python=False) == [5, 7, 1, 9, 5, 4, 1, 0, 1]


# ---- in memory

@pytest.mark.row("HET-STR-13", "HET-VEC-20")
def test_elements_of_arrays():
    def kernel(a, v, t, out):
        p = a[0]
        a[1] = p.replace(mass=p.mass + 1)
        a[2] = (v[0], 4, 5)  # a tuple with the fields of the struct
        v[1] = v[0] * 2
        v[0] = v[1].replace(x=9)
        t[1] = (t[0][0] + 1, t[0][1])
        n = 0.0
        for e in a:
            n = n + e.mass
        out[0], out[1], out[2] = n, a[1].pos.y, len(a)

    a = np.zeros(3, device.numpy_dtype(Particle))
    a[0] = ((1, 2, 3), 4, 5)
    v = np.zeros(2, device.numpy_dtype(device.float32x3))
    v[0] = (1, 2, 3)
    t = np.zeros(2, device.numpy_dtype(tuple[device.int8, device.float64]))
    t[0] = (1, 0.5)
    runs = []
    for run in (interpreted, native):
        given = [a.copy(), v.copy(), t.copy(), np.zeros(3)]
        run(kernel, *given)
        runs.append(given)
    for given in runs:
        assert given[3].tolist() == [13, 2, 3]
        assert given[0].tolist() == [((1, 2, 3), 4, 5), ((1, 2, 3), 5, 5), ((1, 2, 3), 4, 5)]
        assert given[1].tolist() == [(9, 4, 6), (2, 4, 6)]
        assert given[2].tolist() == [(1, 0.5), (2, 0.5)]


def test_arguments_and_results():
    def function(p, v, t):
        return p.replace(pos=v), v, (t[1], None, t[0])

    p = Particle(device.float32x3(1, 2, 3), 4.0)
    made = _core.call(_core.capture(function), (p, device.float32x3(5, 6, 7), (1, 2.5)))
    assert made == (((5, 6, 7), 4, 7), (5, 6, 7), (2.5, None, 1))


def step(bodies, p, v, t, out):
    i = device.tid(1)
    if i < len(out):
        b = bodies[i]
        out[i] = (b.pos + v * p.mass) * device.float32(t[0])
        bodies[i] = b.replace(mass=b.weight(t[1][0]), tag=i)


def step_arguments():
    bodies = np.zeros(3, device.numpy_dtype(Particle))
    bodies[:] = [((i, 1, 2), 2, 0) for i in range(3)]
    p = Particle(device.float32x3(1, 2, 3), 4.0)
    return bodies, p, device.float32x3(1, 0, 0.5), (2, (3.0,)), np.zeros(3, device.numpy_dtype(device.float32x3))


@pytest.mark.row("HET-STR-13", "HET-TUP-1", "HET-STR-1")
def test_kernels_with_arguments_of_every_kind():
    snapshot = _core.capture(step, (Particle,))
    for run in (device.kernel(step)[1, 3], lambda *given: _core.interpret(snapshot, given, 1, 3)):
        given = step_arguments()
        run(*given)
        assert given[0].tolist() == [((i, 1, 2), 6, i) for i in range(3)]
        assert given[4].tolist() == [(2 * (i + 4), 2, 8) for i in range(3)]


def test_they_compile_for_gpus():
    p, v = (_core.Type(t).text for t in (Particle, device.float32x3))
    signature = f"(array[{p}, 1, contiguous, index32], {p}, {v}, weak (i32, (f32,)), array[{v}, 1, contiguous, index32])"
    snapshot = _core.capture(step, (Particle,))
    image = _core.compile(snapshot, signature, "cuda:sm_90")
    if ptxas := tools.find_ptxas():
        for arch in tools.architectures(ptxas):
            tools.assemble(_core.compile(snapshot, signature, f"cuda:{arch}")["code"], arch)
    assert b".entry step" in bytes(image["code"])
    assert _core.compile(snapshot, signature, "hip:gfx942")["code"]


@device.struct
class View:
    data: device.float32[:]
    n: int

    def last(self):
        return self.data[self.n - 1]


def test_structs_hold_arrays():
    def kernel(v, a, out):
        w = View(a, len(out))
        out[0], out[1] = v.last(), w.last()
        w.data[0] = 9
        w.n -= 1
        if a[1] > 0:
            w = v.replace(n=2)
        out[2] = w.last() + w.data[0]

    for step, want in ((1, [2, 2, 1]), (2, [2, 4, 1])):
        given = np.arange(8, dtype=np.float32)
        view = View(np.arange(4, dtype=np.float32), 3)
        got = outcomes(kernel, view, given[::step], size=3, python=False)
        assert got == want


# ---- what is refused

def refused(function, *arguments):
    with pytest.raises(device.CompileError) as caught:
        _core.call(_core.capture(function), arguments)
    return str(caught.value)


@pytest.mark.row("HET-VEC-7", "HET-VEC-8", "HET-VEC-10", "HET-VEC-12", "HET-VEC-13", "HET-VEC-16", "HET-VEC-17", "HET-VEC-18")
def test_wrong_uses_of_vectors():
    def store(index, value):
        def f(x):
            v = device.float32x2(x, x)
            v[index] = value
            return v.x
        return f

    x = np.float32(1)
    assert "takes 3 arguments, but 2 are given" in refused(lambda x: device.int32x3(x, x).x, x)
    assert "takes 3 arguments, but 4 are given" in refused(lambda x: device.int32x3(x, x, x, x).x, x)
    assert "cannot convert str to int32" in refused(lambda x: device.int32x2("a", x).x, x)
    assert "index 3 is out of range for float32x3" in refused(lambda x: device.float32x3(x, x, x)[3], x)
    assert "a lane of float32x2 is float32, not str" in refused(store(0, "x"), x)
    assert "index 2 is out of range for float32x2" in refused(store(2, 1), x)
    for lanes, name in ((1, "y"), (2, "z"), (3, "w")):
        function = eval(f"lambda x: device.float32x{lanes}({', '.join('x' * lanes)}).{name}", {"device": device})
        assert f"float32x{lanes} has no attribute '{name}'" in refused(function, x)


@pytest.mark.row("HET-GEN-3", "HET-STR-3", "HET-STR-4")
def test_wrong_uses_of_structs():
    def dynamic(x):
        p = Particle.unit(x)
        p.q = 1
        return p.mass

    def narrow(x):
        return Particle(device.float32x3(x, x, x), 1, x).tag

    def other(x):
        p = Pair(Particle.unit(x), Particle.unit(x), (1, 2))
        if x > 1:
            p = Particle.unit(x)
        return p[0]

    x = np.float32(1)
    message = refused(dynamic, x)
    assert "cannot assign attribute 'q' of Particle" in message and "p.q = 1" in message
    assert "its fields are pos, mass, tag" in message
    assert "the field 'tag' of Particle is int, not float32" in refused(narrow, x)
    assert "'p' is" in refused(other, x)

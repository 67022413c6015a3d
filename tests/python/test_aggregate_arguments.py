"""Tuples, vectors, structs, None and NumPy's structured values as arguments of launches, and arrays of them."""

import collections

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.struct
class point:
    x: int
    y: int
    z: int

    def total(self):
        return self.x + self.y + self.z


@device.struct(align=16)
class Body:
    pos: device.float32x3
    mass: float
    at: tuple[int, device.float64] = (1, 2.5)

    @device.func
    def weight(self, g):
        return self.mass * g


def leaves(value, path=""):
    """(subscripts, number) of every number in a nested tuple."""
    if isinstance(value, tuple):
        return [leaf for i, item in enumerate(value) for leaf in leaves(item, f"{path}[{i}]")]
    return [] if value is None else [(path, value)]


def run(f, *arguments):
    """What a device function returns, structs and vectors as tuples: by the interpreter and by the host target."""
    types = tuple(type(a) for a in arguments if getattr(type(a), "__hetjit_type__", None))
    found = _core.call(_core.capture(f, types), arguments)
    names, stored = ", ".join(f"a{i}" for i in range(len(arguments))), leaves(found)
    space = {"f": f}
    exec(f"def kernel(out, {names}):\n    r = f({names})\n"
         + "".join(f"    out[{i}] = r{path}\n" for i, (path, _) in enumerate(stored)), space)
    out = np.zeros(len(stored))
    device.kernel(space["kernel"])[1, 1](out, *arguments)
    assert out.tolist() == [number for _, number in stored], "host and interpreter differ"
    return found


def identity(x):
    return x


MIXED = [(0.1, np.float32(2)), (np.float64(2), 1), (1, np.int8(2)), (True, np.uint8(1)), (np.complex64(1), 0.5), (1j, np.float64(2))]


@pytest.mark.parametrize("pair", MIXED, ids=repr)
@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.int64, np.complex128])
def test_numbers_of_python_beside_others_stay_so(pair, dtype):
    """Each meets others as it does by itself, however deep the tuple."""
    def apart(out, x, a, b):
        out[0], out[1] = (x[0] * a).dtype.itemsize, (x[0] * b).dtype.itemsize

    def together(out, x, pair):
        out[0], out[1] = (x[0] * pair[0]).dtype.itemsize, (x[0] * pair[1]).dtype.itemsize

    def nested(out, x, both):
        out[0], out[1] = (x[0] * both[0][0][0]).dtype.itemsize, (x[0] * both[1]).dtype.itemsize
    x, found = np.ones(1, dtype), []
    for function, arguments in ((apart, pair), (together, (pair,)), (nested, (((pair[:1],), pair[1]),))):
        found.append(np.zeros(2, np.int32))
        device.kernel(function)[1, 1](found[-1], x, *arguments)
    assert found[0].tolist() == found[1].tolist() == found[2].tolist()


@pytest.mark.row("HET-TUP-1")
def test_tuples():
    assert run(lambda t: t[0] + t[1][0], (1, (2, 3.0))) == 3
    assert run(identity, (1, (2, (3.5, True)))) == (1, (2, (3.5, True)))
    assert run(lambda t: len(t), ()) == 0
    assert run(identity, (np.int64(2**40), np.float16(1.5), np.uint8(255))) == (2**40, 1.5, 255)
    assert run(lambda t: t[1] is None, (1, None)) is True
    named = collections.namedtuple("named", "a b")
    assert run(lambda t: t[0] * t[1], named(3, 4)) == 12


@pytest.mark.row("HET-TUP-3")
def test_padding_inside_tuples():
    value = (True, 1, (np.int8(2), np.float64(0.5)), np.int16(3), None, (np.uint8(4),))
    assert run(identity, value) == (True, 1, (2, 0.5), 3, None, (4,))


def test_tuples_of_arrays():
    x, y, out = np.arange(5.0), np.arange(10)[::-2], np.zeros(5)

    @device.kernel
    def add(t, out):
        i = device.tid(1)
        if i < len(out):
            out[i] = t[0][i] + t[1][1][i] * t[1][0]
    add[1, 8]((x, (3, y)), out)
    assert (out == x + 3 * y).all()
    add[1, 8]((x, (np.float64(3), y)), out)
    assert add.specializations == 2
    with pytest.raises(TypeError, match=r"'t'\[1\]\[1\]"):
        add[1, 8]((x, (3, [1, 2])), out)


def test_weakness_of_tuples():
    """Python's own numbers take the format of what they meet, whatever is beside them."""
    for pair in ((1, 2.0), (1, np.float64(2)), (1, np.int32(2)), (1, (2, np.int8(3)))):
        assert run(lambda t, x: t[0] + x, pair, np.int8(127)) == -128
    assert run(lambda t, x: t[0] + x, (np.int32(1), 2.0), np.int8(127)) == 128


@pytest.mark.row("HET-GEN-1")
@pytest.mark.parametrize("name", ["int8x1", "int16x3", "uint32x2", "int64x4", "float16x2", "float32x3", "float32x4", "float64x2"])
def test_vectors(name):
    cls = getattr(device, name)
    v = cls(*range(1, int(name[-1]) + 1))
    assert run(identity, v) == tuple(v)
    assert run(lambda v, s: v.x + v[len(v) - 1] * s, v, v[0]) == v.x + v[-1] * v[0]


HETEROGENEOUS = [bool, int, float, complex, None, *(getattr(device, name) for name in (
    "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8e4m3", "float8e5m2", "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128", "int8x3", "uint16x2", "int32x4", "int64x1", "float16x4",
    "bfloat16x2", "float8e5m2x4", "float32x3", "float64x4")), tuple[int, tuple[None, device.float32x2]], point, Body]


@pytest.mark.row("HET-GEN-1", "HET-TUP-1", "HET-NONE-1")
@pytest.mark.parametrize("target", ["host", "nvptx64:sm_90", "amdgcn:gfx90a"])
def test_every_type_is_emitted(target):
    """One function that takes them all and gives them all back: a compilation costs more than a type."""
    names = [f"a{i}" for i in range(len(HETEROGENEOUS))]
    space = {}
    exec(f"def every({', '.join(names)}):\n    return {', '.join(names)}", space)
    text = device.emit(space["every"], tuple(HETEROGENEOUS), target, "asm")
    assert "every" in text and len(text.splitlines()) > 2 * len(names)


@pytest.mark.row("HET-VEC-4")
def test_len_of_a_vector():
    assert run(lambda v: len(v), device.int32x3(7, 8, 9)) == 3


@pytest.mark.row("HET-STR-1")
@pytest.mark.row("HET-GEN-1")
def test_structs():
    assert run(lambda p: p.x + p.y, point(1, 2, 3)) == 3
    assert run(identity, Body((1, 2, 3), 4.5)) == ((1, 2, 3), 4.5, (1, 2.5))
    assert run(lambda b: b.at[1] * b.pos.z, Body((1, 2, 3), 4.5)) == 7.5
    assert run(lambda t: t[0].x + t[1].y, (point(1, 2, 3), point(4, 5, 6))) == 6


@pytest.mark.row("HET-STR-12")
def test_methods_of_structs_that_come_as_arguments():
    assert run(lambda p: p.total(), point(1, 2, 3)) == 6
    assert run(lambda b: b.weight(2.0), Body((1, 2, 3), 4.5)) == 9


def test_a_struct_defined_again_compiles_again():
    def define(factor):
        space = {"device": device, "__name__": __name__}
        exec(f"@device.struct\nclass again:\n    x: int\n    def scaled(self):\n        return self.x * {factor}", space)
        return space["again"]

    @device.kernel
    def scale(out, s):
        out[0] = s.scaled()
    out = np.zeros(1)
    for factor in (2, 3, 2):
        scale[1, 1](out, define(factor)(5))
        assert out[0] == 5 * factor


def test_rebinding_a_struct_compiles_again():
    space = {"device": device, "__name__": __name__}
    exec("@device.struct\nclass S:\n    x: int\n    y: int = 5\n\ndef kernel(out, a):\n    s = S(a)\n    out[0] = s.y", space)
    kernel, out = device.kernel(space["kernel"]), np.zeros(1)
    kernel[1, 1](out, 1)
    assert out[0] == 5
    exec("@device.struct\nclass S:\n    x: int\n    y: int = 6", space)
    kernel[1, 1](out, 1)
    assert out[0] == 6


def test_vectors_and_structs_as_globals():
    space = {"device": device, "V": device.float32x2(1.5, 2.5), "P": point(1, 2, 3)}
    exec("def kernel(out):\n    out[0] = V.y * P.z + P.total()", space)
    out = np.zeros(1)
    device.kernel(space["kernel"])[1, 1](out)
    assert out[0] == 13.5


@pytest.mark.row("HET-STR-3")
def test_annotated_parameters_are_checked():
    @device.kernel
    def total(out, p: point, v: device.int32x2, t: tuple[device.int64, device.float32] = (1, 2)):
        out[0] = p.x + p.y + p.z + v.x * v.y + t[0] * t[1]
    out = np.zeros(1)
    total[1, 1](out, point(1, 2, 3), device.int32x2(2, 5))
    assert out[0] == 18
    total[1, 1](out, (1, 2, 3), (2, 5), (3, 4))
    assert out[0] == 28
    for wrong, match in [((1, 2), "has 2 items"), ((1.5, 2, 3), r"'p'\.x"), (5, "annotated with point"), (device.int32x3(1, 2, 3), "point"),
                         (Body((1, 2, 3), 1), "point")]:
        with pytest.raises(TypeError, match=match):
            total[1, 1](out, wrong, (2, 5))
    with pytest.raises(OverflowError, match=r"'p'\.y"):
        total[1, 1](out, (1, 2**31, 3), (2, 5))
    with pytest.raises(OverflowError, match=r"'v'\[1\]"):
        total[1, 1](out, (1, 2, 3), (1, 2**40))


def test_tuples_that_no_kernel_takes():
    @device.kernel
    def nothing(t):
        pass
    deep = (1,)
    for _ in range(14):
        deep = (deep,)
    nothing[1, 1](deep)
    deep = (deep,)
    with pytest.raises(TypeError, match="is a tuple nested more than 15 deep, the most of an argument"):
        nothing[1, 1](deep)
    for wrong in (deep, ([1],), ((1, "x"),), (object(),)):
        with pytest.raises(TypeError):
            nothing[1, 1](wrong)
    with pytest.raises(OverflowError, match=r"'t'\[1\]\[0\]"):
        nothing[1, 1]((1, (2**31,)))
    with pytest.raises(ValueError, match="4096"):
        nothing[1, 1]((1,) * 2000)


@pytest.mark.row("HET-ARR-13")
@pytest.mark.row("HET-STR-13")
def test_arrays_of_structs():
    a = np.zeros(40, device.numpy_dtype(Body))
    a["mass"] = np.arange(40)

    @device.kernel
    def move(a, out):
        i = device.tid(1)
        if i < len(a):
            b = a[i]
            out[i] = b.weight(2.0) + b.at[1]
            a[i] = b.replace(pos=device.float32x3(i, 2 * i, b.mass), at=(i, 0.25))
    out = np.zeros(40)
    for view, result in ((a, out), (a[::3], out[:14]), (a[::-1], out)):
        before = view.copy()
        move[1, 64](view, result)
        assert (result == 2 * before["mass"] + before["at"]["f1"]).all()
        n = np.arange(len(view))
        assert (view["pos"]["x"] == n).all() and (view["pos"]["y"] == 2 * n).all() and (view["pos"]["z"] == view["mass"]).all()
        assert (view["at"]["f0"] == n).all() and (view["at"]["f1"] == 0.25).all()


def test_arrays_of_vectors_and_tuples():
    v = np.zeros(10, device.numpy_dtype(device.float64x3))
    t = np.zeros(10, device.numpy_dtype(tuple[bool, int, device.float16x2]))

    @device.kernel
    def fill(v, t):
        i = device.tid(1)
        if i < len(v):
            v[i] = device.float64x3(i, -i, 0.5)
            t[i] = (i % 2 == 1, 10 * i, device.float16x2(i, 1))
    fill[1, 16](v, t)
    n = np.arange(10)
    assert (v["x"] == n).all() and (v["y"] == -n).all() and (v["z"] == 0.5).all()
    assert (t["f0"] == (n % 2 == 1)).all() and (t["f1"] == 10 * n).all() and (t["f2"]["x"] == n).all()


@pytest.mark.row("HET-ALN-2")
def test_arrays_of_aligned_numbers():
    a = np.zeros(8, device.numpy_dtype(device.align(device.float32, 16)))
    assert a.itemsize == 16

    @device.kernel
    def fill(a):
        i = device.tid(1)
        if i < len(a):
            a[i] = a[i] * 2 + i
    a["value"] = 1
    fill[1, 8](a)
    assert a["value"].tolist() == [2 + i for i in range(8)]


STRUCTURED = {
    "aligned": np.dtype([("a", "i4"), ("b", "f8")], align=True),
    "packed": np.dtype([("c", "i1"), ("a", "i4"), ("b", "f8")]),
    "last short": np.dtype([("b", "f8"), ("a", "i4")]),
    "nested": np.dtype([("n", [("k", "u1"), ("a", "i2")]), ("a", "i8"), ("b", "f4")]),
    "subarray": np.dtype([("m", "f4", (2, 3)), ("a", "i4"), ("b", "f8")]),
}


@pytest.mark.row("HET-ARR-12")
@pytest.mark.parametrize("name", STRUCTURED)
def test_structured_dtypes(name):
    a = np.zeros(12, STRUCTURED[name])
    a["a"] = np.arange(12)

    @device.kernel
    def change(a):
        i = device.tid(1)
        if i < len(a):
            e = a[i]
            a[i] = e.replace(a=e.a * 2, b=e.a + 0.5)
    change[1, 16](a)
    assert (a["a"] == 2 * np.arange(12)).all() and (a["b"] == np.arange(12) + 0.5).all()
    change[1, 16](a[1::2])
    assert a["a"][1] == 4 and a["a"][2] == 4


@pytest.mark.row("HET-ARR-12")
def test_parts_of_structured_elements():
    a = np.zeros(4, STRUCTURED["nested"])
    b = np.zeros(4, STRUCTURED["subarray"])
    a["n"]["k"], b["m"] = [5, 6, 7, 8], np.arange(24).reshape(4, 2, 3)

    @device.kernel
    def read(a, b, out):
        i = device.tid(1)
        if i < len(a):
            out[i] = a[i].n.k + b[i].m[1][2]
    out = np.zeros(4)
    read[1, 4](a, b, out)
    assert (out == a["n"]["k"] + b["m"][:, 1, 2]).all()


@pytest.mark.row("HET-ARR-12")
def test_structured_scalars():
    a = np.zeros(1, STRUCTURED["packed"])
    a[0] = (1, 20, 0.5)
    assert run(lambda e: e.a + e.b * e.c, a[0]) == 20.5
    assert run(identity, np.ones((), device.numpy_dtype(point))[()]) == (1, 1, 1)


def test_structured_arrays_that_no_kernel_reads():
    @device.kernel
    def nothing(a):
        pass
    a = np.zeros(4, STRUCTURED["packed"])
    with pytest.raises(BufferError, match="multiples"):
        nothing[1, 1](a["b"])
    for dtype in ([("a", ">i4")], [("a", "O")], [("a", "U3")]):
        with pytest.raises(BufferError, match="no kernel can read|another machine"):
            nothing[1, 1](np.zeros(2, dtype))
    shifted = np.zeros(65, np.uint8)[1:].view(device.numpy_dtype(device.float32x4))
    nothing[1, 1](shifted)


@pytest.mark.row("HET-NONE-1")
def test_none():
    assert run(lambda x: x is None, None) is True and run(lambda x: x is None, 5) is False


def test_cost_of_a_changed_type():
    """The key words tell vectors, structs and tuples apart, and nothing else about them."""
    @device.kernel
    def nothing(x):
        pass
    null = nothing.on("null")
    for value in (point(1, 2, 3), point(4, 5, 6), (1, 2), (3, 4), device.int32x2(1, 2), device.int32x2(3, 4)):
        null[1, 1](value)
    assert null.specializations == 3


def test_defaults_and_vectors_that_only_device_code_names():
    space = {"device": device, "point": point}
    exec("def kernel(out, v=device.float32x3(1, 2, 3), p=point(4, 5, 6)):\n"
         "    w = device.uint8x4(7, 8, 9, 10)\n"
         "    out[0] = v.z + w.w + p.total() + device.dot(v, v) + device.Dim3(1, 2, 3).y", space)
    kernel, out = device.kernel(space["kernel"]), np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 3 + 10 + 15 + 14 + 2
    kernel[1, 1](out, device.float64x3(0, 0, 1), p=point(0, 0, 0))
    assert out[0] == 1 + 10 + 0 + 1 + 2


@pytest.mark.row("HET-GEN-3", "HET-STR-4")
def test_no_attributes_are_added_in_device_code():
    @device.kernel
    def add(out, p):
        p.q = 1
        out[0] = p.q
    with pytest.raises(device.CompileError, match=r"'q' of point(.|\n)*p\.q = 1"):
        add[1, 1](np.zeros(1), point(1, 2, 3))


def test_elements_keep_their_type_through_views_copies_and_pickles():
    import pickle
    a = np.zeros(4, device.numpy_dtype(Body))
    for same in (a[1:], a[::-1], a.copy(), a.reshape(2, 2), np.zeros_like(a), pickle.loads(pickle.dumps(a)), device.array(a, "cpu")):
        assert _core.element_of_dtype(same.dtype) == Body.__hetjit_type__
    raw = np.frombuffer(a.tobytes(), np.uint8)
    assert _core.element_of_dtype(device.as_array(raw, dtype=Body).dtype) == Body.__hetjit_type__
    for wrong in (np.zeros(3), np.zeros(2, "O"), np.zeros(7, np.uint8)):
        with pytest.raises((ValueError, TypeError)):
            device.as_array(wrong, dtype=Body)

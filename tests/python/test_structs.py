"""Structs, tuples and alignments on the host: hints, construction, values, layout."""

import pathlib
import pickle
import shutil
import subprocess
import sys

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.struct
class point:
    x: int
    y: int
    z: int


@device.struct
class Body:
    pos: device.float32x3
    mass: float = 1.5
    tag: device.int8 = 7

    KIND: device.int8 = 3

    @device.func
    def weight(self, g):
        return self.mass * g

    def heavier(self, other):
        return self if self.mass > other.mass else other

    @staticmethod
    def unit():
        return 1

    @property
    def twice(self):
        return 2 * self.mass


@device.struct(align=16)
class complex_:
    real: float
    imag: float


@pytest.mark.row("HET-STR-1")
@pytest.mark.row("HET-STR-11")
def test_the_result_is_a_type():
    assert isinstance(point, type) and point.underlying.__name__ == "point" and point.__name__ == "point"
    p = point(1, 2, 3)
    assert (p.x, p.y, p.z) == (1, 2, 3) and isinstance(p, point) and not isinstance(p, point.underlying)
    assert point(z=3, x=1, y=2) == p == point(1, 2, z=3)
    assert repr(p) == "point(x=1, y=2, z=3)"


@pytest.mark.row("HET-STR-2")
@pytest.mark.parametrize("hint", [list, "nonsense", dict[int, int], tuple[int, list], tuple[int, ...], object, str, 5,
                                  "list", "1 +", int | float])
def test_hints_that_name_no_type(hint):
    with pytest.raises(TypeError, match="'y'"):
        @device.struct
        class wrong:
            x: int
            y: hint
    with pytest.raises(TypeError, match="'y'"):
        class wrong:
            x: int
            y: int
        wrong.__annotations__["y"] = hint
        device.struct(wrong)


@pytest.mark.row("HET-STR-2")
def test_an_attribute_without_a_hint():
    with pytest.raises(TypeError, match="'y' has no type hint"):
        @device.struct
        class wrong:
            x: int
            y = 5


@pytest.mark.row("HET-STR-2")
def test_every_kind_of_hint():
    @device.struct
    class all_:
        a: bool
        b: int
        c: float
        d: complex
        e: None
        f: device.float64
        g: np.int8
        h: np.dtype("uint16")
        i: device.float32x3
        j: point
        k: tuple[int, float]
        l: device.align(device.float32, 16)
        m: device.float32[:, :]
        n: "point"
        o: "device.int64"
    kinds = [part.text for _, _, part in device.abi(all_).fields]
    assert kinds[:4] == ["bool", "int", "float", "complex"] and kinds[4:9] == ["None", "float64", "int8", "uint16", "float32x3"]
    assert kinds[9].startswith("struct ") and kinds[9] == kinds[13] and kinds[10] == "weak (i32, f32)" and kinds[11] == "float32"
    assert kinds[12] == "float32[:, :]" and kinds[14] == "int64"


def test_hints_as_text():
    space = {"device": device, "__name__": "elsewhere"}
    exec("from __future__ import annotations\n@device.struct\nclass late:\n    v: device.int16\n    w: tuple[int, float]", space)
    assert space["late"](1, (2, 3)).w == (2, 3.0) and device.abi(space["late"])[:2] == (12, 4)


@pytest.mark.row("HET-STR-3")
def test_values_are_checked():
    for wrong in ("a", 1.0, None, 1j, (1,), [1], np.float32(1)):
        with pytest.raises(TypeError, match="'x'"):
            point(wrong, 2, 3)
    for huge in (2**31, -2**31 - 1, 10**40):
        with pytest.raises(OverflowError):
            point(huge, 2, 3)
    assert point(np.int64(5), True, 2**31 - 1) == point(5, 1, 2**31 - 1)
    v = device.float32x3(1, 2, 3)
    with pytest.raises(TypeError):
        Body(5)
    with pytest.raises(TypeError):
        Body((1, 2))
    with pytest.raises(OverflowError):
        Body(v, 1e39)
    with pytest.raises(OverflowError):
        Body(v, 1, 300)
    assert Body((1, 2, 3)) == Body(v) and type(Body((1, 2, 3)).pos) is device.float32x3
    assert type(Body(v, 2).mass) is float and type(Body(v).tag) is np.int8


def test_calls_that_make_no_struct():
    with pytest.raises(TypeError, match="missing field 'z'"):
        point(1, 2)
    with pytest.raises(TypeError, match="missing fields 'x', 'y', 'z'"):
        point()
    with pytest.raises(TypeError, match="takes 3 fields, 4"):
        point(1, 2, 3, 4)
    with pytest.raises(TypeError, match="no field 'q'"):
        point(1, 2, 3, q=4)
    with pytest.raises(TypeError, match="two values"):
        point(1, 2, 3, x=4)


@pytest.mark.row("HET-STR-4")
@pytest.mark.row("HET-STR-5")
def test_immutable():
    p = point(1, 2, 3)
    with pytest.raises(AttributeError, match="none can be added"):
        p.q = 1
    with pytest.raises(AttributeError, match="replace"):
        p.x = 3
    with pytest.raises(AttributeError):
        del p.x
    with pytest.raises(TypeError):
        p[0] = 3
    q = p.replace(x=3)
    assert q == point(3, 2, 3) and p == point(1, 2, 3) and hash(q) == hash(point(3, 2, 3))
    with pytest.raises(TypeError, match="no field"):
        p.replace(q=1)
    with pytest.raises(TypeError):
        p.replace(x="a")
    with pytest.raises(AttributeError, match="cannot be changed"):
        point.norm = 5
    with pytest.raises(AttributeError):
        del point.x


def test_struct_as_tuple():
    p = point(1, 2, 3)
    assert len(p) == 3 and tuple(p) == (1, 2, 3) and list(p) == [1, 2, 3] and p[0] == 1 and p[-1] == 3
    a, b, c = p
    assert (a, b, c) == (1, 2, 3) and point(*p) == p and point((1, 2, 3)) == p
    with pytest.raises(TypeError):
        point((1, 2))
    with pytest.raises(IndexError):
        p[3]
    assert p != (1, 2, 3) and (1, 2, 3) != p
    for operation in (lambda: p + (1,), lambda: (1,) + p, lambda: p * 2, lambda: 2 * p, lambda: p < p):
        with pytest.raises(TypeError):
            operation()


def test_two_structs_with_the_same_fields_differ():
    def make():
        @device.struct
        class point:
            x: int
            y: int
            z: int
        return point
    other = make()
    assert other(1, 2, 3) != point(1, 2, 3) and other.__hetjit_type__ != point.__hetjit_type__


@pytest.mark.row("HET-STR-12")
def test_methods_on_the_host():
    b = Body((1, 2, 3), 2.0)
    assert b.weight(10) == 20 and b.heavier(Body((0, 0, 0))) is b and Body.unit() == 1 and b.twice == 4


def test_struct_and_numpy():
    dtype = device.numpy_dtype(Body)
    assert dtype.names == ("pos", "mass", "tag", "KIND") and dtype.itemsize == device.abi(Body).size == 20
    a = np.zeros(3, dtype)
    a[1] = Body((1, 2, 3), 4)
    assert a["mass"].tolist() == [0, 4, 0] and a["pos"]["z"].tolist() == [0, 3, 0]
    assert Body(a[1]) == Body((1, 2, 3), 4)
    with pytest.raises(TypeError, match="fields"):
        point(a[1])
    plain = np.array([(1, 2, 3)], dtype=[("x", "i4"), ("y", "i4"), ("z", "i4")])
    assert point(plain[0]) == point(1, 2, 3)
    assert _core.element_of_dtype(dtype) == Body.__hetjit_type__


@pytest.mark.row("HET-STR-6")
@pytest.mark.row("HET-STR-7")
@pytest.mark.row("HET-STR-8")
@pytest.mark.row("HET-STR-9")
@pytest.mark.row("HET-STR-10")
@pytest.mark.row("HET-STR-14")
def test_layouts():
    def offsets(t):
        return [offset for _, offset, _ in device.abi(t).fields]
    assert device.abi(point)[:2] == (12, 4) and offsets(point) == [0, 4, 8]

    @device.struct
    class a:
        v: device.float32x3
        s: float

    @device.struct
    class b:
        v: device.float64x4
        s: bool

    @device.struct
    class c:
        a: complex_
        b: bool

    @device.struct(align=1)
    class d:
        x: int
        y: int
        z: int

    @device.struct
    class empty:
        pass
    assert device.abi(a)[:2] == (16, 4)
    assert device.abi(b)[:2] == (48, 16) and offsets(b) == [0, 32]
    assert device.abi(complex_)[:2] == (16, 16)
    assert offsets(c) == [0, 16] and device.abi(c)[:2] == (32, 16)
    assert device.abi(d)[:2] == (12, 4)
    assert device.abi(empty)[:2] == (1, 1) and empty() == empty() and len(empty()) == 0
    assert "static_assert(offsetof(b, s) == 32" in device.abi(b).cxx


@pytest.mark.row("HET-STR-10")
@pytest.mark.parametrize("bad", [3, 0, -4, 2**40, 12])
def test_bad_alignments(bad):
    with pytest.raises(ValueError, match="power of two"):
        @device.struct(align=bad)
        class wrong:
            x: int
    with pytest.raises(ValueError):
        device.align(int, bad)


def test_decorations_that_are_refused():
    with pytest.raises(TypeError, match="no option 'packed'"):
        device.struct(packed=True)
    with pytest.raises(TypeError):
        device.struct(5)
    with pytest.raises(TypeError, match="already"):
        device.struct(point)
    with pytest.raises(TypeError, match="derives"):
        @device.struct
        class derived(point.underlying):
            w: int
    with pytest.raises(TypeError, match="__init__"):
        @device.struct
        class init:
            x: int

            def __init__(self):
                pass
    with pytest.raises(TypeError, match="follows 'x'"):
        @device.struct
        class order:
            x: int = 1
            y: int
    for name in ("underlying", "replace", "_make", "__x"):
        with pytest.raises(TypeError, match="called"):
            device.struct(type("named", (), {"__annotations__": {name: int}}))
    with pytest.raises(TypeError, match="default of 'x'"):
        @device.struct
        class default:
            x: int = 1.5


def test_types_that_grow_without_bound():
    t = tuple[int, int]
    with pytest.raises(TypeError):
        for _ in range(60):
            t = tuple[t, t]
            device.abi(t)
    t = int
    with pytest.raises(TypeError):
        for _ in range(60):
            t = tuple[(t,)]
            device.abi(t)


def test_pickle():
    p = point(1, 2, 3)
    back = pickle.loads(pickle.dumps(p))
    assert back == p and type(back) is point and pickle.loads(pickle.dumps(point)) is point
    assert pickle.loads(pickle.dumps(_core.Type(point))) == point.__hetjit_type__
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not installed")

    @device.struct
    class local:
        x: int = 5

        def twice(self):
            return 2 * self.x
    assert pickle.loads(cloudpickle.dumps(local(4))).twice() == 8
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).twice())"
    elsewhere = subprocess.run([sys.executable, "-c", code], input=cloudpickle.dumps(local(4)), capture_output=True)
    assert elsewhere.stdout.split() == [b"8"], elsewhere.stderr


@pytest.mark.row("HET-TUP-2")
@pytest.mark.row("HET-TUP-3")
@pytest.mark.parametrize("t, size, align, offsets", [
    (tuple[int, int, int], 12, 4, [0, 4, 8]),
    (tuple[bool, int, float], 12, 4, [0, 4, 8]),
    (tuple[None, int], 16, 8, [0, 8]),
    (tuple[tuple[bool, int, float], bool], 16, 4, [0, 12]),
    (tuple[complex, bool], 16, 8, [0, 8]),
    (tuple[()], 1, 1, []),
    (tuple[device.align(int, 16), int], 16, 16, [0, 4]),
])
def test_layouts_of_tuples(t, size, align, offsets):
    found = device.abi(t)
    assert found[:2] == (size, align) and [offset for _, offset, _ in found.fields] == offsets
    dtype = device.numpy_dtype(t) if t not in (tuple[None, int],) else None
    assert dtype is None or dtype.itemsize == size and [dtype.fields[name][1] for name in dtype.names] == offsets


@pytest.mark.row("HET-NONE-2")
@pytest.mark.row("HET-NUM-2")
@pytest.mark.row("HET-NUM-3")
@pytest.mark.row("HET-NUM-5")
def test_layouts_of_builtins():
    assert device.abi(type(None))[:2] == device.abi(None)[:2] == (8, 8)
    assert [device.abi(t)[:2] for t in (bool, int, float, complex)] == [(1, 1), (4, 4), (4, 4), (8, 8)]


@pytest.mark.row("HET-ALN-1")
@pytest.mark.row("HET-ALN-2")
@pytest.mark.row("HET-ALN-3")
def test_align():
    A = device.align(device.float32, 16)
    assert A is not device.float32 and device.abi(A).align == 16 and device.abi(A).size == 4
    assert A(1.5) == np.float32(1.5) and repr(A) == "device.align(float32, 16)"
    assert device.abi(device.align(device.float64, 4))[:2] == (8, 8)
    assert device.abi(device.align(A, 8)).align == 16
    assert device.abi(device.align(point, 16))[:2] == (16, 16)
    assert pickle.loads(pickle.dumps(A)) == A

    @device.struct
    class pair:
        a: device.align(int, 16)
        b: int
    assert device.abi(pair)[:2] == (16, 16) and [o for _, o, _ in device.abi(pair).fields] == [0, 4]
    assert pair(1, 2).a == 1
    dtype = device.numpy_dtype(A)
    assert dtype.itemsize == 16 and _core.element_of_dtype(dtype) == _core.Type(A)
    for bad in (3, 0, -1, 1.5, "a"):
        with pytest.raises((ValueError, TypeError)):
            device.align(int, bad)
    with pytest.raises(TypeError):
        device.align(list, 16)


def test_numbers_with_an_alignment_make_a_tuple_fixed():
    """One fixed-format number makes all numbers of a tuple fixed, also one with an alignment."""
    T = _core.Type(tuple[int, device.align(device.float64, 16)])
    assert not T.weak and [part.text for _, _, part, _ in T.fields] == ["int32", "float64"]

    @device.struct
    class pair:
        t: tuple[int, device.align(device.float64, 16)]
    assert pair((1, 2.5)).t == (1, 2.5) and type(pair((1, 2.5)).t[1]) is np.float64


def test_array_types():
    assert [_core.Type(t).text for t in (device.float32[:], device.float32[:, :], device.int8[:, ::1], device.int8[()])] == \
        ["float32[:]", "float32[:, :]", "int8[:, ::1]", "int8[()]"]
    assert _core.Type(device.float32x3[:, :]).text == "float32x3[:, :]" and _core.Type(point[:]).element == point.__hetjit_type__
    assert _core.Type(device.align(int, 16)[:]).element.align == 16
    for wrong in (3, "x", (slice(None), 2), slice(1, 2), (slice(None),) * 9):
        with pytest.raises((TypeError, ValueError)):
            device.float32[wrong]


@pytest.mark.row("HET-ARR-12")
@pytest.mark.parametrize("dtype, text", [
    (np.dtype([("a", "i4"), ("b", "f8")], align=True), 'struct "" {a: i32, b: f64}'),
    (np.dtype([("a", "i4"), ("b", "f8")]), 'struct "" packed {a: i32, b: f64}'),
    (np.dtype([("a", "f8"), ("b", "i4")]), 'struct "" packed {a: f64, b: i32}'),
    (np.dtype([("a", "i4"), ("b", [("c", "i1"), ("d", "f4")])]), 'struct "" packed {a: i32, b: struct "" packed {c: i8, d: f32}}'),
    (np.dtype([("m", "f4", (2, 3)), ("k", "i4")]), 'struct "" {m: ((f32, f32, f32), (f32, f32, f32)), k: i32}'),
    (np.dtype([("x", "f4"), ("y", "f4")]), 'struct "" {x: f32, y: f32}'),
])
def test_structured_dtypes_of_the_users_own(dtype, text):
    found = _core.element_of_dtype(dtype)
    assert found.text == text and found.stride == dtype.itemsize
    assert [offset for _, offset, _, _ in found.fields] == [dtype.fields[name][1] for name in dtype.names]


@pytest.mark.parametrize("dtype", ["U4", "S3", "O", "M8[s]", [("a", "O")], [("a", ">i4")], "V8", [], [("a", "f4", (5000,))]])
def test_dtypes_that_no_kernel_reads(dtype):
    assert _core.element_of_dtype(np.dtype(dtype)) is None


@pytest.mark.row("HET-STR-6", "HET-STR-7", "HET-TUP-2", "HET-TUP-4", "HET-ALN-2")
def test_layouts_in_cxx(tmp_path):
    """The C++ that abi() gives compiles, and its static_asserts hold."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    header = next((p / "abi" for p in pathlib.Path(__file__).resolve().parents if (p / "abi" / "interop.hpp").exists()), None)
    if not compiler or not header:
        pytest.skip("no C++ compiler" if not compiler else "abi/interop.hpp is not here")

    @device.struct
    class Outer:
        inner: complex_
        v: device.float64x4
        t: tuple[bool, device.align(int, 16), tuple[device.bfloat16, None]]
        a: device.float32x2[:, :]
        b: bool
        z: complex

    types = [point, Body, complex_, Outer, tuple[int, (tuple[bool, device.float8e4m3])], device.align(point, 32)]
    parts = [f"namespace t{i} {{\n{device.abi(t).cxx}\n}}" for i, t in enumerate(types)]
    assert all("static_assert(sizeof(" in part for part in parts)
    source = tmp_path / "layouts.cpp"
    source.write_text("\n".join(["#include <cstddef>", '#include "interop.hpp"', *parts, ""]))
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{header}", str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@device.struct
class OfTuples:
    p: tuple[int, float]
    q: tuple[int, tuple[int, int]] = (0, (0, 0))


@pytest.mark.parametrize("call", ["OfTuples([1, 2.0])", "OfTuples(p=[1, 2.0])", "OfTuples((1, 2.0), [1, (2, 3)])", "OfTuples((1, 2.0), (1, [2, 3]))", "s.replace(p=[1, 2.0])"])
def test_a_list_is_no_tuple(call):
    """Neither on the host nor in kernels."""
    s = OfTuples((1, 2.0))
    with pytest.raises(TypeError, match="list"):
        eval(call, {"OfTuples": OfTuples, "s": s})
    given = {"OfTuples": OfTuples}
    exec(f"def kernel(s, out):\n    made = {call}\n    out[0] = made.p[0]\n", given)
    with pytest.raises(device.CompileError, match=r"(?s)E0\d\d\d.*field '[pq]'.*list"):
        device.kernel(given["kernel"])[1, 1](s, np.zeros(1))


@pytest.mark.parametrize("call", ["OfTuples((1, 2.0))", "OfTuples(tuple([1, 2.0]))", "OfTuples((*[1, 2.0],))", "s.replace(p=(1, 2.0))"])
def test_a_tuple_of_a_list_is_one(call):
    given, out = {"OfTuples": OfTuples}, np.zeros(1)
    exec(f"def kernel(s, out):\n    made = {call}\n    out[0] = made.p[0] + made.p[1]\n", given)
    device.kernel(given["kernel"])[1, 1](OfTuples((5, 6.0)), out)
    assert out[0] == 3

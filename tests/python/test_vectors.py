"""Vectors on the host: construction, lanes, operators, layout."""

import copy
import pickle
import subprocess
import sys

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

FORMATS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8e4m3", "float8e5m2",
           "float8e4m3fnuz", "float8e5m2fnuz", "float16", "bfloat16", "float32", "float64")
NAMES = [f"{format}x{lanes}" for format in FORMATS for lanes in (1, 2, 3, 4)]
NUMPY = [name for name in NAMES if not name.startswith(("float8", "bfloat16"))]
LETTERS = "xyzw"


def each_vector(names=NAMES):
    return pytest.mark.parametrize("name", names)


@pytest.mark.row("HET-VEC-19")
def test_all_names_exist():
    assert len(NAMES) == 64 and all(hasattr(device, name) for name in NAMES)
    assert set(NAMES) <= set(device.__all__) and set(NAMES) <= set(dir(device))
    assert not hasattr(device, "float32x5") and not hasattr(device, "boolx2")


@pytest.mark.row("HET-VEC-1")
def test_types_by_format_and_count():
    for n in (1, 2, 3, 4):
        assert device.vector(device.float32, n) is getattr(device, f"float32x{n}")
    assert device.vector(np.int8, 2) is device.int8x2 and device.vector(int, 3) is device.int32x3
    for n in (0, 5, -1, 2**70):
        with pytest.raises(ValueError, match="1 to 4 elements"):
            device.vector(device.float32, n)
    for wrong in (device.bool_, device.complex64, list, "float32", device.float32x2, None):
        with pytest.raises(TypeError, match="integers or floating-point"):
            device.vector(wrong, 2)
    with pytest.raises(TypeError):
        device.vector(device.float32, 2.0)


@pytest.mark.row("HET-VEC-20")
@each_vector()
def test_layout(name):
    """CUDA C++'s vector types: pairs and fours are aligned as a whole, up to 16 bytes."""
    format, lanes = name.rsplit("x", 1)
    bytes_ = getattr(device, format).itemsize
    align = {"1": bytes_, "2": min(2 * bytes_, 16), "3": bytes_, "4": min(4 * bytes_, 16)}[lanes]
    found = device.abi(getattr(device, name))
    assert found[:2] == (bytes_ * int(lanes), align)
    assert [offset for _, offset, _ in found.fields] == [bytes_ * i for i in range(int(lanes))]
    assert found.cxx == f"hetjit::{name}"


@pytest.mark.row("HET-VEC-3")
@pytest.mark.row("HET-VEC-4")
@pytest.mark.row("HET-VEC-6")
def test_size_and_len():
    assert device.int32x3(1, 2, 3).size == 3 and len(device.int32x3(1, 2, 3)) == 3


@pytest.mark.row("HET-VEC-5")
def test_dtype():
    assert device.float32x4(0, 0, 0, 0).dtype == device.float32


@pytest.mark.row("HET-VEC-9")
@pytest.mark.row("HET-VEC-14")
@pytest.mark.row("HET-VEC-15")
@pytest.mark.row("HET-VEC-16")
@pytest.mark.row("HET-VEC-17")
@pytest.mark.row("HET-VEC-18")
@each_vector()
def test_lanes(name):
    if name not in NUMPY:
        pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    cls = getattr(device, name)
    count = int(name[-1])
    v = cls(*range(1, count + 1))
    assert list(v) == [1, 2, 3, 4][:count] and v.size == count and tuple(v) == (1, 2, 3, 4)[:count]
    for lane, letter in enumerate(LETTERS):
        assert hasattr(v, letter) == (lane < count)
        if lane < count:
            assert getattr(v, letter) == v[lane] == v[lane - count] == lane + 1
            assert np.dtype(type(v[lane])) == device.numpy_dtype(v.dtype) and v[np.int64(lane)] == lane + 1
    assert v.dtype == getattr(device, name[:-2])


@pytest.mark.row("HET-VEC-10")
@pytest.mark.row("HET-VEC-13")
def test_indices_out_of_range():
    v = device.int32x3(7, 8, 9)
    for i in (3, -4, 2**70):
        with pytest.raises(IndexError):
            v[i]
        with pytest.raises((IndexError, OverflowError)):
            v.replace(i, 0)
    for i in (slice(0, 2), "x", 1.0, None):
        with pytest.raises(TypeError):
            v[i]


@pytest.mark.row("HET-VEC-7")
@pytest.mark.row("HET-VEC-8")
def test_arguments_that_make_no_vector():
    for wrong in ("a", None, [1], (1,), 1j, np.zeros(2), device.int32x2(1, 2), object()):
        with pytest.raises(TypeError):
            device.int32x2(wrong, 1)
    for count in (0, 1, 3, 4):
        with pytest.raises(TypeError, match="takes 2 numbers"):
            device.int32x2(*range(count))
    with pytest.raises(TypeError):
        device.int32x2(x=1, y=2)
    with pytest.raises(OverflowError):
        device.int8x2(300, 1)
    with pytest.raises(TypeError, match="device.float32x3"):
        device.Vector(1, 2)


@pytest.mark.row("HET-VEC-2")
@pytest.mark.row("HET-VEC-11")
@pytest.mark.row("HET-VEC-12")
def test_values_are_immutable():
    v = device.float32x2(1, 2)
    w = v
    v = v.replace(0, 9)
    assert w.x == 1 and v.x == 9 and type(v) is device.float32x2
    assert v.replace(y=5) == device.float32x2(9, 5) and v.replace(x=1, y=2) == w and v.replace(-1, 7).y == 7
    with pytest.raises(AttributeError, match="replace"):
        v.x = 3
    with pytest.raises(AttributeError):
        v.q = 3
    with pytest.raises(AttributeError):
        del v.x
    with pytest.raises(TypeError, match="replace"):
        v[0] = 5
    with pytest.raises(TypeError):
        v.replace(0, "x")
    with pytest.raises(TypeError, match="no lane 'z'"):
        v.replace(z=1)
    assert w == device.float32x2(1, 2) and hash(w) == hash(device.float32x2(1, 2)) and {w: 1}[device.float32x2(1, 2)] == 1


def test_equality():
    nan = float("nan")
    assert device.int32x2(1, 2) == device.float32x2(1, 2) and not device.int32x2(1, 2) != device.int64x2(1, 2)
    assert device.int32x2(1, 2) != device.int32x2(1, 3) and device.int32x2(1, 2) != device.int32x3(1, 2, 3)
    assert device.int32x2(1, 2) != (1, 2) and (1, 2) != device.int32x2(1, 2)
    v = device.float32x1(nan)
    assert v != v and not v == v
    for operation in ("<", "<=", ">", ">="):
        with pytest.raises(TypeError):
            eval(f"a {operation} a", {"a": device.int32x2(1, 2)})
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(v)


def test_operators_work_lane_by_lane():
    a, b = device.float32x3(1, 2, 3), device.float32x3(4, 5, 6)
    assert a + b == device.float32x3(5, 7, 9) and b - a == device.float32x3(3, 3, 3)
    assert a * 2 == 2 * a == device.float32x3(2, 4, 6) and 6 / a == device.float32x3(6, 3, 2)
    assert -a == device.float32x3(-1, -2, -3) and abs(-a) == a == +a
    assert b // 2 == device.float32x3(2, 2, 3) and b % 4 == device.float32x3(0, 1, 2) and a ** 2 == device.float32x3(1, 4, 9)
    assert np.float32(2) * a == device.float32x3(2, 4, 6) and type(np.float64(2) * a) is device.float64x3
    i = device.int32x2(12, -7)
    assert i // 5 == device.int32x2(2, -2) and i % 5 == device.int32x2(2, 3) and ~i == device.int32x2(-13, 6)
    assert i & 6 == device.int32x2(4, 0) and i << 1 == device.int32x2(24, -14) and 1 << device.int32x2(3, 4) == device.int32x2(8, 16)


@pytest.mark.row("HET-PROM-5")
def test_operators_meet_in_the_format_of_device_code():
    i, f = device.int32x2(1, 2), device.float32x2(1, 2)
    assert type(i + f) is device.float32x2 and type(i / 2) is device.float32x2 and type(i * 2.5) is device.float32x2
    assert type(device.int8x2(1, 2) + 3) is device.int8x2 and type(device.float16x2(1, 2) * 2.0) is device.float16x2
    assert type(device.int64x2(1, 2) / i) is device.float32x2
    assert device.int8x1(127) + device.int8x1(1) == device.int8x1(-128)
    with pytest.raises(TypeError, match="do not mix"):
        device.uint64x2(1, 2) + i
    with pytest.raises(OverflowError):
        device.int8x2(1, 2) + 300


@pytest.mark.parametrize("other", [(1, 2), [1, 2], "ab", None, device.int32x3(1, 2, 3), 1 + 2j])
def test_operators_on_other_things(other):
    v = device.int32x2(1, 2)
    for operation in (lambda: v + other, lambda: other + v, lambda: v * other, lambda: other * v):
        with pytest.raises((TypeError, KeyError)):
            operation()


def test_astype():
    assert device.float32x2(1.75, -1.75).astype(device.int8) == device.int8x2(1, -1)
    assert type(device.int32x3(1, 2, 3).astype(device.float64)) is device.float64x3


@each_vector(NUMPY)
def test_pickle_copy_repr(name):
    v = getattr(device, name)(*range(int(name[-1])))
    for back in (pickle.loads(pickle.dumps(v)), copy.copy(v), copy.deepcopy(v)):
        assert back == v and type(back) is type(v)
    assert pickle.loads(pickle.dumps(type(v))) is type(v)
    assert repr(v).startswith(name + "(0")


def test_dim3():
    size = device.Dim3(1, 2, 3)
    assert isinstance(size, device.uint32x3) and size.z == 3 and pickle.loads(pickle.dumps(size)) == size
    assert device.abi(device.Dim3)[:2] == (12, 4)


def test_vectors_in_numpy():
    T = device.numpy_dtype(device.float32x3)
    assert T.names == ("x", "y", "z") and T.itemsize == 12
    a = np.zeros(4, T)
    a[1] = device.float32x3(1, 2, 3)
    assert a["y"].tolist() == [0, 2, 0, 0] and device.float32x3(*a[1]) == device.float32x3(1, 2, 3)
    assert (np.asarray(device.int32x2(3, 4)) == [3, 4]).all()
    assert device.numpy_dtype(device.float32x4).itemsize == 16 and device.numpy_dtype(device.float64x4).itemsize == 32
    assert device.as_array(np.arange(6, dtype=np.float32).view(np.uint8), dtype=device.float32x3).shape == (2,)
    assert _core.element_of_dtype(T).name == "float32x3"


def test_helpers():
    a, b = device.float32x3(1, 0, 0), device.float32x3(0, 2, 0)
    assert device.dot(a, a) == 1 and device.cross(a, b) == device.float32x3(0, 0, 2) and device.length(b) == 2
    assert device.normalize(b) == device.float32x3(0, 1, 0) and device.lerp(a, b, 0.5) == device.float32x3(0.5, 1, 0)
    assert device.distance(device.float64x2(0, 3), device.float64x2(4, 0)) == 5


def test_import_makes_none():
    code = "import sys, hetjit; from hetjit.device import vectors; print(len(vectors._made), 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "0 False\n"

"""hetjit.types.DeviceArray: memory with a shape."""

import array
import ctypes
import gc
import io
import random

import pytest

from adapted import Interface, needs_numpy, np
from hetjit.types import DeviceArray, ListOfInt, Pointer


@pytest.mark.row("HIPPY-DA-1")
def test_it_has_the_cuda_array_interface():
    d = DeviceArray(0x1000).configure(shape=(3, 20), typestr="float32", _force=True)
    interface = d.__cuda_array_interface__
    assert interface == {"shape": (3, 20), "typestr": "<f4", "data": (0x1000, False), "version": 3, "strides": None, "stream": None}
    assert int(Pointer(type("Other", (), {"__cuda_array_interface__": interface})())) == int(d)
    with pytest.raises(AttributeError, match="no shape"):
        DeviceArray(0x1000).__cuda_array_interface__


@pytest.mark.row("HIPPY-DA-2")
def test_a_device_array_of_none():
    d = DeviceArray(None)
    assert int(d) == 0 and d.shape is None and d.typestr is None


@pytest.mark.row("HIPPY-DA-3")
@pytest.mark.row("HIPPY-DA-4")
@pytest.mark.row("HIPPY-DA-5")
@pytest.mark.row("HIPPY-DA-7")
def test_of_other_objects_it_takes_the_address_alone():
    memory = bytearray(8)
    p = Pointer(memory)
    for source, address in ((p, int(p)), (4096, 4096), (ctypes.c_void_p(4096), 4096), (memory, int(p)), (ListOfInt([1]), None)):
        d = DeviceArray(source)
        assert int(d) == (int(Pointer(source)) if address is None else address) and (d.shape, d.typestr) == (None, None)
        with pytest.raises(TypeError, match="no shape yet"):
            len(d)
    kept = DeviceArray(Pointer(bytearray(8)))
    gc.collect()
    ctypes.memset(int(kept), 1, 8)  # it is still there
    with pytest.raises(TypeError):
        DeviceArray("s")


@pytest.mark.row("HIPPY-DA-6")
@pytest.mark.row("HIPPY-DA-7")
def test_of_an_interface_it_takes_shape_and_type():
    d = DeviceArray(Interface(stream=7))
    assert (int(d), d.shape, d.typestr, d.itemsize, d.stream, d.nbytes) == (0x1000, (3, 20), "<f4", 4, 7, 240)
    again = DeviceArray(d)
    assert (int(again), again.shape, again.typestr, again.stream) == (0x1000, (3, 20), "<f4", 7)
    assert DeviceArray(Interface(data=(0x1000, True))).read_only
    assert DeviceArray(Interface(strides=(80, 4))).shape == (3, 20)
    with pytest.raises(ValueError, match="do not follow one another"):
        DeviceArray(Interface(strides=(160, 4)))


@pytest.mark.row("HIPPY-DA-8")
def test_configure_returns_the_array():
    d = DeviceArray(bytearray(240))
    assert d.configure(typestr="float32", shape=(3, 20)) is d and d.shape == (3, 20) and d.typestr == "<f4" and d.itemsize == 4
    assert d.configure(shape=[60]).shape == (60,) and d.configure(shape=60).size == 60
    assert d.configure(typestr="<i2", shape=120).itemsize == 2
    assert d.configure(read_only=True).read_only and not d.configure(read_only=False).read_only
    assert d.configure(stream=5).stream == 5 and d.configure().stream == 5
    plain = DeviceArray(bytearray(240)).configure(itemsize=24, shape=10)
    assert (plain.itemsize, plain.typestr, plain.size) == (24, None, 10)
    with pytest.raises(ValueError, match="4 bytes, not 2"):
        d.configure(typestr="float32", itemsize=2)
    for wrong, error in (({"typestr": "what"}, ValueError), ({"typestr": 3}, TypeError), ({"shape": (-1,)}, ValueError), ({"shape": 1.5}, TypeError)):
        with pytest.raises(error):
            d.configure(**wrong)
    assert (d.shape, d.typestr) == ((120,), "<i2")


def test_a_stream_of_0_raises():
    with pytest.raises(ValueError, match="stream 0"):
        DeviceArray(16).configure(stream=0)


@pytest.mark.row("HIPPY-DA-9")
def test_another_number_of_bytes_needs_force():
    d = DeviceArray(bytearray(240)).configure(typestr="float32", shape=(3, 20))
    with pytest.raises(ValueError, match="28 bytes, and there are 240"):
        d.configure(shape=(7,))
    assert d.shape == (3, 20) and d.nbytes == 240
    assert d.configure(shape=(7,), _force=True).nbytes == 28
    with pytest.raises(ValueError, match="nobody knows"):
        DeviceArray(16).configure(shape=1)
    with pytest.raises(ValueError, match="more than"):
        d.configure(shape=(1 << 40, 1 << 40), _force=True)


@pytest.mark.row("HIPPY-DA-10")
def test_nothing_changes_while_a_buffer_is_out():
    memory = bytearray(b"\1\0\0\0\2\0\0\0")
    d = DeviceArray(memory).configure(shape=2, typestr="int32")
    view = memoryview(d)
    assert (view.tolist(), view.format, view.shape, view.strides) == ([1, 2], "i", (2,), (4,))
    for change in (lambda: d.configure(shape=(1,)), lambda: d.configure(shape=(1,), _force=True), lambda: d.configure(read_only=True),
                   lambda: d.__init__(16)):
        with pytest.raises(RuntimeError, match="is in use"):
            change()
    view[1] = 5
    assert memory[4] == 5 and d.shape == (2,)
    kept = memoryview(DeviceArray(bytearray(4)).configure(shape=1, typestr="int32"))
    gc.collect()
    assert kept.tolist() == [0]
    view.release()
    d.configure(shape=(1,), _force=True)
    with pytest.raises(BufferError, match="cannot reach"):
        memoryview(DeviceArray(Interface()))
    with pytest.raises(BufferError, match="not known"):
        memoryview(DeviceArray(16))
    assert memoryview(d.configure(read_only=True)).readonly
    with pytest.raises((BufferError, TypeError)):
        io.BytesIO(b"new").readinto(d)
    assert memory[:4] == b"\1\0\0\0"


@pytest.mark.row("HIPPY-DA-13")
def test_parts_are_contiguous():
    d = DeviceArray(bytearray(240)).configure(shape=(3, 20), typestr="float32")
    row = d[1, :]
    assert (row.size, row.shape, int(row) - int(d)) == (20, (20,), 80)
    for wrong in ((slice(None), 1), (slice(0, 2), slice(0, 5)), (slice(None, None, 2),), (slice(None, None, -1),)):
        with pytest.raises(ValueError, match="contiguous"):
            d[wrong]
    for outside in (3, -4, (0, 20), (0, 0, 0), (..., ...)):
        with pytest.raises(IndexError):
            d[outside]
    with pytest.raises(TypeError):
        d["x"]


@pytest.mark.row("HIPPY-DA-13")
@needs_numpy
def test_parts_are_numpys():
    """Shape and contents are what NumPy has, where it has a contiguous array."""
    draw = random.Random(1)
    for _ in range(2000):
        shape = tuple(draw.randrange(5) for _ in range(draw.randrange(4)))
        whole = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)
        key = tuple(draw.choice([slice(None), draw.randrange(-5, 5), slice(*sorted(draw.choices(range(5), k=2))), ...]) for _ in shape)
        try:
            wanted = whole[key]
        except IndexError:
            wanted = None
        d = DeviceArray(whole).configure(shape=shape, typestr="int16")
        try:
            found = d[key]
        except (IndexError, ValueError) as error:
            assert wanted is None if isinstance(error, IndexError) else not wanted.flags.c_contiguous, (shape, key)
            continue
        assert found.shape == np.shape(wanted), (shape, key)
        assert np.asarray(found).tolist() == wanted.tolist(), (shape, key)

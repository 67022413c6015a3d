"""hetjit.driver: the low-level calls, on every device and on the machines that stand in for GPUs. What they ask of a vendor's driver:
stand_in_programs.py."""

import ctypes
import gc
import weakref

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device, driver, types
from hetjit.types import ArgumentPack, DeviceArray, Pointer, dim3

MACHINES = ["emu:sm_90", "emu:gfx942"]
pytestmark = pytest.mark.always


@device.kernel
def scale(x, factor, n):
    i = device.tid(1)
    if i < n:
        x[i] *= factor


@device.kernel
def refuses(x):
    raise IndexError("no place")


@device.kernel
def arguments(out, f1, i, s, j, f2):
    out[0], out[1], out[2], out[3], out[4] = f1, i, s, j, f2


@pytest.fixture(params=[*_core.devices(), *MACHINES])
def where(request):
    return request.param


@pytest.fixture
def calls(where):
    return driver.open(where)


@pytest.fixture
def rows(calls):
    """Memory with the numbers 0 to 59."""
    made = calls.malloc(240).configure(typestr="float32", shape=(3, 20))
    calls.memcpy(made, np.arange(60, dtype=np.float32), 240)
    yield made
    calls.free(made)


def on_host(calls, memory):
    found = np.zeros(memory.nbytes, np.uint8)
    calls.memcpy(found, memory, memory.nbytes)
    return found.view(np.float32)


def scaling(calls):
    module = calls.module_load_data(calls.compile(scale, device.float32[:], device.float32, device.int32))
    return calls.module_get_function(module, "scale")


# ---- memory

@pytest.mark.row("HIPPY-DA-11")
def test_what_allocates_gives_device_arrays(calls):
    made = calls.malloc(8)
    assert type(made) is DeviceArray and made.nbytes == 8 and int(made) and made.on_host == (calls.device == "cpu")
    calls.free(made)
    assert int(made) == 0 and made.nbytes is None
    calls.free(made)
    calls.free(None)
    nothing = calls.malloc(0)
    assert int(nothing)
    calls.free(int(nothing))


def allocators(calls):
    """All six, by name, with what gives their memory back."""
    stream, pool = calls.stream_create(), calls.mem_pool_create()
    yield "malloc", lambda bytes: calls.malloc(bytes), calls.free
    yield "ext_malloc_with_flags", lambda bytes: calls.ext_malloc_with_flags(bytes), calls.free
    yield "malloc_managed", lambda bytes: calls.malloc_managed(bytes), calls.free
    yield "host_malloc", lambda bytes: calls.host_malloc(bytes), calls.free
    yield "malloc_async", lambda bytes: calls.malloc_async(bytes, stream), lambda memory: calls.free_async(memory, stream)
    yield "malloc_from_pool_async", lambda bytes: calls.malloc_from_pool_async(bytes, pool, stream), lambda memory: calls.free_async(memory, stream)
    calls.stream_destroy(stream)
    calls.mem_pool_destroy(pool)


@pytest.mark.row("HIPPY-DA-11")
def test_every_allocator_gives_device_arrays(calls):
    """Which copies and kernels can use, and which is gone when it is given back."""
    function = scaling(calls)
    for name, allocate, give_back in allocators(calls):
        if name in ("malloc_managed", "host_malloc") and calls.device.startswith("emu:"):
            with pytest.raises(device.DeviceError, match="no (managed|pinned) memory") as raised:  # a machine's memory is at addresses of its own
                allocate(8)
            assert raised.value.reason == "unsupported"
            continue
        made = allocate(80)
        assert type(made) is DeviceArray and made.nbytes == 80 and made.shape == (80,) and int(made), name
        assert made.on_host == (calls.device == "cpu" or name in ("malloc_managed", "host_malloc"))
        made.configure(typestr="float32", shape=20)
        calls.memcpy(made, np.arange(20, dtype=np.float32), 80)
        calls.module_launch_kernel(function, 1, 32, extra=(made.descriptor(), ctypes.c_float(3), ctypes.c_int(20)))
        calls.device_synchronize()
        assert on_host(calls, made).tolist() == [3 * i for i in range(20)], name
        if made.on_host:
            assert np.asarray(made).tolist() == [3 * i for i in range(20)]
        give_back(made)
        assert int(made) == 0 and made.nbytes is None
        give_back(made)
        nothing = allocate(0)
        assert int(nothing)
        give_back(nothing)
        with pytest.raises(device.DeviceError) as raised:
            allocate(1 << 60)
        assert raised.value.reason == "out_of_memory", name
        for wrong, error in ((-1, ValueError), ("s", TypeError)):
            with pytest.raises(error):
                allocate(wrong)


def test_memory_that_was_given_back_is_no_argument(calls):
    memory = calls.malloc(32).configure(typestr="float32", shape=8)
    assert memory.descriptor().array is memory
    calls.free(memory)
    with pytest.raises(ValueError, match="has elements, and no memory"):
        memory.descriptor()


def test_memory_of_a_stream_is_there_until_its_turn(calls):
    """What was queued before it was given back still finds it."""
    function, stream, found = scaling(calls), calls.stream_create(), bytearray(80)
    made = calls.malloc_async(80, stream).configure(typestr="float32", shape=20)
    calls.memcpy_htod(made, np.ones(20, np.float32), 80, stream)
    calls.module_launch_kernel(function, 1, 32, stream=stream, extra=(made.descriptor(), ctypes.c_float(5), ctypes.c_int(20)))
    calls.memcpy_dtoh(found, made, 80, stream)
    calls.free_async(made, stream)
    calls.stream_synchronize(stream)
    assert np.frombuffer(found, np.float32).tolist() == [5] * 20
    calls.stream_destroy(stream)


def test_pools_and_flags_that_cannot_be(calls):
    pool = calls.mem_pool_create()
    assert calls.device in repr(pool)
    with pytest.raises(ValueError, match="is no pool of|no pool"):
        pool.of("null")
    with pytest.raises(ValueError, match="at least 0"):
        calls.mem_pool_trim_to(pool, -1)
    calls.mem_pool_trim_to(pool, 0)
    calls.mem_pool_destroy(pool)
    for late in (lambda: calls.malloc_from_pool_async(8, pool), lambda: calls.mem_pool_trim_to(pool, 0)):
        with pytest.raises(ValueError, match="has ended"):
            late()
    calls.mem_pool_destroy(pool)
    with pytest.raises(ValueError, match="one of default, fine_grained, uncached"):
        calls.ext_malloc_with_flags(8, "pinned")
    if calls.device == "cpu":
        with pytest.raises(device.DeviceError, match="no memory that is not cached"):
            calls.ext_malloc_with_flags(8, "uncached")
        stream = calls.stream_create()
        calls.stream_destroy(stream)
        with pytest.raises(ValueError, match="closed"):
            calls.malloc_async(8, stream)


@pytest.mark.row("HIPPY-DA-9")
def test_allocated_memory_is_configured_without_force(calls):
    made = calls.malloc(240)
    assert made.configure(typestr="float32", shape=(3, 20)).shape == (3, 20)
    with pytest.raises(ValueError):
        made.configure(shape=7)
    calls.free(made)


@pytest.mark.row("HIPPY-DA-12")
def test_copies_in_all_directions(calls, rows):
    other = calls.malloc(240)
    calls.memcpy(other, rows, 240)
    assert on_host(calls, other).tolist() == list(range(60))
    for to, source in ((other, np.full(60, 7, np.float32)), (int(other), bytes(np.full(60, 7, np.float32))), (Pointer(other), np.full(60, 7, np.float32))):
        calls.memset(other, 0, 240)
        calls.memcpy_htod(to, source, 240)
        assert on_host(calls, other).tolist() == [7] * 60
    calls.memcpy_dtod(other, rows[1], 80)
    found = bytearray(240)
    calls.memcpy_dtoh(found, other, 240)
    assert np.frombuffer(found, np.float32).tolist() == [*range(20, 40), *[7] * 40]
    for kind in ("device_to_device", "default"):
        calls.memcpy(other[80:160], rows[0], 80, kind)
    calls.memcpy(found, other, 240)
    assert np.frombuffer(found, np.float32)[20:40].tolist() == list(range(20))
    there = bytearray(4)
    calls.memcpy(there, b"text", 4)
    assert there == b"text"
    calls.free(other)


def test_fills(calls, rows):
    calls.memset(rows[1], 1, 80)
    assert on_host(calls, rows).tolist() == [*range(20), *np.full(80, 1, np.uint8).view(np.float32).tolist(), *range(40, 60)]
    for wrong in (-1, 256):
        with pytest.raises(OverflowError):
            calls.memset(rows, wrong, 1)


def test_copies_that_cannot_be(calls, rows):
    room = bytearray(240)
    for to, source, bytes, error in ((rows, room, 241, ValueError), (bytearray(4), rows, 5, ValueError), (b"1234", rows, 4, BufferError),
                                     (None, rows, 1, ValueError), (rows, 0, 1, ValueError), ("s", rows, 1, TypeError), (rows, room, -1, ValueError)):
        with pytest.raises(error):
            calls.memcpy(to, source, bytes)
    calls.memcpy(None, None, 0)
    with pytest.raises(ValueError, match="one of"):
        calls.memcpy(rows, room, 4, "sideways")
    if calls.device != "cpu":
        for wrong in (lambda: calls.memcpy_htod(room, rows, 4), lambda: calls.memcpy_dtoh(room, room, 4), lambda: calls.memcpy_dtod(rows, room, 4)):
            with pytest.raises(ValueError, match="is memory of the host"):
                wrong()
    assert on_host(calls, rows).tolist() == list(range(60))


def test_memory_that_is_not_there(calls):
    with pytest.raises(device.DeviceError) as raised:
        calls.malloc(1 << 60)
    assert raised.value.reason == "out_of_memory"
    with pytest.raises(ValueError):
        calls.malloc(-1)
    with pytest.raises((ValueError, device.DeviceError)):
        calls.free(0x10)


def test_freed_memory_that_somebody_sees():
    calls = driver.open("cpu")
    made = calls.malloc(8)
    view = memoryview(made)
    with pytest.raises(RuntimeError, match="is in use"):
        calls.free(made)
    view[0] = 1
    view.release()
    calls.free(made)


def test_memory_that_has_an_owner_is_not_freed():
    calls = driver.open("cpu")
    array = device.zeros(4, device.float32, "cpu")
    for kept in (array, Pointer(array), Pointer(bytearray(8))):
        with pytest.raises(ValueError, match="goes with its owner"):
            calls.free(kept)
    assert array.tolist() == [0] * 4


def test_buffers_of_parts_hold_the_whole():
    calls = driver.open("cpu")
    memory = calls.malloc(64).configure(shape=(4, 16))
    for seen in (memory[1], memory[2:][0], DeviceArray(memory).configure(shape=64), memory):
        view = memoryview(seen)
        for given in (memory, memory[:], DeviceArray(memory), Pointer(memory)):
            with pytest.raises(RuntimeError, match="in use"):
                calls.free(given)
        view.release()
    calls.free(memory)
    with pytest.raises(ValueError, match="no memory at NULL"):
        memory[1]


# ---- code

@pytest.mark.row("HIPPY-DA-13")
def test_rows_are_scaled(calls, rows):
    """HIP Python's example of DeviceArray."""
    function = scaling(calls)
    for factor, row in enumerate((rows[i, :] for i in range(3)), 1):
        calls.module_launch_kernel(function, grid=1, block=dim3(x=32), extra=(row.descriptor(), ctypes.c_float(factor), ctypes.c_int(20)))
    calls.device_synchronize()
    assert on_host(calls, rows).reshape(3, 20).tolist() == [[i * (row + 1) for i in range(20 * row, 20 * row + 20)] for row in range(3)]


@pytest.mark.row("HIPPY-EXT-4")
def test_arguments_of_all_kinds(calls, rows):
    """HIP Python's example of a launch's arguments."""
    f32, i16, i32 = device.float32, device.int16, device.int32
    module = calls.module_load_data(calls.compile(arguments, f32[::1], f32, i32, i16, i32, f32))
    function = calls.module_get_function(module, "arguments")
    given = (rows[0].descriptor(), ctypes.c_float(1.25), ctypes.c_int(100), ctypes.c_short(5), ctypes.c_int(-2), ctypes.c_float(5.5))
    for extra in (given, list(given), ArgumentPack(given), bytes(ctypes.string_at(int(pack := ArgumentPack(given)), pack.nbytes))):
        calls.memset(rows, 0, 240)
        calls.module_launch_kernel(function, (1, 1), (1,), extra=extra)
        calls.device_synchronize()
        assert on_host(calls, rows)[:5].tolist() == [1.25, 100, 5, -2, 5.5]


@pytest.mark.row("HIPPY-EXT-2")
@pytest.mark.parametrize("where", ["cpu", "emu:gfx942", "emu:sm_90"], indirect=True)
def test_a_pack_is_a_kernels_parameter_block(calls):
    """Each argument where compiled code reads it: 16 bytes of alignment too."""
    @device.kernel
    def spread(out: device.float64[::1], c: device.int8, x: device.float32x4, h: device.float16, z: device.complex128):
        out[0], out[1], out[2], out[3], out[4] = c, x.y, h, z.real, z.imag

    class Float4(ctypes.Structure):
        _fields_ = [("lanes", ctypes.c_float * 4)]
        _align_ = 16
    out = calls.malloc(40).configure(typestr="float64", shape=5)
    module = calls.module_load_data(calls.compile(spread, device.float64[::1], device.int8, device.float32x4, device.float16, device.complex128))
    pack = ArgumentPack((out.descriptor(), ctypes.c_byte(-3), Float4((1, 2, 3, 4)), np.float16(0.5), np.complex128(6 - 7j)))
    function = calls.module_get_function(module, "spread")
    assert pack.nbytes == function.argument_bytes == 80  # out at 0, c at 24, x at 32, h at 48, z at 64
    calls.module_launch_kernel(function, 1, 1, extra=pack)
    calls.device_synchronize()
    assert on_host(calls, out).view(np.float64).tolist() == [-3, 2, 0.5, 6, -7]
    calls.free(out)


def test_launches_that_cannot_be(calls, rows):
    function = scaling(calls)
    row, number, count = rows[0].descriptor(), ctypes.c_float(2), ctypes.c_int(20)
    for extra, error in (((row, number), ValueError), ((row, number, count, count), ValueError), ((), ValueError), (None, ValueError),
                         (0x1000, ValueError), (bytearray(5000), ValueError), ((row, "s", count), TypeError), ("s", TypeError)):
        with pytest.raises(error):
            calls.module_launch_kernel(function, 1, 32, extra=extra)
    for shape in ((0, 1), (1, 0), ((1, 1, 1, 1), 1), (1, 5000), ("x", 1), (-1, 1)):
        with pytest.raises((TypeError, ValueError)):
            calls.module_launch_kernel(function, *shape, extra=(row, number, count))
    assert on_host(calls, rows).tolist() == list(range(60))


def test_what_kernels_raise(calls, rows):
    module = calls.module_load_data(calls.compile(refuses, device.float32[:]))
    function = calls.module_get_function(module, "refuses")
    with pytest.raises(IndexError, match="no place"):
        calls.module_launch_kernel(function, 1, 1, extra=(rows[0].descriptor(),))
        calls.device_synchronize()


def test_modules(calls, tmp_path):
    image = calls.compile(scale, device.float32[:], device.float32, device.int32)
    (tmp_path / "scale.image").write_bytes(image)
    module = calls.module_load(tmp_path / "scale.image")
    function = calls.module_get_function(module, "scale")
    assert (function.name, function.device, function.argument_bytes) == ("scale", calls.device, 32)
    with pytest.raises(ValueError, match="'other'"):
        calls.module_get_function(module, "other")
    calls.module_unload(module)
    for late in (lambda: calls.module_launch_kernel(function, 1, 1), lambda: calls.module_get_function(module, "scale"),
                 lambda: calls.module_unload(module)):
        with pytest.raises(ValueError, match="unloaded"):
            late()
    for damaged in (image[:-1], image[:20], image[:40] + b"x" + image[41:]):
        with pytest.raises(ValueError):
            calls.module_load_data(damaged)
    with pytest.raises((ValueError, device.DeviceError)):
        calls.module_load_data(b"no code at all")
    with pytest.raises(ValueError, match="the bytes are empty"):
        calls.module_load_data(b"")
    for nothing in (b"\0" * 8, b" \n\0"):
        with pytest.raises((ValueError, device.DeviceError)):
            calls.module_load_data(nothing)
    with pytest.raises(OSError):
        calls.module_load(tmp_path / "missing")
    with pytest.raises(TypeError):
        calls.module_load_data("text")
    with pytest.raises(device.CompileError):
        calls.compile(scale, device.float32, device.float32, device.int32)


def test_a_module_that_an_argument_unloads(calls):
    module = calls.module_load_data(calls.compile(scale, device.float32[:], device.float32, device.int32))
    function = calls.module_get_function(module, "scale")

    class Unloads:
        def __index__(self):
            calls.module_unload(module)
            return 1
    with pytest.raises((ValueError, TypeError)):
        calls.module_launch_kernel(function, (Unloads(),), 1, extra=[])


def test_a_function_keeps_its_module(calls, rows):
    function = scaling(calls)
    gc.collect()
    calls.module_launch_kernel(function, 1, 32, extra=(rows[0].descriptor(), ctypes.c_float(2), ctypes.c_int(20)))
    calls.device_synchronize()
    assert on_host(calls, rows)[:20].tolist() == [2 * i for i in range(20)]


# ---- streams, events, errors

def test_streams_and_events(calls, rows):
    stream, start, end = calls.stream_create(), calls.event_create(), calls.event_create()
    function, found = scaling(calls), bytearray(240)
    calls.event_record(start, stream)
    calls.memset(rows[2], 0, 80, stream)
    calls.module_launch_kernel(function, 1, 32, stream=stream, extra=(rows[0].descriptor(), ctypes.c_float(3), ctypes.c_int(20)))
    calls.event_record(end, stream)
    calls.memcpy_dtoh(found, rows, 240, stream)
    calls.event_synchronize(end)
    calls.stream_synchronize(stream)
    assert calls.stream_query(stream) and calls.event_query(end) and calls.event_elapsed_time(start, end) >= 0
    assert np.frombuffer(found, np.float32).tolist() == [*(3 * i for i in range(20)), *range(20, 40), *[0] * 20]
    other = calls.stream_create(priority=-1)
    calls.stream_wait_event(other, end)
    for one in (stream, other):
        calls.stream_destroy(one)
    for one in (start, end):
        calls.event_destroy(one)
    with pytest.raises(ValueError, match="closed"):
        calls.memset(rows, 0, 4, stream)


def test_memory_of_a_copy_is_kept_until_it_is_done(calls, rows):
    class Bytes(bytearray):
        pass
    stream, source = calls.stream_create(), Bytes(240)
    ended = weakref.ref(source)
    calls.memcpy_htod(rows, source, 240, stream)
    del source
    gc.collect()
    calls.stream_synchronize(stream)
    assert not on_host(calls, rows).any()
    calls.stream_destroy(stream)
    calls.malloc(8)  # asks what is done
    gc.collect()
    assert ended() is None


def test_errors_as_values(where):
    calls = driver.open(where, errors="tuple")
    success = driver.Error.success
    error, made = calls.malloc(240)
    assert error == success == 0 and not error and type(made) is DeviceArray
    assert calls.memcpy(made, bytearray(240), 240) == (success,)
    for done, name, count in ((calls.malloc(1 << 60), "out_of_memory", 2), (calls.memcpy(made, bytearray(8), 9), "invalid", 1),
                              (calls.module_load("/nowhere"), "invalid", 2), (calls.module_load_data(b"hetjitKI"), "invalid", 2)):
        assert done[0] == getattr(driver.Error, name) != success and done[0].name == name and len(done) == count, done
        assert done[1:] == (None,) * (count - 1) and calls.get_error_name(done[0]) == (success, name)
        assert calls.get_error_string(done[0])[1] == done[0].text != "" and name in repr(done[0])
    assert calls.get_error_string(2) == (success, "out of memory")
    with pytest.raises(TypeError):
        calls.malloc("s")
    with pytest.raises(TypeError):
        calls.memcpy("s", made, 4)
    assert calls.free(made) == (success,)


def test_devices(calls):
    assert calls.device_get_attribute("max_threads_per_block") >= 32 and calls.device_get_name() and calls.device in repr(calls)
    with pytest.raises(ValueError, match="multiprocessors"):
        calls.device_get_attribute("colour")
    for wrong in ("gpu", "cpu:7"):
        with pytest.raises((ValueError, device.DeviceError)):
            driver.open(wrong)
    with pytest.raises(ValueError, match="'raise' or 'tuple'"):
        driver.open("cpu", errors="ignore")


def test_every_call_says_what_it_does():
    assert len(driver.CALLS) > 25
    for name, call in driver.CALLS.items():
        assert call.__doc__ and getattr(driver.Driver, name) is call, name

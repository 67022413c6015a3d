"""What the C++ tests of this folder ask of the run time's devices, asked through Python of the machines too, whose drivers are in Python:
memory, copies, streams, launches and what must be refused. What is no code is tested in tests/emulation/test_devices.py."""

import ctypes
import gc
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

MACHINES = ["emu:sm_90", "emu:gfx942", "emu:gfx1100"]
on_every_device = pytest.mark.parametrize("where", [*_core.devices(), *MACHINES])
on_machines = pytest.mark.parametrize("where", MACHINES)
pytestmark = pytest.mark.always


@device.kernel
def fill(out, value):
    i = device.tid(1)
    if i < len(out):
        out[i] = value


@device.kernel
def increment(x):
    x[device.tid(1)] += 1


@device.kernel
def copied(x, y):
    y[device.tid(1)] = x[device.tid(1)]


@device.kernel
def refuses(x):
    if x[device.tid(1)] == 0:
        raise ValueError("no number")


@device.kernel
def nothing():
    pass


@device.kernel
def coordinates(out):
    block, thread, blocks, threads = device.block_idx, device.thread_idx, device.grid_dim, device.block_dim
    number = (block.z * blocks.y + block.y) * blocks.x + block.x
    number = ((number * threads.z + thread.z) * threads.y + thread.y) * threads.x + thread.x
    out[number] = ((block.z * 10 + block.y) * 10 + block.x) * 1000 + (thread.z * 10 + thread.y) * 10 + thread.x


@device.kernel
def mixed(a, out, b, c, d):
    out[0] = a + b + c + d


@device.kernel
def fills_shared_memory(out, last):
    words = device.dynamic_shared_array(device.uint32)
    if device.thread_idx.x == 0:
        words[last] = 7
    device.syncthreads()
    out[device.thread_idx.x] = words[last]


def in_threads(count, work):
    """Runs work(0), work(1), … at once; what one raises is raised."""
    raised = []

    def run(number):
        try:
            work(number)
        except BaseException as error:
            raised.append(error)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    if raised:
        raise raised[0]


# ---- launches

@on_every_device
def test_every_thread_runs(where):
    for count in (1, 31, 32, 1000, 100_000):
        out = device.array(np.full(count, -1, np.float32), where)
        fill[(count + 127) // 128, 128](out, 2.5)
        assert (device.to_numpy(out) == 2.5).all()


@on_every_device
def test_coordinates_in_three_dimensions(where):
    out = device.zeros(30 * 24, device.uint32, where)
    coordinates[(5, 3, 2), (4, 2, 3)](out)
    blocks = [b // 15 * 100 + b // 5 % 3 * 10 + b % 5 for b in range(30)]
    assert device.to_numpy(out).tolist() == [b * 1000 + t // 8 * 100 + t // 4 % 2 * 10 + t % 4 for b in blocks for t in range(24)]


@on_every_device
def test_parameters_of_many_sizes(where):
    out = device.zeros(1, device.float64, where)
    mixed[1, 1](np.int8(-3), out, np.int16(-2000), np.float64(0.25), np.uint8(200))
    assert device.to_numpy(out)[0] == -3 - 2000 + 0.25 + 200


@on_every_device
def test_without_parameters(where):
    nothing.on(where)[100, 64]()
    device.synchronize(where)


@on_every_device
def test_what_was_given_may_change_afterwards(where):
    given = np.full(1000, 3, np.float32)
    first, out = device.array(given, where), device.zeros(1000, device.float32, where)
    given[:] = 4
    for value in range(20):
        fill[8, 128](out, float(value))
    assert (device.to_numpy(first) == 3).all() and (device.to_numpy(out) == 19).all()


@on_every_device
def test_from_many_threads_at_once(where):
    def work(number):
        out = device.zeros(5000, device.float32, where)
        for turn in range(10):
            fill[50, 100](out, float(number * 100 + turn))
            assert (device.to_numpy(out) == number * 100 + turn).all()
    in_threads(6, work)


@on_every_device
def test_a_kernel_that_is_gone_leaves_the_others(where):
    first, second = device.kernel(fill.underlying), device.kernel(increment.underlying)
    out = device.array(np.full(128, 5, np.int32), where)
    first[1, 128](out, 6)
    second[1, 128](out)
    del first
    gc.collect()
    second[1, 128](out)
    assert (device.to_numpy(out) == 8).all()


@on_every_device
def test_too_large_a_block_is_refused(where):
    most = device.info(where)["max_threads_per_block"]
    with pytest.raises(ValueError, match=rf"block of 2000 threads \(2000, 1, 1\) is more than the {most} that {where} allows"):
        nothing.on(where)[1, 2000]()


@on_every_device
def test_all_shared_memory_that_the_device_has(where):
    for bytes in (1024, 48 * 1024, device.info(where)["max_shared_bytes"]):
        out = device.zeros(64, device.uint32, where)
        fills_shared_memory[1, 64, None, bytes](out, bytes // 4 - 1)
        assert (device.to_numpy(out) == 7).all()


# ---- memory

@on_every_device
def test_copies_of_every_size(where):
    for count in (0, 1, 3, 64, 4096, (1 << 20) + 1):
        there = (np.arange(count) + 7).astype(np.uint8)
        assert (device.to_numpy(device.array(there, where)) == there).all()


@on_every_device
def test_memory_is_aligned_and_distinct(where):
    many = [device.DeviceArray((count,), "uint8", where) for count in range(50)]
    addresses = [array.address for array in many if array.nbytes]
    assert len(set(addresses)) == 49 and not any(address % 64 for address in addresses)


@on_every_device
def test_views_are_read_and_stored_in_place(where):
    numbers = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    x = device.array(numbers, where)
    for key in (1, (0, 2), (slice(None), 1), (Ellipsis, 3), (slice(None, None, -1), slice(0, 3, 2), slice(3, None, -2)), (None, 1, Ellipsis, None),
                slice(5, 9), (1, slice(2, 2)), ()):
        assert device.to_numpy(x[key]).tolist() == x[key].tolist() == numbers[key].tolist(), key
    x[:, 1, ::2] = numbers[:, 1, ::2] = [[7], [9]] @ np.ones((1, 2), np.int16)
    x[0, 0] = numbers[0, 0] = 5
    x[1, 2, 3] = numbers[1, 2, 3] = -1
    x[1, ::2][:, 1:3] = device.array([[1, 2], [3, 4]], where, device.int16)
    numbers[1, ::2][:, 1:3] = [[1, 2], [3, 4]]
    assert x.tolist() == numbers.tolist()
    increment[1, 3](x[1, :, 2])
    numbers[1, :, 2] += 1
    assert x.tolist() == numbers.tolist()


@on_every_device
def test_graphs(where):
    """Launches are taken in, not done, and then done as often as wanted."""
    x, y = device.zeros(4, device.int32, where), device.ones(4, device.int32, where)
    fresh = device.kernel(increment.__wrapped__)
    with device.Graph(where) as graph:
        for _ in range(3):
            fresh[1, 4](x)
        copied[1, 4, graph.stream](x, y)
    assert x.tolist() == [0] * 4 and y.tolist() == [1] * 4
    for times in (1, 2):
        graph.replay()
        assert x.tolist() == y.tolist() == [3 * times] * 4
    fresh[1, 4](x)
    device.synchronize(where)
    with device.Stream(where) as stream:
        graph.replay(stream)
    assert y.tolist() == [10] * 4
    with device.Graph(where) as outer:
        graph.replay(outer.stream)
        graph.replay(outer.stream)
    del graph, x
    gc.collect()
    outer.replay()
    assert y.tolist() == [16] * 4


@on_every_device
def test_graphs_keep_what_they_use(where):
    out = device.zeros(2, device.float64, where)
    with device.Graph(where) as graph:
        mixed[1, 1](1, out[1:], 2, 0.5, 3)
        fill[1, 4](device.empty(4, device.float32, where), 1)
        fill[1, 4](device.empty(4, device.float32, where), 2)
    gc.collect()
    others = [device.zeros(4, device.float32, where) for _ in range(10)]
    graph.replay()
    assert out.tolist() == [0, 6.5] and all(other.tolist() == [0] * 4 for other in others)


@on_every_device
def test_what_a_replay_raises(where):
    x = device.ones(2, device.int32, where)
    with device.Graph(where) as graph:
        refuses[1, 2](x)
        increment[1, 2](x)
    graph.replay()
    graph.stream.synchronize()
    assert x.tolist() == [2, 2]
    x.fill(0)
    with pytest.raises(ValueError, match="no number"):
        graph.replay()
        graph.stream.synchronize()


@on_every_device
def test_mistakes_about_graphs(where):
    x = device.zeros(2, device.int32, where)
    graph = device.Graph(where)
    with pytest.raises(ValueError, match="nothing has been taken into the graph"):
        graph.replay()
    with pytest.raises(ValueError, match="takes nothing in"):
        graph.end(True)
    with pytest.raises(ValueError, match="2000 threads"):
        with graph:
            increment[1, 2](x)
            increment[1, 2000](x)
    with pytest.raises(ValueError, match="nothing has been taken into the graph"):
        graph.replay()
    for wrong in (3, object(), b"cpu"):
        with pytest.raises(TypeError):
            device.Graph(wrong)
    increment[1, 2](x)
    assert x.tolist() == [1, 1]


@on_every_device
def test_more_than_there_is(where):
    before = device.memory.info(where)
    with pytest.raises(MemoryError, match=f"{where} cannot allocate 1152921504606846976 bytes.*; {before['arrays']} arrays hold {before['held']} bytes, and") as caught:
        device.DeviceArray((1 << 60,), "uint8", where)
    assert isinstance(caught.value, device.OutOfMemoryError) and device.memory.info(where)["held"] == before["held"]


@on_every_device
def test_memory_is_counted(where):
    gc.collect()
    before = device.memory.info(where)
    x = device.zeros(1000, device.float64, where)
    part = x[10:]
    now = device.memory.info(where)
    assert now["arrays"] == before["arrays"] + 1 and 8000 <= now["held"] - before["held"] < 9000 and now["most"] >= now["held"]
    assert 0 < now["free"] <= now["total"]
    del x
    assert device.memory.info(where)["arrays"] == now["arrays"]
    del part
    assert device.memory.info(where)["arrays"] == before["arrays"]


@on_every_device
def test_an_allocator_that_has_no_memory(where):
    """An address of 0 is none, however it comes, and nothing is given back; for an array without elements it does."""
    released = []
    for nothing in (0, type("Block", (), {"ptr": 0})()):
        device.memory.use(lambda bytes: nothing, released.append, where)
        try:
            before = device.memory.info(where)
            with pytest.raises(device.OutOfMemoryError, match=f"gave no memory for 16 bytes.*; {before['arrays']} arrays hold {before['held']} bytes"):
                device.zeros(4, device.float32, where)
            with pytest.raises(device.OutOfMemoryError):
                device.array(np.ones(3), where)
            assert device.zeros((0, 3), device.float32, where).tolist() == []
        finally:
            device.memory.use(None, device=where)
        now = device.memory.info(where)
        assert released == [] and (now["arrays"], now["held"]) == (before["arrays"], before["held"])


def test_mistakes_about_memory():
    for wrong, kind in ((lambda: device.memory.info("gpu"), ValueError), (lambda: device.memory.trim("cpu", keep=-1), ValueError),
                        (lambda: device.memory.trim("cpu", keep=2 ** 64), ValueError), (lambda: device.memory.trim("cpu", keep=1.5), TypeError),
                        (lambda: device.memory.use(3, device="cpu"), TypeError), (lambda: device.memory.info(3), TypeError)):
        with pytest.raises(kind):
            wrong()


@on_every_device
def test_memory_from_many_threads(where):
    def work(number):
        for turn in range(20):
            there = np.full(200, number * 20 + turn, np.uint8)
            assert (device.to_numpy(device.array(there, where)) == there).all()
    in_threads(6, work)


# ---- streams: of the machine's driver, as another library would make them

@pytest.fixture
def streams(where):
    """Two streams of the machine."""
    from hetjit.emulation import devices
    device.zeros(1, int, where)
    driver, made = devices._MADE[where], []
    for _ in range(2):
        handle = ctypes.c_uint64()
        driver.stream_make(ctypes.addressof(handle), 0, 0)
        made.append(handle.value)
    yield made
    for stream in made:
        driver.stream_destroy(stream)


@on_machines
def test_streams_are_distinct_and_can_be_waited_for(where, streams):
    assert streams[0] != streams[1] and all(streams)
    for stream in (*streams, streams[0], None):
        device.synchronize(where, stream)


@on_machines
def test_launches_are_in_the_order_of_their_stream(where, streams):
    out = [device.zeros(512, device.int32, where) for _ in streams]
    for _ in range(100):
        for x, stream in zip(out, streams):
            increment[4, 128, stream](x)
    for x, stream in zip(out, streams):
        device.synchronize(where, stream)
        assert (device.to_numpy(x) == 100).all()


@on_machines
def test_copies_come_after_the_streams_that_use_the_array(where, streams):
    x, y = device.array(np.arange(64, dtype=np.int32), where), device.zeros(64, device.int32, where)
    for stream in streams:
        increment[1, 64, stream](x)
    assert (device.to_numpy(x) == np.arange(64) + 2).all()  # what both have done
    copied[1, 64, streams[0]](x, y)
    x.copy_in(np.zeros(64, np.int32))  # not before the launch has read it
    assert (device.to_numpy(y) == np.arange(64) + 2).all()
    assert not device.to_numpy(x).any()


@on_machines
def test_arrays_outlive_launches(where, streams):
    """Memory is used again as soon as it is free, which it is not before the launch is done."""
    y = device.zeros(64, device.int32, where)
    for stream in (None, streams[0]):
        x = device.array(np.arange(64, dtype=np.int32), where)
        copied[1, 64, stream](x, y)
        del x
        gc.collect()
        device.array(np.full(64, -1, np.int32), where)
        assert (device.to_numpy(y) == np.arange(64)).all()


@on_machines
def test_what_a_kernel_says_comes_with_a_copy_of_what_it_used(where, streams):
    x = device.zeros(4, device.int32, where)
    refuses[1, 4, streams[0]](x)
    with pytest.raises(ValueError, match="no number"):
        device.to_numpy(x)


# ---- streams and events of ours


@on_every_device
def test_streams_and_events(where):
    x = device.array(np.zeros(64, np.int32), where)
    with device.Stream(where) as first, device.Stream(where, priority=-1) as second:
        assert first.device == second.device == where and first.handle != second.handle and first.handle and first.done
        start = first.record()
        for _ in range(3):
            increment[1, 64, first](x)
            second.follow(first)
            increment[1, 64, second](x)
            first.follow(second.record(device.Event(where, timed=False)))
        end = first.record()
        end.synchronize()
        assert end.done and start.done
        assert 0 <= start.elapsed(end) < 60_000
    assert (device.to_numpy(x) == 6).all()
    assert first.device is second.handle is None and repr(first) == "<closed Stream>"


@on_every_device
def test_asking_again_and_again_comes_to_an_end(where):
    x = device.array(np.zeros(64, np.int32), where)
    with device.Stream(where) as stream:
        increment[1, 64, stream](x)
        with stream.record() as event:
            while not event.done:
                pass
        increment[1, 64, stream](x)
        while not stream.done:
            pass
    assert (device.to_numpy(x) == 2).all()


@on_every_device
def test_what_is_closed_or_of_another_device_is_refused(where):
    x = device.array(np.zeros(64, np.int32), where)
    stream, event = device.Stream(where), device.Event(where)
    bound = increment[1, 64, stream]
    stream.close()
    stream.close()
    event.close()
    for use in (lambda: bound(x), lambda: increment[1, 64, stream](x), stream.synchronize, lambda: stream.done,
                lambda: device.synchronize(where, stream), lambda: device.Event(where).record(stream)):
        with pytest.raises(ValueError, match="the stream has been closed"):
            use()
    for use in (event.record, event.synchronize, lambda: event.done, lambda: event.elapsed(event)):
        with pytest.raises(ValueError, match="the event has been closed"):
            use()
    other = "cpu" if where != "cpu" else "null"
    with device.Stream(other) as stream:
        for use in (lambda: increment[1, 64, stream](x), lambda: device.synchronize(where, stream),
                    lambda: device.Event(where).record(stream)):
            with pytest.raises(ValueError, match=f"the stream is one of {other}, and the work is for {where}"):
                use()
    with pytest.raises(ValueError, match="the events are of two devices"):
        device.Event(where).elapsed(device.Event(other))
    with pytest.raises(TypeError, match="the time to an Event can be told, not to a"):
        device.Event(where).elapsed(stream)


@on_every_device
def test_the_stream_of_a_bound_kernel_lives(where):
    x = device.array(np.zeros(64, np.int32), where)
    bound = increment[1, 64, device.Stream(where)]
    gc.collect()
    bound(x)
    gc.collect()
    bound(x)
    assert (device.to_numpy(x) == 2).all()


@on_every_device
def test_a_stream_ends_with_an_exception_of_its_kernels(where):
    x = device.array(np.zeros(4, np.int32), where)
    with pytest.raises(ValueError, match="no number"):
        with device.Stream(where) as stream:
            refuses[1, 4, stream](x)
    assert stream.handle is None
    with pytest.raises(KeyError):
        with device.Stream(where) as stream:
            raise KeyError  # is not lost by what the kernels say
    assert stream.handle is None


@on_machines
def test_a_fault_is_of_its_stream(where, streams):
    out = device.zeros(64, device.int32, where)
    increment[1, 128, streams[0]](out)  # beyond its end
    increment[1, 64, streams[1]](out)
    device.synchronize(where, streams[1])
    with pytest.raises(device.DeviceError, match="outside every allocation"):
        device.synchronize(where, streams[0])
    device.synchronize(where, streams[0])

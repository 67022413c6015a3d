"""Programs over a stand-in for a driver, as stand_in_programs.py has them: arrays of our own, their memory, their views."""

import ctypes
import gc
import types
import weakref

from hetjit import device
from stand_in_programs import ONE, OTHER, error_of, increment, numbers


def launches_of_a_view_are_waited_for_by_its_whole_array_and_keep_it(driver):
    x = numbers(driver.first)
    live = driver.live()["memory"]
    driver.pending(True)
    increment[1, 2, ONE](x[1:3])
    event = driver.calls("event_record")[0].words[0]
    x[:2].copy_out(bytearray(8))  # another view
    assert [call.words for call in driver.calls("stream_follow")] == [["0", event]]
    row = x[2:]
    del x
    gc.collect()
    assert driver.live()["memory"] == live
    del row
    gc.collect()
    numbers(driver.first)
    assert driver.live()["memory"] == live, "the launch uses it"
    driver.pending(False)
    device.synchronize(driver.first)
    numbers(driver.first)
    assert driver.live()["memory"] == live - 1


def a_device_is_waited_for_with_all_that_its_streams_were_lent(driver):
    driver.pending(True)
    x, y, z = (numbers(driver.first) for _ in range(3))
    for array, stream in ((x, 0), (y, ONE), (z, device.Stream(driver.first))):
        increment[1, 4, stream](array)
    ended = [weakref.ref(array) for array in (x, y, z)]
    del x, y, z, array, stream
    gc.collect()
    driver.calls()
    device.synchronize(driver.first)
    asked = driver.calls("device_wait", "stream_wait", "event_wait")
    assert [call.name for call in asked] == ["device_wait"] and [one() for one in ended] == [None] * 3
    driver.captured(ONE)
    assert "cannot finish what was launched" in error_of(lambda: device.synchronize(driver.first))


def parts_are_stored_alone(driver):
    """What lies between the elements of a view may be another launch's just now."""
    x = device.array([[1, 2, 3], [4, 5, 6]], driver.first, device.float32)
    driver.calls()
    x[:, 1:] = [[7, 8], [9, 10]]
    assert len(driver.calls("copy_in")) == 2
    assert x.tolist() == [[1, 7, 8], [4, 9, 10]] and x[:, 2].tolist() == [8, 10]


def others_are_lent_memory_that_their_stream_finds_ready(driver):
    x = numbers(driver.first)
    driver.pending(True)
    increment[1, 4, ONE](x)
    event = driver.calls("event_record")[0].words[0]
    capsule = x.__dlpack__(stream=OTHER, max_version=(1, 0))
    assert [call.words for call in driver.calls("stream_follow")] == [[str(OTHER), event]]
    assert x.__dlpack_device__() == (driver.kind, 0)
    x.__dlpack__(stream=-1)
    assert not driver.calls("stream_follow")
    live = driver.live()["memory"]
    driver.pending(False)
    device.synchronize(driver.first, ONE)
    del x
    gc.collect()
    assert driver.live()["memory"] == live, "the capsule keeps it"
    del capsule
    assert driver.live()["memory"] == live - 1


# ---- memory


def memory_is_kept_for_the_next_array_until_it_is_trimmed(driver):
    device.zeros(1000, device.float32, driver.first)
    driver.calls()
    second = device.zeros(950, device.float32, driver.first)
    assert [call.name for call in driver.calls("allocate", "release")] == [], "nobody asks the driver"
    assert device.memory.info(driver.first) == {"arrays": 1, "held": 4096, "most": 4096, "kept": 0, "free": 3 << 20, "total": 8 << 20}
    third = device.zeros(100, device.float32, driver.first)  # for which the other would be too much
    assert device.memory.info(driver.first)["held"] == 4096 + 512 and device.memory.info(driver.second)["arrays"] == 0
    del second, third
    driver.calls()
    assert device.memory.info(driver.first)["kept"] == 4096 + 512
    device.memory.trim(driver.first, keep=600)
    assert len(driver.calls("release")) == 1 and device.memory.info(driver.first)["kept"] == 512
    device.memory.trim(driver.first)
    assert len(driver.calls("release")) == 1 and device.memory.info(driver.first)["kept"] == 0


def memory_that_others_may_use_goes_back_to_the_driver(driver):
    """Who waits for their work, of which we do not hear."""
    lend = [lambda x: x.address, lambda x: x[1:].__dlpack__()]
    if driver.vendor == "cuda":
        lend.append(lambda x: x.__cuda_array_interface__)
    for one in lend:
        x = numbers(driver.first)
        one(x)
        driver.calls()
        del x
        gc.collect()
        assert len(driver.calls("release")) == 1


def too_little_memory_is_told_with_what_is_there(driver):
    kept = device.zeros(1000, device.float32, driver.first)
    device.zeros(100, device.float32, driver.first)
    driver.calls()
    driver.fail("allocate", 2, always=True)
    try:
        device.zeros(5000, device.float32, driver.first)
    except MemoryError as error:
        assert isinstance(error, device.DeviceError) and isinstance(error, device.OutOfMemoryError)
        assert f"{driver.first} cannot allocate 20480 bytes: " in str(error), error
        assert f"; 1 arrays hold 4096 bytes, and {3 << 20} of {8 << 20} are free" in str(error), error
    else:
        raise AssertionError("there is memory")
    assert [call.name for call in driver.calls("allocate", "release")] == ["allocate", "allocate", "release", "allocate"], "what was kept is tried, too"
    driver.fail("allocate", 0, always=True)
    assert kept.tolist() == [0.0] * 1000 and device.zeros(5000, device.float32, driver.first).size == 5000


def another_librarys_allocator_gives_memory(driver):
    held, asked, ended = {}, [], []

    def allocate(bytes):
        memory = ctypes.create_string_buffer(bytes)
        held[ctypes.addressof(memory)] = memory
        asked.append(bytes)
        return ctypes.addressof(memory)

    def release(address):
        ended.append(address)
        del held[address]
    device.memory.use(allocate, release, driver.first)
    driver.calls()
    x = numbers(driver.first, 5)
    increment[1, 5](x)
    assert asked == [20] and x.address in held and not driver.calls("allocate")
    device.memory.use(None, device=driver.first)
    y = numbers(driver.first, 5)
    assert len(driver.calls("allocate")) == 1 and device.memory.info(driver.first)["arrays"] == 2
    address = x.address
    del x
    device.synchronize(driver.first)
    assert ended == [address] and not held, "it goes back where it came from"

    class Block(types.SimpleNamespace):  # as CuPy's and RMM's are
        living = 0

        def __init__(self, bytes):
            super().__init__(ptr=allocate(bytes))
            Block.living += 1

        def __del__(self):
            Block.living -= 1
    device.memory.use(Block, device=driver.first)
    z = numbers(driver.first, 3)
    assert z.tolist() == [0, 1, 2] and Block.living == 1
    part = z[1:]
    del z
    assert Block.living == 1 and part.tolist() == [1, 2]
    del part
    assert Block.living == 0
    device.memory.use(lambda bytes: 1 // 0, device=driver.first)
    for wrong, kind in ((lambda bytes: 1 // 0, ZeroDivisionError), (lambda bytes: "here", AttributeError), (lambda bytes: -1, OverflowError)):
        device.memory.use(wrong, device=driver.first)
        try:
            numbers(driver.first)
        except kind:
            continue
        raise AssertionError(kind)
    device.memory.use(None, device=driver.first)
    assert device.memory.info(driver.first)["arrays"] == 1 and y.tolist() == [0, 1, 2, 3, 4]


# ---- hetjit.driver: memory of every kind, and what the vendor's driver is asked for it

def allocated_memory_is_asked_for_by_its_kind(driver):
    from hetjit import driver as low_level
    from hetjit.types import DeviceArray
    low = low_level.open(driver.second)
    made = {"default": low.malloc(100), "managed": low.malloc_managed(100)}
    said = {call.name: (call.device, call.words) for call in driver.calls("allocate", "allocate_managed")}
    assert said == {"allocate": (1, ["100"]), "allocate_managed": (1, ["100", "1"])}
    assert all(type(each) is DeviceArray and each.nbytes == 100 for each in made.values())
    assert made["managed"].on_host and not made["default"].on_host
    there = memoryview(made["managed"])
    there[:4] = b"text"
    there.release()
    found = bytearray(4)
    for source, to in ((made["managed"], found), (made["managed"], made["default"]), (made["default"], found), (found, made["managed"])):
        low.memcpy(to, source, 4)
    assert found == b"text"
    if driver.vendor == "cuda":
        assert type(low.ext_malloc_with_flags(8)) is DeviceArray and driver.calls("allocate")
        for flags in ("fine_grained", "uncached"):
            error, memory = low_level.open(driver.second, errors="tuple").ext_malloc_with_flags(8, flags)
            assert error == low_level.Error.unsupported and memory is None
    else:
        for flags in ("default", "fine_grained", "uncached"):
            assert type(low.ext_malloc_with_flags(8, flags)) is DeviceArray
        assert [call.words for call in driver.calls("allocate_flagged")] == [["8", "1"], ["8", "3"]]


def pinned_memory_is_the_hosts_and_given_back_by_its_own_call(driver):
    from hetjit import driver as low_level
    low = low_level.open(driver.second)
    before, driver_calls = driver.live()["memory"], driver.calls()
    made, usual = low.host_malloc(16), low.malloc(16)
    [call] = driver.calls("allocate_pinned")
    assert (call.device, call.words) == (1, ["16", "1"]) and made.on_host and not usual.on_host
    there = memoryview(made)
    there[:4] = b"text"
    there.release()
    found = bytearray(4)
    low.memcpy(usual, made, 4, stream=ONE)
    low.memcpy(found, usual, 4)
    assert found == b"text"
    driver.fail("release_pinned", 1)
    try:
        low.free(made)
        raise AssertionError("it said that it failed")
    except device.DeviceError as error:
        assert "release pinned memory" in str(error) and int(made)
    low.free(made)  # it was not forgotten
    low.free(usual)
    calls = [call.name for call in driver.calls("release_pinned", "release")]
    assert calls == ["release_pinned", "release_pinned", "release"] and driver.live()["memory"] == before


def devices_are_let_reach_each_others_memory(driver):
    from hetjit import driver as low_level
    first, second = low_level.open(driver.first), low_level.open(driver.second)
    assert first.device_can_access_peer(second) and second.device_can_access_peer(driver.first) and first.device_can_access_peer(first)
    driver.calls()
    for _ in range(2):  # the second time it is so already
        second.device_enable_peer_access(first)
    name = "context_reach" if driver.vendor == "cuda" else "device_reach"
    assert [(call.device, call.words) for call in driver.calls(name)] == [(1, ["1" if driver.vendor == "cuda" else "0", "0"])] * 2
    second.device_enable_peer_access(driver.second)  # itself
    assert not driver.calls(name) and not first.device_can_access_peer("cpu")
    for one, other in ((first, "cpu"), (low_level.open("cpu"), first)):
        try:
            one.device_enable_peer_access(other)
            raise AssertionError("it cannot be reached")
        except device.DeviceError as error:
            assert error.reason == "unsupported"


def memory_of_streams_and_pools_comes_and_goes_in_their_order(driver):
    from hetjit import driver as low_level
    from hetjit.types import DeviceArray
    low, other = low_level.open(driver.second), low_level.open(driver.first)
    before, stream = driver.live(), low.stream_create()
    pool = low.mem_pool_create()
    assert [(call.device, call.words) for call in driver.calls("pool_make")] == [(1, ["1", "0", "1", "1"])]
    mine, its = low.malloc_async(64, stream), low.malloc_from_pool_async(32, pool, stream)
    number, handle = str(pool.of(driver.second)), str(stream.handle)
    said = driver.calls("allocate_on", "allocate_of", "stream_wait")
    assert [(call.name, call.words) for call in said] == [("allocate_on", ["64", handle]), ("allocate_of", ["32", number, handle])]
    assert type(mine) is type(its) is DeviceArray and (mine.nbytes, its.nbytes) == (64, 32) and not mine.on_host
    low.free_async(mine, stream)
    low.free(its)
    assert int(mine) == int(its) == 0
    assert [(call.name, call.words) for call in driver.calls("release_on", "release")] == [("release_on", [handle]), ("release", [])]
    low.free_async(low.malloc_async(8))  # on the default stream: done when the call returns
    assert [call.name for call in driver.calls() if call.name in ("allocate_on", "release_on", "stream_wait")] == [
        "allocate_on", "stream_wait", "release_on", "stream_wait"]
    low.mem_pool_trim_to(pool, 16)
    assert [call.words for call in driver.calls("pool_trim")] == [[number, "16"]]
    for wrong in (lambda: other.malloc_from_pool_async(8, pool), lambda: other.mem_pool_trim_to(pool, 0), lambda: other.malloc_async(8, stream)):
        try:
            wrong()
        except ValueError:
            continue
        raise AssertionError("a pool or stream of another device was taken")
    low.mem_pool_destroy(pool)
    low.mem_pool_destroy(pool)
    low.mem_pool_create()  # ends when nobody has it
    low.stream_destroy(stream)
    assert driver.live() == before
    try:
        low.malloc_from_pool_async(8, pool)
    except ValueError as error:
        assert "has ended" in str(error)
    else:
        raise AssertionError("a pool that has ended was taken")

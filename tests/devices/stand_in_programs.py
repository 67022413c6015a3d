"""Programs over a stand-in for a driver: each takes it, and fails by an assertion."""

import gc
import os
import weakref

import numpy as np

from hetjit import device
from low_level_programs import low_level_calls_are_the_vendors, low_level_calls_tell_why_they_failed, low_level_memory_is_kept
import producers
import stand_in


@device.kernel
def increment(x):
    x[device.tid(1)] += 1


@device.kernel
def add(x, y):
    y[device.tid(1)] += x[device.tid(1)]


@device.kernel
def look(x: device.readonly):
    if x[device.tid(1)] < 0:
        pass


@device.kernel
def nothing():
    pass


@device.kernel
def add_early(x, y):
    device.grid_dependency_synchronize()
    y[device.tid(1)] += x[device.tid(1)]


ONE, OTHER = 0x1230, 0x4560  # streams of another library


def numbers(where, count=4):
    return device.array(np.arange(count, dtype=np.float32), where)


class Memory:
    """An object of another library: an array in a device's memory, kept by it alone. Tells of its end."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.array.shape, "typestr": "<f4", "data": (self.array.address, False), "strides": None, "version": 3}


class Capsule(producers.Producer):
    """As a tensor does, it lives until it is given back."""

    lent = set()

    def __dlpack__(self, **options):
        self.lent.add(self)
        return super().__dlpack__(**options)

    def delete(self, pointer):
        super().delete(pointer)
        self.lent.remove(self)


def lent(driver, kind, array):
    """The array as another library lends it."""
    if kind == "own":
        return array
    if kind == "interface":
        return Memory(array)
    options = {"device": (driver.kind, array.place[1])}
    made = (Capsule(np.zeros(4, np.float32), old=kind == "old capsule", **options) if "capsule" in kind else
            producers.exchange_class()(np.zeros(4, np.float32), **options))
    made.tensor.data = (made.managed.tensor if "capsule" in kind else made.tensor).data = array.address
    made.array = array
    return made


def kinds(driver):
    return ("own", "capsule", "old capsule", "exchange", "interface")


# ---- order


def copies_wait_for_every_stream_that_uses_the_array(driver):
    x, y = numbers(driver.first), numbers(driver.first)
    for copy in (lambda: device.to_numpy(x), lambda: x.copy_in(bytes(16))):
        driver.pending(True)
        increment[1, 4, ONE](x)
        increment[1, 4, OTHER](x)
        increment[1, 4, 0x7890](y)  # has nothing to do with it
        launched = driver.calls("event_record")
        assert [call.words[1] for call in launched] == [str(ONE), str(OTHER), str(0x7890)]
        copy()
        asked = driver.calls("event_record", "stream_follow", "copy_in", "copy_out", "stream_wait")
        assert [call.name for call in asked[:2]] == ["stream_follow"] * 2 and asked[2].name.startswith("copy"), asked
        assert [call.words for call in asked[:2]] == [["0", call.words[0]] for call in launched[:2]]
        assert [call.words for call in asked[3:]] == [["0"]], asked  # the default stream alone is waited for
        driver.pending(False)
        device.synchronize(driver.first)
        copy()
        assert not driver.calls("stream_follow")  # all has been passed


def copies_of_an_array_of_the_default_stream_wait_for_that(driver):
    x = numbers(driver.first)
    increment[1, 4](x)
    driver.calls()
    device.to_numpy(x)
    assert [call.name for call in driver.calls()] == ["copy_out", "stream_wait"]


def launches_follow_the_streams_of_producers(driver):
    """Also when a later argument decides which stream the launch is on. The host waits for nobody."""
    exchange, calls = producers.exchange_class(), []
    first, second = (lent(driver, "exchange", numbers(driver.first)) for _ in range(2))

    def stream_of(handle):
        def stream(kind, number, out):
            out[0] = handle
            return 0
        return producers.STREAM(stream)
    for array, handle in ((first, ONE), (second, OTHER)):
        array.table.stream = stream_of(handle)
        calls.append(array.table.stream)
    driver.calls()
    add[1, 4](first, second)
    asked = driver.calls("event_record", "stream_follow", "launch", "stream_wait")
    assert [call.name for call in asked] == ["event_record", "stream_follow", "launch", "event_record"], asked
    assert asked[0].words[1] == str(OTHER) and asked[1].words[0] == str(ONE)
    assert asked[2].words[asked[2].words.index("stream") + 1] == str(ONE)


def an_interfaces_stream_is_followed_by_the_stream_that_the_launch_is_on(driver):
    """The stream of the first argument is named before the second's library tells where the launch goes."""
    interface, exchange = Memory(numbers(driver.first)), lent(driver, "exchange", numbers(driver.first))

    class OnStream(Memory):
        @property
        def __cuda_array_interface__(self):
            return {**super().__cuda_array_interface__, "stream": OTHER}

    def stream(kind, number, out):
        out[0] = ONE
        return 0
    exchange.table.stream = kept = producers.STREAM(stream)
    driver.calls()
    add[1, 4](OnStream(interface.array), exchange)
    asked = driver.calls("event_record", "stream_follow", "launch", "stream_wait")
    assert [call.words[-1] for call in asked[:1]] == [str(OTHER)] and asked[1].words[0] == str(ONE), asked
    assert [call.name for call in asked[:3]] == ["event_record", "stream_follow", "launch"]
    assert kept


def cuda_our_arrays_tell_others_a_stream_that_comes_after_their_launches(driver):
    x = numbers(driver.first)
    driver.pending(True)
    increment[1, 4, ONE](x)
    event = driver.calls("event_record")[0].words[0]
    assert x.__cuda_array_interface__["stream"] == 1
    assert [call.words for call in driver.calls("stream_follow")] == [["0", event]]


# ---- several devices


def an_interfaces_array_launches_where_its_memory_is(driver):
    for where, number in ((driver.first, 0), (driver.second, 1), (driver.first, 0)):
        array = Memory(numbers(where))
        driver.calls()
        increment[1, 4](array)
        assert [call.device for call in driver.calls("launch")] == [number]
    host = producers.CudaArray(np.zeros(4, np.float32))  # memory that no driver knows is taken for CUDA's
    increment[1, 4](host)
    assert [call.device for call in driver.calls("launch")] == ([0] if driver.vendor == "cuda" else [])
    try:
        add[1, 4](Memory(numbers(driver.first)), Memory(numbers(driver.second)))
    except ValueError as error:
        assert f"argument 'x' is on {driver.first} but 'y' is on {driver.second}" in str(error)
    else:
        raise AssertionError("two devices in one launch")


# ---- lifetimes


def arrays_live_until_their_launch_is_done(driver):
    for kind in kinds(driver):
        for stream in (None, ONE):
            driver.pending(True)
            array = numbers(driver.first)
            given = lent(driver, kind, array)
            ended = weakref.ref(array)
            look[1, 4, stream](given)
            del given, array
            gc.collect()
            numbers(driver.first)  # asks which launches are done
            assert ended() is not None, kind
            driver.pending(False)
            device.synchronize(driver.first) if stream is None else numbers(driver.first)
            gc.collect()
            assert ended() is None, (kind, stream)


def nothing_waits_for_what_launches_use(driver):
    """However many arrays are lent: they are given back when events say so, and the host never waits."""
    for kind in kinds(driver):
        array = numbers(driver.first)
        given = [lent(driver, kind, array) for _ in range(1000)]
        driver.calls()
        for one in given:
            look[1, 4](one)
        asked = driver.calls()
        assert not [call for call in asked if call.name in ("stream_wait", "event_wait")], kind
        assert sum(call.name == "event_record" for call in asked) < 50  # one for many launches
        if "capsule" in kind:
            assert sum(one.deleted for one in given) > 900
        device.synchronize(driver.first)
        if "capsule" in kind:
            assert [one.deleted for one in given] == [1] * 1000


def large_arrays_are_not_held_for_long(driver):
    """A launch that uses much memory has an event of its own."""
    x = device.array(np.zeros(8 << 20, np.float32), driver.first)
    driver.calls()
    increment[1, 4](x)
    assert [call.name for call in driver.calls("event_record", "launch")] == ["launch", "event_record"]
    ended = weakref.ref(x)
    del x
    nothing[1, 1]()
    numbers(driver.first)
    assert ended() is None


def memory_that_launches_hold_is_waited_for_when_there_is_too_little(driver):
    driver.pending(True)
    x = numbers(driver.first)
    increment[1, 4](x)
    ended = weakref.ref(x)
    del x
    driver.fail("allocate", 2)
    assert numbers(driver.first).nbytes == 16
    assert ended() is None
    asked = [call.name for call in driver.calls("allocate", "stream_wait", "event_wait")]
    assert asked[-3:] == ["allocate", "stream_wait", "stream_wait"], asked  # what it left is taken; the last one is of the copy


def what_is_lent_in_tuples_lives_as_long(driver):
    @device.kernel
    def first_of(pair):
        pair[0][device.tid(1)] = pair[1][device.tid(1)]
    driver.pending(True)
    x, y = numbers(driver.first), numbers(driver.first)
    ended = [weakref.ref(x), weakref.ref(y)]
    first_of[1, 4, ONE]((x, y))
    del x, y
    numbers(driver.first)
    assert None not in [end() for end in ended]
    driver.pending(False)
    numbers(driver.first)
    assert [end() for end in ended] == [None, None]


# ---- streams of ours, and of others


def our_streams_are_the_drivers(driver):
    x = numbers(driver.first)
    increment[1, 4](x)
    device.synchronize(driver.first)
    before = driver.live()
    driver.calls()
    with device.Stream(driver.first, priority=-2) as stream, device.Stream(driver.first) as other:
        assert driver.calls("stream_make")[0].words == ["1", "-2"]  # does not wait for the default stream
        for _ in range(10):
            increment[1, 4, stream](x)
        launches = driver.calls()
        assert {call.words[call.words.index("stream") + 1] for call in launches} == {str(stream.handle)}
        assert [call.name for call in launches] == ["launch"] * 10  # no event yet: the stream will be there
        other.follow(stream)
        assert [call.name for call in driver.calls()] == ["event_make", "event_record", "stream_follow", "event_destroy"]
        with stream.record() as start, stream.record() as end:
            assert start.elapsed(end) == 1.5
    assert driver.live() == before
    assert device.to_numpy(x).tolist() == [0, 1, 2, 3]  # nothing runs here


def a_stream_that_ends_leaves_an_event(driver):
    """What its launches use is given back all the same, and copies know when."""
    driver.pending(True)
    x, stream = numbers(driver.first), device.Stream(driver.first)
    increment[1, 4, stream](x)
    driver.calls()
    handle = str(stream.handle)
    del stream
    increment[1, 1](numbers(driver.first))  # the kernel keeps what it was last launched with
    asked = [call for call in driver.calls() if call.name in ("event_record", "stream_destroy")]
    assert [call.name for call in asked] == ["event_record", "stream_destroy"] and asked[0].words[1] == asked[1].words[0] == handle
    device.to_numpy(x)
    assert driver.calls("stream_follow")
    ended = weakref.ref(x)
    del x
    gc.collect()
    assert ended() is not None
    driver.pending(False)
    numbers(driver.first)
    assert ended() is None


class Foreign:
    """A stream of another library, which ends with its object."""

    ended = []

    def __init__(self, form, handle=ONE):
        self.number = handle
        if form != "__cuda_stream__":
            setattr(self, form, handle)

    def __getattr__(self, name):
        if name == "__cuda_stream__" and len(self.__dict__) == 1:
            return lambda: (0, self.number)
        raise AttributeError(name)

    def __del__(self):
        self.ended.append(self.number)


def streams_of_others_live_as_long_as_what_launches_there(driver):
    x = numbers(driver.first)
    for form in ("__cuda_stream__", "cuda_stream", "ptr", "handle"):
        bound = increment[1, 4, Foreign(form)]
        increment[1, 4]  # the kernel keeps what it was last asked for
        gc.collect()
        assert not Foreign.ended
        driver.calls()
        bound(x)
        launch, = driver.calls("launch")
        assert launch.words[launch.words.index("stream") + 1] == str(ONE)
        stream = Foreign(form, OTHER)
        device.synchronize(driver.first, stream)
        device.Event(driver.first).record(stream)
        assert [call.words[-1] for call in driver.calls("stream_wait", "event_record")] == [str(OTHER)] * 2
        del bound, stream
        gc.collect()
        assert sorted(Foreign.ended) == [ONE, OTHER]
        Foreign.ended.clear()


def devices_do_not_share_streams(driver):
    with device.Stream(driver.second) as stream:
        assert stream.device == driver.second
        increment[1, 4, stream](numbers(driver.second))
        try:
            increment[1, 4, stream](numbers(driver.first))
        except ValueError as error:
            assert f"the stream is one of {driver.second}, and the work is for {driver.first}" in str(error)
        else:
            raise AssertionError("a launch on another device's stream")


# ---- errors


def an_error_at_any_call_is_an_exception_and_leaks_nothing(driver):
    host = np.arange(4, dtype=np.float32)

    @device.kernel
    def fresh(x, y):
        y[device.tid(1)] = x[device.tid(1)]

    def program():
        x, y = device.array(host, driver.first), device.zeros(4, device.float32, driver.first)
        add[1, 4](x, y)
        add[1, 4, ONE](x, lent(driver, "capsule", y))
        fresh.on(driver.first)[1, 4, 0, 64](x, y)
        device.to_numpy(y)
        with device.Stream(driver.first) as stream, device.Event(driver.first) as event:
            increment[1, 4, stream](y)
            stream.record(event).done
            event.elapsed(event)
            device.Event(driver.first).record().precede(stream)
            event.synchronize()
            stream.done
            device.to_numpy(y)
            with device.Graph(stream) as graph:
                increment[1, 4](y)
            graph.replay()
        device.synchronize(driver.first, ONE)
        device.synchronize(driver.first, 0)
        device.synchronize(driver.first)

    program()
    device.synchronize(driver.first)
    gc.collect()
    before, failed, number = driver.live(), set(), 0
    while True:
        number += 1
        driver.calls()
        driver.fail_call(number, 719)
        raised = None
        try:
            program()
        except device.DeviceError as error:
            raised = str(error)
        calls = driver.calls()
        if number > len(calls):
            break
        name = calls[number - 1].name
        failed.add(name)
        assert name in QUIET if raised is None else f"{driver.first} cannot" in raised and "(719)" in raised, (name, raised)
        if name in GIVES_BACK:
            before = None  # the driver has kept it
        driver.fail_call(0, 0)
        device.synchronize(driver.first, ONE)
        device.synchronize(driver.first)
        gc.collect()
        assert before in (None, driver.live()), (number, name, raised, driver.live(), before)
        before = driver.live()
    assert failed >= {"allocate", "copy_in", "copy_out", "launch", "stream_wait", "device_wait", "stream_make", "stream_query", "stream_follow",
                      "stream_destroy", "event_make", "event_record", "event_query", "event_wait", "event_elapsed",
                      "capture_begin", "capture_end", "graph_make", "graph_launch"}, failed


GIVES_BACK = {"event_destroy", "stream_destroy", "release", "graph_destroy", "taken_destroy"}
QUIET = {"event_query", "stream_capturing", *GIVES_BACK}  # nobody is there to hear of them, or who waits is told


# ---- what a kernel needs, and launches that are waited for


def error_of(call):
    try:
        call()
    except device.DeviceError as error:
        return str(error)
    return ""


def registers_and_occupancy_are_the_drivers(driver):
    increment[1, 4](numbers(driver.first))
    assert increment.registers == 40 and increment.occupancy((16, 16), shared=1024) == 8
    call, = driver.calls("function_occupancy")
    assert call.words == ["256", "1024"] and call.device == 0
    for name, ask in (("function_attribute", lambda: increment.registers), ("function_occupancy", lambda: increment.occupancy(1))):
        driver.fail(name, 1)
        assert "cannot tell a kernel's" in error_of(ask)


def blocking_launches_are_done_when_they_return(driver):
    os.environ["HETJIT_LAUNCH_BLOCKING"] = "1"
    said = stand_in.run("stand_in_programs", "_blocking", driver.vendor)
    assert not said, said


def _blocking(driver):
    x = numbers(driver.first)
    driver.calls()
    increment[1, 4](x)
    increment[1, 4, ONE](x)
    assert [call.words for call in driver.calls("stream_wait")] == [["0"], [str(ONE)]]
    driver.captured(ONE)
    increment[1, 4, ONE](x)
    assert not driver.calls("stream_wait")
    driver.captured(0)
    driver.fail("stream_wait", 1)
    assert "cannot finish what was launched" in error_of(lambda: increment[1, 4](x))


def launches_say_how_they_are_scheduled(driver):
    x, y = (numbers(driver.first, 8) for _ in range(2))
    add_early[4, 2](x, y)
    usual = (4, 2)
    given = {"priority": -1}, {"programmatic": True}, {"cluster": (2, 1)}, {"cluster": 2, "priority": 3, "programmatic": True, "cooperative": True}
    for options, attributes in zip(given, (["8=-1"], ["6=1"], ["4=2,1,1"], ["2=1", "4=2,1,1", "6=1", "8=3"])):
        driver.calls()
        try:
            device.launch(add_early, x, y, grid=4, block=2, **options)
        except device.DeviceError as error:
            assert driver.vendor == "hip" and "cluster" in options and "has no clusters" in str(error), error
            continue
        [call] = driver.calls("launch", "launch_with")
        said, wanted = [word for word in call.words if "=" in word], [word for word in attributes if driver.vendor == "cuda" or word != "6=1"]
        assert call.name == ("launch_with" if wanted else "launch") and said == wanted, call
    driver.calls()
    add_early[usual](x, y)  # none of it stays
    assert [call.name for call in driver.calls("launch", "launch_with")] == ["launch"]

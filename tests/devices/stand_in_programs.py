"""Programs over a stand-in for a driver: each takes it, and fails by an assertion."""

import gc
import weakref

import numpy as np

from hetjit import device
import producers


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


ONE, OTHER = 0x1230, 0x4560  # streams of another library


def numbers(where, count=4):
    return device.array(np.arange(count, dtype=np.float32), where)


class Memory:
    """An object of another library: an array in a device's memory, kept by it alone. Tells of its end."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__cuda_array_interface__, "data": (self.array.address, False), "stream": None}


def lent(driver, kind, array):
    """The array as another library lends it."""
    if kind == "own":
        return array
    if kind == "interface":
        return Memory(array)
    options = {"device": (driver.kind, array.place[1])}
    made = (producers.Producer(np.zeros(4, np.float32), old=kind == "old capsule", **options) if "capsule" in kind else
            producers.exchange_class()(np.zeros(4, np.float32), **options))
    made.tensor.data = (made.managed.tensor if "capsule" in kind else made.tensor).data = array.address
    made.array = array
    return made


def kinds(driver):
    return ("own", "capsule", "old capsule", "exchange", *(["interface"] if driver.vendor == "cuda" else []))


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


def cuda_an_interfaces_stream_is_followed_by_the_stream_that_the_launch_is_on(driver):
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


# ---- several devices


def cuda_an_interfaces_array_launches_where_its_memory_is(driver):
    for where, number in ((driver.first, 0), (driver.second, 1), (driver.first, 0)):
        array = Memory(numbers(where))
        driver.calls()
        increment[1, 4](array)
        assert [call.device for call in driver.calls("launch")] == [number]
    host = producers.CudaArray(np.zeros(4, np.float32))  # memory that the driver does not know
    increment[1, 4](host)
    assert [call.device for call in driver.calls("launch")] == [0]
    try:
        add[1, 4](Memory(numbers(driver.first)), Memory(numbers(driver.second)))
    except ValueError as error:
        assert "argument 'x' is on cuda:0 but 'y' is on cuda:1" in str(error)
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
            keeps = [given] if "capsule" in kind else []  # the tests' tensors are part of their producer
            del given, array
            gc.collect()
            numbers(driver.first)  # asks which launches are done
            if keeps:
                assert keeps[0].deleted == 0, kind
            else:
                assert ended() is not None, kind
            driver.pending(False)
            device.synchronize(driver.first) if stream is None else numbers(driver.first)
            if keeps:
                assert keeps.pop().deleted == 1, kind
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
    assert asked[-4:] == ["allocate", "stream_wait", "allocate", "stream_wait"], asked  # the last one is of the copy


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
        device.synchronize(driver.first, ONE)
        device.synchronize(driver.first)

    program()
    device.synchronize(driver.first)
    gc.collect()
    before, failed, number = driver.live(), set(), 0
    while True:
        number += 1
        driver.calls()
        driver.fail_call(number, 719)
        try:
            program()
        except device.DeviceError as error:
            assert f"{driver.first} cannot" in str(error) and "(719)" in str(error), error
            failed.add(driver.calls()[number - 1].name)
        else:
            calls = driver.calls()
            if number > len(calls):
                break
            assert calls[number - 1].name in QUIET, calls[number - 1]
            if calls[number - 1].name in GIVES_BACK:
                before = None  # the driver has kept it
        driver.fail_call(0, 0)
        device.synchronize(driver.first, ONE)
        device.synchronize(driver.first)
        gc.collect()
        assert before in (None, driver.live()), (number, failed, driver.live(), before)
        before = driver.live()
    assert failed >= {"allocate", "copy_in", "copy_out", "launch", "stream_wait", "event_make", "event_record"}, failed


GIVES_BACK = {"event_destroy", "release", "module_unload"}
QUIET = {"event_query", *GIVES_BACK}  # nobody is there to hear of them, or who waits is told

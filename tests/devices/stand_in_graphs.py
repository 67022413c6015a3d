"""Programs over a stand-in for a driver, as stand_in_programs.py has them: launches that are taken into graphs."""

import gc
import threading
import weakref

from hetjit import device
from stand_in_programs import ONE, OTHER, Memory, increment, kinds, lent, look, numbers


def raised_by(call, kind=device.DeviceError):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(kind)


def stream_of(call):
    return call.words[call.words.index("stream") + 1]


def launches_can_be_captured(driver):
    """No event becomes a part of the graph, and none is asked in a way that would spoil it."""
    x, y = numbers(driver.first), numbers(driver.first)
    driver.pending(True)
    increment[1, 4, OTHER](y)  # somebody else's work meanwhile
    with device.Stream(driver.first) as stream:
        for captured, count in ((ONE, 10), (stream.handle, 100)):
            driver.captured(captured)
            driver.calls()
            for _ in range(count):
                for kind in kinds(driver):
                    look[1, 4, stream if captured != ONE else ONE](lent(driver, kind, x))
            numbers(driver.first)  # asks what is done
            asked = driver.calls()
            assert sum(call.name == "launch" for call in asked) == count * len(kinds(driver))
            assert not [call for call in asked if call.name == "event_record" and call.words[-1] == str(captured)]
            assert [call for call in asked if call.name == "event_query"]
            driver.captured(0)
    held = weakref.ref(y)
    del y
    numbers(driver.first)
    assert held() is not None  # the driver said that its launch is not done, and was understood
    driver.pending(False)
    numbers(driver.first)
    assert held() is None


def launches_are_taken_in_and_replayed(driver):
    x = numbers(driver.first)
    increment[1, 4](x)
    driver.calls()
    with device.Graph(driver.first) as graph:
        increment[1, 4](x)  # without a stream, by the thread that takes in
        increment[1, 4, graph.stream](x)
    asked = driver.calls()
    handle = str(graph.stream.handle)
    assert [call.name for call in asked] == ["stream_make", "capture_begin", "launch", "launch", "capture_end", "graph_make", "taken_destroy"], asked
    assert {stream_of(call) for call in asked[2:4]} == {handle} and asked[1].words == [handle]
    graph.replay()
    graph.replay(ONE)
    asked = driver.calls("launch", "graph_launch")
    assert [(call.name, call.words) for call in asked] == [("graph_launch", [str(graph.handle), stream]) for stream in (handle, str(ONE))]
    increment[1, 4](x)
    assert stream_of(driver.calls("launch")[0]) == "0", "the graph is behind us"


def what_a_graph_uses_lives_as_long(driver):
    for kind in kinds(driver):
        array = numbers(driver.first)
        with device.Graph(driver.first) as graph:
            look[1, 4](lent(driver, kind, array))
        ended = weakref.ref(array)
        del array
        gc.collect()
        assert ended() is not None, kind
        driver.pending(True)
        graph.replay(ONE)
        del graph
        gc.collect()
        numbers(driver.first)
        assert ended() is not None, (kind, "it may be running")
        driver.pending(False)
        numbers(driver.first)
        gc.collect()
        assert ended() is None, kind
    assert driver.live()["graph"] == driver.live()["taken"] == driver.live()["stream"] == 0


def copies_wait_for_replays(driver):
    x, y = numbers(driver.first), numbers(driver.first)
    with device.Graph(driver.first) as graph:
        increment[1, 4](x[1:])
    driver.pending(True)
    graph.replay(ONE)
    event, = driver.calls("event_record")
    y.tolist()
    assert not driver.calls("stream_follow")
    x.tolist()
    assert [call.words for call in driver.calls("stream_follow")] == [["0", event.words[0]]]


def replays_come_after_what_producers_had_in_flight(driver):
    class Late(Memory):
        @property
        def __cuda_array_interface__(self):
            return {**super().__cuda_array_interface__, "stream": OTHER}
    driver.calls()
    x = Late(numbers(driver.first))
    with device.Graph(driver.first) as graph:
        increment[1, 4](x)
        asked = driver.calls("event_record", "stream_follow", "launch")
        assert [call.name for call in asked] == ["event_record", "launch"] and asked[0].words[1] == str(OTHER)
    graph.replay()
    assert [call.words for call in driver.calls("stream_follow")] == [[str(graph.stream.handle), asked[0].words[0]]]


def captures_of_others_wait_for_none_outside(driver):
    """What is taken into a graph cannot wait for work that is not."""
    class Late(Memory):
        @property
        def __cuda_array_interface__(self):
            return {**super().__cuda_array_interface__, "stream": OTHER}
    x = Late(numbers(driver.first))
    driver.captured(ONE)
    driver.calls()
    increment[1, 4, ONE](x)
    assert [call.name for call in driver.calls("event_record", "stream_follow", "launch")] == ["launch"]
    driver.captured(0)


def graphs_hold_graphs(driver):
    x = numbers(driver.first)
    with device.Graph(driver.first) as inner:
        increment[1, 4](x)
    with device.Graph(driver.first) as outer:
        increment[1, 4](x)
        inner.replay(outer.stream)
    driver.calls()
    handle = inner.handle
    with inner:  # what it did before is the outer one's alone
        increment[1, 4](x)
    del inner
    gc.collect()
    destroyed = [call.words for call in driver.calls("graph_destroy")]
    assert len(destroyed) == 1 and [str(handle)] not in destroyed
    outer.replay()
    assert driver.calls("graph_launch")[0].words[0] == str(outer.handle) != str(handle)


def memory_and_code_are_made_meanwhile(driver):
    @device.kernel
    def fresh(x):
        x[device.tid(1)] = 1
    with device.Graph(driver.first) as graph:
        fresh[1, 4](numbers(driver.first))
        del fresh
        gc.collect()
    driver.calls()
    graph.replay()
    assert not driver.calls("module_unload"), "the graph needs its code"


def what_fails_leaves_no_graph(driver):
    x = numbers(driver.first)
    increment[1, 4](x)
    before = driver.live()
    stream = device.Stream(driver.first)
    for name, text in (("capture_begin", "begin a graph"), ("capture_end", "end a graph"), ("graph_make", "make a graph ready")):
        driver.fail(name, 1)

        def take_in():
            with device.Graph(stream):
                increment[1, 4](x)
        assert text in raised_by(take_in), name
        increment[1, 4, stream](x)
    graph = device.Graph(stream)
    try:
        with graph:
            increment[1, 4](x)
            raise KeyError("mine")
    except KeyError:
        pass
    assert "nothing has been taken" in raised_by(graph.replay, ValueError) and graph.handle is None
    with graph:
        increment[1, 4](x)
        assert "already" in raised_by(graph.begin, ValueError) and "already" in raised_by(device.Graph(stream).begin, ValueError)
        assert "cannot finish" in raised_by(stream.synchronize)
    driver.fail("graph_launch", 1)
    assert "cannot launch a graph" in raised_by(graph.replay)
    assert "the stream is one of" in raised_by(lambda: graph.replay(device.Stream(driver.second)), ValueError)
    device.Graph(stream).begin()  # and is forgotten
    gc.collect()
    increment[1, 4, stream](x)
    stream.close()
    assert "closed" in raised_by(graph.replay, ValueError) and "closed" in raised_by(graph.begin, ValueError)
    graph.replay(ONE)
    device.synchronize(driver.first, ONE)
    del graph, stream
    gc.collect()
    assert driver.live() == before


def a_stream_that_is_closed_while_a_graph_takes_it_in(driver):
    graph = device.Graph(driver.first)

    def take_in():
        with graph:
            graph.stream.close()
    assert "closed" in raised_by(take_in, ValueError)
    increment[1, 4](numbers(driver.first))


def each_thread_takes_into_its_own(driver):
    x, y = numbers(driver.first), numbers(driver.first)
    increment[1, 4](x)
    driver.calls()

    def launch():
        increment[1, 4](y)
    with device.Graph(driver.first) as graph:
        thread = threading.Thread(target=launch)
        thread.start()
        thread.join()
        increment[1, 4](x)
    assert [stream_of(call) for call in driver.calls("launch")] == ["0", str(graph.stream.handle)]

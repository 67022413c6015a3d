"""Launches that are taken in once and done as often as wanted, on every device: what a graph keeps, what becomes a part of it, what it refuses."""

import gc
import threading
import weakref

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device
from test_every_device import increment, on_every_device

pytestmark = pytest.mark.always


@on_every_device
def test_a_replay_becomes_a_part_of_the_graph_round_it(where):
    x = device.zeros(2, device.int32, where)
    with device.Graph(where) as inner:
        increment[1, 2](x)
    with device.Graph(where) as outer:
        inner.replay()
        increment[1, 2](x)
        with device.Graph(where) as innermost:
            inner.replay()
        inner.replay()
    assert x.tolist() == [0, 0], "nothing has been done yet"
    del inner
    gc.collect()
    outer.replay()
    assert x.tolist() == [3, 3]
    innermost.replay()
    assert x.tolist() == [4, 4]


@on_every_device
def test_a_graph_that_goes_on_from_itself(where):
    """It becomes no part of itself: it ends, and so does what it used."""
    x, graph = device.zeros(2, device.int32, where), device.Graph(where)
    with graph:
        increment[1, 2](x)
    for _ in range(2):
        with graph:
            graph.replay()
            graph.replay()
    graph.replay()
    assert x.tolist() == [4, 4]
    ends = weakref.ref(graph), weakref.ref(x)
    del graph, x
    device.synchronize(where)
    gc.collect()
    assert [end() for end in ends] == [None, None]


@on_every_device
def test_a_replay_on_a_stream_outside_is_done(where):
    x = device.zeros(2, device.int32, where)
    with device.Graph(where) as graph:
        increment[1, 2](x)
    with device.Stream(where) as stream, device.Graph(where) as outer:
        graph.replay(stream)
        thread = threading.Thread(target=graph.replay)
        thread.start()
        thread.join()
    outer.replay()
    assert x.tolist() == [2, 2]


@on_every_device
def test_no_stream_joins_a_graph(where):
    """What a launch on it uses would be nobody's to keep."""
    x, graph = device.zeros(2, device.int32, where), device.Graph(where)
    with device.Stream(where) as stream:
        before = stream.record()
        with graph:
            for join in (lambda: stream.follow(graph.stream), lambda: graph.stream.follow(stream), lambda: graph.stream.follow(before),
                         graph.stream.record, lambda: device.Event(where).record(graph.stream.handle)):
                with pytest.raises(ValueError, match="a graph is the work of one stream: events and follow"):
                    join()
            increment[1, 2](x)
            increment[1, 2, stream](x)
            stream.record().synchronize()
        assert x.tolist() == [1, 1]
        graph.stream.follow(stream)
        graph.replay()
        stream.follow(graph.stream)
        increment[1, 2, stream](x)
    assert x.tolist() == [3, 3]


@on_every_device
def test_work_for_another_device(where):
    other = "emu:sm_90" if where == "cpu" else "cpu"
    x, y = device.zeros(2, device.int32, where), device.zeros(2, device.int32, other)
    with device.Graph(other) as foreign:
        increment[1, 2](y)
    with device.Graph(where) as graph:
        for work in (lambda: increment[1, 2](y), lambda: increment[1, 2, graph.stream](y), foreign.replay):
            with pytest.raises(ValueError, match=f"a graph takes in launches for {where} here, and this one is for {other}: launch outside"):
                work()
        with device.Stream(other) as stream:
            increment[1, 2, stream](y)
            foreign.replay(stream)
        increment[1, 2](x)
    graph.replay()
    assert x.tolist() == [1, 1] and y.tolist() == [2, 2]


@on_every_device
def test_a_thread_that_comes_after_one_that_took_in(where):
    """The system gives the same number to both."""
    x, graph = device.zeros(2, device.int32, where), device.Graph(where)
    for work in (graph.begin, lambda: increment[1, 2](x), lambda: increment[1, 2](x)):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert x.tolist() == [2, 2]

"""Streams, the queues of work of a device, events, the marks in them, and graphs, work that is queued again and again."""

from hetjit import _core
from hetjit.devices import current


class Stream(_core.Stream):
    """A queue of work of a device: `with device.Stream("cuda:0") as stream: kernel[grid, block, stream](x)`.

    The work of one stream is done in order; that of two may run at a time, unless follow() says otherwise. At its end a `with`
    block waits until the work is done, raises what kernels have to say (a note, where the block itself raised), and closes the stream. Of streams
    with different priorities the one with the lower number goes first where the device can choose. On the CPU work is done when a launch returns,
    and a stream is a name.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, device=None, *, priority=0):
        return super().__new__(cls, current() if device is None else device, priority)

    def record(self, event=None):
        """An event behind all that is queued so far: the given one, or a new one."""
        event = Event(self.device) if event is None else event
        return event.record(self)

    def follow(self, other):
        """Lets what is queued from now on wait for an event, or for all that is queued on another stream so far. The host does not wait.
        Raises ValueError where a graph takes in the work of one of the streams."""
        if other is None:
            raise TypeError("stream.follow(other): a stream or an event is needed, not NoneType")
        if not isinstance(other, Event):
            other = Event(self.device, timed=False).record(other)
        other.precede(self)

    def __cuda_stream__(self):
        if self.device and not self.device.startswith("cuda"):
            raise TypeError(f"a stream of {self.device} is not one of CUDA's")
        return 0, self.handle

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind is None or issubclass(kind, Exception):  # who is interrupted does not wait
                self.synchronize()
        except Exception as raised:
            if error is None:
                raise
            error.add_note(f"beside it, on {self!r}: {type(raised).__name__}: {raised}")  # or nobody would ever hear of it
        finally:
            self.close()

    def __repr__(self):
        return f"<Stream {self.handle:#x} of {self.device}>" if self.device else "<closed Stream>"


class Event(_core.Event):
    """A mark in the work of a stream: `start.elapsed(end)` is the time between two, `stream.follow(event)` an order of streams.

    `timed=False` makes one that is cheaper to record and knows no time. A `with` block closes it at its end.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, device=None, *, timed=True):
        return super().__new__(cls, current() if device is None else device, timed)

    def record(self, stream=None):
        """Puts it behind all that is queued so far on a stream of its device (the default one), whose work no graph takes in; it is returned."""
        self.record_on(stream)
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Event {self.handle:#x} of {self.device}>" if self.device else "<closed Event>"


class Graph(_core.Graph):
    """Launches that are taken in once and done as often as wanted, for hardly more than the price of one.

        with device.Graph("cuda:0") as graph:
            step[grid, block](x, y)
            step[grid, block](y, x)
        for _ in range(1000):
            graph.replay()

    In its `with` block launches are not done but taken in: those on its stream, and those that this thread makes without one. It is made of a
    `device.Stream`, or of a device, whose stream it makes. What they use lives as long as the graph; numbers are as they were. An exception in the
    block leaves the graph as it was before.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, stream=None):
        return super().__new__(cls, stream if isinstance(stream, Stream) else Stream(stream))

    def replay(self, stream=None):
        """Queues all that was taken in, on its own stream or the given one: one launch for the driver. Without a stream, in the `with` block of
        another graph, it becomes a part of that. Raises ValueError where nothing was taken in."""
        self.replay_on(stream)

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, kind, error, trace):
        self.end(kind is None)

    def __repr__(self):
        return f"<Graph of {self.stream!r}>"

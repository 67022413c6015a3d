"""Streams, the queues of work of a device, and events, the marks in them."""

from hetjit import _core
from hetjit.devices import current


class Stream(_core.Stream):
    """A queue of work of a device: `with device.Stream("cuda:0") as stream: kernel[grid, block, stream](x)`.

    The work of one stream is done in order; that of two may run at a time, unless follow() says otherwise. At its end a `with`
    block waits until the work is done, raises what kernels have to say, and closes the stream. Of streams with different priorities the one with the
    lower number goes first where the device can choose. On the CPU work is done when a launch returns, and a stream is a name.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, device=None, *, priority=0):
        return super().__new__(cls, current() if device is None else device, priority)

    def record(self, event=None):
        """An event behind all that is queued so far: the given one, or a new one."""
        event = Event(self.device) if event is None else event
        return event.record(self)

    def follow(self, other):
        """Lets what is queued from now on wait for an event, or for all that is queued on another stream so far. The host does not wait."""
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
            if kind is None:
                self.synchronize()
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
        """Puts it behind all that is queued so far on a stream of its device (the default one); it is returned."""
        self.record_on(stream)
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Event {self.handle:#x} of {self.device}>" if self.device else "<closed Event>"

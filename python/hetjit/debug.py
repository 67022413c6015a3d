"""Handles of an extension, watched: which were not closed and where they were opened, and who uses one that is closed.

For those who work on hetjit's C++. With `HETJIT_DEBUG=handles` in the environment when hetjit is imported each handle is noted; `enabled`
says so. Without it nothing is, and what needs it raises RuntimeError. `HETJIT_DEBUG=trace` counts and times what Python calls (`calls`);
`handles,trace` is both. The names are those of HPy's debug module.
"""

import gc
import time

from hetjit import _core

__all__ = ["DebugHandle", "LeakDetector", "LeakError", "Ledger", "calls", "disable_handle_stack_traces", "enabled", "get_closed_handles",
           "get_closed_handles_queue_max_size", "get_open_handles", "new_generation", "set_closed_handles_queue_max_size",
           "set_handle_stack_trace_limit", "set_on_invalid_handle"]

_PATIENCE = 1.0  # seconds that calls of other threads are given to end


class LeakError(Exception):
    """Handles were left open."""


class DebugHandle:
    """What is known of one handle. Two are equal when they are about the same one."""

    def __init__(self, ledger, noted):
        self._ledger = ledger
        self.id, self.obj, self.kept, self.told = noted

    @property
    def is_closed(self):
        return all(self.id != other.id for other in self._ledger.get_open_handles(kept=True))

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, DebugHandle) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"<DebugHandle {self.id} for {self.obj!r}>"

    def _key(self):
        return self._ledger.module, self.id


class Ledger:
    """What an extension has noted of its handles: `hetjit._core`, or one with the same functions."""

    def __init__(self, module):
        self.module = module

    @property
    def enabled(self):
        return self.module.handles_noted()

    def new_generation(self):
        """A number: `get_open_handles` of it are those opened from now on."""
        self._need()
        return self.module.new_generation()

    def get_open_handles(self, generation=0, kept=False):
        """Those opened since a generation began, the oldest first; `kept`: also those that may outlive the call that opened them."""
        self._need()
        found = (DebugHandle(self, noted) for noted in self.module.open_handles(generation))
        return [handle for handle in found if kept or not handle.kept]

    def get_closed_handles(self):
        """Those closed last, the oldest first."""
        self._need()
        return [DebugHandle(self, noted) for noted in self.module.closed_handles()]

    def get_closed_handles_queue_max_size(self):
        return self.module.most_closed_handles()

    def set_closed_handles_queue_max_size(self, size):
        """How many closed ones are remembered; of the others only that they are closed."""
        self.module.set_most_closed_handles(size)

    def set_handle_stack_trace_limit(self, lines):
        """From now on that many of Python's lines are noted where a handle is opened and closed. The line in C++ always is."""
        self._need()
        self.module.set_trace_lines(lines)

    def disable_handle_stack_traces(self):
        self.module.set_trace_lines(0)

    def set_on_invalid_handle(self, function):
        """Called when a handle is used that is closed, or is another interpreter's; None: that ends the process, with a report."""
        self.module.set_on_invalid_handle(function)

    def calls(self):
        """`{function: (calls, seconds)}` of what Python called with HETJIT_DEBUG=trace; functions of the same name together."""
        return self.module.traced_calls()

    def _need(self):
        if not self.enabled:
            raise RuntimeError("handles are noted with HETJIT_DEBUG=handles in the environment when hetjit is imported")


class LeakDetector:
    """`with LeakDetector(): …` raises LeakError when handles that were opened inside are open at its end."""

    def __init__(self, module=_core):
        self._ledger = Ledger(module)
        self._generation = None

    def start(self):
        if self._generation is not None:
            raise ValueError("this LeakDetector has begun already")
        self._generation = self._ledger.new_generation()

    def stop(self):
        if self._generation is None:
            raise ValueError("this LeakDetector has not begun")
        generation, self._generation = self._generation, None
        if leaks := self._left(generation):
            lines = "\n".join(f"    {handle!r}\n  Allocation stacktrace:\n{handle.told}" for handle in leaks)
            raise LeakError(f"{len(leaks)} unclosed handle(s):\n{lines}")

    def _left(self, generation):
        until = time.monotonic() + _PATIENCE
        gc.collect()
        while (leaks := self._ledger.get_open_handles(generation)) and time.monotonic() < until:
            time.sleep(0.02)
        return leaks

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.stop()
        self._generation = None


_of_core = Ledger(_core)
enabled = _of_core.enabled
new_generation = _of_core.new_generation
get_open_handles = _of_core.get_open_handles
get_closed_handles = _of_core.get_closed_handles
get_closed_handles_queue_max_size = _of_core.get_closed_handles_queue_max_size
set_closed_handles_queue_max_size = _of_core.set_closed_handles_queue_max_size
set_handle_stack_trace_limit = _of_core.set_handle_stack_trace_limit
disable_handle_stack_traces = _of_core.disable_handle_stack_traces
set_on_invalid_handle = _of_core.set_on_invalid_handle
calls = _of_core.calls

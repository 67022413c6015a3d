"""A machine as a vendor's driver: calls of runtime/gpu/gpu_calls.def, as functions that C can call. What each vendor has of its own:
ptx/driver.py, amd/driver.py.

Streams are queues. A launch or copy is done when its stream is waited for, as late as a GPU may do it; a fault is what the wait returns, with
its words as the error's text. What a signal handler raises meanwhile ends the wait and is raised by who waits (_core.guarded). ctypes takes the
GIL for each call, whoever holds it, and so no call may be made under a lock of the run time that a thread with the GIL waits for.
"""

import ctypes
import threading
import time
from ctypes import c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np

from hetjit import _core

from .faults import AddressFault, MachineError, StackFault, TrapFault


class HandleError(MachineError):
    """No stream or event has this number."""


class CaptureError(MachineError):
    """Asked of a stream whose work is taken into a graph."""


class BusyError(MachineError):
    """Asked in the middle of a launch, by the thread that runs it."""


PATIENCE = 100  # so often it may be asked whether work is done before that does any
OK, INVALID, OUT_OF_MEMORY, NOT_FOUND, NOT_READY = 0, 1, 2, 500, 600
LAUNCH_FAILED = 719
ATTRIBUTE_BYTES = 72  # of a launch's
STACK_LIMIT, MAX_THREADS, REGISTERS, DEVICE_ORDINAL = 0, 0, 4, 9  # a limit; attributes of functions and of addresses
MULTIPROCESSOR_THREADS, MULTIPROCESSOR_BLOCKS = 2048, 32
P, N = c_void_p, c_uint
WORK = {"module_load", "module_unload", "allocate", "allocate_on", "allocate_of", "allocate_flagged", "release", "copy_out", "device_wait", "stream_wait", "stream_destroy", "stream_query",
        "event_query", "event_wait"}  # by one thread at a time


def put(address, value, kind=c_uint64):
    kind.from_address(address).value = value


def queued(item, queue):
    return any(other is item for other in queue)


class Queue(list):
    """The work of a stream."""

    asked = 0  # how often, since there was more of it, whether it is done


WITHOUT_TIME = 2  # of an event's flags, in CUDA and HIP alike


class Event:
    queue, item, mark, capture = Queue(), None, None, None

    def __init__(self, timed):
        self.timed = timed


class Mark:
    """What an event leaves in a queue: notes when it is reached."""

    at = 0.0

    def __call__(self):
        self.at = time.perf_counter()


DEFAULT_STREAMS = (None, 1, 2)  # one queue: the default stream, also by its names "legacy" and "per thread"


class Driver:
    """One device. `address`: of the C function that gives a call by its symbol.

    A vendor's has CALLS, {symbol: (method, types of arguments)}; NAMES of its errors; CODES, (exception, its number) of which the first counts; and the
    word that ends a launch's extras.
    """

    CALLS, NAMES, END_OF_EXTRAS = {}, {}, None
    CODES = ((MemoryError, OUT_OF_MEMORY), (AddressFault, 700), (StackFault, LAUNCH_FAILED), (TrapFault, LAUNCH_FAILED), (HandleError, 400), (CaptureError, 900),
             (BusyError, 600), (MachineError, LAUNCH_FAILED))

    def __init__(self, machine, description):
        self.machine, self.description = machine, description
        self.current = threading.local()
        self.working, self.runner = threading.RLock(), None  # by whom a launch is run now
        self.later = []  # what was freed in the middle of a launch
        self.missed = {}  # thread, or None for any: why work of its was not done
        self.modules, self.functions, self.events = {}, {}, {}
        self.pools = set()  # what is given back to one is kept by none
        self.captures, self.graphs = {}, {}  # by stream: what is taken in of it; graphs, those not yet made ready among them
        self.streams = dict.fromkeys(DEFAULT_STREAMS, Queue())
        self.handles = iter(range(0x1000, 1 << 62, 16))
        self.texts = {code: c_char_p(name.encode()) for code, name in self.NAMES.items()}
        self.said, self.said_at = {}, {}  # an error's words, and their address
        self.calls, self.addresses = {}, {}
        for symbol, row in self.CALLS.items():
            self.add(symbol, self.as_c(*row))
        self.finder = ctypes.CFUNCTYPE(P, c_char_p)(self.addresses.get)
        self.address = ctypes.cast(self.finder, P).value
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))  # the run time calls us for as long as the process lives

    def add(self, symbol, call):
        self.calls[symbol], self.addresses[symbol.encode()] = call, ctypes.cast(call, P).value

    def as_c(self, name, *types):
        method, failed, working = getattr(self, name), self.failed, self.working

        def call(*arguments):
            try:
                if name in WORK:
                    with working:
                        return method(*arguments) or OK
                return method(*arguments) or OK
            except (MemoryError, MachineError) as error:
                return failed(error)
        return ctypes.CFUNCTYPE(c_int, *types)(_core.guarded(call))

    def failed(self, error):
        """The driver's number for an exception, whose words are kept as the number's text."""
        code = next(code for kind, code in self.CODES if isinstance(error, kind))
        self.say(code, f"{type(error).__name__}: {error}")
        return code

    def say(self, code, text):
        self.said[code] = c_char_p(text.encode())
        self.said_at[code] = ctypes.cast(self.said[code], P).value

    # ---- the device

    def nothing(self, *_):
        return OK

    def device_count(self, count):
        put(count, 1, c_int)

    def device_get(self, device, index):
        put(device, index, c_int)

    def device_name(self, name, bytes, _):
        text = self.description.encode()[:bytes - 1] + b"\0"
        ctypes.memmove(name, text, len(text))

    def device_attribute(self, value, attribute, _):
        put(value, self.attributes[attribute], c_int)

    def limit_get(self, value, limit):
        if limit != STACK_LIMIT:
            return INVALID
        put(value, self.machine.stack_bytes)

    def limit_set(self, limit, value):
        if limit != STACK_LIMIT:
            return INVALID
        self.machine.stack_bytes = value

    # ---- code

    def module_add(self, module, loaded):
        handle = next(self.handles)
        self.modules[handle] = loaded
        put(module, handle)

    def module_unload(self, module):
        self.after_work(self.modules.pop(module).unload)

    def module_find(self, function, module, entry):
        loaded, name = self.modules[module], entry.decode()
        try:
            loaded.entry(name)
        except MachineError as error:
            self.say(NOT_FOUND, str(error))
            return NOT_FOUND
        handle = next(self.handles)
        self.functions[handle] = loaded, name
        put(function, handle)

    def module_global(self, address, bytes, module, name):
        found = self.modules[module].variable(name.decode())
        if found is None:
            return NOT_FOUND
        put(address, found[0])
        put(bytes, found[1], c_size_t)

    def function_occupancy(self, count, function, threads, shared_bytes):
        """By threads and shared memory: a machine's registers have no end."""
        room = self.room_of(function, shared_bytes)
        put(count, min(MULTIPROCESSOR_BLOCKS, MULTIPROCESSOR_THREADS // threads, room), c_int)

    # ---- memory and streams

    def allocate(self, address, bytes):
        put(address, self.machine.arena.allocate(bytes))

    def allocate_on(self, address, bytes, stream):
        self.queue_of(stream)  # or this is a fault
        self.allocate(address, bytes)

    def allocate_of(self, address, bytes, pool, stream):
        self.check_pool(pool)
        self.allocate_on(address, bytes, stream)

    def release_on(self, address, stream):
        self.machine.arena.slice(address, 1)  # or this is a fault
        self.queue(stream, lambda: self.machine.arena.release(address))

    def pool_make(self, pool, properties):
        handle = next(self.handles)
        self.pools.add(handle)
        put(pool, handle)

    def check_pool(self, pool):
        if pool not in self.pools:
            raise HandleError(f"{pool or 0:#x} is no pool")

    def pool_trim(self, pool, most):
        self.check_pool(pool)

    def pool_destroy(self, pool):
        self.check_pool(pool)
        self.pools.discard(pool)

    def release(self, address):
        self.after_work(lambda: self.machine.arena.release(address))

    def memory_info(self, free, total):
        arena = self.machine.arena
        put(free, len(arena.bytes) - arena.top, c_size_t)
        put(total, len(arena.bytes), c_size_t)

    def pointer_attribute(self, value, attribute, address):
        if attribute != DEVICE_ORDINAL:
            return INVALID
        self.machine.arena.slice(address, 1)  # or this is a fault
        put(value, 0, c_int)

    def copy_in(self, to, source, bytes, stream):
        copied = np.frombuffer(ctypes.string_at(source, bytes), np.uint8)

        def copy():
            self.machine.arena.slice(to, bytes)[:] = copied
        self.queue(stream, copy)

    def copy_out(self, to, source, bytes, stream):
        """At once: a wait that a signal handler ends would leave a copy to memory that is gone."""
        self.stream_wait(stream)
        ctypes.memmove(to, self.machine.arena.slice(source, bytes).ctypes.data, bytes)

    def copy_within(self, to, source, bytes, stream):
        self.queue(stream, lambda: np.copyto(self.machine.arena.slice(to, bytes), self.machine.arena.slice(source, bytes)))

    def fill(self, to, value, bytes, stream):
        self.queue(stream, lambda: self.machine.arena.slice(to, bytes).fill(value))

    def stream_make(self, stream, _, priority):
        handle = next(self.handles)
        self.streams[handle] = Queue()
        put(stream, handle)

    def stream_capturing(self, stream, status):
        put(status, stream in self.captures, c_int)

    def stream_query(self, stream):
        queue = self.queue_of(stream)
        return self.ready(queue, queue[-1]) if queue else OK

    def stream_destroy(self, stream):
        self.run(self.queue_of(stream))
        self.captures.pop(stream, None)
        del self.streams[stream]

    def queue(self, stream, action):
        self.refuse_inside()
        queue = self.queue_of(stream)
        if stream in self.captures:
            self.captures[stream].append(action)
            return
        queue.append((threading.get_ident(), action))
        queue.asked = 0

    def queue_of(self, stream):
        if stream not in self.streams:
            raise HandleError(f"{stream:#x} is no stream")
        return self.streams[stream]

    def inside(self):
        """A signal handler or finaliser of Python that came in the middle of a launch is who asks."""
        return self.runner == threading.get_ident()

    def refuse_inside(self):
        if self.inside():
            raise BusyError("the machine is in the middle of a launch, which this signal handler or finaliser interrupted: "
                            "it can take work when that has returned")

    def stream_wait(self, stream):
        """Does what is queued."""
        if stream in self.captures:
            raise CaptureError("what is queued on the stream is taken into a graph: it cannot be waited for")
        self.run(self.queue_of(stream))

    def device_wait(self):
        """Does what is queued anywhere."""
        if self.captures:
            raise CaptureError("what is queued on a stream is taken into a graph: the device cannot be waited for")
        for queue in list(self.streams.values()):
            self.run(queue)

    def run(self, queue, until=None):
        self.refuse_inside()
        self.runner = threading.get_ident()
        try:
            for who in (self.runner, None):
                if who in self.missed:
                    raise self.missed.pop(who)
            self.work(queue, until)
        finally:
            self.runner = None
            while self.later:
                self.later.pop(0)()

    def ready(self, queue, item):
        """As late as a GPU may; but who asks again and again is to come to an end."""
        if not queued(item, queue):
            return OK
        queue.asked += 1
        if queue.asked > PATIENCE and not self.inside():
            try:
                self.run(queue, queue[0])
            except BaseException as error:  # for who waits
                self.missed[None] = error
        return NOT_READY

    def work(self, queue, until):
        """As far as the item `until`, or all."""
        try:
            while queue and (until is None or queued(until, queue)):
                queue.pop(0)[1]()
        except BaseException as error:
            dropped, queue[:] = queue[:], []  # what comes after a fault is not done
            self.tell(dropped, error)
            raise

    def tell(self, dropped, error):
        """Other threads whose work was dropped are to know why."""
        if not isinstance(error, MachineError):
            error = MachineError(f"{type(error).__name__} ended a wait for this stream in another thread, with what was queued")
        self.missed.update((who, error) for who, _ in dropped if who != self.runner)

    def after_work(self, action):
        """Frees what launches may still use. Who frees hears of no error: the next wait does."""
        if self.inside():
            self.later.append(action)
            return
        for stream in list(self.streams):
            try:
                self.run(self.streams[stream])
            except BaseException as error:  # of a signal handler, too
                self.missed[None] = error
        action()

    # ---- graphs: what a stream would have done, in a list

    def capture_begin(self, stream, _):
        if stream in DEFAULT_STREAMS or stream in self.captures:
            return INVALID
        self.queue_of(stream)  # or this is a fault
        self.captures[stream] = []

    def capture_end(self, stream, graph):
        if stream not in self.captures:
            return INVALID
        taken = self.captures[stream]
        self.captures = {other: into for other, into in self.captures.items() if into is not taken}
        handle = next(self.handles)
        self.graphs[handle] = taken
        put(graph, handle)

    def graph_make(self, graph, taken, _):
        handle = next(self.handles)
        self.graphs[handle] = list(self.graphs[taken])
        put(graph, handle)

    def graph_launch(self, graph, stream):
        for action in self.graphs[graph]:
            self.queue(stream, action)

    def graph_destroy(self, graph):
        del self.graphs[graph]

    def follow_into_graph(self, stream, event):
        """The stream becomes a part of the event's graph; in one list the order is kept anyway."""
        into = self.captures.get(stream, event.capture)
        if into is not event.capture or not any(into is taken for taken in self.captures.values()):
            raise CaptureError("what is taken into a graph cannot wait for what is not")
        self.captures[stream] = into

    # ---- events: an item of a stream's queue, passed when it is there no more

    def event_make(self, event, flags):
        handle = next(self.handles)
        self.events[handle] = Event(timed=not flags & WITHOUT_TIME)
        put(event, handle)

    def event_of(self, event):
        if event not in self.events:
            raise HandleError(f"{event:#x} is no event")
        return self.events[event]

    def event_destroy(self, event):
        self.event_of(event)
        del self.events[event]

    def event_record(self, event, stream):
        event = self.event_of(event)
        event.capture = self.captures.get(stream)
        mark = Mark()
        self.queue(stream, mark)
        if event.capture is None:
            event.queue = self.queue_of(stream)
            event.item, event.mark = event.queue[-1], mark

    def stream_follow(self, stream, event, _):
        event = self.event_of(event)
        if event.capture is not None or stream in self.captures:
            return self.follow_into_graph(stream, event)
        queue, item = event.queue, event.item  # as it was recorded last by now
        self.queue(stream, lambda: self.work(queue, item) if item else None)

    def event_query(self, event):
        event = self.event_of(event)
        return self.ready(event.queue, event.item)

    def event_wait(self, event):
        event = self.event_of(event)
        if event.item:
            self.run(event.queue, event.item)

    def event_elapsed(self, milliseconds, first, last):
        first, last = self.event_of(first), self.event_of(last)
        if not (first.timed and last.timed and first.mark and last.mark):
            return INVALID
        if queued(first.item, first.queue) or queued(last.item, last.queue):
            return NOT_READY
        put(milliseconds, 1e3 * (last.mark.at - first.mark.at), c_float)

    # ---- launches

    def launch(self, function, gx, gy, gz, bx, by, bz, shared_bytes, stream, parameters, extra):
        if parameters:
            return INVALID  # the run time packs them itself
        return self.enqueue(function, (gx, gy, gz), (bx, by, bz), shared_bytes, stream, extra)

    def launch_with(self, config, function, parameters, extra):
        shape = (c_uint * 7).from_address(config)
        stream = c_uint64.from_address(config + 32).value or None
        if parameters:
            return INVALID
        first, count = c_uint64.from_address(config + 40).value, c_uint.from_address(config + 48).value
        attributes = [first + ATTRIBUTE_BYTES * i for i in range(count)]
        given = {c_uint.from_address(at).value: tuple((c_uint * 3).from_address(at + 8)) for at in attributes}
        return self.enqueue(function, tuple(shape[:3]), tuple(shape[3:6]), shape[6], stream, extra, **self.options_of(given))

    def options_of(self, attributes):
        """What the machine's launch() is told of a launch's attributes, which are three numbers each by their ids."""
        return {}

    def enqueue(self, function, grid, block, shared_bytes, stream, extra, **options):
        loaded, name = self.functions[function]
        block_of_parameters = b""
        if extra:  # 1, where they are, 2, where their size is, the end
            words = (c_uint64 * 5).from_address(extra)
            if (words[0], words[2], words[4]) != (1, 2, self.END_OF_EXTRAS):
                raise ValueError("the list of a launch's extras is malformed")
            block_of_parameters = ctypes.string_at(words[1], c_size_t.from_address(words[3]).value)
        self.queue(stream, lambda: loaded.launch(name, grid, block, block_of_parameters, shared_bytes, **options))

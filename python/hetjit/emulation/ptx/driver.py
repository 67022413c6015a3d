"""The machine as CUDA's driver: the calls of runtime/gpu/gpu_calls.def, as functions that C can call.

Streams are queues. A launch or copy is done when its stream is waited for, as late as a GPU may do it; a fault is what the wait returns, with
its words as the error's text. What a signal handler raises meanwhile ends the wait and is raised by who waits (_core.guarded). ctypes takes the GIL for each call, whoever holds it, and so no call may be made under a lock of the
run time that a thread with the GIL waits for.
"""

import ctypes
import threading
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

import numpy as np

from hetjit import _core

from ..faults import AddressFault, MachineError, StackFault, TrapFault
from .machine import Machine


class HandleError(MachineError):
    """No stream has this number."""


class BusyError(MachineError):
    """Asked in the middle of a launch, by the thread that runs it."""


OK, INVALID, OUT_OF_MEMORY, BAD_PTX, NOT_FOUND = 0, 1, 2, 218, 500
NAMES = {1: "CUDA_ERROR_INVALID_VALUE", 2: "CUDA_ERROR_OUT_OF_MEMORY", 218: "CUDA_ERROR_INVALID_PTX",
         400: "CUDA_ERROR_INVALID_HANDLE", 500: "CUDA_ERROR_NOT_FOUND", 600: "CUDA_ERROR_NOT_READY",
         700: "CUDA_ERROR_ILLEGAL_ADDRESS", 715: "CUDA_ERROR_ILLEGAL_INSTRUCTION",
         718: "CUDA_ERROR_INVALID_PC", 719: "CUDA_ERROR_LAUNCH_FAILED", 999: "CUDA_ERROR_UNKNOWN"}
ATTRIBUTES = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2147483647, 6: 65535, 7: 65535, 8: 49152, 16: 132, 97: 232448}
STACK_LIMIT, LOG, LOG_BYTES = 0, 5, 6
CODES = ((MemoryError, OUT_OF_MEMORY), (AddressFault, 700), (StackFault, 719), (TrapFault, 715), (HandleError, 400),
         (BusyError, 600), (MachineError, 719))
MAX_THREADS = 0

P, N = c_void_p, c_uint
CALLS = {  # symbol: (method, types of arguments)
    "cuInit": ("nothing", N), "cuDeviceGetCount": ("device_count", P), "cuDeviceGet": ("device_get", P, c_int),
    "cuDeviceGetName": ("device_name", P, c_int, c_int), "cuDeviceGetAttribute": ("device_attribute", P, c_int, c_int),
    "cuDevicePrimaryCtxRetain": ("context_retain", P, c_int), "cuCtxGetCurrent": ("context_get", P),
    "cuCtxSetCurrent": ("context_set", P), "cuCtxGetLimit": ("limit_get", P, c_int),
    "cuCtxSetLimit": ("limit_set", c_int, c_size_t),
    "cuModuleLoadDataEx": ("module_load", P, P, N, P, P), "cuModuleUnload": ("module_unload", P),
    "cuModuleGetFunction": ("module_find", P, P, c_char_p),
    "cuModuleGetGlobal_v2": ("module_global", P, P, P, c_char_p),
    "cuFuncGetAttribute": ("function_attribute", P, c_int, P), "cuFuncSetAttribute": ("nothing", P, c_int, c_int),
    "cuMemAlloc_v2": ("allocate", P, c_size_t), "cuMemFree_v2": ("release", c_uint64),
    "cuMemcpyHtoDAsync_v2": ("copy_in", c_uint64, P, c_size_t, P),
    "cuMemcpyDtoHAsync_v2": ("copy_out", P, c_uint64, c_size_t, P),
    "cuStreamCreate": ("stream_make", P, N), "cuStreamDestroy_v2": ("stream_destroy", P),
    "cuStreamSynchronize": ("stream_wait", P),
    "cuLaunchKernel": ("launch", P, N, N, N, N, N, N, N, P, P, P), "cuLaunchKernelEx": ("launch_with", P, P, P, P),
    "cuGetErrorName": ("error_name", c_int, P), "cuGetErrorString": ("error_text", c_int, P)}

WORK = {"module_load", "module_unload", "allocate", "release", "copy_out", "stream_wait",
        "stream_destroy"}  # by one thread at a time


def put(address, value, kind=c_uint64):
    kind.from_address(address).value = value


class Driver:
    """One device of an architecture. `address`: of the C function that gives a call by its symbol."""

    def __init__(self, architecture):
        self.architecture = architecture
        self.machine = Machine()
        self.current = threading.local()
        self.working, self.runner = threading.RLock(), None  # by whom a launch is run now
        self.later = []  # what was freed in the middle of a launch
        self.missed = {}  # thread, or None for any: why work of its was not done
        self.modules, self.functions, self.streams = {}, {}, {None: []}
        self.handles = iter(range(0x1000, 1 << 62, 16))
        self.texts = {code: c_char_p(name.encode()) for code, name in NAMES.items()}
        self.said = {}
        self.calls = {symbol: self.as_c(*row) for symbol, row in CALLS.items()}
        addresses = {symbol.encode(): ctypes.cast(call, P).value for symbol, call in self.calls.items()}
        self.finder = ctypes.CFUNCTYPE(P, c_char_p)(addresses.get)
        self.address = ctypes.cast(self.finder, P).value
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))  # the run time calls us for as long as the process lives

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
        code = next(code for kind, code in CODES if isinstance(error, kind))
        self.said[code] = c_char_p(f"{type(error).__name__}: {error}".encode())
        return code

    # ---- the device

    def nothing(self, *_):
        return OK

    def device_count(self, count):
        put(count, 1, c_int)

    def device_get(self, device, index):
        put(device, index, c_int)

    def device_name(self, name, bytes, _):
        text = f"PTX machine, sm_{self.architecture}".encode()[:bytes - 1] + b"\0"
        ctypes.memmove(name, text, len(text))

    def device_attribute(self, value, attribute, _):
        capability = {75: self.architecture // 10, 76: self.architecture % 10}
        put(value, {**ATTRIBUTES, **capability}[attribute], c_int)

    def context_retain(self, context, _):
        put(context, 1)

    def context_get(self, context):
        put(context, getattr(self.current, "context", None) or 0)

    def context_set(self, context):
        self.current.context = context

    def limit_get(self, value, limit):
        if limit != STACK_LIMIT:
            return INVALID
        put(value, self.machine.stack_bytes)

    def limit_set(self, limit, value):
        if limit != STACK_LIMIT:
            return INVALID
        self.machine.stack_bytes = value

    def error_name(self, error, text):
        put(text, ctypes.cast(self.texts.get(error), P).value or 0)
        return OK if error in self.texts else INVALID

    def error_text(self, error, text):
        put(text, ctypes.cast(self.said.get(error), P).value or 0)

    # ---- code

    def module_load(self, module, image, count, options, values):
        try:
            loaded = self.machine.load(ctypes.string_at(image))
        except MachineError as error:
            self.log(str(error).encode(), count, options, values)
            self.said[BAD_PTX] = None
            return BAD_PTX
        handle = next(self.handles)
        self.modules[handle] = loaded
        put(module, handle)

    @staticmethod
    def log(text, count, options, values):
        chosen = {c_int.from_address(options + 4 * i).value: c_uint64.from_address(values + 8 * i).value for i in range(count)}
        if LOG in chosen:
            text = text[:chosen.get(LOG_BYTES, 1) - 1] + b"\0"
            ctypes.memmove(chosen[LOG], text, len(text))

    def module_unload(self, module):
        self.after_work(self.modules.pop(module).unload)

    def module_find(self, function, module, entry):
        loaded, name = self.modules[module], entry.decode()
        try:
            loaded.program.entry(name)
        except MachineError as error:
            self.said[NOT_FOUND] = c_char_p(str(error).encode())
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

    def function_attribute(self, value, attribute, _):
        if attribute != MAX_THREADS:
            return INVALID
        put(value, 1024, c_int)

    # ---- memory and streams

    def allocate(self, address, bytes):
        put(address, self.machine.arena.allocate(bytes))

    def release(self, address):
        self.after_work(lambda: self.machine.arena.release(address))

    def copy_in(self, to, source, bytes, stream):
        copied = np.frombuffer(ctypes.string_at(source, bytes), np.uint8)

        def copy():
            self.machine.arena.slice(to, bytes)[:] = copied
        self.queue(stream, copy)

    def copy_out(self, to, source, bytes, stream):
        """At once: a wait that a signal handler ends would leave a copy to memory that is gone."""
        self.stream_wait(stream)
        ctypes.memmove(to, self.machine.arena.slice(source, bytes).ctypes.data, bytes)

    def stream_make(self, stream, _):
        handle = next(self.handles)
        self.streams[handle] = []
        put(stream, handle)

    def stream_destroy(self, stream):
        self.stream_wait(stream)
        del self.streams[stream]

    def queue(self, stream, action):
        self.refuse_inside()
        self.queue_of(stream).append((threading.get_ident(), action))

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
        self.refuse_inside()
        queue, self.runner = self.queue_of(stream), threading.get_ident()
        try:
            for who in (self.runner, None):
                if who in self.missed:
                    raise self.missed.pop(who)
            while queue:
                queue.pop(0)[1]()
        except BaseException as error:
            dropped, queue[:] = queue[:], []  # what comes after a fault is not done
            self.tell(dropped, error)
            raise
        finally:
            self.runner = None
            while self.later:
                self.later.pop(0)()

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
                self.stream_wait(stream)
            except BaseException as error:  # of a signal handler, too
                self.missed[None] = error
        action()

    # ---- launches

    def launch(self, function, gx, gy, gz, bx, by, bz, shared_bytes, stream, parameters, extra):
        if parameters:
            return INVALID  # the run time packs them itself
        self.enqueue(function, (gx, gy, gz), (bx, by, bz), shared_bytes, stream, extra)

    def launch_with(self, config, function, parameters, extra):
        shape = (c_uint * 7).from_address(config)
        stream = c_uint64.from_address(config + 32).value or None
        if parameters:
            return INVALID
        self.enqueue(function, tuple(shape[:3]), tuple(shape[3:6]), shape[6], stream, extra)

    def enqueue(self, function, grid, block, shared_bytes, stream, extra):
        loaded, name = self.functions[function]
        block_of_parameters = b""
        if extra:  # 1, where they are, 2, where their size is, 0
            words = (c_uint64 * 5).from_address(extra)
            if (words[0], words[2], words[4]) != (1, 2, 0):
                raise ValueError("the list of a launch's extras is malformed")
            block_of_parameters = ctypes.string_at(words[1], c_size_t.from_address(words[3]).value)
        self.queue(stream, lambda: loaded.launch(name, grid, block, block_of_parameters, shared_bytes))

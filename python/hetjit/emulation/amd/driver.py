"""The machine for AMD's code objects as HIP (emulation/driver.py)."""

import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_ubyte, c_uint64

from ..driver import INVALID, LAUNCH_FAILED, MAX_THREADS, REGISTERS, N, OK, P, put
from ..driver import Driver as AnyDriver
from ..faults import LinkError, UnknownCode
from .code_object import ForeignError
from .elf import image_at
from .machine import Machine

INVALID_IMAGE, NO_BINARY = 200, 209
COMPUTE_UNITS = {"gfx90a": 104, "gfx942": 304, "gfx950": 256, "gfx1100": 48, "gfx1201": 32}  # on RDNA pairs of them, as HIP counts
SHARED_BYTES = {"gfx950": 160 << 10}
LIMITS = {56: 1024, 26: 1024, 27: 1024, 28: 1024, 29: 2147483647, 30: 65535, 31: 65535}  # of blocks and grids


class Driver(AnyDriver):
    """One device of an architecture, "gfx942"."""

    CALLS = {
        "hipInit": ("nothing", N), "hipGetDeviceCount": ("device_count", P), "hipDeviceGet": ("device_get", P, c_int),
        "hipDeviceGetName": ("device_name", P, c_int, c_int), "hipDeviceGetAttribute": ("device_attribute", P, c_int, c_int),
        "hipGetDevice": ("device_current", P), "hipSetDevice": ("nothing", c_int), "hipDeviceGetPCIBusId": ("device_bus", P, c_int, c_int),
        "hipDeviceGetLimit": ("limit_get", P, c_int), "hipDeviceSetLimit": ("limit_set", c_int, c_size_t),
        "hipModuleLoadData": ("module_load", P, P), "hipModuleUnload": ("module_unload", P),
        "hipModuleGetFunction": ("module_find", P, P, c_char_p), "hipModuleGetGlobal": ("module_global", P, P, P, c_char_p),
        "hipFuncGetAttribute": ("function_attribute", P, c_int, P),
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor": ("function_occupancy", P, P, c_int, c_size_t),
        "hipMalloc": ("allocate", P, c_size_t), "hipFree": ("release", c_uint64), "hipMemGetInfo": ("memory_info", P, P),
        "hipExtMallocWithFlags": ("allocate_flagged", P, c_size_t, N),
        "hipMallocAsync": ("allocate_on", P, c_size_t, P), "hipMallocFromPoolAsync": ("allocate_of", P, c_size_t, P, P),
        "hipFreeAsync": ("release_on", c_uint64, P), "hipMemPoolCreate": ("pool_make", P, P), "hipMemPoolDestroy": ("pool_destroy", P),
        "hipMemPoolTrimTo": ("pool_trim", P, c_size_t),
        "hipPointerGetAttribute": ("pointer_attribute", P, c_int, c_uint64),
        "hipMemcpyHtoDAsync": ("copy_in", c_uint64, P, c_size_t, P), "hipMemcpyDtoHAsync": ("copy_out", P, c_uint64, c_size_t, P),
        "hipMemcpyDtoDAsync": ("copy_within", c_uint64, c_uint64, c_size_t, P), "hipMemsetD8Async": ("fill", c_uint64, c_ubyte, c_size_t, P),
        "hipStreamCreateWithPriority": ("stream_make", P, N, c_int), "hipStreamQuery": ("stream_query", P),
        "hipStreamIsCapturing": ("stream_capturing", P, P), "hipStreamBeginCapture": ("capture_begin", P, c_int),
        "hipStreamEndCapture": ("capture_end", P, P), "hipGraphInstantiateWithFlags": ("graph_make", P, P, c_uint64),
        "hipGraphLaunch": ("graph_launch", P, P), "hipGraphExecDestroy": ("graph_destroy", P), "hipGraphDestroy": ("graph_destroy", P),
        "hipThreadExchangeStreamCaptureMode": ("nothing", P), "hipStreamDestroy": ("stream_destroy", P),
        "hipDeviceSynchronize": ("device_wait",), "hipStreamSynchronize": ("stream_wait", P), "hipStreamWaitEvent": ("stream_follow", P, P, N),
        "hipEventCreateWithFlags": ("event_make", P, N), "hipEventDestroy": ("event_destroy", P), "hipEventRecord": ("event_record", P, P),
        "hipEventQuery": ("event_query", P), "hipEventSynchronize": ("event_wait", P), "hipEventElapsedTime": ("event_elapsed", P, P, P),
        "hipModuleLaunchKernel": ("launch", P, N, N, N, N, N, N, N, P, P, P), "hipDrvLaunchKernelEx": ("launch_with", P, P, P, P)}
    NAMES = {1: "hipErrorInvalidValue", 2: "hipErrorOutOfMemory", INVALID_IMAGE: "hipErrorInvalidImage", NO_BINARY: "hipErrorNoBinaryForGpu",
             400: "hipErrorInvalidHandle", 900: "hipErrorStreamCaptureUnsupported", 500: "hipErrorNotFound", 600: "hipErrorNotReady", 700: "hipErrorIllegalAddress",
             LAUNCH_FAILED: "hipErrorLaunchFailure"}
    CODES = ((ForeignError, NO_BINARY), (LinkError, INVALID_IMAGE), *AnyDriver.CODES)
    END_OF_EXTRAS = 3

    def __init__(self, architecture):
        super().__init__(Machine(architecture), f"AMD machine, {architecture}")
        self.shared_bytes = SHARED_BYTES.get(architecture, 64 << 10)
        self.attributes = {**LIMITS, 74: self.shared_bytes, 63: COMPUTE_UNITS.get(architecture, 60)}
        # These give texts and not numbers, and must do so, too, while Python ends and has no functions of ours left.
        names = {code: ctypes.cast(text, P).value for code, text in self.texts.items()}
        for symbol, texts in (("hipGetErrorName", names), ("hipGetErrorString", self.said_at)):
            self.add(symbol, ctypes.CFUNCTYPE(P, c_int)(texts.get))

    def device_current(self, device):
        put(device, 0, c_int)

    def device_bus(self, text, bytes, _):
        ctypes.memmove(text, b"0000:00:00.0\0", min(bytes, 13))

    def allocate_flagged(self, address, bytes, _):
        """Its memory has no caches."""
        self.allocate(address, bytes)

    def module_load(self, module, image):
        try:
            self.module_add(module, self.machine.load(image_at(image)))
        except UnknownCode as error:
            self.say(INVALID_IMAGE, str(error))
            return INVALID_IMAGE

    def function_attribute(self, value, attribute, function):
        loaded, name = self.functions[function]
        kernel = loaded.entry(name)
        known = {MAX_THREADS: kernel.max_threads, REGISTERS: kernel.registers}
        if attribute not in known:
            return INVALID
        put(value, known[attribute], c_int)

    def room_of(self, function, shared_bytes):
        loaded, name = self.functions[function]
        return self.shared_bytes // max(loaded.entry(name).group_bytes + shared_bytes, 1)

    def enqueue(self, function, grid, block, shared_bytes, stream, extra):
        loaded, name = self.functions[function]
        kernel, threads = loaded.entry(name), block[0] * block[1] * block[2]
        if threads > kernel.max_threads:
            self.say(INVALID, f"{name} was compiled for blocks of at most {kernel.max_threads} threads, not {threads}")
            return INVALID
        if kernel.group_bytes + shared_bytes > self.shared_bytes:
            self.say(INVALID, f"{kernel.group_bytes + shared_bytes} bytes of shared memory, of which there are {self.shared_bytes}")
            return INVALID
        super().enqueue(function, grid, block, shared_bytes, stream, extra)
        return OK

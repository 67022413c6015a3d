"""The PTX machine as CUDA's driver (emulation/driver.py)."""

import ctypes
import math
from ctypes import c_char_p, c_int, c_size_t, c_ubyte, c_uint64

from ..driver import INVALID, LAUNCH_FAILED, MAX_THREADS, REGISTERS, N, OK, P, put
from ..driver import Driver as AnyDriver
from ..faults import MachineError, TrapFault, UnknownCode
from .machine import Machine
from .memory import SHARED_START

BAD_PTX = 218
ATTRIBUTES = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2147483647, 6: 65535, 7: 65535, 8: 49152, 16: 132, 97: 232448}
CLUSTER_LAUNCH, CLUSTER_DIMENSION = 120, 4  # a device's attribute, and a launch's
LOG, LOG_BYTES = 5, 6
MOST_THREADS, SHARED_BYTES = 1024, 97  # of a block; the attribute of a device that says how many it can have


class Driver(AnyDriver):
    """One device of an architecture."""

    CALLS = {
        "cuInit": ("nothing", N), "cuDeviceGetCount": ("device_count", P), "cuDeviceGet": ("device_get", P, c_int),
        "cuDeviceGetName": ("device_name", P, c_int, c_int), "cuDeviceGetAttribute": ("device_attribute", P, c_int, c_int),
        "cuDevicePrimaryCtxRetain": ("context_retain", P, c_int), "cuCtxGetCurrent": ("context_get", P),
        "cuCtxSetCurrent": ("context_set", P), "cuCtxGetLimit": ("limit_get", P, c_int),
        "cuCtxSetLimit": ("limit_set", c_int, c_size_t),
        "cuModuleLoadDataEx": ("module_load", P, P, N, P, P), "cuModuleUnload": ("module_unload", P),
        "cuModuleGetFunction": ("module_find", P, P, c_char_p),
        "cuModuleGetGlobal_v2": ("module_global", P, P, P, c_char_p),
        "cuFuncGetAttribute": ("function_attribute", P, c_int, P), "cuFuncSetAttribute": ("nothing", P, c_int, c_int),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor": ("function_occupancy", P, P, c_int, c_size_t),
        "cuMemAlloc_v2": ("allocate", P, c_size_t), "cuMemFree_v2": ("release", c_uint64), "cuMemGetInfo_v2": ("memory_info", P, P),
        "cuMemAllocAsync": ("allocate_on", P, c_size_t, P), "cuMemAllocFromPoolAsync": ("allocate_of", P, c_size_t, P, P),
        "cuMemFreeAsync": ("release_on", c_uint64, P), "cuMemPoolCreate": ("pool_make", P, P), "cuMemPoolDestroy": ("pool_destroy", P),
        "cuMemPoolTrimTo": ("pool_trim", P, c_size_t),
        "cuPointerGetAttribute": ("pointer_attribute", P, c_int, c_uint64),
        "cuMemcpyHtoDAsync_v2": ("copy_in", c_uint64, P, c_size_t, P),
        "cuMemcpyDtoHAsync_v2": ("copy_out", P, c_uint64, c_size_t, P),
        "cuMemcpyDtoDAsync_v2": ("copy_within", c_uint64, c_uint64, c_size_t, P), "cuMemsetD8Async": ("fill", c_uint64, c_ubyte, c_size_t, P),
        "cuStreamCreateWithPriority": ("stream_make", P, N, c_int), "cuStreamQuery": ("stream_query", P),
        "cuStreamIsCapturing": ("stream_capturing", P, P), "cuStreamBeginCapture_v2": ("capture_begin", P, c_int),
        "cuStreamEndCapture": ("capture_end", P, P), "cuGraphInstantiateWithFlags": ("graph_make", P, P, c_uint64),
        "cuGraphLaunch": ("graph_launch", P, P), "cuGraphExecDestroy": ("graph_destroy", P), "cuGraphDestroy": ("graph_destroy", P),
        "cuThreadExchangeStreamCaptureMode": ("nothing", P), "cuStreamDestroy_v2": ("stream_destroy", P),
        "cuCtxSynchronize": ("device_wait",), "cuStreamSynchronize": ("stream_wait", P), "cuStreamWaitEvent": ("stream_follow", P, P, N),
        "cuEventCreate": ("event_make", P, N), "cuEventDestroy_v2": ("event_destroy", P), "cuEventRecord": ("event_record", P, P),
        "cuEventQuery": ("event_query", P), "cuEventSynchronize": ("event_wait", P), "cuEventElapsedTime": ("event_elapsed", P, P, P),
        "cuLaunchKernel": ("launch", P, N, N, N, N, N, N, N, P, P, P), "cuLaunchKernelEx": ("launch_with", P, P, P, P),
        "cuGetErrorName": ("error_name", c_int, P), "cuGetErrorString": ("error_text", c_int, P)}
    NAMES = {1: "CUDA_ERROR_INVALID_VALUE", 2: "CUDA_ERROR_OUT_OF_MEMORY", BAD_PTX: "CUDA_ERROR_INVALID_PTX",
             400: "CUDA_ERROR_INVALID_HANDLE", 900: "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", 500: "CUDA_ERROR_NOT_FOUND", 600: "CUDA_ERROR_NOT_READY",
             700: "CUDA_ERROR_ILLEGAL_ADDRESS", 715: "CUDA_ERROR_ILLEGAL_INSTRUCTION",
             718: "CUDA_ERROR_INVALID_PC", LAUNCH_FAILED: "CUDA_ERROR_LAUNCH_FAILED", 999: "CUDA_ERROR_UNKNOWN"}
    CODES = ((TrapFault, 715), *AnyDriver.CODES)
    END_OF_EXTRAS = 0

    def __init__(self, architecture):
        super().__init__(Machine(), f"PTX machine, sm_{architecture}")
        self.attributes = {**ATTRIBUTES, 75: architecture // 10, 76: architecture % 10, CLUSTER_LAUNCH: int(architecture >= 90)}

    def context_retain(self, context, _):
        put(context, 1)

    def context_get(self, context):
        put(context, getattr(self.current, "context", None) or 0)

    def context_set(self, context):
        self.current.context = context

    def error_name(self, error, text):
        put(text, ctypes.cast(self.texts.get(error), P).value or 0)
        return OK if error in self.texts else INVALID

    def error_text(self, error, text):
        put(text, ctypes.cast(self.said.get(error), P).value or 0)

    def module_load(self, module, image, count, options, values):
        try:
            text = ctypes.string_at(image)
            if not text.strip():
                raise UnknownCode("no PTX: the text is empty")
            self.module_add(module, self.machine.load(text))
        except MachineError as error:
            self.log(str(error).encode(), count, options, values)
            self.said[BAD_PTX] = None
            return BAD_PTX

    @staticmethod
    def log(text, count, options, values):
        chosen = {c_int.from_address(options + 4 * i).value: c_uint64.from_address(values + 8 * i).value for i in range(count)}
        if LOG in chosen:
            text = text[:chosen.get(LOG_BYTES, 1) - 1] + b"\0"
            ctypes.memmove(chosen[LOG], text, len(text))

    def function_attribute(self, value, attribute, function):
        if attribute == REGISTERS:
            self.say(INVALID, "PTX has registers without end: how many a thread needs is ptxas's to say")
        if attribute != MAX_THREADS:
            return INVALID
        put(value, self.most_threads(function), c_int)

    def options_of(self, attributes):
        return {"cluster": attributes[CLUSTER_DIMENSION]} if CLUSTER_DIMENSION in attributes else {}

    def most_threads(self, function):
        loaded, name = self.functions[function]
        return math.prod(loaded.entry(name).function.directives.get("maxntid", [MOST_THREADS]))

    def room_of(self, function, shared_bytes):
        loaded, _ = self.functions[function]
        return self.attributes[SHARED_BYTES] // max(loaded.program.dynamic - SHARED_START + shared_bytes, 1)

    def enqueue(self, function, grid, block, shared_bytes, stream, extra, **options):
        if math.prod(block) > self.most_threads(function):
            self.say(INVALID, f"a block of {math.prod(block)} threads, and .maxntid is {self.most_threads(function)}")
            return INVALID
        super().enqueue(function, grid, block, shared_bytes, stream, extra, **options)
        return OK

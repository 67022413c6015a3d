"""Low-level calls, the same for every device: `driver.open("hip:0")`. Memory, copies, loaded code, launches with packed arguments, streams and
events, as the vendors' drivers have them; arguments are what `hetjit.types` adapts.

    hip = driver.open("cpu")
    memory = hip.malloc(240).configure(typestr="float32", shape=(3, 20))
    hip.memcpy(memory, rows, 240)

Each method of Driver is a call: its row is its docstring. A call that fails raises; with `errors="tuple"` it returns `(error,)` or `(error, value)`,
as HIP Python's do.
"""

import functools
import os

from hetjit import _core
from hetjit._core import LoadedFunction as Function
from hetjit._core import Module
from hetjit.devices import info
from hetjit.errors import DeviceError
from hetjit.streams import Event, Stream
from hetjit.types import DeviceArray

__all__ = ["Driver", "Error", "Function", "MemPool", "Module", "open"]

_NAMES = ("success", "invalid", "out_of_memory", "unavailable", "unsupported", "driver_failed", "interrupted", "internal")
_MALLOC_FLAGS = ("default", "fine_grained", "uncached")
_KINDS = {"default": "??", "host_to_device": "dh", "device_to_host": "hd", "device_to_device": "dd", "host_to_host": "hh"}


class Error(int):
    """What a call returns first with `errors="tuple"`: 0, which is `Error.success`, or why it failed: `Error.invalid`, `out_of_memory`, `unavailable`,
    `unsupported`, `driver_failed`, `interrupted`, `internal`. It has a `name`, and in `text` the whole story."""

    def __new__(cls, number, text=""):
        made = super().__new__(cls, number)
        made.name, made.text = _NAMES[number], text
        return made

    @classmethod
    def of(cls, exception):
        """What an exception of a call comes to."""
        name = ("out_of_memory" if isinstance(exception, MemoryError) else
                exception.reason or "driver_failed" if isinstance(exception, DeviceError) else "invalid")
        return cls(_NAMES.index(name), str(exception))

    def __repr__(self):
        return f"<Error {self.name} ({int(self)}){': ' if self.text else ''}{self.text}>"

    __str__ = __repr__


for _number, _name in enumerate(_NAMES):
    setattr(Error, _name, Error(_number))

class MemPool:
    """A pool of a device's memory."""

    _number = 0

    def __init__(self, device):
        self.device = device
        self._number = _core.make_pool(device)

    def of(self, device):
        """The driver's number of it. ValueError where it is not an open one of that device."""
        if not self._number or self.device != device:
            raise ValueError(f"{self!r} is no pool of {device}" if self._number else "the pool has ended")
        return self._number

    def close(self):
        """Ends it; more than once is nothing."""
        number, self._number = self._number, 0
        if number:
            _core.destroy_pool(self.device, number)

    __del__ = close

    def __repr__(self):
        return f"<MemPool {self._number:#x} of {self.device}>" if self._number else "<closed MemPool>"


CALLS = {}  # of every driver, by name


def _call(method):
    """A row of the table. What it is asked wrongly (TypeError) raises in both conventions."""
    @functools.wraps(method)
    def call(self, *arguments, **named):
        if not self._tuples:
            return method(self, *arguments, **named)
        try:
            value = method(self, *arguments, **named)
        except (DeviceError, MemoryError, ValueError, OverflowError, BufferError, RuntimeError, OSError) as error:
            return Error.of(error), *([None] * call.has_value)
        return Error.success, *([value] * call.has_value)
    call.has_value = method.__annotations__.get("return", ...) is not None
    CALLS[method.__name__] = call
    return call


class Driver:
    """The calls for one device. Sizes are in bytes, times in milliseconds. `stream=None` is the default stream, and the call returns when its work
    is done; on another stream, also 0, it returns at once, and what it uses must stay as it is until the stream is done."""

    def __init__(self, device, errors="raise"):
        if errors not in ("raise", "tuple"):
            raise ValueError(f"errors={errors!r}: 'raise' or 'tuple'")
        self.device = info(device)["name"]
        self._tuples = errors == "tuple"

    def __repr__(self):
        return f"<Driver of {self.device}>"

    # ---- memory

    @_call
    def malloc(self, bytes):
        """Memory of the device, of which nothing is known: a DeviceArray of so many bytes, which free() gives back and nothing else does.
        DeviceError where there is too little (`reason` is "out_of_memory")."""
        return _bytes(_core.allocate(self.device, bytes, DeviceArray, "default"), bytes)

    @_call
    def free(self, memory) -> None:
        """Gives back what malloc() gave; `None` is nothing. The adapter is NULL afterwards. ValueError or DeviceError for what is no such
        memory, RuntimeError while somebody has a buffer of it."""
        _core.release(self.device, memory)

    @_call
    def ext_malloc_with_flags(self, bytes, flags="default"):
        """malloc() of a kind of memory: "default", "fine_grained", of which others see what kernels write while they run, or "uncached". DeviceError
        (`reason` is "unsupported") where the device has none: NVIDIA's have the default alone."""
        if flags not in _MALLOC_FLAGS:
            raise ValueError(f"flags={flags!r}: one of {', '.join(_MALLOC_FLAGS)}")
        return _bytes(_core.allocate(self.device, bytes, DeviceArray, flags), bytes)

    @_call
    def malloc_managed(self, bytes):
        """Memory that host and device reach at one address: numpy.asarray() of it needs no copy, when the device's work with it is done. free() gives
        it back. Errors as of malloc(), and DeviceError (`reason` is "unsupported") where there is none."""
        return _bytes(_core.allocate(self.device, bytes, DeviceArray, "managed"), bytes)

    @_call
    def host_malloc(self, bytes):
        """Memory of the host that stays where it is for the device: copies from and to it need no detour, and go on beside the host on a stream, and
        kernels reach it at the same address. numpy.asarray() of it needs no copy. free() gives it back. Errors as of malloc_managed()."""
        return _bytes(_core.allocate(self.device, bytes, DeviceArray, "pinned"), bytes)

    @_call
    def malloc_async(self, bytes, stream=None):
        """Memory for what is queued on a stream from now on; free_async() or free() gives it back. Errors as of malloc_managed()."""
        return _bytes(_core.allocate_on(self.device, bytes, DeviceArray, stream, 0), bytes)

    @_call
    def malloc_from_pool_async(self, bytes, pool, stream=None):
        """malloc_async() from a pool of mem_pool_create(). ValueError for a pool that has ended or is another device's."""
        return _bytes(_core.allocate_on(self.device, bytes, DeviceArray, stream, pool.of(self.device)), bytes)

    @_call
    def free_async(self, memory, stream=None) -> None:
        """Gives back what malloc_async() or malloc_from_pool_async() gave, when all is done that was queued on the stream so far. Errors as of free()."""
        _core.release(self.device, memory, stream)

    @_call
    def mem_pool_create(self):
        """A MemPool, which keeps what is given back to it for the next who asks it. It ends with mem_pool_destroy(), or when nobody has it.
        DeviceError (`reason` is "unsupported") where there are none."""
        return MemPool(self.device)

    @_call
    def mem_pool_trim_to(self, pool, bytes) -> None:
        """Gives what a pool keeps back to the device, until no more than so many bytes are left."""
        _core.trim_pool(self.device, pool.of(self.device), bytes)

    @_call
    def mem_pool_destroy(self, pool) -> None:
        """Ends a pool. Memory of it stays until it is given back."""
        pool.close()

    @_call
    def memcpy(self, destination, source, bytes, kind="default", stream=None) -> None:
        """Copies bytes. kind: "host_to_device", "device_to_host", "device_to_device", "host_to_host", or "default": as the adapters and the
        driver know. ValueError where the memory has fewer bytes or is elsewhere, BufferError where it may only be read."""
        if kind not in _KINDS:
            raise ValueError(f"kind={kind!r}: one of {', '.join(_KINDS)}")
        _core.copy(self.device, destination, source, bytes, _KINDS[kind], stream)

    @_call
    def memcpy_htod(self, destination, source, bytes, stream=None) -> None:
        """memcpy() from the host to the device."""
        _core.copy(self.device, destination, source, bytes, "dh", stream)

    @_call
    def memcpy_dtoh(self, destination, source, bytes, stream=None) -> None:
        """memcpy() from the device to the host."""
        _core.copy(self.device, destination, source, bytes, "hd", stream)

    @_call
    def memcpy_dtod(self, destination, source, bytes, stream=None) -> None:
        """memcpy() within the device; the two places do not overlap."""
        _core.copy(self.device, destination, source, bytes, "dd", stream)

    @_call
    def memset(self, destination, value, bytes, stream=None) -> None:
        """Sets so many bytes of the device's memory to a value from 0 to 255. Errors as of memcpy(), OverflowError for another value."""
        _core.fill(self.device, destination, value, bytes, stream)

    # ---- code

    @_call
    def compile(self, kernel, *types):
        """A kernel of `device.kernel`, compiled for this device and arguments of these types (or arguments): bytes for module_load_data().
        CompileError where it is wrong."""
        return _core.image(kernel, types, {}, info(self.device)["target"])

    @_call
    def module_load(self, path):
        """The Module of a file; errors as of module_load_data(), OSError where it cannot be read."""
        with _open(os.fspath(path), "rb") as file:
            return Module(self.device, file.read())

    @_call
    def module_load_data(self, image):
        """A Module of code in memory: what compile() gave; PTX or a cubin for NVIDIA, a code object for AMD; for the CPU an object file whose
        functions are host entries (docs/abi.md). Its end unloads it. ValueError for what is damaged, DeviceError with the driver's log."""
        return Module(self.device, image)

    @_call
    def module_unload(self, module) -> None:
        """Unloads it; its functions can no longer be launched (ValueError)."""
        module.unload()

    @_call
    def module_get_function(self, module, name):
        """A Function of a module, which keeps the module. ValueError or DeviceError where it has none of that name."""
        return module.find(name)

    @_call
    def module_get_global(self, module, name):
        """The address of a global variable of a module that no compiler of ours made, a DeviceArray without shape."""
        return DeviceArray(module.variable(name))

    @_call
    def module_launch_kernel(self, function, grid, block, shared_bytes=0, stream=None, extra=(), cooperative=False, cluster=None, priority=None,
                             programmatic=False) -> None:
        """Launches a function. grid, block: an int, a tuple of up to three, or a dim3. extra: the arguments, as an ArgumentPack is made: a list or
        tuple of ctypes values and what has an address. cooperative, cluster, priority, programmatic: as of device.launch(); whether code of another
        compiler waits for the launches before it nobody asks. ValueError for a wrong shape or number of bytes."""
        cluster = None if cluster is None else _shape(cluster)
        function.launch((_shape(grid), _shape(block), stream, shared_bytes, cooperative, cluster, priority, programmatic), extra)

    # ---- streams and events

    @_call
    def stream_create(self, priority=0):
        """A Stream; the lower the number, the sooner its work begins. It ends with stream_destroy(), or when nobody has it."""
        return Stream(self.device, priority=priority)

    @_call
    def stream_destroy(self, stream) -> None:
        """Ends it when its work is done; the call does not wait."""
        stream.close()

    @_call
    def stream_synchronize(self, stream) -> None:
        """Waits until its work is done, and raises what its kernels raised."""
        _core.synchronize(self.device, stream)

    @_call
    def stream_query(self, stream):
        """Whether all its work is done."""
        return stream.done

    @_call
    def stream_wait_event(self, stream, event) -> None:
        """Lets the stream's further work wait for an event. The host does not wait."""
        event.precede(stream)

    @_call
    def event_create(self, timed=True):
        """An Event, which has been passed. `timed=False`: cheaper to record, without a time."""
        return Event(self.device, timed=timed)

    @_call
    def event_destroy(self, event) -> None:
        """Ends it."""
        event.close()

    @_call
    def event_record(self, event, stream=None) -> None:
        """Puts it behind all that is queued on a stream so far."""
        event.record_on(stream)

    @_call
    def event_synchronize(self, event) -> None:
        """Waits until the work before it is done."""
        event.synchronize()

    @_call
    def event_query(self, event):
        """Whether the work before it is done."""
        return event.done

    @_call
    def event_elapsed_time(self, start, end):
        """Milliseconds between two timed events that have been passed, a float."""
        return start.elapsed(end)

    # ---- the device

    @_call
    def device_synchronize(self) -> None:
        """Waits for all streams of the device, and raises what their kernels raised."""
        _core.synchronize(self.device, None)

    @_call
    def device_can_access_peer(self, peer):
        """Whether kernels of this device can use the memory of another, "cuda:1" or its Driver, once device_enable_peer_access() has let them."""
        return _core.reaches(self.device, getattr(peer, "device", peer))

    @_call
    def device_enable_peer_access(self, peer) -> None:
        """From now on kernels of this device can use the memory of another by its addresses; more than once is nothing. DeviceError (`reason` is
        "unsupported") where it cannot be reached."""
        _core.reach(self.device, getattr(peer, "device", peer))

    @_call
    def device_get_name(self):
        """What the vendor calls it."""
        return info(self.device)["description"]

    @_call
    def device_get_attribute(self, name):
        """A limit by its name in device.info(): "max_threads_per_block", "max_shared_bytes" (of a block), "multiprocessors", "max_grid". ValueError
        for another name."""
        found = info(self.device)
        if name not in found:
            raise ValueError(f"no device has an attribute '{name}'; it has {', '.join(found)}")
        return found[name]

    @_call
    def get_error_name(self, error):
        """"out_of_memory", of an Error or its number."""
        return Error(error).name

    @_call
    def get_error_string(self, error):
        """What happened, as a sentence; of a mere number the name."""
        return getattr(error, "text", "") or Error(error).name.replace("_", " ")


_open = open


def open(device, *, errors="raise"):
    """The calls for a device of that name: "cpu", "cuda:1", "hip:0", "emu:gfx942". errors: "raise", or "tuple" for `(error, value)`. ValueError
    for a name that is none, DeviceError where there is no such device."""
    return Driver(device, errors)


def _bytes(memory, bytes):
    return memory.configure(shape=bytes, typestr="uint8")


def _shape(given):
    return tuple(getattr(given, axis) for axis in "xyz") if hasattr(given, "z") else given

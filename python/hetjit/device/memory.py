"""Memory of our own arrays: `device.memory.info()`, `trim()`, and `use()`, by which another library's allocator gives it.

What a DeviceArray of a GPU leaves is kept for the next ones: asking the driver takes as long as many launches, and giving back waits for
all of them. Arrays that other libraries were lent are given back to the driver.
"""

from hetjit import _core
from hetjit.devices import current

__all__ = ["info", "trim", "use"]


def info(device=None):
    """What a device's memory is used for, as a dict of bytes: `held` by so many `arrays`, the `most` that they have held, what is `kept` for
    the next ones, what is `free` of the `total`. device: by default device.current(). Raises as device.use() does."""
    return _core.memory_info(current() if device is None else device)


def trim(device=None, *, keep=0):
    """Gives memory that is kept back to the driver, until no more than `keep` bytes are."""
    if not 0 <= keep < 2 ** 64:
        raise ValueError(f"memory.trim(keep={keep}): a number of bytes is not negative, and below 2**64")
    _core.memory_trim(current() if device is None else device, keep)


def use(allocate, release=None, device=None):
    """Arrays that are made from now on take their memory of `allocate(bytes)`, and give it back to `release(address)`; None: of the driver again.

    `allocate` returns an address, or an object with an attribute `ptr`, as CuPy and RMM have them: it is dropped when the array ends, and then
    there needs no `release`. One of 0 is an OutOfMemoryError. What was taken goes back where it came from. Raises TypeError for what cannot be called.

        device.memory.use(torch.cuda.caching_allocator_alloc, torch.cuda.caching_allocator_delete)
        device.memory.use(cupy.cuda.alloc)
        device.memory.use(lambda bytes: rmm.DeviceBuffer(size=bytes))
    """
    for name, function in (("allocate", allocate), ("release", release)):
        if function is not None and not callable(function):
            raise TypeError(f"memory.use(): {name} is a function, not {type(function).__name__}")
    _core.memory_use(current() if device is None else device, allocate, release)

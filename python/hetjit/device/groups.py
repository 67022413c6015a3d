"""What the threads of a block and a warp share and do together: memory, barriers, votes, shuffles. Known in kernels only: on the host
there are no threads to ask. HETX-MEM, HETX-BS, HETX-WS"""

__all__ = ["shared_array", "local_array", "dynamic_shared_array", "syncthreads", "syncthreads_count", "syncthreads_and",
           "syncthreads_or", "syncgrid", "grid_dependency_synchronize", "trigger_launch_completion", "WarpMask", "FULL_MASK", "activemask", "lanemask_lt", "syncwarp", "all_sync", "any_sync",
           "eq_sync", "ballot_sync", "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "match_any_sync",
           "match_all_sync"]

import operator as _operator


def _in_kernels(function):
    """The function as compiled code knows it; its own body says why it cannot be called here."""
    function.__hetjit_builtin__ = f"hetjit.device.{function.__name__}"
    return function


def _outside(name):
    return RuntimeError(f"device.{name}() can be called inside a kernel only: on the host there are no threads that it could be "
                        "about")


# ---- memory

@_in_kernels
def shared_array(shape, dtype, order="C", align=None):
    """An array that all threads of a block share, with undefined contents at first. `shape`, an int or a tuple of ints, is known while
    compiling; `order` is that of the axes in memory, 'C' or 'F'; `align`, a power of two, is the least alignment of its first
    element in bytes. Each place in the source that makes one makes one array, however often a thread comes by. HETX-MEM-1"""
    raise _outside("shared_array")


@_in_kernels
def local_array(shape, dtype, order="C", align=None):
    """An array of the thread's own, for as long as the kernel runs; as shared_array(). Each place that makes one, or calls a function that
    does, has its own. HETX-MEM-1"""
    raise _outside("local_array")


@_in_kernels
def dynamic_shared_array(dtype=None):
    """The shared memory that the launch asked for (`shared=` bytes) as an array of one axis: of uint8, or of as many elements of
    another type as fit. It begins at a multiple of 16 bytes, behind all that shared_array() makes. A launch without
    an element of what its kernel uses is a ValueError. HETX-MEM-2"""
    raise _outside("dynamic_shared_array")


# ---- the block

@_in_kernels
def syncthreads():
    """Waits until all threads of the block have come here; what they wrote before is seen after it. All threads of the block call it,
    or none. HETX-BS-1"""
    raise _outside("syncthreads")


@_in_kernels
def syncthreads_count(pred):
    """syncthreads() that tells how many threads of the block gave a true `pred`: a value, or a function without parameters that gives
    one. An int32. HETX-BS-1"""
    raise _outside("syncthreads_count")


@_in_kernels
def syncthreads_and(pred):
    """syncthreads() that tells whether all threads of the block gave a true `pred`. HETX-BS-1"""
    raise _outside("syncthreads_and")


@_in_kernels
def syncthreads_or(pred):
    """syncthreads() that tells whether any thread of the block gave a true `pred`. HETX-BS-1"""
    raise _outside("syncthreads_or")


@_in_kernels
def syncgrid():
    """Waits until all threads of the whole grid have come here; what they wrote before is seen after it. The launch is a cooperative
    one: all of its blocks run at a time."""
    raise _outside("syncgrid")


@_in_kernels
def grid_dependency_synchronize():
    """Waits until the launches before this one in its stream are done; what they wrote is seen after it. A launch with programmatic=True
    begins early and does here what needs them; any other finds them done, and goes on at once. CUDA's cudaGridDependencySynchronize()."""
    raise _outside("grid_dependency_synchronize")


@_in_kernels
def trigger_launch_completion():
    """The next launch of the stream, if it is programmatic, may begin as soon as every block has come here or has ended. It sees what is
    written before and after this when it synchronizes. CUDA's cudaTriggerProgrammaticLaunchCompletion()."""
    raise _outside("trigger_launch_completion")


# ---- the warp

_FEWEST = -1 << 64  # without one of 64 lanes, and all that follow


class WarpMask(int):
    """A bit for each lane of a warp: mask[i] is a bool. In device code it is an int32 (an int64 where a warp has 64 lanes), and
    `mask[i] = bit` of a local variable rebinds it. HETX-WS-1"""

    __slots__ = ()
    __hetjit_builtin__ = "hetjit.device.WarpMask"

    def __new__(cls, value=0):
        value = _operator.index(value)
        if not _FEWEST <= value < 1 << 64:
            raise OverflowError(f"{value} does not fit the 64 bits of a WarpMask")
        return super().__new__(cls, value)

    def __getitem__(self, lane):
        return bool(int(self) >> self._checked(lane) & 1)

    def __setitem__(self, lane, bit):
        raise TypeError(f"a WarpMask is immutable: mask = mask.replace({lane!r}, ...) makes a changed one")

    def replace(self, lane, bit, /):
        """The mask with one bit replaced."""
        place = 1 << self._checked(lane)
        return type(self)(int(self) | place if bit else int(self) & ~place)

    def _lanes(self):
        """The bits as a number that is not negative: of 32 lanes where they fit."""
        return int(self) & (0xFFFFFFFF if -1 << 32 <= int(self) < 1 << 32 else 0xFFFFFFFFFFFFFFFF)

    def bit_count(self):
        """How many lanes it names."""
        return self._lanes().bit_count()

    def bit_length(self):
        """One more than its highest lane; 0 of no lanes."""
        return self._lanes().bit_length()

    def __and__(self, other):
        return self._combined(_operator.and_, other)

    def __or__(self, other):
        return self._combined(_operator.or_, other)

    def __xor__(self, other):
        return self._combined(_operator.xor, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self):
        return self._combined(_operator.xor, -1)

    def _combined(self, function, other):
        """Bits of a mask with others are a mask, where they fit one: those of a negative number go on for as many lanes as there are."""
        if not isinstance(other, int):
            return NotImplemented
        made = function(int(self), int(other))
        return type(self)(made) if _FEWEST <= made < 1 << 64 else made

    @staticmethod
    def _checked(lane):
        lane = _operator.index(lane)
        if not 0 <= lane < 64:
            raise IndexError(f"lane {lane} of a WarpMask, whose lanes begin at 0")
        return lane

    def __repr__(self):
        return f"WarpMask({int(self):#x})"

    __str__ = __repr__
    __hash__ = int.__hash__


FULL_MASK = WarpMask(-1)  # all lanes, whatever their number


@_in_kernels
def activemask():
    """A WarpMask of the lanes that are here together at the moment. HETX-WS-2"""
    raise _outside("activemask")


@_in_kernels
def lanemask_lt():
    """A WarpMask of the lanes below this one. HETX-WS-2"""
    raise _outside("lanemask_lt")


@_in_kernels
def syncwarp(mask=FULL_MASK):
    """Waits until all lanes of `mask` have come here; what they wrote before is seen after it. HETX-WS-2"""
    raise _outside("syncwarp")


@_in_kernels
def all_sync(mask, pred):
    """Whether all lanes of `mask` gave a true `pred` (a value, or a function without parameters that gives one). HETX-WS-2"""
    raise _outside("all_sync")


@_in_kernels
def any_sync(mask, pred):
    """Whether any lane of `mask` gave a true `pred`. HETX-WS-2"""
    raise _outside("any_sync")


@_in_kernels
def eq_sync(mask, pred):
    """Whether `pred` is true for all lanes of `mask`, or false for all. HETX-WS-2"""
    raise _outside("eq_sync")


@_in_kernels
def ballot_sync(mask, pred):
    """A WarpMask of the lanes of `mask` that gave a true `pred`. HETX-WS-2"""
    raise _outside("ballot_sync")


@_in_kernels
def shfl_sync(mask, value, src_lane):
    """`value` as lane `src_lane` has it: a number, or a vector, struct or tuple of numbers. HETX-WS-2"""
    raise _outside("shfl_sync")


@_in_kernels
def shfl_up_sync(mask, value, delta):
    """`value` as the lane `delta` below has it; its own where there is none. HETX-WS-2"""
    raise _outside("shfl_up_sync")


@_in_kernels
def shfl_down_sync(mask, value, delta):
    """`value` as the lane `delta` above has it; its own where there is none. HETX-WS-2"""
    raise _outside("shfl_down_sync")


@_in_kernels
def shfl_xor_sync(mask, value, flag):
    """`value` as the lane has it whose number is this one's xor `flag`. HETX-WS-2"""
    raise _outside("shfl_xor_sync")


@_in_kernels
def match_any_sync(mask, value, flag=None):
    """A WarpMask of the lanes of `mask` whose `value` has the same bits as this lane's. `flag` is in the specification's signature and
    means nothing. HETX-WS-2"""
    raise _outside("match_any_sync")


@_in_kernels
def match_all_sync(mask, value, flag=None):
    """(mask, True) when all lanes of `mask` have the same bits in `value`, else (0, False). HETX-WS-2"""
    raise _outside("match_all_sync")

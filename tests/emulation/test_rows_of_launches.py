"""Rows about what a launch is given, where that matters: on devices that work later than they are asked, with memory of their own."""

import ctypes
import os
import re
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import TESTS, anywhere, double, on_machines
import producers
from hetjit import device


@device.kernel
def total(x, out):
    s = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += (10 * i + j) * int(x[i, j])
    out[0] = s


def there(where, numbers):
    return device.array(np.asarray(numbers), where)


class Lent(producers.Producer):
    """An array of a device's memory under another library's name; `first` elements in, and with the strides of `like`. When it is
    given back it looks at `watched`, without waiting."""

    ever = []  # a tensor lives until it is given back, which is later than the launch

    def __init__(self, array, like=None, first=0, watched=None, **options):
        super().__init__(np.empty(array.shape, array.dtype) if like is None else like, device=array.place, **options)
        self.kept, self.watched, self.seen = array, watched, []
        self.ever.append(self)
        self.managed.tensor.data = array.address + first * array.dtype.itemsize - options.get("byte_offset", 0)

    def delete(self, pointer):
        super().delete(pointer)
        if self.watched is not None:
            self.seen.append(memory_of(self.watched).tolist())


# ---- launches


def stream_of(where):
    """A stream of a machine, as its driver makes them."""
    from hetjit.emulation import devices
    handle = ctypes.c_uint64()
    devices._MADE[where].stream_make(ctypes.addressof(handle), 0, 0)
    return handle.value


def memory_of(array):
    """What lies in a machine's memory now, without waiting for it."""
    from hetjit.emulation import devices
    return devices.machine(array.device).arena.slice(array.address, array.nbytes).view(array.dtype).copy()


@on_machines
@pytest.mark.row("HETX-KF-3")
def test_a_launch_is_queued_on_its_stream(where):
    x, y, z = there(where, np.arange(4.0)), there(where, np.zeros(4)), there(where, np.zeros(4))
    device.synchronize(where)
    one, other = stream_of(where), stream_of(where)
    device.launch(double, x, y, grid=1, block=4, stream=one)
    device.launch(double, y, z, grid=1, block=4, stream=one)
    device.launch(double, x, x, grid=1, block=4, stream=other)
    assert not memory_of(y).any() and not memory_of(z).any()  # nothing is done yet
    device.synchronize(where, one)
    assert memory_of(z).tolist() == [0, 4, 8, 12]  # in the order of the launches
    assert memory_of(x).tolist() == [0, 1, 2, 3]
    device.synchronize(where, other)
    assert memory_of(x).tolist() == [0, 2, 4, 6]


@anywhere
@pytest.mark.row("HETX-KF-3")
def test_grid_block_and_shared_memory_are_those_of_the_launch(where):
    def kernel(out):
        box = device.dynamic_shared_array(device.int32)
        box[device.thread_idx.x] = device.thread_idx.x + 1
        device.syncthreads()
        if device.thread_idx.x == 0:
            out[device.block_idx.x, 0] = box[device.block_dim.x - 1]
            out[device.block_idx.x, 1] = device.grid_dim.x
            out[device.block_idx.x, 2] = len(box)

    out = there(where, np.zeros((3, 3), np.int32))
    device.launch(device.kernel(kernel), out, grid=3, block=5, shared=20)
    assert device.to_numpy(out).tolist() == [[5, 3, 5]] * 3


class Unknown:
    pass


@pytest.mark.row("HETX-KF-3")
@anywhere
@pytest.mark.parametrize("wrong", [[1.0], {}, "text", Unknown(), b"bytes", (1, [2]), {1, 2}], ids=lambda w: type(w).__name__)
def test_arguments_that_devices_do_not_know(wrong, where):
    y = there(where, np.zeros(4))
    with pytest.raises(TypeError, match=r"double\(\): argument 'x'"):
        device.launch(double, wrong, y, grid=1, block=4)
    for no_kernel in (double.underlying, len, None, lambda x, y: None):
        with pytest.raises(TypeError, match="takes a kernel"):
            device.launch(no_kernel, y, y, grid=1, block=4)
    double[1, 4](y, y)
    device.synchronize(where)


@on_machines
@pytest.mark.row("HET-GEN-2")
def test_memory_of_the_other_side_is_refused_by_name(where):
    here, away = np.arange(4.0), there(where, np.zeros(4))
    for given, name in (((here, away), f"'x' is on the CPU but 'y' is on {where}"), ((away, here), f"'x' is on {where} but 'y' is on the CPU")):
        with pytest.raises(ValueError, match=f"(?i)argument {name}"):
            double[1, 4](*given)
    with pytest.raises((TypeError, ValueError, BufferError), match="argument 'x'"):
        double.on("cpu")[1, 4](away, here)
    with pytest.raises((TypeError, ValueError, BufferError), match="argument 'x'"):
        double.on(where)[1, 4](here, here)
    double[1, 4](here, here)
    double[1, 4](away, away)
    assert here.tolist() == [0, 2, 4, 6] and device.to_numpy(away).tolist() == [0, 0, 0, 0]


# ---- arrays of others


@on_machines
@pytest.mark.row("HET-ARR-16")
@pytest.mark.parametrize("old", [False, True])
def test_a_tensor_is_given_back_once_and_after_the_kernel_has_finished(where, old):
    x, y = there(where, np.arange(8.0)), there(where, np.zeros(8))
    device.synchronize(where)
    lent = Lent(x, old=old, watched=y)
    double[1, 8](lent, y)
    assert not lent.seen and not memory_of(y).any()  # the kernel has not run, so the memory is still its
    device.synchronize(where)
    double[1, 1](y, there(where, np.zeros(8)))  # what is done is given back by now
    device.synchronize(where)
    assert lent.seen == [(2 * np.arange(8.0)).tolist()] and lent.deleted == 1


@on_machines
@pytest.mark.row("HET-ARR-5", "HET-ARR-14", "HET-ARR-16", "HET-DSC-1", "HET-DSC-3")
def test_layouts_of_tensors(where):
    """Offsets, missing strides, steps in both directions, no elements."""
    numbers = np.arange(48, dtype=np.int16).reshape(6, 8)
    x, out = there(where, numbers), there(where, np.zeros(1, np.int64))

    def sum_of(view, first=0, **options):
        total[1, 1](Lent(x, like=view, first=first, **options), out)
        return int(device.to_numpy(out)[0])

    def expected(view):
        return int(sum((10 * i + j) * int(view[i, j]) for i, j in np.ndindex(view.shape)))

    for view, first in ((numbers, 0), (numbers[1::2, ::3], 8), (numbers[::-1, ::-1], 47), (numbers.T, 0), (numbers[:0], 0), (numbers[:, :0], 0),
                        (np.broadcast_to(numbers[2], (3, 8)), 16)):
        assert sum_of(view, first) == expected(view)
        assert sum_of(view, first, byte_offset=4) == expected(view)
    assert sum_of(numbers[1:3], 8, strides=False) == expected(numbers[1:3])


class Both(Lent):
    @property
    def __cuda_array_interface__(self):
        raise AssertionError("DLPack comes first")


@on_machines
@pytest.mark.row("HET-ARR-15")
def test_dlpack_comes_before_the_cuda_array_interface(where):
    x, y = there(where, np.arange(4.0)), there(where, np.zeros(4))
    double[1, 4](Both(x), Both(y))
    assert device.to_numpy(y).tolist() == [0, 2, 4, 6]


@on_machines
@pytest.mark.row("HET-ARR-16")
def test_read_only_arrays_stay_as_they_are(where):
    x, y = there(where, np.arange(4.0)), there(where, np.zeros(4))
    double[1, 4](Lent(x, flags=1), y)
    with pytest.raises(BufferError, match="(?s)cannot store to a read-only array.*argument 'y'"):
        double[1, 4](y, Lent(x, flags=1))
    assert device.to_numpy(x).tolist() == [0, 1, 2, 3] and device.to_numpy(y).tolist() == [0, 2, 4, 6]


class Interface:
    """An array of a machine by the CUDA Array Interface alone, which ROCm's libraries have too; it does not say whose the memory is."""

    def __init__(self, array, like, first=0, **changes):
        self.kept = array
        self.__cuda_array_interface__ = {"shape": like.shape, "typestr": like.dtype.str, "data": (array.address + first * like.itemsize, False),
                                         "strides": like.strides, "version": 3, **changes}


@on_machines
@pytest.mark.row("HET-ARR-14", "HET-ARR-17")
def test_layouts_of_the_cuda_array_interface(where):
    """Missing strides, steps in both directions, no elements, read-only memory, masks."""
    numbers = np.arange(48, dtype=np.int16).reshape(6, 8)
    x, out = there(where, numbers), there(where, np.zeros(1, np.int64))
    for view, first in ((numbers, 0), (numbers[1::2, ::3], 8), (numbers[::-1, ::-1], 47), (numbers.T, 0), (numbers[:0], 0)):
        total.on(where)[1, 1](Interface(x, view, first), out)
        assert device.to_numpy(out)[0] == sum((10 * i + j) * int(view[i, j]) for i, j in np.ndindex(view.shape))
    total.on(where)[1, 1](Interface(x, numbers, strides=None), out)
    assert device.to_numpy(out)[0] == sum((10 * i + j) * int(numbers[i, j]) for i, j in np.ndindex(numbers.shape))
    on, line, result = double.on(where), there(where, np.arange(4.0)), there(where, np.zeros(4))
    frozen = Interface(line, np.zeros(4), data=(line.address, True))
    on[1, 4](frozen, Interface(result, np.zeros(4)))
    assert device.to_numpy(result).tolist() == [0, 2, 4, 6]
    with pytest.raises(BufferError, match="(?s)cannot store to a read-only array"):
        on[1, 4](result, frozen)
    with pytest.raises(NotImplementedError, match="has a mask, which a kernel cannot see"):
        on[1, 4](Interface(line, np.zeros(4), mask=frozen), result)


@on_machines
@pytest.mark.row("HET-ARR-17")
def test_streams_of_the_cuda_array_interface(where):
    """What is queued on the producer's stream comes before the launch, which is on another."""
    x, y, z = there(where, np.arange(4.0)), there(where, np.zeros(4)), there(where, np.zeros(4))
    device.synchronize(where)
    theirs, ours = stream_of(where), stream_of(where)
    device.launch(double, x, y, grid=1, block=4, stream=theirs)
    double.on(where)[1, 4, ours](Interface(y, np.zeros(4), stream=theirs), Interface(z, np.zeros(4)))
    assert not memory_of(z).any()
    device.synchronize(where, ours)
    assert memory_of(z).tolist() == [0, 4, 8, 12]
    with pytest.raises(BufferError, match="names stream 0, which the protocol forbids"):
        double.on(where)[1, 4](Interface(y, np.zeros(4), stream=0), z)


ALONE = """
import numpy as np
from hetjit import device
import producers

@device.kernel
def double(x, y):
    y[device.tid(1)] = 2 * x[device.tid(1)]

class Numbered(producers.CudaArray):
    device_id = 1

x = np.arange(4.0)
print(device.devices())
for kind in (producers.CudaArray, Numbered):
    try:
        double[1, 4](kind(x), np.zeros(4))
    except ValueError as error:
        print(error)
"""


@pytest.mark.row("HET-ARR-17")
@pytest.mark.parametrize("vendor, library", [("cuda", "HETJIT_CUDA_LIBRARY"), ("hip", "HETJIT_HIP_LIBRARY")])
def test_the_interface_is_of_the_vendor_that_is_there(vendor, library):
    driver = FAKE.with_name(f"libfake_{vendor}.so")
    if not driver.exists():
        pytest.skip("the tests' driver was not built")
    other = {"cuda": "HETJIT_HIP_LIBRARY", "hip": "HETJIT_CUDA_LIBRARY"}[vendor]
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=TESTS / "python", capture_output=True, text=True, timeout=120,
                          env={**os.environ, library: str(driver), other: "/nowhere.so", "HETJIT_HIP_ARCH": "gfx942"})
    assert done.returncode == 0, done.stderr
    assert re.findall(r"'x' is on (\S+) but 'y' is on the CPU", done.stdout) == [f"{vendor}:0", f"{vendor}:1"], done.stdout


# ---- a driver that writes down what it is asked

FAKE = TESTS.parent / os.environ.get("HETJIT_BUILD", "build/release") / "tests/unit/runtime/fake_driver/libfake_cuda.so"
ASKED = """
import ctypes, os, struct
import numpy as np
from hetjit import device
import producers
fake = ctypes.CDLL(os.environ["HETJIT_CUDA_LIBRARY"])
fake.fake_take_calls.restype = ctypes.c_char_p

@device.kernel
def double(x, y):
    y[device.tid(1)] = 2 * x[device.tid(1)]

@device.kernel
def total(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[0] += x[i, j]

def asked(*words):
    lines = fake.fake_take_calls().decode().split("\\n")
    return [line for line in lines if line.startswith(words)]

def waits(lines):
    # up to the launch: on which streams events are recorded, and which wait for them
    for line in lines:
        name, place, *words = line.split()
        if name == "cuLaunchKernel":
            yield f"launch {words[words.index('stream') + 1]}"
            return
        yield {"cuEventRecord": f"event on {words[-1]}", "cuStreamWaitEvent": f"{words[0]} waits"}.get(name, line)

x, y = np.arange(4.0), np.zeros(4)
def cuda(array=x, **changes):
    return producers.CudaArray(array, **changes)

double[1, 4](cuda(), cuda(y))
asked()
for stream, ours in ((None, None), (1, None), (2, None), (0x1230, None), (0x1230, 0x1230), (0x1230, 0x4560), (1, 0x4560)):
    double[1, 4, ours](cuda(stream=stream), cuda(y))
    print("interface", stream, ours, *waits(asked("cuStreamSynchronize", "cuEventRecord", "cuStreamWaitEvent", "cuLaunchKernel")), sep="|")
try:
    double[1, 4](cuda(stream=0), cuda(y))
except BufferError as error:
    print("zero", error, sep="|")

numbers = np.arange(48, dtype=np.int16).reshape(6, 8)
for view in (None, numbers, numbers[1::2, ::3], numbers[::-1, ::-1], numbers.T, numbers[:0]):
    strides, view = (None, numbers) if view is None else (view.strides, view)
    total[1, 1](cuda(view, strides=strides), cuda(np.zeros(1)))
    words = struct.unpack_from("<Q4q", bytes.fromhex(asked("cuLaunchKernel")[0].split()[-1]))
    print("layout", (words[0] - numbers.ctypes.data) // 2 if view.size else "", *words[1:], sep="|")
double[1, 4](cuda(data=(x.ctypes.data, True)), cuda(y))
for wrong in ({"data": (x.ctypes.data, True)}, {"mask": cuda()}, {"strides": (3,)}, {"typestr": ">f8"}, {"data": None}):
    try:
        double[1, 4](cuda(), cuda(y, **wrong))
    except (BufferError, NotImplementedError) as error:
        print(type(error).__name__, str(error).split("\\n")[0].partition(": ")[2], sep="|")

class Counted(producers.Producer):
    def delete(self, pointer):
        super().delete(pointer)
        print("given back", sep="|")
for ours in (None, 0x4560):
    one = Counted(x, device=(producers.CUDA, 0))
    double[1, 4, ours](one, cuda(y))
    print("dlpack", ours, one.asked[0]["stream"], sep="|")
    device.synchronize("cuda:0", ours)
    double[1, 4, ours](cuda(), cuda(y))
    device.synchronize("cuda:0", ours)
    print("deleted", one.deleted, sep="|")
for given in ((x, cuda(y)), (cuda(), y)):
    try:
        device.launch(double, *given, grid=1, block=4, stream=0x4560)
    except (TypeError, ValueError, BufferError) as error:
        print("other side", error, sep="|")
"""
WAITS = """\
interface|None|None|launch 0
interface|1|None|launch 0
interface|2|None|event on 2|0 waits|launch 0
interface|4656|None|event on 4656|0 waits|launch 0
interface|4656|4656|launch 4656
interface|4656|17760|event on 4656|17760 waits|launch 17760
interface|1|17760|event on 0|17760 waits|launch 17760
zero|double(): argument 'x': its __cuda_array_interface__ names stream 0, which the protocol forbids
layout|0|6|8|8|1
layout|0|6|8|8|1
layout|8|3|3|16|3
layout|47|6|8|-8|-1
layout|0|8|6|1|8
layout||0|8|8|1
ReadOnlyError|cannot store to a read-only array
NotImplementedError|argument 'y' has a mask, which a kernel cannot see
BufferError|argument 'y' is not laid out as whole elements
BufferError|argument 'y' has elements of type >f8, which no kernel can read
BufferError|argument 'y': its __cuda_array_interface__ is incomplete: it needs shape, typestr and data, an address and a flag
dlpack|None|1
given back
deleted|1
given back
dlpack|17760|17760
deleted|1
other side|double(): argument 'x' is on the CPU but 'y' is on cuda:0; a kernel runs where all its arrays are: device.array(x, where) copies one there, and device.to_numpy(x) to the host
other side|double(): argument 'x' is on cuda:0 but 'y' is on the CPU; a kernel runs where all its arrays are: device.array(x, where) copies one there, and device.to_numpy(x) to the host
"""


@pytest.mark.row("HET-ARR-16", "HET-ARR-17", "HET-GEN-2", "HETX-KF-3")
def test_streams_of_producers_at_a_driver():
    """Who waits for whom: with the interface our stream for the producer's, with DLPack the producer is told ours. The host for none."""
    if not FAKE.exists():
        pytest.skip("the tests' driver was not built")
    done = subprocess.run([sys.executable, "-c", ASKED], cwd=TESTS / "python", capture_output=True, text=True, timeout=120,
                          env={**os.environ, "HETJIT_CUDA_LIBRARY": str(FAKE)})
    assert done.returncode == 0, done.stderr
    assert done.stdout == WAITS

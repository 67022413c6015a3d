"""Memory of a device that a library allocates: an array there, never read on the host. What stands in for the device is a machine; its memory
is handed to the library by its address."""

import gc

import numpy as np
import pytest

from hetjit import device, interop

pytestmark = pytest.mark.row("SHROUD-GPU-1")

SOURCE = r"""
#include <cstdint>
static int released = 0;
static uintptr_t last = 0;
extern "C" float* gpu_alloc(long address, int n) { return (float*)address; }
extern "C" void gpu_free(void* memory) { ++released; last = (uintptr_t)memory; }
extern "C" int countReleased() { return released; }
extern "C" uint64_t addressOf(const float* x, int n) { return (uint64_t)(uintptr_t)x + n; }
"""

DECLARATIONS = """
#include <stdint.h>
float* gpu_alloc(long address, int n) +dimension(n)+owner(caller)+memory(device)+destructor_name(gpu_free);
void gpu_free(void* memory);
int countReleased();
uint64_t addressOf(const float* x +rank(1)+memory(device), int n +implied(size(x)));
"""


@pytest.fixture(params=["emu:sm_90", "emu:gfx942"])
def where(request):
    had = device.current()
    device.use(request.param)
    yield request.param
    device.use(had)


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(DECLARATIONS, compiled(SOURCE), language="c", destructors={"gpu_free": "gpu_free(ptr);"})


@device.kernel
def double(x):
    i = device.tid(1)
    if i < len(x):
        x[i] *= 2


def test_a_view_is_a_device_array(lib, where):
    memory = device.array(np.arange(8, dtype=np.float32), where)
    start = lib.countReleased()
    made = lib.gpu_alloc(memory.address, 8)
    assert isinstance(made, device.DeviceArray) and made.shape == (8,) and made.device == where
    assert made.address == memory.address
    double.forall(8)(made)
    assert made.copy_to_host().tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    part = made[2:4]
    del made
    gc.collect()
    assert lib.countReleased() == start and part.copy_to_host().tolist() == [4, 6]
    del part
    gc.collect()
    device.synchronize(where)
    assert lib.countReleased() == start + 1


@pytest.mark.parametrize("early", [False, True])
def test_the_destructor_runs_when_the_device_has_done_its_work(lib, where, monkeypatch, early):
    """Waiting comes first, whether the last array ends or its memory is released early."""
    from hetjit import devices
    settled(where)
    start, waited, wait = lib.countReleased(), [], devices.synchronize
    monkeypatch.setattr(devices, "synchronize", lambda *of: (waited.append((of, lib.countReleased())), wait(*of)))
    memory = device.array(np.arange(8, dtype=np.float32), where)
    made = lib.gpu_alloc(memory.address, 8)
    double.forall(8)(made)
    if early:
        own = next(each for each in gc.get_objects() if isinstance(each, interop.Memory) and not each.released and int(each) == memory.address)
        own.delete()
        own.delete()
        assert lib.countReleased() == start + 1
        del own
    del made
    gc.collect()
    wait(where)
    gc.collect()
    assert waited[0] == ((where,), start) and lib.countReleased() == start + 1


def settled(where):
    """What was launched is done, and no longer has its arguments."""
    device.synchronize(where)
    gc.collect()


def test_the_host_never_reads_it(lib, where):
    """At addresses where nothing is."""
    settled(where)
    start = lib.countReleased()
    made = lib.gpu_alloc(4096, 1 << 20)
    assert made.address == 4096 and made.nbytes == 4 << 20 and lib.addressOf(made) == 4096 + (1 << 20)
    del made
    settled(where)
    assert lib.countReleased() == start + 1


def test_arguments_in_a_device_s_memory(lib, where):
    x = device.array(np.zeros(5, np.float32), where)
    assert lib.addressOf(x) == x.address + 5
    with pytest.raises(TypeError, match=r"addressOf\(\): 'x' is in a device's memory, and an array of float32 is not: pass device.array\(x\)"):
        lib.addressOf(np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="'x' is a 1-D array of float32, not a 1-D one of float64"):
        lib.addressOf(device.array(np.zeros(5), where))


def test_a_copy_is_the_host_s_and_releases_it(compiled, where):
    made = interop.bind(DECLARATIONS.replace("+memory(device)+destructor", "+memory(device)+deref(copy)+destructor"), compiled(SOURCE),
                        language="c", destructors={"gpu_free": "gpu_free(ptr);"})
    memory = device.array(np.arange(3, dtype=np.float32), where)
    start = made.countReleased()
    assert made.gpu_alloc(memory.address, 3).tolist() == [0, 1, 2]
    assert made.countReleased() == start + 1


def test_a_device_has_to_be_current(lib):
    if device.current() != "cpu":
        pytest.skip("this machine has a GPU, which is the current device")
    with pytest.raises(device.DeviceError, match="the current device is the CPU"):
        lib.gpu_alloc(4096, 1)


def test_it_is_an_array():
    for extra in ("+deref(scalar)", "+dimension(n)+deref(raw)"):
        with pytest.raises(interop.BindError, match="B135"):
            interop.bind(f"float* f(int n) {extra}+memory(device);")

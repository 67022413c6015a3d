"""A launch that gives less dynamic shared memory than an element of what its kernel uses."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

TARGETS = ["cpu", "emu:sm_90"]


@device.kernel
def turned(x):
    s = device.dynamic_shared_array(device.float64)
    t = int(device.thread_idx.x)
    s[t] = x[t]
    device.syncthreads()
    x[t] = s[len(x) - 1 - t]


@device.func
def kept(t, value):
    s = device.dynamic_shared_array(device.float32)
    s[t] = value
    return s[t]


@device.kernel
def by_a_function(x):
    x[device.tid(1)] = kept(device.thread_idx.x, x[device.tid(1)])


@device.kernel
def asks_how_many(x):
    x[device.tid(1)] = len(device.dynamic_shared_array(device.float32))


@pytest.mark.parametrize("where", TARGETS)
@pytest.mark.parametrize("kernel, size", [(turned, 8), (by_a_function, 4)])
@pytest.mark.parametrize("given", [None, 0, 1, 3])
def test_less_than_an_element_is_refused(where, kernel, size, given):
    x = device.array(np.arange(4.0), where)
    shape = (1, 4) if given is None else (1, 4, None, given)
    with pytest.raises(ValueError, match=rf"elements of {size} bytes, and the launch asks for {given or 0} bytes") as refused:
        kernel[shape](x)
    assert "[grid, block, None, bytes]" in str(refused.value)
    assert x.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("where", TARGETS)
def test_what_the_kernel_needs_is_taken(where):
    x = device.array(np.arange(4.0), where)
    turned[1, 4, None, 32](x)
    assert x.tolist() == [3, 2, 1, 0]
    device.launch(by_a_function, x, grid=1, block=4, shared=16)
    assert x.tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize("where", TARGETS)
def test_who_only_asks_for_its_length_needs_none(where):
    x = device.array(np.ones(4), where)
    asks_how_many[1, 4](x)
    assert x.tolist() == [0, 0, 0, 0]
    asks_how_many[1, 4, None, 11](x)
    assert x.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("way", ["forall", "bound", "launch", "cooperative", "captured"])
def test_every_way_to_launch(way):
    x = np.ones(4)
    turned[1, 4, None, 32](x)
    bound = turned[1, 4]
    with pytest.raises(ValueError, match="dynamic_shared_array"):
        if way == "forall":
            turned.forall(4)(x)
        elif way == "bound":
            bound(x)
        elif way == "launch":
            device.launch(turned, x, grid=1, block=4)
        elif way == "cooperative":
            device.launch(turned, x, grid=1, block=4, cooperative=True)
        else:
            with device.Graph("cpu"):
                turned[1, 4](device.array(x, "cpu"))
    bound = turned[1, 4, None, 32]
    bound(x)
    bound(x)

"""Rows of atomics, orders, scopes and shared memory, on machines in GPUs' places."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import anywhere, everywhere, launched
from hetjit import device

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
SCOPES = ("block", "device", "system")


def told(source, **scope):
    """A kernel of that text: orders and scopes are constants."""
    found = {"device": device, **scope}
    exec(source, found)
    return found["kernel"]


@pytest.mark.row("HETX-MEM-2")
@anywhere
def test_dynamic_shared_memory(where):
    @device.kernel
    def reversed_(x, out):
        i = device.thread_idx.x
        mine = device.dynamic_shared_array(device.float64)
        mine[i] = x[i]
        device.syncthreads()
        out[i] = mine[len(x) - 1 - i]
        if i == 0:
            out[len(x)] = len(mine)
    x = np.arange(24.0)
    out = device.array(np.zeros(25), where)
    reversed_[1, 24, None, 8 * 30](device.array(x, where), out)
    np.testing.assert_array_equal(device.to_numpy(out), [*x[::-1], 30])


@pytest.mark.row("HETX-ORD-1", "HETX-SCO-1", "HETX-AT-2")
@everywhere
@pytest.mark.parametrize("order", ORDERS)
def test_orders_and_scopes(order, where):
    kernel = told(f"""
def kernel(x, out):
    i = device.tid(1)
    out[i, 0] = device.atomic.add(x, i, 2, memory="{order}", scope="block")
    out[i, 1] = device.atomic.add(x, i, 3, memory="{order}", scope="device")
    out[i, 2] = device.atomic.exch(x, i, 50, memory="{order}", scope="system")
    out[i, 3] = device.atomic.cas(x, i, 50, i, memory="{order}", scope="device")
""")
    x = np.arange(100, 140, dtype=np.int32)
    left, out = launched(where, kernel, x, np.zeros((40, 4), np.int32), grid=2, block=20)
    np.testing.assert_array_equal(out, np.stack([x, x + 2, x + 5, x * 0 + 50], 1))
    np.testing.assert_array_equal(left, np.arange(40))


@pytest.mark.row("HETX-AT-4")
@everywhere
@pytest.mark.parametrize("scope", SCOPES)
def test_fences(scope, where):
    kernel = told("def kernel(flag, data):\n    if device.tid(1) == 0:\n        data[0] = 42\n" + "".join(
        f"        device.threadfence('{order}', '{scope}')\n" for order in ORDERS) + "        device.atomic.store(flag, 0, 1, memory='relaxed')\n")
    flag, data = launched(where, kernel, np.zeros(1, np.int32), np.zeros(1, np.int64), block=4)
    assert flag[0] == 1 and data[0] == 42


@device.struct
class Counters:
    hits: device.Atomic(int, align=16)
    total: device.Atomic(device.float64)
    turn: device.Atomic(device.uint32)


@pytest.mark.row("HETX-AT-1", "HET-ATM-1", "HET-ATM-2", "HET-ATM-3", "HET-ATM-8")
@anywhere
def test_atomics_in_structs(where):
    @device.kernel
    def count(counters, x, old):
        i = device.tid(1)
        old[i] = counters[0].hits.add(1)
        counters[0].total.add(x[i])
        device.AtomicRef(x, i).add(1.0)
        device.syncthreads()
        if i == 0:
            old[len(x)] = counters[0].hits.load()
    counters = np.zeros(1, Counters.dtype) if hasattr(Counters, "dtype") else device.to_numpy(device.zeros(1, Counters, "cpu"))
    x = np.arange(32.0)
    there = [device.array(value, where) for value in (counters, x, np.zeros(33, np.int32))]
    count[1, 32](*there)
    left, raised, old = map(device.to_numpy, there)
    assert sorted(old[:32]) == list(range(32)) and old[32] == 32
    np.testing.assert_array_equal(raised, x + 1)
    assert left["hits"]["value"][0] == 32 and left["total"]["value"][0] == x.sum()


@pytest.mark.row("HETX-AT-3", "HET-ATM-4", "HET-ATM-5")
@anywhere
def test_waiting(where):
    @device.kernel
    def hand_over(counters, out):
        if device.block_idx.x == 1:
            out[0] = 7
            counters[0].turn.store(1, memory="release")
            counters[0].turn.notify_all()
        else:
            counters[0].turn.wait(0, memory="acquire")
            out[1] = out[0] + 1
    counters = device.zeros(1, Counters, where)
    out = device.array(np.zeros(2, np.int32), where)
    device.launch(hand_over, counters, out, grid=2, block=1, cooperative=True)
    assert device.to_numpy(out).tolist() == [7, 8]

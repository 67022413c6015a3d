"""PYTEST_DONT_REWRITE: kernels here have asserts of their own.

Launches of kernels whose threads wait for one another, in unusual circumstances: threads that raise while others wait, several Python
threads, a fork, Ctrl-C, launches from callbacks, blocks of every shape, memory over many launches."""

import gc
import os
import signal
import subprocess
import sys
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import test_simt

from hetjit import device

BLOCK = 64
WAYS = [(tier, lanes) for tier in ("whole", "warps", "threads") for lanes in ("1", "8", "16")]


def waves(x, out, turns):
    tile = device.shared_array(BLOCK, device.int32)
    i, j = device.int32(device.thread_idx.x), device.tid(1)
    value = x[j]
    for turn in range(turns):
        tile[i] = value
        device.syncthreads()
        value += tile[(i + turn + 1) % BLOCK]
        device.syncthreads()
    out[j] = value


def waves_of(x, turns):
    parts = []
    for part in x.reshape(-1, BLOCK):
        for turn in range(turns):
            part = part + np.roll(part, -(turn + 1))
        parts.append(part)
    return np.concatenate(parts)


def in_turn(x, out, _):
    """Each thread waits for the one before."""
    state = device.shared_array(2, device.int32)
    i, j = device.int32(device.thread_idx.x), device.tid(1)
    if i < 2:
        state[i] = 0
    device.syncthreads()
    while device.atomic.load(state, 0, "acquire") != i:
        pass
    state[1] = state[1] * 3 + x[j]
    device.atomic.store(state, 0, i + 1, "release")
    device.syncthreads()
    out[j] = state[1]


def in_turn_of(x, _):
    with np.errstate(over="ignore"):
        weights = np.array([3 ** (BLOCK - 1 - i) % 2 ** 32 for i in range(BLOCK)], np.uint32).view(np.int32)
        return np.repeat((x.reshape(-1, BLOCK) * weights).sum(1, dtype=np.int32), BLOCK)


def numbers(blocks, seed=1):
    return np.random.default_rng(seed).integers(0, 50, BLOCK * blocks).astype(np.int32)


def check(kernel, expected, blocks=6, turns=3, seed=1):
    x = numbers(blocks, seed)
    out = np.zeros_like(x)
    kernel[blocks, BLOCK](x, out, turns)
    np.testing.assert_array_equal(out, expected(x, turns))


# ---- threads that raise while others wait

def some_raise(out, x, who):
    tile = device.shared_array(BLOCK, device.int32)
    i, j = device.int32(device.thread_idx.x), device.int32(device.tid(1))
    tile[i] = x[j]
    device.syncthreads()
    if j == who:
        raise ValueError(f"thread {i} has {tile[i]}")
    out[j] = tile[(i + 1) % BLOCK]
    device.syncthreads()
    assert out[j] >= 0, "below"
    out[j] += tile[(i + 2) % BLOCK]


def holds_a_lock(lock, count, who):
    """A thread raises between lock and unlock, another one before."""
    j = device.int32(device.tid(1))
    if j == who:
        raise IndexError("before")
    while device.atomic.exch(lock, 0, 1, "acquire") == 1:
        pass
    count[0] += 1
    device.atomic.store(lock, 0, 0, "release")


@pytest.mark.parametrize("tier, lanes", WAYS)
def test_a_thread_raises_and_the_others_come_to_their_barriers(tier, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", lanes)
    kernel, x = device.kernel(some_raise), np.arange(3 * BLOCK, dtype=np.int32)
    line = some_raise.__code__.co_firstlineno + 6
    want = np.concatenate([np.roll(part, -1) + np.roll(part, -2) for part in x.reshape(3, BLOCK)])
    for _ in range(2):
        out = np.zeros_like(x)
        with pytest.raises(ValueError, match="^thread 37 has 101\n") as found:
            kernel[3, BLOCK](out, x, BLOCK + 37)
        assert found.value.__notes__ == [f"raised by kernel 'some_raise' at {__file__}:{line}, thread (37, 0, 0) of block (1, 0, 0)"]
        others = np.arange(3 * BLOCK) != BLOCK + 37
        np.testing.assert_array_equal(out[others], want[others])
        kernel[3, BLOCK](out, x, -1)
        np.testing.assert_array_equal(out, want)


def raises_and_keeps(where, x, out):
    """What the thread that raises has kept for behind the barrier is no place in memory."""
    own = device.shared_array(BLOCK, device.int32)
    i = device.thread_idx.x
    j = where[i]
    assert j < BLOCK, "too far"
    own[i] = j
    device.syncthreads()
    out[i] = x[j] + own[BLOCK - 1 - i]


@pytest.mark.parametrize("tier, lanes", WAYS)
def test_a_thread_that_raised_does_nothing_behind_a_barrier(tier, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", lanes)
    where, x, out = np.arange(BLOCK, dtype=np.int32), np.arange(BLOCK, dtype=np.int32), np.full(BLOCK, -1, np.int32)
    where[5] = 1 << 30
    with pytest.raises(AssertionError, match="^too far\n"):
        device.kernel(raises_and_keeps)[1, BLOCK](where, x, out)
    others = (np.arange(BLOCK) != 5) & (np.arange(BLOCK) != BLOCK - 6)
    np.testing.assert_array_equal(out[others], BLOCK - 1)
    assert out[5] == -1


def test_a_thread_raises_where_others_lock():
    kernel = device.kernel(holds_a_lock)
    for _ in range(3):
        lock, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
        with pytest.raises(IndexError, match="before"):
            kernel[4, BLOCK](lock, count, 70)
        assert lock[0] == 0 and count[0] == 4 * BLOCK - 1


def raises_with_the_lock(lock, count, at):
    i = device.int32(device.tid(1))
    while device.atomic.cas(lock, 0, 0, 1, "acquire") != 0:
        pass
    count[0] += 1
    if count[0] == at:
        raise IndexError("nobody will unlock")
    device.atomic.store(lock, 0, 0, "release")


@pytest.mark.parametrize("grid, block", [(1, BLOCK), (64, 1), (7, 33)])
def test_who_waits_for_a_thread_that_has_raised_is_ended(grid, block):
    kernel = device.kernel(raises_with_the_lock)
    for at in (1, grid * block // 2, grid * block):
        lock, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
        with pytest.raises(IndexError, match="nobody will unlock"):
            test_simt.within(100, lambda: kernel[grid, block](lock, count, at))
        assert count[0] == at


def speaks(x):
    tile = device.shared_array(BLOCK, device.int32)
    i = device.int32(device.thread_idx.x)
    tile[i] = x[i]
    device.syncthreads()
    if i % 32 == 3:
        print("second", i, tile[(i + 1) % BLOCK])
    device.syncthreads()
    if i == 63:
        print("third", tile[0])


@pytest.mark.parametrize("tier, lanes", WAYS)
def test_threads_print_between_barriers(tier, lanes, monkeypatch, capsys):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", lanes)
    device.kernel(speaks)[1, BLOCK](np.arange(BLOCK, dtype=np.int32) * 2)
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == ["second 3 8", "second 35 72", "third 0"]


# ---- blocks and grids

def neighbours(out):
    tile = device.shared_array(1024, device.int32)
    w, h, d = device.int32(device.block_dim.x), device.int32(device.block_dim.y), device.int32(device.block_dim.z)
    t = device.int32(device.thread_idx.x) + w * (device.int32(device.thread_idx.y) + h * device.int32(device.thread_idx.z))
    tile[t] = 3 * t
    device.syncthreads()
    out[t] = tile[(t + 1) % (w * h * d)] + device.shfl_sync(device.FULL_MASK, t, 0)


def test_one_kernel_in_blocks_of_every_shape():
    kernel = device.kernel(neighbours)
    for block in (1, 7, 32, 33, 1000, 1024, (3, 5), (16, 64), (31, 33), (64, 16), (2, 2, 64), (1, 1, 64), (5, 5, 5)):
        t = np.arange(int(np.prod(block)))
        out = np.zeros(len(t), np.int32)
        kernel[1, block](out)
        np.testing.assert_array_equal(out, np.roll(t, -1) * 3 + t // 32 * 32, str(block))


def counted(tally):
    tile = device.shared_array(1024, device.int32)
    i = device.int32(device.thread_idx.x)
    tile[i] = i
    device.syncthreads()
    if i == 0:
        device.atomic.add(tally, 0, tile[device.block_dim.x - 1] + 1)


@pytest.mark.parametrize("tier", ("whole", "warps", "threads"))
def test_many_blocks_and_large_ones(tier, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    kernel = device.kernel(counted)
    for grid, block in ((20_000, 3), (100, 1024), ((300, 7, 2), 33)):
        tally = np.zeros(1, np.int64)
        kernel[grid, block](tally)
        assert tally[0] == np.prod(grid) * block


@pytest.mark.parametrize("grid, block, says", [
    (0, 64, "grid is 0 in x"), ((1, 0), 64, "grid is 0 in y"), (1, 0, "block is 0 in x"), (1, 1025, "more than the 1024"),
    (1, (1024, 2), "more than the 1024"), (1, (1, 1, 65), "more than the 64")])
def test_grids_and_blocks_that_cannot_be(grid, block, says):
    with pytest.raises(ValueError, match=says):
        device.kernel(counted)[grid, block](np.zeros(1, np.int64))


def of_the_grid(x, out):
    i = device.tid(1)
    for turn in range(3):
        x[i] = i + turn
        device.syncgrid()
        out[i] += x[len(x) - 1 - i]
        device.syncgrid()


def test_cooperative_launches_larger_than_the_machine():
    for grid, block in ((4, 64), (1000, 32), (3000, 2)):
        x, out = np.zeros((2, grid * block), np.int32)
        device.launch(device.kernel(of_the_grid), x, out, grid=grid, block=block, cooperative=True)
        np.testing.assert_array_equal(out, 3 * np.arange(grid * block)[::-1] + 3)


# ---- from several places at once

def test_python_threads_launch_the_same_and_other_kernels():
    kernels = [(device.kernel(waves), waves_of), (device.kernel(in_turn), in_turn_of)]
    failed = []

    def work(number):
        try:
            for turn in range(30):
                check(*kernels[number % 2], turns=turn % 5, seed=number)
        except BaseException as error:
            failed.append(error)
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not failed and not any(thread.is_alive() for thread in threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_after_a_launch():
    kernel = device.kernel(waves)
    check(kernel, waves_of, blocks=40)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            check(kernel, waves_of, blocks=40)
            check(device.kernel(in_turn), in_turn_of, blocks=40)
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    check(kernel, waves_of, blocks=40)


def says(x):
    print(x[device.tid(1)])


def test_launches_from_a_destructor_and_from_what_prints(monkeypatch):
    kernel, done = device.kernel(waves), []

    class Dying:
        def __del__(self):
            check(kernel, waves_of)
            done.append("deleted")

    class Output:
        def write(self, text):
            check(kernel, waves_of)
            done.append(text)

        def flush(self):
            pass
    Dying()
    gc.collect()
    monkeypatch.setattr(sys, "stdout", Output())
    device.kernel(says)[1, 1](np.array([7], np.int32))
    monkeypatch.undo()
    assert done[0] == "deleted" and "".join(done[1:]) == "7\n"


SPINS = """
import numpy as np, os, signal, threading
import test_simt

from hetjit import device

@device.kernel
def spin(flag, x):
    tile = device.shared_array(64, device.int32)
    i = device.int32(device.thread_idx.x)
    tile[i] = i
    device.syncthreads()
    WAIT
    device.syncthreads()
    x[device.tid(1)] = tile[63 - i]

x, flag = np.zeros(256, np.int32), np.ones(1, np.int32)
spin[4, 64](flag, x)
flag[0] = 0
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    spin[4, 64](flag, x)
except KeyboardInterrupt:
    x[:], flag[0] = 0, 1
    spin[4, 64](flag, x)
    print("stopped", x.sum())
"""


@pytest.mark.parametrize("tier, wait", [
    ("whole", "while device.atomic.load(flag, 0) == 0: pass"), ("threads", "device.AtomicRef(flag, 0).wait(0)"),
    *[(tier, "while flag[0] == 0: device.syncthreads()") for tier in ("whole", "warps", "threads")]])
def test_ctrl_c_ends_a_kernel_that_waits_for_ever(tier, wait):
    done = subprocess.run([sys.executable, "-c", SPINS.replace("WAIT", wait)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": ":".join(sys.path), "HETJIT_TIER": tier})
    assert done.stdout == f"stopped {4 * sum(range(64))}\n", done.stderr


# ---- many launches

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="there is no /proc here")
@pytest.mark.parametrize("function, launches", [(waves, 10_000), (in_turn, 2000)], ids=("together", "one by one"))
def test_memory_does_not_grow(function, launches):
    kernel, x = device.kernel(function), numbers(3)
    out = np.zeros_like(x)

    def launch(times):
        for _ in range(times):
            kernel[3, BLOCK](x, out, 2)
        gc.collect()
        return resident()
    before = launch(1000)
    assert launch(launches) - before < launches * 128  # a block's memory would be more than that

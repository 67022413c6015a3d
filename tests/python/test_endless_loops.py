"""A host kernel that never ends is left when a handler of a signal raises, in whatever loop its threads are, and all is in order behind it."""

import pathlib

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device
from hetjit.commands import programs
from test_processes import python

import endless

HERE = str(pathlib.Path(__file__).parent)
BEGIN = f"""
import faulthandler, signal, sys, threading, time
import numpy as np
sys.path.insert(0, {HERE!r})
from hetjit import device
from endless import *
faulthandler.dump_traceback_later(150, exit=True)  # a loop that nobody leaves says where
class Stop(Exception): pass
def stop(*_): raise Stop
signal.signal(signal.SIGALRM, stop)
def arrays(x=0): return np.full(2, x, np.int32), np.zeros(256, np.float32)
def left(kernel, grid=4, after=0.15):
    x, y = arrays()
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        kernel[grid, 64](x, y)
    except Stop:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return False
"""
WAYS = {"as it suits": {}, "thread by thread": {"HETJIT_LANES": "1"}, "4 lanes": {"HETJIT_LANES": "4"}, "warps": {"HETJIT_TIER": "warps"},
        "threads": {"HETJIT_TIER": "threads"}}


def in_a_process(code, threads=2, **environment):
    return python(BEGIN + code, timeout=300, HETJIT_NUM_THREADS=str(threads), **environment).split()


@pytest.mark.differs("waits for signals in a launch")
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("way", WAYS)
def test_every_loop_is_left(way, threads):
    """Twice in a row, then the same kernel to its end."""
    if threads == 4 and way != "as it suits":
        pytest.skip("four threads are for the usual way alone")
    found = in_a_process("""
for name, kernel in KERNELS.items():
    warm = threading.Thread(target=lambda: kernel.precompile([arrays()]))
    warm.start(); warm.join()
    began = time.monotonic()
    assert left(kernel) and left(kernel, grid=1), name
    assert time.monotonic() - began < 20, name
    x, y = arrays(1)
    kernel[4, 64](x, y)
    print(name)
""", threads, **WAYS[way])
    assert [name for name in found if name != "said"] == list(endless.KERNELS)


@pytest.mark.differs("waits for signals in a launch")
def test_control_c():
    assert in_a_process("""
import _thread
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    counts[4, 64](*arrays())
except KeyboardInterrupt:
    print("left")
""") == ["left"]


@pytest.mark.differs("waits for signals in a launch")
def test_launches_of_other_threads_go_on():
    """Of the same kernel, too, which has one word to look at."""
    assert in_a_process("""
@device.kernel
def steps(x, y, n):
    i = device.tid(1)
    k = 1
    while k != n and x[1] == 0:
        k = (k * 5 + 3) % 2147483647
        y[i] += 1
        if k == 0 or y[i] > 3000000:
            return
x, y = arrays()
def other():
    global done
    steps[4, 64](x, y, -1)
    counts[4, 64](arrays(1)[0], y)
    done = y.min()
others = [threading.Thread(target=other) for _ in range(2)]
for one in others: one.start()
print(left(counts), left(counts))
for one in others: one.join()
print(done > 3000000)
""") == ["True", "True", "True"]


@pytest.mark.differs("waits for signals in a launch")
def test_a_handler_may_launch_and_the_loop_goes_on():
    """The same kernel, and one that never ends and is left itself."""
    assert in_a_process("""
x, y = arrays()
seen = []
def handler(*_):
    seen.append(1)
    if len(seen) == 3:
        counts[4, 64](*arrays(1))
        x[0] = 1
        raise Stop
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
try:
    counts[4, 64](x, y)
except Stop:
    print(len(seen))
signal.setitimer(signal.ITIMER_REAL, 0)
def nested(*_):
    signal.signal(signal.SIGALRM, stop)
    print(left(between_barriers), left(nested_kernel))
    raise Stop
nested_kernel = KERNELS["nested"]
signal.signal(signal.SIGALRM, nested)
print(left(counts))
""") == ["3", "True", "True", "True"]


@pytest.mark.differs("counts what is alive")
def test_nothing_is_leaked_and_locks_are_free():
    assert in_a_process("""
import resource
kernels = (counts, between_barriers, parts_at_barriers, spins, in_a_function)
def round():
    for kernel in kernels:
        assert left(kernel, after=0.05)
for kernel in kernels: kernel[4, 64](*arrays(1))  # compiled: what interrupts that leaves it to the next launch
round()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(12): round()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192)
a = device.zeros(1 << 20, device.float32, "cpu")
print(float(device.to_numpy(a).sum()))
""") == ["True", "0.0"]


@pytest.mark.differs("waits for signals in a launch")
def test_a_child_of_a_fork_can_be_left():
    assert in_a_process("""
import os
assert left(counts)
child = os.fork()
if not child:
    os._exit(0 if left(counts) and left(between_barriers) else 1)
print(os.waitpid(child, 0)[1], left(counts))
""") == ["0", "True"]


# ---- the code


def looks(kernel, signature, **options):
    """How often its code looks at the word."""
    request = programs.request_of(device.kernel(**options)(kernel), signature, "cpu:x86-64-v3")
    return request.show("host").count("hetjit_attention(%rip)") + request.show("host").count("hetjit_attend")


def counted(x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        for k in range(x.shape[0]):
            y[i] += x[k]
        for v in x:
            if v < 0:
                break
            y[i] -= v


def endless_(x, y):
    i = device.tid(1)
    while y[i] != 0:
        y[i] = x[i] - y[i]


def test_loops_that_count_do_not_look():
    assert looks(counted, "(float32[:], float32[:])") == 0
    assert looks(endless_, "(float32[:], float32[:])") > 0


def by_the_grid(x, y, n):
    k = device.tid(1)
    while k < x.shape[0]:
        y[0] += x[k]
        k += device.grid_size(1)


def by_the_grid_to_a_number(x, y, n):
    k = device.tid(1)
    while k < n:
        y[0] += x[k]
        k += device.grid_size(1)


def wraps_in_eight_bits(x, y, n):
    k = device.int8(0)
    while k < n:
        y[0] += x[0]
        k += device.int8(1)


def wraps_in_eight_bits_below_an_extent(x, y, n):
    k = device.int8(0)
    while k < x.shape[0]:
        y[0] += x[0]
        k += device.int8(1)


def steps_as_the_launch_says(x, y, n):
    k = 0
    while k < x.shape[0]:
        y[0] += x[k]
        k += n


@pytest.mark.parametrize("kernel, number, ends", [
    (by_the_grid, "int", True), (by_the_grid_to_a_number, "int", True), (by_the_grid_to_a_number, "int64", False),
    (wraps_in_eight_bits, "int", False), (wraps_in_eight_bits_below_an_extent, "int", False), (steps_as_the_launch_says, "int", False)])
def test_counters_that_reach_their_limit(kernel, number, ends):
    """A limit that is no number of the counter's type is never reached by it: the sum wraps, and the loop goes on."""
    assert (looks(kernel, f"(float32[::1], float32[::1], {number})") == 0) == ends


def test_functions_for_cxx_have_nobody_to_look_at():
    def halves(x: int) -> int:
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
        return x
    text = _core.export(_core.capture(halves), "(int)", "cpu:x86-64-v3", "llvm")[0]
    assert b"hetjit_att" not in text


def test_the_word_is_not_there_without_loops():
    request = programs.request_of(device.kernel(counted), "(float32[:], float32[:])", "cpu:x86-64-v3")
    assert "hetjit_attention" not in request.show("host")


@pytest.mark.differs("waits for signals in a launch")
def test_blocks_that_nobody_asks_in():
    """A signal that comes in the first block of several is answered before the second."""
    assert in_a_process("""
import math, os
@device.kernel
def counts(begun, ended, turns):
    device.atomic.exch(begun, 0, 1)
    total = 1.0
    for i in range(turns):
        for j in range(1000):
            total += math.sin(total + j)
    ended[device.block_idx.x] = total + 1e9
begun, ended = np.zeros(1, np.int32), np.zeros(8, np.float32)
began, turns = time.monotonic(), 100
counts[1, 1](begun, ended, turns)
while time.monotonic() - began < 0.5:  # turns that take half a second
    began, turns = time.monotonic(), 2 * turns
    counts[1, 1](begun, ended, turns)
def send():
    while begun[0] == 0: time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGALRM)
begun[:], ended[:] = 0, 0
threading.Thread(target=send).start()
try:
    counts[8, 1](begun, ended, turns)
except Stop:
    print(np.count_nonzero(ended))
""", threads=1) == ["1"]

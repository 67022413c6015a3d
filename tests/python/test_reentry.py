"""Python that runs in the middle of a host launch (signal handlers, finalisers, what prints) may launch, compile, explain and
free like any other."""

import pathlib
import sys
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device
from test_processes import python

HERE = str(pathlib.Path(__file__).parent)


def in_a_process(code):
    """Runs the code beside interrupting.py: what fails here may end the process."""
    return python(f"import sys; sys.path.insert(0, {HERE!r})\nfrom interrupting import *\n{code}", timeout=250,
                  HETJIT_NUM_THREADS="2")


def test_a_handler_launches():
    """The same kernel, others, new ones; three deep; one that raises, and goes on or not."""
    assert in_a_process("""
slow, other = kernel(), kernel("other")
interrupted(slow, lambda: short(slow))
interrupted(slow, lambda: short(other, 10_000))
interrupted(slow, lambda: short(kernel("new")))
interrupted(slow, lambda: slow.explain(NEVER, np.zeros(1, np.float32), 1))
nested = lambda depth: lambda: depth and interrupted(slow, nested(depth - 1))
interrupted(slow, nested(3))
def raises():
    raise LookupError("of the handler")
try:
    interrupted(slow, raises)
except LookupError as error:
    print(error)
interrupted(slow, lambda: short(slow))
print("end")
""").split("\n")[:-1] == ["of the handler", "end"]


def test_a_handler_launches_kernels_that_speak():
    """What they say is said once, by each launch for itself."""
    out = in_a_process("""
loud = kernel("loud", "print('block', device.block_idx.x) if n < 9 else None\\n    assert n != 7, 'seven'")
def speak(n):
    loud[2, 1](NEVER, np.zeros(1, np.float32), n)
def fails():
    try:
        speak(7)
    except AssertionError as error:
        return str(error)
interrupted(loud, lambda: speak(8))
print(interrupted(loud, fails))
print(interrupted(loud, lambda: interrupted(loud, fails)))
try:
    interrupted(loud, lambda: speak(7))
except AssertionError as error:
    print("ended by", error)
speak(8)
""").split("\n")[:-1]
    blocks = ["block 0", "block 1"]
    assert [sorted(out[i:i + 2]) for i in (0, 2, 5, 8, 11)] == [blocks] * 5, out
    assert [out[i] for i in (4, 7, 10)] == ["seven", "seven", "ended by seven"]


def test_a_handler_interrupts_blocks_that_wait():
    """In the middle of a block: its memory, and what its watch knows, stay as they were."""
    assert in_a_process("""
def turns(options):
    text = '''
@device.kernel{options}
def turn(flag, out, n):
    mine = device.shared_array(64, device.int32)
    i = device.thread_idx.x
    mine[i] = i
    while flag[0] == 0:
        device.syncthreads()
    device.syncthreads()
    out[i] = mine[63 - i]
'''
    scope = {"device": device}
    exec(text.format(options=options), scope)
    return scope["turn"]
for options in ("", "(check='race')"):
    turn = turns(options)
    want = np.arange(63, -1, -1, dtype=np.int32)
    def small():
        out = np.zeros(64, np.int32)
        turn[1, 64](NEVER, out, 0)
        assert (out == want).all()
    small()
    flag, out = np.zeros(1, np.int32), np.zeros(64, np.int32)
    def handler(*_):
        small()
        flag[0] = 1
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    turn[1, 64](flag, out, 0)
    assert (out == want).all(), (options, out)
print("end")
""") == "end\n"


def test_a_handler_frees_what_runs():
    assert in_a_process("""
import gc, weakref
scope = {"device": device, "G": 0}
exec(TEXT.format(name="f", options="", more="out[0] += G * 0"), scope)
def rebind():
    for scope["G"] in range(1, 20):
        scope["f"].explain(NEVER, np.zeros(1, np.float32), 1)
        if scope["G"] % 4 == 0:
            short(scope["f"])
    gc.collect()
interrupted(scope["f"], rebind)
assert scope["f"].specializations <= 17, scope["f"].specializations
def forget():
    alive = weakref.ref(scope["f"])
    del scope["f"]
    gc.collect()
    return alive
alive = interrupted(scope["f"], forget)
gc.collect()
assert alive() is None
print("end")
""") == "end\n"


def test_finalisers_and_streams_that_launch():
    """Collected in the middle of a launch (where Python 3.12 and later collect), or called while a launch's text is written."""
    assert in_a_process("""
import gc, sys
slow, loud = kernel(), kernel("loud", "print('said') if n == 8 else None")
ran = []
class Launches:
    def __init__(self):
        self.me = self
    def __del__(self):
        short(slow)
        ran.append(1)
def litter():
    gc.set_threshold(5)
    for _ in range(20):
        Launches()
interrupted(slow, litter)
gc.set_threshold(700)
gc.collect()
class Stream:
    def write(self, text):
        short(loud)
        slow.explain(NEVER, np.zeros(1, np.float32), 1)
        ran.append(text)
    def flush(self):
        pass
before, sys.stdout = sys.stdout, Stream()
loud[1, 1](NEVER, np.zeros(1, np.float32), 8)
sys.stdout = before
assert sum(one == 1 for one in ran) == 20 and "".join(map(str, ran[20:])).strip() == "said", ran
print("end")
""") == "end\n"


def test_explaining_and_rebinding_while_other_threads_launch():
    assert in_a_process("""
import threading
scope = {"device": device, "G": 0}
exec(TEXT.format(name="f", options="", more="assert n > G"), scope)
f, flag = scope["f"], np.zeros(1, np.int32)
short(f)
threads = [threading.Thread(target=f[50_000, 1], args=(flag, np.zeros(1, np.float32), ROUNDS)) for _ in range(3)]
for thread in threads:
    thread.start()
for G in range(1, 20):
    scope["G"] = G
    f.explain(NEVER, np.zeros(1, np.float32), 30)
    if G % 5 == 0:
        short(f)
flag[0] = 1
for thread in threads:
    thread.join()
print("end")
""") == "end\n"


def test_a_fork_in_the_middle_of_a_launch():
    """The child of a handler's fork can launch; the launch that it was in has ended for it."""
    out = in_a_process("""
import os, warnings
warnings.simplefilter("ignore")
slow = kernel()
parent = os.getpid()
def fork():
    child = os.fork()
    if child == 0:
        short(slow, 10_000)
    return child
try:
    child = interrupted(slow, fork)
except device.DeviceError as error:
    short(slow, 10_000)
    assert os.getpid() != parent and "fork" in str(error)
    os._exit(7)
assert os.getpid() == parent
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert out == "7\n"


def test_kernels_that_speak_do_not_wait_for_each_other():
    """One launch of a kernel that may raise does not wait for another thread's."""
    @device.kernel
    def meet(here, there):
        device.atomic.add(here, 0, 1)
        while device.atomic.add(there, 0, 0) == 0:
            pass
        if here[0] == 0:
            raise ValueError("not even here")
    done = np.ones(1, np.int32)
    meet[1, 1](done, done)
    one, other = np.zeros(1, np.int32), np.zeros(1, np.int32)
    thread = threading.Thread(target=meet[1, 1], args=(one, other))
    thread.start()
    meet[1, 1](other, one)
    thread.join()
    assert one[0] == other[0] == 1

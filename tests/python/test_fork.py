"""os.fork and multiprocessing at every moment of a compilation or launch in another thread: the child works."""

import os

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")

from test_processes import python

# Children end by themselves with a word; one that hangs is killed by its alarm, which is not 0.
FORK = """
import os, signal, sys, threading, time, warnings
import numpy as np
from hetjit import device
warnings.simplefilter("ignore")
def child(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        work()
        os._exit(0)
    return pid
def wait(*pids):
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
TEXT = '''
@device.kernel
def f(x, n):
    i = device.tid(1)
    if i < len(x):
        x[i] = n + {0} + device.random.uniform(n, i, {0}) * 0
'''
def make(number):
    scope = {"device": device}
    exec(TEXT.format(number), scope)
    return scope["f"]
def check(number, x=None):
    x = np.zeros(1000, np.float32)
    make(number)[8, 128](x, 1)
    assert (x == number + 1).all()
"""


def test_forks_during_the_first_compilation():
    """At moments spread over it; each child compiles and launches."""
    assert python(FORK + """
def compile_and_fork(moment):
    thread = threading.Thread(target=check, args=(moment,))
    thread.start()
    time.sleep(moment * 0.006)
    pids = [child(lambda: check(1000 + k)) for k in range(2)]
    thread.join()
    sys.exit(any(wait(*pids)))
def first(moment):
    try:
        compile_and_fork(moment)
    except SystemExit as end:
        os._exit(end.code)
for moment in range(6):
    assert wait(child(lambda: first(moment))) == [0], moment
print("end")
""", timeout=280) == "end\n"


def test_forks_under_load():
    """While threads compile, launch, explain and link."""
    assert python(FORK + """
stop, wrong = threading.Event(), []
def load(number):
    try:
        while not stop.is_set():
            check(number)
            make(number).explain(np.zeros(3), 1)
            number += 10
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=load, args=(k,)) for k in range(3)]
for thread in threads:
    thread.start()
shared = make(5)
x = np.zeros(1000, np.float32)
shared[8, 128](x, 1)
codes = []
for n in range(16):
    def work():
        shared[8, 128](x, 2)
        assert (x == 7).all()
        if n % 8 == 0:
            check(n)
    codes += wait(child(work))
stop.set()
for thread in threads:
    thread.join()
print(sum(codes), wrong)
""", timeout=280) == "0 []\n"


def test_forks_during_launches():
    assert python(FORK + """
@device.kernel
def long(flag, out):
    if flag[0] == 0:
        t = 0.5
        for i in range(100000):
            t = t * 0.999 + 0.001
        out[0] = t
    assert flag[0] < 5
flag, out = np.zeros(1, np.int32), np.zeros(1, np.float32)
done = np.ones(1, np.int32)
long[4, 1](done, out)
thread = threading.Thread(target=long[50_000, 1], args=(flag, out))
thread.start()
pids = [child(lambda: long[10_000, 1](done, np.zeros(1, np.float32))) for _ in range(5)]
codes = wait(*pids)
flag[0] = 1
thread.join()
print(codes)
""", timeout=200) == "[0, 0, 0, 0, 0]\n"


def test_multiprocessing_by_fork():
    assert python(FORK + """
import multiprocessing
def work(number):
    check(number % 3)
    return number
check(0)
stop = threading.Event()
def load():
    number = 10
    while not stop.is_set():
        check(number)
        number += 1
thread = threading.Thread(target=load)
thread.start()
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(sum(pool.map(work, range(12))))
stop.set()
thread.join()
""", timeout=280) == "66\n"


def test_forks_while_an_emulated_device_is_compiled_for():
    """Its driver is Python: a fork that kept the GIL and waited for it would wait for ever."""
    assert python(FORK + """
x = device.array(np.zeros(32, np.float32), "emu:sm_90")
stop, codes = threading.Event(), []
def forks():
    while not stop.is_set():
        codes.extend(wait(child(lambda: None)))
thread = threading.Thread(target=forks)
thread.start()
for number in range(12):
    make(number)[1, 32](x, 1)
stop.set()
thread.join()
print(any(codes))
""", timeout=120) == "False\n"

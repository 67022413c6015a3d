"""Programs without measure: constants, names and texts that nobody writes by hand. Each compiles or is a Python exception."""

import linecache
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device
from test_processes import python


def nested(depth, inner=1):
    for _ in range(depth):
        inner = (inner,)
    return inner


def shared(levels):
    made = (1, 2)
    for _ in range(levels):
        made = (made, made)
    return made


def kernel_of(constant):
    scope = {"T": constant}
    exec("def f(o):\n    o[0] = len(T)\n", scope)
    return device.kernel(scope["f"])


@pytest.mark.parametrize("make, message", [
    (lambda: nested(50_000), "is a tuple nested more than 64 deep"),
    (lambda: nested(65), "a tuple nested more than 64 deep"), (lambda: shared(40), "a tuple of more than 65536 items"),
    (lambda: tuple(range(70_000)), "a tuple of more than 65536 items"),
    (lambda: nested(200, slice(1, 2)), "a tuple nested more"), (lambda: slice(nested(80)), "a slice nested more"),
], ids=["deep", "deeper", "shared", "long", "slice inside", "inside a slice"])
def test_constants_without_measure(make, message):
    constant = make()
    with pytest.raises(device.CompileError, match=message):
        kernel_of(constant)[1, 1](np.zeros(1))

    @device.kernel
    def f(o, c: device.ConstExpr):
        o[0] = len(c)
    for again in (constant, make()):
        with pytest.raises(device.CompileError, match=message):
            f[1, 1](np.zeros(1), again)


def test_constants_at_the_limit():
    out = np.zeros(1)
    kernel_of(nested(60))[1, 1](out)
    assert out[0] == 1
    kernel_of(shared(8))[1, 1](out)
    assert out[0] == 2
    kernel_of(tuple(range(60_000)))[1, 1](out)
    assert out[0] == 60_000


def test_a_long_constant_indexed_by_a_variable():
    table = tuple((k * 7919) % 1000 - 500 for k in range(600))
    scope = {"T": table, "device": device}
    exec("def f(o, n):\n    i = device.tid(1)\n    o[i] = T[i - n]\n", scope)
    for first in (0, 300, 600):  # negative ones count from the end
        out = np.zeros(600, np.int64)
        device.kernel(scope["f"])[6, 100](out, first)
        assert (out == np.roll(table, first)).all()


@pytest.mark.parametrize("text, message", [
    ("for i in range(130): t = ((t,),)", r"nesting '\(t,\)' more than 256 deep"),
    ("t = (t,)\n    " * 2000, r"nesting '\(t,\)' more than 256 deep"),
    ("for i in range(100): t = (t, t)", "more than 4096 parts"),
])
def test_values_that_grow(text, message):
    scope, file = {}, f"<{len(text)}>"
    source = f"def f(o):\n    t = 1\n    {text}\n    o[0] = 1\n"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), scope)
    with pytest.raises(device.CompileError, match=message):
        device.kernel(scope["f"])[1, 1](np.zeros(1))


DEEP = {
    "else-if": "def f(o, n):\n    if n == 0: o[0] = 0\n" + "".join(f"    elif n == {k}: o[0] = {k}\n" for k in range(1, 1200)),
    "sum": "def f(o, n):\n    x = o[0]\n" + "    x = x * n + 1\n" * 4000 + "    o[0] = x\n",
    "branches": "def f(o, n):\n    x = n\n" + "    if x > 3: x = x - 1\n    else: x = x + 2\n" * 1000 + "    o[0] = x\n",
    "closures": "def f(o, n):\n    g = lambda: n\n" + "".join(f"    g{k} = lambda: {k}\n" for k in range(300)) + "    o[0] = g()\n",
    "nested loops": "def f(o, n):\n" + "".join("    " * (k + 1) + f"for i{k} in range(n):\n" for k in range(19)) + "    " * 20 + "o[0] += 1\n",
    "calls": "def f(o, n):\n    o[0] = h0(n)\n" + "".join(f"def h{k}(x): return h{k + 1}(x) + 1\n" for k in range(60)) + "def h60(x): return x\n",
    "expression": "def f(o, n):\n    o[0] = " + "(n + " * 90 + "1" + ")" * 90 + "\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_programs(name):
    """In a thread with a small stack, too: nothing overflows."""
    assert python(f"""
import threading
import numpy as np
from hetjit import device
scope = {{}}
exec({DEEP[name]!r}, scope)
def run():
    try:
        device.kernel(scope["f"])[1, 1](np.zeros(1), 1)
    except device.CompileError as error:
        print(str(error)[:300])
    print("end")
run()
""", timeout=250).endswith("end\n")


NAMES = ["llvm.memcpy.p0.p0.i64", "llvm", "llvm.dbg.value", "main", "printf", "memcpy", "sinf", "abort", "vprintf", "__nv_sinf",
         "__ocml_sin_f32", "__kmpc_fork_call", "hetjit_block_memory", "hetjit_run_blocks", "_ZTV", "a.b.c", "été", "", " ", "\n",
         "ret", "WARP_SZ", "%tid", "$", "x" * 100_000, "add", "f.body", "_", "0", "\U0001F600", '"', ".entry", "reg", "malloc"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: repr(name[:20]))
def test_names(name):
    """Of kernels, and of the functions that they call."""
    def scale(x):
        return device.random.uniform(1, 2, 3) * 0 + x * 3
    scale.__code__ = scale.__code__.replace(co_name=name)

    @device.kernel(name=name)
    def f(x):
        i = device.tid(1)
        x[i] = scale(x[i]) + device.thread_idx.x * 0
    x = np.ones(300, np.float32)
    f[3, 100](x)
    assert (x == 3).all()


def test_names_with_a_null_are_refused():
    with pytest.raises(ValueError, match="null"):
        device.kernel(name="a\0b")(lambda x: None)


def test_kernels_of_one_name():
    def make(value):
        @device.kernel(name="same")
        def f(x):
            x[0] = value
        return f
    kernels, x = [make(k) for k in range(3)], np.zeros(1)
    for k, kernel in enumerate(kernels + kernels):
        kernel[1, 1](x)
        assert x[0] == k % 3


# Threads of a program with little stack of their own. First they are the first to compile what they launch, then it is ready.
SMALL_STACKS = """
import sys, threading, warnings
import numpy as np
from hetjit import device
warnings.simplefilter("ignore")

@device.kernel
def waits(x):
    s = device.shared_array(64, device.float32)
    s[device.thread_idx.x] = x[device.tid(1)]
    device.syncthreads()
    x[device.tid(1)] = s[63 - device.thread_idx.x] + 1

@device.kernel
def shares(x):
    s = device.shared_array(200_000, device.float32)
    i = device.thread_idx.x
    s[199_999 - i] = x[device.tid(1)]
    device.syncthreads()
    x[device.tid(1)] = s[199_936 + i] + 1

def depth(n, x):
    mine = device.local_array(1000, device.float32)
    mine[n] = x
    return mine[n] if n < 1 else depth(n - 1, x) + mine[n] - x

@device.kernel
def recurs(x):
    x[device.tid(1)] = depth(100, x[device.tid(1)]) + 1

def sums(x):
    return x + 1
for _ in range(150):
    sums = (lambda inner: lambda x: inner(x) * 1)(sums)

@device.kernel
def calls(x):
    x[device.tid(1)] = sums(x[device.tid(1)])

def launch(kernel):
    x = np.zeros(128, np.float32)
    kernel[2, 64](x)
    return (x == 1).all()

def emit(kernel):
    targets = {"cpu": "obj"} if kernel is shares else {"cpu": "obj", "cuda:sm_90": "asm", "hip:gfx942": "obj"}
    return all(device.emit(kernel, "(float32[:])", target=target, kind=kind) for target, kind in targets.items())

WORKS = {"launch": launch, "emit": emit, "explain": lambda kernel: kernel.explain(np.zeros(128, np.float32))}
threading.stack_size(int(sys.argv[1]) * 1024)
wrong = []

def work(name, kernel, times):
    try:
        for _ in range(times):
            if not WORKS[name](kernel):
                wrong.append((name, kernel))
    except BaseException as error:
        wrong.append((name, kernel, error))

def in_threads(name, kernel, threads, times):
    made = [threading.Thread(target=work, args=(name, kernel, times)) for _ in range(threads)]
    for thread in made:
        thread.start()
    return made
"""


def on_small_stacks(kilobytes, code):
    done = subprocess.run([sys.executable, "-c", SMALL_STACKS + code, str(kilobytes)], capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr + done.stdout


@pytest.mark.parametrize("kilobytes", [64, 128, 256, 1024])
@pytest.mark.parametrize("name", ["launch", "explain", "emit"])
def test_threads_with_small_stacks(name, kilobytes):
    """What takes more than they have runs on a stack of its own."""
    on_small_stacks(kilobytes, f"""
for kernel in (waits, shares, recurs, calls):
    for threads, times in ((1, 1), (3, 2)):
        for thread in in_threads({name!r}, kernel, threads, times):
            thread.join()
print(wrong)
""")


def test_a_launch_on_another_stack_can_be_interrupted():
    """By a signal's handler in the thread that waits for it."""
    code = """
import signal, sys
import numpy as np
from hetjit import device
@device.kernel
def spins(x):
    while device.atomic.load(x, 0) == 0:
        pass
class Enough(Exception): pass
def handler(*_): raise Enough
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 1)
try:
    spins[1, 1](np.zeros(1, np.int32))
except Enough:
    print("interrupted")
"""
    done = subprocess.run(["sh", "-c", 'ulimit -s 1200 && exec "$0" -c "$1"', sys.executable, code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def test_forks_beside_threads_with_small_stacks():
    on_small_stacks(64, """
import os, signal
made = [thread for kernel in (waits, recurs, calls) for thread in in_threads("launch", kernel, 1, 20)]
while any(thread.is_alive() for thread in made):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        os._exit(0 if launch(waits) else 1)
    if os.waitpid(pid, 0)[1]:
        wrong.append("a child")
print(wrong)
""")


def test_small_stacks_where_memory_is_short():
    """None for another stack: a MemoryError."""
    pytest.importorskip("resource", reason="no limits of memory on this system")
    on_small_stacks(64, """
import resource
launch(waits)
def limited():
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + 3_000_000, hard))
    work("launch", waits, 1)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    work("launch", waits, 1)
thread = threading.Thread(target=limited)
thread.start()
thread.join()
print([] if [type(each[-1]) for each in wrong] == [MemoryError] else wrong)
""")

"""Memory that does not suffice: for a process's first compilation, for later ones. A MemoryError, and the process goes on."""

import collections
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
resource = pytest.importorskip("resource", reason="no limits of memory on this system")
if not sys.platform.startswith("linux"):
    pytest.skip("RLIMIT_AS is kept on Linux only", allow_module_level=True)

from test_processes import python

# One process per limit, forked from this one. A line for each: what the work came to under the limit, and what it comes to
# when the limit is lifted.
LIMITED = """
import math, os, resource, signal, sys, warnings
import numpy as np
from hetjit import device
warnings.simplefilter("ignore")
TEXT = '''
@device.kernel
def f(x, n):
    i = device.tid(1)
    s = device.shared_array(64, device.float32)
    s[device.thread_idx.x] = n
    device.syncthreads()
    if i < len(x):
        x[i] = s[63 - device.thread_idx.x] + device.random.normal(1, i, 2) * 0
    assert n > 0
'''
def make(lines):
    scope = {"device": device, "math": math}
    exec(TEXT + "    if n > 2: x[i] = x[i // int(n)] ** 2 + math.sin(n * i)\\n" * lines, scope)
    return scope["f"]
def size():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
def word(work):
    try:
        work()
        return "ok"
    except MemoryError:
        return "MemoryError"
    except BaseException as error:
        return type(error).__name__ + ": " + str(error)[:80]
def emit(f, target):
    return device.emit(f, "(float32[:], float)", target=target, kind="asm" if "cuda" in target else "obj")
x = np.zeros(128, np.float32)
WORKS = {"launch": lambda f: f[2, 64](x, 1), "explain": lambda f: f.explain(x, 2.5), "cpu": lambda f: emit(f, "cpu"),
         "cuda": lambda f: emit(f, "cuda:sm_90"), "hip": lambda f: emit(f, "hip:gfx942")}
def limited(room, work, f):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size() + room, hard))
    first = word(lambda: work(f))
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return first + "|" + word(lambda: WORKS["launch"](f))
def report(*given):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        os.write(write, limited(*given).encode())
        os._exit(0)
    os.close(write)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with os.fdopen(read) as file:
        print(file.read() or f"died with {code}", flush=True)
"""


def swept(code):
    """How often which line was printed. With one heap: the C library reserves tens of MiB for each further one, which no limit ends."""
    return collections.Counter(python(LIMITED + code, timeout=280, MALLOC_ARENA_MAX="1").split("\n")[:-1])


def test_first_compilations():
    """LLVM cannot be ended in the middle of what it does first: it is not begun."""
    found = swept("""
f = make(0)
for work in WORKS.values():
    for room in (0, 2300, 2500, 20_000, 200_000):
        report(room * 1000, work, f)
""")
    assert found == {"MemoryError|ok": 20, "ok|ok": 5}


@pytest.mark.parametrize("work, lines", [("launch", 120), ("hip", 16)])
def test_later_compilations(work, lines):
    """Of a larger program than the first, so much that what the first has left free does not suffice: memory ends at any place."""
    found = swept(f"""
work, f = WORKS[{work!r}], make({lines})
work(make(0))
for room in list(range(0, 6_000, 1_100)) + [200_000]:
    report(room * 1000, work, f)
""")
    assert set(found) == {"ok|ok", "MemoryError|ok"}, found


def test_launches():
    """Of a compiled kernel whose larger blocks want memory, by a process that has no threads for them yet."""
    found = swept("""
@device.kernel
def f(x, n):
    i = device.thread_idx.x
    s = device.shared_array(200_000, device.float32)
    t = device.local_array(1_000, device.float32)
    s[i] = n
    t[n] = n
    device.syncthreads()
    x[i] = s[len(x) - 1 - i] + t[n]
y = np.zeros(1024, np.float32)
def launch(kernel):
    kernel[100, 1024](y, 7)
    assert (y == 14).all()
WORKS["launch"] = launch
f[1, 1](y[:1], 7)
for room in (0, 1000, 3000, 5000, 9000, 12_000, 20_000, 200_000):
    report(room * 1000, launch, f)
""")
    assert set(found) == {"ok|ok", "MemoryError|ok"}, found


def test_long_chains_of_calls():
    """Typed on stacks of their own, every so many calls: what ends there ends the compilation, not the process."""
    found = swept("""
def chain(tag):
    lines = ["def f0(x): return x + %d" % tag]
    for i in range(1, 70):
        lines.append(f"def f{i}(x):\\n    y = x\\n" + "    y = y * 1.5 + math.sin(y) - x\\n" * 12 + f"    return f{i - 1}(y)")
    scope = {"device": device, "math": math}
    exec("\\n".join(lines) + "\\n@device.kernel\\ndef k(x, n): x[0] = f69(n)\\n", scope)
    return scope["k"]
WORKS["launch"](make(0))
for room in range(500, 20_000, 1_500):
    report(room * 1000, WORKS["launch"], chain(room))
""")
    assert set(found) <= {"ok|ok", "MemoryError|ok"} and found["MemoryError|ok"] > 3, found

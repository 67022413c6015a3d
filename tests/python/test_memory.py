"""Compilations that memory does not suffice for, in a process that has compiled before: a MemoryError, and the process goes on."""

import collections
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
resource = pytest.importorskip("resource", reason="no limits of memory on this system")
if not sys.platform.startswith("linux"):
    pytest.skip("RLIMIT_AS is kept on Linux only", allow_module_level=True)

from test_processes import python

# One process per limit, forked from one that has compiled.
LIMITED = """
import os, resource, signal, sys, warnings
import numpy as np
from hetjit import device
warnings.simplefilter("ignore")
@device.kernel
def f(x, n):
    i = device.tid(1)
    s = device.shared_array(64, device.float32)
    s[device.thread_idx.x] = n
    device.syncthreads()
    if i < len(x):
        x[i] = s[63 - device.thread_idx.x] + device.random.normal(1, i, 2) * 0
    assert n > 0
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
def limited(room):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size() + room, hard))
    x = np.zeros(128, np.float32)
    words = [word(lambda: device.emit(f, "(float32[:], int)", kind="obj")), word(lambda: f.explain(x, 2.5))]
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    words.append(word(lambda: f[2, 64](x, 1)))  # with enough of it again
    return words
def report(room):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        os.write(write, "|".join(limited(room)).encode())
        os._exit(0)
    os.close(write)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with os.fdopen(read) as file:
        print(file.read() or f"died with {code}|-|-", flush=True)
device.emit(f, "(float32[:], float)", kind="obj")
for room in map(int, sys.argv[1].split(",")):
    report(room)
"""


def test_limits(tmp_path):
    script = tmp_path / "limited.py"
    script.write_text(LIMITED)
    rooms = [k * 400_000 for k in range(12)] + [k * 2_000_000 for k in range(3, 12)]
    out = python(f"import sys, runpy; sys.argv = ['', {','.join(map(str, rooms))!r}]\n"
                 f"runpy.run_path({str(script)!r}, run_name='__main__')", timeout=280)
    lines = [line.split("|") for line in out.strip().split("\n")]
    assert len(lines) == len(rooms)
    found = collections.Counter(words[0] for words in lines) + collections.Counter(words[1] for words in lines)
    assert set(found) == {"ok", "MemoryError"}, found
    assert [words[2] for words in lines] == ["ok"] * len(rooms), lines

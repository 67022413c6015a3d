"""Sub-interpreters: each has a module, types and kernels of its own; from 3.12 on they run at a time; and what they leave when they end."""

import json
import os
import subprocess
import sys

import pytest

import in_interpreters
from hetjit import device

COUNT, CONTROLS = 100, 25  # interpreters that run kernels, and that do not
SLACK = 4096  # bytes of an interpreter: 3.11 has one table of names for all, of which a larger one is made at times

try:
    in_interpreters.interpreters()
except ImportError:
    pytest.skip("no sub-interpreters in this Python", allow_module_level=True)


@pytest.mark.row("HPY-SUB-1")
@pytest.mark.row("HPY-CTX-1")
def test_interpreters_at_a_time():
    in_interpreters.side_by_side(in_interpreters.USE, 20)
    out = device.array([1], device="cpu")

    @device.kernel
    def increment(x):
        x[0] += 1
    increment.on("cpu")[1, 1](out)
    assert out.tolist() == [2]


@pytest.mark.row("HPY-CTX-1")
def test_what_one_knows_no_other_does():
    """The device in use is the interpreter's own, and so is what it has compiled."""
    before = device.current()
    in_interpreters.run("from hetjit import device\ndevice.use('null')\nassert device.current() == 'null'")
    assert device.current() == before
    in_interpreters.run(f"from hetjit import device\nassert device.current() == {before!r}")


@pytest.fixture(scope="module")
def left():
    """Bytes that one interpreter leaves. Every object has memory of its own here: with Python's allocator an interpreter that has a lock of
    its own leaves all of its arenas of 1 MiB, whatever it ran, up to 3.13 at least. And no thread keeps memory for itself, which counts as used until
    some time after the thread has ended: 230 KB of each."""
    if not hasattr(__import__("ctypes").CDLL(None), "mallinfo2"):
        pytest.skip("this C library does not say how much memory is in use (glibc does from 2.33 on)")
    environment = os.environ | {"PYTHONMALLOC": "malloc", "HETJIT_DEBUG": "", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
    done = subprocess.run([sys.executable, in_interpreters.__file__, str(COUNT), str(CONTROLS)], env=environment | {"PYTHONPATH": os.pathsep.join(sys.path)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.row("HPY-TYP-6")
def test_interpreters_leave_nothing_behind(left):
    """No more than Python itself leaves of one that imports the same modules: on 3.11 next to nothing, from 3.12 on the names in its code and its
    extensions, which are interned in each interpreter and never given back, hetjit's as anyone's. The control has the same names."""
    assert left["ours"] <= 1.1 * max(left["control"], 0) + SLACK, left

"""`python -m hetjit bench`: what it measures, on what, and what it says."""

import json
import os
import subprocess
import sys

import pytest

from hetjit import device
from hetjit.commands import bench, programs, traffic

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


# ---- which arrays a kernel uses

@device.func
def store_first(to, value):
    to[0] = value


@device.func
def second(pair):
    return pair[1]


def adds(x, y, out):
    i = device.tid(1)
    out[i] = x[i] + y[i]


def in_place(x, y):
    y[0] += x[0]


def sizes_only(x, out):
    out[0] = len(x)


def by_views(x, t, out):
    row = x[1] if device.tid(1) > 3 else x[2]
    a, b = t
    for i in range(3):
        row[i] = a[i]
    out[0:3] = b[3:6]


def by_calls(x, pair, out):
    store_first(x[1], second(pair)[0])
    store_first(out, 1.0)


def atomics(x, y, out):
    device.atomic.add(out, 0, 1.0)
    device.AtomicRef(y, 0).store(2.0)


def shared(x, out):
    tile = device.shared_array(3, device.float32)
    tile[0] = x[0]
    device.syncthreads()
    out[0] = tile[1]


def loops(x, y, out):
    view = x
    for i in range(len(out)):
        out[i] = view[i]
        view = y


ONE, TWO, PAIR = "float32[:]", "float32[:, :]", "(float32[:], float32[:])"


@pytest.mark.parametrize("function, signature, reads, writes", [
    (adds, (ONE, ONE, ONE), {0, 1}, {2}), (in_place, (ONE, ONE), {0, 1}, {1}), (sizes_only, (ONE, ONE), set(), {1}),
    (by_views, (TWO, PAIR, ONE), {1}, {0, 2}), (by_calls, (TWO, PAIR, ONE), {1}, {0, 2}), (shared, (ONE, ONE), {0}, {1}),
    (loops, (ONE, ONE, ONE), {0, 1}, {2})], ids=lambda value: getattr(value, "__name__", None))
def test_what_is_read_and_written(function, signature, reads, writes):
    request = programs.request_of(device.kernel(function), f"({', '.join(signature)})", "cpu:native")
    assert traffic.accesses(request.show("optimized")) == (reads, writes)


def test_atomics_write():
    request = programs.request_of(device.kernel(atomics), "(float32[:], float32[:], float32[:])", "cpu:native")
    assert traffic.accesses(request.show("optimized")).writes == {1, 2}


def test_bytes():
    kernel = device.kernel(adds)
    x = np.ones(100, np.float32)
    assert bench.moved(kernel, (x, x.astype(np.float64), np.zeros(50)), {}) == (400 + 800 + 400, 1600)
    assert bench.moved(kernel, (x,), {"out": x, "y": x}) == (1200, 1200)
    assert bench.moved(device.kernel(sizes_only), (x, x[:10]), {}) == (40, 40)


def test_constants_are_those_of_the_launch():
    def of_turns(x, y, turns: device.ConstExpr):
        for i in range(turns):
            x[i] = 1
        if turns > 2:
            y[0] = 1
    x, y = np.zeros(10, np.float32), np.zeros(5, np.float32)
    kernel = device.kernel(of_turns)
    assert bench.moved(kernel, (x, y, 2), {})[0] == 40 and bench.moved(kernel, (x, y), {"turns": 3})[0] == 60


def test_structs_and_tuples():
    def of_parts(parts, pair):
        pair[1][0] = parts[0].a
    parts = np.zeros(4, [("a", "f4"), ("b", "f8")])
    assert bench.moved(device.kernel(of_parts), (parts, (1, np.zeros(3, np.float32))), {}) == (48 + 12, 60)


# ---- copies

def layouts():
    a = np.arange(24.0)
    yield from (a, a[::2], a[::-3], a.reshape(4, 6).T, a.reshape(4, 6)[:, 1::2], a[:0], np.float64(3) * np.ones(()), np.broadcast_to(a[:1], (3, 4)),
                np.zeros(3, [("a", "i4"), ("b", "f8")])["b"], np.asfortranarray(a.reshape(4, 6)))


@pytest.mark.parametrize("array", list(layouts()))
def test_copies_have_the_layout(array):
    made = bench.copied(array, {})
    assert (made.shape, made.strides, made.dtype) == (array.shape, array.strides, array.dtype) and (made == array).all()
    assert not np.shares_memory(made, array) or not array.size


def test_copies_of_arguments():
    x = np.ones(3)
    known = {}
    assert bench.copied(x, known) is bench.copied(x, known)
    pair = bench.copied((x, 2, (x, None)), known)
    assert pair[0] is pair[2][0] is not x and pair[1:] == (2, (pair[0], None))
    for number in (np.float32(2), np.zeros(1, [("a", "i4")])[0], True):
        assert bench.copied(number, {}) is number
    vector = device.float32x3(1, 2, 3)
    assert bench.copied(vector, {}) == vector and type(bench.copied(vector, {})) is type(vector)


# ---- the command

PROGRAM = '''
import sys
import numpy as np
from hetjit import device

@device.kernel
def grow(x, by):
    i = device.tid(1)
    if i < len(x):
        x[i] += by

@device.kernel
def fill(x):
    x[device.tid(1)] = 1

x = np.zeros(100_000, np.float32)
for _ in range(3):
    grow.forall(len(x))(x, by=2.0)
fill[10, 100](x)
device.launch(grow, x[:1000], 1.0, grid=10, block=100)
print(x[0], x[-1], sys.argv[1:])
'''


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "hetjit", "bench", *arguments], text=True, capture_output=True, timeout=300, env=os.environ)


def test_the_program_is_itself(program):
    """Its results are those without the measurement, however often kernels were run."""
    done = run(program, "an argument")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2.0 6.0 ['an argument']\n")
    assert [line.partition("(")[0] for line in done.stdout.splitlines() if " on cpu:" in line] == ["grow", "fill", "grow"]
    assert "800 kB, every element once" in done.stdout


def test_one_kernel_as_json(program):
    (one,) = json.loads(run("--json", f"{program}:fill").stdout.splitlines()[-1])
    assert (one["kernel"], one["grid"], one["block"], one["bytes"]) == ("fill", [10, 1, 1], [100, 1, 1], 400_000)
    assert 0 < one["seconds"] <= one["median_seconds"] and one["runs"] >= 5 and one["roof_bytes_per_second"] > 0
    assert one["bytes_per_second"] == pytest.approx(one["bytes"] / one["seconds"])


@pytest.mark.parametrize("place, says", [("nowhere.py", "there is no file nowhere.py"), ("{program}:nothing", "launches no kernel nothing")])
def test_nothing_to_time(program, place, says):
    done = run(place.format(program=program))
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr


def test_launches_are_let_alone_afterwards(program, monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = vars(bench.decorators._Launchable).get("__getitem__")
    bench.Watch("none of them").run(program, [])
    assert vars(bench.decorators._Launchable).get("__getitem__") is before is None


@pytest.mark.parametrize("value, text", [(1.5, "1.5 s"), (2e-3, "2 ms"), (3.25e-6, "3.25 µs"), (0.5e-9, "0.5 ns")])
def test_times(value, text):
    assert bench._time(value) == text

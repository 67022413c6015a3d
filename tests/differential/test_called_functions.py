"""PYTEST_DONT_REWRITE: kernels here have asserts of their own.

Kernels whose threads share memory or wait, with functions that are too large, or call each other in a circle, to be made one with the
kernel on the host: these are called. The same bits in each tier, at each number of lanes, in blocks of every shape, and by the interpreter."""

import cmath
import math

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import test_simt

from hetjit import _core, device
from shapes import blocks_of, seen_place as place, seen_rank as rank, size

BLOCK = 45
MOST = 64


def written_out(name, line, times, before, after):
    """A function with a line many times over: a call each, which no loop makes one."""
    scope = {"device": device, "math": math, "cmath": cmath, "rank": rank, "place": place, "size": size, "MOST": MOST}
    body = "".join(f"    {line.replace('K', str(k))}\n" for k in range(times))
    exec(f"def {name}(x, out):\n{before}{body}{after}", scope)
    return scope[name]


def start(memory):
    return f"    s = device.{memory}\n    i, t = place(), rank()\n    v = x[i]\n    if t < 4: s[t] = 1.0\n    device.syncthreads()\n"


NORMALS = written_out("normals", "v += device.random.normal(7, i, K)", 7, "    s = device.local_array(4, device.float32)\n    i = place()\n    v = s[0] = x[i]\n    device.syncwarp()\n",
                      "    out[i] = v + s[0]\n")
SINES = written_out("sines", "v += math.sin(v * K)", 20, start("shared_array(4, device.float32)"),
                    "    device.syncthreads()\n    out[i] = v + s[(t + 1) % 4] + device.shfl_down_sync(-1, v, 1)\n")
POWERS = written_out("powers", "z = z ** device.complex64(0.5, K) + 1j", 6, "    i = place()\n    z = device.complex64(x[i], 1)\n",
                     "    out[i] = z.real + device.shfl_xor_sync(-1, z.imag, 1)\n")
EXPONENTIALS = written_out("exponentials", "z = cmath.exp(z) / 4", 5, "    own = device.local_array(2, device.complex64)\n    i = place()\n    z = device.complex64(x[i], 1)\n"
                           "    own[1] = z\n    device.syncwarp()\n", "    out[i] = (z + own[1]).real\n")
PARTED = written_out("parted", "if v * 8 % 3 < K % 3: v += math.cos(v + K)", 40, start("shared_array(4, device.float32)"),
                     "    if device.any_sync(-1, v > 2): device.syncwarp()\n    out[i] = v + s[t % 4]\n")


def long_way(v):
    for k in range(2):
        v = math.sin(v) + math.cos(v) + math.tan(v) + math.exp(-v) + math.atan(v)
        v = math.sinh(math.sin(v)) + math.cosh(math.cos(v)) + math.log(abs(v) + 2) + math.erf(v) + math.cbrt(v) + math.gamma(2 + math.sin(v))
    return math.asin(math.sin(v)) + math.acos(math.cos(v)) + math.lgamma(2 + v * v) + math.pow(abs(v) + 1, 0.3) + math.log1p(abs(v)) + math.expm1(math.sin(v))


def meets(tile, v):
    """Waits, and calls what is long."""
    tile[rank()] = long_way(v)
    device.syncthreads()
    w = tile[(rank() + 1) % size()]
    device.syncthreads()
    return w


def through_a_function_that_waits(x, out):
    tile = device.shared_array(MOST, device.float32)
    v = meets(tile, x[place()])
    for turn in range(3):
        if turn != 1:
            v = meets(tile, v + long_way(v * turn))
    out[place()] = v


def deep(own, n):
    """With an array of its own at each depth, and that of the kernel."""
    mine = device.local_array(3, device.float32)
    for k in range(3):
        mine[k] = own[k] + n
    if n > 0:
        mine[1] += deep(mine, n - 1) + device.lane_id
    own[0] += mine[2]
    return mine[0] + mine[1]


def recursion_with_local_arrays(x, out):
    own = device.local_array(3, device.float32)
    i = place()
    for k in range(3):
        own[k] = x[i] * k
    v = deep(own, i % 5)
    device.syncwarp()
    out[i] = v + own[0] + device.shfl_sync(-1, v, 0)


def collect(tile, n):
    return tile[n] if n < 1 else tile[n] + collect(tile, n - 1) + 0 * device.thread_idx.x


def of_the_block(n):
    """Shared memory is made deep inside."""
    tile = device.shared_array(MOST, device.float32, align=64)
    if n > 0:
        return of_the_block(n - 1)
    tile[rank()] = 1.0
    return tile[rank()]


def recursion_over_shared_memory(x, out):
    tile = device.shared_array(MOST, device.float32)
    tile[rank()] = x[place()]
    device.syncthreads()
    v = collect(tile, device.int32(rank()) % 7) + of_the_block(3)
    device.syncthreads()
    out[place()] = v + tile[size() - 1 - rank()] + device.syncthreads_count(v > 2)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def warps_vote_about_a_circle(x, out):
    even = is_even(device.int32(rank()) % 9)
    mask = device.ballot_sync(device.FULL_MASK, even)
    if even:
        out[place()] = device.popc(device.ballot_sync(mask, x[place()] < 0.5))
    else:
        out[place()] = device.popc(device.activemask()) > 0


WITH_GAMMA = pytest.param(through_a_function_that_waits, marks=pytest.mark.differs("gamma and lgamma are the vendor's on GPUs"))
OF_LANES_THERE = pytest.mark.differs("asks lanes that no thread is, which on AMD the hardware answers", where="emu:gfx942")
KERNELS = [NORMALS, pytest.param(SINES, marks=OF_LANES_THERE), pytest.param(POWERS, marks=OF_LANES_THERE), EXPONENTIALS, PARTED, WITH_GAMMA,
           recursion_with_local_arrays, recursion_over_shared_memory, warps_vote_about_a_circle]


def numbers(threads=3 * BLOCK):
    return np.random.default_rng(threads).random(threads, np.float32), np.zeros(threads, np.float32)


@pytest.mark.row("HETX-BS-1", "HETX-WS-2", "HETX-MEM-1")
@pytest.mark.parametrize("function", KERNELS, ids=lambda function: function.__name__)
def test_functions_are_called(function, monkeypatch):
    x, want = numbers()
    _core.interpret(_core.capture(function), (x, want), 3, BLOCK, contract=True)
    for tier, lanes in (("whole", ""), ("threads", "1")):
        monkeypatch.setenv("HETJIT_TIER", tier)
        monkeypatch.setenv("HETJIT_LANES", lanes)
        kernel = device.kernel(function)
        for block in blocks_of(BLOCK):
            out = np.zeros_like(want)
            test_simt.within(100, lambda: kernel[3, block](x, out))
            assert out.tobytes() == want.tobytes(), (tier, lanes, block)


@pytest.mark.parametrize("function", KERNELS, ids=lambda function: function.__name__)
def test_explain_says_so(function):
    text = device.kernel(function).explain(*numbers())
    assert "tier Threads: the functions that it calls are too large together, or call each other in a circle" in str(text)


@pytest.mark.parametrize("function", [NORMALS, PARTED, recursion_with_local_arrays, recursion_over_shared_memory], ids=lambda function: function.__name__)
def test_under_all_checks(function):
    x, want = numbers()
    device.kernel(function)[3, BLOCK](x, want)
    for block in (BLOCK, (3, 5, 3)):
        out = np.zeros_like(want)
        device.kernel(check="all")(function)[3, block](x, out)
        assert out.tobytes() == want.tobytes()


def outside(tile, n):
    return tile[n + MOST] if n < 1 else outside(tile, n - 1) + 1


def reads_outside(x, out):
    tile = device.shared_array(MOST, device.float32)
    tile[rank()] = 1.0
    device.syncthreads()
    out[place()] = outside(tile, device.int32(rank()) % 3) if rank() == 7 else 1


def refuses(n):
    assert n != 4, f"four at {n}"
    return n if n < 1 else refuses(n - 1)


def some_raise(x, out):
    i = place()
    v = refuses(device.int32(rank()) % 8)
    device.syncthreads()
    out[i] = 1 + v


def test_what_called_functions_raise():
    (x, out), (_, after) = numbers(), numbers()
    with pytest.raises(device.BoundsError, match="index 64 is out of bounds for 'tile' of shape"):
        device.kernel(check="bounds")(reads_outside)[1, BLOCK](x, out)
    with pytest.raises(AssertionError, match="four at 4"):
        device.kernel(some_raise)[3, (5, 9)](x, after)
    raised = np.tile(np.arange(BLOCK) % 8 >= 4, 3)
    np.testing.assert_array_equal(after, np.where(raised, 0, 1))


def races(tile, n):
    if n == 0:
        tile[0] = 1.0
        return 0
    return races(tile, n - 1)


def all_write_one(x, out):
    tile = device.shared_array(MOST, device.float32)
    out[place()] = races(tile, 2)


def test_a_race_in_a_called_function_is_found():
    with pytest.raises(device.RaceError, match="'tile'.0. is written here"):
        device.kernel(check="race")(all_write_one)[1, BLOCK](*numbers())


def locks(lock, count):
    while device.atomic.exch(lock, 0, 1) == 1:
        pass
    count[0] += 1
    device.atomic.store(lock, 0, 0)


def contend(x, out, lock, count):
    v = long_way(x[place()])
    v = long_way(v) + long_way(v + 1) + long_way(v + 2)
    locks(lock, count)
    out[place()] = v


def look(flag):
    return device.atomic.load(flag, 0)


def wait_by_way_of_a_function(x, out, flag, _):
    v = long_way(x[place()]) + long_way(x[0])
    v += long_way(v) + long_way(v + 1)
    if device.tid(1) == 0:
        while look(flag) == 0:
            pass
    elif place() == 3 * BLOCK - 1:
        device.atomic.store(flag, 0, 1)
    out[place()] = v


@pytest.mark.parametrize("function", (contend, wait_by_way_of_a_function), ids=lambda function: function.__name__)
def test_loops_that_wait_beside_long_functions(function):
    x, out = numbers()
    lock, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
    test_simt.within(100, lambda: device.kernel(function)[3, BLOCK](x, out, lock, count))
    assert (count[0], lock[0]) == ((3 * BLOCK, 0) if function is contend else (0, 1))


def large_and_waiting(v):
    for _ in range(2):
        v = long_way(v)
    device.syncthreads()
    return v


def waits_in_a_circle(n, v):
    return v if n == 0 else large_and_waiting(waits_in_a_circle(n - 1, v))


def all_wait_in_a_circle(x, out):
    out[place()] = waits_in_a_circle(3, x[place()])


def test_barriers_in_a_circle_are_refused_by_explain_too():
    for ask in (device.kernel(all_wait_in_a_circle)[1, 4], device.kernel(all_wait_in_a_circle).explain):
        with pytest.raises(device.CompileError, match="E0602.*threads wait for one another call each other in a circle"):
            ask(*numbers())


def made(name, source, **names):
    names["device"] = device
    exec(source, names)
    return names[name]


tally = made("tally", "def tally(out, v):\n" + "".join(f"    device.atomic.add(out, (v + {k}) % 16, 1)\n" for k in range(10)) +
             "    seen = device.atomic.load(out, v % 16)\n    while seen > 7:\n        seen -= 3\n    return seen\n")


def test_atomic_operations_in_calls_of_any_number():
    """Nobody waits, so nothing is taken in: 2,000 calls, 100,000 operations."""
    calls = "".join(f"    total += tally(out, i + {k})\n" for k in range(2000))
    kernel = made("kernel", "def kernel(out, sums):\n    i = device.tid(1)\n    total = 0\n" + calls + "    sums[i] = total\n", tally=tally)
    out = np.zeros(16, np.int32)
    device.kernel(kernel)[1, 8](out, np.zeros(8, np.int32))
    want = np.zeros(16, np.int32)
    for i in range(8):
        for k in range(2000):
            np.add.at(want, (i + k + np.arange(10)) % 16, 1)
    np.testing.assert_array_equal(out, want)


def test_what_a_loop_waits_for_is_too_long_in_all():
    calls = "".join(f"    while tally(out, i + {k}) > 0:\n        pass\n" for k in range(2000))
    kernel = made("kernel", "def kernel(out):\n    i = device.tid(1)\n" + calls, tally=tally)
    with pytest.raises(device.CompileError, match="E0602(.|\n)*64000 operations together, each call counted(.|\n)*as a loop round one call"):
        device.kernel(kernel)[1, 8](np.zeros(16, np.int32))

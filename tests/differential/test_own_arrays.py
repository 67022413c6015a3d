"""Arrays of a thread's own in kernels that wait for nobody: small ones are of each vector's threads, on the stack, large ones in the block's memory.
The interpreter's bits with every number of lanes, in blocks of every shape."""

import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

BLOCKS = [((7, 1), (48, 1)), ((1, 1), (256, 1)), ((4, 5), (16, 4)), ((3, 4), (8, 8)), ((40, 2), (1, 32)), ((5, 7), (5, 3))]
N = 331
TYPES = ["uint8", "int8", "uint16", "float16", "int32", "float32", "float64", "complex64", "bool_"]


@pytest.fixture(params=(None, 1, 2, 8, 16, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


@device.func
def place():
    """Of the thread in the launch, whatever its shape."""
    x, y = device.tid(2)
    return y * device.grid_size(2)[0] + x


def some(n, dtype):
    numbers = np.random.default_rng(n).integers(0, 100, n)
    return (numbers % 2 == 0) if dtype == "bool_" else numbers.astype(dtype)


def same_everywhere(function, *arguments):
    """The arguments that it leaves."""
    kernel = device.kernel(function)
    for grid, block in BLOCKS:
        asked, found = ([a.copy() for a in arguments] for _ in range(2))
        _core.interpret(_core.capture(function), tuple(asked), grid, block)
        kernel[grid, block](*found)
        for one, other in zip(asked, found):
            assert one.tobytes() == other.tobytes(), (grid, block)
    return found


@pytest.mark.parametrize("dtype", [t for t in TYPES if t not in ("complex64", "bool_")])
def test_a_network_that_sorts(lanes, dtype):
    format_ = getattr(device, dtype)

    def median(x, out):
        i = place()
        if 3 < i and i < x.shape[0] - 4:
            v = device.local_array(9, format_)
            for k in range(9):
                v[k] = x[i + k - 4]
            for p in range(5):
                for q in range(p + 1, 9):
                    low, high = min(v[p], v[q]), max(v[p], v[q])
                    v[p], v[q] = low, high
            out[i] = v[4]

    x = some(N, dtype)
    _, out = same_everywhere(median, x, np.zeros(N, dtype))
    windows = np.sort(np.lib.stride_tricks.sliding_window_view(x[:240], 9), axis=1)[:, 4]
    assert np.array_equal(out[4:236], windows[:232])


@pytest.mark.parametrize("dtype", TYPES)
def test_places_of_run_time(lanes, dtype):
    format_ = getattr(device, dtype)

    def turned(x, out):
        i = place()
        if i >= out.shape[0]:
            return
        own = device.local_array(7, format_)
        for k in range(7):
            own[k] = x[(i * 3 + k) % x.shape[0]]
        if i % 3 == 1:
            own[i % 7] = x[0]
            own[-1] = x[i]
        k = 0
        while k < i % 5:
            own[(i + k) % 7] = own[k]
            k += 1
        out[i] = own[i % 7]

    same_everywhere(turned, some(N, dtype), some(N, dtype))


def test_an_insertion_sort(lanes):
    def sort_rows(x, out):
        i = place()
        if i < x.shape[0]:
            v = device.local_array(9, device.float32)
            for k in range(9):
                own = x[i, k]
                at = k
                while at > 0 and v[at - 1] > own:
                    v[at] = v[at - 1]
                    at -= 1
                v[at] = own
            for k in range(9):
                out[i, k] = v[k]

    x = np.random.default_rng(1).random((240, 9), np.float32)
    _, out = same_everywhere(sort_rows, x, np.zeros_like(x))
    assert np.array_equal(out, np.sort(x, axis=1))


def test_one_for_each_call(lanes):
    """A function that is called twice has two arrays, and in a loop one each turn."""
    @device.func
    def chosen(a, b, at):
        own = device.local_array(4, device.float32)
        own[0], own[1], own[2], own[3] = a, b, a + b, a * b
        return own[at % 4]

    @device.func
    def both(a, at):
        mine = device.local_array(3, device.float32)
        mine[0], mine[1] = chosen(a, 1.0, at), chosen(a, 2.0, at + 1)
        mine[2] = chosen(mine[0], mine[1], at + 2)
        return mine[at % 3]

    def calls(x, out):
        i = place()
        if i < out.shape[0]:
            own = device.local_array(4, device.float32)
            own[i % 4] = x[i]
            total = both(x[i], i) + chosen(own[i % 4], 3.0, i // 4)
            for k in range(3):
                total += chosen(total, device.float32(k), i + k) / 4
            out[i] = total + own[i % 4]

    same_everywhere(calls, some(N, "float32"), np.zeros(N, np.float32))


def test_several_axes_and_records(lanes):
    @device.struct
    class Pair:
        key: device.uint8
        value: device.float64

    def records(x, out):
        i = place()
        if i < out.shape[0]:
            grid, pairs = device.local_array((3, 4), device.int16), device.local_array(3, Pair)
            for r in range(3):
                for c in range(4):
                    grid[r, c] = device.int16(x[i] + 4 * r + c)
                pairs[r] = Pair(device.uint8(r + i % 2), x[i] / (r + 1.0))
            out[i] = grid[i % 3, (i // 3) % 4] + pairs[i % 3].value + pairs[(i + 1) % 3].key

    same_everywhere(records, some(N, "float64"), np.zeros(N))


def test_what_is_written_on_one_path(lanes):
    def parted(x, out):
        i = place()
        if i < out.shape[0]:
            own = device.local_array(3, device.int32)
            own[0], own[1], own[2] = 1, 2, 3
            if x[i] > 50:
                own[1] = x[i]
                if x[i] > 75:
                    own[2] = own[1] * 2
                    out[i] = own[2]
                    return
            elif x[i] < 10:
                for k in range(x[i]):
                    own[k % 3] += k
            out[i] = own[0] + 10 * own[1] + 100 * own[2]

    same_everywhere(parted, some(N, "int32"), np.zeros(N, np.int32))


@pytest.mark.parametrize("count", [8, 512, 1024, 1025, 3000])
def test_small_and_large(lanes, count):
    """1024 integers are what goes on the stack."""
    def marks(x, out):
        i = place()
        if i < out.shape[0]:
            seen = device.local_array(count, device.int32)
            for k in range(count):
                seen[k] = 0
            for k in range(20):
                seen[x[(i + k) % x.shape[0]] * 7 % count] += 1
            most = 0
            for k in range(count):
                most = max(most, seen[k])
            out[i] = most

    kernel = device.kernel(marks)
    x, asked, found = some(N, "int32"), np.zeros(70, np.int32), np.zeros(70, np.int32)
    _core.interpret(_core.capture(marks), (x, asked), (3, 1), (32, 1))
    kernel[3, 32](x, found)
    assert np.array_equal(asked, found)


def written_out(steps):
    """A function that is too large to be copied to where it is called, unless it must be: it returns its own array."""
    lines = "\n".join(f"    own[{k % 8}] = own[{(k * 3 + 1) % 8}] * {k % 5 + 2} + n - {k}" for k in range(steps))
    scope = {"device": device}
    exec(f"def fill(n):\n    own = device.local_array(8, device.int32)\n    for k in range(8):\n        own[k] = n + k\n{lines}\n    return own\n", scope)
    return device.func(scope["fill"])


@pytest.mark.parametrize("steps", [3, 150, 600])
def test_functions_that_return_their_own_array(lanes, steps):
    """Each call's is another; those of 150 steps and more were functions whose memory had ended."""
    fill = written_out(steps)

    @device.func
    def either(n):
        own = fill(n)
        return own if n % 2 else fill(n + 1)

    def calls(x, out):
        i = place()
        if i < out.shape[0]:
            a, b, c = fill(i), either(i + 3), either(x[i])
            total = 0
            for k in range(8):
                total = total * 3 + a[k] * 5 + b[(k + x[i]) % 8] + c[7 - k]
            out[i] = total

    same_everywhere(calls, some(N, "int32"), np.zeros(N, np.int32))


@pytest.mark.parametrize("check", ["bounds", "race", "init", "all"])
def test_functions_that_return_their_own_array_are_checked(check):
    """What is watched is taken in, however large."""
    fill = written_out(300)

    def calls(x, out):
        i = place()
        if i < out.shape[0]:
            a, b = fill(i), fill(x[i])
            out[i] = a[1] * 7 + b[2]

    x, asked, found = some(70, "int32"), np.zeros(70, np.int32), np.zeros(70, np.int32)
    _core.interpret(_core.capture(calls), (x, asked), (3, 1), (32, 1))
    device.kernel(calls, check=check)[3, 32](x, found)
    assert np.array_equal(asked, found)


@pytest.mark.parametrize("check", [None, "bounds", "race", "init"])
def test_a_planted_fault_in_such_a_kernel(lanes, check, monkeypatch):
    def beyond(x, out):
        i = place()
        if i < out.shape[0]:
            own = device.local_array(4, device.int32)
            for k in range(4):
                own[k] = x[i] + k
            out[i + (1000000 if i == 5 and x[5] == 77 else 0)] = own[i % 4]

    kernel = device.kernel(beyond, **({"check": check} if check else {}))
    x, out = some(96, "int32"), np.zeros(96, np.int32)
    x[5] = 3
    kernel[3, 32](x, out)
    assert np.array_equal(out, x + np.arange(96) % 4)
    if check == "bounds":
        x[5] = 77
        with pytest.raises(IndexError):
            kernel[3, 32](x, out)


@pytest.mark.parametrize("check", [None, "race", "init"])
@pytest.mark.parametrize("steps", [3, 150])
def test_what_calls_itself_may_call_such_a_function(steps, check):
    """In a kernel whose threads wait: the recursion stays a call, and has the arrays that it is given for as long as it runs."""
    fill = written_out(steps)

    @device.func
    def down(n):
        a, b = fill(n), fill(n + 1)
        return down(n - 1) + a[0] * 3 + b[1] if n > 2 else a[1] + b[0]

    def calls(x, out):
        t = device.thread_idx.x
        shared = device.shared_array(32, device.int32)
        shared[t] = down(x[t] % 6)
        device.syncthreads()
        out[device.tid(1)] = shared[31 - t] + fill(t)[3]

    x, asked, found = some(64, "int32"), np.zeros(64, np.int32), np.zeros(64, np.int32)
    _core.interpret(_core.capture(calls), (x, asked), (2, 1), (32, 1))
    device.kernel(calls, **({"check": check} if check else {}))[2, 32](x, found)
    assert np.array_equal(asked, found)


SMALL_STACK = """
import sys, threading
import numpy as np
from hetjit import device

ALIGN = int(sys.argv[1])

@device.func
def one(x, i):
    own = device.local_array(3, device.uint8, align=ALIGN)
    for r in range(3):
        own[r] = x[(i + r) % x.shape[0]]
    return int(own[i % 3])

@device.func
def eight(x, i):
    return one(x, i) + one(x, i + 1) + one(x, i + 2) + one(x, i + 3) + one(x, i + 4) + one(x, i + 5) + one(x, i + 6) + one(x, i + 7)

@device.kernel
def forty(x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = eight(x, i) + eight(x, i + 8) + eight(x, i + 16) + eight(x, i + 24) + eight(x, i + 32)

x, out = np.arange(100, dtype=np.uint8), np.zeros(64, np.int32)
forty[1, 64](x, out)
threading.stack_size(1700 * 1024)
thread = threading.Thread(target=lambda: [forty[1, 64](x, out) for _ in range(20)])
thread.start()
thread.join()
print(out[:2])
"""


@pytest.mark.parametrize("align", [1, 64, 4096])
def test_what_alignment_takes_of_a_thread_s_stack(align):
    """40 arrays of 3 bytes were 2.6 MB of it where each lies at a multiple of 4096."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SMALL_STACK, str(align)], capture_output=True, text=True)
    assert done.stdout == "[819 860]\n", done.stderr[-2000:]


def test_elements_that_few_threads_name_by_numbers(lanes):
    """LLVM was told that turns of the loop over threads share nothing, where an array of each thread is one place for all turns."""
    def kernel(c, out):
        i = place()
        if i >= out.shape[0]:
            return
        own = device.local_array(3, device.int32)
        own[0] = 10 + i
        own[1] = 20 + i
        own[2] = 30 + i
        k = c[0] - i
        if k >= 0 and k < 3:
            own[k] = 99
        last = -1
        if k >= 0 and k < 3:
            last = own[k] + 1
        out[i] = own[0] * 10000 + own[1] * 100 + own[2] + last

    for c in (-1, 5, 99, 1000):
        left = same_everywhere(kernel, np.array([c], np.int32), np.zeros(N, np.int32))
        i = np.arange(N)
        own = np.stack([10 + i, 20 + i, 30 + i])
        k = c - i
        named = (k >= 0) & (k < 3)
        own[k[named], i[named]] = 99
        want = own[0] * 10000 + own[1] * 100 + own[2] + np.where(named, 100, -1)
        assert (left[1] == want).all()

"""Phases in which only a block's first threads do something: steps of trees, in every spelling, in blocks of one row and of several. The same
as NumPy, and as one thread after another."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

BLOCKS = [1, 2, 16, 17, 32, 100, 128, 256, (16, 2), (32, 4), (8, 4, 2)]
SKIPPED = "warps that have nothing to do between two waits are skipped"


@pytest.fixture(params=(None, 1, 4, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))
    return request.param


def steps(spelling, condition, body="shared[t] += shared[t + s]"):
    """Sums of as many numbers as threads along x; each row of a block has its own."""
    return f"""
@device.kernel
def tree(x, out):
    shared = device.shared_array((8, 256), device.int32)
    t = device.thread_idx.x
    row = device.thread_idx.y + device.block_dim.y * device.thread_idx.z
    n = device.block_dim.x
    shared[row, t] = x[device.block_idx.x, row, t]
    device.syncthreads()
{spelling}
        if {condition}:
            shared[row, t] += shared[row, t + s]
        device.syncthreads()
{'        s //= 2' if 'while' in spelling else ''}
    if t == 0:
        out[device.block_idx.x, row] = shared[row, 0]
"""


WHILE = "    s = device.uint32(128)\n    while s > 0:"
SPELLINGS = {
    "below": (WHILE, "t < s and t + s < n"),
    "bound of a launch": (WHILE, "t < min(s, max(n, s) - s)"),
    "swapped": (WHILE, "not (s <= t) and t + s < n"),
    "at most": (WHILE, "t <= s - 1 and t + s < n"),
    "signed": ("    s = 128\n    while s >= 1:", "int(t) < s and t + device.uint32(s) < n"),
    "range": ("    for k in range(7, -1, -1):\n        s = device.uint32(1) << device.uint32(k)", "t < s and t + s < n"),
    "wide": ("    s = device.int64(128)\n    while s > 0:", "device.int64(t) < s and t + device.uint32(s) < n"),
}


def made(text):
    scope = {"device": device}
    import linecache
    name = f"<busy {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), scope)
    return scope["tree"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_trees(spelling, lanes):
    kernel = made(steps(*SPELLINGS[spelling]))
    random = np.random.default_rng(7)
    for block in BLOCKS:
        x_extent, *others = block if isinstance(block, tuple) else (block,)
        rows = int(np.prod(others, dtype=int))
        x = random.integers(-1000, 1000, (5, rows, x_extent)).astype(np.int32)
        out = np.zeros((5, rows), np.int32)
        kernel[5, block](x, out)
        assert (out == x.sum(2)).all(), block


def test_scan_up_and_down(lanes):
    """Blelloch's: the first threads work, on places far apart."""
    @device.kernel
    def scan(x, out):
        shared = device.shared_array(256, device.int32)
        t, base = device.thread_idx.x, device.block_idx.x * 256
        shared[2 * t], shared[2 * t + 1] = x[base + 2 * t], x[base + 2 * t + 1]
        offset = device.uint32(1)
        d = device.uint32(128)
        while d > 0:
            device.syncthreads()
            if t < d:
                a, b = offset * (2 * t + 1) - 1, offset * (2 * t + 2) - 1
                shared[b] += shared[a]
            offset *= 2
            d >>= 1
        if t == 0:
            shared[255] = 0
        d = device.uint32(1)
        while d < 256:
            offset >>= 1
            device.syncthreads()
            if t < d:
                a, b = offset * (2 * t + 1) - 1, offset * (2 * t + 2) - 1
                kept = shared[a]
                shared[a] = shared[b]
                shared[b] += kept
            d *= 2
        device.syncthreads()
        out[base + 2 * t], out[base + 2 * t + 1] = shared[2 * t], shared[2 * t + 1]

    x = np.random.default_rng(8).integers(-1000, 1000, 256 * 9).astype(np.int32)
    out = np.zeros_like(x)
    scan[9, 128](x, out)
    rows = x.reshape(9, 256)
    assert (out.reshape(9, 256) == np.cumsum(rows, 1) - rows).all()
    if lanes != 1:  # else threads go one by one
        assert SKIPPED in str(scan.explain(x, out))


def test_what_idle_threads_carry_is_kept(lanes):
    """A thread that does nothing in a step has numbers of its own all the same."""
    @device.kernel
    def carried(x, out):
        shared = device.shared_array(128, device.int32)
        t = device.thread_idx.x
        own = x[t]
        turns = 0
        shared[t] = own
        s = device.uint32(64)
        while s > 0:
            device.syncthreads()
            if t < s:
                shared[t] += shared[t + s]
            own += 1
            s >>= 1
            turns += 1
        device.syncthreads()
        out[t] = own * 1000 + turns + shared[0] % 7

    x = np.arange(128, dtype=np.int32)
    out = np.zeros_like(x)
    carried[1, 128](x, out)
    assert (out == (x + 7) * 1000 + 7 + x.sum() % 7).all()


def test_threads_that_count_from_the_end_or_elsewhere_are_not_skipped(lanes):
    @device.kernel
    def last(x, out):
        shared = device.shared_array(128, device.int32)
        t = device.thread_idx.x
        shared[t] = x[t]
        device.syncthreads()
        s = device.uint32(64)
        while s > 0:
            if t >= 128 - s:
                shared[t] += shared[t - s]
            device.syncthreads()
            s >>= 1
        if t != 127:
            out[t] = t
        else:
            out[t] = shared[t]

    x = np.arange(128, dtype=np.int32)
    out = np.zeros_like(x)
    last[1, 128](x, out)
    assert out[127] == x.sum() and (out[:127] == x[:127]).all()


def test_both_ways_do_something(lanes):
    @device.kernel
    def split(x, out):
        shared = device.shared_array(128, device.int32)
        t = device.thread_idx.x
        shared[t] = x[t]
        device.syncthreads()
        if t < 40:
            out[t] = shared[t + 1]
        else:
            out[t] = -1
        device.syncthreads()
        if t < 3:
            out[t] += 100
        if t > 90:
            out[t] = 7
        device.syncthreads()
        if t < 20:
            if x[t] > 5:
                shared[t] = 0
        device.syncthreads()
        out[t] += shared[t]

    x = np.arange(128, dtype=np.int32)
    out = np.zeros_like(x)
    split[1, 128](x, out)
    wanted = np.where(x < 40, x + 1, -1)
    wanted[:3] += 100
    wanted[91:] = 7
    wanted += np.where((x < 20) & (x > 5), 0, x)
    assert (out == wanted).all()


SCANS = {
    "from": ("t >= d", "value += shared[row, t - d]", "pass"),
    "swapped": ("not (d > t)", "value += shared[row, t - d]", "pass"),
    "above": ("t > d - 1", "value += shared[row, t - d]", "moved[row, t] += 0"),
    "below": ("t < d", "pass", "value += shared[row, t - d]"),
    "at most": ("t <= d - 1", "value += 0", "value += shared[row, t - d]"),
    "wide": ("device.int64(t) >= device.int64(d)", "value += shared[row, t - d]", "value *= 1"),
    "signed": ("int(t) - int(d) >= 0", "value += shared[row, t - d]", "pass"),
    "one": ("t != d - 1 and t + 1 > d", "value += shared[row, t - d]", "pass"),
}


@pytest.mark.parametrize("spelling", SCANS)
def test_scans(spelling, lanes):
    """Both sides of the question do something, and threads have read before it is asked."""
    condition, yes, no = SCANS[spelling]
    kernel = made(f"""
@device.kernel
def tree(x, out):
    shared = device.shared_array((8, 256), device.int32)
    moved = device.shared_array((8, 256), device.int32)
    t = device.thread_idx.x
    row = device.thread_idx.y + device.block_dim.y * device.thread_idx.z
    shared[row, t] = x[device.block_idx.x, row, t]
    moved[row, t] = 0
    device.syncthreads()
    d = device.uint32(1)
    while d < device.block_dim.x:
        value = shared[row, t]
        if {condition}:
            {yes}
        else:
            {no}
        device.syncthreads()
        shared[row, t] = value + moved[row, t]
        device.syncthreads()
        d *= 2
    out[device.block_idx.x, row, t] = shared[row, t]
""")
    random = np.random.default_rng(9)
    for block in BLOCKS:
        x_extent, *others = block if isinstance(block, tuple) else (block,)
        x = random.integers(-1000, 1000, (5, int(np.prod(others, dtype=int)), x_extent)).astype(np.int32)
        out = np.zeros_like(x)
        kernel[5, block](x, out)
        assert (out == x.cumsum(2)).all(), block
    if spelling not in ("signed", "one") and lanes not in (1, 64):
        assert "do not ask it" in str(kernel.explain(x, out))


@pytest.mark.parametrize("by", [4, 8, 16, 32])
def test_rows_and_columns_of_places(lanes, by):
    """What is the same for all lanes of a warp, or steps with them, only where a block is a multiple of the lanes: rows of 20 more elements than `by`."""
    @device.kernel
    def taken_apart(x, out, d):
        shared = device.shared_array(256, device.int32)
        t, i = device.thread_idx.x, device.tid(1)
        shared[t] = x[i // by, i % by]
        device.syncthreads()
        if t < d:
            shared[t] += x[i // by, i % by] * 2
        device.syncthreads()
        value = shared[t]
        if t >= d:
            value += x[i // by, i % by] * 4
        else:
            value -= x[i // by, i % by + 1]
        device.syncthreads()
        out[i] = value + shared[device.block_dim.x - 1 - t]

    for block in (16, 17, 24, 32, 40, 100):
        for d in (0, 1, 15, 16, 17, 35, 40, 200):
            n = 5 * block
            x = np.random.default_rng(block).integers(0, 1000, (n // by + 1, by + 20)).astype(np.int32)
            out = np.zeros(n, np.int32)
            taken_apart[5, block](x, out, d)
            i = np.arange(n)
            t, one, beside = i % block, x[i // by, i % by], x[i // by, i % by + 1]
            shared = one + np.where(t < d, 2 * one, 0)
            wanted = shared + np.where(t >= d, 4 * one, -beside) + shared[i - t + block - 1 - t]
            assert (out == wanted).all(), (block, d)


def test_several_questions_in_a_phase(lanes):
    """Which one threads come to, the launch or the turn says; behind one is another, or the same again."""
    @device.kernel
    def asked(x, out, mode, a, b):
        shared = device.shared_array(160, device.int32)
        t = device.thread_idx.x
        shared[t] = x[t]
        for turn in range(3):
            device.syncthreads()
            if mode == 0:
                if t < a:
                    shared[t] += 1
            elif mode == 1:
                if not t >= a + turn:
                    shared[t] += 2
            elif mode == 2:
                if t == a:
                    shared[t] += 4
                if t < b:
                    shared[t] += 8
            elif mode == 3:
                k = 0
                while k < turn:
                    if t < b - k:
                        shared[t] += 16
                    k += 1
            elif mode == 4:
                if t <= a:
                    if t < b:
                        shared[t] += 32
            elif mode == 5 and turn == 1:
                out[t + 160] = 1
                if t < b:
                    shared[t] += 64
            elif turn == 2:
                if t < a:
                    shared[t] += 128
        device.syncthreads()
        out[t] = shared[t]

    def wanted(threads, mode, a, b):
        x, t = np.arange(threads, dtype=np.int32), np.arange(threads)
        for turn in range(3):
            x += {0: 1 * (t < a), 1: 2 * (t < a + turn), 2: 4 * (t == a) + 8 * (t < b), 3: sum(16 * (t < b - k) for k in range(turn)) + 0 * t,
                  4: 32 * ((t <= a) & (t < b)), 5: 64 * (t < b) * (turn == 1) + 128 * (t < a) * (turn == 2), 6: 128 * (t < a) * (turn == 2)}[mode].astype(np.int32)
        return x

    for threads in (7, 64, 100, 160):
        for mode in range(7):
            for a, b in ((0, 0), (-1, 5), (1, 16), (15, 40), (32, 31), (33, 99), (64, 160), (200, 7)):
                out = np.zeros(320, np.int32)
                asked[1, threads](np.arange(threads, dtype=np.int32), out, mode, a, b)
                assert (out[:threads] == wanted(threads, mode, a, b)).all(), (threads, mode, a, b)
                assert (out[160:160 + threads] == (mode == 5)).all()


@pytest.mark.parametrize("bound", [-5, -1, 0, 1, 15, 16, 17, 127, 128, 2**31 - 1])
def test_bounds(bound, lanes):
    @device.kernel
    def below(x, out, bound):
        shared = device.shared_array(128, device.int32)
        t = int(device.thread_idx.x)
        shared[t] = x[t]
        device.syncthreads()
        if t < bound:
            out[t] += shared[127 - t]
        device.syncthreads()
        if t <= bound:
            out[t] += 1000
        device.syncthreads()
        if bound == t:
            out[t] += 5000

    x = np.arange(128, dtype=np.int32)
    out = np.zeros_like(x)
    below[1, 128](x, out, bound)
    assert (out == np.where(x < bound, 127 - x, 0) + np.where(x <= bound, 1000, 0) + np.where(x == bound, 5000, 0)).all()


@pytest.mark.parametrize("check", ["race", "bounds", "all"])
def test_checks(check):
    kernel = made(steps(*SPELLINGS["below"]))
    checked = device.kernel(check=check)(kernel.underlying)
    x = np.arange(2 * 100, dtype=np.int32).reshape(2, 1, 100)
    out = np.zeros((2, 1), np.int32)
    checked[2, 100](x, out)
    assert (out == x.sum(2)).all()


def test_it_is_said():
    x, out = device.int32[:, :, ::1], device.int32[:, ::1]
    for spelling in ("below", "signed", "wide", "range"):
        text = str(made(steps(SPELLINGS[spelling][0], SPELLINGS[spelling][1].split(" and ")[0])).explain(x, out))
        assert SKIPPED in text, spelling


@pytest.mark.parametrize("first, behind", [(0, 64), (32, 128), (16, 100), (64, 65), (5, 128)])
def test_threads_that_are_done_early(first, behind, lanes):
    """Others wait for one another without them."""
    @device.kernel
    def some(x, out, first, behind):
        shared = device.shared_array(128, device.int32)
        t = int(device.thread_idx.x)
        shared[t] = x[t]
        device.syncthreads()
        if t < first or t >= behind:
            out[t] = -1
            return
        device.syncthreads()
        if t < 80:
            out[t] += shared[t] * 2
        device.syncthreads()
        if t < 70:
            shared[t] = 1000
        device.syncthreads()
        out[t] += shared[t]

    x = np.arange(128, dtype=np.int32)
    busy = np.where(x < 80, 2 * x, 0) + np.where(x < 70, 1000, x)
    out = np.zeros_like(x)
    some[1, 128](x, out, first, behind)
    assert (out == np.where((x < first) | (x >= behind), -1, busy)).all()

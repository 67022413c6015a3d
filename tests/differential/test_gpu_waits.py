"""Threads of one wave that wait for each other, on AMD: lanes that leave a loop are switched off until all have left it, so what the
others wait for must stand inside of a loop that they go round."""

import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import amd_machine
import simt_kernels
from hetjit import _core, device

pytestmark = pytest.mark.row("HET-ATM-6")

AMD = ("gfx90a", "gfx942", "gfx1100")
INT = "array[int32, 1, contiguous, index32]"


def with_a_ticket(accounts, out):
    account = accounts[0]
    account.mutex.lock()
    account.total += 1
    out[device.tid(1)] = account.total
    account.mutex.unlock()


def many_times(accounts, out):
    account = accounts[0]
    for i in range(out[0]):
        account.mutex.lock()
        account.total += i
        account.mutex.unlock()


def spinning(lock, out):
    mine = device.AtomicRef(lock, 0)
    while mine.exch(1) != 0:
        pass
    out[0] += 1
    mine.store(0)


def with_a_flag(lock, out):
    mine = device.AtomicRef(lock, 0)
    done = False
    while not done:
        if mine.cas(0, 1) == 0:
            out[0] += 1
            mine.store(0)
            done = True


def between_barriers(lock, out):
    device.syncthreads()
    mine = device.AtomicRef(lock, 0)
    while mine.cas(0, 1) != 0:
        pass
    out[0] += 1
    mine.store(0)
    device.syncthreads()
    out[device.tid(1) + 1] = out[0]


def told_by_a_neighbour(lock, out):
    flag = device.AtomicRef(lock, 0)
    if device.lane_id == 5:
        out[0] = 1
        flag.store(1)
    else:
        while flag.load() == 0:
            pass
        out[device.tid(1)] = 2


def hand_over_hand(lock, out):
    while device.atomic.cas(lock, 0, 0, 1, memory="acquire") != 0:
        pass
    for i in range(1, out[0]):
        while device.atomic.cas(lock, i, 0, 1, memory="acquire") != 0:
            pass
        out[i] += 1
        device.atomic.exch(lock, i - 1, 0, memory="release")
    device.atomic.exch(lock, out[0] - 1, 0, memory="release")


def in_a_function(lock, out):
    enter(lock, 3)
    out[0] += 1
    leave(lock, 3)


@device.func
def enter(lock, which):
    if lock[0] > 1:
        which = 2
    while device.atomic.or_(lock, which, 1, memory="acquire", scope="device") & 1:
        pass


@device.func
def leave(lock, which):
    device.atomic.and_(lock, which, -2, memory="release", scope="device")


def never_waiting(lock, out):
    old = device.AtomicRef(lock, 0).load()
    while True:
        seen = device.AtomicRef(lock, 0).cas(old, old * 3)
        if seen == old:
            break
        old = seen
    device.atomic.add(out, 0, 1)


def drawing_lots(lock, out):
    while True:
        i = device.atomic.add(lock, 0, 1)
        if i >= 1000:
            break
        out[i] = i
    device.atomic.add(out, 0, 1)


# What ends the wait: the last instruction of its kind in the code.
RELEASES = {
    with_a_ticket: "atomic_add", many_times: "atomic_add", spinning: "store_(dword|b32)", with_a_flag: "store_(dword|b32)",
    between_barriers: "store_(dword|b32)", told_by_a_neighbour: "store_(dword|b32)", hand_over_hand: "atomic_swap",
    in_a_function: "atomic_and",
}


def assembly(function, arch):
    lock = INT
    hints = ()
    if function in (with_a_ticket, many_times):
        hints = (_core.element_of_dtype(device.numpy_dtype(simt_kernels.Account)), _core.element_of_dtype(np.dtype(np.int32)))
        lock = f"array[{hints[0].text}, 1, contiguous, index32]"
    snapshot = _core.capture(function, hints) if hints else _core.capture(function)
    text = _core.show(snapshot, "amdgcn", f"({lock}, {INT})", f"hip:{arch}", kernel=True)
    body = text[text.index(f"\n{function.__name__}:"):]
    return body[:body.index(".section")].split("\n")


def loops(lines):
    """(first, last) of each stretch of lines that a jump goes back over."""
    labels = {line.split(":")[0]: i for i, line in enumerate(lines) if re.match(r"\.\w+:", line)}
    jumps = [(i, re.match(r"\ts_c?branch\w* (\S+)", line)) for i, line in enumerate(lines)]
    return [(labels[jump[1]], i) for i, jump in jumps if jump and labels[jump[1]] <= i]


def places(lines, pattern):
    return [i for i, line in enumerate(lines) if re.match(rf"\t\w*(global|flat)_{pattern}", line)]


def is_together(lines, release):
    """Whether what releases stands in a loop with what waits: an atomic operation that sees what others do."""
    waits = [i for i, line in enumerate(lines) if re.match(r"\t(global|flat)_(load|atomic_(swap|cmpswap|or)).*(sc1|sc0|glc)", line)]
    return any(first < release < last and any(first < wait < last and wait != release for wait in waits) for first, last in loops(lines))


@pytest.mark.parametrize("arch", AMD)
@pytest.mark.parametrize("function", RELEASES, ids=lambda each: each.__name__)
def test_the_release_stands_in_the_loop(function, arch):
    lines = assembly(function, arch)
    found = places(lines, RELEASES[function])
    if function is between_barriers:  # the stores of results come behind it
        barrier = max(i for i, line in enumerate(lines) if "s_barrier" in line)
        found = [i for i in found if i < barrier]
        assert not any(first < barrier < last for first, last in loops(lines)), "\n".join(lines)
    if function is told_by_a_neighbour:
        found = [i for i in found if is_together(lines, i)]
    assert found and is_together(lines, max(found)), "\n".join(lines)


@pytest.mark.parametrize("function", [never_waiting, drawing_lots], ids=lambda each: each.__name__)
def test_what_does_not_wait_stays_as_it_is(function):
    lines = assembly(function, "gfx942")
    last = max(places(lines, "atomic_add"))
    assert not any(first < last < end for first, end in loops(lines)), "\n".join(lines)


def account():
    return np.zeros(1, device.numpy_dtype(simt_kernels.Account))


# What 64 threads of one wave leave: the lock or accounts, the results, and what is asked of both.
RUNS = {
    with_a_ticket: (account, np.zeros(64, np.int32), lambda lock, out: sorted(out) == list(range(1, 65)) and lock["total"] == 64),
    many_times: (account, np.full(1, 5, np.int32), lambda lock, out: lock["total"] == 64 * 10),
    spinning: (lambda: np.zeros(1, np.int32), np.zeros(1, np.int32), lambda lock, out: lock == 0 and out == 64),
    with_a_flag: (lambda: np.zeros(1, np.int32), np.zeros(1, np.int32), lambda lock, out: lock == 0 and out == 64),
    between_barriers: (lambda: np.zeros(1, np.int32), np.zeros(65, np.int32), lambda lock, out: (out == 64).all()),
    told_by_a_neighbour: (lambda: np.zeros(1, np.int32), np.zeros(64, np.int32),
                          lambda lock, out: lock == 1 and out[5] == 0 and out.sum() == 2 * 63),
    hand_over_hand: (lambda: np.zeros(7, np.int32), np.array([7] + [0] * 6, np.int32),
                     lambda lock, out: not lock.any() and (out[1:] == 64).all()),
    in_a_function: (lambda: np.zeros(4, np.int32), np.zeros(1, np.int32), lambda lock, out: not lock.any() and out == 64),
    never_waiting: (lambda: np.ones(1, np.int32), np.zeros(1, np.int32), lambda lock, out: lock == pow(3, 64, 1 << 32) and out == 64),
}


@pytest.mark.parametrize("function", RUNS, ids=lambda each: each.__name__)
def test_all_lanes_of_a_wave_come_through(function):
    """The code itself, run by a machine for gfx942: it ends, and every lane was alone where it had the lock."""
    make, out, is_right = RUNS[function]
    lock, out = make(), out.copy()
    amd_machine.run(assembly(function, "gfx942"), [lock, out])
    assert is_right(lock if lock.dtype.names else lock.view(np.uint32) if function is never_waiting else lock, out), (lock, out)


# ---- who raises leaves the loop that is put round the waiting for the function's end

def by_check(x, out):
    out[2] = x[len(out) - 1]


def by_raise(x, out):
    if x[0] < 0:
        raise ValueError("negative")
    if x[1] < 0:
        raise KeyError(7)
    out[2] = x[0]


def with_a_message(before, after):
    """The last thread of a block writes, and may raise; the others wait for it, and then may raise."""
    def kernel(x, out):
        box = device.shared_array(4, device.int32)
        size = device.int32(device.block_dim.x * device.block_dim.y * device.block_dim.z)
        t = device.int32(device.thread_idx.x + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z))
        if t < 4:
            box[t] = 0
        device.syncthreads()
        if t == size - 1:
            before(x, box)
            device.atomic.store(box, 0, 1, "release")
        else:
            device.AtomicRef(box, 0).wait(0)
            after(x, box)
        device.syncthreads()
        out[device.block_idx.x * size + t] = box[2] + t
    return kernel


def by_none(x, out):
    pass


@pytest.mark.parametrize("where", ["emu:gfx90a", "emu:gfx942", "emu:gfx1100"])
@pytest.mark.parametrize("block", [(64, 1, 1), (33, 1, 1), (16, 1, 3), (5, 5, 5)], ids=str)
@pytest.mark.parametrize("before", [by_check, by_raise, by_none], ids=lambda it: it.__name__)
@pytest.mark.parametrize("after", [by_raise, by_none], ids=lambda it: it.__name__)
def test_who_raises_leaves(before, after, block, where):
    threads = int(np.prod(block))
    kernel = device.kernel(check="bounds")(with_a_message(before, after))
    x, out = device.array(np.arange(3, 11, dtype=np.int32), where), device.zeros(2 * threads, device.int32, where)
    kernel[2, block](x, out)
    said = 0 if before is after is by_none else 6 if (before, after) == (by_check, by_none) else 3
    assert out.tolist() == [said + t for t in range(threads)] * 2


@pytest.mark.parametrize("where", ["emu:gfx90a", "emu:gfx942", "emu:gfx1100"])
def test_who_waited_raises(where):
    kernel = device.kernel(with_a_message(by_none, by_raise))
    kernel[1, 48](device.array(np.array([-1, 0], np.int32), where), device.zeros(48, device.int32, where))
    with pytest.raises(ValueError, match="negative"):
        device.synchronize(where)

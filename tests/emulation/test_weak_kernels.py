"""Our kernels whose threads wait for one another, on the machine whose memory is weak: right in every schedule, with no race; and wrong
once one fence, order, scope or barrier is taken from their PTX, which the machine whose threads agree on one order does not see.
"""

import functools
import os
import pathlib
import re
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import on_machine
import simt_kernels
import test_gpu_waits as waits
from hetjit import _core, device
from hetjit.emulation.ptx import Machine, MachineError, Weak

ALL = os.environ.get("HETJIT_MACHINES") == "all"
SEEDS = 50 if ALL else 2
SLOW = {"one_thread_per_block_locks", "all_threads_lock", "orders_and_scopes", "exchanges", "integer_operations", "float_operations",
        "tree_sum"}


@functools.cache
def image_of(function, hints, signature):
    return _core.compile(_core.capture(function, hints), signature, "cuda:sm_90")


def compiled(function, arguments):
    """With the methods of the arrays' elements."""
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)
    arrays = [f"array[{hint.text}, {a.ndim}, contiguous, index32]" for a, hint in zip(arguments, hints)]
    return image_of(function, hints, f"({', '.join(arrays)})")


def run(image, grid, block, arguments, schedule, shared=0):
    on_machine.run(image, grid, block, arguments, shared, Machine(stack_bytes=1 << 12, schedule=schedule))


@pytest.mark.parametrize("name", simt_kernels.CASES)
def test_threads_together(name):
    case = simt_kernels.CASES[name]
    for seed in range((4 if ALL else 0) if name in SLOW else SEEDS):
        arguments, want = case.arguments(), case.expect(*case.arguments())
        run(compiled(case.kernel.underlying, arguments), case.grid, case.block, arguments, Weak(seed), case.shared)
        for got, wanted in zip(arguments, want):
            if wanted is not None:
                np.testing.assert_array_equal(got, wanted)


# ---- locks and flags, by a few threads of two blocks

def handed_over(flag, data):
    if device.block_idx.x == 0:
        data[0] = 42
        device.atomic.store(flag, 0, 1, memory="release")
    else:
        while device.atomic.load(flag, 0, memory="acquire") == 0:
            pass
        data[1] = data[0]


def by_fences(flag, data):
    if device.block_idx.x == 0:
        data[0] = 42
        device.threadfence("release", "device")
        device.atomic.store(flag, 0, 1)
    else:
        while device.atomic.load(flag, 0) == 0:
            pass
        device.threadfence("acquire", "device")
        data[1] = data[0]


def handed_on(flag, data):
    i = device.block_idx.x
    while device.atomic.load(flag, 0, memory="acquire") != i:
        pass
    data[0] += i
    device.atomic.store(flag, 0, i + 1, memory="release")


def by_exchange(lock, count):
    while device.atomic.exch(lock, 0, 1, memory="acquire") == 1:
        pass
    count[0] += 1
    device.atomic.store(lock, 0, 0, memory="release")


def who_comes_first(flags, saw):
    me = device.block_idx.x
    device.atomic.store(flags, me, 1)
    device.threadfence("seq_cst", "device")
    saw[me] = device.atomic.load(flags, 1 - me)


def the_last_block_adds(tickets, sums):
    i = device.block_idx.x
    if device.thread_idx.x == 0:
        sums[i] = i + 1
        if device.atomic.add(tickets, 0, 1, memory="acq_rel") == device.grid_dim.x - 1:
            total = 0
            for k in range(device.grid_dim.x):
                total += sums[k]
            tickets[1] = total


def turned_in_blocks(tickets, x):
    box = device.shared_array(64, device.int32)
    i = device.thread_idx.x
    for _ in range(2):
        box[i] = x[device.tid(1)]
        device.syncthreads()
        x[device.tid(1)] = box[device.block_dim.x - 1 - i]
        device.syncthreads()


def next_in_warps(tickets, x):
    box = device.shared_array(64, device.int32)
    i = device.thread_idx.x
    box[i] = x[device.tid(1)]
    device.syncwarp()
    x[device.tid(1)] = box[(i + 1) % device.block_dim.x]


def counted(tickets, x):
    device.atomic.add(tickets, 0, 1)


def by_all_blocks(tickets, x):
    x[device.tid(1)] = device.tid(1) + 1
    device.syncgrid()
    tickets[device.tid(1)] = x[x.shape[0] - 1 - device.tid(1)]


def numbers(n=2):
    return lambda: np.zeros(n, np.int32)


COUNT = np.arange(8, dtype=np.int32)
LOCK = numbers(1)
CASES = {  # function: (grid, block, first argument, second, what it leaves)
    handed_over: (2, 1, LOCK, numbers(), lambda flag, x: x.tolist() == [42, 42]),
    by_fences: (2, 1, LOCK, numbers(), lambda flag, x: x.tolist() == [42, 42]),
    handed_on: (4, 1, LOCK, numbers(), lambda flag, x: x[0] == 6),
    by_exchange: (3, 1, LOCK, numbers(), lambda lock, x: x[0] == 3),
    who_comes_first: (2, 1, numbers(), numbers(), lambda flags, saw: saw.any()),
    the_last_block_adds: (4, 2, numbers(), numbers(4), lambda tickets, x: tickets.tolist() == [4, 10]),
    turned_in_blocks: (2, 4, LOCK, COUNT.copy, lambda tickets, x: (x == COUNT).all()),
    next_in_warps: (2, 4, LOCK, COUNT.copy, lambda tickets, x: x.tolist() == [1, 2, 3, 0, 5, 6, 7, 4]),
    counted: (3, 2, LOCK, LOCK, lambda tickets, x: tickets[0] == 6),
    by_all_blocks: (4, 2, numbers(8), numbers(8), lambda out, x: out.tolist() == [8, 7, 6, 5, 4, 3, 2, 1]),
    waits.with_a_ticket: (2, 3, waits.account, numbers(6), lambda lock, out: sorted(out) == [1, 2, 3, 4, 5, 6]),
    waits.many_times: (2, 2, waits.account, lambda: np.full(1, 3, np.int32), lambda lock, out: lock["total"] == 4 * 3),
    waits.spinning: (2, 3, LOCK, LOCK, lambda lock, out: out[0] == 6),
    waits.with_a_flag: (2, 3, LOCK, LOCK, lambda lock, out: out[0] == 6),
    waits.between_barriers: (1, 5, LOCK, numbers(6), lambda lock, out: (out == 5).all()),
    waits.told_by_a_neighbour: (1, 8, LOCK, numbers(8), lambda lock, out: out.sum() == 14),
    waits.hand_over_hand: (1, 3, numbers(4), lambda: np.array([4, 0, 0, 0], np.int32), lambda lock, out: (out[1:] == 3).all()),
    waits.in_a_function: (2, 3, numbers(4), LOCK, lambda lock, out: out[0] == 6),
    waits.never_waiting: (2, 3, lambda: np.ones(1, np.int32), LOCK, lambda lock, out: lock[0] == 3 ** 6),
    waits.drawing_lots: (2, 3, lambda: np.full(1, 980, np.int32), numbers(1000), lambda lock, out: lock[0] == 1006),
}


def once(function, schedule, edit=lambda code: code):
    """Whether it leaves what it must."""
    grid, block, first, second, is_right = CASES[function]
    arguments = first(), second()
    image = compiled(function, arguments)
    run({**image, "code": edit(image["code"].decode()).encode()}, grid, block, arguments, schedule)
    return bool(is_right(*arguments))


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_waiting(function):
    for seed in range(500 if ALL else 20):
        assert once(function, Weak(seed)), seed


# ---- faults that were planted

def without(pattern, by=""):
    def edit(code):
        changed, count = re.subn(pattern, by, code)
        assert count, f"no {pattern}"
        return changed
    return edit


PLANTED = {
    "a store without release": (handed_over, without("st.release.gpu", "st.relaxed.gpu")),
    "a load without acquire": (handed_over, without("ld.acquire.gpu", "ld.relaxed.gpu")),
    "a flag that is a plain store": (handed_over, without("st.release.gpu.global", "st.global")),
    "a scope too small": (handed_over, without("st.release.gpu", "st.release.cta")),
    "no fence before a flag": (by_fences, without(r"fence.acq_rel.gpu;(?=\s+st)")),
    "no fence behind a flag": (by_fences, without(r"fence.acq_rel.gpu;(?=\s+ld)")),
    "a fence's scope too small": (by_fences, without("fence.acq_rel.gpu", "fence.acq_rel.cta")),
    "a lock taken without acquire": (by_exchange, without("atom.acquire", "atom.relaxed")),
    "a lock given back without release": (by_exchange, without("st.release", "st.relaxed")),
    "a fence that is not seq_cst": (who_comes_first, without("fence.sc", "fence.acq_rel")),
    "a ticket that hands nothing over": (the_last_block_adds, without("atom.acq_rel", "atom.acquire")),
    "no barrier": (turned_in_blocks, without(r"bar.sync\s+0;")),
    "no barrier of the warp": (next_in_warps, without(r"bar.warp.sync\s+-1;")),
    "an atomic of the block": (counted, without(r"(atom|red).relaxed.gpu", r"\1.relaxed.cta")),
    "a grid's barrier without release": (by_all_blocks, without("atom.acq_rel.gpu", "atom.acquire.gpu")),
    "a ticket lock without fences": (waits.with_a_ticket, without("fence.sc.sys;")),
}


def finds(function, edit, races, seeds):
    """The first seed that shows it."""
    for seed in range(seeds):
        try:
            if not once(function, Weak(seed, races), edit):
                return seed
        except MachineError:
            return seed
    return None


@pytest.mark.parametrize("name", PLANTED)
def test_planted(name):
    function, edit = PLANTED[name]
    assert once(function, None, edit), "the strong machine sees it"
    assert function is who_comes_first or finds(function, edit, True, 20) is not None, "no race"
    assert finds(function, edit, False, 2000) is not None, "no wrong result"

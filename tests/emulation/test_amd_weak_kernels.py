"""Our kernels whose threads wait for one another, on machines for AMD whose memory is weak: right in every schedule; and wrong once one wait,
invalidation, write-back or bit is taken from their machine code, which the machines whose waves agree on one order do not see.
"""

import functools
import os
import pathlib
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="the tables of AMD's instructions (tinygrad 0.14.0) are not installed")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import on_machine
import shapes
import simt_kernels
import test_gpu_waits as waits
import test_weak_kernels as kernels
from edited import cleared, edited, without
from hetjit import _core, device
from hetjit.emulation.amd import Machine, MachineError, WaitFault, Weak

ALL = os.environ.get("HETJIT_MACHINES") == "all"
ARCHITECTURES = ("gfx942", "gfx1100", "gfx90a", "gfx1201") if ALL else ("gfx942", "gfx1100")
OF_64 = shapes.in_any_block(simt_kernels, WARP=64, ALL_LANES=-1)
LONGEST = "one_thread_per_block_locks"  # 64 waves that ask for one lock: six minutes for a schedule
SLOW = {*kernels.SLOW, "small_formats", "reversed_in_blocks", "histogram"}


@functools.cache
def image_of(function, hints, signature, architecture):
    return _core.compile(_core.capture(function, hints), signature, f"hip:{architecture}")


def compiled(function, arguments, architecture):
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)
    arrays = [f"array[{hint.text}, {a.ndim}, contiguous, index32]" for a, hint in zip(arguments, hints)]
    return image_of(function, hints, f"({', '.join(arrays)})", architecture)


def run(image, architecture, grid, block, arguments, schedule, shared=0):
    on_machine.run(image, grid, block, arguments, shared, Machine(architecture, stack_bytes=1 << 12, schedule=schedule))


TOGETHER = [(name, architecture) for number, name in enumerate(simt_kernels.CASES) for place, architecture in enumerate(ARCHITECTURES)
            if ALL or name not in SLOW and number % 2 == place]


@pytest.mark.parametrize("name, architecture", TOGETHER)
def test_threads_together(name, architecture):
    case = (simt_kernels if architecture.startswith("gfx1") else OF_64).CASES[name]
    for seed in range(5 if ALL and name != LONGEST else 1):
        arguments, want = case.arguments(), case.expect(*case.arguments())
        run(compiled(case.kernel.underlying, arguments, architecture), architecture, case.grid, case.block, arguments, Weak(seed), case.shared)
        for got, wanted in zip(arguments, want):
            if wanted is not None:
                np.testing.assert_array_equal(got, wanted)


def turned_in_large_blocks(tickets, x):
    """By several waves."""
    box = device.shared_array(128, device.int32)
    i = device.thread_idx.x
    for _ in range(2):
        box[i] = x[device.tid(1)]
        device.syncthreads()
        x[device.tid(1)] = box[device.block_dim.x - 1 - i]
        device.syncthreads()


CASES = {**kernels.CASES, turned_in_large_blocks: (1, 128, kernels.LOCK, lambda: np.arange(128, dtype=np.int32),
                                                   lambda tickets, x: (x == np.arange(128)).all())}


def once(function, architecture, schedule, change=None):
    """Whether it leaves what it must."""
    grid, block, first, second, is_right = CASES[function]
    arguments = first(), second()
    image = compiled(function, arguments, architecture)
    if change is not None:
        image = {**image, "code": edited(image["code"], architecture, function.__name__, change)}
    run(image, architecture, grid, block, arguments, schedule)
    return bool(is_right(*arguments))


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_waiting(function, architecture):
    for seed in range(60 if ALL else 3):
        assert once(function, architecture, Weak(seed)), seed


# ---- faults that were planted

BY_EXCHANGE, LAST, BY_ALL = kernels.by_exchange, kernels.the_last_block_adds, kernels.by_all_blocks
PLANTED = {
    ("gfx942", "a flag without write-back"): (kernels.handed_over, without("BUFFER_WBL2")),
    ("gfx942", "a flag without invalidation"): (kernels.handed_over, without("BUFFER_INV")),
    ("gfx942", "a flag that does not wait"): (kernels.handed_over, without("S_WAITCNT", "BUFFER_WBL2")),
    ("gfx942", "an invalidation of no scope"): (kernels.handed_over, cleared("BUFFER_INV", "sc1")),
    ("gfx942", "a write-back of no scope"): (kernels.handed_over, cleared("BUFFER_WBL2", "sc1")),
    ("gfx942", "a flag's load of no scope"): (kernels.by_fences, cleared("GLOBAL_LOAD_DWORD", "sc1")),
    ("gfx942", "fences without write-back"): (kernels.by_fences, without("BUFFER_WBL2")),
    ("gfx942", "fences without invalidation"): (kernels.by_fences, without("BUFFER_INV")),
    ("gfx942", "a lock without write-back"): (BY_EXCHANGE, without("BUFFER_WBL2")),
    ("gfx942", "a lock without invalidation"): (BY_EXCHANGE, without("BUFFER_INV")),
    ("gfx942", "a ticket without write-back"): (LAST, without("BUFFER_WBL2")),
    ("gfx942", "a grid's barrier without invalidation"): (BY_ALL, without("BUFFER_INV")),
    ("gfx942", "a barrier that does not wait"): (turned_in_large_blocks, without("S_WAITCNT", "DS_WRITE.*")),
    ("gfx942", "no wait for a load"): (kernels.handed_over, without("S_WAITCNT", "GLOBAL_LOAD.*")),
    ("gfx942", "no wait for the arguments"): (kernels.handed_over, without("S_WAITCNT", "V_MOV_B32|S_BRANCH|S_LOAD.*|S_CMP.*|S_CSELECT.*|S_CBRANCH.*")),
    ("gfx1100", "a flag that does not wait"): (kernels.handed_over, without("S_WAITCNT_VSCNT")),
    ("gfx1100", "a flag without invalidation of L0"): (kernels.handed_over, without("BUFFER_GL0_INV")),
    ("gfx1100", "a flag without invalidation of L1"): (kernels.handed_over, without("BUFFER_GL1_INV")),
    ("gfx1100", "a flag's load of no scope"): (kernels.by_fences, cleared("GLOBAL_LOAD_B32", "glc")),
    ("gfx1100", "fences that do not wait"): (kernels.by_fences, without("S_WAITCNT_VSCNT")),
    ("gfx1100", "a lock given back without wait"): (BY_EXCHANGE, without("S_WAITCNT_VSCNT")),
    ("gfx1100", "a lock without invalidation"): (BY_EXCHANGE, without("BUFFER_GL._INV")),
    ("gfx1100", "a ticket that does not wait"): (LAST, without("S_WAITCNT_VSCNT")),
    ("gfx1100", "a grid's barrier without invalidation"): (BY_ALL, without("BUFFER_GL._INV")),
    ("gfx1100", "a barrier that does not wait"): (turned_in_large_blocks, without("S_WAITCNT", "DS_STORE.*")),
    ("gfx1100", "a ticket lock that does not wait"): (waits.with_a_ticket, without("S_WAITCNT_VSCNT")),
    ("gfx1100", "no wait for a load"): (kernels.handed_over, without("S_WAITCNT", "GLOBAL_LOAD.*")),
}


def finds(function, architecture, change, seeds):
    """(the first seed that shows it, the exception)."""
    for seed in range(seeds):
        try:
            if not once(function, architecture, Weak(seed), change):
                return seed, None
        except MachineError as error:
            return seed, error
    return None, None


@pytest.mark.parametrize("architecture, name", PLANTED)
def test_planted(architecture, name):
    function, change = PLANTED[architecture, name]
    assert once(function, architecture, None, change), "the strong machine sees it"
    seed, error = finds(function, architecture, change, 2000)
    assert seed is not None
    assert isinstance(error, WaitFault) == name.startswith("no wait")

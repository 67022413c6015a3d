"""Threads that share memory, wait, vote, shuffle, lock: on the host, by the interpreter, and as code for GPUs."""

import os
import re
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import shapes
import simt_kernels
from hetjit import _core, device



ROWS = {mark.args[0]: mark for mark in (
    pytest.mark.row("HETX-MEM-1"), pytest.mark.row("HETX-MEM-2"), pytest.mark.row("HETX-BS-1"), pytest.mark.row("HETX-WS-1"),
    pytest.mark.row("HETX-WS-2"), pytest.mark.row("HETX-AT-1"), pytest.mark.row("HETX-AT-2"), pytest.mark.row("HETX-AT-3"),
    pytest.mark.row("HETX-AT-4"), pytest.mark.row("HETX-ORD-1"), pytest.mark.row("HETX-SCO-1"), pytest.mark.row("HET-ATM-1"),
    pytest.mark.row("HET-ATM-2"), pytest.mark.row("HET-ATM-3"), pytest.mark.row("HET-ATM-4"), pytest.mark.row("HET-ATM-5"),
    pytest.mark.row("HET-ATM-6"), pytest.mark.row("HET-ATM-8"), pytest.mark.row("HET-STR-12"))}


def marked(names):
    return [pytest.param(name, marks=[ROWS[row] for row in simt_kernels.CASES[name].rows]) for name in names]


def check(after, want):
    for got, wanted in zip(after, want):
        if wanted is not None:
            np.testing.assert_array_equal(got, wanted)


def within(seconds, work):
    """Runs it; a test that hangs fails."""
    failed = []

    def run():
        try:
            work()
        except BaseException as error:
            failed.append(error)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), "it hangs"
    if failed:
        raise failed[0]


@pytest.mark.parametrize("name", marked(simt_kernels.CASES))
def test_on_the_host(name):
    case = simt_kernels.CASES[name]
    arguments = case.arguments()
    want = case.expect(*case.arguments())
    within(60, lambda: case.kernel.on("cpu")[case.grid, case.block, None, case.shared, case.cooperative](*arguments))
    check(arguments, want)


WARPS_BY_WARP = {"WARP": 64, "ALL_LANES": -1}  # as gfx942's are
BY_WARP = {"cpu": simt_kernels, "hip:gfx942": shapes.in_any_block(simt_kernels, **WARPS_BY_WARP)}
by_warp = pytest.mark.parametrize("target", BY_WARP)


def interpreted(case, block, target):
    arguments = case.arguments()
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)  # whose methods the kernel calls
    _core.interpret(_core.capture(case.kernel.underlying, hints), arguments, case.grid, block, shared=case.shared, target=target)
    check(arguments, case.expect(*case.arguments()))


@by_warp
@pytest.mark.parametrize("name", marked(simt_kernels.CASES))
def test_by_the_interpreter(name, target):
    case = BY_WARP[target].CASES[name]
    interpreted(case, case.block, target)


# ---- in blocks of every shape

ODD = shapes.in_any_block(simt_kernels, BLOCK=99)  # three warps and three lanes
ODD_BY_WARP = {"cpu": ODD, "hip:gfx942": shapes.in_any_block(simt_kernels, BLOCK=99, **WARPS_BY_WARP)}
IN_ROWS = [name for name, case in ODD.CASES.items() if isinstance(case.block, int) and case.block > 32]


@pytest.mark.parametrize("tier", ("whole", "warps", "threads"))
@pytest.mark.parametrize("name", IN_ROWS)
def test_in_blocks_of_every_shape(name, tier, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", {"whole": "8", "warps": "16", "threads": "16"}[tier])
    case = ODD.CASES[name]
    want, last = case.expect(*case.arguments()), None
    for block in shapes.blocks_of(case.block):
        arguments = case.arguments()
        within(60, lambda: case.kernel.on("cpu")[case.grid, block, None, case.shared, case.cooperative](*arguments))
        check(arguments, want)
        last = last or arguments
        for got, first in zip(arguments, last):
            assert got.tobytes() == first.tobytes(), block


@by_warp
@pytest.mark.parametrize("name", IN_ROWS)
def test_in_blocks_of_every_shape_by_the_interpreter(name, target):
    case = ODD_BY_WARP[target].CASES[name]
    for block in shapes.blocks_of(case.block)[2:6]:
        interpreted(case, block, target)


def test_every_kernel_of_a_block_comes_in_every_shape():
    assert set(ODD.CASES) - set(IN_ROWS) == {name for name, case in simt_kernels.CASES.items() if case.block in (1, 32, (8, 8))}


@pytest.mark.row("HET-ATM-6")
def test_accounts_under_a_lock():
    accounts = simt_kernels.mutexes(1, simt_kernels.Account)
    within(60, lambda: simt_kernels.all_threads_lock[2, 32](accounts))
    assert accounts["total"][0] == 2 * 32 * 4
    assert accounts["mutex"]["line"]["value"][0] == accounts["mutex"]["current"]["value"][0] == 2 * 32 * 4


@pytest.mark.row("HETX-MEM-2")
def test_more_shared_memory_than_the_device_has():
    case = simt_kernels.CASES["dynamic_and_static_together"]
    most = device.info("cpu")["max_shared_bytes"]
    with pytest.raises(ValueError, match="bytes of dynamic shared memory are more than"):
        case.kernel[1, 1, None, most + 1](*case.arguments())


def test_a_barrier_of_the_grid_needs_a_cooperative_launch():
    case = simt_kernels.CASES["whole_grid"]
    with pytest.raises(ValueError, match="'whole_grid.*cooperative=True"):
        case.kernel[case.grid, case.block](*case.arguments())
    arguments = case.arguments()
    device.launch(case.kernel, *arguments, grid=case.grid, block=case.block, cooperative=True)
    check(arguments, case.expect(*case.arguments()))


# ---- what GPUs are given

def code(function, signature, target):
    phase = "ptx" if target.startswith("cuda") else "amdgcn"
    return _core.show(_core.capture(function), phase, signature, target)


def adds(out):
    device.AtomicRef(out, 0).add(1)


def adds_by_function(out):
    device.atomic.add(out, 0, 1)


def functions(out):
    """None of which orders anything."""
    old = device.atomic.cas(out, 1, 0, 1) + device.atomic.exch(out, 2, 5) + device.atomic.load(out, 3)
    device.atomic.store(out, 4, old)
    device.atomic.max(out, 5, 3)


def adds_in_block(out):
    device.atomic.add(out, 0, 1, memory="relaxed", scope="block")


def loads(out):
    out[1] = device.AtomicRef(out, 0).load()


def fences(out):
    out[0] = 1
    device.threadfence("acq_rel", "device")
    out[1] = 1


def syncs(out):
    tile = device.shared_array(64, int)
    tile[device.thread_idx.x] = out[0]
    device.syncthreads()
    out[0] = tile[0]


def shuffles(out):
    out[0] = device.shfl_xor_sync(-1, out[0], 1)


def votes(out):
    out[0] = device.popc(device.ballot_sync(-1, out[0]))


@pytest.mark.parametrize("function, target, patterns", [
    pytest.param(function, target, patterns, marks=ROWS[row]) for function, row, target, patterns in [
        (adds, "HETX-AT-2", "cuda:sm_90", [r"fence\.sc\.sys", r"atom(\.global)?\.acquire\.sys(\.global)?\.add\.[su]32|atom.*acq_rel\.sys"]),
        (adds, "HETX-AT-2", "hip:gfx942", [r"(global|flat)_atomic_add", r"buffer_wbl2"]),
        (adds_by_function, "HETX-AT-2", "cuda:sm_90", [r"(atom|red)\.relaxed\.gpu(\.global)?\.add\.[su]32"]),
        (adds_by_function, "HETX-AT-2", "hip:gfx942", [r"(global|flat)_atomic_add"]),
        (adds_in_block, "HETX-SCO-1", "cuda:sm_90", [r"atom(\.global)?\.relaxed\.cta|red(\.global)?\.relaxed\.cta|(atom|red)\.relaxed\.cta"]),
        (adds_in_block, "HETX-SCO-1", "hip:gfx942", [r"(global|flat)_atomic_add"]),
        (loads, "HET-ATM-3", "cuda:sm_90", [r"fence\.sc\.sys", r"ld\.acquire\.sys"]),
        (loads, "HET-ATM-3", "hip:gfx942", [r"(global|flat)_load_dword .* sc0 sc1", r"buffer_inv"]),
        (fences, "HETX-AT-4", "cuda:sm_90", [r"fence\.acq_rel\.gpu"]),
        (fences, "HETX-AT-4", "hip:gfx942", [r"s_waitcnt", r"buffer_(wbl2|inv)"]),
        (syncs, "HETX-BS-1", "cuda:sm_90", [r"\.shared", r"bar(rier)?\.(cta\.)?sync"]),
        (syncs, "HETX-BS-1", "hip:gfx942", [r"ds_(write|read)", r"s_barrier"]),
        (shuffles, "HETX-WS-2", "cuda:sm_90", [r"shfl\.sync\.bfly\.b32"]),
        (shuffles, "HETX-WS-2", "hip:gfx942", [r"ds_bpermute|ds_swizzle|_dpp|quad_perm"]),
        (votes, "HETX-WS-2", "cuda:sm_90", [r"vote\.sync\.ballot\.b32"]),
        (votes, "HETX-WS-2", "hip:gfx942", [r"v_cmp_ne_u32", r"s_bcnt1_i32_b64|v_bcnt"]),
    ]], ids=lambda value: getattr(value, "__name__", value if isinstance(value, str) else ""))
def test_instructions_of_gpus(function, target, patterns):
    text = code(function, "(int32[::1])", target)
    for pattern in patterns:
        assert re.search(pattern, text), f"{pattern} is not in\n{text}"


@pytest.mark.row("HETX-AT-2")
@pytest.mark.parametrize("target, ordered", [("cuda:sm_90", r"fence|acquire|release|\.sys"), ("hip:gfx942", r"buffer_wbl2|buffer_inv")])
def test_functions_of_atomics_order_nothing_by_default(target, ordered):
    for function in (adds_by_function, functions):
        assert not re.search(ordered, code(function, "(int32[::1])", target))

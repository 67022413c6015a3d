"""Our own code on the machines leaves what the interpreter leaves, bit for bit: the kernels of tests/differential.

Math functions are the vendor's there and ours here, so those are compared within a bound.
"""

import functools
import os
import pathlib
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import kernels
import on_machine
import shapes
import simt_kernels
import test_warp_edges
import tools
import warp_kernels
from hetjit import _core, device
from hetjit.emulation.faults import UninitializedFault
from on_machine import MACHINES, target_of

EXACT, INEXACT = list(kernels.cases()), list(kernels.inexact_cases())
on_machines = pytest.mark.parametrize("machine", MACHINES)


def name(case):
    strided = any(not a.flags.c_contiguous for a in case[-1] if isinstance(a, np.ndarray))
    return f"{case[0].underlying.__name__}-{case[1]}" + ("-strided" if strided else "")


def both_ways(case, contract, machine):
    """What the machine and the interpreter leave."""
    kernel, _, grid, block, arguments = case
    got, want = (tuple(map(tools.fresh, arguments)) for _ in range(2))
    image = tools.skip_without_libdevice(lambda: on_machine.compiled(kernel.underlying, tools.signature(arguments), target_of(machine), contract))
    on_machine.run(image, grid, block, got)
    _core.interpret(_core.capture(kernel.underlying), want, grid, block, contract=contract)
    return got, want


@on_machines
@pytest.mark.parametrize("contract", [False, True])
@pytest.mark.parametrize("case", EXACT, ids=name)
def test_kernels(case, contract, machine):
    tools.assert_same_bits(*both_ways(case, contract, machine))


@on_machines
@pytest.mark.parametrize("case", INEXACT, ids=name)
def test_math(case, machine):
    got, want = both_ways(case, True, machine)
    step = np.finfo(case[1]).eps
    np.testing.assert_allclose(got[-1], want[-1], rtol=8 * step, atol=4 * step)


OF_64 = shapes.in_any_block(simt_kernels, WARP=64, ALL_LANES=-1)


@functools.cache
def simt_image(kernel, hints, signature, machine, check):
    return _core.compile(_core.capture(kernel.underlying, hints), signature, target_of(machine))


@on_machines
@pytest.mark.parametrize("kernel", simt_kernels.CASES)
def test_threads_together(kernel, machine):
    case = (OF_64 if machine == "emu:gfx942" else simt_kernels).CASES[kernel]
    leaves_what_is_expected(case, case.block, machine)


def leaves_what_is_expected(case, block, machine):
    arguments = case.arguments()
    want = case.expect(*case.arguments())
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)  # whose methods the kernel calls
    arrays = [f"array[{hint.text}, {a.ndim}, contiguous, index32]" for a, hint in zip(arguments, hints)]
    image = simt_image(case.kernel, hints, f"({', '.join(arrays)})", machine, os.environ.get("HETJIT_CHECK"))
    on_machine.run(image, case.grid, block, arguments, case.shared)
    for got, wanted in zip(arguments, want):
        if wanted is not None:
            np.testing.assert_array_equal(got, wanted)


def in_shape(block, machine):
    """What a thread of a block of this shape asks of its place."""
    image = on_machine.compiled(test_warp_edges.reads_thread_index, "(array[int32, 2, contiguous, index32])", target_of(machine), True)
    x, y, z, warp = *block, 64 if machine == "emu:gfx942" else 32
    out = np.zeros((x * y * z, 5), np.int32)
    on_machine.run(image, 1, block, (out,))
    return out.tolist(), [[i, j, k, (i + x * (j + y * k)) % warp, 1] for k in range(z) for j in range(y) for i in range(x)]


@on_machines
def test_thread_indices_in_blocks_of_every_shape(machine):
    draw = np.random.default_rng(3)
    drawn = [tuple(int(n) for n in draw.integers(1, (64, 12, 2))) for _ in range(10)]
    for block in [(16, 16, 1), (48, 2, 1), (33, 3, 2), (1, 1, 64), (31, 33, 1), *drawn]:
        got, want = in_shape(block, machine)
        assert got == want, block


ODD = shapes.in_any_block(simt_kernels, BLOCK=99)  # three warps and three lanes
ODD_OF_64 = shapes.in_any_block(simt_kernels, BLOCK=99, WARP=64, ALL_LANES=-1)


@on_machines
@pytest.mark.parametrize("kernel", [name for name, case in ODD.CASES.items() if case.block == 99])
def test_threads_together_in_blocks_of_every_shape(kernel, machine, monkeypatch):
    if machine.startswith("emu:gfx"):
        monkeypatch.setenv("HETJIT_CHECK", "bounds")  # else what the last warp's shuffles give is the hardware's affair
    for block in shapes.blocks_of(99):
        leaves_what_is_expected((ODD_OF_64 if machine == "emu:gfx942" else ODD).CASES[kernel], block, machine)


ANY_BLOCK = shapes.in_any_block(warp_kernels)
LAUNCHES = [(1, 32), (37, 16), (100, 7), (256, 64), (301, 100), (64, 1)]  # elements, threads of a block
SHAPED = [(37, (7, 3)), (301, (5, 4, 5)), (64, (1, 32)), (100, (33, 2)), (90, (17, 1, 3)), (64, (1, 1, 64))]


@on_machines
@pytest.mark.parametrize("function, launches", [*((function, LAUNCHES) for function in warp_kernels.ALL),
                                                *((function, SHAPED) for function in ANY_BLOCK.ALL)],
                         ids=lambda value: getattr(value, "__name__", "of one axis" if value is LAUNCHES else "of every shape"))
def test_divergence(function, launches, machine):
    for n, block in launches:
        values = np.random.default_rng(n)
        given = values.random(n, np.float32), values.integers(0, 30, n).astype(np.int32), np.int32(n)
        got, want = (tuple(map(tools.fresh, given)) for _ in range(2))
        grid = -(-n // int(np.prod(block))) + 1
        on_machine.run(on_machine.compiled(function, tools.signature(given), target_of(machine), True), grid, block, got)
        _core.interpret(_core.capture(function), want, grid, block)
        tools.assert_same_bits(got, want)


def reads_what_nobody_wrote(x):
    box = device.shared_array(64, device.float32)
    x[device.thread_idx.x] = box[device.thread_idx.x]


def test_a_fault_names_the_kernel():
    x = np.zeros(32, np.float32)
    image = on_machine.compiled(reads_what_nobody_wrote, tools.signature((x,)), "cuda:sm_90", True)
    with pytest.raises(UninitializedFault, match="4 bytes of shared memory that nobody wrote") as caught:
        on_machine.run(image, 1, 32, (x,))
    assert "in reads_what_nobody_wrote" in str(caught.value)

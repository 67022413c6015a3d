"""What is emitted for architectures older and newer than sm_90 leaves what the interpreter leaves: the kernels of tests/differential.

One of some is run by default, all with `./dev test --machines`.
"""

import os
import zlib

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import everywhere  # finds tests/differential

import kernels
import on_machine
import simt_kernels
import tools
import warp_kernels
from hetjit import _core

ARCHITECTURES = ("sm_75", "sm_100")
SHARE = 4


def some(things, name):
    """(architecture, thing) of the share that is run here, as pytest's parameters."""
    everything = os.environ.get("HETJIT_MACHINES") == "all"
    pairs = [(arch, thing, f"{arch}-{name(thing)}") for arch in ARCHITECTURES for thing in things]
    return [pytest.param(arch, thing, id=label) for arch, thing, label in pairs if everything or zlib.crc32(label.encode()) % SHARE == 0]


def case_name(case):
    strided = any(not a.flags.c_contiguous for a in case[-1] if isinstance(a, np.ndarray))
    return f"{case[0].underlying.__name__}-{case[1]}" + ("-strided" if strided else "")


def leaves_what_the_interpreter_leaves(function, arch, grid, block, arguments, contract=True):
    got, want = (tuple(map(tools.fresh, arguments)) for _ in range(2))
    on_machine.run(on_machine.compiled(function, tools.signature(arguments), f"cuda:{arch}", contract), grid, block, got)
    _core.interpret(_core.capture(function), want, grid, block, contract=contract)
    tools.assert_same_bits(got, want)


@pytest.mark.parametrize("arch, case", some(list(kernels.cases()), case_name))
def test_kernels(arch, case):
    kernel, _, grid, block, arguments = case
    for contract in (False, True):
        leaves_what_the_interpreter_leaves(kernel.underlying, arch, grid, block, arguments, contract)


@pytest.mark.parametrize("arch, kernel", some(list(simt_kernels.CASES), str))
def test_threads_together(arch, kernel):
    case = simt_kernels.CASES[kernel]
    arguments, want = case.arguments(), case.expect(*case.arguments())
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)  # whose methods the kernel calls
    arrays = [f"array[{hint.text}, {a.ndim}, contiguous, index32]" for a, hint in zip(arguments, hints)]
    image = _core.compile(_core.capture(case.kernel.underlying, hints), f"({', '.join(arrays)})", f"cuda:{arch}")
    on_machine.run(image, case.grid, case.block, arguments, case.shared)
    for got, wanted in zip(arguments, want):
        if wanted is not None:
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("arch, function", some(warp_kernels.ALL, lambda function: function.__name__))
def test_divergence(arch, function):
    for n, block in ((37, 16), (301, 100)):
        values = np.random.default_rng(n)
        given = values.random(n, np.float32), values.integers(0, 30, n).astype(np.int32), np.int32(n)
        leaves_what_the_interpreter_leaves(function, arch, -(-n // block) + 1, block, given)

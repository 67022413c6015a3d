"""CPython on NumPy scalars = IR interpreter = host target, bit for bit; with fused multiply-add the last two stay equal.

Every kernel is also compiled for every architecture that ptxas knows and for the AMD targets.
"""

import pathlib
import sys

import numpy as np
import pytest

from hetjit import _core

import kernels
import simulate
import tools

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import producers

Tensor = producers.lending.tensor_class(producers.exchange_class())
ALL = list(kernels.cases()) + list(kernels.inexact_cases())
EXACT = list(kernels.cases())


def name(case):
    kernel, dtype, grid, block, arguments = case
    return f"{kernel.underlying.__name__}-{dtype}" + ("" if all(
        a.flags.c_contiguous for a in arguments if isinstance(a, np.ndarray)) else "-strided")


def interpreted(case, contract):
    kernel, _, grid, block, arguments = case
    arguments = tuple(map(tools.fresh, arguments))
    _core.interpret(_core.capture(kernel.underlying), arguments, grid, block, contract=contract)
    return arguments


def on_cpu(case, contract):
    kernel, _, grid, block, arguments = case
    arguments = tuple(map(tools.fresh, arguments))
    tools.with_options(kernel, contract=contract)[grid, block](*arguments)
    return arguments


@pytest.mark.parametrize("case", EXACT, ids=name)
def test_cpython_interpreter_and_cpu_agree(case):
    kernel, _, grid, block, arguments = case
    want = tuple(map(tools.fresh, arguments))
    simulate.run(kernel, grid, block, want)
    tools.assert_same_bits(interpreted(case, contract=False), want)
    tools.assert_same_bits(on_cpu(case, contract=False), want)


@pytest.mark.parametrize("case", ALL, ids=name)
def test_fused_interpreter_and_cpu_agree(case):
    """The arrays are tensors of a library with versions: what the kernel changed it must have known to store to."""
    kernel, _, grid, block, given = case
    tensors = [Tensor(tools.fresh(a)) if isinstance(a, np.ndarray) else a for a in given]
    tools.with_options(kernel, contract=True)[grid, block](*tensors)
    got = tuple(getattr(a, "array", a) for a in tensors)
    tools.assert_same_bits(got, interpreted(case, contract=True))
    for tensor, before in zip(tensors, given):
        assert not isinstance(tensor, Tensor) or tensor.version or tensor.array.tobytes() == before.tobytes()


@pytest.mark.parametrize("case", list(kernels.inexact_cases()), ids=name)
def test_math_is_close_to_numpy(case):
    kernel, dtype, grid, block, arguments = case
    want = tuple(map(tools.fresh, arguments))
    simulate.run(kernel, grid, block, want)
    got = on_cpu(case, contract=True)
    np.testing.assert_allclose(got[-1], want[-1], rtol=8 * np.finfo(dtype).eps, atol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("case", ALL, ids=name)
def test_ptx_is_accepted(case):
    ptxas = tools.find_ptxas() or pytest.skip("no ptxas on this machine (CUDA toolkit)")
    kernel, _, _, _, arguments = case
    snapshot, signature = _core.capture(kernel.underlying), tools.signature(arguments)
    for arch in tools.architectures(ptxas)[:: max(1, len(tools.architectures(ptxas)) - 1)]:
        tools.skip_without_libdevice(lambda: tools.assemble(
            _core.compile(snapshot, signature, f"cuda:{arch}")["code"], arch))


@pytest.mark.parametrize("arch", tools.PTX_ARCHITECTURES)
def test_every_architecture(arch):
    ptxas = tools.find_ptxas() or pytest.skip("no ptxas on this machine (CUDA toolkit)")
    if arch not in tools.architectures(ptxas):
        pytest.skip(f"this ptxas does not know {arch}")
    for case in ALL[:: len(ALL) // 12]:
        kernel, _, _, _, arguments = case
        image = _core.compile(_core.capture(kernel.underlying), tools.signature(arguments), f"cuda:{arch}")
        tools.assemble(image["code"], arch)


@pytest.mark.parametrize("case", ALL, ids=name)
def test_amd_code_objects_have_the_right_arguments(case):
    readobj = tools.find_readobj() or pytest.skip("no llvm-readobj on this machine (llvm-22)")
    kernel, _, _, _, arguments = case
    snapshot, signature = _core.capture(kernel.underlying), tools.signature(arguments)
    image = tools.skip_without_ocml(lambda: _core.compile(snapshot, signature, "hip:gfx942"))
    offsets = tools.explicit_arguments(tools.notes(readobj, image["code"]))
    assert offsets == tools.expected_arguments(arguments)

"""Recursive kernels on a machine that has no more stack than the image asks for: the deepest recursion ends, and a deeper one with
its own exception."""

import pathlib
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import on_machine
import test_gpu_stack
from hetjit import device
from hetjit.emulation.ptx import Machine, StackFault

name = {"ids": lambda function: function.__name__}


def raises(function, depth, stack_bytes=None):
    """Whether the kernel left an exception for the host."""
    image = test_gpu_stack.compiled(function, "cuda:sm_90")
    machine = Machine(stack_bytes or image["stack_bytes"])
    program = machine.load(image["code"])
    parameters, _ = on_machine.pack(machine, (np.array([depth], np.int32), np.ones(10100, np.float32)))
    program.launch(image["entry"], 1, 1, parameters)
    address, _ = program.variable("hetjit_error")
    return bool(machine.arena.slice(address, 8).any())


@pytest.mark.parametrize("function", test_gpu_stack.RECURSIVE, **name)
def test_all_calls_fit(function):
    assert not raises(function, 127)
    assert raises(function, 130)
    assert raises(function, 10000)


def test_a_constant_for_every_function_would_not_do():
    with pytest.raises(StackFault):
        raises(test_gpu_stack.large, 127, 16 << 10)

@pytest.mark.parametrize("function", test_gpu_stack.RECURSIVE, **name)
def test_too_deep_is_an_exception_of_the_host(function):
    """By way of the run time, which asks the device for the stack."""
    before = device.current()
    device.use("emu:sm_90")
    try:
        kernel = device.kernel(function)
        x = device.array(np.ones(10100, np.float32))
        kernel[1, 1](device.array(np.array([100], np.int32)), x)
        device.synchronize()
        kernel[1, 1](device.array(np.array([500], np.int32)), x)
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            device.synchronize()
    finally:
        device.use(before)

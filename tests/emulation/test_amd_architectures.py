"""Our own kernels on the machine for AMD's other architectures: those that keep private memory in a buffer, and those with barriers in two parts."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import on_machine
from test_own_kernels import OF_64, leaves_what_is_expected, simt_kernels
import test_gpu_stack

WAVES = {"emu:gfx90a": 64, "emu:gfx950": 64, "emu:gfx1201": 32}
on_others = pytest.mark.parametrize("machine", WAVES)


@on_others
@pytest.mark.parametrize("kernel", simt_kernels.CASES)
def test_threads_together(kernel, machine):
    case = (OF_64 if WAVES[machine] == 64 else simt_kernels).CASES[kernel]
    leaves_what_is_expected(case, case.block, machine)


def raises(function, depth, machine):
    """Whether the kernel left an exception for the host, on a machine with the stack that the image asks for."""
    image = test_gpu_stack.compiled(function, on_machine.target_of(machine))
    made = on_machine.machine_for(on_machine.target_of(machine), image["stack_bytes"])
    program = made.load(image["code"])
    parameters, _ = on_machine.pack(made, (np.array([depth], np.int32), np.ones(10100, np.float32)))
    program.launch(image["entry"], 1, 1, parameters)
    address, _ = program.variable("hetjit_error")
    return bool(made.arena.slice(address, 8).any())


@pytest.mark.parametrize("machine", [*WAVES, "emu:gfx942", "emu:gfx1100"])
@pytest.mark.parametrize("function", test_gpu_stack.RECURSIVE, ids=lambda function: function.__name__)
def test_recursion_ends_before_the_stack(function, machine):
    assert not raises(function, 127, machine)
    assert raises(function, 130, machine)
    assert raises(function, 10000, machine)

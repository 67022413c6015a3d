"""Runs our own kernels' PTX on the machine, with arguments packed by the rules of docs/abi.md."""

import functools

import numpy as np

from hetjit import _core
from hetjit.emulation.ptx.machine import Machine


def descriptor(machine, array):
    """(the bytes of an array's descriptor, where its memory begins, that memory here)."""
    low, high = np.lib.array_utils.byte_bounds(array) if array.size else (array.ctypes.data, array.ctypes.data)
    start = machine.arena.allocate(max(high - low, 1))
    memory = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_uint8 * max(high - low, 1)).from_address(low))
    if array.size:
        machine.arena.slice(start, high - low)[:] = memory
    fields = [start + array.ctypes.data - low, *array.shape, *(s // array.itemsize for s in array.strides)]
    return np.array(fields, np.int64).tobytes(), start, memory[:high - low]


def pack(machine, arguments):
    block, copies = bytearray(), []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            data, start, memory = descriptor(machine, argument)
            copies.append((start, memory))
            align = 8
        else:
            value = np.asarray(argument) if isinstance(argument, np.generic) else np.float32(argument) if isinstance(
                argument, float) else np.int32(argument)
            data, align = value.tobytes(), value.dtype.itemsize
        block += bytes(-len(block) % align) + data
    return bytes(block), copies


def run(image, grid, block, arguments, shared_bytes=0, machine=None):
    """Runs a compiled kernel; arrays among the arguments then hold what it left there."""
    machine = machine or Machine()
    program = machine.load(image["code"])
    parameters, copies = pack(machine, arguments)
    program.launch(image["entry"], grid, block, parameters + bytes(image["parameter_bytes"] - len(parameters)),
                   shared_bytes)
    for start, memory in copies:
        if memory.size:
            memory[:] = machine.arena.slice(start, memory.size)
    return machine


@functools.cache
def compiled(function, signature, target, contract):
    return _core.compile(_core.capture(function), signature, target, contract=contract)

"""Runs our own kernels' code on the machines, with arguments packed by the rules of docs/abi.md, of any strides."""

import ctypes
import functools
import pathlib
import re
import sys

import numpy as np

from hetjit import _core

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import tools

READS_CLOCKS = re.compile(r"hetjit\.device\.(clock|clock64|globaltimer)\b")

MACHINES = ["emu:sm_90", "emu:gfx942", "emu:gfx1100"]  # one of each kind, as tests' parameters: waves of 32 and 64


def target_of(machine):
    """What to compile for a machine."""
    kind = machine.partition(":")[2]
    return f"hip:{kind}" if kind.startswith("gfx") else f"cuda:{kind}"


def machine_for(target, stack_bytes=1 << 16, output=None):
    """A machine that runs images for a target."""
    vendor, _, kind = target.partition(":")
    if vendor == "cuda":
        from hetjit.emulation.ptx.machine import Machine
        return Machine(stack_bytes=stack_bytes, output=output)
    from hetjit.emulation.amd.machine import Machine
    machine = Machine(kind, output=output)
    machine.stack_bytes = stack_bytes
    return machine


class Unpacked(Exception):
    """An argument of a kind that is not packed here."""


def element(dtype):
    """The type's text of an array's elements."""
    found = _core.element_of_dtype(dtype)
    if found is None:
        raise Unpacked(dtype.name)
    return found.text


def signature(arguments):
    """The types of a launch's arguments, as text."""
    return "(" + ", ".join(map(type_of, arguments)) + ")"


def type_of(value):
    if isinstance(value, np.ndarray):
        known = ", contiguous" if value.flags.c_contiguous else ""
        near = ", index32" if farthest(value) < 2 ** 31 else ""
        return f"array[{element(value.dtype)}, {value.ndim}{known}{near}]"
    if isinstance(value, np.generic):
        return element(value.dtype)
    if type(value) in (bool, int, float, complex):
        return type(value).__name__
    raise Unpacked(type(value).__name__)


def farthest(array):
    """The largest number of its indices: extents, and elements between any two (docs/abi.md)."""
    between = sum((extent - 1) * abs(step // array.itemsize) for extent, step in zip(array.shape, array.strides) if extent)
    return max(between, *array.shape, 0) if array.ndim else 0


def descriptor(machine, array):
    """(the bytes of an array's descriptor, where its memory begins, that memory here)."""
    low, high = np.lib.array_utils.byte_bounds(array) if array.size else (array.ctypes.data, array.ctypes.data)
    start = machine.arena.allocate(max(high - low, 1))
    memory = np.ctypeslib.as_array((ctypes.c_uint8 * max(high - low, 1)).from_address(low))[:high - low]
    machine.arena.slice(start, high - low)[:] = memory
    fields = [start + array.ctypes.data - low, *array.shape, *(s // array.itemsize for s in array.strides)]
    return np.array(fields[:1] if array.ndim == 0 else fields, np.int64).tobytes(), start, memory


SCALARS = {bool: np.bool_, int: np.int32, float: np.float32, complex: np.complex64}


def pack(machine, arguments):
    """(the parameter block, what has to be copied back)."""
    block, copies = bytearray(), []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            data, start, memory = descriptor(machine, argument)
            copies.append((start, memory))
            align = 8
        else:
            value = argument if isinstance(argument, np.generic) else SCALARS[type(argument)](argument)
            data = value.tobytes()
            align = value.dtype.alignment if value.dtype.kind != "c" else value.dtype.itemsize
        block += bytes(-len(block) % align) + data
    return bytes(block), copies


def run(image, grid, block, arguments, shared_bytes=0, machine=None):
    """Runs a compiled kernel; arrays among the arguments then hold what it left there."""
    machine = machine or machine_for(image["target"])
    program = machine.load(image["code"])
    parameters, copies = pack(machine, arguments)
    program.launch(image["entry"], grid, block, parameters + bytes(max(0, image["parameter_bytes"] - len(parameters))),
                   shared_bytes)
    for start, memory in copies:
        memory[:] = machine.arena.slice(start, memory.size)
    return machine


def repeat(target, snapshot, arguments, want, grid, block, contract=True, shared=0):
    """Whether a machine for the target could do what the interpreter has done; it then left the same. What a target refuses is an error."""
    if READS_CLOCKS.search(snapshot):
        return False
    try:
        types = signature(arguments)
    except Unpacked:
        return False
    image = _core.compile(snapshot, types, target, contract=contract, portable_math=True)
    run(image, grid, block, arguments, shared)
    tools.assert_same_bits(arguments, want)
    return True


@functools.cache
def compiled(function, signature, target, contract):
    return _core.compile(_core.capture(function), signature, target, contract=contract)

"""What a launch writes for its kernel to read, as HIP's run time does: the kernarg segment with its hidden arguments, and the AQL packet.

From LLVM's document of the target ("Kernel Argument Metadata") and HSA's ("AQL packet formats").
"""

import struct

from ..faults import LinkError

HEADER = 2 | 1 << 8 | 2 << 9 | 2 << 11  # a kernel's dispatch, after all before it, fences of the system's scope
DIMENSIONS = 3  # always, with HIP
PACKET = struct.Struct("<HHHHHHIIIIIQQQQ")


def hidden_values(grid, block, shared_bytes):
    """By kind. What is not named is zero: no offset, no partial block, no service of the host."""
    values = {"hidden_grid_dims": DIMENSIONS, "hidden_dynamic_lds_size": shared_bytes}
    for axis, blocks, threads in zip("xyz", grid, block):
        values[f"hidden_block_count_{axis}"] = blocks
        values[f"hidden_group_size_{axis}"] = threads
    return values


def kernarg_segment(kernel, grid, block, given, shared_bytes=0):
    """The bytes of a kernel's arguments: those that the caller gives, and the hidden ones."""
    if len(given) < kernel.explicit_bytes:
        raise LinkError(f"{kernel.name} has {kernel.explicit_bytes} bytes of parameters, not {len(given)}")
    first_hidden = min((offset for offset, _, _ in kernel.hidden), default=kernel.kernarg_bytes)
    segment = bytearray(kernel.kernarg_bytes)
    segment[:first_hidden] = bytes(given[:first_hidden]).ljust(first_hidden, b"\0")
    values = hidden_values(grid, block, shared_bytes)
    for offset, size, kind in kernel.hidden:
        segment[offset:offset + size] = values.get(kind, 0).to_bytes(size, "little")
    return bytes(segment)


def packet(kernel, grid, block, kernarg_address, group_bytes, private_bytes):
    """The 64 bytes that the kernel's dispatch pointer points to. Its grid counts threads."""
    threads = [blocks * size for blocks, size in zip(grid, block)]
    return PACKET.pack(HEADER, DIMENSIONS, *block, 0, *threads, private_bytes, group_bytes, kernel.descriptor, kernarg_address, 0, 0)

"""A machine for AMD's GPUs, of their machine code: `Machine("gfx942").load(image).launch(kernel, grid, block, arguments)`."""

from ..faults import (AddressFault, BarrierFault, Fault, LinkError, MachineError, StackFault, TrapFault, UninitializedFault,
                      UnknownCode)
from .machine import Machine

__all__ = ["AddressFault", "BarrierFault", "Fault", "LinkError", "Machine", "MachineError", "StackFault", "TrapFault", "UninitializedFault",
           "UnknownCode"]

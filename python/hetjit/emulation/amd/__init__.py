"""A machine for AMD's GPUs, of their machine code: `Machine("gfx942").load(image).launch(kernel, grid, block, arguments)`."""

from ..faults import (AddressFault, BarrierFault, Fault, LinkError, MachineError, StackFault, TrapFault, UninitializedFault,
                      UnknownCode, WaitFault)
from .machine import Machine
from .weak import Weak

__all__ = ["AddressFault", "BarrierFault", "Fault", "LinkError", "Machine", "MachineError", "StackFault", "TrapFault", "UninitializedFault",
           "UnknownCode", "WaitFault", "Weak"]

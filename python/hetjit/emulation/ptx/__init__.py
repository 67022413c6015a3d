"""A machine for NVIDIA's PTX, written from its documentation alone: `Machine().load(text).launch(kernel, grid, block, parameters)`."""

from ..faults import (AddressFault, BarrierFault, Fault, LinkError, MachineError, StackFault, TrapFault, UninitializedFault,
                     UnknownCode)
from .machine import Machine
from .weak import RaceFault, Weak

__all__ = ["AddressFault", "BarrierFault", "Fault", "LinkError", "Machine", "MachineError", "RaceFault", "StackFault", "TrapFault",
           "UninitializedFault", "UnknownCode", "Weak"]

"""A machine for NVIDIA's PTX, written from its documentation alone: `Machine().load(text).launch(kernel, grid, block, parameters)`."""

from ..faults import (AddressFault, BarrierFault, Fault, LinkError, MachineError, StackFault, TrapFault, UninitializedFault,
                     UnknownCode)
from .machine import Machine

__all__ = ["AddressFault", "BarrierFault", "Fault", "LinkError", "Machine", "MachineError", "StackFault", "TrapFault",
           "UninitializedFault", "UnknownCode"]

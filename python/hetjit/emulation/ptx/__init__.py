"""A machine for NVIDIA's PTX, written from its documentation alone: `Machine().load(text).launch(kernel, grid, block, parameters)`."""

from .faults import (AddressFault, BarrierFault, Fault, LinkError, PtxError, StackFault, TrapFault, UninitializedFault,
                     UnknownPtx)
from .machine import Machine
from .weak import RaceFault, Weak

__all__ = ["AddressFault", "BarrierFault", "Fault", "LinkError", "Machine", "PtxError", "RaceFault", "StackFault", "TrapFault",
           "UninitializedFault", "UnknownPtx", "Weak"]

"""What stops a launch, each with the instruction, the source line, the thread and the address where there is one."""

import os

# Compilers copy bytes that lie between the parts of a record, and that nobody wrote. For such code: HETJIT_EMULATION_UNWRITTEN=zero.
UNWRITTEN_IS_ZERO = os.environ.get("HETJIT_EMULATION_UNWRITTEN") == "zero"


class MachineError(Exception):
    """Everything that a machine raises."""


class UnknownCode(MachineError):
    """The program holds something that the machine does not know; it is named."""


class LinkError(MachineError):
    """A function or variable is declared and defined nowhere, or twice."""


class Fault(MachineError):
    """A thread did what no program may do."""

    def __init__(self, what, *, position=None, address=None):
        super().__init__(what)
        self.what, self.position, self.address = what, position, address  # position: within the group that ran
        self.instruction = self.function = self.thread = self.block = None

    def at(self, function, instruction):
        """Names the place, unless an inner one has been named already."""
        if self.instruction is None:
            self.function, self.instruction = function, instruction
        return self

    def by(self, block, thread):
        self.block, self.thread = block, thread
        return self

    def __str__(self):
        text = self.what
        if self.address is not None:
            text += f" at address {self.address:#x}"
        if self.instruction is not None:
            text += f"\n  in {self.function}, {self.instruction.place}"
            if self.instruction.source:
                text += "\n  from {}:{}".format(*self.instruction.source)
        if self.thread is not None:
            text += f"\n  thread {self.thread} of block {self.block}"
        return text


class AddressFault(Fault):
    """Misaligned, outside every allocation, or in one that was freed."""


class UninitializedFault(Fault):
    """A register, or bytes of shared or local memory, that nobody wrote."""


class WaitFault(Fault):
    """A register is used before the access that it takes part in was waited for."""


class StackFault(Fault):
    """A thread's stack is used up."""


class BarrierFault(Fault):
    """Threads wait for others that will not come, or one warp waits at two places."""


class TrapFault(Fault):
    """The program asked for it: trap, or an assertion."""

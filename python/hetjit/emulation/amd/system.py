"""Instructions that steer a wave: branches, calls, barriers, modes; and which writer an encoding has."""

import re

from ..faults import UnknownCode
from .accesses import MemoryWriter
from .operands import EXEC, SCC, VCC

NOTHING = re.compile(r"S_(NOP|WAITCNT\w*|WAIT_\w+|SLEEP\w*|SETPRIO|CLAUSE|DELAY_ALU|ICACHE_INV|TTRACEDATA\w*|SETHALT|SENDMSG|INST_PREFETCH|WAKEUP|VERSION|"
                     r"SET_INST_PREFETCH_DISTANCE|INCPERFLEVEL|DECPERFLEVEL|SET_VALU_COEXEC_MODE)|BUFFER_(INV|INVL2|WBL2|WBINVL1\w*|GL[01]_INV)|DS_NOP|V_NOP")
CONDITIONS = {"S_CBRANCH_SCC0": (SCC, False), "S_CBRANCH_SCC1": (SCC, True), "S_CBRANCH_VCCZ": (VCC, False), "S_CBRANCH_VCCNZ": (VCC, True),
              "S_CBRANCH_EXECZ": (EXEC, False), "S_CBRANCH_EXECNZ": (EXEC, True)}
MODE = 1  # the hardware register


class End:
    """How a block ends. `kind`: next, branch, jump, barrier, mode, trap, end; `target`: where it goes on, or where a branch goes; `call`: the
    calls that it begins or ends; `data`: of those in steps.py."""

    def __init__(self, kind, text="None", target=None, call=0, data=None):
        self.kind, self.text, self.target, self.call, self.data = kind, text, target, call, data


class SystemWriter(MemoryWriter):
    """Every instruction: `instruct` writes it, and gives its End if it is one."""

    def instruct(self, instruction, address):
        name, encoding = instruction.name, instruction.encoding
        method = getattr(self, "system_" + name, None)
        if method:
            return method(instruction, address)
        if NOTHING.fullmatch(name):
            return None
        if name in CONDITIONS:
            return self.branch(instruction, address)
        self.arithmetic(instruction, encoding)
        return None

    def arithmetic(self, instruction, encoding):
        if encoding.startswith(("SOP1", "SOP2", "SOPC", "SOPK")):
            return self.scalar(instruction)
        if encoding.startswith("VOPD"):
            return self.two(instruction)
        if encoding.startswith("VOP"):
            lane = getattr(self, "lane_" + instruction.name, None)
            if lane:
                return lane(instruction, self.sources(instruction)[0])
            return self.vector(instruction)
        if encoding.startswith("SMEM"):
            return self.scalar_memory(instruction)
        if encoding == "DS":
            return self.shared(instruction)
        if encoding in ("FLAT", "GLOBAL", "SCRATCH", "VFLAT", "VGLOBAL", "VSCRATCH"):
            return self.flat(instruction)
        if encoding == "MUBUF":
            return self.buffer(instruction)
        raise UnknownCode(instruction.name)

    # ---- control

    def branch(self, instruction, address):
        key, wanted = CONDITIONS[instruction.name]
        if key == SCC:
            text = self.read(SCC) if wanted else self.emit(f"~{self.read(SCC)}")
        else:
            text = self.emit(f"{self.mask(key)} {'!=' if wanted else '=='} 0")
        return End("branch", text, self.target(instruction, address))

    def target(self, instruction, address):
        offset = instruction.fields["simm16"]
        return address + 4 + 4 * (offset - 0x10000 if offset >> 15 else offset)

    def system_S_BRANCH(self, instruction, address):
        return End("next", target=self.target(instruction, address))

    def system_S_ENDPGM(self, instruction, address):
        return End("end")

    system_S_ENDPGM_SAVED = system_S_ENDPGM

    def system_S_TRAP(self, instruction, address):
        return End("trap", str(instruction.fields["simm16"] & 0xFF))

    def system_S_BARRIER(self, instruction, address):
        return End("barrier")

    def system_S_BARRIER_WAIT(self, instruction, address):
        return End("barrier")

    def system_S_BARRIER_SIGNAL(self, instruction, address):
        if instruction.fields["ssrc0"] != 193:
            raise UnknownCode("S_BARRIER_SIGNAL of a named barrier")

    def system_S_GETPC_B64(self, instruction, address):
        self.write64(instruction.fields["sdst"], self.constant(address + 4, 64))

    def system_S_SETPC_B64(self, instruction, address):
        return End("jump", self.read64(instruction.fields["ssrc0"]), call=-1)

    def system_S_SWAPPC_B64(self, instruction, address):
        text = self.read64(instruction.fields["ssrc0"])
        self.write64(instruction.fields["sdst"], self.constant(address + instruction.bytes, 64))
        return End("jump", text, call=1)

    def system_S_CALL_B64(self, instruction, address):
        self.write64(instruction.fields["sdst"], self.constant(address + 4, 64))
        return End("next", target=self.target(instruction, address), call=1)

    # ---- modes

    def register_part(self, instruction):
        number = instruction.fields["simm16"]
        return number & 63, number >> 6 & 31, (number >> 11) + 1

    def system_S_GETREG_B32(self, instruction, address):
        register, offset, size = self.register_part(instruction)
        if register == MODE:
            text = self.constant(self.mode >> offset & (1 << size) - 1, 32)
        elif register == 29:  # cycles
            text = self.emit(f"low(g.clock()) & {self.constant((1 << size) - 1, 32)}")
        else:
            raise UnknownCode(f"S_GETREG_B32 of register {register}")
        self.write_scalar(instruction.fields["sdst"], text, 32)

    def set_mode(self, value, offset, size):
        mask = (1 << size) - 1 << offset
        self.mode = self.mode & ~mask | value << offset & mask

    def system_S_SETREG_B32(self, instruction, address):
        register, offset, size = self.register_part(instruction)
        if register != MODE:
            raise UnknownCode(f"S_SETREG_B32 of register {register}")
        mask = (1 << size) - 1 << offset
        value = f"({self.read(instruction.fields['sdst'])} << {self.constant(offset, 32)}) & {self.constant(mask, 32)}"
        return End("mode", self.emit(f"({value}) | {self.constant(self.mode & ~mask, 32)}"))

    def system_S_SETREG_IMM32_B32(self, instruction, address):
        register, offset, size = self.register_part(instruction)
        if register != MODE:
            raise UnknownCode(f"S_SETREG_IMM32_B32 of register {register}")
        self.set_mode(instruction.fields["literal"], offset, size)

    def system_S_ROUND_MODE(self, instruction, address):
        self.set_mode(instruction.fields["simm16"], 0, 4)

    def system_S_DENORM_MODE(self, instruction, address):
        self.set_mode(instruction.fields["simm16"], 4, 4)

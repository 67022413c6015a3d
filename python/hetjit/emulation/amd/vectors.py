"""Vector arithmetic: how results of an instruction's meaning reach registers, masks and parts of registers."""

import numpy as np

from ..faults import UnknownCode
from . import lanes
from .corrections import LACKING
from .decode import Instruction
from .meaning import meaning
from .operands import ACC, EXEC, VCC, VGPR
from .writer import HIGH_STAYS, Writer


class VectorWriter(Writer):
    """Instructions of VOP1 to VOP3P, VOPC and VOPD."""

    def vector(self, instruction):
        for write in self.vector_results(instruction):
            write()

    def two(self, instruction):
        """VOPD: both read before either writes."""
        fields, writes = instruction.fields, []
        for side, name in zip("xy", instruction.name.split("::")):
            name = name.replace("V_DUAL_", "V_")
            number = fields["vdst" + side]
            if side == "y":
                number = number << 1 | (fields["vdstx"] & 1 ^ 1)
            parts = {"src0": fields[f"src{side}0"], "vsrc1": fields[f"vsrc{side}1"], "vdst": number}
            if "literal" in fields:
                parts["literal"] = fields["literal"]
            operation = self.tables.by_name.get(name)
            if operation is None:
                raise UnknownCode(instruction.name)
            writes += self.vector_results(Instruction(name, "VOP2", operation, parts, instruction.bytes))
        for write in writes:
            write()

    def vector_results(self, instruction):
        """Calls the meaning; functions that write its results."""
        self.moved_to = None
        texts, widths = self.sources(instruction)
        texts = {f"S{i}": text for i, text in enumerate(texts)}
        widths = {f"S{i}": bits for i, bits in enumerate(widths)}
        bits, form = self.width(instruction, "vdst")
        fields = instruction.fields
        masked = self.width(instruction, "src2")[1] == "M64" and "S2" in texts
        if masked:
            texts["VCC.lane"] = self.truth(texts.pop("S2"))
        widths["D0"] = 64 if bits > 32 else 32
        destination = self.destination(instruction)
        texts["D0"] = lambda: self.before(instruction, destination, bits)
        integral = bool(form) and "F" not in form
        wide = bool(fields.get("clmp")) and integral
        found = meaning(self.tables, instruction.name, widths, self.statics(instruction), wide)
        results = self.called(found, texts)
        return [lambda k=key, r=result: self.result(instruction, k, r, destination, bits, form) for key, result in results.items()]

    def before(self, instruction, destination, bits):
        """What the destination holds, of which some make their result: of the half that is written."""
        if bits > 32:
            return self.read64(destination)
        held = self.read(destination)
        return self.emit(f"{held} >> U4.type(16)") if bits == 16 and self.writes_upper(instruction) else held

    def statics(self, instruction):
        fields, found = instruction.fields, {"MODE": self.mode & (~0x30 if instruction.name in LACKING else ~0)}  # those flush denormals
        if "literal" in fields:
            found["SIMM32"] = found["SIMM16"] = fields["literal"]
        if "opsel" in fields:
            found["OPSEL"] = fields["opsel"]
        if "opsel_hi" in fields:
            found["OPSEL_HI"] = fields["opsel_hi"] | fields.get("opsel_hi2", 0) << 2
            found["NEG"] = fields["neg"]
        return found

    def destination(self, instruction):
        number = instruction.fields.get("vdst", 0)
        if self.upper_half(instruction):
            number -= 128
        return number + VGPR

    def upper_half(self, instruction):
        """Whether the register's number stands for its upper half."""
        return (self.halves_in_names and instruction.encoding.startswith(("VOP1", "VOP2")) and instruction.fields.get("vdst", 0) >= 128
                and self.width(instruction, "vdst")[0] == 16)

    def writes_upper(self, instruction):
        return bool(instruction.fields.get("opsel", 0) & 8) or self.upper_half(instruction)

    def result(self, instruction, key, result, destination, bits, form):
        name, width = key
        fields = instruction.fields
        if name == "D0":
            return self.vector_result(instruction, result, destination, bits, width, form)
        if name == "D0.lane":
            return self.write_mask(self.compared(instruction), self.packed_mask(result))
        if name in ("VCC.lane", "D1"):
            return self.write_mask(fields["sdst"] if "sdst" in fields else VCC, self.packed_mask(result))
        if name == "EXEC.lane":
            return self.write_mask(EXEC, self.packed_mask(result))
        if name == "S0" and instruction.encoding.startswith("VOP1"):
            return self.write_vector(fields["src0"], result, bits)
        raise UnknownCode(f"{instruction.name} sets {name}")

    def compared(self, instruction):
        """Where the mask of a comparison goes."""
        fields = instruction.fields
        if "sdst" in fields:
            return fields["sdst"] if fields.get("sd", 1) else VCC
        return fields["vdst"] if instruction.encoding.startswith("VOP3") else VCC

    def vector_result(self, instruction, result, destination, bits, width, form):
        fields = instruction.fields
        if width == 1:
            result, width = self.emit(f"{result}.astype(U4)"), 32
        number = 16 if width == 16 or form == "F16" else 64 if bits > 32 else 32
        if fields.get("omod"):
            result = self.emit(f"multiplied({result}, {number}, {fields['omod']})")
        if fields.get("clmp") and form and "F" in form:
            if form.startswith("PK2"):
                raise UnknownCode(f"{instruction.name} with clamp")
            result = self.emit(f"clamped({result}, {number})")
        if instruction.encoding.endswith("_SDWA") and fields["dst_sel"] != 6:
            result = self.emit(f"placed({result}, {fields['dst_sel']}, {fields['dst_unused']}, {self.read(destination)})")
        elif width == 16:
            result = self.half_result(instruction, result, destination)
        self.write_vector(destination, result, bits, self.moved_to)

    def half_result(self, instruction, result, destination):
        """16 bits of a register of 32: the others stay, or become zero on CDNA but for a few instructions."""
        upper = self.writes_upper(instruction)
        if self.family == "cdna" and not upper and not HIGH_STAYS.fullmatch(instruction.name):
            return result
        return self.emit(f"placed({result}, {5 if upper else 4}, 2, {self.read(destination)})")

    # ---- DPP

    def moved(self, instruction, text):
        """A source out of other lanes; who has none keeps its destination, or reads zero."""
        fields = instruction.fields
        if instruction.encoding.endswith("_DPP8"):
            lane = np.arange(self.wave)
            picks = np.array([fields[f"lane_sel_{i}"] for i in range(8)])
            pattern = lane & ~7 | picks[lane & 7], lane >= 0
            on, keep = "None" if fields["src0"] == 234 else self.on(), False
        else:
            pattern = lanes.dpp_pattern(fields["dpp"], self.wave, self.family)
            on, keep = "None" if fields.get("fi") else self.on(), not fields["bc"]
        if pattern is None:
            raise UnknownCode(f"{instruction.name} with DPP control {fields['dpp']:#x}")
        index, valid = (self.named(each) for each in pattern)
        value, there = self.fresh(), self.fresh()
        self.do(f"{value}, {there} = gathered({text}, {index}, {valid}, {on}, n, {self.wave})")
        rows = lanes.rows_and_banks(fields.get("row_mask", 15), fields.get("bank_mask", 15), self.wave)
        allowed = self.on()
        if keep:
            allowed = self.emit(f"both({allowed}, {there})")
        if not rows.all():
            allowed = self.emit(f"both({allowed}, {self.named(rows)})")
        self.moved_to = allowed
        return value

    # ---- between lanes and registers

    def lane_V_READFIRSTLANE_B32(self, instruction, texts):
        self.write_scalar(instruction.fields["vdst"], self.emit(f"first_lane({texts[0]}, {self.on()}, n, {self.wave})"), 32)

    def lane_V_READLANE_B32(self, instruction, texts):
        self.write_scalar(instruction.fields["vdst"], self.emit(f"read_lane({texts[0]}, {texts[1]}, n, {self.wave})"), 32)

    def lane_V_WRITELANE_B32(self, instruction, texts):
        key = VGPR + instruction.fields["vdst"]
        self.write(key, self.emit(f"write_lane({self.read(key)}, {texts[0]}, {texts[1]}, n, {self.wave})"))

    def permlane(self, instruction, texts, across):
        """With op_sel: who is off is read as well (bit 0), who has none reads zero (bit 1)."""
        opsel, key = instruction.fields["opsel"], VGPR + instruction.fields["vdst"]
        value, there = self.fresh(), self.fresh()
        on = "None" if opsel & 1 else self.on()
        self.do(f"{value}, {there} = permlane16({texts[0]}, {texts[1]}, {texts[2]}, {across}, {on}, n, {self.wave})")
        self.write_lanes(key, value, None if opsel & 2 else self.emit(f"both({self.on()}, {there})"))

    def lane_V_PERMLANE16_B32(self, instruction, texts):
        self.permlane(instruction, texts, False)

    def lane_V_PERMLANEX16_B32(self, instruction, texts):
        self.permlane(instruction, texts, True)

    def lane_V_PERMLANE64_B32(self, instruction, texts):
        value = self.emit(f"full({texts[0]}, n, {self.wave})[:, LANE[0] ^ 32]") if self.wave == 64 else texts[0]
        self.write_lanes(VGPR + instruction.fields["vdst"], value)

    def lane_V_ACCVGPR_READ(self, instruction, texts):
        self.write_lanes(VGPR + instruction.fields["vdst"], self.read(instruction.fields["src0"] - VGPR + ACC))

    def lane_V_ACCVGPR_WRITE(self, instruction, texts):
        self.write_lanes(ACC + instruction.fields["vdst"], texts[0])

    def lane_V_ACCVGPR_MOV_B32(self, instruction, texts):
        self.write_lanes(ACC + instruction.fields["vdst"], self.read(instruction.fields["src0"] - VGPR + ACC))

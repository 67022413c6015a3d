"""What an instruction's operands are: registers, constants and modifiers, as Python text over the registers' arrays."""

import struct

import numpy as np

from ..faults import UnknownCode
from .values import DTYPES

U4, U8 = DTYPES["U4"], DTYPES["U8"]
VCC, M0, EXEC, VGPR, ACC, SCC, LITERAL = 106, 124, 126, 256, 512, "scc", 255
FLOATS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0, 248: 0.15915494309189532}
ENDINGS = (("src0", "vsrc0", "ssrc0", "srcx0", "srcy0"), ("src1", "vsrc1", "ssrc1"), ("src2",))


def float_bits(value, bits):
    form = {16: "<e", 32: "<f", 64: "<d"}[bits]
    if bits == 64 and value == FLOATS[248]:
        return 0x3FC45F306DC9C882
    return int.from_bytes(struct.pack(form, value), "little")


def kind_bits(form, name, bits):
    """The bits of an operand's numbers, as constants and modifiers go by: 16, 32 or 64."""
    if form and form[-2:] == "16":
        return 16
    if form and form.startswith("PK2_"):
        return 32
    return 64 if bits == 64 else 32


def name_of(key):
    """A register's name, for messages."""
    if isinstance(key, str):
        return key
    known = {VCC: "vcc", VCC + 1: "vcc_hi", M0: "m0", EXEC: "exec", EXEC + 1: "exec_hi"}
    return known.get(key) or (f"a{key - ACC}" if key >= ACC else f"v{key - VGPR}" if key >= VGPR else f"s{key}")


class Operands:
    """Part of a writer: `read`, `read64`, `emit`, `constant`, `tables`, `wave` are its own."""

    def source(self, code, bits, form, instruction):
        """The text of a source operand's bits, uint32 or uint64."""
        if code >= VGPR:
            return self.read64(code) if bits > 32 else self.read(code)
        if code == LITERAL:
            return self.literal(instruction.field("literal"), bits, form)
        if 128 <= code <= 208:
            value = code - 128 if code <= 192 else 192 - code
            return self.constant(value & ((1 << 64) - 1 if bits > 32 else 0xFFFFFFFF), bits)
        if code in FLOATS:
            return self.constant(float_bits(FLOATS[code], kind_bits(form, instruction.name, bits)), bits)
        return self.special_source(code, bits, instruction)

    def literal(self, value, bits, form):
        if bits > 32:
            if form and form[-3:] == "F64":
                value <<= 32
            elif form and form[-3:] == "I64" and value >> 31:
                value |= 0xFFFFFFFF << 32
        return self.constant(value, bits)

    def special_source(self, code, bits, instruction):
        code = self.scalar_code(code)
        if code is None:
            return self.constant(0, bits)
        if code in (235, 236, 237, 238):  # the windows of shared and private memory
            base = self.windows[code]
            return self.constant(base, bits) if bits > 32 else self.constant(base >> 32, 32)
        if code == 253:
            return self.emit(f"{self.read(SCC)}.astype({'U8' if bits > 32 else 'U4'})")
        if code in (251, 252):
            mask = self.mask(VCC if code == 251 else EXEC)
            return self.emit(f"({mask} == 0).astype(U4)")
        if code > 127:
            raise UnknownCode(f"{instruction.name} with operand {code}")
        return self.read64(code) if bits > 32 else self.read(code)

    def scalar_code(self, code):
        """The register that a scalar operand's number stands for; None for one that is always zero."""
        if self.family == "cdna":
            return code
        if code in (124, 125):
            return None if code == 124 else M0
        return code

    def width(self, instruction, *names):
        for name in names:
            bits = self.tables.operand_bits(instruction.operation, name)
            if bits and bits > 64:
                raise UnknownCode(f"{instruction.name} with operands of {bits} bits")
            if bits:
                return bits, self.tables.operand_format(instruction.operation, name)
        return 32, None

    # ---- sources with their modifiers

    def sources(self, instruction):
        """S0, S1 and S2 of a vector instruction: (texts, bits)."""
        texts, widths = [], []
        for number, names in enumerate(ENDINGS):
            if instruction.field(*names) is None or number == 2 and not self.has_third(instruction):
                break
            bits, form = self.width(instruction, *names)
            if form == "M64":
                bits = self.wave
            texts.append(self.modified(instruction, number, names, bits, form))
            widths.append(64 if bits > 32 else 32)
        return texts, widths

    def has_third(self, instruction):
        """Its encoding may have a field for a third operand that it has not."""
        known = self.tables.operands.get(instruction.operation)
        return not known or "src2" in known

    def modified(self, instruction, number, names, bits, form):
        fields, encoding = instruction.fields, instruction.encoding
        if encoding.endswith(("_SDWA", "_SDWA_SDST")):
            return self.selected(instruction, number, form)
        if encoding.endswith(("_DPP16", "_DPP8")) and number == 0:
            text = self.moved(instruction, self.read64(VGPR + fields["vsrc0"]) if bits > 32 else self.read(VGPR + fields["vsrc0"]))
        else:
            text = self.source(self.code_of(instruction, names), bits, form, instruction)
        half = kind_bits(form, instruction.name, bits)
        if encoding.startswith("VOP3P"):
            return self.packed(instruction, number, text, bits, form)
        if self.halves_in_names and encoding.startswith(("VOP1", "VOP2", "VOPC")) and half == 16:
            text = self.named_half(instruction, number, names, text)
        if encoding.startswith("VOP3") and fields.get("opsel", 0) >> number & 1 and half == 16:
            text = self.emit(f"{text} >> {self.constant(16, 32)}")
        negative, absolute = self.signs(instruction, number)
        return self.signed(text, negative, absolute, half if form and form[-2:] != "32" or bits == 64 else 32)

    def code_of(self, instruction, names):
        field = next(name for name in names if name in instruction.fields)
        code = instruction.fields[field]
        return code + VGPR if self.is_vector(field, instruction) else code

    def is_vector(self, field, instruction):
        """Whether a field's numbers are vector registers alone."""
        return field in ("vsrc1", "vsrc0", "vsrcx1", "vsrcy1")

    def named_half(self, instruction, number, names, text):
        """Registers 128 and up stand for the upper halves of the lower ones."""
        code = self.code_of(instruction, names)
        if code < VGPR + 128:
            return text
        return self.emit(f"{self.read(code - 128)} >> {self.constant(16, 32)}")

    def signs(self, instruction, number):
        fields = instruction.fields
        if instruction.encoding.startswith("VOP3"):
            return fields.get("neg", 0) >> number & 1, fields.get("abs", 0) >> number & 1
        if number < 2:
            return fields.get(f"src{number}_neg", 0), fields.get(f"src{number}_abs", 0)
        return 0, 0

    def signed(self, text, negative, absolute, bits):
        if not negative and not absolute:
            return text
        width = 64 if bits == 64 else 32
        sign = 1 << bits - 1
        if absolute:
            text = f"({text} & {self.constant((1 << width) - 1 & ~sign, width)})"
        if negative:
            text = f"({text} ^ {self.constant(sign, width)})"
        return self.emit(text)

    def packed(self, instruction, number, text, bits, form):
        """Both halves as op_sel, op_sel_hi and neg say."""
        fields, name = instruction.fields, instruction.name
        if name.startswith("V_ACCVGPR") or name == "V_PK_MOV_B32":  # whose meaning asks for op_sel itself
            return text
        low = fields["opsel"] >> number & 1
        high = (fields["opsel_hi"] | fields["opsel_hi2"] << 2) >> number & 1
        negative, also = fields["neg"] >> number & 1, fields["neg_hi"] >> number & 1
        if "_MIX" in name:
            return self.signed(self.signed(text, 0, also and not high, 32), negative and not high, 0, 32) if not high else self.both_signed(
                text, negative, also)
        if not form or not form.startswith("PK2_"):
            return self.signed(text, negative, 0, 32) if not name.startswith("V_DOT") or form == "F32" else text
        if form in ("PK2_F32", "PK2_B32"):
            return self.packed_wide(text, low, high, negative, also)
        if (low, high) != (0, 1):
            text = self.emit(f"chosen_halves({text}, {low}, {high})")
        flips = negative << 15 | also << 31 if form.endswith("F16") else 0
        return self.emit(f"{text} ^ {self.constant(flips, 32)}") if flips else text

    def both_signed(self, text, negative, absolute):
        if absolute:
            text = self.emit(f"{text} & {self.constant(0x7FFF7FFF, 32)}")
        return self.emit(f"{text} ^ {self.constant(0x80008000, 32)}") if negative else text

    def packed_wide(self, text, low, high, negative, also):
        if (low, high) != (0, 1):
            text = self.emit(f"chosen_words({text}, {low}, {high})")
        flips = negative << 31 | also << 63
        return self.emit(f"{text} ^ {self.constant(flips, 64)}") if flips else text

    def selected(self, instruction, number, form):
        """A part of a register, as SDWA names it."""
        fields = instruction.fields
        scalar = fields.get(f"s{number}", 0)
        code = fields["vsrc0"] if number == 0 else fields["vsrc1"]
        text = self.special_source(code, 32, instruction) if scalar and code < 128 else self.source(
            code if scalar else code + VGPR, 32, form, instruction)
        select, extend = fields[f"src{number}_sel"], fields[f"src{number}_sext"]
        if select != 6:
            text = self.emit(f"part({text}, {select}, {bool(extend)})")
        negative, absolute = self.signs(instruction, number)
        return self.signed(text, negative, absolute, kind_bits(form, instruction.name, 32))


def part(value, select, extend):
    """Byte 0 to 3, or word 0 or 1 (4, 5), of a register."""
    shift, width = (8 * select, 8) if select < 4 else (16 * (select - 4), 16)
    if extend:
        moved = value << U4.type(32 - width - shift)
        return (moved.view(np.int32) >> np.int32(32 - width)).view(U4)
    return (value >> U4.type(shift)) & U4.type((1 << width) - 1)


def placed(value, select, unused, old):
    """A result in the part of a register that SDWA names; the others are zero, the sign, or as they were."""
    shift, width = (8 * select, 8) if select < 4 else (16 * (select - 4), 16)
    ones = (1 << width) - 1
    value = (value & U4.type(ones)) << U4.type(shift)
    if unused == 2:
        return value | (old & U4.type(~(ones << shift) & 0xFFFFFFFF))
    if unused == 1:
        return ((value << U4.type(32 - width - shift)).view(np.int32) >> np.int32(32 - width - shift)).view(U4)
    return value


def chosen_halves(value, low, high):
    first = value >> U4.type(16) if low else value & U4.type(0xFFFF)
    return first | (value & U4.type(0xFFFF0000) if high else value << U4.type(16))


def chosen_words(value, low, high):
    value = value.astype(U8)
    first = value >> U8.type(32) if low else value & U8.type(0xFFFFFFFF)
    return first | (value & U8.type(0xFFFFFFFF00000000) if high else value << U8.type(32))


def clamped(value, bits):
    """A float result in [0, 1]; NaN becomes 0."""
    if bits == 16:
        number = value.astype(np.uint16).view(np.float16)
    else:
        number = value.view(np.float32 if bits == 32 else np.float64)
    one = number.dtype.type(1)
    kept = np.where(number > 0, np.minimum(number, one), number.dtype.type(0))
    return kept.view(f"u{kept.itemsize}").astype(value.dtype)


def multiplied(value, bits, omod):
    """The output modifier: times 2, times 4, divided by 2."""
    kind = {16: np.float16, 32: np.float32, 64: np.float64}[bits]
    number = value.astype(f"u{bits // 8}").view(kind) * kind((1, 2, 4, 0.5)[omod])
    return number.view(f"u{bits // 8}").astype(value.dtype)


NAMES = {f.__name__: f for f in (part, placed, chosen_halves, chosen_words, clamped, multiplied)}

"""A block of instructions as one Python function: registers are read when it begins, computed with as plain variables, and written when it ends.

An array has a row for each wave. Scalar registers have one column; vector registers have one for each lane, or one alone where all
lanes hold the same.
"""

import re

from ..faults import UnknownCode
from . import lanes, operands
from .meaning import meaning
from .operands import EXEC, SCC, VCC, Operands
from .values import DTYPES

HIGH_STAYS = re.compile(r"V_(MAD|FMA|DIV_FIXUP|MAC|FMAC|MADMK|MADAK|FMAMK|FMAAK)_[FUI]16|V_INTERP.*|V_(MAD|FMA)_MIX(LO|HI)_F16|V_CVT_SR.*")


class Writer(Operands):
    """Writes the function of one block. Instructions that are not arithmetic alone are written by `special` and `memory` (system.py,
    accesses.py)."""

    halves_in_names = False
    touched = {}

    def __init__(self, tables, wave, windows, mode):
        """`mode`: the register MODE, as it is when the block begins."""
        self.tables, self.family, self.wave, self.windows, self.mode = tables, tables.family, wave, windows, mode
        self.halves_in_names = self.family in ("rdna3", "rdna4")
        self.lines, self.reads, self.registers, self.dirty = [], {}, {}, {}
        self.pairs, self.truths, self.count = {}, {}, 0
        self.space = {**lanes.NAMES, **operands.NAMES, **DTYPES}

    # ---- text

    def fresh(self):
        self.count += 1
        return f"x{self.count}"

    def emit(self, text):
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def do(self, text):
        self.lines.append(text)

    def constant(self, value, bits):
        dtype = "U8" if bits > 32 else "U4"
        value &= (1 << 64 if bits > 32 else 1 << 32) - 1
        name = f"k{dtype}_{value}"
        self.space[name] = DTYPES[dtype].type(value)
        return name

    def named(self, value, start="n"):
        """A name for any object."""
        name = f"{start}{len(self.space)}"
        self.space[name] = value
        return name

    # ---- registers

    def read(self, key):
        found = self.registers.get(key)
        if found is None:
            found = self.reads[key] = self.registers[key] = f"r{key}"
        return found

    def write(self, key, name):
        self.registers[key] = name
        self.dirty[key] = None

    def read64(self, key):
        pair = self.read(key), self.read(key + 1)
        found = self.pairs.get(pair)
        if found is None:
            found = self.pairs[pair] = self.emit(f"join64({pair[0]}, {pair[1]})")
        return found

    def write64(self, key, name):
        pair = self.emit(f"low({name})"), self.emit(f"high({name})")
        self.pairs[pair] = name
        self.write(key, pair[0])
        self.write(key + 1, pair[1])

    def write_scalar(self, code, name, bits):
        code = self.scalar_code(code)
        if code is None:
            return
        if bits > 32:
            self.write64(code, name)
        else:
            self.write(code, name)

    def mask(self, key):
        """The text of a mask that lies in a scalar register or two."""
        return self.read64(key) if self.wave == 64 else self.read(key)

    def write_mask(self, code, name):
        code = self.scalar_code(code)
        if code is not None:
            self.write_scalar(code, name, self.wave)

    def truth(self, mask):
        """A bool for each lane of a mask."""
        found = self.truths.get(mask)
        if found is None:
            found = self.truths[mask] = self.emit(f"lanes({mask})")
        return found

    def on(self):
        """Who is on; None at run time where all are."""
        mask = self.mask(EXEC)
        found = self.truths.get(("on", mask))
        if found is None:
            found = self.truths["on", mask] = self.emit(f"active({mask})")
        return found

    def packed_mask(self, truth):
        """A mask of a bool for each lane, of those that are on."""
        return self.emit(f"mask_of({truth}, {self.on()}, {self.wave}, n)")

    def write_lanes(self, key, name, on=None):
        """A vector register, in the lanes that are on."""
        self.write(key, self.emit(f"put({on or self.on()}, {name}, {self.read(key)})"))

    def write_vector(self, key, name, bits, on=None):
        if bits <= 32:
            return self.write_lanes(key, name, on)
        old = self.read64(key)
        self.write64(key, self.emit(f"put({on or self.on()}, {name}, {old})"))
        return None

    # ---- arithmetic

    def scalar(self, instruction):
        """SOP1, SOP2, SOPC, SOPK."""
        texts, widths = {}, {}
        destination, form = self.width(instruction, "sdst")
        fields = instruction.fields
        for number, names in enumerate(operands.ENDINGS[:2]):
            if instruction.field(*names) is not None:
                bits, form = self.width(instruction, *names)
                texts[f"S{number}"] = self.source(instruction.field(*names), bits, form, instruction)
                widths[f"S{number}"] = 64 if bits > 32 else 32
        static = {"MODE": self.mode}
        if "simm16" in fields:
            static["SIMM16"] = fields["simm16"]
            compares = instruction.name.startswith("S_CMPK")
            texts["S1" if compares else "S0"] = self.constant(fields["simm16"], 32)
            if compares:
                texts["S0"] = self.read(fields["sdst"])
        if "literal" in fields:
            static["SIMM32"] = fields["literal"]
        widths["D0"] = 64 if destination > 32 else 32
        if "sdst" in fields and self.scalar_code(fields["sdst"]) is not None:
            code = fields["sdst"]
            texts["D0"] = lambda: self.read64(self.scalar_code(code)) if destination > 32 else self.read(self.scalar_code(code))
        else:
            texts["D0"] = self.constant(0, destination)
        results = self.called(meaning(self.tables, instruction.name, widths, static, False), texts)
        for (name, _), result in results.items():
            if name == "D0":
                self.write_scalar(fields["sdst"], result, destination)
            elif name == "SCC":
                self.write(SCC, result)
            elif name == "EXEC":
                self.write_mask(EXEC, result if self.wave == 64 else self.emit(f"low({result})"))
            else:
                raise UnknownCode(f"{instruction.name} sets {name}")

    def called(self, found, texts):
        """Calls a meaning; its results by (name, bits)."""
        arguments = []
        for name in found.inputs:
            text = texts.get(name)
            if text is None:
                text = self.argument(name)
            arguments.append(text() if callable(text) else text)
        function = self.named(found.function, "f")
        names = [self.fresh() for _ in found.outputs]
        if names:
            self.do(f"{', '.join(names)}{',' if len(names) == 1 else ''} = {function}({', '.join(arguments)})")
        return dict(zip(found.outputs, names))

    def argument(self, name):
        if name == "SCC":
            return self.read(SCC)
        if name == "VCC.lane":
            return self.truth(self.mask(VCC))
        if name in ("EXEC", "VCC"):
            mask = self.mask(EXEC if name == "EXEC" else VCC)
            return mask if self.wave == 64 else self.emit(f"{mask}.astype(U8)")
        if name in ("VCCZ", "EXECZ"):
            return self.emit(f"{self.mask(EXEC if name == 'EXECZ' else VCC)} == 0")
        if name == "laneId":
            return "LANE"
        if name == "M0":
            return self.read(operands.M0)
        raise UnknownCode(f"pseudo-code that asks for {name}")

    def function(self, ends):
        """The text of the function. `ends`: what it gives back."""
        head = [f"{name} = g.read({key!r})" for key, name in self.reads.items()]
        tail = [f"g.write({key!r}, {self.registers[key]})" for key in self.dirty]
        lines = ["def run(g):", "n = g.count", *head, *self.lines, *tail, f"return {ends}"]
        return "\n    ".join(lines)

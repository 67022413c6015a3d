"""Writes a block of instructions as one Python function over NumPy arrays: once for each block, before it runs first.

The function takes the registers that the block reads, for the threads that run, and returns what its end needs and the registers
that somebody may read later. Within it a register is a variable for each type it is used as: `r5_u4`, `r5_f4` (a view).
"""

import re
import struct

import numpy as np

from ..faults import UnknownCode
from ..numbers import packed, rounding
from . import conversions, floats, integers
from .formats import BITS, BOOL, DTYPES, PAIR, SHORT, storage
from .syntax import SINK, Immediate, Negated, Register, Special, Symbol

HELPERS = {"np": np, **conversions.NAMES}
for module in (integers, floats, rounding, packed):
    HELPERS.update({name: getattr(module, name) for name in module.__all__})

OPERAND = re.compile(r"(?<![\w.'])([abcdef])(?!\w)")


class Writer:
    """One block. `scope` answers what a symbol is: see Scope in translate.py."""

    def __init__(self, scope):
        self.scope = scope
        self.lines, self.inputs = [], []
        self.known = {}  # slot → {dtype: variable}
        self.written = []
        self.names = {**HELPERS}
        self.constants = {}
        self.instruction, self.readers = None, {}  # slot → the instruction that reads it first


    @property
    def line(self):
        return self.instruction.line if self.instruction else 0

    # ---- reading

    def read(self, operand, kind):
        """An expression for the operand as a value of the type."""
        if isinstance(operand, Register):
            return self.register(operand, DTYPES[kind], kind)
        if isinstance(operand, Immediate):
            return self.constant(number(operand, kind, self.line))
        if isinstance(operand, Negated):
            return f"~{self.read(operand.operand, kind)}"
        if isinstance(operand, Special):
            return f"g.special('{operand.name[1:]}', {SHORT_NAMES[DTYPES[kind]]})"
        if isinstance(operand, Symbol) and operand != SINK:
            return self.symbol(operand, DTYPES[kind])
        raise UnknownCode(f"line {self.line}: operand {operand}")

    def symbol(self, operand, dtype):
        place = self.scope.address(operand.name)
        if place.space == "local":
            return f"g.local_address({place.address + operand.offset}, {SHORT_NAMES[dtype]})"
        return self.constant(np.array([place.address + operand.offset], np.uint64).astype(dtype))

    def register(self, register, dtype, kind):
        slot = register.slot
        if slot not in self.known:
            self.inputs.append(slot)
            self.readers[slot] = self.instruction
            held = storage(register.type)
            self.known[slot] = {held: variable(slot, held)}
        forms = self.known[slot]
        if dtype in forms:
            return forms[dtype]
        have, name = next(iter(forms.items()))
        if BOOL in (have, dtype) or dtype.itemsize > have.itemsize:
            raise UnknownCode(f"line {self.line}: {register.name} is not a .{kind}")
        found = variable(slot, dtype)
        if dtype.itemsize == have.itemsize:
            self.lines.append(f"{found} = {name}.view({SHORT_NAMES[dtype]})")
        else:  # the low bits
            bits, low = BITS[have.itemsize], BITS[dtype.itemsize]
            text = name if have == bits else f"{name}.view({SHORT_NAMES[bits]})"
            self.lines.append(f"{found} = {text}.astype({SHORT_NAMES[low]})" +
                              (f".view({SHORT_NAMES[dtype]})" if low != dtype else ""))
        forms[dtype] = found
        return found

    def constant(self, array):
        array.flags.writeable = False
        key = array.dtype, array.tobytes()
        if key not in self.constants:
            self.constants[key] = f"k{len(self.constants)}"
            self.names[self.constants[key]] = array
        return self.constants[key]

    # ---- writing

    def write(self, operand, text, kind):
        """Gives a register the value of an expression of this type, extended to its width."""
        dtype = DTYPES[kind]
        if operand == SINK:
            self.lines.append(text)
            return
        held = storage(operand.type)
        if (held == BOOL) != (dtype == BOOL) or dtype.itemsize > held.itemsize:
            raise UnknownCode(f"line {self.line}: {operand.name} cannot hold a .{kind}")
        if dtype.itemsize < held.itemsize:
            wide = np.dtype(f"{'i' if dtype.kind == 'i' else 'u'}{held.itemsize}")
            if dtype.kind == "f":
                text = f"({text}).view({SHORT_NAMES[BITS[dtype.itemsize]]})"
            text, dtype = f"({text}).astype({SHORT_NAMES[wide]})", wide
        name = variable(operand.slot, dtype)
        self.lines.append(f"{name} = {text}")
        self.known[operand.slot] = {dtype: name}
        if operand.slot not in self.written:
            self.written.append(operand.slot)

    def note(self, instruction):
        """Names the instruction that may fault next."""
        self.lines.append(f"g.at = {self.scope.number(instruction)}")

    # ---- arithmetic: what the tables hold

    def arithmetic(self, instruction):
        parts = instruction.parts
        kind = parts[-1]
        row = integers.TABLE.get((".".join(parts[:-1]), kind))
        if row:
            self.assign(instruction, row, row.meaning)
            return True
        options = [p for p in parts[1:-1] if p in floats.OPTIONS]
        name = ".".join(p for p in parts[:-1] if p not in floats.OPTIONS)
        row = floats.BITWISE.get((name, kind))
        if row:
            self.assign(instruction, row, row.meaning, flush="ftz" in options, bitwise=True)
            return True
        if name.endswith(".f32") and kind in ("f16", "bf16"):  # mixed precision
            name, kind = f"{name.removesuffix('.f32')}.{kind}", "f32"
        row = floats.TABLE.get((name, kind))
        if row is None:
            return False
        self.rounded(instruction, row, name, options)
        return True

    def rounded(self, instruction, row, name, options):
        mode = next((m for m in ("rz", "rm", "rp") if m in options), None)
        meaning = row.meaning
        if mode:
            operation = name.split(".")[0]
            if row.type not in ("f32", "f64") or operation not in floats.EXCESS:
                raise UnknownCode(f"line {instruction.line}: instruction '{instruction.opcode}'")
            names = "abc"[:len(row.operands)]
            meaning = f"exactly({floats.EXCESS[operation]}, '{mode}', {meaning}, {', '.join(names)})"
            self.names["exactly"] = exactly
        if row.type != "f64":
            meaning = f"canonical({meaning})"
        if "ftz" in options:
            meaning = f"flush({meaning})"
        if "sat" in options:
            meaning = f"clamp01({meaning})"
        self.assign(instruction, row, meaning, flush="ftz" in options)

    def assign(self, instruction, row, meaning, flush=False, bitwise=False):
        operands = instruction.operands
        sources = [self.read(x, t) for x, t in zip(operands[1:], row.operands)]
        if row.type == "f32":
            sources = [widened(source, t) for source, t in zip(sources, row.operands)]
        if len(operands) != 1 + len(row.operands):
            raise UnknownCode(f"line {instruction.line}: operands of '{instruction.opcode}'")
        letters = "abcdef"[:len(sources)]
        if row.type in packed.ELEMENT or row.type in ("bf16", "bf16x2"):
            if row.type.startswith("bf16"):
                meaning = bits_of_brain(meaning, bitwise)
            if flush:
                meaning = OPERAND.sub(lambda m: f"flush({m[1]})" if m[1] in letters else m[1], meaning)
            function = f"lambda {', '.join(letters)}: {meaning}"
            text = (f"brain({function}, {', '.join(sources)})" if row.type == "bf16" else
                    f"packed('{row.type}', {function}, {', '.join(sources)})")
        else:
            named = dict(zip(letters, (atom(f"flush({s})" if flush else s) for s in sources)))
            text = OPERAND.sub(lambda m: named.get(m[1], m[1]), meaning)
        self.write(operands[0], text, row.result)

    # ---- the whole

    def finish(self, ends, alive):
        """The function: what the block's end needs, then the registers alive after it, as they are held."""
        outputs = [s for s in self.written if s in alive]
        values = [self.register(self.scope.registers[s], storage(self.scope.registers[s].type), "") for s in outputs]
        inputs = [variable(s, storage(self.scope.registers[s].type)) for s in self.inputs]
        body = self.lines + [f"return ({''.join(x + ', ' for x in ends)}), ({''.join(x + ', ' for x in values)})"]
        text = f"def block({', '.join(['g', *inputs])}):\n" + "".join(f"    {line}\n" for line in body)
        for dtype, name in SHORT_NAMES.items():
            self.names[name] = dtype
        exec(compile(text, f"<PTX {self.scope.name}>", "exec"), self.names)
        return self.names["block"], self.inputs, outputs, text


SHORT_NAMES = {dtype: f"D_{name}" for dtype, name in SHORT.items()}


def variable(slot, dtype):
    return f"r{slot}_{SHORT[dtype]}"


def atom(text):
    return f"({text})" if text.startswith("~") else text


def widened(text, kind):
    """An operand of float32 or, in mixed precision, one that becomes it."""
    return {"f16": f"({text}).astype(D_f4)", "bf16": f"f32_from_bf16({text})"}.get(kind, text)


def bits_of_brain(meaning, bitwise):
    """bfloat16 is computed in float32 and rounded once; a fused one in float64."""
    return meaning if bitwise else meaning.replace("fma(", "fma_odd(").replace("canonical(", "(")


def exactly(excess, mode, r, *operands):
    r = rounding.directed(r, excess(r, *operands), mode, *operands)
    if excess in (rounding.sum_excess, rounding.difference_excess):
        b = operands[1] if excess is rounding.sum_excess else -operands[1]
        r = rounding.signed_zero(r, mode, operands[0], b)
    return r


def number(operand, kind, line=0):
    """A literal as a value of a type, one element."""
    dtype = DTYPES[kind]
    if dtype == BOOL:
        return np.array([bool(operand.value)])
    if dtype == PAIR:
        value = operand.value & (1 << 128) - 1
        return np.array([(value & (1 << 64) - 1, value >> 64)], PAIR)
    if operand.kind == "int":
        if dtype.kind == "f" and dtype.itemsize > 2:
            return np.array([operand.value], dtype)
        bits = operand.value & ((1 << 8 * dtype.itemsize) - 1)
        return np.array([bits], BITS[dtype.itemsize]).view(dtype)
    own = 4 if operand.kind == "f32" else 8
    if own == dtype.itemsize:
        return np.array([operand.value], BITS[own]).view(dtype)
    if dtype.kind != "f":
        raise UnknownCode(f"line {line}: a floating-point literal as .{kind}")
    value, = struct.unpack("<f" if own == 4 else "<d", operand.value.to_bytes(own, "little"))
    return np.array([value], dtype)

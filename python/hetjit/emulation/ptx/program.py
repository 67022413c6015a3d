"""Modules linked into a program: every symbol has its place, every function is compiled when it is called first."""

from typing import NamedTuple

import numpy as np

from ..faults import LinkError, UnknownCode
from .flow import Builder, alive_after
from .formats import BITS, U1, size
from .memory import CODE, SHARED_START
from .parser import parse
from .syntax import Address, Immediate, Register, Symbol
from .translate import translate
from .writer import Writer, number

VOID = {"vprintf", "__assertfail", "malloc", "free", "__nv_abort"}  # what the driver's own library defines: system.py


class Place(NamedTuple):
    space: str
    address: int


class Program:
    """`texts`: one or several modules that refer to each other."""

    def __init__(self, arena, texts):
        self.arena = arena
        self.modules = [parse(t) for t in texts]
        self.shared_end, self.holes = SHARED_START, []
        self.places, self.functions, self.by_code = {}, {}, {}
        self.compiled, self.allocated = {}, []
        self.link()

    def allocate(self, bytes, align):
        self.allocated.append(self.arena.allocate(max(bytes, 1), max(align, 16)))
        return self.allocated[-1]

    def link(self):
        for module in self.modules:
            for function in module.functions.values():
                if function.body is not None:
                    self.define_function(module, function)
        for module in self.modules:
            for name, target in module.aliases.items():
                found = self.find_function(module, target)
                self.functions[None, name] = self.functions[id(module), name] = found
            for variable in module.variables.values():
                if variable.linkage != "extern":
                    self.define_variable(module, variable)
        shared = [(m, v) for m in self.modules for v in m.variables.values()
                  if v.space == "shared" and v.linkage == "extern"]
        self.dynamic = self.shared_end = -(-self.shared_end // 16) * 16
        for module, variable in shared:
            if (None, variable.name) not in self.places:
                self.places[id(module), variable.name] = Place("shared", self.dynamic)
        for module in self.modules:
            for variable in module.variables.values():
                if variable.initial:
                    self.initialize(module, variable)

    def define_function(self, module, function):
        code = CODE + 16 * (len(self.by_code) + 1)
        self.by_code[code] = function
        self.places[id(module), function.name] = Place("code", code)
        self.functions[id(module), function.name] = function
        if function.entry or function.linkage in ("visible", "weak"):
            known = self.functions.setdefault((None, function.name), function)
            if known is not function and "weak" not in (known.linkage, function.linkage):
                raise LinkError(f"function {function.name} is defined twice")
            self.places.setdefault((None, function.name), Place("code", code))
        for variable in function.variables:
            if variable.space == "shared":
                self.places[id(function), variable.name] = self.place_shared(variable)
            elif variable.space in ("global", "const"):
                address = self.allocate(variable.bytes, variable.align)
                self.places[id(function), variable.name] = Place(variable.space, address)

    def place_shared(self, variable):
        start = -(-self.shared_end // max(variable.align, 16)) * max(variable.align, 16)
        self.shared_end = start + variable.bytes
        padded = -(-self.shared_end // 16) * 16 + 16
        self.holes.append((self.shared_end, padded))
        self.shared_end = padded
        return Place("shared", start)

    def define_variable(self, module, variable):
        if variable.linkage in ("visible", "weak", "common") and (None, variable.name) in self.places:
            if variable.linkage == "visible":
                raise LinkError(f"variable {variable.name} is defined twice")
            return
        if variable.space == "shared":
            place = self.place_shared(variable)
        else:
            place = Place(variable.space, self.allocate(variable.bytes, variable.align))
        self.places[id(module), variable.name] = place
        if variable.linkage:
            self.places[None, variable.name] = place

    def initialize(self, module, variable):
        address = self.places.get((id(module), variable.name)) or self.places[None, variable.name]
        at, width = address.address, size(variable.type)
        for item in variable.initial:
            if isinstance(item, Symbol):
                value = Immediate("int", self.address(module, None, item.name).address + item.offset)
            else:
                value = item
            data = number(value, variable.type).view(U1)
            self.arena.slice(at, width)[:] = data
            at += width

    def address(self, module, function, name):
        for owner in (id(function), id(module), None):
            place = self.places.get((owner, name))
            if place:
                return place
        raise LinkError(f"{name} is declared and defined nowhere")

    def find_function(self, module, name):
        found = self.functions.get((id(module), name)) or self.functions.get((None, name))
        if found is None and name not in VOID:
            raise LinkError(f"function {name} is declared and defined nowhere")
        return found

    def entry(self, name, split=False):
        for function in self.functions.values():
            if function.entry and function.name == name:
                return self.compile(function, split)
        raise LinkError(f"no kernel {name}")

    def compile(self, function, split):
        """`split`: see flow.Builder."""
        found = self.compiled.get((id(function), split))
        if found is None:
            found = self.compiled[id(function), split] = Compiled(self, function, split)
            found.translate()
        return found


class CompiledBlock(NamedTuple):
    run: object  # the Python function
    inputs: tuple  # slots
    outputs: tuple
    input_set: frozenset
    output_set: frozenset
    kind: str  # how it ends: next, branch, switch, call, ret, exit, trap, warp, barrier
    exit: object  # the instruction, or None
    targets: list
    order: int
    data: object  # End
    readers: dict  # slot → the instruction that reads it first
    text: str  # the function, for those who look
    access: object  # of memory that others may see, which ends a split block: the instruction, or None


class Compiled:
    """A function's blocks as Python, and its frame on the stack."""

    def __init__(self, program, function, split):
        self.program, self.function, self.name, self.split = program, function, function.name, split
        self.registers = list(function.registers)
        self.carry = self.new_register("pred", "the carry flag")
        self.slots = {}  # parameter → {(offset, bytes): Register}
        self.instructions = []
        self.local_places, self.stack = {}, 0
        self.stack_known = ()  # not asked yet (machine.py)
        self.turned = {}  # a split block that loads → the block that does what follows first, or None (weak.py)
        self.guesses = None  # loads that are no race, once it is asked (weak.py)
        self.parameters, self.parameter_bytes = {}, 0
        for variable in function.variables:
            if variable.space == "local":
                start = -(-self.stack // max(variable.align, 8)) * max(variable.align, 8)
                self.local_places[variable.name] = Place("local", start)
                self.stack = start + variable.bytes
        self.stack = -(-self.stack // 16) * 16
        self.passed = {v.name for v in (*function.returns, *(v for v in function.variables if v.space == "param"))}
        self.place_parameters()

    def place_parameters(self):
        """A kernel's lie in memory, those of other functions in registers."""
        for variable in self.function.parameters:
            start = -(-self.parameter_bytes // variable.align) * variable.align
            self.parameters[variable.name] = start
            self.parameter_bytes = start + variable.bytes
        if self.function.entry:
            self.parameter_start = self.program.allocate(self.parameter_bytes, 16)
        else:
            self.passed |= set(self.parameters)

    def new_register(self, kind, name):
        register = Register(len(self.registers), kind, name)
        self.registers.append(register)
        return register

    # ---- what a writer asks

    def number(self, instruction):
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def address(self, name):
        if name in self.local_places:
            return self.local_places[name]
        if self.function.entry and name in self.parameters:
            return Place("param", self.parameter_start + self.parameters[name])
        if name in self.passed:
            raise UnknownCode(f"address of parameter {name} of {self.name}")
        return self.program.address(self.function.module, self.function, name)

    def is_slot(self, operand):
        return isinstance(operand, Address) and isinstance(operand.base, Symbol) and operand.base.name in self.passed

    def parameter(self, name, offset, bytes):
        """Where so many bytes of a parameter are kept while it is passed."""
        known = self.slots.setdefault(name, {})
        if (offset, bytes) not in known:
            kind = {1: "b8", 2: "b16", 4: "b32", 8: "b64", 16: "b128"}[bytes]
            known[offset, bytes] = self.new_register(kind, f"{name}+{offset}")
        return known[offset, bytes]

    # ---- translation

    def translate(self):
        from .ends import describe
        blocks = Builder(self.function, self.split).build()
        writers = [Writer(self) for _ in blocks]
        for block, writer in zip(blocks, writers):
            for instruction in block.instructions:
                translate(writer, instruction)
        ends = [describe(self, block, writer) for block, writer in zip(blocks, writers)]
        for end, writer in zip(ends, writers):  # a call reads what was stored for it anywhere before
            end.expressions += [self.held(writer, r) for name in end.reads for r in self.slots.get(name, {}).values()]
        reads = [set(w.inputs) for w in writers]
        writes = [set(w.written) for w in writers]
        for end, written in zip(ends, writes):
            written |= {r.slot for r in end.registers}
            written |= {r.slot for name in end.results for r in self.slots.get(name, {}).values()}
        alive = alive_after(blocks, reads, writes)
        self.blocks = []
        for block, writer, end in zip(blocks, writers, ends):
            after = alive[block.index] - ({r.slot for r in end.registers} if end.registers else set())
            run, inputs, outputs, text = writer.finish(end.expressions, after)
            self.blocks.append(CompiledBlock(run, tuple(inputs), tuple(outputs), frozenset(inputs), frozenset(outputs),
                                             end.kind, block.exit, block.targets, block.order, end, writer.readers,
                                             text, block.access))
        self.saved = {b.index: -(-sum(size(self.registers[s].type) for s in alive[b.index]) // 16) * 16 for b in blocks}

    def held(self, writer, register):
        return writer.read(register, {1: "b8", 2: "b16", 4: "b32", 8: "b64", 16: "b128"}[size(register.type)])

    def returned(self):
        """(name of the result, its slots) of what a return hands back."""
        return [(v.name, self.slots.get(v.name, {})) for v in self.function.returns]


def recast(parts, wanted):
    """Values by (offset, bytes) as others by (offset, bytes): the same memory cut differently."""
    if all(key in parts for key in wanted):
        return {key: parts[key] for key in wanted}
    count = max((v.size for v in parts.values()), default=1)
    end = max([o + b for o, b in parts] + [o + b for o, b in wanted])
    memory = np.zeros((count, end), U1)
    for (offset, bytes), value in parts.items():
        full = np.ascontiguousarray(np.broadcast_to(value, (count,)))
        memory[:, offset:offset + bytes] = full.view(U1).reshape(count, bytes)
    return {(o, b): np.ascontiguousarray(memory[:, o:o + b]).view(BITS[b]).reshape(count) for o, b in wanted}

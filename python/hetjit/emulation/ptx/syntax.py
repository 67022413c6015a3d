"""A module as the parser leaves it."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Register(NamedTuple):
    slot: int
    type: str
    name: str


class Special(NamedTuple):
    name: str  # %tid.x


class Immediate(NamedTuple):
    kind: str  # int; float: the bits of a float64 or, for 0f…, of a float32
    value: int


class Symbol(NamedTuple):
    name: str
    offset: int = 0


class Address(NamedTuple):
    base: object  # Register, Symbol, or None for a number alone
    offset: int


class Vector(NamedTuple):
    items: tuple


class Pair(NamedTuple):
    first: object  # d|p
    second: object


class Negated(NamedTuple):
    operand: object


SINK = Symbol("_")


@dataclass
class Variable:
    name: str
    space: str
    type: str
    align: int
    bytes: int
    initial: list = None  # of Immediate and Symbol, flattened
    linkage: str = ""


@dataclass
class Instruction:
    opcode: str
    operands: list
    guard: object = None  # a Register, or Negated
    line: int = 0
    source: tuple = None  # (file, line) from .loc
    text: str = ""

    @property
    def parts(self):
        return self.opcode.split(".")

    @property
    def place(self):
        return f"PTX line {self.line}: {self.text}"


@dataclass
class Label:
    name: str


@dataclass
class Function:
    name: str
    entry: bool
    linkage: str
    parameters: list
    returns: list
    registers: list = field(default_factory=list)  # Register, by slot
    variables: list = field(default_factory=list)  # .local, .shared and .param of the body
    body: list = None  # Instruction and Label; None: declared only
    targets: dict = field(default_factory=dict)  # .branchtargets, .calltargets, .callprototype by label
    directives: dict = field(default_factory=dict)  # maxntid, reqntid, …
    module: object = None


@dataclass
class Module:
    target: str = ""
    version: str = ""
    files: dict = field(default_factory=dict)
    variables: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    aliases: dict = field(default_factory=dict)

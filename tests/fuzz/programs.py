"""Random programs of the language, well typed by construction: each expression is made for a type, by the promotion table and not by
asking the compiler.

`Maker` takes its decisions from `below(n)`, a number from 0 to n-1 of which 0 is always the simplest, so that whoever draws the numbers
(Hypothesis, in run.py) can shrink a program by making them smaller. Ranges, exponents and literals are small; every expression has
an operand of run time, because literals among themselves are computed exactly and have no 32 bits to overflow.
"""

import dataclasses

import meaning
from array_views import ViewStatements
from complexes import ComplexStatements
from factories import FactoryStatements
from literals import LiteralStatements, as_meant, as_written
from records import RecordStatements
from statements import Statements
from vectors import VectorStatements

LENGTH = 4   # elements of an input array, and of a thread's row of scratch memory
THREADS = 3
OUTPUTS = 12

SYMBOLS = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>")
FLOAT_LITERALS = ("0.5", "2.0", "1.5", "-0.75", "3.25", "0.1", "100.0", "0.001")
RELATIONS = ("<", "<=", "==", "!=", ">", ">=")


def _by_result():
    """{type: [(symbol, left type, right type)]}"""
    found = {kind: [] for kind in meaning.KINDS}
    for symbol in SYMBOLS:
        for a in meaning.KINDS:
            for b in meaning.KINDS:
                try:
                    found[meaning.joined(symbol, a, b)].append((symbol, a, b))
                except meaning.Refused:
                    pass
    return found


def _comparable():
    found = []
    for a in meaning.KINDS:
        for b in meaning.KINDS:
            try:
                meaning.joined("<", a, b)
                found.append((a, b))
            except meaning.Refused:
                pass
    return found


BY_RESULT = _by_result()
ALIKE = {kind: [row for row in rows if row[1] == kind] for kind, rows in BY_RESULT.items()}
COMPARABLE = _comparable()


@dataclasses.dataclass
class Helper:
    name: str
    parameters: list   # types
    results: list      # types; several are a tuple


@dataclasses.dataclass
class Program:
    source: str        # for the compiler
    meaning: str       # for the oracle: the same, with the types that joins give to literals
    inputs: list       # types of the input arrays x0, x1, …
    outputs: list      # types of the output arrays r0, r1, …
    scratch: str       # type of the scratch array w, one row per thread
    checked: bool = False  # it may assign views of other shapes: to be run with checks


class Expressions:
    """Expressions as text. What is in scope: self.names, {name: type}; self.helpers."""

    def pick(self, options):
        return options[self.below(len(options))]

    def chance(self, one_in):
        return self.below(one_in) == one_in - 1

    def named(self, kind):
        return [name for name, has in self.names.items() if has == kind]

    def leaf(self, kind):
        found = self.named(kind)
        if found:
            return self.pick(found)
        if kind == "bool":
            return f"({self.pick([name for name, has in self.names.items() if has in meaning.KINDS])} > 1)"
        return f"{self.caster(kind)}({self.pick([name for name, has in self.names.items() if has in meaning.KINDS])})"

    @staticmethod
    def caster(kind):
        return kind if kind in meaning.WEAK else f"device.{kind}"

    def expression(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        makers = [self.a_leaf, self.a_binary, self.a_binary, self.a_cast, self.a_ternary, self.a_unary, self.a_choice,
                  self.an_element, self.a_call, self.a_function, self.a_power, self.a_binary,
                  self.a_selection]
        if kind == "float":
            makers += [self.a_joined_literal]
        if kind == "bool":
            makers = [self.a_leaf, self.a_comparison, self.a_logic, self.a_binary, self.a_ternary]
        return self.pick(makers)(kind, depth - 1)

    @staticmethod
    def rows(kind):
        """(symbol, left type, right type) of what gives that type."""
        return BY_RESULT[kind]

    def a_leaf(self, kind, depth):
        return self.leaf(kind)

    def literal(self, kind, symbol="+"):
        if kind == "int":
            return str(self.below(12) if symbol in ("<<", ">>") else self.pick((1, 2, 3, 7, 0, 100)))
        return self.pick(FLOAT_LITERALS)

    def a_binary(self, kind, depth):
        rows = ALIKE[kind] if ALIKE[kind] and not self.chance(3) else BY_RESULT[kind]
        if not rows:
            return self.leaf(kind)
        symbol, a, b = self.pick(rows)
        left = self.expression(a, depth)
        if b in ("int", "float") and self.chance(2):
            right = self.literal(b, symbol)
            if a in ("int", "float", "bool") or a in meaning.FIXED:
                return f"({left} {symbol} {right})" if not self.chance(4) or symbol in ("<<", ">>") \
                    else self.literal_first(symbol, a, b, kind, left, right)
        return f"({left} {symbol} {self.expression(b, depth)})"

    @staticmethod
    def literal_first(symbol, a, b, kind, left, right):
        try:
            return f"({right} {symbol} {left})" if meaning.joined(symbol, b, a) == kind else f"({left} {symbol} {right})"
        except meaning.Refused:
            return f"({left} {symbol} {right})"

    def a_cast(self, kind, depth):
        return f"{self.caster(kind)}({self.expression(self.pick(meaning.KINDS), depth)})"

    def a_ternary(self, kind, depth):
        return f"({self.expression(kind, depth)} if {self.condition(depth)} else {self.expression(kind, depth)})"

    def a_unary(self, kind, depth):
        signs = ["-", "+", "abs"] + ([] if meaning.is_float(kind) else ["~"])
        sign = self.pick(signs)
        inner = self.expression(kind, depth)
        return f"abs({inner})" if sign == "abs" else f"({sign}{inner})"

    def a_choice(self, kind, depth):
        return f"{self.pick(('min', 'max'))}({self.expression(kind, depth)}, {self.expression(kind, depth)})"

    def an_index(self, depth):
        which = self.below(4)
        if which == 0:
            return str(self.below(LENGTH))
        if which == 1:
            return str(-1 - self.below(LENGTH))
        return f"({self.expression('int', depth)} & {LENGTH - 1})" if which == 2 else f"(({self.leaf('int')} & 1) - 2)"

    def an_element(self, kind, depth):
        options = [f"x{k}" for k, has in enumerate(self.inputs) if has == kind] if self.in_kernel else []
        if self.in_kernel and self.scratch == kind:
            options.append("w")
        if not options:
            return self.leaf(kind)
        array = self.pick(options)
        return f"w[i, {self.an_index(depth)}]" if array == "w" else f"{array}[{self.an_index(depth)}]"

    def a_call(self, kind, depth):
        fitting = [helper for helper in self.helpers if helper.results == [kind]]
        return self.call(self.pick(fitting), depth) if fitting else self.leaf(kind)

    def call(self, helper, depth):
        given = [self.passed_literal() if kind == "float" and self.chance(2) else self.expression(kind, depth)
                 for kind in helper.parameters]
        if len(given) > 1 and self.chance(4):
            given[-1] = f"p{len(given) - 1}={given[-1]}"
        return f"{helper.name}({', '.join(given)})"

    def a_selection(self, kind, depth):
        """A tuple's item at a place of run time."""
        items = ", ".join(self.expression(kind, depth) for _ in range(2 + self.below(2)))
        return f"({items})[{self.pick(('', '-1 - '))}({self.leaf('int')} & 1)]"

    def a_function(self, kind, depth):
        if kind in meaning.FLOATS:
            return f"np.{self.pick(('floor', 'ceil', 'trunc', 'fabs', 'rint', 'sqrt'))}({self.expression(kind, depth)})"
        if kind == "int":
            return f"{self.pick(('int', 'round'))}({self.expression(self.pick(('float32', 'float64', 'float')), depth)})"
        return self.leaf(kind)

    def a_power(self, kind, depth):
        exponents = (2, 3) if meaning.is_float(kind) else (2, 3, 1, 0, 4)
        return f"({self.expression(kind, depth)} ** {self.pick(exponents)})"

    def condition(self, depth):
        return self.expression("bool", depth)

    def a_comparison(self, kind, depth):
        a, b = self.pick(COMPARABLE)
        left, relation = self.expression(a, depth), self.pick(RELATIONS)
        if b in ("int", "float") and self.chance(2):
            return f"({left} {relation} {self.literal(b)})"
        text = f"{left} {relation} {self.expression(b, depth)}"
        if self.chance(6):
            text += f" {self.pick(RELATIONS)} {self.expression(b, depth)}"
        return f"({text})"

    def a_logic(self, kind, depth):
        which = self.below(4)
        if which == 0:
            return f"(not {self.expression(self.pick(meaning.KINDS), depth)})"
        if which == 3:
            return f"bool({self.expression(self.pick(meaning.KINDS), depth)})"
        return f"({self.condition(depth)} {('and', 'or')[which - 1]} {self.condition(depth)})"


class Maker(Expressions, Statements, VectorStatements, RecordStatements, ViewStatements, ComplexStatements,
            FactoryStatements, LiteralStatements):
    """One program."""

    def __init__(self, below):
        self.below = below
        self.helpers, self.lines, self.names, self.constants = [], [], {}, set()
        self.structs, self.records = [], {}
        self.made, self.wide = [], []
        self.inputs, self.scratch, self.in_kernel, self.checked = [], "int32", False, False
        self.count = self.indent = self.loops = 0

    def fresh(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def say(self, text, meant=None):
        """A line of the program; `meant` is its form for the oracle."""
        pad = "    " * self.indent
        self.lines.append((pad + text, pad + (meant or text)))

    def helper(self):
        parameters = [self.pick(meaning.KINDS) for _ in range(1 + self.below(3))]
        results = [self.pick(meaning.KINDS) for _ in range(2 if self.chance(4) else 1)]
        name = f"h{len(self.helpers)}"
        self.names = {f"p{k}": kind for k, kind in enumerate(parameters)}
        self.constants = set()
        self.say(f"def {name}({', '.join(self.names)}):")
        self.indent += 1
        self.budget = 1 + self.below(4)
        self.block(1)
        if len(results) == 1 and self.chance(3):
            self.say(f"if {self.condition(1)}:")
            self.say(f"    return {self.expression(results[0], 1)}")
        self.say("return " + ", ".join(self.expression(kind, 2) for kind in results))
        self.indent -= 1
        self.say("")
        self.say("")
        self.helpers.append(Helper(name, parameters, results))

    def program(self):
        self.inputs = [self.pick(meaning.FIXED) for _ in range(1 + self.below(3))]
        self.scratch = self.pick(meaning.FIXED)
        for _ in range(self.below(3)):
            self.declare()
        for _ in range(self.below(3)):
            self.helper()
        if self.chance(3):
            self.factory()
        if self.chance(3):
            self.wide_function()
        first = len(self.lines)
        self.in_kernel = True
        self.indent = 1
        self.names = {"n": "int", "s": "float", "i": "int"}
        self.constants = {"n", "s", "i"}
        self.say("i = device.tid(1)")
        for k, kind in enumerate(self.inputs):
            name = self.fresh()
            self.say(f"{name} = x{k}[i]")
            self.names[name] = kind
        self.budget = 2 + self.below(14)
        self.block(2)
        results = [name for name, kind in self.names.items() if kind in meaning.KINDS and name not in ("n", "s", "i")][-OUTPUTS:]
        outputs = [self.names[name] for name in results]
        for k, name in enumerate(results):
            self.say(f"r{k}[i] = {name}")
        parameters = [f"x{k}" for k in range(len(self.inputs))] + ["w", "n", "s"] + [f"r{k}" for k in range(len(results))]
        self.indent = 0
        self.say(f"def program({', '.join(parameters)}):")
        self.lines.insert(first, self.lines.pop())
        source, meant = ("\n".join(line[k] for line in self.lines) + "\n" for k in range(2))
        return Program(as_written(source), as_meant(meant), self.inputs, outputs, self.scratch, self.checked)

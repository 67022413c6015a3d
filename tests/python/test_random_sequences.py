"""Random lists and tuples in kernels: what is printed of them is what Python prints, under each Python, whose bytecode puts lists together
in another way. An int is drawn with its value's bounds in mind, a sequence with its kind and length, so that all paths have one type."""

import contextlib
import io
import random
import warnings

import pytest

from hetjit import device

PROGRAMS = 40
BRACKETS = {"list": "[]", "tuple": "()"}


class Maker:
    """Draws functions of `n`. `names` are those that are bound: {name: "int", or (kind, length)}."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.names = {"n": "int"}
        self.lines = []

    def pick(self, *options):
        return self.chance.choice(options)()

    def number(self, depth=2):
        if depth == 0:
            return self.chance.choice([name for name, kind in self.names.items() if kind == "int"] + ["1", "2", "7"])
        return self.pick(lambda: self.number(0), lambda: f"{self.number(depth - 1)} + {self.number(0)}", lambda: self.conditional(self.number(depth - 1), self.number(depth - 1)),
                         lambda: f"({self.number(0)} and {self.number(depth - 1)} or {self.number(0)})", lambda: f"len({self.sequence(*self.shape(), depth - 1)})",
                         lambda: f"sum({self.sequence(*self.shape(), depth - 1)})", lambda: f"max({self.sequence('tuple', 2, depth - 1)})", self.item, self.spread)

    def item(self):
        kind, length = self.shape(least=1)
        return f"{self.sequence(kind, length, 1)}[{self.chance.randrange(-length, length)}]"

    def spread(self):
        return f"max(*{self.sequence(*self.shape(least=1), 1)}, {self.number(1)})"

    def conditional(self, yes, no):
        return f"({yes} if {self.condition()} else {no})"

    def condition(self):
        few = lambda: self.number(0)
        return self.pick(lambda: f"{few()} < {few()}", lambda: f"0 < {few()} < {few()}", lambda: f"not {few()} > 3", lambda: f"{few()} in {self.sequence(*self.shape(), 1)}",
                         lambda: f"{self.sequence(*self.shape(), 1)} {self.chance.choice(['==', '!='])} {self.sequence(*self.shape(), 1)}",
                         lambda: f"({few()} > 1 or {few()} < {few()} < 5)", lambda: f"{few()} == 2 and {few()} != 1")

    def shape(self, least=0):
        return self.chance.choice(("list", "tuple")), self.chance.randint(least, 3)

    def sequence(self, kind, length, depth=2):
        """The text of a list or tuple of so many ints."""
        known = [name for name, shape in self.names.items() if shape == (kind, length)]
        if known and self.chance.random() < 0.3:
            return self.chance.choice(known)
        ways = [lambda: self.literal(kind, length, depth)]
        if depth:
            other = lambda: self.sequence(kind, length, depth - 1)
            ways += [lambda: self.conditional(other(), other()), lambda: f"{self.sequence(kind, length + 1, depth - 1)}[1:]", lambda: f"{other()}[::-1]",
                     lambda: f"({self.sequence(kind, length // 2, depth - 1)} + {self.sequence(kind, length - length // 2, depth - 1)})", lambda: f"joined({other()}, n)"]
            if length:
                ways += [lambda: f"({other()} or {other()})", lambda: f"({other()} and {other()})", lambda: f"({self.sequence(kind, 1, 0)} * {length})"]
            if kind == "list":
                ways += [lambda: f"[k + {self.number(0)} for k in {self.sequence(self.shape()[0], length, depth - 1)}]"] * 2
            else:
                ways += [lambda: f"tuple({self.sequence('list', length, depth - 1)})", lambda: f"tuple(k + 1 for k in {self.sequence(self.shape()[0], length, depth - 1)})"]
        return self.chance.choice(ways)()

    def literal(self, kind, length, depth):
        parts, left = [], length
        while left or self.chance.random() < 0.1:
            if depth and self.chance.random() < 0.4:
                some = self.chance.randint(0, left)
                parts.append("*" + self.sequence(self.shape()[0], some, depth - 1))
                left -= some
            elif left:
                parts.append(self.number(depth - 1 if depth else 0))
                left -= 1
        opened, closed = BRACKETS[kind]
        return opened + ", ".join(parts) + (",)" if kind == "tuple" and parts else closed)

    def nested(self):
        """Something to print: sequences of sequences too."""
        return self.pick(lambda: self.sequence(*self.shape()), self.number, self.condition, lambda: f"[{self.number()}, {self.sequence(*self.shape())}]",
                         lambda: f"[[k, {self.number(0)}] for k in {self.sequence(*self.shape())}]", lambda: f"({self.sequence(*self.shape())}, [{self.sequence(*self.shape())}])",
                         lambda: f"[{self.sequence('list', 2, 1)} if k else {self.sequence('list', 2, 1)} for k in {self.sequence(*self.shape())}]")

    def bind(self, kind):
        name = f"v{len(self.names)}"
        self.names[name] = kind
        return name

    def statement(self):
        kind, length = self.shape(least=1)
        made, other = self.sequence(kind, length), self.sequence(kind, length)
        self.pick(lambda: self.lines.append(f"print({', '.join(self.nested() for _ in range(self.chance.randint(1, 3)))})"),
                  lambda: self.lines.append(f"{self.bind((kind, length))} = {made}"),
                  lambda: self.lines.append("{1} = {0}".format(self.number(), self.bind("int"))),
                  lambda: self.lines.append(f"{self.bind('int')}, *{self.bind(('list', length - 1))} = {made}"),
                  lambda: self.lines.append(f"*{self.bind(('list', length - 1))}, {self.bind('int')} = {made}"),
                  lambda: self.lines.append(f"for k in {made}: print(k, {self.number(0)})"),
                  lambda: self.lines.append(f"print((w := {made}), w)"),
                  lambda: self.lines.append(f"if {self.condition()}: u = {made}\n    else: u = {other}\n    print(u)"),
                  lambda: self.lines.append(f"match {made}:\n        case [first, *others]: print(first, others)\n        case _: print('other')"))

    def source(self):
        while len(self.lines) < 6:
            self.statement()
        return "def f(n):\n    " + "\n    ".join(self.lines) + "\n    print(n, " + ", ".join(self.names) + ")\n"


@device.func
def joined(items, n):
    return items if n > 1 else items[:]


def printed(function, n):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        function(n)
    return text.getvalue()


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_sequences_are_what_python_prints(seed):
    source = Maker(seed).source()
    given = {"device": device, "joined": joined}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, f"<sequences {seed}>", "exec"), given)
        for n in (0, 2, 5):
            wanted = printed(given["f"], n)
            try:
                found = printed(device.kernel(given["f"]).on("cpu")[1, 1], n)
            except device.CompileError as error:
                pytest.fail(f"{error}\n\n{source}", pytrace=False)
            assert found == wanted, source

"""Literals that become numbers of run time: passed to functions, chosen among, looped over, carried through loops. Where such a number
meets float64 it is the double that was written, or what Python computes of it.

In the text of a program such a literal stands in brackets of its own, which only the oracle sees: as a call of `weak`.
"""

import meaning

LITERALS = ("0.1", "0.7", "-0.3", "1e-3", "3.3", "16777217.0", "2.5", "1e300")
OPEN, CLOSE = "\N{LEFT WHITE CORNER BRACKET}", "\N{RIGHT WHITE CORNER BRACKET}"


def as_written(text):
    return text.replace(OPEN, "").replace(CLOSE, "")


def as_meant(text):
    return text.replace(OPEN, "weak(").replace(CLOSE, ")")


class LiteralStatements:
    def passed_literal(self):
        return f"{OPEN}{self.pick(LITERALS)}{CLOSE}"

    def different_literals(self, count):
        first = self.below(len(LITERALS))
        return [f"{OPEN}{LITERALS[(first + k) % len(LITERALS)]}{CLOSE}" for k in range(count)]

    def at_run_time(self):
        """A bool that no compiler knows."""
        found = self.named("int")
        return f"(({self.pick(found)} & 3) > {self.below(3)})" if found else None

    def a_joined_literal(self, kind, depth):
        """One of several literals, by a condition or an index."""
        decided = self.at_run_time()
        if not decided:
            return self.leaf(kind)
        one, other = self.different_literals(2)
        if self.chance(2):
            return f"({one} if {decided} else {other})"
        return f"({one}, {other})[{self.pick(self.named('int'))} & 1]"

    def literals(self, depth):
        makers = [self.literal_branches, self.literal_items, self.literal_pairs, self.literal_start, self.literal_result]
        decided = self.at_run_time()
        return self.pick(makers)(decided) if decided else self.assign(depth)

    def literal_branches(self, decided):
        name, (one, other) = self.fresh(), self.different_literals(2)
        self.say(f"if {decided}:")
        self.say(f"    {name} = {one}")
        self.say("else:")
        self.say(f"    {name} = {other}")
        self.names[name] = "float"

    def summed(self):
        """A name that a loop adds to: of float64 as a rule."""
        kind = "float64" if self.chance(2) else self.pick(meaning.FLOATS)
        name = self.fresh()
        self.say(f"{name} = device.{kind}({self.pick(self.named('int'))})")
        return name, kind

    def literal_items(self, decided):
        total, kind = self.summed()
        item = self.fresh("k")
        self.say(f"for {item} in ({', '.join(self.different_literals(2 + self.below(2)))}):")
        self.say(f"    {total} += {item} * {self.leaf(kind)}" if self.chance(2) else f"    {total} += {item}")
        self.names[total] = kind

    def literal_pairs(self, decided):
        total, kind = self.summed()
        one, other = self.fresh("k"), self.fresh("k")
        numbers = ", ".join(f"{OPEN}{k}{CLOSE}" for k in (1, 2, 16777217)[:2 + self.below(2)])
        self.say(f"for {one}, {other} in zip(({numbers}), ({', '.join(self.different_literals(3))})):")
        self.say(f"    {total} += {one} {self.pick(('+', '*', '-'))} {other}")
        self.names[total] = kind

    def literal_start(self, decided):
        """A literal that a loop changes: computed in both formats."""
        name, counter = self.fresh(), self.fresh("k")
        self.say(f"{name} = {self.passed_literal()}")
        self.say(f"for {counter} in range({self.pick(self.named('int'))} & 3):")
        self.say(f"    {name} = {name} {self.pick(('*', '+', '-', '/'))} {self.pick(('0.3', '0.1', '3.0', self.pick(self.named('int'))))}")
        self.names[name] = "float"

    def literal_result(self, decided):
        """A function that gives one of two literals, or what it was given."""
        name, result, (one, other) = self.fresh("f"), self.fresh(), self.different_literals(2)
        if self.chance(2):
            self.say(f"{name} = lambda c: {one} if c else {other}")
            self.say(f"{result} = {name}({decided})")
        else:
            self.say(f"{name} = lambda c, k: k if c else {other}")
            self.say(f"{result} = {name}({decided}, {one})")
        self.names[result] = "float"

"""Statements of random programs (programs.py). A name that a branch or a loop introduces is forgotten at its end."""

import contextlib

import meaning

AUGMENTED = {}
for _symbol in ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "/"):
    for _kind in meaning.KINDS:
        for _other in meaning.KINDS:
            try:
                if meaning.joined(_symbol, _kind, _other) == _kind:
                    AUGMENTED.setdefault(_kind, []).append((_symbol, _other))
            except meaning.Refused:
                pass

RANGES = ("range(3)", "range({a} & 3)", "range(1, 4)", "range(5, 0, -2)", "range({a} & 7, 2, -1)", "range({a} & 3, {b} & 7)",
          "range({a} & 3, 6, 1 + ({b} & 1))", "range(0)")
RISING, FALLING = "range({fixed} & 7, {a} % 400 - 100, 60)", "range({a} % 400 - 100, {fixed} & 7, -60)"


class Statements:
    def block(self, depth):
        """Statements until the budget is spent, or chance ends the block; at least one line."""
        before = len(self.lines)
        for _ in range(6):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement(depth)
            if depth < 2 and self.chance(3):
                break
        if len(self.lines) == before:
            self.say("pass")

    def statement(self, depth):
        makers = [self.assign, self.assign, self.reassign, self.augment, self.store, self.pair, self.star, self.calls_pair,
                  self.walrus, self.vector, self.record, self.record, self.view, self.complex_number, self.fails, self.of_factory,
                  self.call_wide, self.literals]
        if depth > 0:
            makers += [self.branch, self.count_loop, self.while_loop, self.reduction, self.choose_case, self.inner_function]
        if self.loops:
            makers += [self.leave]
        self.pick(makers)(depth)

    @contextlib.contextmanager
    def suite(self):
        names, constants = dict(self.names), set(self.constants)
        self.indent += 1
        yield
        self.keep([name for name, kind in self.names.items() if name not in names and kind in meaning.KINDS])
        self.indent -= 1
        self.names = names
        self.constants = self.constants & set(names) | constants

    def keep(self, found):
        """What a suite has computed last goes where it is seen: into the scratch memory."""
        if found and self.in_kernel and not self.lines[-1][0].lstrip().startswith(("break", "continue")):
            symbol = "+" if meaning.is_float(self.scratch) else "^"
            self.say(f"w[i, {self.below(4)}] {symbol}= {self.caster(self.scratch)}({found[-1]})")

    def variables(self):
        return [name for name, kind in self.names.items() if name not in self.constants and kind in meaning.KINDS and "." not in name]

    # ---- simple statements

    def assign(self, depth):
        kind = self.pick(meaning.KINDS)
        value = self.expression(kind, 3)
        name = self.fresh()
        self.say(f"{name} = {value}")
        self.names[name] = kind

    def reassign(self, depth):
        if not self.variables():
            return self.assign(depth)
        name = self.pick(self.variables())
        self.say(f"{name} = {self.expression(self.names[name], 3)}")

    def augment(self, depth):
        if not self.variables():
            return self.assign(depth)
        name = self.pick(self.variables())
        symbol, other = self.pick(AUGMENTED[self.names[name]])
        if other in ("int", "float") and self.chance(2):
            return self.say(f"{name} {symbol}= {self.literal(other, symbol)}")
        self.say(f"{name} {symbol}= {self.expression(other, 2)}")

    def store(self, depth):
        if not self.in_kernel:
            return self.assign(depth)
        place = f"w[i, {self.an_index(1)}]"
        if self.chance(2):
            return self.say(f"{place} = {self.expression(self.scratch, 2)}")
        symbol, other = self.pick(AUGMENTED[self.scratch])
        self.say(f"{place} {symbol}= {self.expression(other, 1)}")

    def pair(self, depth):
        """Two names at once: new ones, or two of a type exchanged."""
        for kind in meaning.KINDS:
            alike = [name for name in self.variables() if self.names[name] == kind]
            if len(alike) > 1 and self.chance(2):
                return self.say(f"{alike[0]}, {alike[-1]} = {alike[-1]}, {alike[0]}")
        kinds = [self.pick(meaning.KINDS), self.pick(meaning.KINDS)]
        values = [self.expression(kind, 2) for kind in kinds]
        names = [self.fresh(), self.fresh()]
        self.say(f"{', '.join(names)} = {', '.join(values)}")
        self.names.update(zip(names, kinds))

    def star(self, depth):
        """A tuple, taken apart with a star and by index."""
        kinds = [self.pick(meaning.KINDS) for _ in range(3)]
        whole, head, rest, last = self.fresh("t"), self.fresh(), self.fresh("t"), self.fresh()
        self.say(f"{whole} = ({', '.join(self.expression(kind, 1) for kind in kinds)})")
        self.say(f"{head}, *{rest} = {whole}")
        self.say(f"{last} = {rest}[{self.pick((1, -1))}]")
        self.names.update({head: kinds[0], last: kinds[2]})

    def calls_pair(self, depth):
        fitting = [helper for helper in self.helpers if len(helper.results) == 2]
        if not fitting:
            return self.assign(depth)
        helper = self.pick(fitting)
        value = self.call(helper, 1)
        names = [self.fresh(), self.fresh()]
        self.say(f"{', '.join(names)} = {value}")
        self.names.update(zip(names, helper.results))

    def walrus(self, depth):
        kind = self.pick(("int", "float", *meaning.FIXED))
        value = self.expression(kind, 2)
        name, result = self.fresh(), self.fresh()
        self.say(f"{result} = ({name} := {value}) > {self.literal('int')}")
        self.names.update({name: kind, result: "bool"})

    def fails(self, depth):
        """What seldom ends a thread, and what is never looked at."""
        which = self.below(3)
        rare = " and ".join(self.condition(1) for _ in range(4))
        if which == 0:
            self.say("if NEVER:")
            self.say(f"    {self.pick(('raise ValueError()', 'nobody[knows].this()', 'i = (1, 2) + None'))}")
        elif which == 1:
            self.say(f"assert not ({rare}), 'too rare'")
        else:
            self.say(f"if {rare}:")
            self.say(f"    raise {self.pick(('ValueError', 'IndexError(3)', 'ZeroDivisionError'))}")

    def leave(self, depth):
        self.say(f"if {self.condition(2)}:")
        self.say(f"    {self.pick(('break', 'continue'))}")

    # ---- compound statements

    def branch(self, depth):
        self.say(f"if {self.condition(2)}:")
        with self.suite():
            self.block(depth - 1)
        if self.chance(3):
            self.say(f"elif {self.condition(2)}:")
            with self.suite():
                self.block(depth - 1)
        if self.chance(2):
            self.say("else:")
            with self.suite():
                self.block(depth - 1)

    def body(self, depth):
        self.loops += 1
        self.block(depth - 1)
        self.loops -= 1

    def after_loop(self, depth):
        if self.chance(4):
            self.say("else:")
            outside, self.loops = self.loops, 0
            with self.suite():
                self.block(depth - 1)
            self.loops = outside

    def count_loop(self, depth):
        counter = self.fresh("k")
        kind, bounds = self.fixed_range() if self.chance(4) else ("int", self.pick(RANGES))
        self.say(f"for {counter} in {bounds.format(a=self.leaf('int'), b=self.leaf('int'))}:")
        with self.suite():
            self.names[counter] = kind
            self.constants.add(counter)
            self.body(depth)
        self.after_loop(depth)

    def fixed_range(self):
        """Its type, and its text but for an int."""
        rises = self.chance(2)
        fixed = self.pick([kind for kind in meaning.INTEGERS if rises or kind != "uint64"])  # that holds nothing negative
        text = (RISING if rises else FALLING).replace("{fixed}", self.leaf(fixed))
        return meaning.items_of_range(fixed, rises), text

    def while_loop(self, depth):
        counter = self.fresh("c")
        self.say(f"{counter} = {self.leaf('int')} & 3")
        self.say(f"while {counter} > 0:" if not self.chance(3) else f"while {counter} > 0 and {self.condition(1)}:")
        with self.suite():
            self.say(f"{counter} -= 1")
            self.names[counter] = "int"
            self.constants.add(counter)
            self.body(depth)
        self.after_loop(depth)

    def reduction(self, depth):
        """A literal that becomes the type of what a loop adds to it."""
        kind = self.pick(meaning.FIXED)
        name, counter = self.fresh(), self.fresh("k")
        zero = "0.0" if meaning.is_float(kind) and self.chance(2) else "0"
        self.say(f"{name} = {zero}", f"{name} = device.{kind}({zero})")
        self.say(f"for {counter} in range({self.leaf('int')} & 3):")
        with self.suite():
            self.names[counter] = "int"
            self.constants.add(counter)
            self.say(f"{name} += {self.expression(kind, 2)}")
        self.names[name] = kind

    def choose_case(self, depth):
        self.say(f"match {self.expression('int', 1)} & 3:")
        with self.suite():
            for pattern in self.pick((("0", "_"), ("0", "1 | 2", "_"), ("3", "0 | 1"))):
                self.say(f"case {pattern}:")
                with self.suite():
                    self.block(depth - 1)

    def inner_function(self, depth):
        """A nested function that reads what is around it; that does not change afterwards."""
        kind, result = self.pick(meaning.KINDS), self.pick(meaning.KINDS)
        name, parameter = self.fresh("f"), self.fresh("q")
        outer, kernel = dict(self.names), self.in_kernel
        self.names[parameter] = kind
        self.in_kernel = False
        value = self.expression(result, 2)
        self.names, self.in_kernel = outer, kernel
        self.constants |= set(outer)
        if self.chance(2):
            self.say(f"{name} = lambda {parameter}: {value}")
        else:
            self.say(f"def {name}({parameter}):")
            self.say(f"    return {value}")
        got = self.fresh()
        self.say(f"{got} = {name}({self.expression(kind, 1)})")
        self.names[got] = result

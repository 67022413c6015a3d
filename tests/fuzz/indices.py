"""Random kernels that are all indices: from both ends, guarded by conditions on one path or by none, counted up and down, carried round
loops, along axes of no or few elements, of arrays that names are bound to anew, of views and of local arrays.

What is outside of an array is undefined, so a thread of which the oracle says that it goes there does nothing (compare_indices.py): its
`go[i]` is 0.
"""

import contextlib
import dataclasses

import index_runs
import meaning

KINDS = ("int", "int32", "extent", "int64", "uint32", "int8", "uint8", "int16", "uint16")
ELEMENTS = ("int32", "int32", "int8", "uint8", "int64", "int16", "uint32", "uint16")
SYMBOLS = ("+", "-", "+", "-", "*", "//", "%", "&", ">>", "|", "^", "<<")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
THREADS, ROW = 12, 4


@dataclasses.dataclass
class Kernel:
    source: str
    inputs: list   # types of the elements of x0, x1, …
    columns: int   # elements of `m` along its last axis; 0: any number
    local: int     # elements of the local array; 0: there is none


class Maker(index_runs.RunStatements):
    """One kernel. `below(n)`: a number from 0 to n-1, of which 0 is always the simplest."""

    def __init__(self, below):
        self.below = below
        self.lines, self.names, self.arrays = [], {}, {}
        self.fixed, self.inputs = set(), []
        self.count = self.indent = self.loops = self.local = 0

    def pick(self, options):
        return options[self.below(len(options))]

    def chance(self, one_in):
        return self.below(one_in) == one_in - 1

    def fresh(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def say(self, text):
        self.lines.append("    " * self.indent + text)

    @contextlib.contextmanager
    def suite(self):
        names, arrays = dict(self.names), dict(self.arrays)
        self.indent += 1
        first = len(self.lines)
        yield
        if len(self.lines) == first:
            self.say("pass")
        self.indent -= 1
        self.names, self.arrays = names, arrays

    # ---- numbers

    @staticmethod
    def cast(kind, text):
        return f"int({text})" if kind in ("int", "extent") else f"device.{kind}({text})"

    def leaf(self, kind):
        found = [name for name, has in self.names.items() if has == kind]
        if found:
            return self.pick(found)
        if kind == "extent":
            return self.extent(*self.an_axis())
        return "n" if kind == "int" else self.cast(kind, self.any_name())

    def any_name(self):
        """Mostly of a number with a sign, as unsigned ones are not compared with what is below 0."""
        signed = [name for name, kind in self.names.items() if not kind.startswith("u")]
        return self.pick(list(self.names) if self.chance(4) else signed)

    def an_axis(self):
        array = self.pick(list(self.arrays))
        return array, self.below(self.arrays[array][1])

    def extent(self, array, axis):
        return f"len({array})" if axis == 0 and self.chance(2) else f"{array}.shape[{axis}]"

    def number(self, kind, depth):
        """An expression of that type."""
        which = self.below(12) if depth > 0 else 0
        if which < 3:
            return self.leaf(kind)
        if which < 8:
            symbol = self.pick(SYMBOLS)
            left = self.number(kind, depth - 1)
            right = str(self.pick((1, 2, 3, 7, 4, 0))) if self.chance(2) or symbol == "<<" else self.number(kind, depth - 1)
            return self.as_kind(kind, f"({left} {symbol} {right})")
        if which == 8:
            sign = self.pick(("-", "abs", "~"))
            return self.as_kind(kind, f"{sign}({self.number(kind, depth - 1)})")
        if which == 9:
            return f"({self.number(kind, depth - 1)} if {self.condition(depth - 1)} else {self.number(kind, depth - 1)})"
        if which == 10:
            return f"{self.pick(('min', 'max'))}({self.number(kind, depth - 1)}, {self.number(kind, depth - 1)})"
        if kind in ("extent", "int"):
            return self.leaf(kind)
        return self.cast(kind, self.number(self.pick(KINDS), depth - 1))

    def as_kind(self, kind, text):
        """Sums of short integers have a type of their own, by the rules."""
        return self.cast(kind, text) if kind not in ("int", "extent", "int32", "int64", "uint32") else text

    def condition(self, depth):
        which = self.below(8)
        if depth > 0 and which > 5:
            return f"({self.condition(depth - 1)} {self.pick(('and', 'or'))} {self.condition(depth - 1)})"
        if which == 5:
            return f"(not {self.condition(depth - 1)})"
        name = self.any_name()
        bound = self.bound()
        if which == 4:
            return f"({self.bound()} {self.pick(('<=', '<'))} {self.moved(name)} {self.pick(('<', '<='))} {bound})"
        if which == 3:
            return f"(device.float32({name}) {self.pick(RELATIONS)} {self.pick(('s', '0.0', f'device.float32({bound})'))})"
        return f"({self.moved(name)} {self.pick(RELATIONS)} {bound})"

    def bound(self):
        """What indices are compared with."""
        which = self.below(6)
        extent = self.extent(*self.an_axis())
        if which < 2:
            return self.pick(("0", "1", "-1", "2", "5", "-2"))
        return (extent, f"({extent} - {1 + self.below(2)})", f"-{extent}", self.any_name())[which - 2]

    def moved(self, name):
        """A number and some more, or fewer."""
        which = self.below(4)
        return (name, f"({name} + {1 + self.below(3)})", f"({name} - {1 + self.below(3)})", f"({name} * {2 + self.below(2)})")[which] \
            if which else name

    def index(self, array, axis):
        """Some index along an axis; seldom more than that."""
        extent, name = self.extent(array, axis), self.any_name()
        forms = (lambda: name, lambda: self.moved(name), lambda: f"{extent} - {1 + self.below(3)}", lambda: f"{extent} - 1 - {name}",
                 lambda: f"{name} % {extent}", lambda: f"-1 - {name} % {extent}", lambda: f"({name} & 3) - {self.below(3)}",
                 lambda: f"{name} // {self.pick((2, 3, -2))}", lambda: f"{name} >> {1 + self.below(2)}",
                 lambda: f"{name} if {self.condition(0)} else {extent} - 1",
                 lambda: f"{name} - 1 if {name} > {self.pick((0, 0, 1, -1))} else {extent} - 1",
                 lambda: f"{name} + 1 if {name} + 1 < {extent} else 0",
                 lambda: f"min(max({name}, {self.pick((0, 0, -1, 1))}), {extent} - 1)", lambda: f"abs({name}) - {self.below(2)}",
                 lambda: str(self.below(3)), lambda: str(-1 - self.below(3)), lambda: self.number(self.pick(KINDS), 2),
                 lambda: f"{name} - {self.any_name()}", lambda: f"{name} * {extent} // 2", lambda: f"{extent} // 2 - {1 + self.below(2)}")
        return self.pick(forms)()

    def element(self, array):
        return f"{array}[{', '.join(self.index(array, axis) for axis in range(self.arrays[array][1]))}]"

    # ---- statements

    def block(self, depth):
        for _ in range(1 + self.below(4)):
            if self.budget <= 0:
                break
            self.budget -= 1
            makers = [self.read, self.read, self.guarded, self.guarded, self.assign, self.reassign, self.augment, self.store, self.local_store,
                      self.another_array, self.view]
            if depth > 0:
                makers += [self.branch, self.branch, self.rows, self.count_loop, self.count_loop, self.down, self.down, self.while_loop, self.swap_loop, self.swap_loop,
                           self.run_loop, self.run_loop, self.run_loop]
            if self.loops:
                makers += [self.leave]
            if self.only_runs:
                makers = [self.run_loop, self.run_loop, self.branch, self.assign] if depth > 0 else [self.assign, self.augment, self.local_store]
            self.pick(makers)(depth)

    def read(self, depth):
        self.read_of(self.pick(list(self.arrays)))

    def read_of(self, array):
        """An element, mostly where there is one at all."""
        guarded = not self.chance(3)
        if guarded:
            self.say("if " + " and ".join(f"{self.extent(array, axis)} > 0" for axis in range(self.arrays[array][1])) + ":")
        self.say("    " * guarded + f"out[i, {self.below(ROW)}] += device.int32({self.element(array)})")

    def guarded(self, depth):
        """An element whose index a condition speaks of, well or badly."""
        array, axis = self.an_axis()
        name, extent = self.any_name(), self.extent(array, axis)
        k = 1 + self.below(2)
        tests = (f"0 <= {name} < {extent}", f"{name} < {extent}", f"{name} >= 0", f"-{extent} <= {name} < {extent}", f"not {name} < 0", f"{name} > -{k}",
                 f"{name} + {k} < {extent} and {name} >= {k}", f"{name} - {k} >= 0", f"{name} + {k} <= {extent}", f"{name} < {extent} or {name} < 0",
                 f"{name} > 0 and {extent} > {name}", f"{name} != 0", f"{extent} - {name} > 0", f"{name} == {extent} - {k}")
        forms = (name, f"{name} - {k}", f"{name} + {k}", f"{name} - {k}", f"-{name}", f"{extent} - {name}", f"{extent} - 1 - {name}", f"-1 - {name}",
                 f"{name} * 2 - {k}", f"{name} // 2 - {k}")
        at = [self.index(array, each) for each in range(self.arrays[array][1])]
        at[axis] = self.pick(forms)
        self.say(f"if {self.pick(tests)}:")
        self.say(f"    out[i, {self.below(ROW)}] += device.int32({array}[{', '.join(at)}])")
        if self.chance(3):
            at[axis] = self.pick(forms)
            self.say("else:")
            self.say(f"    out[i, {self.below(ROW)}] ^= device.int32({array}[{', '.join(at)}])")

    def assign(self, depth):
        kind = self.pick(KINDS)
        name, value = self.fresh(), self.number(kind, 2)
        self.say(f"{name} = {value}")
        self.names[name] = kind

    def variables(self):
        return [name for name in self.names if name not in self.fixed]

    def reassign(self, depth):
        if not self.variables():
            return self.assign(depth)
        name = self.pick(self.variables())
        kind = self.names[name]
        array, axis = self.an_axis()
        value = f"{name} - 1 if {name} > 0 else {self.cast(kind, self.extent(array, axis) + ' - 1')}" if kind == "extent" and self.chance(2) \
            else self.number(kind, 2)
        self.say(f"{name} = {value}")

    def augment(self, depth):
        found = [name for name in self.variables() if self.names[name] in ("int", "extent", "int32", "int64")]
        if not found:
            return self.assign(depth)
        name = self.pick(found)
        self.say(f"{name} {self.pick(('+', '-', '-', '+', '*', '//', '>>', '%'))}= {1 + self.below(4)}")

    def store(self, depth):
        place = self.pick(("r[", "out[i, "))
        self.say(f"{place}{self.index('r', 0)}] {self.pick(('=', '+=', '^='))} {self.number('int32', 1)}")

    def local_store(self, depth):
        if not self.local:
            return self.store(depth)
        self.say(f"t[{self.index('t', 0)}] {self.pick(('=', '+='))} {self.number('int32', 1)}")

    def another_array(self, depth):
        """A name of an array is bound to another one."""
        kinds = {}
        for name, (kind, rank, _) in self.arrays.items():
            kinds.setdefault((kind, rank), []).append(name)
        alike = self.pick(list(kinds.values()))
        renamed = [name for name in alike if name.startswith("a")]
        one, other = self.pick(alike), self.pick(alike)
        if renamed and self.chance(2):
            return self.say(f"{self.pick(renamed)} = {one}")
        name = self.fresh("a")
        self.say(f"{name} = {one}" if self.chance(2) else f"{name} = {one} if {self.condition(0)} else {other}")
        self.arrays[name] = (*self.arrays[one][:2], False)

    def view(self, depth):
        array = self.pick([name for name in self.arrays])
        kind, rank, _ = self.arrays[array]
        name, a, b = self.fresh("u"), self.any_name(), self.any_name()
        step = self.pick(("", "", ":2", ":-1", ":-2"))
        part = self.pick((f"{a}:{'' if step else b}{step}", f"{self.below(3)}:", f":-{1 + self.below(2)}", f"{a}:", f":{a}", f"{a}:{b}", "::-1", f"-2:{a}", f"{a}::-1"))
        if rank == 1:
            self.say(f"{name} = {array}[{part}]")
            self.arrays[name] = (kind, 1, False)
            return
        form = self.below(4)
        self.say(f"{name} = {array}[{part}]" if form == 0 else f"{name} = {array}[:, {part}]" if form == 1 else f"{name} = {array}[{self.index(array, 0)}]"
                 if form == 2 else f"{name} = {array}.T")
        self.arrays[name] = (kind, 1 if form == 2 else 2, False)

    def branch(self, depth):
        self.say(f"if {self.condition(2)}:")
        with self.suite():
            self.block(depth - 1)
        if self.chance(2):
            self.say("else:")
            with self.suite():
                self.block(depth - 1)

    def leave(self, depth):
        self.say(f"if {self.condition(1)}:")
        self.say(f"    {self.pick(('break', 'continue'))}")

    def counter(self, kind):
        name = self.fresh("k")
        self.names[name] = kind
        self.fixed.add(name)
        return name

    def body(self, depth, array=None):
        self.loops += 1
        if array and self.chance(2):
            self.read_of(array)
        self.block(depth - 1)
        self.loops -= 1

    def looped(self, turns, kind, depth, array=None):
        names = dict(self.names)
        counter = self.counter(kind)
        self.say(f"for {counter} in {turns}:")
        with self.suite():
            self.body(depth, array)
        self.names = names
        if self.chance(5):
            self.say("else:")
            outside, self.loops = self.loops, 0
            with self.suite():
                self.block(depth - 1)
            self.loops = outside

    def count_loop(self, depth):
        array, axis = self.an_axis()
        extent, name = self.extent(array, axis), self.pick([each for each, kind in self.names.items() if kind == "int"])
        turns, kind = self.pick(((f"range({extent})", "extent"), (f"range({extent} - 1)", "extent"), (f"range({name}, {extent})", "extent"),
                                 (f"range(1, {extent}, 2)", "extent"), (f"range({name} & 3)", "int"), (f"range(-2, {name} & 3)", "int"),
                                 (f"range({name} & 3, {extent} + 1, {name} & 3)", "extent"), ("range(4)", "int")))
        self.looped(turns, kind, depth, array)

    def down(self, depth):
        """Counted down, to the end or past it."""
        array, axis = self.an_axis()
        extent, name = self.extent(array, axis), self.pick([each for each, kind in self.names.items() if kind == "int"])
        turns, kind = self.pick(((f"range({extent} - 1, -1, -1)", "extent"), (f"range({extent} - 1, {name}, -1)", "extent"),
                                 (f"range({name}, -1, -1)", "int"), (f"range({name} & 7, -3, -1)", "int"), (f"range({extent} - 2, -2, -1)", "extent"),
                                 (f"range({extent}, 0, -1)", "extent"), (f"range({extent} - 1, -1, -2)", "extent"), (f"range(3, {name}, -1)", "int"),
                                 (f"range({name} & 7, {extent} - 3, -1)", "extent"), (f"reversed(range({extent}))", "extent"),
                                 (f"range({extent} - 1, -1, -({name} & 3))", "extent"), (f"range(-1, -{extent} - 1, -1)", "extent")))
        self.looped(turns, kind, depth, array)

    def while_loop(self, depth):
        """A counter that ends where it says, or one turn later; it may be used after the loop."""
        array, axis = self.an_axis()
        kind = self.pick(("int", "extent", "int32", "int64"))
        counter = self.fresh("k")
        falls = self.chance(2)
        extent = self.extent(array, axis)
        start = self.pick((f"{extent} - 1", extent, f"{self.any_name()} & 7", "5")) if falls else self.pick(("0", "1", "-2", f"{self.any_name()} & 3"))
        if kind == "extent" and not falls:
            start = f"{start} + 0 * {extent}"
        self.say(f"{counter} = {self.cast(kind, start) if kind != 'extent' else start}" if kind != "int" else f"{counter} = n & 7" if falls else f"{counter} = n & 1")
        self.names[counter] = kind
        self.fixed.add(counter)
        ends = self.pick(("> 0", ">= 0", "> -2", f"> -{extent}", "!= -1")) if falls else self.pick((f"< {extent}", f"< {extent} - 1", f"<= {extent}", "< 5"))
        more = "" if self.chance(2) else f" and {self.condition(0)}"
        self.say(f"while {counter} {ends}{more}:")
        by = self.pick(("1", "1", "2")) if "!=" not in ends else "1"
        step = f"{counter} {'-' if falls else '+'}= {by}"
        first = self.chance(2)
        with self.suite():
            if first:
                self.say(step)
                self.body(depth, array)
            else:
                loops, self.loops = self.loops, 0  # neither break nor continue
                self.body_without_leaving(depth, array)
                self.loops = loops
                self.say(step)

    def body_without_leaving(self, depth, array):
        self.read_of(array)
        before, self.budget = self.budget, min(self.budget, 1)
        self.pick((self.read, self.guarded, self.assign, self.augment, self.another_array))(depth - 1)
        self.budget = before

    def swap_loop(self, depth):
        """What a turn finds out of an array, another turn takes as an index of the next one."""
        ranks = [name for name, (_, rank, _) in self.arrays.items() if rank == 1]
        first = self.pick(ranks)
        kind = self.arrays[first][0]
        alike = [name for name in ranks if self.arrays[name][0] == kind]
        one, other, held = self.fresh("a"), self.fresh("a"), self.fresh()
        self.say(f"{one}, {other} = {first}, {self.pick([name for name in alike if name != first] or alike)}")
        self.arrays[one] = self.arrays[other] = (kind, 1, False)
        self.say(f"{held} = {self.pick((f'len({one}) // 2', f'0 * len({one})', f'len({one}) - 1'))}")
        self.names[held] = "extent"
        self.say(f"for {self.fresh('k')} in range({2 + self.below(3)}):")
        with self.suite():
            if self.chance(3):
                self.body(depth, one)
            self.say(self.pick((f"if {held} < len({one}):", f"if {held} != -1 or len({one}) > 0:", f"if len({one}) > 0 and {held} < len({one}):")))
            self.say(f"    out[i, {self.below(ROW)}] += device.int32({one}[{held}])")
            self.say(f"{held} = len({one}) - {1 + self.below(2)}")
            self.say(f"{one}, {other} = {other}, {one}")

    def rows(self, depth):
        """Rows of arrays, one after the other."""
        name = self.fresh("u")
        self.say(f"for {name} in m:")
        with self.suite():
            self.arrays[name] = ("int32", 1, False)
            self.body(depth, name)

    def kernel(self):
        kind = self.pick(ELEMENTS)
        self.inputs = [kind if self.chance(2) else self.pick(ELEMENTS) for _ in range(1 + self.below(3))]
        columns = self.pick((0, 1, 2, 3, 4))
        self.local = self.pick((0, 1, 4, 5))
        self.only_runs = self.chance(4)
        self.names = {"n": "int", "i": "int"}
        self.arrays = {f"x{k}": (kind, 1, False) for k, kind in enumerate(self.inputs)}
        self.arrays.update(m=("int32", 2, False), r=("int32", 1, True))
        self.say(f"def program({', '.join(f'x{k}' for k in range(len(self.inputs)))}, m, w, go, n, s, out):")
        self.indent = 1
        self.say("i = device.tid(1)")
        self.say("r = w[i]")
        if self.local:
            self.say(f"t = device.local_array({self.local}, device.int32)")
            self.say(f"for k in range({self.local}):")
            self.say("    t[k] = k * 11 + n")
            self.arrays["t"] = ("int32", 1, True)
        self.say("if go[i]:")
        self.indent += 1
        for k, kind in enumerate(self.inputs):
            self.say(f"v{k} = x{k}[i % max(len(x{k}), 1)] if len(x{k}) > 0 else device.{kind}({self.below(3)})")
            self.names[f"v{k}"] = kind
        self.say("q = r[0]")
        self.names["q"] = "int32"
        self.fixed |= {"n", "i"}
        self.count = 10
        self.budget = 3 + self.below(9)
        while self.budget > 0:
            self.block(2)
        self.read(0)
        return Kernel("\n".join(self.lines) + "\n", self.inputs, columns, self.local)

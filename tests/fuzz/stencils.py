"""Random kernels as stencils are written: each thread sums elements round its own place, by indices that are rows but at their ends.

They wrap round, are clamped, reflected or counted from the end, as expressions and as statements, or loops ask before they read whether there is such
a place; what a thread is asked before is only whether it has one. As in programs.py, `Maker` takes its decisions from `below(n)`, of which 0 is the simplest. An index may be outside of an array
after all: with such arguments the kernel is not run (compare_stencils.py).
"""

import contextlib
import dataclasses

import drawing

ELEMENTS = ("int32", "float32", "uint8", "int64", "float64", "int8", "int16", "uint16", "uint32")
SUMS = ("int32", "int64", "float64")
PLAIN = {"int32": ("int8", "uint8", "int16", "uint16", "int32"), "int64": ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"),
         "float64": ELEMENTS}  # what is added without a cast
PERIODS = (12, 7, 3, 16, 1)
MOST_READS = 5
LEFT, RIGHT = 1, 2  # the ends that an index may be beyond
# Forms by the ends that they mend, of an index {e} and an extent {n}.
FORMS = {
    LEFT | RIGHT: ("{e} % {n}", "({e} + {n}) % {n}", "({n} + {e}) % {n}", "({e} + 2 * {n}) % {n}", "({e} - {n}) % {n}",
                   "min(max({e}, 0), {n} - 1)", "max(0, min({n} - 1, {e}))", "0 if {e} < 0 else ({n} - 1 if {e} >= {n} else {e})",
                   "-{e} if {e} < 0 else (2 * {n} - 2 - {e} if {e} >= {n} else {e})",
                   "{e} + {n} if {e} < 0 else ({e} - {n} if {e} >= {n} else {e})", "({e} % {n} + {n}) % {n}", "{n} - 1 - {e} % {n}", "{e} - {e} // {n} * {n}"),
    LEFT: ("max({e}, 0)", "{e}", "{e} if {e} >= 0 else {e} + {n}", "{e} + {n} if {e} < 0 else {e}", "abs({e})",
           "{n} - 1 if {e} < 0 else {e}", "max(0, {e})"),
    RIGHT: ("min({e}, {n} - 1)", "{e} - {n} if {e} >= {n} else {e}", "{e} if {e} < {n} else {e} - {n}", "{e} if {e} < {n} else {n} - 1",
            "0 if {e} >= {n} else {e}", "min({n} - 1, {e})", "{e} - {n}", "{n} - 1 - abs({n} - 1 - {e})"),
}
UNSIGNED = ("({e} % {n})", "min({e}, {n} - 1)", "({e} + {n}) % {n}", "({e} - {n} if {e} >= {n} else {e})")
# What is asked before one of two is chosen: of numbers of 8 bits, too, which begin anew from lane to lane.
ASKED = ("device.uint8({i} * 20) < 128", "device.int8({i} * 20) < 5", "device.uint8({i} * 100) < 9", "device.int8({i} * 7) < 0", "device.uint8({i} * 3) < 128",
         "{i} % 2 == 0", "{i} > 3", "{i} == 2", "not {i} < 5 or {i} == 1", "0 < {i} < {n} - 1")
PLACES = ("({i} + {c}) % {n}", "{n} - 1 - {i}", "-1 - {i}", "({i} - {c}) % {n}", "{i} - {n}", "{i} + 1 if {i} + 1 < {n} else 0")
INSIDE = ("{i} >= {c} and {i} < {n} - {c}", "{c} <= {i} < {n} - {c}", "{i} > 0", "{i} + {c} < {n}", "{i} != {n} - 1")
# The same as statements about a name {l}.
STATEMENTS = {
    LEFT | RIGHT: (("if {l} < 0:", "    {l} = 0", "elif {l} >= {n}:", "    {l} = {n} - 1"),
                   ("if {l} < 0:", "    {l} += {n}", "if {l} >= {n}:", "    {l} -= {n}"),
                   ("if {l} < 0:", "    {l} = -{l}", "elif {l} > {n} - 1:", "    {l} = 2 * {n} - 2 - {l}"), ("{l} %= {n}",),
                   ("while {l} < 0:", "    {l} += {n}", "{l} = {l} % {n}")),
    LEFT: (("if {l} < 0:", "    {l} = {n} - 1"), ("if {l} < 0:", "    {l} = 0"), ("if {l} < 0:", "    {l} += {n}"),
           ("if {l} < 0:", "    {l} = -{l}", "else:", "    {l} = {l} + 0")),
    RIGHT: (("if {l} >= {n}:", "    {l} = 0"), ("if {l} > {n} - 1:", "    {l} = {n} - 1"), ("if {l} >= {n}:", "    {l} -= {n}"),
            ("if not {l} < {n}:", "    {l} = {l} - {n}")),
}
# What loops ask before they read at {l}, by the ends that it may be beyond; what they leave out else; what is the same for all threads.
BOUNDS = {LEFT | RIGHT: ("0 <= {l} < {n}", "{l} >= 0 and {l} < {n}", "{l} < {n} and {l} >= 0", "not ({l} < 0 or {l} >= {n})", "{l} > -1 and {l} <= {n} - 1",
                         "0 < {l} < {n} - 1", "{l} >= 0 and {n} > {l}", "device.uint32({l}) < {n}", "-1 < {l} and {l} != {n} and {l} < {n}"),
          LEFT: ("{l} >= 0", "0 <= {l}", "{l} > -1", "not {l} < 0"),
          RIGHT: ("{l} < {n}", "{n} > {l}", "{l} <= {n} - 1", "not {l} >= {n}")}
UNIFORM = ("{n} > 16", "r > 1", "p % 2 == 0", "{k} > 0", "{k} != 1", "r + {k} < 4", "x0[{at}] > 4")
# How a name goes on along a ring of {n}.
STEPS = (("{q} = ({q} + {c}) % {n}",), ("{q} = ({q} + {n} - {c}) % {n}",), ("{q} = ({q} - {c}) % {n}",),
         ("{q} = {q} + 1 if {q} + 1 < {n} else 0",), ("{q} = {q} - 1 if {q} > 0 else {n} - 1",),
         ("{q} += 1", "if {q} == {n}:", "    {q} = 0"), ("{q} = min({q} + {c}, {n} - 1)",), ("{q} = max({q} - {c}, 0)",))
SHRINK = ("{p} = max({p} // 2, 1)", "{p} = max({p} - {c}, 1)", "{p} = {p} // 2 + 1")


@dataclasses.dataclass
class Array:
    name: str
    kind: str
    axes: tuple  # of coordinates
    role: str    # "input", "output", "own": each thread changes its own element


@dataclasses.dataclass
class Kernel:
    source: str
    arrays: list     # in the order of the parameters; after them come the numbers
    numbers: tuple   # names of the run-time numbers: "n", "h", "w": extents; "r", "p"
    threads: tuple   # the coordinates as device.tid gives them, x first


@dataclasses.dataclass
class Moved:
    """An index: a coordinate and some more."""
    text: str
    ends: int          # that it may be beyond
    unsigned: bool = False


class Maker(drawing.Drawing):
    """One kernel."""

    def __init__(self, below):
        super().__init__(below)
        self.arrays, self.offsets, self.known = [], {}, {}  # known: what an axis has been asked for
        self.numbers, self.reads = [], 0

    def fresh(self, letter="l"):
        self.count += 1
        return f"{letter}{self.count}"

    @contextlib.contextmanager
    def suite(self, head):
        before = dict(self.offsets), dict(self.known)
        with super().suite(head):
            yield
        self.offsets, self.known = before

    # ---- indices

    def extent(self, axis):
        """As it is spelled here."""
        if self.below(4):
            return self.extents[axis]
        return f"x0.shape[{self.coordinates.index(axis)}]"

    def offset(self):
        """(text that is added, the ends that it leads to)"""
        names = list(self.offsets)
        if names and self.below(4):
            name = self.pick(names)
            return f" {self.pick(('+', '+', '-'))} {name}", LEFT | RIGHT
        c = self.pick((1, 1, 2, 3, 4, 17))
        return self.pick(((f" - {c}", LEFT), (f" + {c}", RIGHT), ("", 0)))

    def moved(self, axis):
        """A coordinate and some more, maybe by a name or a cast."""
        by, ends = self.offset()
        which = self.below(12)
        here = axis
        if which == 11 and (ends == RIGHT or not ends):
            return Moved(f"(device.uint32({axis}){by})", ends, True)
        if which in (9, 10):
            here, ends = self.pick(((f"{axis} // 2", ends), (f"2 * {axis}", LEFT | RIGHT), (f"({self.extent(axis)} - 1 - {axis})", ends),
                                    (f"{axis} * 3", LEFT | RIGHT)))
        elif which in (7, 8):
            here = f"{self.pick(('device.int64', 'int', 'device.int32'))}({axis})"
        text = f"({here}{by})" if by or " " in here else here
        if which in (5, 6):
            name = self.fresh()
            self.say(f"{name} = {text}")
            text = name
        return Moved(text, ends)

    def mended(self, e, n):
        """A Moved whose text is a form of it."""
        if e.unsigned:
            return Moved(self.pick(UNSIGNED).format(e=e.text, n=n), 0, True)
        ends = e.ends or self.pick((LEFT, RIGHT, LEFT | RIGHT))
        if self.chance(8):
            ends |= LEFT | RIGHT
        which = self.below(8)
        if which >= 6:
            return Moved(self.by_statements(e, n, ends), 0)
        if which == 5 and ends == LEFT | RIGHT:
            inner = Moved(f"({self.pick(FORMS[LEFT]).format(e=e.text, n=n)})", RIGHT)
            return Moved(f"({self.pick(FORMS[RIGHT]).format(e=inner.text, n=n)})", 0)
        return Moved(f"({self.pick(FORMS[ends]).format(e=e.text, n=n)})", 0)

    def by_statements(self, e, n, ends):
        name = self.fresh()
        self.say(f"{name} = {e.text}")
        for line in self.pick(STATEMENTS[ends]):
            self.say(line.format(l=name, n=n))
        return name

    def index(self, axis):
        """Along an axis, mostly inside."""
        if axis in self.known and not self.chance(4):
            return self.known[axis]
        n, e = self.extent(axis), self.moved(axis)
        which = self.below(16)
        if which == 15 and not e.unsigned:
            other = self.mended(self.moved(axis), n)
            asked = self.pick(ASKED).format(i=axis, n=n)
            e = self.mended(e, n)
            return f"({e.text} if {asked} else {other.text})" if not other.unsigned else e.text
        if which == 14 and not e.unsigned:
            return self.of_another_period(e, n)
        made = self.mended(e, n)
        if which == 13 and not made.unsigned:
            return f"{n} - 1 - {made.text}"
        if which == 12 and not made.unsigned:
            return self.mended(Moved(f"({made.text}{self.pick((' + 1', ' - 1', ' + 2'))})", LEFT | RIGHT), n).text
        return made.text

    def of_another_period(self, e, n):
        p = self.pick((self.number("p"), str(self.pick(PERIODS))))
        form = self.pick(FORMS[LEFT | RIGHT][:5]).format(e=e.text, n=p)
        return self.pick((f"({form}) % {n}", f"min({form}, {n} - 1)", form))

    def number(self, name):
        if name not in self.numbers:
            self.numbers.append(name)
        return name

    # ---- statements

    def of_sum(self, array, text):
        """The element as the sum takes it."""
        if array.kind in PLAIN[self.sum] and not self.chance(4):
            return text
        return f"device.{self.sum}({text})"

    def element(self):
        """An element of an input, after what is said before; several reads of it in a loop may be the same place."""
        array = self.pick([array for array in self.arrays if array.role == "input"])
        return array, f"{array.name}[{', '.join(map(self.index, array.axes))}]"

    def read(self, depth):
        self.reads += 1
        array, text = self.element()
        value = self.of_sum(array, text)
        which = self.below(10)
        if which == 9:
            return self.say(f"s = {self.pick(('max', 'min'))}(s, device.{self.sum}({text}))")
        if which == 8:
            other, asked = self.element()
            with self.suite(f"if {asked} {self.pick(('>', '<', '!='))} {self.pick((3, 5))}:"):
                self.say(f"s += {value}")
            if self.chance(2):
                with self.suite("else:"):
                    self.say("s += 1")
            return None
        if which == 7 and value.startswith("device."):
            value = f"{2 + self.below(3)} * {value}"
        return self.say(f"s {self.pick(('+', '+', '-'))}= {value}")

    def window(self, depth):
        """A loop along an axis that asks in every turn whether there is such a place, in which another may be."""
        name, axis, r = self.fresh("k"), self.pick([axis for axis in self.coordinates if axis not in self.known] or self.coordinates), self.number("r")
        first, last = self.pick((("-1", "2"), (f"-{r}", f"{r} + 1"), ("0", r), ("0", "3"), ("-2", "3"), ("1", f"{r} + 1"), (f"{r}", "-2")))
        step = ", -1" if last == "-2" else self.pick(("", "", "", ", 2", f", {self.number('p')}"))
        with self.suite(f"for {name} in range({first + ', ' if first != '0' or step else ''}{last}{step}):"):
            if self.chance(6):
                test = self.pick(UNIFORM).format(n=self.extent(axis), k=name, at=", ".join("0" for _ in self.arrays[0].axes))
                self.numbers += [number for number in ("r", "p") if number in test.split() and number not in self.numbers]
                if self.chance(2):
                    self.say(f"if not {test}:")
                    self.say("    continue")
                else:
                    self.say(f"if {test}:")
                    self.indent += 1
                    self.ask(axis, name, first, depth)
                    self.indent -= 1
                    return
            self.ask(axis, name, first, depth)

    def ask(self, axis, name, first, depth):
        """What a turn asks, and does."""
        at, n, which = self.fresh(), self.extent(axis), self.below(10)
        here = f"{self.pick(('2 * ', '', '', ''))}{axis}" if which == 9 else f"device.int64({axis})" if which == 8 else axis
        downwards = self.chance(4)
        by = self.pick(("{k}", "{k}", "{k}", "2 * {k}", "{k} * 3", "(-2) * {k}", "({k} + 1) * 5")).format(k=name)
        self.say(f"{at} = {here} {'-' if downwards else '+'} {by}{self.pick(('', '', '', ' - 1', ' + 1'))}")
        ends = LEFT | RIGHT if first.startswith("-") or which > 4 else LEFT if downwards else RIGHT
        test = self.pick(BOUNDS[ends]).format(l=at, n=n)
        way = self.below(6)
        if way == 5:
            with self.suite(f"if {test}:"):
                self.known[axis] = at
                self.block(depth - 1)
            with self.suite("else:"):
                self.say(f"s += {1 + self.below(3)}")
        elif way > 2:
            self.say(f"if not ({test}):")
            self.say(f"    {'break' if way == 4 and self.chance(2) else 'continue'}")
            self.known[axis] = at
            self.block(depth - 1)
        else:
            with self.suite(f"if {test}:"):
                self.known[axis] = at
                self.block(depth - 1)

    def loop(self, depth):
        name, which = self.fresh("k"), self.below(6)
        if which == 5:
            r = "" if self.chance(2) else self.number("r")
            start, end = (f"-{r}", f"{r} + 1") if r else self.pick((("-2", "3"), ("0", "3"), ("-1", "2")))
            self.say(f"{name} = {start}")
            with self.suite(f"while {name} < {end}:"):
                self.offsets[name] = True
                self.block(depth - 1)
                self.say(f"{name} += 1")
            return
        r = self.number("r") if which in (3, 4) else ""
        with self.suite(f"for {name} in range({('-1, 2', '-2, 3', '3', f'-{r}, {r} + 1', r)[which]}):"):
            self.offsets[name] = True
            self.block(depth - 1)

    def chain(self, depth):
        """A name that goes on along a ring, from an index."""
        array = self.pick([array for array in self.arrays if array.role == "input"])
        axis = self.pick(array.axes)
        n, e, q = self.extent(axis), self.moved(axis), self.fresh("q")
        e = Moved(axis, 0) if e.unsigned else e
        shrinks = self.chance(2)
        if shrinks:
            period = self.fresh("m")
            self.say(f"{period} = {n}")
            n = period
        self.say(f"{q} = {self.mended(e, n).text}")
        with self.suite(f"for {self.fresh('k')} in range({self.pick(('3', self.number('r') if self.chance(2) else '5'))}):"):
            at = [self.index(each) for each in array.axes]
            at[array.axes.index(axis)] = f"({q} + {self.pick((1, 2))}) % {n}" if self.chance(2) else q
            self.say(f"s += {self.of_sum(array, f'''{array.name}[{', '.join(at)}]''')}")
            for line in self.pick(STEPS):
                self.say(line.format(q=q, n=n, c=1 + self.below(5)))
            if shrinks:
                self.say(self.pick(SHRINK).format(p=n, c=1 + self.below(4)))

    def inside(self, depth):
        axis = self.pick(self.coordinates)
        n, c = self.extent(axis), self.pick((1, 2))
        with self.suite(f"if {self.pick(INSIDE).format(i=axis, n=n, c=c)}:"):
            self.block(depth - 1)
        if self.chance(3):
            with self.suite("else:"):
                self.read(0)

    def block(self, depth):
        self.read(depth)
        for _ in range(self.below(3)):
            if self.reads >= MOST_READS:
                break
            self.pick([self.read, self.read, *([self.loop, self.chain, self.loop, self.inside, self.window, self.window] if depth > 0 else [])])(depth)

    # ---- the kernel

    def choose_arrays(self):
        axes = tuple(self.coordinates)
        self.arrays = [Array("x0", self.pick(ELEMENTS), axes, "input")]
        for k in range(self.below(3)):
            self.arrays.append(Array(f"x{k + 1}", self.pick(ELEMENTS), self.pick((axes, axes, axes[-1:], axes[:1])), "input"))
        self.arrays.append(Array("out", self.sum, axes, "output"))
        if self.chance(4):
            self.arrays.append(Array("places", self.pick(("int64", "int32")), axes, "output"))
        if self.chance(4):
            self.arrays.append(Array("y", self.pick(SUMS), axes, "own"))

    def place(self):
        """Where a thread stores, alone."""
        which = self.below(6)
        if which < 4:
            return ", ".join(self.coordinates)
        c = 1 + self.below(3)
        form = self.pick(PLACES)
        return ", ".join(form.format(i=axis, n=n, c=c) for axis, n in self.extents.items())

    def guards(self):
        """A thread that has no place does nothing."""
        tests = [f"{axis} < {self.extent(axis)}" for axis in self.coordinates]
        if self.chance(2):
            tests.reverse()
        which = self.below(5)
        if which == 4:
            tests = [self.pick((test.replace("<", ">="), f"not {test}")) for test in tests]
            self.say(f"if {' or '.join(tests)}:")
            return self.say("    return")
        if which == 3:
            for test in tests:
                self.say(f"if {test.replace('<', '>=')}:")
                self.say("    return")
            return None
        for test in [" and ".join(tests)] if which < 2 else tests:
            self.say(f"if {test}:")
            self.indent += 1
        return None

    def kernel(self):
        axes = self.pick((1, 2))
        names, extents = (("i",), ("n",)) if axes == 1 else (self.pick((("j", "i"), ("i", "j"), ("row", "column"))), ("h", "w"))
        self.coordinates, self.extents = list(names), dict(zip(names, extents))
        self.sum = self.pick(SUMS)
        self.choose_arrays()
        given = self.chance(4)  # extents are arguments
        if given:
            self.numbers += extents
        self.indent = 1
        threads = names if self.chance(6) else names[::-1]  # those of a row are neighbours in most
        self.say(f"{', '.join(threads)} = device.tid({axes})")
        if not given:
            self.say("n = x0.shape[0]" if axes == 1 and self.below(2) else "n = len(x0)" if axes == 1 else "h, w = x0.shape")
        self.guards()
        self.say(f"s = device.{self.sum}({0 if self.sum != 'float64' else 0.0})")
        while self.reads < 2 or not self.chance(2):
            self.block(2)
            if self.reads >= MOST_READS:
                break
        here = ", ".join(self.coordinates)
        for array in self.arrays:
            if array.name == "places":
                self.say(f"places[{here}] = {self.index(self.pick(self.coordinates))}")
            elif array.role == "own":
                self.say(f"y[{here}] {self.pick(('+=', '-='))} device.{array.kind}({self.element()[1]})")
        self.say(f"out[{self.place()}] = s")
        parameters = [array.name for array in self.arrays] + self.numbers
        return Kernel("\n".join([f"def program({', '.join(parameters)}):", *self.lines]) + "\n", self.arrays, tuple(self.numbers), threads)

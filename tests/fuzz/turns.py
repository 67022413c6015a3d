"""Random kernels that are all turns: loops whose counts are known or not, in one another, arrays of the thread's own with indices that are known or
not, cursors that loops move by constants, and tests of `while` in every spelling.

GPUs' loops are written out, in whole or some turns together, or stay (compiler/target/short_loops.cpp, array_loops.cpp); what turns move is known by
their number (compiler/passes/value_steps.cpp); a test of `while` stands twice in the bytecode (frontend/build/join_copies.h). As in programs.py,
`Maker` takes its decisions from `below(n)`, of which 0 is the simplest; compare_stencils.py runs what it makes.
"""

import drawing
import stencils

KNOWN = ("range(4)", "range(8)", "range(2)", "range(16)", "range(1, 5)", "range(10)", "range(8, 0, -1)", "range(0, 12, 3)", "range(32)", "range(3)")
UNKNOWN = ("range(r)", "range(i % 4)", "range(r, 6)")
TESTS = ("{f} < {c} and {t}", "({f} := {f} + 1) < {c} and ({t})", "{f} < {c} and not ({t})", "{f} < {c} and ({t} or {t})", "0 <= {f} < {c}",
         "{f} < ({c} if {t} else 2)")
EXITS = ("break", "continue")
MOST_LOOPS, MOST_STATEMENTS, MOST_TURNS, DEEP = 3, 14, 600, 2


class Maker(drawing.Drawing):
    """One kernel."""

    def __init__(self, below):
        super().__init__(below)
        self.size, self.counters, self.said, self.turns = 0, [], 0, 1

    def value(self, depth=0):
        """A number of no more than 32 bits."""
        known = self.counters[::-1] or ["i"]
        forms = [lambda: self.pick(known), lambda: str(self.below(9)), lambda: "s & 255", lambda: f"x[{self.index()} % n]", self.guarded]
        if depth < DEEP:
            forms += [lambda: f"({self.value(depth + 1)} + {self.value(depth + 1)}) & 1023", lambda: f"v[{self.index()} & {self.size - 1}]",
                      lambda: f"v[{self.pick(known)} % {self.size}]", lambda: f"({self.value(depth + 1)} ^ {self.value(depth + 1)})"]
        return f"({self.pick(forms)()})"

    def guarded(self):
        """An index that is a constant where all turns are written out."""
        counter = self.pick(self.counters[::-1] or ["i"])
        return f"x[{counter}] & 1023 if 0 <= {counter} < n else {self.below(9)}"

    def index(self):
        return self.pick((self.pick(self.counters[::-1] or ["i"]), "s", f"({self.below(9)})", "at"))

    def question(self):
        return f"{self.value()} % {2 + self.below(4)} {self.pick(('==', '!=', '<', '>'))} {self.below(3)}"

    def statements(self):
        for _ in range(1 + self.below(3)):
            self.statement()

    def statement(self):
        self.said += 1
        forms = [self.change]
        if self.said <= MOST_STATEMENTS:
            forms += [self.branch, *((self.loop, self.loop, self.wait) if len(self.counters) < MOST_LOOPS else ()), *((self.leave,) if self.counters else ())]
        self.pick(forms)()

    def change(self):
        self.say(self.pick((f"s = (s * 3 + {self.value()}) & 65535", f"v[{self.value()} & {self.size - 1}] = {self.value()} & 1023",
                            f"v[{self.index()} % {self.size}] += 1", f"at += {1 + self.below(4)}", "y[i] += s & 15")))

    def branch(self):
        with self.suite(f"if {self.question()}:"):
            self.statements()
        if self.chance(3):
            with self.suite("else:"):
                self.statements()

    def leave(self):
        with self.suite(f"if {self.question()}:"):
            self.say(self.pick(EXITS))

    def loop(self):
        self.count += 1
        counter, over = f"k{self.count}", self.pick((KNOWN, KNOWN, UNKNOWN))
        values = self.pick(over)
        turns = len(eval(values, {"r": 4, "i": 3}))
        if self.turns * turns > MOST_TURNS:
            return self.change()
        cursor = self.chance(2)
        if cursor:
            self.say(f"q{counter} = {self.pick(('0', '0', 'at', '8'))}")
        self.turns *= turns
        with self.suite(f"for {counter} in {values}:"):
            self.counters += [counter, *([f"q{counter}"] if cursor else [])]
            self.statements()
            if cursor:
                self.say(f"s = (s + x[q{counter} % n]) & 65535")
                self.say(f"q{counter} += {self.pick(('1', '4', '5', '-1'))}")
            del self.counters[-2 if cursor else -1:]
        self.turns //= turns

    def wait(self):
        """A `while` of few turns."""
        self.count += 1
        name, most = f"f{self.count}", 2 + self.below(5)
        if self.turns * most > MOST_TURNS:
            return self.change()
        test = self.pick(TESTS)
        self.say(f"{name} = 0")
        self.turns *= most
        with self.suite(f"while {test.format(f=name, c=most, t=self.question())}:"):
            if ":=" not in test:
                self.say(f"{name} += 1")
            self.counters.append(name)
            self.statements()
            self.counters.pop()
        self.turns //= most

    def kernel(self):
        self.indent, self.size = 1, self.pick((4, 8, 16, 32))
        self.say("i = device.tid(1)")
        self.say("if i >= n:")
        self.say("    return")
        self.say(f"v = device.local_array({self.size}, device.int32)")
        self.say(f"for e in range({self.size}):")
        self.say("    v[e] = e + i")
        self.say("s, at = x[i] & 255, 0")
        for _ in range(1 + self.below(2)):
            self.pick((self.loop, self.wait))()
            self.change()
        self.say(f"for e in range({self.size}):")
        self.say("    s = (s * 5 + v[e]) & 65535")
        self.say("z[i] = s + at")
        source = "def program(x, y, z, n, r, p):\n" + "\n".join(self.lines) + "\n"
        arrays = [stencils.Array(name, "int32", ("i",), role) for name, role in (("x", "input"), ("y", "own"), ("z", "own"))]
        return stencils.Kernel(source, arrays, ("n", "r", "p"), ("i",))

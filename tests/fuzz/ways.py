"""Random kernels that are all ways: nested loops that threads leave, go on in and return from by several exits, each with values of its own.

What is asked on a way differs from lane to lane, or from turn to turn and not between lanes, or not at all; so lanes meet behind exits that each of
them took in another turn. Stores stand on the ways, as of a way without any a choice of values would be made. As in programs.py, `Maker` takes its
decisions from `below(n)`, of which 0 is the simplest; compare_stencils.py runs what it makes.
"""

import drawing
import stencils

LANES = ("x[i] == {k}", "x[i] <= {k}", "x[i] > {k}", "x[i] % 3 == {c}", "i % 5 == {c}", "x[i] + {v} > 4")  # differ from lane to lane
TURNS = ("{k} % 2 == {c}", "{k} % 3 == {c}", "{k} == r", "{k} > {c}")                                      # from turn to turn
ALL = ("r > {c}", "p % 3 == {c}")                                                                          # not at all
COUNTS = ("4", "r + 2", "7", "x[i] % 6", "p % 9", "i % 4 + 1", "12")
LOOPS = ("for", "while", "while True", "down")
EXITS = ("break", "continue", "return")
MOST_LOOPS, MOST_STATEMENTS = 3, 24


class Maker(drawing.Drawing):
    """One kernel."""

    def __init__(self, below):
        super().__init__(below)
        self.counters, self.said = [], 0

    def variable(self):
        return self.pick(("v", "w", "u"))

    def condition(self):
        forms = self.pick((LANES, LANES, TURNS, ALL) if self.counters else (LANES, LANES, ALL))
        return self.pick(forms).format(k=self.counter(), c=self.below(4), v=self.variable())

    def counter(self):
        return self.pick(self.counters[::-1]) if self.counters else str(self.below(5))

    def change(self):
        """Something that a way does: a value, and often a store beside it."""
        name = self.variable()
        self.say(self.pick((f"{name} = {self.below(9)}", f"{name} += {1 + self.below(5)}", f"{name} = {self.counter()}",
                            f"{name} = {self.variable()}", f"{name} = x[i]")))
        if self.chance(2):
            self.say(self.pick((f"y[i] += {1 + self.below(9)}", f"z[i] = {self.variable()}", f"y[i] = {self.below(9)}")))

    def statements(self):
        for _ in range(1 + self.below(3)):
            self.statement()

    def statement(self):
        self.said += 1
        if self.said > MOST_STATEMENTS:
            return self.change()
        loop = (self.loop,) if len(self.counters) < MOST_LOOPS else ()
        self.pick((self.change, self.branch, self.leave if self.counters else self.branch, *loop))()

    def branch(self):
        with self.suite(f"if {self.condition()}:"):
            self.statements()
        if self.chance(3):
            with self.suite(f"elif {self.condition()}:"):
                self.statements()
        if self.chance(2):
            with self.suite("else:"):
                self.statements()

    def leave(self):
        """By one exit, or by one of several whose choice may be the same for all lanes of a turn."""
        with self.suite(f"if {self.condition()}:"):
            for _ in range(self.below(3)):
                with self.suite(f"if {self.condition()}:"):
                    self.exit()
            if self.chance(2):
                self.exit()
            else:
                self.change()

    def exit(self):
        self.change()
        way = self.pick(EXITS)
        if way == "return":
            self.say("z[i] = v + w * 16 + u")
        self.say(way)

    def loop(self):
        self.count += 1
        counter, way = f"k{self.count}", self.pick(LOOPS)
        if way == "for":
            self.body(f"for {counter} in range({self.pick(COUNTS)}):", counter)
        elif way == "down":
            self.body(f"for {counter} in range({self.pick(COUNTS)}, -1, -1):", counter)
        else:
            self.say(f"{counter} = 0")
            test = "True" if way == "while True" else f"{counter} < {self.pick(COUNTS)}"
            self.body(f"while {test}:", counter, turn=True)

    def body(self, head, counter, turn=False):
        with self.suite(head):
            if turn:
                self.say(f"{counter} += 1")
                self.say(f"if {counter} > 9:")
                self.say("    break")
            self.counters.append(counter)
            self.statements()
            self.counters.pop()
        if self.chance(4):
            with self.suite("else:"):
                self.change()

    def kernel(self):
        self.indent = 1
        self.say("i = device.tid(1)")
        self.say("if i >= n:")
        self.say("    return")
        self.say("v, w, u = 0, 1, x[i]")
        for _ in range(1 + self.below(2)):
            self.loop()
            self.change()
        self.say("z[i] += v + w * 16 + u * 256")
        source = "def program(x, y, z, n, r, p):\n" + "\n".join(self.lines) + "\n"
        arrays = [stencils.Array(name, "int32", ("i",), role) for name, role in (("x", "input"), ("y", "own"), ("z", "own"))]
        return stencils.Kernel(source, arrays, ("n", "r", "p"), ("i",))

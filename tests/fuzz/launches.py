"""Random kernels as most are written: each thread, or each turn of a loop that threads share out, has a place of its own in the arrays that
it writes to, and reads where it likes in those that nobody writes to. Nobody waits for anybody.

As in programs.py, `Maker` takes its decisions from `below(n)`, of which 0 is the simplest. How threads come to their places is a Cover
(launch_covers.py); how the arrays lie in memory and what is launched, compare_launches.py draws.
"""

import contextlib
import dataclasses

from block_atomics import OF_FLOATS, OPERATIONS
from block_values import FLOATS, INTEGERS, NUMBERS, Values, spelled
from launch_covers import COVERS, EXTENTS

SLOTS = 16      # of a table, and of an array that threads put numbers together in
LOCAL = 4       # elements of a local array
SUMMED = ("int32", "int64", "uint32", "uint64", "float32", "float64", "int8", "uint16")
MOST_TURNS = 5  # of a loop inside


@dataclasses.dataclass
class Array:
    name: str
    kind: str
    shape: tuple   # names of extents, "2*n", and numbers
    role: str      # "input": only read; "near": read at a thread's own place; "output"; "ends": written behind a loop; "places": indices into others; "sums"


@dataclasses.dataclass
class Kernel:
    source: str
    arrays: list       # of Array, in the order of the parameters; after them come the extents
    extents: tuple     # their names
    cover: object
    repeatable: bool   # a place may be written to twice: what is written depends on nothing that is


class Maker(Values):
    def __init__(self, below):
        self.below = below
        self.count_of_names = self.indent = self.loops = 0
        self.lines, self.arrays = [], []
        self.names, self.uniform, self.constant = {}, [], set()
        self.local = ""

    def fresh(self, letter="v"):
        self.count_of_names += 1
        return f"{letter}{self.count_of_names}"

    def say(self, text):
        self.lines.append("    " * self.indent + text)

    @contextlib.contextmanager
    def suite(self, head):
        """A block of statements; names made inside are forgotten."""
        names = dict(self.names)
        self.say(head)
        self.indent += 1
        first = len(self.lines)
        yield
        if len(self.lines) == first:
            self.say("pass")
        self.indent -= 1
        self.names = names

    # ---- arrays

    def choose_arrays(self):
        kinds = [self.pick(NUMBERS) for _ in range(self.pick((1, 1, 2, 3)))]
        domain, n = self.cover.domain, self.cover.domain[0]
        shapes = {"input": (domain, domain, (SLOTS,), (domain[-1],), (f"2*{n}",), (n,)), "near": (domain,), "output": (domain,)}
        wanted = ["output", *(self.pick(("input", "near", "input", "output")) for _ in range(self.below(4)))]
        for k, role in enumerate(wanted):
            self.arrays.append(Array(f"a{k}", self.pick(kinds), self.pick(shapes[role]), role))
        if any(array.shape == (n,) and array.role == "input" for array in self.arrays) and self.chance(2):
            self.arrays.append(Array("places", self.pick(("int32", "int64", "uint32", "uint8")), domain, "places"))
        if self.cover.alone and self.chance(2):
            extents = dict(zip(self.cover.coordinates, domain))
            self.arrays.append(Array("ends", self.pick(kinds), tuple(extents[name] for name in self.cover.alone), "ends"))
        for k in range(self.below(3)):
            kind = self.pick(SUMMED)
            self.arrays.append(Array(f"sums{k}", kind, (self.pick((SLOTS, SLOTS, 1)),), "sums"))
        self.operations = {array.name: self.pick(OF_FLOATS if array.kind.startswith("float") else OPERATIONS)
                           for array in self.arrays if array.role == "sums"}

    def having(self, *roles, kind=None):
        return [array for array in self.arrays if array.role in roles and kind in (None, array.kind)]

    def own(self, array):
        return f"{array.name}[{', '.join(self.cover.coordinates)}]"

    def signed(self, coordinate):
        return coordinate if coordinate in self.cover.plain else f"int({coordinate})"

    def near_place(self, coordinate, extent):
        """An index from 0 to extent - 1, or from the end, that is near the thread's own, or as far as it can be."""
        here, which = self.signed(coordinate), self.below(8)
        step = 1 + self.below(3)
        return (coordinate, coordinate, f"min({here} + {step}, {extent} - 1)", f"max({here} - {step}, 0)", f"({here} + {step}) % {extent}",
                f"{extent} - 1 - {here}", f"-1 - {here}", f"{here} // {step}")[which]

    def readable(self, kind):
        """What has elements of that type that a thread may read now."""
        return self.having("input", "near", kind=kind) + ([] if self.repeatable else self.having("output", kind=kind))

    def element(self, kind, depth):
        """Of an array, or of the local one."""
        found = self.readable(kind)
        if self.local == kind and (not found or self.chance(3)):
            return f"local[{self.slot(LOCAL, depth)}]"
        return self.read(self.pick(found), depth) if found else self.leaf(kind)

    def read(self, array, depth):
        return self.anywhere(array, depth) if array.role == "input" else self.own(array)

    def anywhere(self, array, depth):
        domain, coordinates = self.cover.domain, self.cover.coordinates
        if array.shape == (SLOTS,):
            return f"{array.name}[{self.slot(SLOTS, depth)}]"
        if array.shape == domain:
            index = ", ".join(map(self.near_place, coordinates, domain))
        elif array.shape == (domain[-1],):
            index = self.near_place(coordinates[-1], domain[-1])
        elif array.shape == (domain[0],):
            index = self.near_place(coordinates[0], domain[0])
        else:
            index = f"2 * {self.signed(coordinates[0])}{self.pick(('', ' + 1'))}"
        if array.shape == (domain[0],) and self.having("places") and self.chance(2):
            index = self.own(self.having("places")[0])
        if array.shape == (domain[0],) and self.chance(5):
            here = self.signed(coordinates[0])
            return f"({array.name}[{here} - 1] if {here} > 0 else {self.leaf(array.kind)})"
        return f"{array.name}[{index}]"

    def slot(self, size, depth):
        """An index of a table of so many elements, a power of two."""
        which = self.below(4)
        inner = self.expression(self.pick(INTEGERS), depth) if which > 1 else self.signed(self.pick(self.cover.coordinates))
        return str(self.below(size)) if which == 0 else f"device.int32({inner}) & {size - 1}"

    # ---- values

    def leaf(self, kind):
        found = self.named(kind)
        if found and not self.chance(3):
            return self.pick(found)
        if self.readable(kind) and not self.chance(3):
            return self.read(self.pick(self.readable(kind)), 0)
        if self.readable(None) and self.chance(3):
            return self.cast(kind, self.read(self.pick(self.readable(None)), 0))
        places = () if self.repeatable else ("device.thread_idx.x", "device.block_idx.x", "device.lane_id") if self.chance(6) else ()
        return self.cast(kind, self.pick((str(self.below(10)), *self.cover.coordinates, *self.cover.domain, str(self.below(100)), *places)))

    def whole(self, kind):
        """A small whole number, which floats add without an error in any order."""
        which = self.below(3)
        if which == 0:
            return self.cast(kind, str(self.below(5)))
        return self.cast(kind, f"device.int32({self.pick(self.cover.coordinates) if which == 1 else self.expression(self.pick(INTEGERS), 1)}) % 7")

    # ---- statements

    def statement(self):
        self.budget -= 1
        makers = [self.store, self.store, self.let, self.let, self.sum_up, self.sum_up, self.branch, self.loop, self.assign, self.keep]
        self.pick(makers[:4] if self.budget < 0 else makers)()

    def store(self):
        array = self.pick(self.having("output"))
        value = self.expression(array.kind)
        if self.repeatable or not self.chance(4):
            return self.say(f"{self.own(array)} = {value}")
        self.say(f"{self.own(array)} {self.pick(('+', '-', '*'))}= {value}")

    def let(self):
        kind = self.pick([array.kind for array in self.arrays] + ["int32", "bool"])
        name = self.fresh()
        self.say(f"{name} = {self.expression(kind)}")
        self.names[name] = kind

    def assign(self):
        found = [name for name in self.names if name not in self.constant]
        if not found:
            return self.let()
        name = self.pick(found)
        self.say(f"{name} = {self.expression(self.names[name])}")

    def sum_up(self):
        """An atomic operation of which nobody asks what was there before."""
        found = self.having("sums")
        if not found:
            return self.store()
        array = self.pick(found)
        place = "0" if array.shape == (1,) else self.slot(SLOTS, 1)
        value = self.whole(array.kind) if array.kind in FLOATS else self.expression(array.kind, 1)
        self.say(f"device.atomic.{self.operations[array.name]}({array.name}, {place}, {value})")

    def branch(self):
        with self.suite(f"if {self.condition()}:"):
            self.some()
            if self.chance(6) and self.cover.leave:
                self.say(self.cover.leave if not self.loops else self.pick(("continue", "break")))
        if self.chance(3):
            with self.suite("else:"):
                self.some()

    def condition(self):
        which = self.below(4)
        if which == 0:
            return f"{self.signed(self.pick(self.cover.coordinates))} {self.pick(('<', '>', '==', '!=', '>='))} {self.below(20)}"
        if which == 1:
            return f"{self.pick(self.cover.domain)} % {2 + self.below(3)} == {self.below(2)}"
        return self.expression("bool", 1 + self.below(2))

    def loop(self):
        """As many turns for all, or each thread its own number; mostly a sum is carried round."""
        if self.loops == 2:
            return self.let()
        kind = self.pick([array.kind for array in self.arrays])
        total, counter = self.fresh("s"), self.fresh("k")
        self.say(f"{total} = device.{kind}({self.below(2)})")
        turns = self.pick((str(self.below(MOST_TURNS + 1)), f"{self.cover.domain[-1]} % {MOST_TURNS}",
                           f"device.int32({self.expression('int32', 1)}) % {MOST_TURNS}"))
        by_hand = self.chance(3)
        if by_hand:
            self.say(f"{counter} = 0")
        self.loops += 1
        with self.suite(f"while {counter} < {turns}:" if by_hand else f"for {counter} in range({turns}):"):
            if by_hand:  # first, as a turn may be left early
                self.say(f"{counter} += 1")
            self.names |= {total: kind, counter: "int32"}
            self.constant.add(counter)
            if self.chance(2):
                self.some(2)
            self.say(f"{total} = {self.summed(total, kind)}")
            if self.chance(4):
                self.say(f"if {self.condition()}:")
                self.say(f"    {self.pick(('break', 'continue'))}")
        self.loops -= 1
        self.names[total] = kind

    def keep(self):
        """In an array of the thread's own."""
        if not self.local:
            return self.let()
        self.say(f"local[{self.slot(LOCAL, 1)}] = {self.expression(self.local, 1)}")

    def some(self, most=3):
        for _ in range(1 + self.below(most)):
            self.statement()

    # ---- the kernel

    def kernel(self):
        self.cover = self.pick(COVERS)(self)
        self.repeatable = not self.below(4)
        self.choose_arrays()
        self.budget = 2 + self.below(8)
        if self.chance(4):
            self.local = self.pick(self.arrays).kind
        with self.suite(f"def program({', '.join([*(array.name for array in self.arrays), *EXTENTS[len(self.cover.domain)]])}):"):
            if self.local:
                self.say(f"local = device.local_array({LOCAL}, {spelled(self.local)})")
                place = self.fresh("q")
                self.say(f"for {place} in range({LOCAL}):")
                self.say(f"    local[{place}] = {self.cast(self.local, place)}")
            with contextlib.ExitStack() as stack:
                for line in self.cover.lines[:-1]:
                    self.open(line, stack)
                self.innermost()
        return Kernel("\n".join(self.lines) + "\n", self.arrays, EXTENTS[len(self.cover.domain)], self.cover, self.repeatable)

    def innermost(self):
        """Where a thread is at a place of its own; maybe a number is carried from place to place, and written at the end."""
        carried = self.having("ends")
        if carried:
            total, kind = self.fresh("s"), carried[0].kind
            self.say(f"{total} = device.{kind}({self.below(2)})")
            self.names[total] = kind
        with contextlib.ExitStack() as stack:
            self.open(self.cover.lines[-1], stack)
            self.some(4)
            if carried:
                self.say(f"{total} = {self.summed(total, kind)}")
            self.store()
        if carried:
            self.say(f"{carried[0].name}[{', '.join(self.cover.alone)}] = {total}")

    def summed(self, total, kind):
        operator = self.pick("+-" if kind in FLOATS else "+-^")
        return self.pick((self.cast(kind, f"{total} {operator} {self.expression(kind, 1)}"), f"max({total}, {self.expression(kind, 1)})"))

    def open(self, line, stack):
        """A line of the cover: a suite is open from then on."""
        if line.endswith(":"):
            stack.enter_context(self.suite(line))
        else:
            self.say(line)

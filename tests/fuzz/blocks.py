"""Random kernels whose threads work together: barriers in branches and loops, shared memory, shuffles, votes, atomics, locks.

As in programs.py, `Maker` takes its decisions from `below(n)`, of which 0 is the simplest. What is made is for warps of one size, has no
race and one result, in whatever order threads run. Each thread of a launch writes its variables, number by number, to the arrays r0, r1, …
"""

import contextlib
import dataclasses

from block_atomics import COUNTED, OF_FLOATS, OPERATIONS, SLOTS, TICKET, AtomicStatements
from block_barriers import BarrierStatements
from block_calls import CallStatements
from block_loops import LoopStatements
from block_values import AGGREGATES, DECLARATIONS, NUMBERS, Values, leaves, size_of, spelled
from block_votes import VoteStatements
from block_warps import WarpStatements

MOST_THREADS = 128  # of a block: elements of a shared array
BLOCKS = (64, 37, (8, 8), (5, 3, 2), (33, 2), 100, 1, (3, 11), 32, (16, 1, 3), 128, (2, 2, 7), 4, (2, 5), 8, 15,
          (1, 7, 2), (3, 2, 2))  # beside all others of up to three axes
MOST_ALONG_Z = 64
ELEMENTS = 5 * MOST_THREADS  # of an input: as many rows as a loop may take turns
GRIDS = (1, 3, (2, 2), 7)
OUTPUTS = 8


@dataclasses.dataclass
class Kernel:
    source: str
    inputs: list       # types of x0, x1, …: ELEMENTS each
    outputs: list      # types of r0, r1, …: an element per thread
    grid: object
    block: object
    shared: int        # bytes of dynamic shared memory
    cooperative: bool
    n: int             # an argument


class Maker(Values, BarrierStatements, WarpStatements, AtomicStatements, CallStatements, LoopStatements, VoteStatements):
    def __init__(self, below, warp=32):
        self.below, self.lanes = below, warp
        self.count_of_names = self.indent = self.depth = self.loops = 0
        self.lines, self.helpers, self.returned, self.inside = [], [], False, False
        self.names, self.uniform, self.constant, self.pending = {}, [], {"t"}, {}
        self.shared, self.in_two_dimensions, self.local, self.counters, self.inputs = {}, set(), {}, {}, {}

    def fresh(self, letter="v"):
        self.count_of_names += 1
        return f"{letter}{self.count_of_names}"

    def say(self, text):
        self.lines.append("    " * self.indent + text)

    def statement(self):
        self.budget -= 1
        if self.budget < 0 and self.depth:
            return self.assign()
        if self.by_themselves:
            return self.pick((self.divergent, self.divergent, self.write_global))()
        makers = [self.assign, self.exchange, self.exchange, self.write_own, self.read_other, self.divergent, self.branch, self.loop,
                  self.divergent, self.branch, self.loop, self.sweep, self.vote, self.read_counter, self.helper, self.from_warp_to_block, self.leave_kernel,
                  self.block_loop, self.gather, self.tree, self.rows, self.rows]
        makers += [self.queue_up, self.hand_on] if self.with_queue else []
        makers += [self.warp, self.warp, self.warp, self.warp, self.warp_loop] if self.with_warps else []
        makers += [self.wait] if self.may_wait else []
        makers += [self.call] * 3 if any(self.calls.values()) else []
        makers += [self.whole_grid] if self.cooperative else []
        self.pick(makers)()

    def whole_grid(self):
        """Through global memory, to any thread of the grid; maybe in a loop that all of them run as often."""
        if self.inside or self.depth:
            return self.exchange()
        self.settle()
        turns = self.pick(("", "", "range(2)", "range(n % 4)"))
        if turns:
            self.say(f"for {self.fresh('k')} in {turns}:")
        with self.nested() if turns else contextlib.nullcontext():
            self.say(f"mail[g] = {self.expression('int32')}")
            self.say("device.syncgrid()")
            self.take("int32", f"mail[{self.place('len(mail)')}]" if self.chance(2) else f"mail[(g + {self.below(200)}) % len(mail)]")
            self.say("device.syncgrid()")

    def result(self, name):
        """Where a thread writes it; the arrays are named when all are known."""
        return f"<{name}>[g]"

    # ---- functions with barriers

    def function_of(self, kind):
        """A function of a value and a number of turns, made in a scope of its own; gives its name."""
        outer = (self.lines, self.names, self.uniform, self.constant, self.pending, self.shared, self.local, self.indent, self.depth, self.loops,
                 self.in_two_dimensions, self.inputs, self.returned)
        name = f"f{len(self.helpers)}"
        tile = f"{name}_tile"
        self.lines, self.names, self.uniform, self.constant = [], {"value": kind, "t": "int32"}, ["n", "turns"], {"t"}
        self.pending, self.shared, self.local, self.inputs = {}, {tile: kind}, {"own": self.pick(NUMBERS)}, {}
        self.indent, self.depth, self.loops, self.inside, self.in_two_dimensions = 1, 0, 1, True, set()
        self.say(f"{tile} = device.shared_array({MOST_THREADS}, {spelled(kind)})")
        self.make_local()
        self.make_lanes()
        self.say(f"{tile}[t] = value")
        self.pending = {tile: {"written"}}
        for _ in range(1 + self.below(2)):
            self.statement()
        if not self.chance(3):
            self.settle()
            self.say("for turn in range(turns):")
            with self.nested():
                self.exchange()
                self.settle()
        self.settle()
        if self.chance(3):
            self.say(f"if {self.same_for_all()}:")
            self.say(f"    return {self.leaf(kind)}")
        self.exchange()
        self.settle()
        self.say(f"return {self.expression(kind, 1) if self.chance(2) else 'value'}")
        body = self.lines
        (self.lines, self.names, self.uniform, self.constant, self.pending, self.shared, self.local, self.indent, self.depth, self.loops,
         self.in_two_dimensions, self.inputs, self.returned) = outer
        self.inside = False
        self.helpers.append("\n".join([f"def {name}(value, turns, t, size, n):", *body, "", "", ""]))
        return name

    # ---- the kernel

    def block(self):
        if not self.chance(2):
            return self.pick(BLOCKS)
        sides, left = [], MOST_THREADS
        for _ in range(1 + self.below(3)):
            sides.append(1 + self.below(left))
            left //= sides[-1]
        first = self.below(len(sides))
        x, *others = sides[first:] + sides[:first]
        if len(others) == 2:
            others[1] = min(others[1], MOST_ALONG_Z)
        return (x, *others) if others else x

    def make_geometry(self):
        self.say("w, h = device.int32(device.block_dim.x), device.int32(device.block_dim.y)")
        x = self.pick(("device.thread_idx.x", "(device.thread_idx.x ^ device.block_dim.z ^ device.block_dim.z)"))  # of rows; of blocks as they are
        self.say(f"t = device.int32({x}) + w * (device.int32(device.thread_idx.y) + h * device.int32(device.thread_idx.z))")
        self.say("size = w * h * device.int32(device.block_dim.z)")
        self.say("g = (device.int32(device.block_idx.x) + device.int32(device.grid_dim.x * device.block_idx.y)) * size + t")
        self.make_lanes()

    def make_lanes(self):
        if self.with_warps:
            warp = self.lanes
            self.say(f"lane = t % {warp}")
            self.say(f"live = min({warp}, size - t // {warp} * {warp})")
            self.say(f"present = -1 if live == {warp} else (device.int{warp}(1) << live) - 1")
        self.say("total = 0")

    def initial(self, kind):
        if kind in AGGREGATES:
            return self.made(kind, self.initial)
        return self.cast(kind, "t")

    def make_shared(self):
        """Arrays of an element per thread: of one axis or two, either order; one of them may be the launch's."""
        dynamic = 0
        for k in range(1 + self.below(3)):
            kind, array = self.kind(), f"s{k}"
            self.shared[array] = kind
            if k == 1 and self.chance(3):
                dynamic = MOST_THREADS * size_of(kind)
                self.say(f"{array} = device.dynamic_shared_array({spelled(kind)})")
            else:
                shape = str(MOST_THREADS)
                if self.chance(3):
                    self.in_two_dimensions.add(array)
                    shape = f"({MOST_THREADS // 8}, 8)"
                extra = self.pick(("", "", ", align=64", ", order='F'"))
                self.say(f"{array} = device.shared_array({shape}, {spelled(kind)}{extra})")
            self.say(f"{array}[{self.slot(array)}] = {self.initial(kind)}")
        return dynamic

    def make_local(self):
        for array, kind in self.local.items():
            self.say(f"{array} = device.local_array(4, {spelled(kind)})")
            place = self.fresh("q")
            self.say(f"for {place} in range(4):")
            self.say(f"    {array}[{place}] = {self.initial(kind)}")

    def make_counters(self):
        for k in range(1 + self.below(2)):
            kind, name = self.pick(COUNTED), f"counts{k}"
            self.counters[name] = kind, self.pick(OF_FLOATS if kind.startswith("float") else OPERATIONS)
            self.say(f"{name} = device.shared_array({SLOTS}, {spelled(kind)})")
            self.each_slot(name, SLOTS)
        if self.with_queue or self.may_wait:
            self.say("tickets = device.shared_array(2, device.int32)")
            self.say(f"queue = device.shared_array({MOST_THREADS}, device.int32)")
        if self.may_wait:
            self.say("locks = device.shared_array(1, Ticket)")
            self.say("if t == 0:")
            self.say("    locks[0].line.store(0)")
            self.say("    locks[0].current.store(0)")

    def each_slot(self, name, slots):
        place = self.fresh("q")
        self.say(f"for {place} in range(t, {slots}, size):")
        self.say(f"    {name}[{place}] = 1")

    def choose(self):
        self.by_themselves = self.chance(4)
        self.with_warps, self.with_queue = (not self.by_themselves and self.chance(one_in) for one_in in (3, 4))
        self.choose_calls()
        self.may_wait, self.cooperative = (not self.by_themselves and self.chance(one_in) for one_in in (6, 8))
        self.may_return = not self.cooperative and self.chance(3)
        self.budget = 2 + self.below(10)
        self.inputs = {f"x{k}": self.pick(NUMBERS) for k in range(self.below(3))}
        self.local = {f"l{k}": self.kind() for k in range(1 + self.below(2))}

    def kernel(self):
        self.choose()
        self.indent = 1
        self.make_geometry()
        dynamic = 0 if self.by_themselves else self.make_shared()
        self.make_local()
        if not self.by_themselves:
            self.make_counters()
            self.make_called()
            self.barrier()
        self.names = {"t": "int32", "a": "int32", "b": "float32", "c": "bool"}
        self.uniform = ["n"]
        self.say("a, b, c = t, device.float32(t), t % 3 == 1")
        for _ in range(1 + self.below(3)):
            kind = self.kind()
            self.take(kind, self.expression(kind))
        for _ in range(2 + self.below(5)):
            self.statement()
        return self.finished(dynamic)

    def finished(self, dynamic):
        parts = [("total", "int32")] + [(name + path, kind) for name, has in self.names.items() if name != "t" for path, kind in leaves(has)]
        parts = parts[:OUTPUTS]
        for part, _ in parts:
            self.say(f"{self.result(part)} = {part}")
        body = "\n".join(self.lines) + "\n"
        for k, (part, _) in enumerate(parts):
            body = body.replace(f"<{part}>[g]", f"r{k}[g]")
        parameters = ["n", "mail", *self.inputs, *(f"r{k}" for k in range(len(parts)))]
        source = "".join([DECLARATIONS, TICKET if self.may_wait else "", self.declarations_of_calls(), *self.helpers, f"def program({', '.join(parameters)}):\n{body}"])
        block = self.block()
        return Kernel(source, list(self.inputs.values()), [kind for _, kind in parts], self.pick(GRIDS), block, dynamic, self.cooperative,
                      self.below(6))

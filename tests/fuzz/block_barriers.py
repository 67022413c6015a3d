"""Statements with barriers in kernels whose threads work together (blocks.py).

No program has a race: a shared array is read where no element was written since the last barrier, and written, each thread its own
element, where none was read. `self.pending` says for each array which of the two has happened since the last barrier; a barrier is put
before what would be a race. Threads of a block come to a barrier together or, after a `return`, not at all.
"""

import contextlib

from block_values import INTEGERS

READ, WRITTEN = "read", "written"
X = "device.int32(device.thread_idx.x)"


class BarrierStatements:
    # ---- barriers

    def barrier(self):
        self.say("device.syncthreads()")
        self.pending = {}

    def before(self, array, act):
        """A barrier, if an act on the array would race with what was done to it."""
        if self.pending.get(array, set()) - {act}:
            self.barrier()
        self.pending.setdefault(array, set()).add(act)

    def settle(self):
        if self.pending:
            self.barrier()

    def slot(self, array, place="t"):
        return place if array not in self.in_two_dimensions else f"({place}) // 8, ({place}) % 8"

    # ---- shared memory

    def write_own(self):
        array, kind = self.pick(self.shared.items())
        self.before(array, WRITTEN)
        self.say(f"{array}[{self.slot(array)}] = {self.expression(kind)}")

    def read_other(self):
        array, kind = self.pick(self.shared.items())
        self.before(array, READ)
        self.take(kind, f"{array}[{self.slot(array, self.place('size'))}]")

    def exchange(self):
        """Written, waited, read: what most kernels do."""
        array, kind = self.pick(self.shared.items())
        self.before(array, WRITTEN)
        self.say(f"{array}[{self.slot(array)}] = {self.expression(kind)}")
        if self.chance(4):
            self.divergent(1)
        self.before(array, READ)
        self.take(kind, f"{array}[{self.slot(array, self.place('size'))}]")

    def tree(self):
        """Steps in which the first threads of each row take in what others have, fewer each time: the rest have nothing to do."""
        arrays = [each for each in self.shared.items() if each[1] in INTEGERS]
        if not arrays:
            return self.exchange()
        array, kind = self.pick(arrays)
        self.settle()
        of, x, end = self.pick((("uint32", "device.thread_idx.x", "device.block_dim.x"), ("int32", X, "device.int32(device.block_dim.x)")))
        step, operator = self.fresh("k"), self.pick("+-^")
        self.say(f"{step} = device.{of}({self.pick((64, 32, 3))})")
        self.say(f"while {step} > 0:")
        with self.nested():
            first = self.pick((f"{x} < {step}", f"{step} > {x}", f"not {x} >= {step}", f"{x} <= {step} - 1"))
            self.say(f"if {first} and {x} + {step} < {end}:")
            own, other = f"{array}[{self.slot(array)}]", f"{array}[{self.slot(array, f't + device.int32({step})')}]"
            self.say(f"    {own} = {self.cast(kind, f'{own} {operator} {other}')}")
            self.barrier()
            self.say(f"{step} //= 2")

    def take(self, kind, value):
        """A value goes into a variable of its type."""
        found = self.variables([kind])
        if not found or self.depth == 0 and self.chance(3):
            name = self.fresh()
            self.say(f"{name} = {value}")
            if self.depth == 0:
                self.names[name] = kind
            else:
                self.absorb(name, kind)
        elif kind in INTEGERS and self.chance(2):
            name = self.pick(found)
            self.say(f"{name} = device.{kind}({name} * 3 + {value})")
        else:
            self.say(f"{self.pick(found)} = {value}")

    def absorb(self, name, kind):
        """A name that ends with its block leaves a trace."""
        if kind in INTEGERS:
            self.say(f"total = total * 5 + device.int32({name})")
        elif kind == "bool":
            self.say(f"total = total * 3 + (1 if {name} else 0)")

    def from_warp_to_block(self):
        """A number that is the same for all from now on: an element that one thread has written."""
        found = [(array, kind) for array, kind in self.shared.items() if kind in INTEGERS]
        if not found or self.depth or self.returned:
            return self.exchange()
        array, kind = self.pick(found)
        self.before(array, READ)
        name = self.fresh("u")
        self.say(f"{name} = device.int32({array}[{self.slot(array, str(self.below(4)) + ' % size')}] % 5)")
        self.uniform.append(name)

    # ---- votes of the block

    def vote(self):
        which = self.pick(("count", "or", "and"))
        call = f"device.syncthreads_{which}({self.expression('bool')})"
        self.pending = {}
        if which == "count" and self.depth == 0 and self.chance(2):
            name = self.fresh("u")
            self.say(f"{name} = {call}")
            self.uniform.append(name)
        elif which == "count" or self.chance(2):
            self.say(f"total = total * 3 + {call}")
        else:
            self.say(f"if {call}:")
            self.suite()

    # ---- control that is the same for all threads

    @contextlib.contextmanager
    def nested(self):
        """Names made inside are forgotten."""
        names, uniform = dict(self.names), list(self.uniform)
        self.indent += 1
        self.depth += 1
        yield
        self.depth -= 1
        self.indent -= 1
        self.names, self.uniform = names, uniform

    def suite(self, most=3):
        with self.nested():
            self.say("pass")
            for _ in range(1 + self.below(most)):
                self.statement()

    def branch(self):
        self.say(f"if {self.same_for_all()}:")
        before = {array: set(acts) for array, acts in self.pending.items()}
        self.suite()
        after, self.pending = self.pending, before
        if self.chance(2):
            self.say("else:")
            self.suite()
        for array, acts in after.items():
            self.pending.setdefault(array, set()).update(acts)

    def leave_together(self):
        """`break` or `continue` under a condition that is the same for all."""
        self.say(f"if {self.same_for_all()}:")
        with self.nested():
            if self.chance(2):
                self.statement()
            self.settle()
            self.say(self.pick(("break", "continue")))

    def turn_together(self, counter):
        """What all threads do in a turn of a loop that they are in together, and perhaps leave so."""
        self.uniform.append(counter)
        self.constant.add(counter)
        for _ in range(1 + self.below(2)):
            self.statement()
        if self.chance(3):
            self.settle()
            self.leave_together()
            self.settle()
            self.statement()

    def loop(self):
        if self.loops >= 2:
            return self.branch()
        self.settle()
        self.loops += 1
        counter = self.fresh("k")
        which = self.below(4)
        if which == 0:
            ranges = ("range(2)", "range(n % 3)", "range(3, 0, -1)", "range(1, 4)", "range(0)")
            self.say(f"for {counter} in {self.pick(ranges)}:")
        else:
            self.say(f"{counter} = {self.pick(('n % 3', '2', 'n % 2 + 1', '0'))}")
            self.say(f"while {counter} > 0:")
        with self.nested():
            if which:
                self.say(f"{counter} -= 1")
            self.turn_together(counter)
            self.settle()
        if which == 0 and self.chance(5):
            self.say("else:")
            self.suite(1)
        self.settle()
        self.loops -= 1

    def leave_kernel(self):
        """An early `return`: of all threads, or of some, which the others then do not wait for."""
        if self.depth or self.inside or not self.may_return:
            return self.exchange()
        if not self.chance(3):
            self.say(f"if {self.same_for_all()}:")
        else:
            self.returned = True
            self.say(f"if {self.pick((f't % {2 + self.below(39)} == {self.below(6)}', self.expression('bool')))}:")
        self.say(f"    {self.result('total')} = total + 1000")
        self.say("    return")

    # ---- functions

    def helper(self):
        """A device function with barriers, called here, maybe twice; its shared memory is one for all its calls. Who has returned would
        not have written there."""
        if self.inside or self.returned or len(self.helpers) > 2:
            return self.exchange()
        kind = self.kind()
        made = self.function_of(kind)
        self.settle()
        found = self.variables([kind])
        for _ in range(1 + self.below(2)):
            call = f"{made}({self.expression(kind, 1)}, {self.pick(('2', 'n % 3', '1', '0'))}, t, size, n)"
            if found:
                self.say(f"{self.pick(found)} = {call}")
            else:
                self.take(kind, call)

    # ---- control of each thread's own, without barriers

    def divergent(self, depth=2):
        makers = [self.assign, self.part_ways, self.part_ways, self.own_loop, self.even_loop, self.rows, self.shared_out, self.window, self.own_array, self.count,
                  self.count]
        self.pick(makers if depth > 0 else makers[:1])(depth)

    def assign(self, depth=0):
        found = self.variables()
        if not found or self.depth == 0 and self.chance(3):
            kind = self.kind()
            return self.take(kind, self.expression(kind))
        name = self.pick(found)
        self.say(f"{name} = {self.expression(self.names[name])}")

    def part_ways(self, depth):
        self.say(f"if {self.expression('bool')}:")
        with self.nested():
            self.say("pass")
            for _ in range(1 + self.below(2)):
                self.divergent(depth - 1)
        if self.chance(2):
            self.say("else:")
            with self.nested():
                self.divergent(depth - 1)

    def own_loop(self, depth):
        counter = self.fresh("k")
        self.say(f"{counter} = 0")
        self.say(f"while {counter} < (t + {self.below(6)}) % {2 + self.below(4)}:")
        with self.nested():
            self.say(f"{counter} += 1")
            if self.chance(3):
                self.say(f"if {self.expression('bool')}:")
                self.say(f"    {self.pick(('break', 'continue'))}")
            self.divergent(depth - 1)

    def own_array(self, depth):
        array, kind = self.pick(self.local.items())
        place = self.pick(("1", f"(t + {self.below(4)}) % 4", f"device.int32({self.expression(self.pick(INTEGERS), 1)}) % 4"))
        found = self.variables([kind])
        if not found or self.chance(2):
            self.say(f"{array}[{place}] = {self.expression(kind)}")
        else:
            self.say(f"{self.pick(found)} = {array}[{place}]")

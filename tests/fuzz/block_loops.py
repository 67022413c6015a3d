"""Loops without barriers in kernels whose threads work together (blocks.py): all threads take the same turns and go different ways in
them; or they share out the turns, by the block, the grid or a warp."""

from block_barriers import WRITTEN, X

# First, step and end of loops that threads share out.
SHARES = (("t", "size", "40"), ("t", "size", "n * 9 + 3"), ("device.tid(1)", "device.grid_size(1)", "60"), (X, "device.int32(device.block_dim.x)", "50"),
          (f"{X} % 32", "32", "70"), (f"{X} & 15", "16", "40"), ("t", "size * 2 + n", "90"), (f"{X} // 32", "4", "9"),
          ("t", "size", "len(mail)"), ("device.tid(1)", "device.grid_size(1) + 40", "len(mail)"))


class LoopStatements:
    def even_loop(self, depth):
        """Every thread takes every turn."""
        turns = self.pick(("3", "n", "n % 3 + 1", "5"))
        if self.chance(2):
            return self.each(f"range({turns})", depth)
        self.counted("0", "1", turns, depth)

    def shared_out(self, depth):
        first, step, end = self.pick(self.known_here(SHARES, lambda share: share[2]))
        if not self.chance(3):
            return self.each(f"range({first}, {end}, {step})", depth)
        self.counted(first, step, end, depth)

    def known_here(self, options, text=str):
        """Without what a function of its own knows nothing of."""
        return [each for each in options if not self.inside or text(each) not in ("g", "len(mail)")]

    def each(self, turns, depth):
        counter = self.fresh("k")
        self.say(f"for {counter} in {turns}:")
        with self.nested():
            self.name_counter(counter)
            self.turn(depth, "continue")

    def counted(self, first, step, end, depth):
        """The same as a `while`, whose counter goes on at the end or wherever the turn ends."""
        counter = self.fresh("k")
        self.say(f"{counter} = device.int32({first})")
        self.say(f"while {counter} < {end}:")
        with self.nested():
            self.name_counter(counter)
            go_on = f"{counter} += device.int32({step})"
            self.turn(depth, f"{go_on}; continue")
            self.say(go_on)

    def window(self, depth):
        """What lies round a place of the thread's, as far as there is something."""
        counter, total = self.fresh("k"), self.fresh()
        place, end = (self.pick(self.known_here(each)) for each in (("t", "g", X, "t * 2", f"n * 9 - {X}"), ("n * 9", "40", "size", "len(mail)")))
        inside = self.pick((f"0 <= {place} + {counter} < {end}", f"{place} - {counter} >= 0", f"not {end} <= {place} + {counter}",
                            f"{place} + {counter} >= 1 and {place} < {end} - {counter}"))
        self.say(f"{total} = device.int32(0)")
        self.say(f"for {counter} in range(-{self.below(4)}, {self.pick(('n', '3', '9'))}):")
        with self.nested():
            self.name_counter(counter)
            self.say(f"if {inside}:")
            self.say(f"    {total} += device.int32({self.expression('int32', 1)})")
        self.names[total] = "int32"

    def rows(self, depth=0):
        """From an input, a row for each turn, of which every thread has a place of its own: where the turns go through memory, all warps of
        a block may take each together."""
        if not self.inputs:
            return self.even_loop(max(depth, 1))
        array, kind = self.pick(self.inputs.items())
        counter, total, turns = self.fresh("k"), self.fresh(), self.pick(("5", "n", "3", "n % 3 + 1"))
        by_hand = self.chance(3)
        self.say(f"{total} = {self.cast(kind, '0')}")
        if by_hand:
            self.say(f"{counter} = 0")
        self.say(f"while {counter} < {turns}:" if by_hand else f"for {counter} in range({turns}):")
        with self.nested():
            self.name_counter(counter)
            place = self.pick((f"{counter} * {self.pick(('size', '128'))} + t", f"(4 - {counter}) * size + t", f"t * 5 + {counter}", f"{counter} * size + size - 1 - t"))
            more = self.cast(kind, f"{total} {self.pick('+-')} {array}[{place}]")
            self.say(f"{total} = {more}" if not self.chance(3) else f"{total} = {more} if {self.comparison('bool', 1)} else {total}")
            if by_hand:
                self.say(f"{counter} += 1")
            if self.chance(6):
                self.say(f"if {self.comparison('bool', 1)}:")
                self.say("    break")
        self.take(kind, total)

    def name_counter(self, counter):
        self.names[counter] = "int32"
        self.constant.add(counter)

    def turn(self, depth, go_on):
        """What a turn does; mostly it ends in what some threads leave out."""
        which = self.below(7)
        if which > 2:
            self.divergent(depth - 1)
        if which == 0:
            self.say(f"if {self.expression('bool', 1)}:")
            self.say(f"    {go_on}")
            return self.divergent(depth - 1)
        if which == 1:
            self.say(f"if {self.expression('bool', 1)}:")
            self.say("    break")
        condition = f"{self.below(3)} <= {self.expression('int32', 1)} < {3 + self.below(5)}" if self.chance(2) else \
            f"{self.comparison('bool', 1)} and {self.comparison('bool', 1)}" if self.chance(2) else self.expression("bool", 1)
        self.say(f"if {condition}:")
        with self.nested():
            if self.chance(3):
                self.say(f"if {self.expression('bool', 1)}:")
                with self.nested():
                    self.divergent(depth - 1)
            else:
                self.divergent(depth - 1)

    def write_global(self):
        """Each element of a global array is one thread's of the launch."""
        step = self.fresh("k")
        self.say(f"{step} = size * device.int32(device.grid_dim.x * device.grid_dim.y)")
        counter = self.fresh("k")
        by_hand = self.chance(2)
        self.say(f"{counter} = g" if by_hand else f"for {counter} in range(g, len(mail), {step}):")
        if by_hand:
            self.say(f"while {counter} < len(mail):")
        with self.nested():
            self.name_counter(counter)
            before = self.pick((f"mail[{counter}] * 3", "n", f"{counter} % 7"))
            store = f"mail[{counter}] = device.int32({before} + {self.expression('int32', 1)})"
            self.say(f"if {self.expression('bool', 1)}:" if self.chance(2) else "if True:")
            self.say(f"    {store}")
            if self.chance(2):
                self.divergent(1)
            if by_hand:
                self.say(f"{counter} += {step}")

    def sweep(self):
        """Each element of a shared array, those beyond the block's threads too, is one thread's to write."""
        array, kind = self.pick(self.shared.items())
        self.before(array, WRITTEN)
        counter = self.fresh("k")
        self.say(f"for {counter} in range(t, 128, size):")
        with self.nested():
            self.name_counter(counter)
            if self.chance(2):
                self.say(f"if {self.expression('bool', 1)}:")
                self.say(f"    {array}[{self.slot(array, counter)}] = {self.expression(kind, 1)}")
            else:
                self.say(f"{array}[{self.slot(array, counter)}] = {self.expression(kind)}")

"""Loops over runs (of indices.py): they begin and end at numbers that come from memory, so that nobody knows of which sign their counters are; they ask for
another turn at the head, in the middle, or at the end; and some pass the largest number of their counter's type."""

import meaning

COUNTERS = ("int", "int32", "extent", "int64", "int32", "int", "int8", "int16", "uint32")
SHORT = ("int8", "int16", "int32", "int64")


class RunStatements:
    def run_loop(self, depth):
        if self.chance(5):
            return self.run_past_the_largest(depth)
        array, axis = self.an_axis()
        kind = self.pick(COUNTERS)
        first, last = self.run_ends(kind, self.extent(array, axis))
        if kind in ("int", "extent") and self.chance(2):
            return self.run_in_range(depth, kind, array, axis, first, last)
        counter, falls = self.run_counter(kind), kind != "uint32" and self.chance(4)
        if falls:
            first, last = last, first
        self.run_of_turns(depth, kind, array, axis, counter, first, last, falls)

    def run_counter(self, kind):
        counter = self.fresh("k")
        self.fixed.add(counter)
        return counter

    def run_ends(self, kind, extent):
        """Where a run begins and ends: inside of the axis, from both ends, and mostly of numbers that memory holds."""
        low = "0" if kind == "uint32" else self.pick((f"-{extent}", f"-{extent}", f"1 - {extent}", "-3", "0"))
        high = self.pick((extent, extent, f"{extent} - 1", "3"))
        return tuple(self.as_counter(kind, f"min(max({self.signed_name()}, {low}), {high})") for _ in range(2))

    def signed_name(self):
        return self.pick([name for name, kind in self.names.items() if not kind.startswith("u")])

    def as_counter(self, kind, text):
        if kind == "extent":
            return f"({text} + 0 * len(x0))"
        return f"int(device.int32({text}))" if kind == "int" else f"device.{kind}({text})"

    def run_in_range(self, depth, kind, array, axis, first, last):
        step = self.pick(("", "", ", 1", ", 2", ", 3"))
        turns = f"range({last} - 1, {first} - 1, -1)" if self.chance(4) else f"range({first}, {last}{step})"
        counter, names = self.run_counter(kind), dict(self.names)
        self.names[counter] = kind
        self.say(f"for {counter} in {turns}:")
        with self.suite():
            self.run_reads(array, axis, counter)
            self.body(depth)
        self.names = names

    def run_of_turns(self, depth, kind, array, axis, counter, first, last, falls):
        self.say(f"{counter} = {first}")
        end = self.fresh()
        self.say(f"{end} = {last}")
        self.names[counter] = self.names[end] = kind
        self.fixed.add(end)
        step = f"({counter} {'-' if falls else '+'} {2 if self.chance(5) else 1})"
        relation, opposite = self.pick(((">", "<="), (">=", "<")) if falls else (("<", ">="), ("<=", ">")))
        self.run_asking(depth, array, axis, counter, f"{counter} = {self.as_kind(kind, step)}", relation, opposite, end)

    def run_asking(self, depth, array, axis, counter, step, relation, opposite, end):
        where = self.pick(("head", "head", "middle", "end", "last"))
        guarded = where != "head" and not self.chance(3)
        if guarded:
            self.say(f"if {counter} {relation} {end}:")
            self.indent += 1
        ended = self.pick((f"{counter} {opposite} {end}", f"not {counter} {relation} {end}"))
        self.say(f"while {counter} {relation} {end}:" if where == "head" else "while True:")
        with self.suite():
            if where != "head":
                self.run_before_it_asks()
            self.run_reads(array, axis, counter)
            if where == "middle":
                self.say(f"if {ended}:")
                self.say("    break")
                self.run_reads(array, axis, counter)
            if self.chance(2):
                loops, self.loops = self.loops, 0  # neither break nor continue
                self.body_without_leaving(depth, array)
                self.loops = loops
            if where == "last":
                held = self.fresh()
                self.say(f"{held} = {counter}")
            self.say(step)
            if where in ("end", "last"):
                self.say(f"if {ended if where == 'end' else f'{held} {opposite} {end}'}:")
                self.say("    break")
        self.indent -= guarded

    def run_before_it_asks(self):
        """What shows how often a turn began."""
        if self.chance(2):
            self.say(f"out[i, {self.below(4)}] += {1 + self.below(3)}")

    def run_reads(self, array, axis, counter):
        for _ in range(1 + self.below(3)):
            name, k = self.signed_name(), 1 + self.below(4)
            near = (counter, counter, counter, f"{counter} // 2", f"{counter} >> 1")
            far = (f"{counter} + {k}", f"{counter} - {k}", f"{k} + {counter}", f"{name} + {counter}", f"{counter} - {name}", f"-1 - {counter}", f"{counter} * 2")
            is_far = self.chance(2)
            index = self.pick(far if is_far else near)
            tests = [test for test, wanted in ((self.there(array, axis, index), is_far and not self.chance(4)), (self.run_test(counter, k), self.chance(5))) if wanted]
            if tests:
                self.say(f"if {' and '.join(tests)}:")
            place = self.place_along(array, axis, index)
            self.say("    " * bool(tests) + (f"r[{counter} & 3] {self.pick(('=', '+='))} device.int32({place})" if self.chance(6)
                                             else f"out[i, {self.below(4)}] {self.pick(('+=', '+=', '^='))} device.int32({place})"))

    def run_test(self, counter, k):
        return self.pick((f"{counter} & 1 == 0", self.condition(0), f"{counter} > {k}", f"{counter} < 0"))

    def there(self, array, axis, index):
        extent = self.extent(array, axis)
        return f"-{extent} <= {index} < {extent}"

    def place_along(self, array, axis, index):
        """An element of an array, anywhere along its other axis."""
        at = [index if each == axis else f"{self.signed_name()} % {self.extent(array, each)}" for each in range(self.arrays[array][1])]
        return f"{array}[{', '.join(at)}]"

    def run_past_the_largest(self, depth):
        """A counter that begins at the end of its type, and indices that begin there or go over it."""
        array, axis = self.an_axis()
        kind = self.pick(SHORT)
        low, high = meaning.limits(kind)
        counter = self.run_counter(kind)
        first, last = (high - self.below(3), low + self.below(4)) if self.chance(2) else (self.below(3), 2 + self.below(6))
        more = self.pick((low, high - self.below(4), high - 10, 0)) if first < 8 else self.pick((low + 10 - high, -first, low))
        self.say(f"{counter} = device.{kind}({first} + 0 * {self.signed_name()})")
        self.names[counter] = kind
        index = f"({counter} + device.{kind}({max(more, low)}))"
        index = self.as_kind(kind, index) if self.chance(2) else f"device.{kind}{index}"
        guarded = not self.chance(3)
        self.say("while True:")
        with self.suite():
            self.run_before_it_asks()
            if guarded:
                self.say(f"if {self.there(array, axis, index)}:")
            self.say("    " * guarded + f"out[i, {self.below(4)}] += device.int32({self.place_along(array, axis, index)})")
            self.say(f"{counter} = device.{kind}({counter} + 1)")
            self.say(f"if {counter} >= {last} or {counter} == {low + 9}:")
            self.say("    break")

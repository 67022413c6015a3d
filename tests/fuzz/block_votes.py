"""Loops that ask all threads of a block, or all lanes of a warp, for another turn, in kernels whose threads work together (blocks.py). Each
thread comes to the question in every turn, also one that has left a turn early by `continue`. And gathers whose places others have told."""

from block_barriers import READ, WRITTEN
from block_values import INTEGERS


class VoteStatements:
    def counted_turns(self):
        """(the loop's counter, a condition that ends it after some turns)."""
        counter = self.fresh("k")
        self.say(f"{counter} = 0")
        return counter, f"{counter} < {self.pick(('3', '2', 'n % 3 + 1', '1'))}"

    def turn_of(self, counter, question, bound):
        """The line of the loop: what is asked stands before or behind what bounds it."""
        self.say(f"while {self.pick((f'{bound} and {question}', f'{question} and {bound}'))}:")

    def go_on_alone(self):
        """Some threads end the turn; what is left of it needs no others."""
        self.say(f"if {self.expression('bool')}:")
        with self.nested():
            if self.chance(2):
                self.divergent(1)
            self.say("continue")
        self.divergent(1)

    def block_loop(self):
        """A barrier that votes decides on each turn; none is needed before it."""
        if self.loops >= 2:
            return self.vote()
        self.loops += 1
        counter, bound = self.counted_turns()
        condition = self.expression("bool")
        self.turn_of(counter, self.pick((f"device.syncthreads_or({condition})", f"not device.syncthreads_and({condition})",
                                         f"device.syncthreads_count({condition}) > {self.below(3)}")), bound)
        self.pending = {}
        with self.nested():
            self.say(f"{counter} += 1")
            self.turn_together(counter)
            if self.chance(2):
                self.settle()
                self.go_on_alone()
        self.settle()  # what bounds the turns may end them before anybody is asked
        self.loops -= 1

    def warp_loop(self, depth=1):
        """The lanes of a warp decide; warps take turns of their own number."""
        if self.returned:
            return self.divergent()
        counter, bound = self.counted_turns()
        condition = self.expression("bool")
        asked = self.pick((f"device.any_sync(device.FULL_MASK, {condition})", f"not device.all_sync(device.FULL_MASK, {condition})",
                           f"device.ballot_sync(device.FULL_MASK, {condition}) != 0", f"device.eq_sync(device.FULL_MASK, {condition})"))
        self.turn_of(counter, asked, bound)
        with self.nested():
            self.say(f"{counter} += 1")
            self.name_counter(counter)
            for _ in range(1 + self.below(2)):
                self.warp_operation("device.FULL_MASK")
            if self.chance(3):
                self.say(f"if device.{self.pick(('any_sync', 'all_sync'))}(device.FULL_MASK, {self.expression('bool')}):")
                self.say(f"    {self.pick(('break', 'continue'))}")
                self.warp_operation("device.FULL_MASK")
            if self.chance(2):
                self.go_on_alone()
            elif self.chance(2):
                self.divergent(1)

    def gather(self):
        """An element of global memory, at a place that another thread has written before a barrier."""
        found = [(array, kind) for array, kind in self.shared.items() if kind in INTEGERS]
        if not found or not self.inputs:
            return self.exchange()
        array, kind = self.pick(found)
        self.before(array, WRITTEN)
        self.say(f"{array}[{self.slot(array)}] = {self.expression(kind)}")
        self.before(array, READ)
        source, has = self.pick(self.inputs.items())
        element = f"{source}[device.int32({array}[{self.slot(array, self.place('size'))}]) % 16]"
        self.take(has, f"{element} if {self.expression('bool', 1)} else {self.expression(has, 1)}" if self.chance(2) else element)

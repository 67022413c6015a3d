"""Atomic operations and waiting in kernels whose threads work together (blocks.py). Whatever order threads come in, what is looked at
afterwards is the same: operations of one counter commute, floats are whole numbers, tickets are added up."""

from block_values import INTEGERS

OPERATIONS = ("add", "sub", "xor", "or_", "and_", "max", "min")
OF_FLOATS = ("add", "sub", "max", "min", "nanmax", "nanmin")
COUNTED = ("int32", *(kind for kind in INTEGERS if kind != "int32"), "float32", "float64")
COMBINED = {"add": "{0} + {1}", "sub": "{0} - {1}", "xor": "{0} ^ {1}", "or_": "{0} | {1}", "and_": "{0} & {1}", "max": "max({0}, {1})",
            "min": "min({0}, {1})", "nanmax": "max({0}, {1})", "nanmin": "min({0}, {1})"}
SLOTS = 4

TICKET = """@device.struct
class Ticket:
    line: device.Atomic(int)
    current: device.Atomic(int)

    def lock(self):
        mine = self.line.add(1)
        while self.current.load() != mine:
            pass

    def unlock(self):
        self.current.add(1)
        self.current.notify_all()


"""


class AtomicStatements:
    def counter(self):
        """A counter's name, type and operation: one for a whole program."""
        return self.pick([(name, *what) for name, what in self.counters.items()])

    def count(self, depth=0):
        """Each thread that comes here, in divergent code too."""
        if self.inside or not self.counters:
            return self.assign()
        name, kind, operation = self.counter()
        place = self.pick(("1", f"t % {SLOTS}", f"(t * 3) % {SLOTS}", f"(t + n) % {SLOTS}"))
        value = self.exact(kind) if kind.startswith("float") else self.expression(kind, 1)
        if self.chance(3) and kind in ("int32", "int64", "uint32", "uint64", "float32", "float64"):
            return self.count_by_exchange(name, kind, operation, place, self.exact(kind))
        extra = self.pick(("", "", ", memory='relaxed'", ", scope='block'"))
        self.say(f"device.atomic.{operation}({name}, {place}, {value}{extra})")

    def count_by_exchange(self, name, kind, operation, place, value):
        """The same by a loop that compares and exchanges."""
        old, new, place_, by = self.fresh("o"), self.fresh("o"), self.fresh("o"), self.fresh("o")
        self.say(f"{place_} = {place}")
        self.say(f"{by} = {value}")
        self.say(f"{old} = device.atomic.load({name}, {place_})")
        self.say("while True:")
        self.say(f"    {new} = device.atomic.cas({name}, {place_}, {old}, {self.cast(kind, COMBINED[operation].format(old, by))})")
        self.say(f"    if {new} == {old}:")
        self.say("        break")
        self.say(f"    {old} = {new}")

    def read_counter(self):
        """Behind a barrier, when no thread changes it; one more before the next may."""
        if self.inside:
            return self.exchange()
        name, kind, _ = self.counter()
        self.barrier()
        self.take(kind, f"{name}[(t + {self.below(SLOTS)}) % {SLOTS}]")
        if kind == "int32" and self.depth == 0 and not self.returned and self.chance(3):
            uniform = self.fresh("u")
            self.say(f"{uniform} = {name}[1] % 4")
            self.uniform.append(uniform)
        self.barrier()

    def queue_up(self):
        """Some threads take tickets and put values in a queue at their places: how many, and the sum, are the same in every order."""
        if self.inside or self.returned:
            return self.read_counter()
        self.barrier()
        self.say("if t == 0:")
        self.say("    tickets[0] = 0")
        self.barrier()
        self.say(f"if {self.expression('bool')}:")
        self.say(f"    queue[device.atomic.add(tickets, 0, 1)] = {self.exact('int32')}")
        self.barrier()
        place = self.fresh("k")
        self.say(f"for {place} in range(tickets[0]):")
        self.say(f"    total += queue[{place}] * {1 + self.below(5)}")
        self.say("total = total * 3 + tickets[0]")
        self.barrier()

    def hand_on(self):
        """A chain of exchanges: what all have got and what is left are what was there and what all have given."""
        if self.inside or self.returned:
            return self.read_counter()
        self.barrier()
        self.say("if t == 0:")
        self.say("    tickets[0] = 77")
        self.say("    tickets[1] = 0")
        self.barrier()
        self.say(f"if {self.expression('bool')}:")
        self.say(f"    device.atomic.xor(tickets, 1, device.atomic.exch(tickets, 0, {self.expression('int32', 1)}))")
        self.barrier()
        self.say("total = total * 3 + (tickets[0] ^ tickets[1])")
        self.barrier()

    # ---- waiting

    def wait(self):
        """A lock, or threads that go one after another. Loops that wait make every thread go by itself on the host."""
        if self.inside or self.returned or not self.may_wait:
            return self.read_counter()
        self.pick((self.spin_lock, self.ticket_lock, self.in_turn, self.flag))()

    def reset(self):
        self.barrier()
        self.say("if t == 0:")
        self.say("    tickets[0] = 0")
        self.say("    tickets[1] = 0")
        self.barrier()

    def guarded(self, lock, unlock, indent=""):
        self.say(f"{indent}{lock}")
        self.say(f"{indent}tickets[1] = tickets[1] + {self.exact('int32')}")
        self.say(f"{indent}{unlock}")

    def collect(self):
        self.barrier()
        self.say("total = total * 3 + tickets[1]")
        self.barrier()

    def spin_lock(self):
        self.reset()
        some = self.chance(2)
        if some:
            self.say(f"if {self.expression('bool')}:")
        pad = "    " if some else ""
        self.say(f"{pad}while device.atomic.exch(tickets, 0, 1, 'acquire') == 1:")
        self.guarded("    pass", "device.atomic.store(tickets, 0, 0, 'release')", pad)
        self.collect()

    def ticket_lock(self):
        self.reset()
        self.say(f"for {self.fresh('k')} in range({self.pick(('2', 't % 3', 'n % 3'))}):")
        self.guarded("locks[0].lock()", "locks[0].unlock()", "    ")
        self.collect()

    def in_turn(self):
        """An order that all keep: what comes out depends on it."""
        self.reset()
        place = self.pick(("t", "size - 1 - t"))
        self.say(f"while device.atomic.load(tickets, 0, 'acquire') != {place}:")
        self.say("    pass")
        self.say(f"tickets[1] = tickets[1] * 3 + {self.expression('int32', 1)}")
        self.say(f"device.atomic.store(tickets, 0, {place} + 1, 'release')")
        self.collect()

    def flag(self):
        self.reset()
        self.say(f"if t == {self.pick(('0', 'size - 1', 'size // 2'))}:")
        self.say(f"    tickets[1] = {self.expression('int32', 1)}")
        self.say("    device.atomic.store(tickets, 0, 1, 'release')")
        self.say("else:")
        if self.chance(2):
            self.say("    device.AtomicRef(tickets, 0).wait(0)")
        else:
            self.say("    while device.atomic.load(tickets, 0, 'acquire') == 0:")
            self.say("        pass")
        self.say("    total = total * 3 + tickets[1]")
        self.barrier()

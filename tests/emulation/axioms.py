"""PTX's memory consistency model as its axioms (PTX ISA, chapter 8; Lustig, Sahasrabuddhe, Giroux: A Formal Analysis of the NVIDIA PTX
Memory Consistency Model, ASPLOS 2019), for programs of a few operations: every execution is tried, and those that no axiom
forbids are kept. Nothing of the machine is in it, so what the machine shows can be judged.
"""

import itertools
from dataclasses import dataclass, field
from typing import NamedTuple

STRONG = ("relaxed", "acquire", "release", "acq_rel")


class Op(NamedTuple):
    """`kind`: W, R, A (an atomic addition; without a register, a reduction), F (a fence). `value`: what is written or added, a number or a register."""

    kind: str
    place: str = ""
    register: str = ""
    value: object = 0
    order: str = "weak"
    scope: str = "gpu"


@dataclass(eq=False)
class Event:
    op: Op
    thread: int
    block: int
    place: int  # in the thread
    reads: object = None  # the event that wrote what it reads
    known: dict = field(default_factory=dict)

    @property
    def writes(self):
        return self.op.kind in "WA"

    @property
    def acquires(self):
        return self.op.order in ("acquire", "acq_rel", "sc")

    @property
    def releases(self):
        return self.op.order in ("release", "acq_rel", "sc")

    @property
    def strong(self):
        return self.op.kind in "AF" or self.op.order in STRONG


def holds(first, second):
    """The first one's scope holds the second one's thread."""
    return first.op.scope != "cta" or first.block == second.block


def morally_strong(a, b):
    if a.thread is None or b.thread is None or a.thread == b.thread:
        return True
    return a.strong and b.strong and holds(a, b) and holds(b, a)


def closure(pairs, events):
    after = {e: {b for a, b in pairs if a is e} for e in events}
    for middle in events:
        for first in events:
            if middle in after[first]:
                after[first] |= after[middle]
    return {(a, b) for a in events for b in after[a]}


class Execution:
    """Given who reads from whom, the order of the writes to each place, and the order of `fence.sc`."""

    def __init__(self, events, order, fences):
        self.events, self.fences = events, fences
        self.po = {(a, b) for a in events for b in events if a.thread is not None and a.thread == b.thread and a.place < b.place}
        begin = {(a, b) for a in events for b in events if a.thread is None and b.thread is not None}
        self.obs = self.observation()
        sync = self.patterns() | {(a, b) for n, a in enumerate(fences) for b in fences[n + 1:] if morally_strong(a, b)}
        self.base = closure(self.po | sync | begin, events)
        self.cause = self.base | {(w, y) for w, z in self.obs for x, y in self.base if x is z}
        total = {(a, b) for place in order.values() for n, a in enumerate(place) for b in place[n + 1:]}
        self.total = total
        self.co = closure({(a, b) for a, b in total if morally_strong(a, b) or (a, b) in self.cause}, events)

    def observation(self):
        direct = {(e.reads, e) for e in self.events if e.reads is not None and e.reads.thread is not None
                  and morally_strong(e.reads, e)}
        found = set(direct)
        while True:
            more = {(w, r) for w, z in found for z2, r in direct if z is z2 and z.op.kind == "A"} - found
            if not more:
                return found
            found |= more

    def patterns(self):
        """(first of a release pattern, last of an acquire pattern) that synchronise."""
        releases = [(e, e) for e in self.events if e.op.kind in "WA" and e.releases]
        releases += [(e, w) for e, w in self.po if e.releases and w.writes and w.strong and (e.op.kind == "F" or e.op.place == w.op.place)]
        reads = [e for e in self.events if e.op.register]  # what a reduction reads is part of no acquire
        acquires = [(e, e) for e in reads if e.acquires]
        acquires += [(r, e) for r, e in self.po if r in reads and r.strong and e.acquires and
                     (e.op.kind == "F" or e.op.place == r.op.place)]
        return {(x, y) for x, w in releases for r, y in acquires if (w, r) in self.obs and morally_strong(x, y)}

    def reads_before(self):
        """(R, W): R returns something older than W."""
        return {(r, w) for r in self.events if r.reads is not None for p, w in self.co if p is r.reads and w is not r}

    def allowed(self):
        fr, rf = self.reads_before(), {(e.reads, e) for e in self.events if e.reads is not None}
        if any((b, a) in self.cause for a, b in self.total) or any((e, e) in self.base for e in self.events):
            return False
        if any((b, a) in self.cause for n, a in enumerate(self.fences) for b in self.fences[n + 1:] if morally_strong(a, b)):
            return False
        if any((b, a) in self.cause for a, b in rf | fr):
            return False
        return self.atomic() and self.coherent(rf | fr | self.co)

    def atomic(self):
        """Nothing comes between what an atomic operation reads and what it writes."""
        return not any(a.op.kind == "A" and (a.reads, w) in self.total and (w, a) in self.total and morally_strong(a, w)
                       for a in self.events for w in self.events if w.writes and w is not a)

    def coherent(self, communication):
        """Sequential consistency of each place, among operations that are pairwise morally strong."""
        for place in {e.op.place for e in self.events if e.op.place}:
            here = [e for e in self.events if e.op.place == place]
            for count in range(2, len(here) + 1):
                for some in itertools.combinations(here, count):
                    if all(morally_strong(a, b) for a, b in itertools.combinations(some, 2)):
                        pairs = {(a, b) for a, b in communication | self.po if a in some and b in some}
                        if any(a is b for a, b in closure(pairs, some)):
                            return False
        return True


def values(events):
    """What each event writes and reads; None where a value would come of itself (no thin air)."""
    written, reading = {}, set()
    registers = {(e.thread, e.op.register): e for e in events if e.op.register}

    def result(event):
        if event.op.kind == "A":
            return read(event) + event.op.value
        return event.op.value if isinstance(event.op.value, int) else read(registers[event.thread, event.op.value])

    def read(event):
        if event in reading:
            raise RecursionError
        reading.add(event)
        written[event] = result(event.reads)
        reading.discard(event)
        return written[event]
    try:
        return {(e.thread, e.op.register): read(e) for e in events if e.reads is not None}
    except RecursionError:
        return None


def outcomes(threads, blocks):
    """The set of what may be read: for each outcome the values of all registers, thread after thread."""
    events = [Event(op, t, blocks[t], n) for t, ops in enumerate(threads) for n, op in enumerate(ops)]
    places = sorted({e.op.place for e in events if e.op.place})
    begin = [Event(Op("W", place), None, -1, 0) for place in places]
    writes = {p: [e for e in begin + events if e.writes and e.op.place == p] for p in places}
    reads = [e for e in events if e.op.kind in "RA"]
    fences = [e for e in events if e.op.order == "sc"]
    found = set()
    for sources in itertools.product(*([w for w in writes[r.op.place] if w is not r] for r in reads)):
        for read, source in zip(reads, sources):
            read.reads = source
        known = values(begin + events)
        if known is None:
            continue
        outcome = tuple(known[r.thread, r.op.register] for r in reads if r.op.register)
        if outcome not in found and any(Execution(begin + events, order, list(turn)).allowed()
                                        for order in orders(places, writes) for turn in itertools.permutations(fences)):
            found.add(outcome)
    return found


def orders(places, writes):
    """Every order of the writes to each place, what was there at the beginning first."""
    for chosen in itertools.product(*(itertools.permutations(writes[p][1:]) for p in places)):
        yield {p: (writes[p][0], *order) for p, order in zip(places, chosen)}

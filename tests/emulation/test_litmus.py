"""What memory shows in small programs, on the machine whose memory is weak: what PTX's document forbids never, what it allows all."""

import os
import random

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from axioms import outcomes
from litmus import A, F, R, W, program, seen

ALL = os.environ.get("HETJIT_MACHINES") == "all"
SEEDS = 2000 if ALL else 50  # for what must never be seen
PATIENCE = 6000  # for what must be

# name | threads, in every scope {s} | outcome, all registers in their order | verdict where the scope holds all threads; where it
# does not, everything but what is "never" is allowed, and shown by the machine but for what is "unseen"
TABLE = """
message passing, relaxed    | W.relaxed.{s} x 1; W.relaxed.{s} y 1 || R.relaxed.{s} y a; R.relaxed.{s} x b              | 1 0 | allowed
- release alone             | W x 1; W.release.{s} y 1 || R.relaxed.{s} y a; R x b                                      | 1 0 | allowed
- acquire alone             | W x 1; W.relaxed.{s} y 1 || R.acquire.{s} y a; R x b                                      | 1 0 | allowed
- release, acquire          | W x 1; W.release.{s} y 1 || R.acquire.{s} y a; R x b                                      | 1 0 | forbidden
- fences                    | W x 1; F.acq_rel.{s}; W.relaxed.{s} y 1 || R.relaxed.{s} y a; F.acq_rel.{s}; R x b        | 1 0 | forbidden
- fences of all orders      | W x 1; F.sc.{s}; W.relaxed.{s} y 1 || R.relaxed.{s} y a; F.acq_rel.{s}; R x b             | 1 0 | forbidden
- the writer's fence alone  | W x 1; F.sc.{s}; W.relaxed.{s} y 1 || R.relaxed.{s} y a; R x b                            | 1 0 | allowed
- the reader's fence alone  | W x 1; W.relaxed.{s} y 1 || R.relaxed.{s} y a; F.sc.{s}; R x b                            | 1 0 | allowed
- release, fence            | W x 1; W.release.{s} y 1 || R.relaxed.{s} y a; F.acq_rel.{s}; R x b                       | 1 0 | forbidden
- fence, acquire            | W x 1; F.acq_rel.{s}; W.relaxed.{s} y 1 || R.acquire.{s} y a; R x b                       | 1 0 | forbidden
- fences, a weak flag       | W x 1; F.acq_rel.{s}; W y 1 || R y a; F.acq_rel.{s}; R x b                                | 1 0 | allowed
- by atomics                | W x 1; A.release.{s} y r || A.acquire.{s} y a; R x b                                      | 0 1 0 | forbidden
- by relaxed atomics        | W x 1; A.relaxed.{s} y r || A.relaxed.{s} y a; R x b                                      | 0 1 0 | allowed
- by a reduction            | W x 1; W.release.{s} y 1 || A.relaxed.{s} y _; F.acq_rel.{s}; R x b; R.relaxed.{s} y c    | 0 2 | allowed
- by an atomic and a fence  | W x 1; W.release.{s} y 1 || A.relaxed.{s} y a; F.acq_rel.{s}; R x b; R.relaxed.{s} y c    | 1 0 2 | forbidden
- a store behind a release  | W x 1; W.release.{s} y 1; W.relaxed.{s} y 2 || R.acquire.{s} y a; R x b                   | 2 0 | forbidden
- a load before an acquire  | W x 1; W.release.{s} y 1 || R.relaxed.{s} y a; R.acquire.{s} y c; R x b                   | 1 1 0 | forbidden
- through an atomic         | W x 1; W.release.{s} y 1 || A.relaxed.{s} y c || R.acquire.{s} y a; R x b                 | 1 2 0 | forbidden
- through a store           | W x 1; W.release.{s} y 1 || R.relaxed.{s} y c; W.relaxed.{s} y 2 || R.acquire.{s} y a; R x b | 1 2 0 | allowed
store buffering, relaxed    | W.relaxed.{s} x 1; R.relaxed.{s} y a || W.relaxed.{s} y 1; R.relaxed.{s} x b              | 0 0 | allowed
- release, acquire          | W.release.{s} x 1; R.acquire.{s} y a || W.release.{s} y 1; R.acquire.{s} x b              | 0 0 | allowed
- fences that only hand over | W.relaxed.{s} x 1; F.acq_rel.{s}; R.relaxed.{s} y a || W.relaxed.{s} y 1; F.acq_rel.{s}; R.relaxed.{s} x b | 0 0 | allowed
- fence.sc                  | W.relaxed.{s} x 1; F.sc.{s}; R.relaxed.{s} y a || W.relaxed.{s} y 1; F.sc.{s}; R.relaxed.{s} x b | 0 0 | forbidden
- fence.sc, weak accesses   | W x 1; F.sc.{s}; R y a || W y 1; F.sc.{s}; R x b                                          | 0 0 | forbidden
- one fence.sc              | W.relaxed.{s} x 1; F.sc.{s}; R.relaxed.{s} y a || W.relaxed.{s} y 1; F.acq_rel.{s}; R.relaxed.{s} x b | 0 0 | allowed
load buffering, relaxed     | R.relaxed.{s} x a; W.relaxed.{s} y 1 || R.relaxed.{s} y b; W.relaxed.{s} x 1              | 1 1 | allowed
- weak                      | R x a; W y 1 || R y b; W x 1                                                              | 1 1 | allowed
- with an atomic            | R.relaxed.{s} x a; A.relaxed.{s} y c || R.relaxed.{s} y b; W.relaxed.{s} x 1              | 1 0 1 | allowed
- release, acquire          | R.acquire.{s} x a; W.release.{s} y 1 || R.acquire.{s} y b; W.release.{s} x 1              | 1 1 | unseen
- fences                    | R.relaxed.{s} x a; F.acq_rel.{s}; W.relaxed.{s} y 1 || R.relaxed.{s} y b; F.acq_rel.{s}; W.relaxed.{s} x 1 | 1 1 | unseen
- out of thin air           | R.relaxed.{s} x a; W.relaxed.{s} y a || R.relaxed.{s} y b; W.relaxed.{s} x b              | 1 1 | never
independent reads, relaxed  | W.relaxed.{s} x 1 || W.relaxed.{s} y 1 || R.relaxed.{s} x a; R.relaxed.{s} y b || R.relaxed.{s} y c; R.relaxed.{s} x d | 1 0 1 0 | allowed
- release, acquire          | W.release.{s} x 1 || W.release.{s} y 1 || R.acquire.{s} x a; R.acquire.{s} y b || R.acquire.{s} y c; R.acquire.{s} x d | 1 0 1 0 | allowed
- fence.sc                  | W.relaxed.{s} x 1 || W.relaxed.{s} y 1 || R.relaxed.{s} x a; F.sc.{s}; R.relaxed.{s} y b || R.relaxed.{s} y c; F.sc.{s}; R.relaxed.{s} x d | 1 0 1 0 | forbidden
cause, observed             | W.relaxed.{s} x 1 || R.relaxed.{s} x a; W.release.{s} y 1 || R.acquire.{s} y b; R.relaxed.{s} x c | 1 1 0 | forbidden
- by a weak load            | W.relaxed.{s} x 1 || R x a; W.release.{s} y 1 || R.acquire.{s} y b; R.relaxed.{s} x c     | 1 1 0 | allowed
- handed on                 | W x 1; W.release.{s} y 1 || R.acquire.{s} y a; W.release.{s} z 1 || R.acquire.{s} z b; R x c | 1 1 0 | forbidden
- not handed on             | W x 1; W.release.{s} y 1 || R.relaxed.{s} y a; W.release.{s} z 1 || R.acquire.{s} z b; R x c | 1 1 0 | allowed
coherence, two loads        | W.relaxed.{s} x 1 || R.relaxed.{s} x a; R.relaxed.{s} x b                                 | 1 0 | forbidden
- weak loads                | W.relaxed.{s} x 1 || R x a; R x b                                                         | 1 0 | allowed
- a strong load, a weak one | W.relaxed.{s} x 1 || R.relaxed.{s} x a; R x b                                             | 1 0 | forbidden
- a weak load, a strong one | W.relaxed.{s} x 1 || R x a; R.relaxed.{s} x b                                             | 1 0 | allowed
- two readers               | W.relaxed.{s} x 1 || W.relaxed.{s} x 2 || R.relaxed.{s} x a; R.relaxed.{s} x b || R.relaxed.{s} x c; R.relaxed.{s} x d | 1 2 2 1 | forbidden
- two readers of a race     | W x 1 || W x 2 || R.relaxed.{s} x a; R.relaxed.{s} x b || R.relaxed.{s} x c; R.relaxed.{s} x d | 1 2 2 1 | allowed
- the own store             | W x 1; R x a || W x 2                                                                     | 0 | never
- the own store to come     | R x a; W x 1 || W x 2                                                                     | 1 | never
- a store behind another   | W.relaxed.{s} x 2; W.release.{s} y 1 || R.acquire.{s} y a; W.relaxed.{s} x 1 || R.relaxed.{s} x c; R.relaxed.{s} x d | 1 1 2 | forbidden
- a store before another    | W.relaxed.{s} x 2; W.relaxed.{s} y 1 || R.relaxed.{s} y a; W.relaxed.{s} x 1 || R.relaxed.{s} x c; R.relaxed.{s} x d | 1 1 2 | allowed
atomicity                   | A.relaxed.{s} x a || A.relaxed.{s} x b                                                    | 0 0 | forbidden
- of three                  | A.acq_rel.{s} x a || A.relaxed.{s} x b || A.relaxed.{s} x c                               | 0 1 1 | unseen
"""


def rows():
    family = ""
    for line in TABLE.strip().splitlines():
        name, rest = line.split(" | ", 1)
        text, outcome, verdict = (cell.strip() for cell in rest.rsplit(" | ", 2))
        family = family if name.startswith("-") else name.split(",")[0]
        yield pytest.param(text, tuple(map(int, outcome.split())), verdict, id=(family + name[1:] if name.startswith("-") else name).strip())


def places(count):
    """All threads in one block; each in its own; the first alone."""
    return [[0] * count, list(range(count))] + ([[0] + [1] * (count - 1)] if count > 2 else [])


@pytest.mark.parametrize("scope", ["cta", "gpu", "sys"] if ALL else ["cta", "gpu"])
@pytest.mark.parametrize("text, outcome, verdict", list(rows()))
def test_litmus(text, outcome, verdict, scope):
    threads = program(text.format(s=scope))
    for blocks in places(len(threads)):
        allowed = outcomes(threads, blocks)
        apart = scope == "cta" and len(set(blocks)) > 1 and "{s}" in text
        if not apart or verdict == "never":
            assert (outcome in allowed) == (verdict == "allowed"), "the axioms say otherwise"
        found = set(seen(threads, blocks, range(SEEDS)))
        for first in range(SEEDS, PATIENCE, 200):
            if outcome not in allowed or outcome in found or verdict == "unseen":
                break
            found |= set(seen(threads, blocks, range(first, first + 200)))
        assert found <= allowed, (blocks, found - allowed)
        assert outcome in found or outcome not in allowed or verdict == "unseen", (blocks, "never seen")


# ---- programs at random

def drawn(draw):
    """Two or three threads of up to four operations on two places, in any orders, scopes and blocks."""
    count = draw.choice((2, 2, 2, 3))
    return [[one(draw, f"r{k}") for k in range(draw.randint(1, 6 - count))] for _ in range(count)], [0, *(draw.randrange(2) for _ in range(count - 1))]


def one(draw, register):
    scope, place, kind = draw.choice(("cta", "gpu", "gpu", "sys")), draw.choice("xy"), draw.choice("WWWRRRAFF")
    if kind == "W":
        return W(place, draw.randint(1, 3), draw.choice(("weak", "relaxed", "relaxed", "release")), scope)
    if kind == "R":
        return R(place, register, draw.choice(("weak", "relaxed", "relaxed", "acquire")), scope)
    if kind == "F":
        return F(draw.choice(("acq_rel", "sc")), scope)
    if draw.random() < 0.3:
        return A(place, "", draw.choice(("relaxed", "release")), scope)  # a reduction
    return A(place, register, draw.choice(("relaxed", "acquire", "release", "acq_rel")), scope)


def small(threads):
    ops = [op for thread in threads for op in thread]
    return any(op.register for op in ops) and sum(op.kind in "RA" for op in ops) < 5 and sum(op.kind in "WA" for op in ops) < 6


@pytest.mark.parametrize("seed", range(64 if ALL else 4))
def test_programs_at_random(seed):
    draw = random.Random(seed)
    for _ in range(20):
        threads, blocks = drawn(draw)
        if small(threads):
            more = set(seen(threads, blocks, range(40))) - outcomes(threads, blocks)
            assert not more, (more, blocks, threads)

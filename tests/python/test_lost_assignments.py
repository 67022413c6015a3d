"""Assigning to a part of a name that stands for somebody else's value, an argument or an element: an error where nobody reads what
the name then is, and what the language says in all other programs."""

import itertools
import linecache

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device


@device.struct
class Point:
    x: float
    y: float

    def total(self):
        return self.x + self.y


@device.struct
class Whole:
    part: Point
    n: int


@device.func
def first(p):
    return p.x


ORIGINS = {
    "argument": [],
    "other name": ["q = p", "p = q"],
    "element": ["p = ps[1]"],
    "element of a loop": ["p = ps[0]", "for k in range(2):", "    p = ps[k]"],
    "iterated": ["p = ps[0]", "for p in ps:", "    pass"],
    "enumerated": ["p = ps[0]", "for k, p in enumerate(ps):", "    pass"],
    "field of an argument": ["p = whole.part"],
    "item of a tuple": ["p, q = both"],
    "one of two": ["p = ps[0] if c > 0 else Point(0.0, 0.0)"],
}
CHANGES = [["p.x = 5"], ["p.x += 5"], ["p[0] = 5"], ["p.y = 1", "p.x = p.y + 4"], ["p = p", "p.x = 5"]]
READERS = {
    "field": ["out[0] = p.x"],
    "item": ["out[0] = p[0]"],
    "stored": ["ps[0] = p", "out[0] = ps[0].x"],
    "passed": ["out[0] = first(p)"],
    "method": ["out[0] = p.total() - p.y"],
    "closure": ["def g():", "    return p.x", "out[0] = g()"],
    "default": ["g = lambda k=p: k.x", "out[0] = g()"],
    "comprehension": ["out[0] = sum([p.x for k in range(1)])"],
    "generator": ["out[0] = sum(p.x for k in range(c))"],
    "tuple": ["t = (p, 1)", "out[0] = t[0].x"],
    "unpacked": ["a, b = p", "out[0] = a"],
    "one path": ["if c > 0:", "    out[0] = p.x"],
    "either": ["out[0] = p.x if c > 0 else 0"],
    "condition": ["if p.x > 4:", "    out[0] = p.x"],
    "later round": ["for k in range(2):", "    if k > 0:", "        out[0] = p.x", "    else:", "        p.y = 3", "out[1] = p.y"],
    "joined": ["if c > 0:", "    r = p", "else:", "    r = Point(0.0, 0.0)", "out[0] = r.x"],
    "behind a return": ["if c < 0:", "    return", "out[0] = p.x"],
}
# What is read, but leaves out[0] as it was.
SILENT = {
    "assert": ["assert p.x > -1e6"],
    "unused": ["a = p.x"],
    "computed in vain": ["a = p.x + 1", "b = a * 2"],
    "named": ["p"],
    "discarded branch": ["if c is None:", "    out[0] = p.x"],
    "constant branch": ["if 0:", "    pass", "elif NEVER:", "    out[0] = p.x"],
    "closure that is not called": ["def g():", "    return p.x"],
}
NOBODY = {
    "nothing": [],
    "deleted": ["del p"],
    "replaced": ["p = ps[0]", "out[0] = p.x"],
    "read before": None,  # put before the change
    "other name read": ["out[1] = whole.n"],
}
numbers = itertools.count()


def made(lines):
    """Lines have a place, so that messages can show them."""
    source = "def f(p, ps, whole, both, out, c):\n" + "\n".join("    " + line for line in lines) + "\n"
    file = f"<lost {next(numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"device": device, "Point": Point, "first": first, "NEVER": False}
    exec(compile(source, file, "exec"), scope)
    return scope["f"]


def arguments():
    p = Point(1.0, 2.0)
    ps = np.zeros(2, device.numpy_dtype(Point))
    ps[:] = (1.0, 2.0)
    return p, ps, Whole(p, 7), (p, p), np.zeros(2, np.float32), 1


def run(lines):
    """By the interpreter, which is faster: there is nothing in it for LLVM."""
    given = arguments()
    _core.interpret(_core.capture(made(lines), (Point, Whole)), given, 1, 1)
    return given[4][0]


def indented(lines):
    return ["    " + line for line in lines]


@pytest.mark.parametrize("origin", ORIGINS)
def test_what_is_read_keeps_its_meaning(origin):
    for change, reader in itertools.product(CHANGES, READERS):
        want = 6 if change == ["p.x += 5"] else 5
        assert run(ORIGINS[origin] + change + READERS[reader]) == want, (change, reader)
    for reader in SILENT:
        assert run(ORIGINS[origin] + CHANGES[0] + SILENT[reader]) == 0, reader


@pytest.mark.parametrize("origin", ORIGINS)
def test_what_nobody_reads_is_an_error(origin):
    for change, reader in itertools.product(CHANGES, NOBODY):
        lines = change + NOBODY[reader] if NOBODY[reader] is not None else ["out[0] = p.x"] + change
        for body in (lines, ["if c > 0:"] + indented(lines or ["pass"]), ["for k in range(3):"] + indented(change)):
            with pytest.raises(device.CompileError, match="E0321.*'p' gets a new value here that nothing reads") as found:
                run(ORIGINS[origin] + body)
            assert len(found.value.args[0].split("error[")) == 2 or change == CHANGES[3], "one mistake, one message"


def test_what_the_next_round_reads_is_read():
    lines = ["for k in range(3):", "    out[0] = p.x", "    p.x = 5"]
    assert run(lines) == 5
    assert run(["k = 0", "while p.x < 4:", "    p.x += 1", "    k += 1", "out[0] = k"]) == 3
    assert run(["for k in (1, 2.5):", "    out[0] += p.x", "    p.x = k"]) == 2  # written out, round by round


def test_values_that_were_made_here_may_be_changed_in_vain():
    assert run(["r = Point(1.0, 2.0)", "r.x = 3", "v = device.float32x2(1, 2)", "v[0] = 4", "out[0] = 1"]) == 1


def test_methods_that_return_what_they_changed():
    @device.struct
    class Body:
        x: float

        def moved(self, by):
            self.x += by
            return self

        def move(self, by):
            self.x += by

    @device.kernel
    def fine(b, out):
        b = b.moved(2)
        out[0] = b.x

    @device.kernel
    def in_vain(b, out):
        b.move(2)
        out[0] = b.x

    out = np.zeros(1, np.float32)
    fine[1, 1](Body(1.0), out)
    assert out[0] == 3
    with pytest.raises(device.CompileError, match="'self' gets a new value here.*\n(.*\n)*.*return the new value"):
        in_vain[1, 1](Body(1.0), out)


def test_help_names_the_element():
    with pytest.raises(device.CompileError) as found:
        run(["p = ps[c - 1]", "p.x = 5"])
    assert "write the element: ps[c - 1] = ps[c - 1].replace(x=…)" in found.value.notes


@pytest.mark.parametrize("lines", [["p.x = 5", "out[0] = p.y"], ["p.x += p.y", "p.y *= 2", "out[0] = p.y"],
                                   ["for k in range(3):", "    p.x += p.y", "    p.y = p.y + 1", "out[0] = p.y"],
                                   ["p.x = 1", "out[0] = p.y if c > 0 else p.y + 1"]], ids=" | ".join)
def test_other_fields_are_no_readers(lines):
    """A field that nobody reads is lost, whatever is read of the others."""
    with pytest.raises(device.CompileError, match="E0321"):
        run(["p = ps[1]"] + lines)


@pytest.mark.parametrize("lines", [["p.x = 5", "out[0] = first(p)"], ["p.x += p.y", "p.y = p.x", "out[0] = p.y"], ["p.x = 5", "p.y = 2", "ps[0] = p"],
                                   ["for k in range(3):", "    p.x, p.y = p.y, p.x", "out[0] = p.y"]], ids=" | ".join)
def test_a_field_is_read_by_way_of_others(lines):
    run(["p = ps[1]"] + lines)

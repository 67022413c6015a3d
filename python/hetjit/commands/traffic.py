"""Which of its array parameters a kernel reads and writes, from the text of its optimised graph."""

import collections
import re

Access = collections.namedtuple("Access", "reads writes")  # sets of numbers of parameters

_FUNCTION = re.compile(r"^\w[^\n]*?\(.*\) -> .*\n(?:[^\n]+\n?)+", re.M)
_BLOCK = re.compile(r"^(b\d+)\((.*)\):$")
_RESULT = re.compile(r"^  (v\d+): (.*?) = (\w+) ?(.*)$")
_EFFECT = re.compile(r"^  (\w+) ?(.*)$")
_VALUE = re.compile(r"\bv\d+\b")
_TARGET = re.compile(r"\b(b\d+)\(([^)]*)\)")
_PLACE = re.compile(r" {2,}(?:@\d+ +)?\d+:\d+-[\d:]+$")


class _Function:
    """A function of the graph, and of each value that is or points into an array the parameters that it may be of."""

    def __init__(self, text):
        self.lines = [_PLACE.sub("", line) for line in text.splitlines()[1:]]
        blocks = [found.groups() for found in map(_BLOCK.match, self.lines) if found]
        self.names = {name: _VALUE.findall(values) for name, values in blocks}
        self.origins = collections.defaultdict(set, {value: {i} for i, value in enumerate(self.names["b0"])})
        while self._spread():
            pass

    def _spread(self):
        """One round; whether anything was learned."""
        before = sum(map(len, self.origins.values()))
        for line in self.lines:
            if (found := _RESULT.match(line)) and ("array[" in found[2] or "ptr[" in found[2]):
                self.origins[found[1]] |= self.of(_VALUE.findall(found[4]))
            for block, values in _TARGET.findall(line) if not _BLOCK.match(line) else ():
                for to, value in zip(self.names[block], _VALUE.findall(values)):
                    self.origins[to] |= self.origins[value]
        return sum(map(len, self.origins.values())) > before

    def of(self, values):
        return set().union(*(self.origins[value] for value in values))


def accesses(text):
    """What the first function of a graph's text reads and writes, by itself and in the functions that it calls."""
    functions = [_Function(found[0]) for found in _FUNCTION.finditer(text)]
    found = [Access(set(), set()) for _ in functions]
    for _ in functions:  # as deep as calls can be nested
        for function, access in zip(functions, found):
            _add(function, access, found)
    return found[0]


def _add(function, access, found):
    for line in function.lines:
        match = _RESULT.match(line) or _EFFECT.match(line)
        if not match or _BLOCK.match(line):
            continue
        name, rest = match.groups()[-2:]
        values = _VALUE.findall(rest)
        if name == "call":
            called = found[int(rest.split()[0])]
            for to, of in zip(access, called):
                to |= function.of(value for i, value in enumerate(values) if i in of)
        elif name == "store":
            access.writes.update(function.of(values[:1]))
        elif name.startswith(("load", "atomic")):
            access.reads.update(function.of(values[:1]))
            if name.startswith("atomic"):
                access.writes.update(function.of(values[:1]))

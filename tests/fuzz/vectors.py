"""Vectors in random programs: the statements that make and change them (for programs.Maker), and what they mean (for meaning.Stand)."""

import operator

import meaning

LANES = "xyzw"
COMBINED = {kind: [] for kind in meaning.FIXED}  # {lanes' type: [(symbol, other operand's type, result's lanes' type)]}
for _symbol in ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>"):
    for _kind in meaning.FIXED:
        for _other in meaning.KINDS:
            try:
                COMBINED[_kind].append((_symbol, _other, meaning.joined(_symbol, _kind, _other)))
            except meaning.Refused:
                pass


class VectorStatements:
    def vector(self, depth):
        """A vector is made, another name keeps it, it is changed a few times; lanes of both are read."""
        kind, size = self.pick(meaning.FIXED), 2 + self.below(3)
        name, kept, first = self.fresh("t"), self.fresh("t"), kind
        values = ", ".join(self.expression(self.pick(meaning.KINDS), 1) for _ in range(size))
        self.say(f"{name} = device.{kind}x{size}({values})")
        self.say(f"{kept} = {name}")
        if depth > 0 and self.chance(3):
            self.say(f"for {self.fresh('k')} in range({self.leaf('int')} & 3):")
            with self.suite():
                self.put_lane(name, kind, size)
                self.combine(name, kind, size, kind)
        for _ in range(1 + self.below(3)):
            if self.chance(2):
                kind = self.combine(name, kind, size)
            else:
                self.put_lane(name, kind, size)
        read, old, same = self.fresh(), self.fresh(), self.fresh()
        self.say(f"{read} = {name}[{self.lane_index(size)}]")
        self.say(f"{old} = {kept}.{LANES[self.below(size)]}")
        self.say(f"{same} = {name} == {kept}" if kind == first else f"{same} = {read} == {name}.x")
        self.names.update({read: kind, old: first, same: "bool"})

    def lane_index(self, size):
        which = self.below(4)
        return str(self.below(size)) if which == 0 else str(-1 - self.below(size)) if which == 1 else \
            f"{self.leaf('int')} & 1" if which == 2 else f"-1 - ({self.leaf('int')} & 1)"

    def put_lane(self, name, kind, size):
        value = self.expression(self.pick((kind, kind, "bool")), 2)
        if self.chance(2):
            index = self.lane_index(size)
            return self.say(f"{name}[{index}] = {value}", f"{name} = {name}.put({index}, {value})")
        lane = self.below(size)
        self.say(f"{name}.{LANES[lane]} = {value}", f"{name} = {name}.put({lane}, {value})")

    def combine(self, name, kind, size, wanted=None):
        """An operator with a number or with the vector itself; the new type of the lanes, `wanted` when that is given."""
        rows = [row for row in COMBINED[kind] if wanted in (None, row[2])]
        symbol, other, result = self.pick(rows)
        operand = name if other == kind and self.chance(2) else self.expression(other, 1)
        self.say(f"{name} = {name} {symbol} {operand}")
        return result


class Vector:
    """What a vector means: lanes, Numbers of one type; a change makes a new one."""

    def __init__(self, kind, lanes):
        self.kind, self.lanes = kind, tuple(lanes)

    def __getattr__(self, name):
        return self.lanes[LANES.index(name)]

    def __getitem__(self, index):
        return self.lanes[operator.index(index)]

    def put(self, index, value):
        lanes = list(self.lanes)
        lanes[operator.index(index)] = meaning.Number(self.kind, meaning.as_number(value).to(self.kind))
        return Vector(self.kind, lanes)

    def combined(self, symbol, other):
        others = other.lanes if isinstance(other, Vector) else [other] * len(self.lanes)
        lanes = [meaning.binary(symbol, a, b) for a, b in zip(self.lanes, others)]
        return Vector(lanes[0].kind, lanes)

    def __eq__(self, other):
        return meaning.Number("bool", int(all(bool(a == b) for a, b in zip(self.lanes, other.lanes))))


def _install():
    for symbol, name in meaning.OPERATORS.items():
        setattr(Vector, f"__{name}__", lambda a, b, symbol=symbol: a.combined(symbol, b))
    for kind in meaning.FIXED:
        for size in range(1, 5):
            setattr(meaning.Stand, f"{kind}x{size}", staticmethod(
                lambda *values, kind=kind: Vector(kind, map(meaning.cast(kind), values))))


_install()

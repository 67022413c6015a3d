"""Statements of pseudo-code, as lines of Python over NumPy arrays.

Every thread goes every way; what is set on a way that only some take is chosen by a mask. A function takes what the pseudo-code reads
(S0, S1, S2, D0, SCC, VCC: a bool for each lane, EXEC: 64 bits, …) and gives what it sets.
"""

import re

from .expressions import Expressions, is_lane
from .pseudocode import Unreadable
from .values import DEFAULT_MODE, Value, container, is_float, seen_as, unsigned

REGISTERS = {"S0", "S1", "S2", "D0", "D1", "SCC", "EXEC", "VCC", "D0.lane", "VCC.lane", "EXEC.lane", "VCCZ", "EXECZ", "M0", "D"}
BITS = {"SCC": 1, "VCCZ": 1, "EXECZ": 1, "EXEC": 64, "VCC": 64, "D0.lane": 1, "VCC.lane": 1, "EXEC.lane": 1, "laneId": 32, "M0": 32, "D1": 1}


class Statements(Expressions):
    """`widths`: the bits of S0, S1, S2 and D0; `static`: what the instruction itself says (OPSEL, SIMM16, …); `others`: pseudo-code of
    other instructions, by name."""

    def __init__(self, widths, static, others, wide=False):
        super().__init__(wide, static.get("MODE", DEFAULT_MODE))
        self.widths, self.static, self.others = widths, static, others
        self.lines, self.environment, self.inputs, self.lambdas, self.arrays = [], {}, {}, {}, {}
        self.mask = self.alive = None  # names of masks: of this branch, and of who has not left a loop or function
        self.count, self.result, self.depth = 0, None, 0

    # ---- names

    def fresh(self):
        self.count += 1
        return f"t{self.count}"

    def emit(self, text):
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def settled(self, value):
        """A value whose text is a name."""
        return value if value.constant is not None or value.text.isidentifier() else value._replace(text=self.emit(value.text))

    def variable(self, name):
        if name in self.environment:
            return self.environment[name]
        if name in self.static:
            return self.number(self.static[name], ("u", 32))
        if name in ("laneID", "laneId"):
            return self.input("laneId")
        if name in REGISTERS:
            return self.input(name)
        if re.fullmatch(r"ROUND_\w+", name):
            return Value(name, "u", 32, 0)
        raise Unreadable(name)

    def input(self, name):
        known = self.inputs.get(name)
        if known is None:
            text = name.replace(".", "_")
            kind = "u" if BITS.get(name) else "b"
            known = self.inputs[name] = Value(text, kind, BITS.get(name) or self.widths.get(name, 32))
        return known

    def known(self, name):
        if name in self.static:
            return self.number(self.static[name], ("u", 32))
        if name == "WAVE_MODE.IEEE":
            return self.number(self.mode >> 9 & 1, ("u", 1))
        raise Unreadable(name)

    def rounding(self):
        found = self.environment.get("ROUND_MODE")
        return found.text if found else None

    def lane_of(self, tree):
        """VCC.u64[laneId], VGPR[laneId]: what belongs to the thread."""
        base = tree[1] if tree[0] == "as" else tree
        if base == ("name", "VGPR"):
            return Value("VGPR", "b", 32)
        return self.variable(base[1] + ".lane")

    def element(self, tree, index):
        """Elements of arrays, and registers by their number; None for bits."""
        if tree[0] == "bit" and tree[1] == ("name", "VGPR") and is_lane(tree[2]):
            return self.variable({"SRC0": "S0", "VDST": "D0"}[index[1][1]])
        if tree[0] != "name" or tree[1] not in self.arrays:
            return None
        kind, count = self.arrays[tree[1]]
        at = self.value(index)
        if at.constant is not None:
            name = f"{tree[1]}{at.constant}" if tree[1] == "S" else f"{tree[1]}.{at.constant}"
            return self.variable(name)
        parts = [self.variable(f"{tree[1]}.{i}") for i in range(count)]
        return Value(f"choose({at.text}, {', '.join(p.text for p in parts)})", *kind)

    # ---- statements

    def run(self, statements):
        for statement in statements:
            getattr(self, "do_" + statement[0])(*statement[1:])

    def do_declare(self, name, kind, count):
        if count is not None:
            self.arrays[name] = kind, count
        elif name not in REGISTERS:
            self.environment[name] = self.number(0, kind)

    def do_do(self, tree):
        if tree[0] != "call" or tree[1] != "nop":
            raise Unreadable(str(tree))

    def do_lambda(self, name, parameters, body):
        self.lambdas[name] = parameters, body

    def do_set(self, targets, sign, tree):
        if targets[0] == ("name", "ROUND_MODE"):
            name = tree[1]
            self.environment["ROUND_MODE"] = self.environment.get(name, Value(name, "u", 32, 0))
            return
        if tree == ("name", "ROUND_MODE"):
            self.environment[targets[0][1]] = self.environment.get("ROUND_MODE", Value("", "u", 32, 0))
            return
        if targets[0][0] == "member":  # TRAPSTS.INVALID and its like, which nothing here asks for
            return
        if sign:
            tree = ("binary", sign, targets[-1], tree)
        value = self.settled(self.value(tree))
        for target in reversed(targets):
            self.assign(target, value)

    def assign(self, target, value):
        kind = None
        if target[0] == "as":
            kind, target = target[2], target[1]
        if target[0] == "name":
            return self.store(target[1], self.fitted(value, kind))
        if target[0] == "join":
            return self.assign_parts(target[1], value)
        inner = target[1][1] if target[1][0] == "as" else target[1]
        if target[0] == "bit" and is_lane(target[2]):
            return self.store(inner[1] + ".lane", self.convert(value, "u", 1))
        if target[0] == "bit" and inner[0] == "bit" and inner[1] == ("name", "VGPR"):
            return self.store({"SRC0": "S0", "VDST": "D0"}[target[2][1][1]], self.fitted(value, kind))
        if target[0] == "bit" and inner[0] == "name" and inner[1] in self.arrays:
            at = self.value(target[2]).constant
            return self.store(f"{inner[1]}.{at}", self.fitted(value, self.arrays[inner[1]][0]))
        self.insert(inner, target, self.fitted(value, kind) if kind else value)

    def assign_parts(self, targets, value):
        raise Unreadable("values taken apart")

    def fitted(self, value, kind):
        if kind is None:
            return value
        if value.kind in "sb" and kind[0] != "b" or kind[0] == "b":
            return seen_as(value, *kind, self.constants)
        if self.wide and kind[0] in "ui" and value.type == ("i", 64):
            return Value(f"clipped({value.text}, {container(*kind)})", *kind)
        return self.convert(value, *kind)

    def insert(self, base, target, value):
        """Sets some bits of a variable."""
        if base[0] == "bit":  # VGPR[laneId][VDST.u32][15 : 0]
            base = ("name", {"SRC0": "S0", "VDST": "D0"}[base[2][1][1]])
        name = base[1]
        if target[0] == "bit":
            at = self.value(target[2])
            old = self.old(name, at.constant or 0)
            dtype = "U8" if old.bits > 32 else "U4"
            bit = f"({dtype}.type(1) << {self.convert(at, 'u', 64 if dtype == 'U8' else 32).text})"
            one = f"({self.convert(self.convert(value, 'u', 1), 'u', old.bits).text} << {self.convert(at, 'u', old.bits).text})"
            return self.store(name, Value(f"(({old.text} & ~{bit}) | {one})", "b", old.bits))
        high, low = (self.value(each).constant for each in target[2:])
        if high is None or low is None:
            raise Unreadable("bits at places that vary")
        if high < low:
            high, low = low, high
        width = high - low + 1
        bits = f"{unsigned(value)}" if container(*value.type) != "BOOL" else value.text
        if low == 0 and name in ("D0", "tmp") and width >= self.widths.get(name, 64 if width > 32 else 32):
            return self.store(name, Value(self.sized(bits, 64 if width > 32 else 32), "b", width))
        old = self.old(name, high)
        dtype = "U8" if old.bits > 32 else "U4"
        mask = (1 << width) - 1
        part = f"(({self.sized(bits, old.bits)} & {dtype}.type({mask})) << {dtype}.type({low}))"
        return self.store(name, Value(f"(({old.text} & {dtype}.type({~(mask << low) & (1 << 8 * int(dtype[1])) - 1})) | {part})", "b", old.bits))

    def sized(self, text, bits):
        return f"{text}.astype({'U8' if bits > 32 else 'U4'})"

    def old(self, name, high):
        """What a variable holds, as bits, at least `high` of them."""
        if name not in self.environment and name not in REGISTERS:
            return self.number(0, ("b", 64 if high > 31 else 32))._replace(constant=None)
        value = self.variable(name)
        bits = max(64 if high > 31 else 32, value.bits)
        return seen_as(value, "b", bits, self.constants)._replace(constant=None)

    def store(self, name, value):
        value = self.settled(value)
        mask = self.mask or self.alive
        if mask and (name in self.environment or name in REGISTERS and not name.endswith(".lane")):
            old = self.variable(name)
            if old.type != value.type:
                if is_float(old) == is_float(value) and old.bits == value.bits or old.kind in "sb" or is_float(value):
                    old = seen_as(old, *value.type, self.constants)
                else:
                    old = self.convert(old, *value.type)
            value = Value(self.emit(f"where({mask}, {value.text}, {old.text})"), value.kind, value.bits)
        self.environment[name] = value

    # ---- ways

    def do_if(self, branches, otherwise):
        outer, rest, chosen = self.mask or self.alive, None, []
        undefined = self.certain(branches, otherwise) if outer is None else set()
        for condition, body in branches:
            value = self.value(condition)
            if value.constant is not None:
                if not value.constant:
                    continue
                chosen.append((rest, body))
                rest = False
                break
            truth = self.emit(self.truth(value))
            base = rest or outer
            chosen.append((self.emit(f"{base} & {truth}") if base else truth, body))
            rest = self.emit(f"{base} & ~{truth}" if base else f"~{truth}")
        if rest is not False and otherwise:
            chosen.append((rest, otherwise))
        first = True
        for mask, body in chosen:
            self.branch(mask, body, undefined if first else ())
            first = False

    def branch(self, mask, body, undefined):
        """`undefined`: what every branch sets, so that the first need not ask for what was there."""
        saved = self.mask
        self.mask = mask or saved
        if undefined:
            for name in undefined & REGISTERS:
                self.environment.setdefault(name, Value(f"{container('u', self.widths.get(name, 32))}.type(0)", "b", self.widths.get(name, 32)))
        self.run(body)
        self.mask = saved

    def certain(self, branches, otherwise):
        """Registers that are set as a whole whatever the conditions, and not read before."""
        return set.intersection(*(self.sets(body) for _, body in branches), self.sets(otherwise)) - set(self.environment) - set(self.inputs)

    def sets(self, body):
        found = set()
        for statement in body:
            if statement[0] == "set":
                for target in statement[1]:
                    target = target[1] if target[0] == "as" else target
                    found |= {target[1]} if target[0] == "name" else set()
            elif statement[0] == "if" and statement[2]:
                found |= set.intersection(*(self.sets(b) for _, b in statement[1]), self.sets(statement[2]))
        return found

    def do_for(self, name, first, last, body):
        first, last = self.value(first).constant, self.value(last).constant
        outer, saved = self.alive, self.environment.get(name)
        for number in range(first, last + 1):
            self.environment[name] = self.number(number)
            self.run(body)
        self.alive = outer
        self.environment.pop(name, None)
        if saved:
            self.environment[name] = saved

    def do_break(self):
        leave = self.mask or self.alive
        self.alive = self.emit(f"{self.alive} & ~{leave}" if self.alive else f"~{leave}")

    def do_return(self, tree):
        value = self.settled(self.value(tree))
        mask = self.mask or self.alive
        if self.result is None:
            self.result = value
        else:
            self.result = Value(self.emit(f"where({mask}, {self.convert(value, *self.result.type).text}, {self.result.text})"), *self.result.type)

    # ---- functions of the pseudo-code

    def inline(self, name, trees):
        if name in self.lambdas:
            parameters, body = self.lambdas[name]
            return self.inlined(dict(zip(parameters, [self.settled(self.value(t)) for t in trees])), body, None)
        body = self.others(name)
        if body is None:
            return None
        values = [self.settled(self.value(t)) for t in trees]
        return self.inlined({f"S{i}": v for i, v in enumerate(values)}, body, "D0")

    def inlined(self, arguments, body, result):
        if self.depth > 4:
            raise Unreadable("calls too deep")
        saved = self.environment, self.mask, self.alive, self.result
        self.environment, self.mask, self.alive, self.result = {**arguments}, None, None, None
        self.depth += 1
        self.run(body)
        self.depth -= 1
        value = self.environment[result] if result else self.result
        self.environment, self.mask, self.alive, self.result = saved
        return value

"""Struct classes that factories make, several of one name that differ in what their methods capture, and functions that are called
with more keywords than CPython puts on the stack (for programs.Maker)."""

import dataclasses

import meaning


@dataclasses.dataclass
class Made:
    """A class: what its name is, its field's type, its method's parameter and result, and what was captured."""
    name: str
    field: str
    parameter: str
    result: str
    captured: str


@dataclasses.dataclass
class Wide:
    name: str
    parameters: dict  # {name: type}
    result: str


class FactoryStatements:
    def factory(self):
        """A function that makes a struct class, called with two or three values, one of them maybe twice."""
        name, field, parameter = f"make{len(self.made)}", self.pick(meaning.KINDS), self.pick(meaning.KINDS)
        literal = self.chance(2)
        kind = self.pick(("int", "float")) if literal else self.pick(meaning.FIXED)
        self.names = {"p": parameter, "self.v": field}
        if not literal:
            self.names["c"] = kind
        result, value = self.returned(kind) if literal else (self.pick(meaning.KINDS), None)
        value = value or self.expression(result, 2)
        for line in (f"def {name}(c):", "    @device.struct", "    class F:", f"        v: {self.caster(field)}", "",
                     "        def turn(self, p):", f"            return {value}", "    return F", "", ""):
            self.say(line)
        self.names = {}
        values = [self.literal(kind, "<<") if literal else f"{self.caster(kind)}({self.below(100)})" for _ in range(2)]
        for captured in values + values[:self.below(2)]:
            made = Made(f"F{len(self.made)}", field, parameter, result, captured)
            self.say(f"{made.name} = {name}({captured})")
            self.made.append(made)
        self.say("")
        self.say("")

    def returned(self, kind):
        """(type, expression) in which a literal that is captured is an operand, as a literal is."""
        symbol, a, b, result = self.pick([(symbol, a, b, result) for result in meaning.KINDS for symbol, a, b in self.rows(result)
                                          if b == kind and a not in ("int", "float", "bool")])
        return result, f"({self.expression(a, 1)} {symbol} c)"

    def of_factory(self, depth):
        """A value of a class, of one of two equal ones, and what its method gives."""
        if not self.made:
            return self.assign(depth)
        made, name, read = self.pick(self.made), self.fresh("t"), self.fresh()
        value = f"{made.name}({self.expression(made.field, 2)})"
        equal = [other for other in self.made if other != made and dataclasses.replace(other, name=made.name) == made]
        if equal:
            value = f"({value} if {self.condition(1)} else {equal[0].name}({self.expression(made.field, 1)}))"
        self.say(f"{name} = {value}")
        self.say(f"{read} = {name}.turn({self.expression(made.parameter, 1)})")
        self.names[read] = made.result

    def wide_function(self):
        parameters = {f"p{k}": self.pick(meaning.KINDS) for k in range(14 + self.below(6))}
        made = Wide(f"w{len(self.wide)}", parameters, self.pick(meaning.KINDS))
        order = list(parameters)
        order.insert(self.below(len(order)), "*")
        self.names = dict(parameters)
        self.say(f"def {made.name}({', '.join(order)}):")
        self.say(f"    return {self.expression(made.result, 4)}")
        self.say("")
        self.say("")
        self.names = {}
        self.wide.append(made)

    def call_wide(self, depth):
        if not self.wide:
            return self.assign(depth)
        made, name = self.pick(self.wide), self.fresh()
        left, given = list(made.parameters), []
        while left:
            parameter = left.pop(self.below(len(left)))
            given.append(f"{parameter}={self.expression(made.parameters[parameter], self.below(2))}")
        cut = self.below(len(given))
        if self.chance(4):  # the rest from a dict
            rest = ", ".join("'{}': {}".format(*one.split("=", 1)) for one in given[cut:])
            given = given[:cut] + [f"**{{{rest}}}"]
        self.say(f"{name} = {made.name}({', '.join(given)})")
        self.names[name] = made.result

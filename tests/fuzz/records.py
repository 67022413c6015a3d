"""Structs in random programs: their declarations, the statements that make, change and read them (for programs.Maker), and what they
mean (for meaning.Stand). A field that is in scope is a name of the program, `t3.f0`; it changes by `put` alone."""

import dataclasses
import operator

import meaning


@dataclasses.dataclass
class Declared:
    name: str
    fields: dict        # {name: kind, or Declared}
    method: tuple = ()  # (type of its parameter, type of its result)


class RecordStatements:
    def declare(self):
        """A struct of up to four fields, the last of which may be an earlier struct; maybe with a method."""
        made = Declared(f"S{len(self.structs)}", {f"f{k}": self.pick(meaning.KINDS) for k in range(1 + self.below(4))})
        if self.structs and self.chance(2):
            made.fields["inner"] = self.structs[0]
        self.say("@device.struct" if not self.chance(4) else f"@device.struct(align={self.pick((16, 2, 64))})")
        self.say(f"class {made.name}:")
        self.indent += 1
        for name, kind in made.fields.items():
            self.say(f"{name}: {kind.name if isinstance(kind, Declared) else self.caster(kind)}")
        if self.chance(2):
            made.method = self.method(made)
        self.indent -= 1
        self.say("")
        self.say("")
        self.structs.append(made)

    def method(self, made):
        kind, result = self.pick(meaning.KINDS), self.pick(meaning.KINDS)
        self.names = {"p": kind, **self.parts("self", made)}
        self.say("")
        self.say("def method(self, p):")
        self.say(f"    return {self.expression(result, 2)}")
        self.names = {}
        return kind, result

    def parts(self, name, declared):
        """{what reads a number of it: type}"""
        found = {}
        for field, kind in declared.fields.items():
            found.update(self.parts(f"{name}.{field}", kind) if isinstance(kind, Declared) else {f"{name}.{field}": kind})
        return found

    def is_known(self, name):
        return next(iter(self.parts(name, self.records[name]))) in self.names

    def record(self, depth):
        if not self.structs:
            return self.assign(depth)
        known = [name for name in self.records if self.is_known(name)]
        makers = [self.make_record] + ([self.put_field, self.put_field, self.replaced, self.read_record] if known else [])
        self.pick(makers)(known)

    def value_of(self, declared):
        values = []
        for k, (field, kind) in enumerate(declared.fields.items()):
            value = self.value_of(kind) if isinstance(kind, Declared) else self.expression(kind, 1)
            values.append(f"{field}={value}" if values and values[-1].startswith(f"f{k - 1}=") or self.chance(4) else value)
        return f"{declared.name}({', '.join(values)})"

    def bind(self, name, declared):
        self.records[name] = declared
        self.names.update(self.parts(name, declared))

    def make_record(self, known):
        declared = self.pick(self.structs)
        value, name = self.value_of(declared), self.fresh("t")
        self.say(f"{name} = {value}")
        self.bind(name, declared)

    def put_field(self, known):
        name = self.pick(known)
        field, kind = self.pick(list(self.records[name].fields.items()))
        if next(iter(self.parts(name, self.records[name]))) in self.constants:  # a nested function reads it
            return self.make_record(known)
        value = self.value_of(kind) if isinstance(kind, Declared) else self.expression(kind, 2)
        self.say(f"{name}.{field} = {value}", f"{name} = {name}.replace({field}={value})")

    def replaced(self, known):
        old, name = self.pick(known), self.fresh("t")
        numbers = [(field, kind) for field, kind in self.records[old].fields.items() if not isinstance(kind, Declared)]
        field, kind = self.pick(numbers)
        value = self.expression(kind, 2)
        self.say(f"{name} = {old}.replace({field}={value})" if self.chance(2) else f"{name} = {old}")
        self.bind(name, self.records[old])

    def read_record(self, known):
        name, read = self.pick(known), self.fresh()
        declared = self.records[name]
        which = self.below(3)
        if which == 0 and declared.method:
            kind, result = declared.method
            self.say(f"{read} = {name}.method({self.expression(kind, 1)})")
            self.names[read] = result
        elif which == 1:
            kinds = list(declared.fields.values())
            self.say(f"{read}, *{self.fresh('t')} = {name}")
            self.names[read] = kinds[0]
        else:
            place = self.below(sum(not isinstance(kind, Declared) for kind in declared.fields.values()))
            self.say(f"{read} = {name}[{place if self.chance(2) else place - len(declared.fields)}]")
            self.names[read] = list(declared.fields.values())[place]


class Record:
    """What a struct means: its fields, each a Number of its type or a Record; a change makes a new one."""

    def __init__(self, struct, values):
        self.struct, self.values = struct, values

    def __getattr__(self, name):
        if name in self.struct.kinds:
            return self.values[list(self.struct.kinds).index(name)]
        return self.struct.methods[name].__get__(self)

    def __getitem__(self, index):
        return self.values[operator.index(index)]

    def __iter__(self):
        return iter(self.values)

    def replace(self, **changed):
        return self.struct(**{**dict(zip(self.struct.kinds, self.values)), **changed})


class Struct:
    """What a struct's declaration means."""

    def __init__(self, declared):
        self.kinds = dict(declared.__annotations__)
        self.methods = {name: value for name, value in vars(declared).items() if callable(value)}

    def __call__(self, *values, **named):
        given = {**dict(zip(self.kinds, values)), **named}
        return Record(self, [value if isinstance(value, Record) else self.field(name, value)
                             for name, value in ((name, given[name]) for name in self.kinds)])

    def field(self, name, value):
        """In its format: a field declared `float` holds a float32 alone."""
        made = self.kinds[name](value)
        return meaning.Number(made.kind, made.value)


def struct(declared=None, align=0):
    return Struct if declared is None else Struct(declared)


meaning.Stand.struct = staticmethod(struct)

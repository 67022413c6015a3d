"""What a library declares, as data: read by libclang (parse.py), decided upon by the attributes (calls.py)."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Type:
    """A type of C++ without its outermost pointers.

    kind: "void", "number", "char", "string", "vector", "struct", "class", "function", "other".
    """
    kind: str
    name: str                       # what it points to in C++, without const: "double", "std::vector<int>"
    number: str = ""                # of NumPy's format of that name
    bytes: int = 0
    levels: int = 0                 # how many pointers
    const: bool = False             # what they point to
    reference: bool = False
    rvalue: bool = False            # a reference to what may be taken from
    element: "Type | None" = None   # of a vector
    spelling: str = ""              # as the user wrote it
    arguments: tuple = ()           # types of a function's arguments; its result is `element`
    rows: str = ""                  # of a pointer to arrays, "double (*)[2]"; the rest says what these are made of
    laid: bool = False              # a class whose objects arrays of NumPy can have: its fields are those of a plain struct, and addresses

    @property
    def indirect(self):
        """How far the value is away: pointers, and a reference."""
        return self.levels + self.reference

    @property
    def of_arrays(self):
        """Whether it is what arrays of NumPy have."""
        return self.kind in ("number", "struct") or self.laid


@dataclasses.dataclass(frozen=True)
class Place:
    """Offsets into the declarations."""
    begin: int
    end: int


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter, or with the name of a function its result."""
    name: str
    type: Type
    attributes: dict                # name: Attribute
    place: Place
    default: bool = False
    null: bool = False              # it may be a null pointer, as a default argument or clang's _Nullable says

    nullable = property(lambda self: self.null or "nullable" in self.attributes, doc="Whether None may be passed for an object.")

    def value(self, name):
        """What an attribute's brackets hold, or None."""
        return self.attributes[name].value if name in self.attributes else None


@dataclasses.dataclass(frozen=True)
class Field:
    """A field of a record."""
    name: str
    type: Type                      # of its elements, where it is an array
    offset: int
    extents: tuple = ()
    fixed: bool = False             # nobody writes it
    bits: bool = False              # it has some bits of a number
    attributes: dict = dataclasses.field(default_factory=dict)
    place: Place = Place(0, 1)
    cxx: str = ""                   # its name in C++, where Python has another one


@dataclasses.dataclass(frozen=True)
class Passed:
    """One parameter, or the result. way: "number", "character", "array", "text", "texts", "string", "vector", "pointer", "address", "any",
    "object", "objects", "struct", "callback", "nothing"."""
    parameter: Parameter
    way: str
    intent: str = "in"
    rank: int = 0                  # of an array
    dimensions: tuple = ()         # expressions of C++
    deref: str = ""
    idtor: int = 0
    given: bool = False            # it comes back as a function's result does, through a pointer to it
    hidden: bool = False
    implied: str = ""
    device: bool = False
    buffer: bool = False           # a text that goes to a buffer of the caller's
    field: str = ""                # a field of that kind (fields.py)

    name = property(lambda self: self.parameter.name)
    type = property(lambda self: self.parameter.type)
    asked = property(lambda self: self.buffer or not (self.hidden or self.implied or self.intent == "out"),
                     doc="Whether Python passes it.")
    returned = property(lambda self: not self.hidden and not self.buffer and self.intent != "in" and not self.implied,
                        doc="Whether Python gets it back.")


DEFAULT_MADE = "hetjit::library::default_made"  # what makes an object of a class that declares no constructor


@dataclasses.dataclass(frozen=True)
class Function:
    """kind: "function", "method", "constructor", "getter", "setter"; "base": what makes a class's object one of its base's."""
    name: str                       # in Python
    scope: tuple                    # names of namespaces and classes around it
    kind: str
    result: Parameter
    parameters: tuple
    expression: str                 # what calls it in C++: "::app::area", "hetjit_self->area"
    owner: str = ""                 # the class, in C++
    field: Field | None = None      # what it reads or writes
    beside: tuple = ()              # of a field: the Fields of the class, which its attributes may name

    @property
    def title(self):
        """What it is called by: a constructor by its class."""
        return self.scope[-1] if self.name == "__init__" and self.scope else self.name

    @property
    def declared(self):
        """As its header has it."""
        parameters = ", ".join(f"{each.type.spelling} {each.name}" for each in self.parameters)
        result = "" if self.kind == "constructor" else f"{self.result.type.spelling} "
        return f"{result}{self.title}({parameters})"

    @property
    def told(self):
        """How messages about it begin."""
        return f"{self.scope[-1]}.{self.name}" if self.kind in ("getter", "setter") and self.scope else f"{self.title}()"


@dataclasses.dataclass(frozen=True)
class Record:
    """A class whose objects Python handles, or a struct that lies in NumPy's memory."""
    name: str
    scope: tuple
    cxx: str
    size: int
    plain: bool                     # a struct of numbers and such structs
    fields: tuple                   # its Fields that are public
    place: Place
    bases: tuple = ()               # names in C++ of the classes that it is derived from in public
    laid: bool = False              # plain, but for addresses among its fields


@dataclasses.dataclass(frozen=True)
class Declared:
    """All that a text declares."""
    functions: tuple
    records: dict                   # by name in C++
    constants: tuple                # (scope, name, value)
    files: tuple                    # that were included
    refused: tuple = ()             # (function's name, BindError): what Python cannot call
    absent: tuple = ()              # (class, field, why): what its objects in Python do not have
    elsewhere: frozenset = frozenset()  # names of functions that included files declare

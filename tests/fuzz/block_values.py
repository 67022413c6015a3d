"""Types and expressions of kernels whose threads work together (blocks.py): fixed formats, vectors, complex numbers and structs, so that
what crosses a barrier, a shuffle or shared memory has every size."""

import numpy as np

SIGNED = ("int8", "int16", "int32", "int64")
INTEGERS = (*SIGNED, "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64", "float16")
NUMBERS = ("int32", *(kind for kind in (*INTEGERS, *FLOATS) if kind != "int32"))  # the simplest first

AGGREGATES = {  # {type: {part: its type}}
    "int32x2": {"x": "int32", "y": "int32"},
    "int8x3": {"x": "int8", "y": "int8", "z": "int8"},
    "float32x4": {"x": "float32", "y": "float32", "z": "float32", "w": "float32"},
    "float64x3": {"x": "float64", "y": "float64", "z": "float64"},
    "complex64": {"real": "float32", "imag": "float32"},
    "complex128": {"real": "float64", "imag": "float64"},
    "Pair": {"key": "int16", "weight": "float64", "flag": "bool"},
    "Node": {"place": "float32x4", "pair": "Pair", "count": "uint8"},
}
# A thread's place in its block and in the grid, axis by axis: read where the kernel needs it.
PLACES = (*(f"device.thread_idx.{axis}" for axis in "xyz"), "device.tid(3)[1]")
# A thread's row and its place in it, where a row is some threads along x.
ROWS = tuple(f"device.int32({which})" for which in (
    "device.thread_idx.x // 32", "device.thread_idx.x % 32", "device.thread_idx.x >> 4", "device.thread_idx.x & 15", "device.tid(1) // 16",
    "device.tid(1) & 31", "device.thread_idx.x // 32 * 32 + device.thread_idx.x % 32"))
SHORT = ("bfloat16",)  # that NumPy has no elements of: results are written as float32
KINDS = (*NUMBERS, "bool", *SHORT, *AGGREGATES)
DECLARATIONS = """@device.struct
class Pair:
    key: device.int16
    weight: device.float64
    flag: bool


@device.struct
class Node:
    place: device.float32x4
    pair: Pair
    count: device.uint8


"""


def spelled(kind):
    """A type as device code names it."""
    return kind if kind in ("bool", "Pair", "Node") else f"device.{kind}"


def leaves(kind, path=""):
    """[(what is written behind a value, number's type)] of all numbers in it."""
    if kind not in AGGREGATES:
        return [(path, kind)]
    return [leaf for part, inner in AGGREGATES[kind].items() for leaf in leaves(inner, f"{path}.{part}")]


def size_of(kind):
    """At least the bytes of one."""
    return 48 if kind in AGGREGATES else 2 if kind in SHORT else np.dtype("bool" if kind == "bool" else kind).itemsize


class Values:
    """Expressions as text, well typed by construction. In scope: self.names, {name: type}; self.inputs, {array: type}."""

    def kind(self):
        """Mostly numbers: vectors and structs cost the compiler much."""
        return self.pick(KINDS) if self.chance(2) else self.pick((*NUMBERS, *SHORT, "bool"))

    def pick(self, options):
        options = list(options)
        return options[self.below(len(options))]

    def chance(self, one_in):
        return self.below(one_in) == one_in - 1

    def named(self, kind):
        return [name for name, has in self.names.items() if has == kind]

    def variables(self, kinds=KINDS):
        """Those that may be assigned to."""
        return [name for name, has in self.names.items() if has in kinds and name not in self.constant]

    @staticmethod
    def cast(kind, text):
        return f"(({text}) != 0)" if kind == "bool" else f"device.{kind}({text})"

    def made(self, kind, number):
        """An aggregate of `number(type)`s."""
        parts = [self.made(inner, number) if inner in AGGREGATES else number(inner) for inner in AGGREGATES[kind].values()]
        return f"{spelled(kind)}({', '.join(parts)})"

    def leaf(self, kind):
        found = self.named(kind)
        if found and not self.chance(4):
            return self.pick(found)
        if kind in AGGREGATES:
            return self.made(kind, self.leaf)
        return self.cast(kind, self.pick(("t", "3", "t & 7", "n", "device.block_idx.x", str(self.below(100)), *PLACES, *self.uniform)))

    def expression(self, kind, depth=2):
        if depth <= 0:
            return self.leaf(kind)
        makers = [self.leaf_of, self.ternary, self.part, self.element]
        if kind == "bool":
            makers += [self.comparison, self.comparison, self.logic]
        elif kind in AGGREGATES:
            makers += [self.aggregate, self.replaced]
        else:
            makers += [self.binary, self.binary, self.converted, self.choice]
        return self.pick(makers)(kind, depth - 1)

    def leaf_of(self, kind, depth):
        return self.leaf(kind)

    def ternary(self, kind, depth):
        return f"({self.expression(kind, depth)} if {self.expression('bool', depth)} else {self.expression(kind, depth)})"

    def part(self, kind, depth):
        found = [name + path for name, has in self.names.items() if has in AGGREGATES for path, inner in leaves(has) if inner == kind]
        return self.pick(found) if found else self.leaf(kind)

    def element(self, kind, depth):
        """Of an input array, at a place that is affine in the thread's number or gathered."""
        found = [name for name, has in self.inputs.items() if has == kind]
        return f"{self.pick(found)}[{self.place('16', depth)}]" if found else self.leaf(kind)

    def binary(self, kind, depth):
        symbols = ("+", "-", "*", "/") if kind in (*FLOATS, *SHORT) else ("+", "-", "*", "^", "&", "|", "//", "%")
        return self.cast(kind, f"{self.expression(kind, depth)} {self.pick(symbols)} {self.expression(kind, depth)}")

    def converted(self, kind, depth):
        return self.cast(kind, self.expression(self.pick((*NUMBERS, "bool")), depth))

    def choice(self, kind, depth):
        return f"{self.pick(('min', 'max'))}({self.expression(kind, depth)}, {self.expression(kind, depth)})"

    def comparison(self, kind, depth):
        other = self.pick(NUMBERS)
        right = str(self.below(10)) if self.chance(2) else self.expression(other, depth)
        return f"({self.expression(other, depth)} {self.pick(('<', '>', '==', '!=', '<=', '>='))} {right})"

    def logic(self, kind, depth):
        which = self.pick(("and", "or", "not"))
        if which == "not":
            return f"(not {self.expression('bool', depth)})"
        return f"({self.expression('bool', depth)} {which} {self.expression('bool', depth)})"

    def aggregate(self, kind, depth):
        return self.made(kind, lambda inner: self.expression(inner, depth))

    def replaced(self, kind, depth):
        found = self.named(kind) if not kind.startswith("complex") else []
        if not found:
            return self.leaf(kind)
        part, inner = self.pick(AGGREGATES[kind].items())
        return f"{self.pick(found)}.replace({part}={self.expression(inner, depth)})"

    def place(self, size, depth=1):
        """An index from 0 to size - 1 of any thread's choice."""
        which = self.below(7)
        if which == 6:
            return f"({self.pick(ROWS)} + {self.below(3)}) % {size}"
        if which < 2:
            return f"(t + {self.pick((1, 0, 2, 7, 31, *self.uniform))}) % {size}"
        if which == 2:
            return self.pick((f"(t * 5) % {size}", f"{size} - 1 - t % {size}", f"t // 2 % {size}"))
        if which == 3:
            return f"{self.below(4)} % {size}"
        return f"device.int32({self.expression(self.pick(INTEGERS), depth)}) % {size}"

    def exact(self, kind):
        """A value without NaN and negative zero, whose bits are the same everywhere, from few different ones; floats are whole numbers."""
        if kind in AGGREGATES:
            return self.made(kind, self.exact)
        found = [name for name in self.variables(INTEGERS)]
        whole = f"device.int32({self.pick(found)}) % {2 + self.below(5)}" if found and self.chance(2) else \
            self.pick(("t % 3", "t // 4 % 8", "t", "2", *self.uniform))
        return self.cast(kind, whole)

    def same_for_all(self):
        """A condition that all threads of a block find alike."""
        name = self.pick([*self.uniform, "n", "device.int32(device.block_idx.x)"])
        which = self.below(3)
        if which == 0:
            return f"{name} {self.pick(('<', '>', '==', '!='))} {self.below(5)}"
        if which == 1:
            return f"{name} % {2 + self.below(2)} == {self.below(2)}"
        return f"({name} > {self.below(3)}) == (n % 2 == 0)"

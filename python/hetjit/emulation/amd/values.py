"""Values of pseudo-code as Python text: what NumPy type holds them, and how one becomes another.

A kind is u, i, f or bf with its bits, b (bits of a register) or s (some bits of one: a slice, which arithmetic widens). One bit is a bool.
bf is held as the float32 that it stands for.
"""

from typing import NamedTuple

import numpy as np

DTYPES = {"BOOL": np.dtype(np.bool_)} | {f"{k.upper()}{n}": np.dtype(f"{k}{n}") for k in "uif" for n in (1, 2, 4, 8) if (k, n) != ("f", 1)}


DEFAULT_MODE = 0xF0  # of the register MODE: floats are rounded to the nearest, denormals kept


class Value(NamedTuple):
    text: str
    kind: str
    bits: int
    constant: object = None  # a Python number, where it is known

    @property
    def type(self):
        return self.kind, self.bits


def container(kind, bits):
    """The name of the NumPy type."""
    if bits == 1:
        return "BOOL"
    if kind == "bf":
        return "F4"
    if kind == "f":
        return f"F{bits // 8}"
    letter = "I" if kind == "i" else "U"
    if kind == "s" or bits not in (8, 16, 32, 64):
        return letter + ("4" if bits <= 32 else "8")
    return f"{letter}{bits // 8}"


def is_float(value):
    return value.kind in ("f", "bf")


class Constants:
    """Numbers that generated functions use, by name."""

    def __init__(self):
        self.names = {}

    def of(self, value, kind, bits):
        name = container(kind, bits)
        if name == "BOOL":
            number = np.bool_(value)
        elif name[0] == "F":
            number = DTYPES[name].type(value)
        else:
            number = np.array(int(value) & (1 << 8 * int(name[1])) - 1, f"u{name[1]}").view(DTYPES[name])[()]
        text = f"c{name}_{str(value).replace('-', 'm').replace('.', '_').replace('+', '')}"
        self.names[text] = number
        return Value(text, kind, bits, value)


def unsigned(value):
    """The bits of a value, as text of an unsigned type of its own width."""
    name = container(*value.type)
    if value.kind == "bf":
        return f"bf16_bits({value.text}).astype(U4)"
    return value.text if name[0] in "UB" else f"{value.text}.view(U{name[1]})"


def trimmed(text, name, kind, bits):
    """A value in its container, of which bits beyond its own are made what they must be."""
    width = 8 * int(name[1]) if name != "BOOL" else 1
    if bits == width:
        return text
    if kind == "i":
        return f"(({text} << {name}.type({width - bits})) >> {name}.type({width - bits}))"
    return f"({text} & {name}.type({(1 << bits) - 1}))"


def converted(value, kind, bits, constants):
    """A number as one of another type (C's conversion)."""
    if value.type == (kind, bits):
        return value
    if value.constant is not None:
        number = value.constant
        if kind in ("f", "bf"):
            return constants.of(float(number), kind, bits)
        return constants.of(wrapped(int(number), kind, bits), kind, bits)
    to = container(kind, bits)
    if to == "BOOL":
        return Value(f"({value.text} != 0)", kind, bits)
    if kind == "bf":
        return Value(f"rounded_bf16({value.text})", kind, bits)
    if kind == "f" and bits == 16 and is_float(value) and container(*value.type) == "F8":
        return Value(f"{value.text}.astype(F2)", kind, bits)
    same = container(*value.type) == to
    text = value.text if same else f"{value.text}.astype({to})"
    if kind != "f" and bits < value.bits:
        text = trimmed(text, to, kind, bits)
    return Value(text, kind, bits)


def wrapped(number, kind, bits):
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind == "i" and number >> bits - 1 else number


def seen_as(value, kind, bits, constants):
    """The bits of a value as another type: more of them are zeros, or the sign where both are signed."""
    if value.type == (kind, bits):
        return value
    if value.constant is not None and not is_float(value) and kind not in ("f", "bf"):
        return constants.of(wrapped(value.constant, kind, bits), kind, bits)
    if is_float(value) and kind in ("f", "bf"):
        return converted(value, kind, bits, constants)
    if value.kind == "i" and kind == "i":
        return converted(value, kind, bits, constants)
    of, to = container(*value.type), container(kind, bits)
    text = unsigned(value)
    if to == "BOOL":
        return Value(f"(({text} & 1) != 0)" if of != "BOOL" else text, kind, bits)
    if kind == "bf":
        return Value(f"bf16_value({text}.astype(U2))", kind, bits)
    if of == "BOOL" or of[1] != to[1]:
        text = f"{text}.astype(U{to[1]})"
    if to[0] != "U":
        text = f"{text}.view({to})"
    if kind not in ("f", "s") and bits < value.bits or kind == "i" and bits < 8 * int(to[1]):
        text = trimmed(text, to, kind, bits)
    return Value(text, kind, bits)


def common(a, b):
    """The type that arithmetic on two values is done in."""
    if is_float(a) or is_float(b):
        floats = [("f", 32) if v.kind == "bf" else v.type for v in (a, b) if is_float(v)]
        return max(floats, key=lambda t: t[1])
    for one, other in ((a, b), (b, a)):
        if one.constant is not None and other.constant is None and other.kind not in "sb" and one.bits <= 32 and other.bits > 1:
            return other.kind, max(other.bits, 1)
    types = [widened(v) for v in (a, b)]
    bits = max(t[1] for t in types)
    return ("u" if any(t[0] == "u" and t[1] == bits for t in types) else "i"), bits


def widened(value):
    if value.kind in "sb" or value.bits == 1:
        return "u", value.bits if value.kind == "b" and value.bits in (8, 16) else 32 if value.bits <= 32 else 64
    return value.type

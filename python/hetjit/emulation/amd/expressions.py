"""Expressions of pseudo-code, as Python text over NumPy arrays."""

import re

from .pseudocode import F64, I32, U32, Unreadable, type_of
from .values import Constants, Value, common, container, converted, is_float, seen_as, trimmed, unsigned, widened

NUMBERS = {"PI": 3.141592653589793, "INF": float("inf"), "NAN": float("nan"), "UNDERFLOW_F32": 0.0,
           "OVERFLOW_F32": float("inf"), "UNDERFLOW_F64": 0.0, "OVERFLOW_F64": float("inf"), "MAX_FLOAT_F32": 3.4028234663852886e38,
           "OVERFLOW_F16": float("inf"), "UNDERFLOW_F16": 0.0}
COMPARISONS = {"==": "==", "!=": "!=", "<>": "ordered_unequal", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
FOLDED = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
          "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b, "**": lambda a, b: a ** b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
          "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "/": lambda a, b: a / b,
          "&&": lambda a, b: bool(a and b), "||": lambda a, b: bool(a or b)}
SAME = {"floor", "ceil", "trunc", "sqrt", "cvtToQuietNAN", "mantissa", "fract", "round_to_even", "sin_of_turns", "cos_of_turns"}  # functions of a float to one like it
TESTS = {"isNAN", "isQuietNAN", "isSignalNAN", "isEven", "sign", "isDENORM", "isINF"}  # functions to a bool
OPERATIONS = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}
LANE = ("name", "laneId"), ("name", "laneID")


def is_lane(tree):
    return tree in LANE or tree[0] == "as" and is_lane(tree[1])


def peeled(tree):
    """Without a conversion to float64, which would make quiet what signals."""
    while tree[0] == "to" and tree[1] == F64:
        tree = tree[2]
    return tree


class Expressions:
    """What reads values. The rest of a meaning (statements.py) gives `variable`, `known`, `inline` and `emit`."""

    def __init__(self, wide, mode):
        self.constants = Constants()
        self.wide = wide  # integers are computed in 64 bits, for what is clamped in the end
        self.mode = mode  # the register MODE
        self.keeps = False  # subnormal numbers, whatever the mode

    def value(self, tree):
        return getattr(self, "value_" + tree[0])(*tree[1:])

    def number(self, value, type=I32):
        return self.constants.of(value, *type)

    def convert(self, value, kind, bits):
        way = self.way(bits)
        if kind == "f" and way and value.constant is None and value.type != (kind, bits) and (value.bits > bits or not is_float(value)):
            function = "narrowed" if is_float(value) else "from_integer"
            return Value(f"{function}({value.text}, {container(kind, bits)}, {way!r})", kind, bits)
        return converted(value, kind, bits, self.constants)

    def way(self, bits):
        """How floats of so many bits are rounded: None to the nearest, else rz, rm or rp."""
        return (None, "rp", "rm", "rz")[self.mode >> (0 if bits == 32 else 2) & 3]

    def flushed(self, value, what):
        """A float that an instruction reads (1) or writes (2), where subnormal ones are flushed."""
        allowed = self.mode >> (4 if value.bits == 32 else 6) & what
        return value if value.kind != "f" or allowed or self.keeps else value._replace(text=f"flush({value.text})")

    def value_number(self, value, type):
        return self.number(value, type)

    def value_name(self, name):
        if name in NUMBERS:
            return self.number(NUMBERS[name], F64)
        return self.variable(name)

    def value_member(self, tree, name):
        return self.known(f"{tree[1]}.{name}")

    def value_as(self, tree, type):
        if tree == ("name", "NAN") or tree == ("name", "INF"):
            return self.number(NUMBERS[tree[1]], type)
        value = self.value(tree)
        if is_float(value) and value.constant is not None:
            return self.number(value.constant, type)
        seen = seen_as(value, *type, self.constants)
        if not is_float(value):
            seen = self.flushed(seen, 1)
        if self.wide and type[0] in "ui" and type[1] in (16, 32):
            return self.convert(seen, "i", 64)
        return seen

    def value_to(self, type, tree):
        value = self.value(tree)
        kind, bits = type
        if kind == "b":
            return seen_as(value, kind, bits, self.constants)
        if kind in ("f", "bf") and not is_float(value) and (value.kind in "sb" or value.constant is not None):
            return self.number_of_bits(value, kind, bits)
        if bits == 65:  # nobody looks at the last bit but mad_u64_u32, of which a row speaks
            raise Unreadable("65 bits")
        return self.convert(value, kind, bits)

    def number_of_bits(self, value, kind, bits):
        raw = self.number(value.constant, ("b", bits)) if value.constant is not None else value
        return seen_as(raw._replace(constant=None), kind, bits, self.constants)

    # ---- parts

    def value_bit(self, tree, index):
        if is_lane(index):
            return self.lane_of(tree)
        array = self.element(tree, index)
        if array is not None:
            return array
        base, at = self.value(tree), self.value(index)
        if base.constant is not None and at.constant is not None:
            return self.number(base.constant >> at.constant & 1, ("u", 1))
        if base.bits == 1 and at.constant == 0:
            return base
        name = "U8" if base.bits > 32 else "U4"
        bits = unsigned(base) if base.bits >= 32 else f"{unsigned(base)}.astype({name})"
        one = f"{name}.type(1)"
        if at.constant is not None:
            return Value(f"(({bits} & {name}.type({1 << at.constant})) != 0)", "u", 1)
        return Value(f"((({bits} >> {self.convert(at, 'u', 64 if name == 'U8' else 32).text}) & {one}) != 0)", "u", 1)

    def value_bits(self, tree, high, low):
        high, low = self.value(high), self.value(low)
        if high.constant is None or low.constant is None:
            raise Unreadable("bits at places that vary")
        beyond = tree[0] == "as" and max(high.constant, low.constant) >= tree[2][1]  # S0.u32[63 : 32], of a register of 64 bits
        base = self.value(tree[1] if beyond else tree)
        return self.cut(base, int(high.constant), int(low.constant))

    def value_part(self, tree, low, width):
        low, width = self.value(low).constant, self.value(width).constant
        return self.cut(self.value(tree), low + width - 1, low)

    def cut(self, base, high, low):
        if high < low:
            return Value(f"reversed_bits({unsigned(base)}, {low - high + 1})", "s", low - high + 1)
        width = high - low + 1
        if high >= max(base.bits, 32):
            raise Unreadable(f"bit {high} of {base.bits}")
        if base.constant is not None and not is_float(base):
            return self.number(base.constant >> low & (1 << width) - 1, ("s", width))
        if low == 0 and width == base.bits:
            return Value(unsigned(base), "s" if width > 16 else "b", width)
        name = "U8" if base.bits > 32 else "U4"
        text = unsigned(base) if base.bits >= 32 else f"{unsigned(base)}.astype({name})"
        if low:
            text = f"({text} >> {name}.type({low}))"
        if high + 1 < 8 * int(name[1]):
            text = f"({text} & {name}.type({(1 << width) - 1}))"
        if name == "U8" and width <= 32:
            text = f"{text}.astype(U4)"
        return Value(text, "s", width)

    def value_join(self, trees):
        parts = [self.value(tree) for tree in trees]
        total = sum(part.bits for part in parts)
        if total > 64:
            raise Unreadable(f"{total} bits")
        name, at, texts = "U4" if total <= 32 else "U8", total, []
        for part in parts:
            at -= part.bits
            if part.constant == 0:
                continue
            text = unsigned(part) if container(*part.type)[1:] == name[1] else f"{unsigned(part)}.astype({name})"
            texts.append(f"({text} << {name}.type({at}))" if at else text)
        if not texts:
            return self.number(0, ("s", total))
        return Value("(" + " | ".join(texts) + ")", "s", total)

    # ---- operators

    def value_unary(self, sign, tree):
        value = self.value(tree)
        if value.constant is not None:
            number = {"-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a, "!": lambda a: not a}[sign](value.constant)
            return self.number(number, ("u", 1) if sign == "!" else value.type)
        if sign == "+":
            return value
        if sign == "!" or value.bits == 1:
            return Value(f"~({self.truth(value)})", "u", 1)
        if value.kind in "sb":
            value = self.convert(value, *widened(value))
        return Value(f"(-{value.text})" if sign == "-" else f"(~{value.text})", value.kind, value.bits)

    def truth(self, value):
        return value.text if value.bits == 1 else f"({value.text} != 0)"

    def value_binary(self, sign, left, right):
        special = self.special(sign, left, right)
        if special is not None:
            return special
        a, b = self.value(left), self.value(right)
        if a.constant is not None and b.constant is not None and sign in FOLDED:
            return self.folded(sign, a, b)
        if sign in ("&&", "||"):
            return self.both(sign, a, b)
        if sign in ("<<", ">>"):
            return self.shifted(sign, a, b)
        kind, bits = common(a, b)
        if sign in "&|^" and a.bits == b.bits == 1:
            return Value(f"({a.text} {sign} {b.text})", "u", 1)
        a, b = self.convert(a, kind, bits), self.convert(b, kind, bits)
        if sign in COMPARISONS:
            if sign == "<>":
                text = f"(({a.text} < {b.text}) | ({a.text} > {b.text}))"
            else:
                text = f"({a.text} {sign} {b.text})"
            return Value(text, "u", 1)
        text = f"({a.text} {sign} {b.text})"
        if kind == "f" and self.way(bits) and sign in OPERATIONS:
            return Value(f"directed_result({OPERATIONS[sign]!r}, {self.way(bits)!r}, {a.text}, {b.text})", kind, bits)
        if kind in "ui" and 8 * int(container(kind, bits)[1]) != bits:
            text = trimmed(text, container(kind, bits), kind, bits)
        return Value(text, kind, bits)

    def special(self, sign, left, right):
        """Zeros of one sign, subnormal numbers, and powers of two, which are written as comparisons and products."""
        if sign == "==" and right[0] == "unary" and right[2][0] == "number" and right[2][1] == 0.0:
            return Value(f"zero_of_sign({self.value(peeled(left)).text}, {right[1] == '-'})", "u", 1)
        if sign == "==" and right in (("as", ("name", "DENORM"), type_of(f"f{n}")) for n in (16, 32, 64)):
            return Value(f"subnormal({self.value(left).text})", "u", 1)
        power = peeled(right)
        power = power[2] if power[0] == "to" else power
        if sign == "*" and power[0] == "binary" and power[1] == "**" and self.value(power[3]).constant is None:
            value, exponent = self.value(left), self.value(power[3])
            return Value(f"ldexp({value.text}, {self.convert(exponent, *I32).text})", value.kind, value.bits)
        return None

    def folded(self, sign, a, b):
        result = FOLDED[sign](a.constant, b.constant)
        return self.number(result, ("u", 1) if isinstance(result, bool) else a.type if sign in ("<<", ">>", "**") else common(a, b))

    def both(self, sign, a, b):
        for one, other in ((a, b), (b, a)):
            if one.constant is not None:
                if bool(one.constant) == (sign == "&&"):
                    return Value(self.truth(other), "u", 1)
                return self.number(sign == "||", ("u", 1))
        return Value(f"({self.truth(a)} {sign[0]} {self.truth(b)})", "u", 1)

    def shifted(self, sign, a, b):
        if a.kind in "sb" or a.bits == 1:
            a = self.convert(a, *widened(a))
        name = container(*a.type)
        count = self.convert(b, "u" if name[0] == "U" else "i", 8 * int(name[1]))
        return Value(f"({a.text} {sign} {count.text})", a.kind, a.bits)

    def value_choice(self, condition, yes, no):
        condition = self.value(condition)
        if condition.constant is not None:
            return self.value(yes if condition.constant else no)
        a, b = self.value(yes), self.value(no)
        kind, bits = a.type if a.type == b.type else common(a, b)
        a, b = self.convert(a, kind, bits), self.convert(b, kind, bits)
        return Value(f"where({self.truth(condition)}, {a.text}, {b.text})", kind, bits)

    # ---- functions

    def value_call(self, name, trees):
        if name in TESTS:
            return Value(f"{name}({self.value(peeled(trees[0])).text})", "u", 1)
        inline = self.inline(name, trees)
        if inline is not None:
            return inline
        values = [self.value(tree) for tree in trees]
        if name == "sqrt" and self.way(values[0].bits):
            return Value(f"directed_result('sqrt', {self.way(values[0].bits)!r}, {values[0].text})", *values[0].type)
        if name in SAME:
            return Value(f"{name}({values[0].text})", *values[0].type)
        method = getattr(self, "call_" + name, None)
        if method:
            return method(*values)
        match = re.fullmatch(r"(bf(?=16)|[uif])(\d+)_to_(bf(?=16)|[uif])(\d+)", name)  # bf8 is none of these formats
        if match:
            return self.conversion(values[0], (match[1], int(match[2])), (match[3], int(match[4])))
        if name in ("f32_to_snorm", "f16_to_snorm", "f32_to_unorm", "f16_to_unorm"):
            return Value(f"{name[4:]}({values[0].text})", "i" if "snorm" in name else "u", 16)
        raise Unreadable(f"{name}()")

    def conversion(self, value, of, to):
        """f32_to_i32 and its like saturate; integers of fewer bits do too."""
        value = self.convert(value, *of) if not is_float(value) or value.type != of else value
        if to[0] in "ui" and of[0] in ("f", "bf"):
            return Value(f"saturated({value.text}, {container(*to)})", *to)
        if to[0] in "ui" and of[0] in "ui" and to[1] < of[1]:
            return Value(f"clipped({value.text}, {container(*to)})", *to)
        if to == ("f", 16) and of == ("f", 32) and self.rounding() == "ROUND_TOWARD_ZERO":
            return Value(f"toward_zero({value.text})", *to)
        return self.convert(value, *to)

    def call_signext(self, value):
        return value

    def call_abs(self, value):
        return Value(f"abs({value.text})", *value.type)

    def call_fma(self, a, b, c):
        kind, bits = a.type
        a, b, c = (self.convert(v, kind, bits) for v in (a, b, c))
        if self.way(bits):
            return Value(f"directed_result('fma', {self.way(bits)!r}, {a.text}, {b.text}, {c.text})", kind, bits)
        return Value(f"fma({a.text}, {b.text}, {c.text})", kind, bits)

    def call_fma_scaled(self, a, b, c, power):
        return Value(f"fma_scaled({a.text}, {b.text}, {c.text}, {power.text})", *a.type)

    def call_frexp_exponent(self, value):
        return Value(f"frexp_exponent({value.text})", *I32)

    def call_exponent(self, value):
        return Value(f"exponent({value.text})", *I32)

    def call_ldexp(self, value, count):
        return Value(f"ldexp({value.text}, {self.convert(count, *I32).text})", *value.type)

    def call_signext_from_bit(self, value, count):
        return Value(f"extended_from({value.text}, {self.convert(count, *U32).text})", *value.type)

    def call_first_one(self, value):
        return Value(f"first_one({value.text})", *I32)

    def call_leading_zeros(self, value):
        return Value(f"leading_zeros({value.text})", *I32)

    def call_leading_signs(self, value):
        return Value(f"leading_signs({value.text})", *I32)

    def call_bitCount(self, value):
        return Value(f"bit_count({unsigned(value)}).astype(I4)", *I32)

    def call_pow(self, base, exponent):
        return Value(f"exp2({exponent.text})", *exponent.type)

    def call_log2(self, value):
        return Value(f"log2({value.text})", *value.type)

    def call_two_over_pi(self, shift):
        return Value(f"two_over_pi({shift.text})", *F64)

"""Complex numbers in random programs: the statements (for programs.Maker), and what they mean, by Annex G of the C standard and
docs/language.md (for meaning.Stand)."""

import math

import numpy as np

import meaning

PART = {"complex64": "float32", "complex128": "float64"}


class ComplexStatements:
    def complex_number(self, depth):
        kind = self.pick(tuple(PART))
        part, name = PART[kind], self.fresh("t")
        self.say(f"{name} = device.{kind}({self.expression(part, 1)}, {self.expression(part, 1)})")
        if depth > 0 and self.chance(3):
            self.say(f"for {self.fresh('k')} in range({self.leaf('int')} & 3):")
            with self.suite():
                self.change_complex(name, kind)
        for _ in range(1 + self.below(3)):
            self.change_complex(name, kind)
        real, imag, same = self.fresh(), self.fresh(), self.fresh()
        self.say(f"{real}, {imag} = {name}.real, {name}.imag")
        self.say(f"{same} = {name} {self.pick(('==', '!='))} {self.complex_operand(name, kind)}")
        self.names.update({real: part, imag: part, same: "bool"})

    def complex_operand(self, name, kind):
        part = PART[kind]
        return self.pick((name, "2j", f"device.{kind}({self.expression(part, 1)}, {self.expression(part, 1)})", f"{name}.conjugate()"))

    def change_complex(self, name, kind):
        which = self.below(4)
        if which == 0:
            return self.say(f"{name} = {self.pick(('-{}', '+{}', '{}.conjugate()', '{} ** 2')).format(name)}")
        if which == 1:
            real = self.pick((self.expression(PART[kind], 1), "2.0", "0.5", "3"))
            symbol = self.pick("+-*/")
            return self.say(f"{name} = {name} {symbol} {real}" if symbol == "/" or self.chance(2) else f"{name} = {real} {symbol} {name}")
        self.say(f"{name} {self.pick('+-*/')}= {self.complex_operand(name, kind)}")


def unit(x):
    return math.copysign(1.0 if math.isinf(x) else 0.0, x)


def zero_if_nan(x):
    return math.copysign(0.0, x) if math.isnan(x) else x


class Complex:
    """A complex number whose parts are Numbers of one format; each operation on parts is rounded once."""

    def __init__(self, part, real, imag):
        self.part = part
        self.real, self.imag = (meaning.Number(part, meaning.as_number(x).to(part)) for x in (real, imag))

    def conjugate(self):
        return Complex(self.part, self.real, -self.imag)

    def __neg__(self):
        return Complex(self.part, -self.real, -self.imag)

    def __pos__(self):
        return self

    def __pow__(self, exponent):
        assert exponent == 2
        return self * self

    def operand(self, other):
        """Another complex number, or a real one as a Number of the format."""
        if isinstance(other, complex):
            return Complex(self.part, other.real, other.imag)
        return other if isinstance(other, Complex) else meaning.Number(self.part, meaning.as_number(other).to(self.part))

    def __add__(self, other):
        other = self.operand(other)
        if isinstance(other, Complex):
            return Complex(self.part, self.real + other.real, self.imag + other.imag)
        return Complex(self.part, self.real + other, self.imag)

    def __radd__(self, other):
        return Complex(self.part, self.operand(other) + self.real, self.imag)

    def __sub__(self, other):
        other = self.operand(other)
        if isinstance(other, Complex):
            return Complex(self.part, self.real - other.real, self.imag - other.imag)
        return Complex(self.part, self.real - other, self.imag)

    def __rsub__(self, other):
        return Complex(self.part, self.operand(other) - self.real, -self.imag)

    def __mul__(self, other):
        other = self.operand(other)
        if not isinstance(other, Complex):
            return Complex(self.part, self.real * other, self.imag * other)
        a, b, c, d = self.real, self.imag, other.real, other.imag
        real, imag = a * c - b * d, a * d + b * c
        if math.isnan(real.value) and math.isnan(imag.value):
            return self.repaired_product(other) or Complex(self.part, real, imag)
        return Complex(self.part, real, imag)

    def __rmul__(self, other):
        return self * other

    def repaired_product(self, other):
        """Annex G.5.1: an infinite operand gives an infinite product."""
        a, b, c, d = (x.value for x in (self.real, self.imag, other.real, other.imag))
        parts = (self.real * other.real, self.imag * other.imag, self.real * other.imag, self.imag * other.real)
        self_infinite, other_infinite = math.isinf(a) or math.isinf(b), math.isinf(c) or math.isinf(d)
        if not (self_infinite or other_infinite or any(math.isinf(x.value) for x in parts)):
            return None
        a, b = map(unit if self_infinite else zero_if_nan, (a, b))
        c, d = map(unit if other_infinite else zero_if_nan, (c, d))
        return Complex(self.part, float(np.float64(math.inf) * (a * c - b * d)), float(np.float64(math.inf) * (a * d + b * c)))

    def __truediv__(self, other):
        other = self.operand(other)
        if not isinstance(other, Complex):
            return Complex(self.part, self.real / other, self.imag / other)
        a, b, c, d = self.real, self.imag, other.real, other.imag
        if abs(c) >= abs(d):  # CPython's way
            ratio = d / c
            whole = c + d * ratio
            found = Complex(self.part, (a + b * ratio) / whole, (b - a * ratio) / whole)
        else:
            ratio = c / d
            whole = c * ratio + d
            found = Complex(self.part, (a * ratio + b) / whole, (b * ratio - a) / whole)
        if math.isnan(found.real.value) and math.isnan(found.imag.value):
            return self.repaired_quotient(other) or found
        return found

    def repaired_quotient(self, other):
        """Annex G.5.1: division by zero gives infinities, of an infinity by a finite number too; by an infinity, zeros."""
        a, b, c, d = (np.float64(x.value) for x in (self.real, self.imag, other.real, other.imag))
        if c == 0 and d == 0:
            scale = np.copysign(np.inf, c)
            return Complex(self.part, float(scale * a), float(scale * b))
        finite = bool(np.isfinite(a) and np.isfinite(b)), bool(np.isfinite(c) and np.isfinite(d))
        if (np.isinf(a) or np.isinf(b)) and finite[1]:
            a, b, scale = np.float64(unit(a)), np.float64(unit(b)), np.float64(np.inf)
        elif finite[0] and (np.isinf(c) or np.isinf(d)):
            c, d, scale = np.float64(unit(c)), np.float64(unit(d)), np.float64(0)
        else:
            return None
        one = [meaning.Number(self.part, meaning.rounded(self.part, float(x))) for x in (a, b, c, d)]
        a, b, c, d = one
        return Complex(self.part, float(scale * np.float64((a * c + b * d).value)), float(scale * np.float64((b * c - a * d).value)))

    def __eq__(self, other):
        other = self.operand(other)
        return meaning.Number("bool", int(bool(self.real == other.real) and bool(self.imag == other.imag)))

    def __ne__(self, other):
        return meaning.Number("bool", int(not (self == other)))

    __hash__ = None


for _kind, _part in PART.items():
    setattr(meaning.Stand, _kind, staticmethod(lambda real, imag, part=_part: Complex(part, real, imag)))

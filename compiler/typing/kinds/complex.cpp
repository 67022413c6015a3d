#include "compiler/typing/kinds/complex.h"

#include <algorithm>

#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;
using ssa::CompareKind;

constexpr Number kWide{Scalar::Complex128, false};

bool has_parts(const Value& value) { return is_complex(number_of(value).number.scalar); }

Value real(Evaluation& at, double value) { return at.literal(kFloat, Literal{value}); }

// One part of a complex number: what was rounded of the whole was of the part.
Value part_value(Evaluation& at, const Value& whole, Number type, Leaf leaf) {
  Value part = at.number(type, leaf);
  std::get<NumberType>(part.type.is).rounding = number_of(whole).rounding;
  part.origin = whole.origin;
  return part;
}

// The second condition comes after the first in the code, whatever order C++ prefers.
template <class Second>
Value both(Evaluation& at, const Value& first, Second second) {
  return binary(at, BinaryKind::And, first, second());
}

}  // namespace

Number part_of(Number complex) { return {hetjit::part_of(complex.scalar), complex.weak}; }

Value real_part(Evaluation& at, const Value& value) {
  const NumberType& number = number_of(value);
  if (!has_parts(value)) return value;
  Number part = part_of(number.number);
  if (number.literal) return at.literal(part, Literal{as_complex(*number.literal).real});
  Value real = part_value(at, value, part, at.code().real_part(value.leaf()));
  return number.exact ? of_two_forms(at, real, real_part(at, in_float64(at, value))) : real;
}

Value imaginary_part(Evaluation& at, const Value& value) {
  const NumberType& number = number_of(value);
  if (!has_parts(value)) return cast(at, static_value(int_value(0)), number.number);
  Number part = part_of(number.number);
  if (number.literal) return at.literal(part, Literal{as_complex(*number.literal).imag});
  Value imag = part_value(at, value, part, at.code().imaginary_part(value.leaf()));
  return number.exact ? of_two_forms(at, imag, imaginary_part(at, in_float64(at, value))) : imag;
}

Value make_complex(Evaluation& at, Number type, const Value& real, const Value& imag) {
  if (real.erroneous() || imag.erroneous()) return {};
  Number part = part_of(type);
  Value x = cast(at, real, part), y = cast(at, imag, part);
  const auto &a = number_of(x).literal, &b = number_of(y).literal;
  if (a && b) return at.literal(type, Literal{ComplexLiteral{as_double(*a), as_double(*b)}});
  Leaf first = at.convert(x, part), second = at.convert(y, part);
  Value made = at.number(type, at.code().make_complex(first, second, type.scalar));
  // A part that is the float32 of an operation gets its second form with the whole operation.
  auto is_known = [](const NumberType& number) { return number.exact || number.literal; };
  if (!type.weak || !is_known(number_of(x)) || !is_known(number_of(y))) return made;
  return of_two_forms(at, made, make_complex(at, kWide, in_float64(at, x), in_float64(at, y)));
}

Value conjugate(Evaluation& at, const Value& value) {
  if (!has_parts(value)) return value;
  if (number_of(value).exact) {
    Value narrow = at.number(number_of(value).number, value.leaf());
    return of_two_forms(at, conjugate(at, narrow), conjugate(at, in_float64(at, value)));
  }
  Value imag = unary(at, ssa::UnaryKind::Negative, imaginary_part(at, value));
  return make_complex(at, number_of(value).number, real_part(at, value), imag);
}

Value complex_magnitude(Evaluation& at, const Value& complex) {
  Value real = real_part(at, complex), imag = imaginary_part(at, complex);
  return math(at, ir::MathFunction::Hypot, {real, imag});
}

Leaf convert_complex(Evaluation& at, const Value& value, Number to) {
  const NumberType& number = number_of(value);
  if (!number.literal && number.number.scalar == to.scalar) return value.leaf();
  Number part = part_of(to);
  Value real = real_part(at, value), imag = imaginary_part(at, value);
  Leaf first = at.convert(real, part), second = at.convert(imag, part);
  return at.code().make_complex(first, second, to.scalar);
}

Value cast_complex(Evaluation& at, const Value& value, Number to) {
  Value real = real_part(at, value), imag = imaginary_part(at, value);
  return make_complex(at, to, real, imag);
}

Number complex_format(Number to, const std::vector<Value>& of) {
  auto is_wide = [](const Value& value) {
    const NumberType* number = value.as<NumberType>();
    return number && !number->number.weak &&
           (number->number.scalar == Scalar::Float64 || number->number.scalar == kWide.scalar);
  };
  return to == kComplex && std::ranges::any_of(of, is_wide) ? kWide : to;
}

Value complex_of(Evaluation& at, Number type, const Value& real, const Value& imag) {
  Value re = real_part(at, real), im = real_part(at, imag);
  if (has_parts(imag)) re = binary(at, BinaryKind::Subtract, re, imaginary_part(at, imag));
  if (has_parts(real)) im = binary(at, BinaryKind::Add, imaginary_part(at, real), im);
  Value made = make_complex(at, type, re, im);
  const bool two_forms = number_of(real).exact || number_of(imag).exact;
  if (made.erroneous() || !type.weak || !two_forms || number_of(made).exact) return made;
  return of_two_forms(at, made, complex_of(at, kWide, in_float64(at, real), in_float64(at, imag)));
}

// ---- operators

namespace {

/// Both operands, with their parts in the format where they meet.
struct Operands {
  Value a_real, a_imag, b_real, b_imag;
  bool a_complex, b_complex;

  Operands(Evaluation& at, Number part, const Value& a, const Value& b)
      : a_real(cast(at, real_part(at, a), part)),
        a_imag(cast(at, imaginary_part(at, a), part)),
        b_real(cast(at, real_part(at, b), part)),
        b_imag(cast(at, imaginary_part(at, b), part)),
        a_complex(has_parts(a)),
        b_complex(has_parts(b)) {}
};

Value sum(Evaluation& at, Number type, const Operands& of) {
  Value imag = !of.a_complex   ? of.b_imag
               : !of.b_complex ? of.a_imag
                               : binary(at, BinaryKind::Add, of.a_imag, of.b_imag);
  return make_complex(at, type, binary(at, BinaryKind::Add, of.a_real, of.b_real), imag);
}

Value difference(Evaluation& at, Number type, const Operands& of) {
  Value imag = !of.a_complex   ? unary(at, ssa::UnaryKind::Negative, of.b_imag)
               : !of.b_complex ? of.a_imag
                               : binary(at, BinaryKind::Subtract, of.a_imag, of.b_imag);
  return make_complex(at, type, binary(at, BinaryKind::Subtract, of.a_real, of.b_real), imag);
}

// Both parts of the complex number times, or by, the real one.
Value scaled(Evaluation& at, BinaryKind kind, Number type, const Value& real, const Value& imag,
             const Value& factor) {
  Value first = binary(at, kind, real, factor);
  return make_complex(at, type, first, binary(at, kind, imag, factor));
}

Value product(Evaluation& at, Number type, const Value& a, const Value& b, const Operands& of) {
  if (!of.a_complex) return scaled(at, BinaryKind::Multiply, type, of.b_real, of.b_imag, of.a_real);
  if (!of.b_complex) return scaled(at, BinaryKind::Multiply, type, of.a_real, of.a_imag, of.b_real);
  Leaf left = at.convert(a, type), right = at.convert(b, type);
  return at.number(type, at.code().binary<ir::MultiplyComplex>(left, right));
}

Value quotient(Evaluation& at, Number type, const Value& a, const Value& b, const Operands& of) {
  if (!of.b_complex)
    return scaled(at, BinaryKind::TrueDivide, type, of.a_real, of.a_imag, of.b_real);
  Leaf left = at.convert(a, type), right = at.convert(b, type);
  return at.number(type, at.code().binary<ir::DivideComplex>(left, right));
}

// ---- powers

constexpr Integer kMultipliedPowers = 100;  // as CPython: more lose more than the polar form does

std::optional<Integer> whole_exponent(const Value& exponent) {
  const NumberType& number = number_of(exponent);
  if (!number.literal) return std::nullopt;
  auto [real, imag] = as_complex(*number.literal);
  if (imag != 0 || !(real >= -100 && real <= 100)) return std::nullopt;
  auto whole = static_cast<int>(real);
  if (whole != real) return std::nullopt;
  return Integer{whole};
}

Value multiplied(Evaluation& at, Number type, const Value& base, Integer exponent) {
  Value one = at.literal(type, Literal{ComplexLiteral{1, 0}});
  if (exponent == 0) return one;
  Leaf square = at.convert(base, type), result{};
  bool started = false;
  for (Integer left = exponent < 0 ? -exponent : exponent; left > 0; left >>= 1) {
    if (left & 1) {
      result = started ? at.code().binary<ir::MultiplyComplex>(result, square) : square;
      started = true;
    }
    if (left > 1) square = at.code().binary<ir::MultiplyComplex>(square, square);
  }
  if (exponent < 0)
    result = at.code().binary<ir::DivideComplex>(convert_complex(at, one, type), result);
  return at.number(type, result);
}

// Length and angle are taken to the power each. z ** 0 is 1, and 0 ** w is 0 where the real part of
// w is positive.
Value polar_power(Evaluation& at, Number type, const Value& base, const Operands& of) {
  Value zero = real(at, 0), one = real(at, 1);
  auto times = [&](const Value& x, const Value& y) {
    return binary(at, BinaryKind::Multiply, x, y);
  };
  auto equal = [&](const Value& x, const Value& y) { return compare(at, CompareKind::Eq, x, y); };
  Value size = complex_magnitude(at, cast_complex(at, base, type));
  Value angle = math(at, ir::MathFunction::Atan2, {of.a_imag, of.a_real});
  Value length = math(at, ir::MathFunction::Pow, {size, of.b_real});
  Value turned = times(angle, of.b_real);
  if (of.b_complex) {
    Value is_real = equal(of.b_imag, zero);
    Value minus = unary(at, ssa::UnaryKind::Negative, times(angle, of.b_imag));
    Value shrink = math(at, ir::MathFunction::Exp, {minus});
    length = choose(at, is_real, length, times(length, shrink));
    Value twist = times(of.b_imag, math(at, ir::MathFunction::Log, {size}));
    turned = choose(at, is_real, turned, binary(at, BinaryKind::Add, turned, twist));
  }
  Value x = times(length, math(at, ir::MathFunction::Cos, {turned}));
  Value y = times(length, math(at, ir::MathFunction::Sin, {turned}));
  Value vanishes =
      both(at, equal(size, zero), [&] { return compare(at, CompareKind::Gt, of.b_real, zero); });
  x = choose(at, vanishes, zero, x);
  y = choose(at, vanishes, zero, y);
  Value none = both(at, equal(of.b_real, zero), [&] { return equal(of.b_imag, zero); });
  x = choose(at, none, one, x);
  return make_complex(at, type, x, choose(at, none, zero, y));
}

Value power(Evaluation& at, Number type, const Value& a, const Value& b, const Operands& of) {
  std::optional<Integer> whole = whole_exponent(b);
  if (whole && *whole >= -kMultipliedPowers) return multiplied(at, type, a, *whole);
  return polar_power(at, type, a, of);
}

}  // namespace

Value binary_complex(Evaluation& at, BinaryKind kind, Number type, const Value& a, const Value& b) {
  bool known = kind == BinaryKind::Add || kind == BinaryKind::Subtract ||
               kind == BinaryKind::Multiply || kind == BinaryKind::TrueDivide ||
               kind == BinaryKind::Power;
  if (!known) return no_operator(at, kind, a, b);
  Operands of(at, part_of(type), a, b);
  switch (kind) {
    case BinaryKind::Add:
      return sum(at, type, of);
    case BinaryKind::Subtract:
      return difference(at, type, of);
    case BinaryKind::Multiply:
      return product(at, type, a, b, of);
    case BinaryKind::TrueDivide:
      return quotient(at, type, a, b, of);
    default:
      return power(at, type, a, b, of);
  }
}

namespace {

Value no_order(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  Diagnostics::Builder error =
      at.error(Code::NoComparison, {symbol(kind), name_of(a.type), name_of(b.type)}, {&a, &b});
  error.help("complex numbers have no order; compare a part, z.real, or the magnitude, abs(z)");
  for (const Value* operand : {&a, &b})
    if (is_complex(number_of(*operand).number.scalar)) enclose(error, at, *operand, "abs");
  return error.report();
}

}  // namespace

Value compare_complex(Evaluation& at, CompareKind kind, Number type, const Value& a,
                      const Value& b) {
  if (kind != CompareKind::Eq && kind != CompareKind::Ne) return no_order(at, kind, a, b);
  Operands of(at, part_of(type), a, b);
  Value same = both(at, compare(at, CompareKind::Eq, of.a_real, of.b_real),
                    [&] { return compare(at, CompareKind::Eq, of.a_imag, of.b_imag); });
  return kind == CompareKind::Eq ? same : unary(at, ssa::UnaryKind::Not, same);
}

Value negative_complex(Evaluation& at, const Value& value) {
  Value real = unary(at, ssa::UnaryKind::Negative, real_part(at, value));
  Value imag = unary(at, ssa::UnaryKind::Negative, imaginary_part(at, value));
  return make_complex(at, number_of(value).number, real, imag);
}

Value complex_truth(Evaluation& at, const Value& value) {
  Value real = truth(at, real_part(at, value)), imag = truth(at, imaginary_part(at, value));
  return binary(at, BinaryKind::Or, real, imag);
}

}  // namespace hetjit::typing

// x ** n, in the three ways the language has: whole numbers by repeated multiplication, small
// constant powers of floats likewise, and everything else by the math function.
#include <cmath>
#include <limits>

#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

constexpr int kMultipliedPowers = 8;  // of a float; more multiplications lose more than pow does

// The same of the reciprocal, whose own rounding is multiplied as well. Not the reciprocal of the
// product, which may be zero or infinite where the power is not. In short formats pow rounds once.
constexpr int divided_powers(Scalar scalar) {
  return scalar == Scalar::Float32 || scalar == Scalar::Float64 ? 4 : 1;
}

// The exponent when it is a whole constant: `2`, also `2.0`.
std::optional<Integer> whole_constant(const Value& exponent) {
  const NumberType& number = *exponent.as<NumberType>();
  if (!number.literal) return std::nullopt;
  if (is_integer(*number.literal)) return std::get<Integer>(*number.literal);
  double value = as_double(*number.literal);
  constexpr double kLargest = 1 << 30;  // beyond it, and for NaN, there is nothing to multiply
  if (!(std::abs(value) <= kLargest) || value != std::trunc(value)) return std::nullopt;
  return Integer{static_cast<int>(value)};
}

Value multiplied(Evaluation& at, Number type, const Value& base, Integer exponent) {
  Leaf square = at.convert(base, type), result{};
  bool started = false;
  for (Integer left = exponent; left > 0; left >>= 1) {
    if (left & 1) {
      result = started ? at.code().binary<ir::Mul>(result, square) : square;
      started = true;
    }
    if (left > 1) square = at.code().binary<ir::Mul>(square, square);
  }
  return at.number(type, result);
}

Value whole_power(Evaluation& at, Number type, const Value& base, const Value& exponent,
                  Integer count) {
  const NumberType &x = *base.as<NumberType>(), &n = *exponent.as<NumberType>();
  if (x.literal && n.literal)
    if (auto result = folded(at, ssa::BinaryKind::Power, type, base, exponent)) return *result;
  if (!at.fits(base, type)) return {};
  if (count == 0) return at.literal(type, *convert_literal(Literal{Integer{1}}, type));
  return multiplied(at, type, base, count);
}

// The square root, but of -0.0 that of 0.0, and of minus infinity that of infinity: what pow gives
// of an exponent of 0.5, correctly rounded.
Value root(Evaluation& at, Number type, const Value& base) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Emitter& code = at.code();
  auto constant = [&](double value) { return code.constant(Literal{value}, type.scalar); };
  const Leaf x = at.convert(base, type);
  const Leaf positive = code.binary<ir::Add>(x, constant(0.0));
  const Value of_it = math(at, ir::MathFunction::Sqrt, {at.number(type, positive)});
  const Leaf infinite = code.compare(ssa::CompareKind::Eq, x, constant(-kInfinity));
  return at.number(type, code.select(infinite, constant(kInfinity), at.convert(of_it, type)));
}

Value inverse(Evaluation& at, Number type, const Value& base) {
  const Leaf one = at.code().constant(Literal{1.0}, type.scalar);
  return at.number(type, at.code().binary<ir::Div>(one, at.convert(base, type)));
}

// 1.5 as 1: so many times the root.
std::optional<Integer> whole_part_of_half(const Value& exponent, Scalar scalar) {
  const NumberType& number = *exponent.as<NumberType>();
  if (!number.literal) return std::nullopt;
  const double value = as_double(*number.literal), size = std::abs(value);
  const int most = value > 0 ? divided_powers(scalar) : divided_powers(scalar) / 2;
  if (size != std::floor(size) + 0.5 || !(size < most)) return std::nullopt;
  return Integer{static_cast<int>(size)};
}

// The power of a number by a whole one and a half, from its size: a negative one's root is NaN.
Value half_power(Evaluation& at, Number type, const Value& base, Integer whole, bool inverted) {
  const Value half = root(at, type, base);
  if (whole == 0) return inverted ? inverse(at, type, half) : half;
  Value size = math(at, ir::MathFunction::Fabs, {at.number(type, at.convert(base, type))});
  if (inverted) size = inverse(at, type, size);
  const Leaf product = multiplied(at, type, size, whole).leaf();
  Emitter& code = at.code();
  return at.number(type, inverted ? code.binary<ir::Div>(product, half.leaf())
                                  : code.binary<ir::Mul>(product, half.leaf()));
}

}  // namespace

Value power(Evaluation& at, const Value& base, const Value& exponent) {
  using ssa::BinaryKind;
  std::optional<Number> common = common_number(at, BinaryKind::Power, base, exponent);
  if (common) common = as_arithmetic(at, "**", *common, {&base, &exponent});
  if (!common) return {};
  std::optional<Integer> count = whole_constant(exponent);
  if (is_integer(common->scalar)) {
    if (count && *count >= 0) return whole_power(at, *common, base, exponent, *count);
    common = Number{Scalar::Float32, common->weak};
  }
  const NumberType &x = *base.as<NumberType>(), &n = *exponent.as<NumberType>();
  if (x.literal && n.literal)
    if (auto result = fold(BinaryKind::Power, *common, *x.literal, *n.literal))
      return at.literal(*common, *result);
  if (count && *count >= 0 && *count <= kMultipliedPowers)
    return whole_power(at, *common, base, exponent, *count);
  if (count && *count < 0 && *count >= -divided_powers(common->scalar))
    return multiplied(at, *common, inverse(at, *common, base), -*count);
  if (const std::optional<Integer> whole = whole_part_of_half(exponent, common->scalar))
    return half_power(at, *common, base, *whole, as_double(*n.literal) < 0);
  Value x_value = cast(at, base, *common), n_value = cast(at, exponent, *common);
  return math(at, ir::MathFunction::Pow, {x_value, n_value});
}

}  // namespace hetjit::typing

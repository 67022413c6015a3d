#include "compiler/typing/kinds/python_integers.h"

#include "compiler/ir/uses.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using ssa::CompareKind;

bool contains(const NumberType& fixed, const NumberType& python) {
  const int bits = info(python.number.scalar).bits;
  return is_nonnegative(python) && bits <= info(fixed.number.scalar).bits;
}

Leaf is_negative(Evaluation& at, const Value& integer) {
  const Number own = number_of(integer).number;
  Leaf zero = at.code().constant(0, own.scalar);
  return at.code().compare(CompareKind::Lt, at.convert(integer, own), zero);
}

CompareKind mirrored(CompareKind kind) {
  return static_cast<CompareKind>(ir::mirrored(static_cast<ir::Comparison>(kind)));
}

// All unsigned numbers are above a negative one. The comparisons that programs ask most, as `i < n`
// of places in the grid, are told by one of n or 0.
Leaf compare_unsigned(Evaluation& at, CompareKind kind, const Value& number, const Value& python) {
  const Number type = number_of(number).number;
  const bool least_is_enough = kind == CompareKind::Lt || kind == CompareKind::Ge;
  const Value other = least_is_enough ? not_below_zero(at, python) : python;
  Leaf compared = at.code().compare(kind, at.convert(number, type), at.convert(other, type));
  if (least_is_enough) return compared;
  const bool known = fold(kind, Literal{Integer{0}}, Literal{Integer{-1}});
  return at.code().select(is_negative(at, python), at.code().constant(known, Scalar::Bool),
                          compared);
}

}  // namespace

bool meets_python_integer(const NumberType& a, const NumberType& b) {
  const bool integers = is_integer(a.number.scalar) && is_integer(b.number.scalar);
  if (!integers || a.number.weak == b.number.weak) return false;
  const NumberType &python = a.number.weak ? a : b, &fixed = a.number.weak ? b : a;
  return !python.literal || !fits(*python.literal, fixed.number.scalar);
}

std::optional<Scalar> format_of_both(const NumberType& a, const NumberType& b) {
  if (!meets_python_integer(a, b)) return std::nullopt;
  const NumberType &python = a.number.weak ? a : b, &fixed = a.number.weak ? b : a;
  return contains(fixed, python) ? fixed.number.scalar
                                 : promote(fixed.number.scalar, python.number.scalar);
}

Leaf compare_with_python(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  const NumberType &x = number_of(a), &y = number_of(b);
  const NumberType &python = x.number.weak ? x : y, &fixed = x.number.weak ? y : x;
  const bool wide = info(fixed.number.scalar).bits >= info(python.number.scalar).bits;
  if (wide && is_unsigned(fixed.number.scalar) && !is_nonnegative(python))
    return x.number.weak ? compare_unsigned(at, mirrored(kind), b, a)
                         : compare_unsigned(at, kind, a, b);
  const Number type{format_of_both(x, y).value_or(fixed.number.scalar)};
  return at.code().compare(kind, at.convert(a, type), at.convert(b, type));
}

Value not_below_zero(Evaluation& at, const Value& integer) {
  const Number type = number_of(integer).number;
  Leaf zero = at.code().constant(0, type.scalar), itself = at.convert(integer, type);
  return at.number(type, at.code().select(is_negative(at, integer), zero, itself), true);
}

}  // namespace hetjit::typing

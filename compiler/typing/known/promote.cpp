#include "compiler/typing/known/promote.h"

#include <algorithm>

namespace hetjit::typing {
namespace {

std::optional<Scalar> signed_of(unsigned bits) {
  for (const ScalarInfo& row : kScalars)
    if (row.category == Category::Integer && row.is_signed && row.bits == bits) return row.scalar;
  return std::nullopt;
}

Scalar wider(Scalar a, Scalar b) { return info(a).bits >= info(b).bits ? a : b; }

// Of one signedness the wider wins; mixed, the narrowest signed type that holds both.
std::optional<Scalar> promote_integers(Scalar a, Scalar b) {
  if (info(a).is_signed == info(b).is_signed) return wider(a, b);
  Scalar with_sign = info(a).is_signed ? a : b, without = info(a).is_signed ? b : a;
  return signed_of(std::max<unsigned>(info(with_sign).bits, info(without).bits * 2u));
}

std::optional<Scalar> promote_floats(Scalar a, Scalar b) {
  if (a != b && info(a).bits == 16 && info(b).bits == 16) return Scalar::Float32;
  return wider(a, b);
}

// A complex number takes the width of the widest real part.
Scalar promote_complex(Scalar a, Scalar b) {
  bool wide = false;
  for (Scalar part : {a, b}) wide |= part == Scalar::Complex128 || part == Scalar::Float64;
  return wide ? Scalar::Complex128 : Scalar::Complex64;
}

}  // namespace

std::optional<Scalar> promote(Scalar a, Scalar b) {
  if (is_tiny_float(a) || is_tiny_float(b)) return std::nullopt;
  Category x = info(a).category, y = info(b).category;
  if (std::max(x, y) == Category::Complex) return promote_complex(a, b);
  if (x != y) return x > y ? a : b;
  switch (x) {
    case Category::Integer:
      return promote_integers(a, b);
    case Category::Floating:
      return promote_floats(a, b);
    default:
      return a;
  }
}

std::optional<Number> promote(Number a, Number b) {
  if (a.weak != b.weak) {
    Number weak = a.weak ? a : b, fixed = a.weak ? b : a;
    bool takes_its_format =
        info(weak.scalar).category <= info(fixed.scalar).category && !is_tiny_float(fixed.scalar);
    if (takes_its_format && info(fixed.scalar).category != Category::Complex) return fixed;
  }
  std::optional<Scalar> scalar = promote(a.scalar, b.scalar);
  if (!scalar) return std::nullopt;
  return Number{*scalar, a.weak && b.weak};
}

}  // namespace hetjit::typing

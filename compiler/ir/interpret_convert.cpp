// Conversion between any two scalar types: integers wrap, floats saturate into integers, and
// whatever goes into a float is rounded once.
#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

// Truncates toward zero; what does not fit becomes the nearest end of the range, NaN becomes 0.
template <Scalar To>
Compute<To> saturate(double value) {
  using T = Compute<To>;
  constexpr unsigned kValueBits = info(To).bits - (info(To).is_signed ? 1 : 0);
  constexpr T kMax = static_cast<T>(~0ull >> (64 - kValueBits));
  constexpr T kMin = info(To).is_signed ? static_cast<T>(~kMax) : T{0};
  if (std::isnan(value)) return 0;
  if (value >= std::ldexp(1.0, kValueBits)) return kMax;
  if (value <= static_cast<double>(kMin)) return kMin;
  return static_cast<T>(value);
}

template <Scalar To>
uint64_t from_float(double value) {
  if constexpr (To == Scalar::Bool) return value != 0;
  if constexpr (!is_floating(To) && To != Scalar::Bool) return encode<To>(saturate<To>(value));
  return encode<To>(static_cast<Compute<To>>(value));
}

template <Scalar To, class Integer>
uint64_t from_integer(Integer value) {
  if constexpr (To == Scalar::Bool) return value != 0;
  if constexpr (is_floating(To) && info(To).bits < 32) {
    bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - uint64_t(value) : uint64_t(value);
    return encode<To>(integer_for_small_float(magnitude, negative));
  }
  return encode<To>(static_cast<Compute<To>>(value));
}

template <Scalar From>
struct Converting {
  template <Scalar To>
  struct Into {
    static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
      if constexpr (is_floating(From))
        return from_float<To>(decode<From>(a));
      else
        return from_integer<To>(decode<From>(a));
    }
  };
};

template <Scalar... From>
ScalarFunction pick_conversion(Scalar of, Scalar to, ScalarList<From...>) {
  ScalarFunction found = nullptr;
  ((found = of == From ? pick<Converting<From>::template Into>(to, kReal) : found), ...);
  HETJIT_CHECK(found != nullptr);
  return found;
}

}  // namespace

template <>
ScalarFunction meaning(const Convert&, Scalar of, Scalar to) {
  return pick_conversion(of, to, kReal);
}

}  // namespace hetjit::ir

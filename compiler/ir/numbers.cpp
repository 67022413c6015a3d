#include "compiler/ir/numbers.h"

#include <cmath>
#include <limits>

#include "abi/small_floats.h"

namespace hetjit::ir {
namespace {

uint64_t low_mask(Scalar scalar) {
  unsigned bits = info(scalar).bits;
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

}  // namespace

uint64_t wrap_bits(Scalar scalar, uint64_t bits) {
  if (scalar == Scalar::Bool) return bits != 0;
  return bits & low_mask(scalar);
}

uint64_t extend_bits(Scalar scalar, uint64_t bits) {
  if (!is_signed_integer(scalar)) return bits & low_mask(scalar);
  unsigned unused = 64u - info(scalar).bits;
  return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
}

uint64_t float_to_bits(Scalar floating, double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  HETJIT_CHECK(is_floating(floating));
  return to_bits(floating, value);
}

double bits_to_float(Scalar floating, uint64_t bits) {
  HETJIT_CHECK(is_floating(floating));
  return from_bits(floating, bits);
}

double round_to(Scalar floating, double value) {
  return bits_to_float(floating, float_to_bits(floating, value));
}

}  // namespace hetjit::ir

#include "compiler/ir/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

namespace {

// IEEE formats of 16 bits: significand bits with the hidden one, and the exponent of the least bit
// of a subnormal.
struct Small {
  int precision, least, stored;
  double largest;
};
Small small(Scalar scalar) {
  if (scalar == Scalar::BFloat16) return {8, -133, 7, 0x1.fep127};
  return {11, -24, 10, 65504};
}

double round_small(const Small& format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int quantum = std::max(std::ilogb(value) - format.precision + 1, format.least);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  if (std::fabs(rounded) > format.largest) rounded = std::copysign(INFINITY, value);
  return rounded;
}

}  // namespace

double round_to(Scalar floating, double value) {
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
  if (floating == Scalar::Float64) return value;
  if (floating == Scalar::Float32) return static_cast<float>(value);
  return round_small(small(floating), value);
}

}  // namespace hetjit::ir

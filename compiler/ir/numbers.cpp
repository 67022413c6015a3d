#include "compiler/ir/numbers.h"

#include <bit>
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
  switch (floating) {
    case Scalar::Float64:
      return std::bit_cast<uint64_t>(value);
    case Scalar::Float32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case Scalar::Float16:
      return to_float16(value);
    case Scalar::BFloat16:
      return to_bfloat16(value);
    case Scalar::Float8E4M3:
      return to_float8e4m3(value);
    case Scalar::Float8E5M2:
      return to_float8e5m2(value);
    default:
      HETJIT_CHECK(is_floating(floating));
      return 0;
  }
}

double bits_to_float(Scalar floating, uint64_t bits) {
  switch (floating) {
    case Scalar::Float64:
      return std::bit_cast<double>(bits);
    case Scalar::Float32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case Scalar::Float16:
      return from_float16(static_cast<uint16_t>(bits));
    case Scalar::BFloat16:
      return from_bfloat16(static_cast<uint16_t>(bits));
    case Scalar::Float8E4M3:
      return from_float8e4m3(static_cast<uint8_t>(bits));
    case Scalar::Float8E5M2:
      return from_float8e5m2(static_cast<uint8_t>(bits));
    default:
      HETJIT_CHECK(is_floating(floating));
      return 0;
  }
}

double round_to(Scalar floating, double value) {
  return bits_to_float(floating, float_to_bits(floating, value));
}

}  // namespace hetjit::ir

// The 16- and 8-bit floating formats as bits, and what they mean: everything follows from their
// rows in abi/scalars.def. The interpreter, the host side of launches and the tests share these;
// hardware conversions must agree with them bit for bit, but for the payload of a NaN.
//
// Rounding is to the nearest, ties to even, and happens once: every conversion starts at a double,
// which holds every float exactly. Into the 8-bit formats it saturates: what is too large, infinity
// included, becomes the largest finite value, and NaN becomes one NaN (AMB-10).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "abi/scalar.h"

namespace hetjit {

struct SmallFloat {
  int exponent_bits, mantissa_bits;
  Specials specials;
  bool saturates;  // into it: no infinity, one NaN
  constexpr bool has_infinity() const { return specials == Specials::Ieee; }
  constexpr bool has_minus_zero() const { return specials != Specials::NoMinusZero; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - has_minus_zero(); }
  constexpr int bits() const { return 1 + exponent_bits + mantissa_bits; }
  /// Bits of the largest finite value.
  constexpr uint16_t largest() const {
    int finite_and_nan = (1 << (bits() - 1)) - 1;
    int beyond = has_infinity() ? all_ones() << mantissa_bits : finite_and_nan;
    return static_cast<uint16_t>(beyond - has_minus_zero());
  }
  /// Bits of the NaN that conversions make.
  constexpr uint16_t nan() const {
    if (!has_minus_zero()) return minus_zero();
    int quiet = all_ones() << mantissa_bits | 1 << (mantissa_bits - 1);
    return static_cast<uint16_t>(saturates ? (1 << (bits() - 1)) - 1 : quiet);
  }

  /// The sign alone.
  constexpr uint16_t minus_zero() const { return static_cast<uint16_t>(1 << (bits() - 1)); }

 private:
  constexpr int all_ones() const { return (1 << exponent_bits) - 1; }
};

/// Of a float of at most 16 bits.
constexpr SmallFloat small_float_of(Scalar scalar) {
  const ScalarInfo& row = info(scalar);
  return {row.exponent_bits, row.mantissa_bits, row.specials, is_tiny_float(scalar)};
}
inline constexpr SmallFloat kFloat16 = small_float_of(Scalar::Float16);

namespace small_float {

// The magnitude's bits, rounded, as if the exponent had no upper bound: the caller compares with
// the largest. A carry out of the mantissa runs into the exponent, which is just what it must do.
constexpr uint64_t round_magnitude(SmallFloat format, uint64_t magnitude) {
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  int least = 1 - format.bias();
  int dropped = 52 - format.mantissa_bits + (exponent < least ? least - exponent : 0);
  if (dropped > 54) return 0;  // below half of the smallest subnormal; so are a double's subnormals
  uint64_t mantissa = (magnitude & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  uint64_t kept = mantissa >> dropped;
  uint64_t rest = mantissa & ((uint64_t{1} << dropped) - 1);
  uint64_t half = uint64_t{1} << (dropped - 1);
  if (rest > half || (rest == half && kept % 2)) ++kept;
  if (exponent < least) return kept;
  // `kept` has its leading one, which adds one to the exponent field.
  return (static_cast<uint64_t>(exponent - least) << format.mantissa_bits) + kept;
}

constexpr uint16_t encode(SmallFloat format, double value) {
  constexpr uint64_t kInfinity = uint64_t{0x7FF} << 52;
  uint64_t all = std::bit_cast<uint64_t>(value);
  uint64_t magnitude = all & ~(uint64_t{1} << 63);
  auto sign = static_cast<uint16_t>((all >> 63) << (format.bits() - 1));
  if (magnitude > kInfinity) {
    if (format.saturates) return format.nan();
    auto payload = static_cast<uint16_t>((magnitude >> (52 - format.mantissa_bits)) &
                                         ((1u << format.mantissa_bits) - 1));
    return static_cast<uint16_t>(sign | format.nan() | payload);
  }
  uint64_t rounded = round_magnitude(format, magnitude);
  if (rounded > format.largest()) rounded = format.largest() + (format.saturates ? 0u : 1u);
  if (rounded == 0 && !format.has_minus_zero()) return 0;
  return static_cast<uint16_t>(sign | rounded);
}

// Exact: a float holds every value of these formats.
constexpr float decode(SmallFloat format, uint16_t bits) {
  uint32_t mantissa = bits & ((1u << format.mantissa_bits) - 1);
  int exponent = (bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  auto sign = static_cast<uint32_t>(bits >> (format.bits() - 1)) << 31;
  bool all_ones = exponent == (1 << format.exponent_bits) - 1;
  uint32_t nan_mantissa = (1u << format.mantissa_bits) - 1;
  if (!format.has_minus_zero()) {
    if (bits == format.nan()) return std::numeric_limits<float>::quiet_NaN();
  } else if (all_ones && (format.has_infinity() || mantissa == nan_mantissa)) {
    uint32_t quiet = mantissa ? 1u << 22 : 0;
    return std::bit_cast<float>(sign | 0x7F800000u | quiet |
                                mantissa << (23 - format.mantissa_bits));
  }
  int power = (exponent ? exponent : 1) - format.bias() - format.mantissa_bits;
  uint32_t whole = mantissa | (exponent ? 1u << format.mantissa_bits : 0u);
  double scale = std::bit_cast<double>(static_cast<uint64_t>(1023 + power) << 52);
  auto magnitude = static_cast<float>(whole * scale);
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

}  // namespace small_float

/// Bits of the nearest float16. A float argument converts to double exactly.
constexpr uint16_t to_float16(double value) { return small_float::encode(kFloat16, value); }
/// The value of such bits, exactly; a NaN stays a NaN, quiet, and keeps its sign.
constexpr float from_float16(uint16_t bits) { return small_float::decode(kFloat16, bits); }

/// An integer as a double that rounds to the same small float as the integer itself. Beyond 2^53 a
/// plain conversion would round a first time; here the last bit only remembers that more followed.
constexpr double integer_for_small_float(uint64_t magnitude, bool negative = false) {
  int extra = static_cast<int>(std::bit_width(magnitude)) - 53;
  if (extra > 0) {
    uint64_t low = magnitude & ((uint64_t{1} << extra) - 1);
    magnitude = ((magnitude >> extra) | (low != 0)) << extra;
  }
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

// ---- any float

/// Bits of the nearest value of a floating format.
constexpr uint64_t to_bits(Scalar floating, double value) {
  if (floating == Scalar::Float64) return std::bit_cast<uint64_t>(value);
  if (floating == Scalar::Float32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return small_float::encode(small_float_of(floating), value);
}

/// The value of such bits, exactly.
constexpr double from_bits(Scalar floating, uint64_t bits) {
  if (floating == Scalar::Float64) return std::bit_cast<double>(bits);
  if (floating == Scalar::Float32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return small_float::decode(small_float_of(floating), static_cast<uint16_t>(bits));
}

/// From here on a number is beyond the format: half a step above its largest. Infinity for float64.
constexpr double end_of(Scalar floating) {
  const ScalarInfo& row = info(floating);
  if (row.bits == 64) return std::numeric_limits<double>::infinity();
  uint64_t largest = row.bits == 32 ? 0x7F7FFFFF : small_float_of(floating).largest();
  return from_bits(floating, largest) +
         (from_bits(floating, largest) - from_bits(floating, largest - 1)) / 2;
}

}  // namespace hetjit

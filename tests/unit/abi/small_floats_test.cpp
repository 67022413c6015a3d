// The small formats, exhaustively. Rounding is a monotone step function, so it is right
// everywhere when it is right at every value, at every midpoint of two neighbours, and just beside
// each midpoint.
#include "abi/small_floats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace hetjit {
namespace {

using small_float::decode;
using small_float::encode;

constexpr uint64_t to_bfloat16(double value) { return to_bits(Scalar::BFloat16, value); }
constexpr uint64_t to_float8e4m3(double value) { return to_bits(Scalar::Float8E4M3, value); }
constexpr uint64_t to_float8e5m2(double value) { return to_bits(Scalar::Float8E5M2, value); }

static_assert(to_float16(1.0) == 0x3C00 && from_float16(0xC000) == -2.0f);
static_assert(to_float8e4m3(448.0) == 0x7E && to_float8e5m2(57344.0) == 0x7B);
static_assert(end_of(Scalar::Float8E4M3) == 464 && end_of(Scalar::Float8E5M2) == 61440);
static_assert(end_of(Scalar::Float16) == 65520 && end_of(Scalar::BFloat16) == 0x1.FFp127);
static_assert(end_of(Scalar::Float32) == 0x1.FFFFFFp127);

struct Named {
  std::string_view name;
  SmallFloat format;
};
std::vector<Named> small_formats() {
  std::vector<Named> all;
  for (const ScalarInfo& row : kScalars)
    if (row.category == Category::Floating && row.bits <= 16)
      all.push_back({row.python_name, small_float_of(row.scalar)});
  return all;
}
const std::vector<Named> kFormats = small_formats();

// What bits mean, from the definition: (-1)^s * m * 2^e.
double meaning(SmallFloat format, uint32_t bits) {
  uint32_t mantissa = bits % (1u << format.mantissa_bits);
  int exponent = static_cast<int>(bits >> format.mantissa_bits);
  double fraction = std::ldexp(mantissa, -format.mantissa_bits);
  if (exponent == 0) return std::ldexp(fraction, 1 - format.bias());
  return std::ldexp(1 + fraction, exponent - format.bias());
}

TEST(SmallFloats, DecodeIsTheDefinition) {
  for (const Named& row : kFormats) {
    SCOPED_TRACE(row.name);
    for (uint32_t bits = 0; bits <= row.format.largest(); ++bits) {
      auto code = static_cast<uint16_t>(bits);
      ASSERT_EQ(decode(row.format, code), meaning(row.format, bits)) << bits;
      if (bits == 0 && !row.format.has_minus_zero()) continue;
      auto negative = static_cast<uint16_t>(code | row.format.minus_zero());
      ASSERT_EQ(decode(row.format, negative), -meaning(row.format, bits)) << bits;
      ASSERT_TRUE(std::signbit(decode(row.format, negative)));
    }
    for (uint32_t bits = row.format.largest() + 1u; bits < row.format.minus_zero(); ++bits) {
      auto code = static_cast<uint16_t>(bits);
      bool infinity = row.format.has_infinity() && bits == row.format.largest() + 1u;
      ASSERT_EQ(std::isinf(decode(row.format, code)), infinity) << bits;
      ASSERT_EQ(std::isnan(decode(row.format, code)), !infinity) << bits;
    }
  }
}

void check_both_signs(SmallFloat format, double value, uint32_t bits) {
  ASSERT_EQ(encode(format, value), bits) << value;
  bool has_sign = bits != 0 || format.has_minus_zero();
  ASSERT_EQ(encode(format, -value), has_sign ? bits | format.minus_zero() : 0u) << -value;
}

TEST(SmallFloats, EncodeRoundsToNearestEven_HET_FIX_F16_HET_FIX_BF16) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  for (const Named& row : kFormats) {
    SCOPED_TRACE(row.name);
    // What lies beyond the largest value: infinity, or the largest again.
    uint32_t beyond = row.format.saturates ? row.format.largest() : row.format.largest() + 1u;
    for (uint32_t bits = 0; bits <= row.format.largest(); ++bits) {
      double here = meaning(row.format, bits), next = meaning(row.format, bits + 1);
      double middle = (here + next) / 2;  // exact in double
      uint32_t up = bits < row.format.largest() ? bits + 1 : beyond;
      check_both_signs(row.format, here, bits);
      check_both_signs(row.format, std::nextafter(middle, 0.0), bits);
      check_both_signs(row.format, middle, bits % 2 ? up : bits);
      check_both_signs(row.format, std::nextafter(middle, kInfinity), up);
    }
    check_both_signs(row.format, std::numeric_limits<double>::max(), beyond);
    check_both_signs(row.format, kInfinity, beyond);
    check_both_signs(row.format, std::numeric_limits<double>::denorm_min(), 0);
  }
}

// AMB-10: OCP E4M3 "fn", saturating; one NaN for the 8-bit formats.
TEST(SmallFloats, SpecialValues_HET_FIX_E4M3_HET_FIX_E5M2) {
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  const double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_float8e4m3(kNan), 0x7F);
  EXPECT_EQ(to_float8e4m3(-kNan), 0x7F);
  EXPECT_EQ(to_float8e5m2(kNan), 0x7F);
  EXPECT_EQ(to_float8e4m3(kInfinity), 0x7E);
  EXPECT_EQ(to_float8e4m3(-kInfinity), 0xFE);
  EXPECT_EQ(to_float8e5m2(kInfinity), 0x7B);
  EXPECT_EQ(to_float8e5m2(1e30), 0x7B);
  EXPECT_EQ(to_float8e4m3(460.0), 0x7E);
  EXPECT_EQ(from_bits(Scalar::Float8E4M3, 0x7E), 448.0);
  EXPECT_EQ(from_bits(Scalar::Float8E5M2, 0x7B), 57344.0);
  // AMD's: 1.875 * 2^7 and 1.75 * 2^15 are the largest, and -0 is NaN.
  EXPECT_EQ(from_bits(Scalar::Float8E4M3Fnuz, 0x7F), 240.0);
  EXPECT_EQ(from_bits(Scalar::Float8E5M2Fnuz, 0x7F), 57344.0);
  for (Scalar amds : {Scalar::Float8E4M3Fnuz, Scalar::Float8E5M2Fnuz}) {
    EXPECT_EQ(to_bits(amds, kInfinity), 0x7F);
    EXPECT_EQ(to_bits(amds, -1e30), 0xFF);
    EXPECT_EQ(to_bits(amds, 1), 0x40);
    EXPECT_EQ(to_bits(amds, -0.0), 0x00);
    EXPECT_EQ(to_bits(amds, -1e-30), 0x00) << "what is rounded to zero has no sign either";
    EXPECT_EQ(to_bits(amds, -kNan), 0x80);
    EXPECT_TRUE(std::isnan(from_bits(amds, 0x80)));
  }
  EXPECT_EQ(from_float16(0x7BFF), 65504.0f);
  EXPECT_EQ(to_float16(65519.0), 0x7BFF);
  EXPECT_EQ(to_float16(65520.0), 0x7C00);
  EXPECT_TRUE(std::isnan(from_float16(to_float16(kNan))));
  EXPECT_TRUE(std::isnan(from_bits(Scalar::BFloat16, to_bfloat16(kNan))));
  EXPECT_EQ(to_bfloat16(-0.0), 0x8000);
  // The bytes of CUDA's fp8x4_e4m3(1, 2, 3, 4) and half2(1, 2).
  EXPECT_EQ(to_float8e4m3(1), 0x38);
  EXPECT_EQ(to_float8e4m3(2), 0x40);
  EXPECT_EQ(to_float8e4m3(3), 0x44);
  EXPECT_EQ(to_float8e4m3(4), 0x48);
  EXPECT_EQ(to_float16(2), 0x4000);
}

// A NaN must never become a number or infinity, whatever bits it carries.
TEST(SmallFloats, EveryKindOfNanStaysNan) {
  for (const Named& row : kFormats) {
    for (int shift = 0; shift < 52; ++shift) {
      uint64_t bits = uint64_t{0x7FF} << 52 | uint64_t{1} << shift;
      double nan = 0;
      std::memcpy(&nan, &bits, 8);
      EXPECT_TRUE(std::isnan(decode(row.format, encode(row.format, nan)))) << row.name << shift;
    }
  }
}

// The compiler's own float16, and bfloat16 by the well known trick on a float's bits.
TEST(SmallFloats, AgreeWithOtherImplementations) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000000; ++i) {
    auto bits = static_cast<uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, 4);
    if (std::isnan(value)) continue;
    uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    ASSERT_EQ(to_bfloat16(value), rounded) << value;
#ifdef __FLT16_MAX__
    auto half = static_cast<_Float16>(value);
    uint16_t half_bits = 0;
    std::memcpy(&half_bits, &half, 2);
    ASSERT_EQ(to_float16(value), half_bits) << value;
#endif
  }
}

// 2^60 + 2^52 is the middle between two bfloat16s; one more must round up, though a double cannot
// hold it.
TEST(SmallFloats, LargeIntegersRoundOnce) {
  uint64_t middle = (uint64_t{1} << 60) + (uint64_t{1} << 52);
  EXPECT_EQ(to_bfloat16(integer_for_small_float(middle)), 0x5D80);
  EXPECT_EQ(to_bfloat16(integer_for_small_float(middle + 1)), 0x5D81);
  EXPECT_EQ(to_bfloat16(static_cast<double>(middle + 1)), 0x5D80) << "rounded twice";
  EXPECT_EQ(to_bfloat16(integer_for_small_float(middle + 1, true)), 0xDD81);
  EXPECT_EQ(integer_for_small_float(3), 3.0);
  EXPECT_EQ(integer_for_small_float(0), 0.0);
  EXPECT_EQ(integer_for_small_float(uint64_t{1} << 63, true), -9223372036854775808.0);
  EXPECT_EQ(to_bfloat16(integer_for_small_float(UINT64_MAX)), 0x5F80);
}

}  // namespace
}  // namespace hetjit

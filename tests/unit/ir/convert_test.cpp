// Conversions between scalar types, and the math functions.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "compiler/ir/accurate_math.h"
#include "compiler/ir/interpret_arith.h"
#include "compiler/ir/numbers.h"

namespace hetjit::ir {
namespace {

uint64_t convert(Scalar from, Scalar to, uint64_t bits) {
  return meaning(Convert{}, from, to)(bits, 0, 0);
}
uint64_t of_double(Scalar to, double value) {
  return convert(Scalar::Float64, to, float_to_bits(Scalar::Float64, value));
}

TEST(IrConvert, IntegersWrap) {
  EXPECT_EQ(convert(Scalar::Int32, Scalar::Int8, 300), 44u);
  EXPECT_EQ(convert(Scalar::Int8, Scalar::Int32, 0x80), 0xFFFFFF80u);
  EXPECT_EQ(convert(Scalar::UInt8, Scalar::Int32, 0x80), 0x80u);
  EXPECT_EQ(convert(Scalar::Int8, Scalar::UInt64, 0xFF), ~0ull);
  EXPECT_EQ(convert(Scalar::UInt32, Scalar::Int64, 0xFFFFFFFFu), 0xFFFFFFFFu);
  EXPECT_EQ(convert(Scalar::Int64, Scalar::UInt32, ~0ull), 0xFFFFFFFFu);
}

TEST(IrConvert, FloatToIntegerTruncatesAndSaturates) {
  EXPECT_EQ(of_double(Scalar::Int32, 2.9), 2u);
  EXPECT_EQ(of_double(Scalar::Int32, -2.9), 0xFFFFFFFEu);
  EXPECT_EQ(of_double(Scalar::Int32, 1e10), 0x7FFFFFFFu);
  EXPECT_EQ(of_double(Scalar::Int32, -1e10), 0x80000000u);
  EXPECT_EQ(of_double(Scalar::Int32, 2147483647.5), 0x7FFFFFFFu);
  EXPECT_EQ(of_double(Scalar::Int32, NAN), 0u);
  EXPECT_EQ(of_double(Scalar::Int8, 128), 0x7Fu);
  EXPECT_EQ(of_double(Scalar::Int8, -129), 0x80u);
  EXPECT_EQ(of_double(Scalar::UInt8, -1), 0u);
  EXPECT_EQ(of_double(Scalar::UInt8, 255.9), 255u);
  EXPECT_EQ(of_double(Scalar::UInt8, 256), 255u);
  EXPECT_EQ(of_double(Scalar::Int64, 0x1p63), 0x7FFFFFFFFFFFFFFFull);
  EXPECT_EQ(of_double(Scalar::Int64, -0x1p63), 0x8000000000000000ull);
  EXPECT_EQ(of_double(Scalar::Int64, 0x1p62), 1ull << 62);
  EXPECT_EQ(of_double(Scalar::UInt64, 0x1p63), 1ull << 63);
  EXPECT_EQ(of_double(Scalar::UInt64, 0x1p64), ~0ull);
  EXPECT_EQ(of_double(Scalar::UInt64, -INFINITY), 0u);
  EXPECT_EQ(of_double(Scalar::UInt64, INFINITY), ~0ull);
  EXPECT_EQ(convert(Scalar::Float16, Scalar::Int16, 0x7BFF), 0x7FFFu);  // 65504
}

TEST(IrConvert, ToBoolAsksWhetherItIsNotZero) {
  EXPECT_EQ(of_double(Scalar::Bool, 0.0), 0u);
  EXPECT_EQ(of_double(Scalar::Bool, -0.0), 0u);
  EXPECT_EQ(of_double(Scalar::Bool, 0.25), 1u);
  EXPECT_EQ(of_double(Scalar::Bool, NAN), 1u);
  EXPECT_EQ(convert(Scalar::Int32, Scalar::Bool, 256), 1u);
  EXPECT_EQ(convert(Scalar::Bool, Scalar::Float16, 1), 0x3C00u);
  EXPECT_EQ(convert(Scalar::Bool, Scalar::Int64, 1), 1u);
}

TEST(IrConvert, IntoFloatsRoundsOnceToEven) {
  auto f32 = [](float value) { return uint64_t{std::bit_cast<uint32_t>(value)}; };
  EXPECT_EQ(convert(Scalar::Int32, Scalar::Float32, 16777217), f32(16777216));
  EXPECT_EQ(convert(Scalar::Int32, Scalar::Float32, 16777219), f32(16777220));
  EXPECT_EQ(convert(Scalar::UInt64, Scalar::Float32, ~0ull), f32(0x1p64f));
  // Through double this would round twice, and down.
  EXPECT_EQ(convert(Scalar::Int64, Scalar::Float32, (1ull << 60) + (1ull << 36) + 1),
            f32(0x1p60f + 0x1p37f));
  EXPECT_EQ(convert(Scalar::Int64, Scalar::BFloat16, (1ull << 60) + (1ull << 52) + 1),
            uint64_t{0x5D81});
  EXPECT_EQ(of_double(Scalar::Float32, 0.1), f32(0.1f));
  EXPECT_EQ(of_double(Scalar::Float32, 1e300), f32(INFINITY));
  EXPECT_EQ(of_double(Scalar::Float16, 65520), 0x7C00u);
  EXPECT_EQ(of_double(Scalar::Float16, 65519), 0x7BFFu);
  EXPECT_EQ(of_double(Scalar::Float8E4M3, 1e9), 0x7Eu);  // saturates
  EXPECT_EQ(convert(Scalar::Int32, Scalar::Float8E4M3, 3), uint64_t{0x44});
  EXPECT_EQ(convert(Scalar::Float8E4M3, Scalar::Float32, 0x44), f32(3));
}

TEST(IrConvert, EveryPairOfTypesKeepsSmallNumbers) {
  for (const ScalarInfo& from : kScalars)
    for (const ScalarInfo& to : kScalars) {
      if (from.category == Category::Complex || to.category == Category::Complex) continue;
      for (uint64_t value : {0, 1}) {
        uint64_t in = is_floating(from.scalar) ? float_to_bits(from.scalar, double(value)) : value;
        uint64_t out = is_floating(to.scalar) ? float_to_bits(to.scalar, double(value)) : value;
        EXPECT_EQ(convert(from.scalar, to.scalar, in), out) << from.text << " to " << to.text;
      }
    }
}

constexpr MathFunction kFunctions[] = {
#define MATH(name, ...) MathFunction::name,
#include "compiler/ir/math.def"
#undef MATH
};

template <class T>
T call(void* code, uint8_t arity, T a, T b) {
  if (arity == 1) return reinterpret_cast<T (*)(T)>(code)(a);
  return reinterpret_cast<T (*)(T, T)>(code)(a, b);
}

void* called(const std::string& name) {
  if (name == "hetjit_tgammaf") return reinterpret_cast<void*>(accurate::tgammaf);
  if (name == "hetjit_rsqrtf") return reinterpret_cast<void*>(accurate::rsqrtf);
  const std::map<std::string, double (*)(double)> wide = {
      {"hetjit_rsqrt", accurate::rsqrt}, {"hetjit_sinh", accurate::sinh},
      {"hetjit_tanh", accurate::tanh},   {"hetjit_cosh", accurate::cosh},
      {"hetjit_cbrt", accurate::cbrt},   {"hetjit_log10", accurate::log10}};
  auto found = wide.find(name);
  if (found != wide.end()) return reinterpret_cast<void*>(found->second);
  return dlsym(RTLD_DEFAULT, name.c_str());
}

// The table's libm column says what is called; the code names it a second time. They must agree.
TEST(IrMath, FollowsTheTable) {
  for (MathFunction function : kFunctions) {
    Math op;
    op.function = function;
    const MathInfo& row = info(function);
    void* f32 = called(row.libm[0]);
    void* f64 = called(row.libm[1]);
    ASSERT_TRUE(f32 && f64) << row.name;
    for (double a : {0.3, 0.75, 1.5, -0.4, 2.5, 17.0})
      for (double b : {0.7, -1.25, 3.0}) {
        auto x = static_cast<float>(a), y = static_cast<float>(b);
        uint64_t narrow = meaning(op, Scalar::Float32, Scalar::Float32)(
            float_to_bits(Scalar::Float32, x), float_to_bits(Scalar::Float32, y), 0);
        EXPECT_EQ(narrow, float_to_bits(Scalar::Float32, call<float>(f32, row.arity, x, y)))
            << row.name;
        uint64_t wide = meaning(op, Scalar::Float64, Scalar::Float64)(
            float_to_bits(Scalar::Float64, a), float_to_bits(Scalar::Float64, b), 0);
        EXPECT_EQ(wide, float_to_bits(Scalar::Float64, call<double>(f64, row.arity, a, b)))
            << row.name;
      }
  }
}

TEST(IrMath, RoundsHalfToEven) {
  Math op;
  op.function = MathFunction::RoundEven;
  auto round = [&](double value) {
    return bits_to_float(Scalar::Float64, meaning(op, Scalar::Float64, Scalar::Float64)(
                                              float_to_bits(Scalar::Float64, value), 0, 0));
  };
  EXPECT_EQ(round(0.5), 0);
  EXPECT_EQ(round(1.5), 2);
  EXPECT_EQ(round(2.5), 2);
  EXPECT_EQ(round(-3.5), -4);
}

}  // namespace
}  // namespace hetjit::ir

// What each arithmetic op means, against values worked out by hand and against wide integers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/ir/interpret_arith.h"
#include "compiler/ir/numbers.h"

namespace hetjit::ir {
namespace {

constexpr Scalar kIntegers[] = {Scalar::Int8,  Scalar::Int16,  Scalar::Int32,  Scalar::Int64,
                                Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64};

using Wide = __int128;

// The integer that bits stand for, and back, wrapping.
Wide wide(Scalar s, uint64_t bits) {
  uint64_t extended = extend_bits(s, bits);
  return is_signed_integer(s) ? Wide{static_cast<int64_t>(extended)} : Wide{extended};
}
uint64_t narrow(Scalar s, Wide value) { return wrap_bits(s, static_cast<uint64_t>(value)); }

// All values of eight bits; for wider types the ends of the range and what lies around zero.
std::vector<uint64_t> samples(Scalar s) {
  std::vector<uint64_t> all;
  if (info(s).bits == 8) {
    for (uint64_t bits = 0; bits < 256; ++bits) all.push_back(bits);
    return all;
  }
  uint64_t top = 1ull << (info(s).bits - 1);
  for (uint64_t around : {uint64_t{0}, top, top >> 1, uint64_t{1000}})
    for (uint64_t i = 0; i < 9; ++i) all.push_back(wrap_bits(s, around + i - 4));
  for (uint64_t bits : {7, 8, 15, 16, 31, 32, 33, 63, 64, 65}) all.push_back(wrap_bits(s, bits));
  return all;
}

template <class AnyOp, class Expected>
void check_binary(Expected expected) {
  for (Scalar s : kIntegers) {
    ScalarFunction compute = meaning(AnyOp{}, s, s);
    for (uint64_t a : samples(s))
      for (uint64_t b : samples(s))
        ASSERT_EQ(compute(a, b, 0), narrow(s, expected(s, wide(s, a), wide(s, b))))
            << info(s).text << " " << AnyOp::info.text.value << " " << int64_t(wide(s, a)) << ", "
            << int64_t(wide(s, b));
  }
}

Wide floor_quotient(Wide a, Wide b) {
  if (b == 0) return 0;
  Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// What does not fit wraps.
TEST(IrArith, IntegersWrap_HET_NUM_6) {
  check_binary<Add>([](Scalar, Wide a, Wide b) { return a + b; });
  check_binary<Sub>([](Scalar, Wide a, Wide b) { return a - b; });
  check_binary<Mul>([](Scalar, Wide a, Wide b) {
    return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  });
}

// The product of two numbers of 64 bits needs all 128: -2^63 * -2^63, (2^64 - 1)^2.
TEST(IrArith, UpperHalvesOfProducts) {
  check_binary<MulHigh>([](Scalar s, Wide a, Wide b) -> Wide {
    if (is_signed_integer(s)) return (a * b) >> info(s).bits;
    auto product = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
    return static_cast<Wide>(product >> info(s).bits);
  });
}

TEST(IrArith, IntegerDivisionFloors) {
  check_binary<FloorDiv>([](Scalar, Wide a, Wide b) { return floor_quotient(a, b); });
  check_binary<Mod>(
      [](Scalar, Wide a, Wide b) { return b == 0 ? 0 : a - floor_quotient(a, b) * b; });
  ScalarFunction divide = meaning(FloorDiv{}, Scalar::Int32, Scalar::Int32);
  EXPECT_EQ(divide(0x80000000u, 0xFFFFFFFFu, 0), 0x80000000u);  // min // -1 wraps
  EXPECT_EQ(divide(7, 0, 0), 0u);
  EXPECT_EQ(divide(narrow(Scalar::Int32, -7), 2, 0), narrow(Scalar::Int32, -4));
  ScalarFunction mod = meaning(Mod{}, Scalar::Int32, Scalar::Int32);
  EXPECT_EQ(mod(0x80000000u, 0xFFFFFFFFu, 0), 0u);
  EXPECT_EQ(mod(7, narrow(Scalar::Int32, -3), 0), narrow(Scalar::Int32, -2));
}

TEST(IrArith, BitwiseAndShifts) {
  check_binary<BitAnd>([](Scalar, Wide a, Wide b) { return a & b; });
  check_binary<BitOr>([](Scalar, Wide a, Wide b) { return a | b; });
  check_binary<BitXor>([](Scalar, Wide a, Wide b) { return a ^ b; });
  check_binary<ShiftLeft>([](Scalar s, Wide a, Wide b) -> Wide {
    return b < 0 || b >= info(s).bits ? 0 : a << static_cast<int>(b);
  });
  check_binary<ShiftRight>([](Scalar s, Wide a, Wide b) -> Wide {
    if (b < 0) return 0;
    return a >> static_cast<int>(b >= info(s).bits ? 64 : b);
  });
  ScalarFunction invert = meaning(BitNot{}, Scalar::Bool, Scalar::Bool);
  EXPECT_EQ(invert(0, 0, 0), 1u);
  EXPECT_EQ(invert(1, 0, 0), 0u);
  EXPECT_EQ(meaning(BitNot{}, Scalar::UInt16, Scalar::UInt16)(1, 0, 0), 0xFFFEu);
  EXPECT_EQ(meaning(BitXor{}, Scalar::Bool, Scalar::Bool)(1, 1, 0), 0u);
}

TEST(IrArith, UnaryIntegers) {
  for (Scalar s : kIntegers)
    for (uint64_t a : samples(s)) {
      Wide value = wide(s, a);
      EXPECT_EQ(meaning(Neg{}, s, s)(a, 0, 0), narrow(s, -value));
      EXPECT_EQ(meaning(Abs{}, s, s)(a, 0, 0), narrow(s, value < 0 ? -value : value));
      EXPECT_EQ(meaning(BitNot{}, s, s)(a, 0, 0), narrow(s, -value - 1));
    }
}

TEST(IrArith, WrapIndexCountsFromTheEnd) {
  ScalarFunction wrap = meaning(WrapIndex{}, Scalar::Int64, Scalar::Int64);
  EXPECT_EQ(wrap(3, 10, 0), 3u);
  EXPECT_EQ(wrap(0, 10, 0), 0u);
  EXPECT_EQ(wrap(uint64_t(-1), 10, 0), 9u);
  EXPECT_EQ(wrap(uint64_t(-11), 10, 0), uint64_t(-1));  // nothing is checked
  EXPECT_EQ(meaning(WrapIndex{}, Scalar::Int8, Scalar::Int8)(0xFF, 5, 0), 4u);
}

TEST(IrArith, CompareIsOrderedByTheType) {
  for (Scalar s : kIntegers)
    for (uint64_t a : samples(s))
      for (uint64_t b : samples(s)) {
        Wide x = wide(s, a), y = wide(s, b);
        auto compare = [&](Comparison kind) {
          Compare op;
          op.kind = kind;
          return meaning(op, s, Scalar::Bool)(a, b, 0);
        };
        ASSERT_EQ(compare(Comparison::Lt), uint64_t(x < y));
        ASSERT_EQ(compare(Comparison::Le), uint64_t(x <= y));
        ASSERT_EQ(compare(Comparison::Eq), uint64_t(x == y));
        ASSERT_EQ(compare(Comparison::Ne), uint64_t(x != y));
        ASSERT_EQ(compare(Comparison::Gt), uint64_t(x > y));
        ASSERT_EQ(compare(Comparison::Ge), uint64_t(x >= y));
      }
}

TEST(IrArith, OnlyNeIsTrueOfNan) {
  for (Scalar s : {Scalar::Float64, Scalar::Float32, Scalar::Float16, Scalar::BFloat16}) {
    uint64_t nan = float_to_bits(s, NAN), one = float_to_bits(s, 1);
    for (int kind = 0; kind < 6; ++kind) {
      Compare op;
      op.kind = static_cast<Comparison>(kind);
      uint64_t expected = op.kind == Comparison::Ne;
      EXPECT_EQ(meaning(op, s, Scalar::Bool)(nan, one, 0), expected);
      EXPECT_EQ(meaning(op, s, Scalar::Bool)(one, nan, 0), expected);
      EXPECT_EQ(meaning(op, s, Scalar::Bool)(nan, nan, 0), expected);
    }
  }
}

// ---- floats

template <class AnyOp>
double compute(Scalar s, double a, double b = 0, double c = 0) {
  return bits_to_float(
      s, meaning(AnyOp{}, s, s)(float_to_bits(s, a), float_to_bits(s, b), float_to_bits(s, c)));
}

// Equal, with zeros told apart and NaN equal to NaN.
void expect_same(double found, double expected, const char* what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << what << ": " << found;
    return;
  }
  EXPECT_EQ(found, expected) << what;
  EXPECT_EQ(std::signbit(found), std::signbit(expected)) << what;
}

struct DivisionCase {
  double a, b, quotient, remainder;
};
// From CPython's divmod, and its ZeroDivisionError cases as IEEE 754 has them.
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr DivisionCase kDivisions[] = {
    {7, 2, 3, 1},           {-7, 2, -4, 1},         {7, -2, -4, -1},       {-7, -2, 3, -1},
    {6, 3, 2, 0.0},         {6, -3, -2, -0.0},      {-6, 3, -2, 0.0},      {0.0, 3, 0.0, 0.0},
    {-0.0, 3, -0.0, 0.0},   {0.0, -3, -0.0, -0.0},  {1, kInf, 0.0, 1},     {-1, kInf, -1, kInf},
    {1, -kInf, -1, -kInf},  {kInf, 2, kNan, kNan},  {1, 0.0, kInf, kNan},  {-1, 0.0, -kInf, kNan},
    {1, -0.0, -kInf, kNan}, {0.0, 0.0, kNan, kNan}, {kNan, 1, kNan, kNan}, {1, kNan, kNan, kNan},
    {0.5, 0.125, 4, 0.0},
};

TEST(IrArith, FloatDivisionFloorsAsPython) {
  for (Scalar s : {Scalar::Float64, Scalar::Float32, Scalar::Float16, Scalar::BFloat16})
    for (const DivisionCase& each : kDivisions) {
      std::string what = std::string(info(s).text) + " " + std::to_string(each.a) + " by " +
                         std::to_string(each.b);
      expect_same(compute<FloorDiv>(s, each.a, each.b), each.quotient, what.c_str());
      expect_same(compute<Mod>(s, each.a, each.b), each.remainder, what.c_str());
    }
  // Where the exact quotient is just below a whole number and division rounds it up.
  expect_same(compute<FloorDiv>(Scalar::Float64, 1.0, 0.1), 9.0, "1.0 // 0.1");
  expect_same(compute<Mod>(Scalar::Float64, 1.0, 0.1), 0.09999999999999995, "1.0 % 0.1");
  expect_same(compute<Mod>(Scalar::Float64, -1e-20, 3.0), 3.0, "-1e-20 % 3.0");
}

TEST(IrArith, FloatsRoundInTheirOwnFormat) {
  EXPECT_EQ(compute<Add>(Scalar::Float32, 16777216, 1), 16777216);  // ties to even
  EXPECT_EQ(compute<Add>(Scalar::Float32, 16777216, 3), 16777220);
  EXPECT_EQ(compute<Add>(Scalar::Float64, 16777216, 1), 16777217);
  EXPECT_EQ(compute<Add>(Scalar::Float16, 2048, 1), 2048);
  EXPECT_EQ(compute<Add>(Scalar::BFloat16, 256, 1), 256);
  EXPECT_EQ(compute<Mul>(Scalar::Float16, 256, 256), kInf);
  EXPECT_EQ(compute<Mul>(Scalar::Float32, 0x1p-100, 0x1p-49), 0x1p-149);  // denormals are kept
  EXPECT_EQ(compute<Mul>(Scalar::Float32, 0x1p-100, 0x1p-50), 0);
  EXPECT_EQ(compute<Div>(Scalar::Float32, 1, 3), double{1.0f / 3.0f});
  EXPECT_EQ(compute<Div>(Scalar::Float64, 1, 0.0), kInf);
  EXPECT_EQ(compute<Div>(Scalar::Float64, 1, -0.0), -kInf);
  expect_same(compute<Div>(Scalar::Float64, 0, 0), kNan, "0 / 0");
  expect_same(compute<Neg>(Scalar::Float64, 0.0), -0.0, "-0.0");
  expect_same(compute<Abs>(Scalar::Float32, -0.0), 0.0, "abs(-0.0)");
  expect_same(compute<Sub>(Scalar::Float64, 0.0, 0.0), 0.0, "0.0 - 0.0");
}

TEST(IrArith, NanIsTheQuietNanButForItsSign) {
  ScalarFunction divide = meaning(Div{}, Scalar::Float32, Scalar::Float32);
  EXPECT_EQ(divide(0, 0, 0), 0x7FC00000u);
  EXPECT_EQ(divide(0xFFC12345u, 0x3F800000u, 0), 0x7FC00000u);
  EXPECT_EQ(meaning(Neg{}, Scalar::Float32, Scalar::Float32)(0x7FC00000u, 0, 0), 0xFFC00000u);
  EXPECT_EQ(meaning(Abs{}, Scalar::Float32, Scalar::Float32)(0xFFC00001u, 0, 0), 0x7FC00001u);
  EXPECT_EQ(meaning(Neg{}, Scalar::Float16, Scalar::Float16)(0x3C00u, 0, 0), 0xBC00u);
}

TEST(IrArith, FmaRoundsOnce) {
  double a = 1 + 0x1p-30;
  EXPECT_EQ(compute<Fma>(Scalar::Float64, a, a, -1), 0x1p-29 + 0x1p-60);
  EXPECT_EQ(compute<Fma>(Scalar::Float32, 1 + 0x1p-20, 1 - 0x1p-20, -1), -0x1p-40);
  EXPECT_EQ(compute<Fma>(Scalar::Float16, 1 + 0x1p-10, 1 - 0x1p-10, -1), -0x1p-20);
  // The product lies halfway between two values and the tiny addend decides: rounding the sum to
  // any wider format first would lose it.
  EXPECT_EQ(compute<Fma>(Scalar::BFloat16, 1 + 0x1p-4, 1 + 0x1p-4, 0x1p-100), 1.1328125);
  double halfway = (1 + 0x1p-7) * 0x1.8p0;  // 1.51171875, between 1.5078125 and 1.515625
  EXPECT_EQ(compute<Fma>(Scalar::BFloat16, 1 + 0x1p-7, 1.5, 0x1p-130), 1.515625) << halfway;
  EXPECT_EQ(compute<Fma>(Scalar::BFloat16, 1 + 0x1p-7, 1.5, -0x1p-130), 1.5078125);
  EXPECT_EQ(compute<Fma>(Scalar::BFloat16, 1 + 0x1p-7, 1.5, 0), 1.515625);  // a tie, to even
  expect_same(compute<Fma>(Scalar::Float32, kInf, 0, 1), kNan, "inf * 0 + 1");
}

}  // namespace
}  // namespace hetjit::ir

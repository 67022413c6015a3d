// Arithmetic on ranges, against all numbers of small ranges and the interpreter's arithmetic.
#include "compiler/passes/interval.h"

#include <gtest/gtest.h>

#include "compiler/ir/interpret_arith.h"
#include "compiler/ir/numbers.h"

namespace hetjit::passes {
namespace {

Wide value_of(Scalar scalar, uint64_t bits) {
  uint64_t extended = ir::extend_bits(scalar, bits);
  return is_signed_integer(scalar) ? Wide{static_cast<int64_t>(extended)} : Wide{extended};
}

// For every pair of intervals with these ends: what the op gives for their numbers lies in the
// result, unless the result does not fit the type.
void check(Scalar scalar, ir::ScalarFunction compute,
           std::optional<Interval> (*rule)(Interval, Interval)) {
  const bool is_signed = is_signed_integer(scalar);
  std::vector<Wide> ends = {0, 1, 2, 3, 7, 127};
  for (Wide end : {-128, -127, -5, -2, -1})
    if (is_signed) ends.push_back(end);
  if (!is_signed) ends.push_back(255);
  std::vector<Interval> intervals;
  for (Wide lo : ends)
    for (Wide hi : ends)
      if (lo <= hi) intervals.push_back({lo, hi});
  // Numbers to try: the ends, and one inside of them each.
  auto some = [](Interval it) {
    Wide middle = (it.lo + it.hi) / 2;
    std::vector<Wide> all = {it.lo, it.hi, middle};
    for (Wide extra : {it.lo + 1, it.hi - 1, Wide{0}, Wide{-1}, Wide{1}})
      if (it.lo <= extra && extra <= it.hi) all.push_back(extra);
    return all;
  };
  for (Interval a : intervals)
    for (Interval b : intervals) {
      std::optional<Interval> result = rule(a, b);
      if (!result || !numbers_of(scalar).holds(*result)) continue;
      for (Wide x : some(a))
        for (Wide y : some(b)) {
          uint64_t bits = compute(ir::wrap_bits(scalar, static_cast<uint64_t>(x)),
                                  ir::wrap_bits(scalar, static_cast<uint64_t>(y)), 0);
          Wide z = value_of(scalar, bits);
          ASSERT_TRUE(result->lo <= z && z <= result->hi)
              << int64_t(x) << ", " << int64_t(y) << " gives " << int64_t(z) << ", outside ["
              << int64_t(result->lo) << ", " << int64_t(result->hi) << "]";
        }
    }
}

template <class AnyOp>
void check_op(std::optional<Interval> (*rule)(Interval, Interval)) {
  for (Scalar scalar : {Scalar::Int8, Scalar::UInt8})
    check(scalar, ir::meaning(AnyOp{}, scalar, scalar), rule);
}

TEST(Interval, HoldsWhatArithmeticGives) {
  check_op<ir::Add>(add);
  check_op<ir::Sub>(subtract);
  check_op<ir::Mul>(multiply);
  check_op<ir::FloorDiv>(floor_divide);
  check_op<ir::Mod>(mod);
  check_op<ir::BitAnd>(bit_and);
  check_op<ir::BitOr>(bit_or);
  check_op<ir::BitXor>(bit_or);
  check_op<ir::ShiftLeft>(shift_left);
  check_op<ir::ShiftRight>(shift_right);
  check(Scalar::Int8, ir::meaning(ir::WrapIndex{}, Scalar::Int8, Scalar::Int8), wrap_index);
}

TEST(Interval, SaysSomething) {
  EXPECT_EQ(add({1, 2}, {10, 20}), (Interval{11, 22}));
  EXPECT_EQ(subtract({1, 2}, {10, 20}), (Interval{-19, -8}));
  EXPECT_EQ(multiply({-2, 3}, {10, 20}), (Interval{-40, 60}));
  EXPECT_EQ(floor_divide({-7, 7}, {2, 3}), (Interval{-4, 3}));
  EXPECT_EQ(floor_divide({10, 20}, {0, 3}), (Interval{0, 20}));
  EXPECT_EQ(mod({-100, 100}, {1, 8}), (Interval{0, 7}));
  EXPECT_EQ(mod({0, 3}, {1, 8}), (Interval{0, 3}));
  EXPECT_EQ(mod({0, 3}, {-8, -1}), (Interval{-7, 0}));
  EXPECT_EQ(absolute({-3, 2}), (Interval{0, 3}));
  EXPECT_EQ(absolute({-3, -2}), (Interval{2, 3}));
  EXPECT_EQ(bit_and({-8, 8}, {0, 15}), (Interval{0, 15}));
  EXPECT_EQ(bit_or({0, 8}, {0, 3}), (Interval{0, 15}));
  EXPECT_EQ(shift_right({-9, 9}, {1, 1}), (Interval{-5, 4}));
  EXPECT_EQ(shift_left({-9, 9}, {2, 2}), (Interval{-36, 36}));
  EXPECT_EQ(wrap_index({-3, 5}, {10, 20}), (Interval{0, 19}));
  EXPECT_EQ(numbers_of(Scalar::UInt64).hi, (Wide{1} << 64) - 1);
  EXPECT_EQ(multiply(numbers_of(Scalar::UInt64), numbers_of(Scalar::UInt64)), std::nullopt);
}

}  // namespace
}  // namespace hetjit::passes

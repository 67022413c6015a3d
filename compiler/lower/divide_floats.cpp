#include "compiler/lower/divide_floats.h"

#include <llvm/IR/PatternMatch.h>

#include <cmath>

namespace hetjit::lower {
namespace {

using llvm::Value;

// By a power of two whose inverse is one as well, quotients are exact, unless they overflow or, of
// a divisor above 1, are so small that the truncated one is zero anyway.
constexpr int kFarthestPower = 60;

struct PowerOfTwo {
  double divisor;
  bool may_overflow() const { return std::abs(divisor) < 1; }
};

std::optional<PowerOfTwo> power_of_two(Value* divisor) {
  const llvm::APFloat* value;
  if (!llvm::PatternMatch::match(divisor, llvm::PatternMatch::m_APFloat(value))) return {};
  if (!value->isFiniteNonZero()) return {};
  const int power = value->getExactLog2Abs();  // INT_MIN: it is none
  if (power < -kFarthestPower || power > kFarthestPower) return {};
  return PowerOfTwo{value->convertToDouble()};
}

Value* quotient(Lowering& at, Value* a, const PowerOfTwo& by) {
  return at.build.CreateFMul(a, llvm::ConstantFP::get(a->getType(), 1 / by.divisor));
}

/// a - whole * divisor, of a whole number near the quotient: exact, or rounded once where it is of
/// the other sign than a. Where the quotient overflowed nothing remains of a, and of infinity NaN.
Value* remaining(Lowering& at, Value* a, Value* exact, Value* whole, const PowerOfTwo& by) {
  auto& build = at.build;
  llvm::Type* type = a->getType();
  Value* product = build.CreateFMul(whole, llvm::ConstantFP::get(type, by.divisor));
  Value* rest = build.CreateFSub(a, product);
  if (!by.may_overflow()) return rest;
  Value* size = build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, exact);
  Value* overflowed = build.CreateFCmpOEQ(size, llvm::ConstantFP::getInfinity(type));
  return build.CreateSelect(overflowed, build.CreateFSub(a, a), rest);
}

/// The truncated quotient, and what remains: of the sign of a, or zero.
struct Truncated {
  Value *quotient, *remainder;
};
Truncated truncate(Lowering& at, Value* a, const PowerOfTwo& by) {
  Value* exact = quotient(at, a, by);
  Value* whole = at.build.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, exact);
  return {whole, remaining(at, a, exact, whole, by)};
}

/// a % b. The rounded quotient is the floor of the exact one, if it is not too small to be one.
Value* mod_known(Lowering& at, Value* a, const PowerOfTwo& by) {
  auto& build = at.build;
  if (by.divisor < 0)
    return build.CreateFNeg(mod_known(at, build.CreateFNeg(a), PowerOfTwo{-by.divisor}));
  if (by.divisor <= 1) {
    Value* exact = quotient(at, a, by);
    Value* floor = build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, exact);
    return remaining(at, a, exact, floor, by);
  }
  Value* rest = truncate(at, a, by).remainder;
  Value* below = build.CreateFCmpOLT(rest, llvm::ConstantFP::get(a->getType(), 0.0));
  Value* more = build.CreateFAdd(rest, llvm::ConstantFP::get(a->getType(), by.divisor));
  return build.CreateSelect(below, more, rest, "mod");
}

/// a // b. Of infinity it is NaN, as `a - a` is; of others that is 0.0, which changes nothing.
Value* floordiv_known(Lowering& at, Value* a, const PowerOfTwo& by) {
  auto& build = at.build;
  llvm::Type* type = a->getType();
  Value* nothing = build.CreateFSub(a, a);
  if (std::abs(by.divisor) <= 1) {
    Value* exact = quotient(at, a, by);
    Value* floor = build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, exact);
    return build.CreateFSub(floor, nothing, "floordiv");
  }
  Truncated it = truncate(at, a, by);
  Value* zero = llvm::ConstantFP::get(type, 0.0);
  Value* down = by.divisor < 0 ? build.CreateFCmpOGT(it.remainder, zero)
                               : build.CreateFCmpOLT(it.remainder, zero);
  Value* next = build.CreateFSub(it.quotient, llvm::ConstantFP::get(type, 1.0));
  return build.CreateFSub(build.CreateSelect(down, next, it.quotient), nothing, "floordiv");
}

/// fmod(a, b), the truncated remainder, and whether floor and truncation differ.
struct FloatRemainder {
  Value *remainder, *rounds_down;
};
FloatRemainder remainder_of(Lowering& at, Value* a, Value* b) {
  auto& build = at.build;
  Value* zero = llvm::ConstantFP::get(a->getType(), 0.0);
  Value* remainder = call_math(at, ir::MathFunction::Fmod, {a, b});
  Value* differ =
      build.CreateXor(build.CreateFCmpOLT(b, zero), build.CreateFCmpOLT(remainder, zero));
  return {remainder, build.CreateAnd(build.CreateFCmpUNE(remainder, zero), differ)};
}

}  // namespace

Value* mod_float(Lowering& at, Value* a, Value* b) {
  auto& build = at.build;
  if (const std::optional<PowerOfTwo> known = power_of_two(b)) return mod_known(at, a, *known);
  Value* zero = llvm::ConstantFP::get(a->getType(), 0.0);
  FloatRemainder it = remainder_of(at, a, b);
  Value* same_sign =
      build.CreateSelect(it.rounds_down, build.CreateFAdd(it.remainder, b), it.remainder);
  Value* signed_zero = build.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, b);
  Value* is_zero = build.CreateFCmpOEQ(it.remainder, zero);
  Value* mod = build.CreateSelect(is_zero, signed_zero, same_sign, "mod");
  Value* nan = llvm::ConstantFP::getNaN(a->getType());
  return build.CreateSelect(build.CreateFCmpOEQ(b, zero), nan, mod);
}

// (a - fmod(a, b)) / b is the quotient up to one rounding; the nearest integer is what is meant.
Value* floordiv_float(Lowering& at, Value* a, Value* b) {
  auto& build = at.build;
  if (const std::optional<PowerOfTwo> known = power_of_two(b)) return floordiv_known(at, a, *known);
  llvm::Type* type = a->getType();
  Value* zero = llvm::ConstantFP::get(type, 0.0);
  Value* one = llvm::ConstantFP::get(type, 1.0);
  FloatRemainder it = remainder_of(at, a, b);
  Value* truncated = build.CreateFDiv(build.CreateFSub(a, it.remainder), b);
  Value* quotient = build.CreateSelect(it.rounds_down, build.CreateFSub(truncated, one), truncated);
  Value* floor = build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient);
  Value* rest = build.CreateFSub(quotient, floor);
  Value* next = build.CreateFCmpOGT(rest, llvm::ConstantFP::get(type, 0.5));
  Value* nearest = build.CreateSelect(next, build.CreateFAdd(floor, one), floor);
  Value* ratio = build.CreateFDiv(a, b);
  Value* signed_zero = build.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, ratio);
  Value* result = build.CreateSelect(build.CreateFCmpOEQ(quotient, zero), signed_zero, nearest);
  return build.CreateSelect(build.CreateFCmpOEQ(b, zero), ratio, result, "floordiv");
}

// The truncated remainder has the sign of a, zeros too.
Value* fmod_by_power_of_two(Lowering& at, Value* a, Value* b) {
  const std::optional<PowerOfTwo> known = power_of_two(b);
  if (!known) return nullptr;
  Value* rest = truncate(at, a, *known).remainder;
  return at.build.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rest, a);
}

}  // namespace hetjit::lower

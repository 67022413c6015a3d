// A place that is taken apart, into a row and a column: lane 0's, where all lanes lie between two
// multiples of what it is divided by. Other warps begin again, with masks.
#include "compiler/host/facts/periods.h"

#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

namespace {

/// What is divided by, and whether it is a number that lanes may lie between two multiples of.
struct Divisor {
  Value *number, *is_one;
};

Divisor divisor(llvm::IRBuilder<>& build, Period::By how, Value* by) {
  auto* type = llvm::cast<llvm::IntegerType>(by->getType());
  if (how == Period::By::Number) return {by, build.getTrue()};
  if (how == Period::By::Shift) {
    Value* most = llvm::ConstantInt::get(type, type->getBitWidth() - 2);
    Value* fits = build.CreateICmpULE(by, most);
    Value* count = build.CreateSelect(fits, by, llvm::ConstantInt::get(type, 0));
    return {build.CreateShl(llvm::ConstantInt::get(type, 1), count), fits};
  }
  Value* number = build.CreateAdd(by, llvm::ConstantInt::get(type, 1));
  Value* shared = build.CreateAnd(by, number);
  return {number, build.CreateICmpEQ(shared, llvm::ConstantInt::get(type, 0))};
}

}  // namespace

// No number is negative, none begins anew, and the last lane's rest is as far beyond lane 0's as
// its number is. What it is divided by is asked with a sign even where its type has none: a rest is
// then the same number in a wider type with a sign and without.
Spreading Warp::in_one_period(const ir::Inst& inst) {
  HETJIT_CHECK(retry_ && !wrote_memory_ && !region_->loop && mask_ == region_->base);
  const Period period = *period_of(ir_, shapes_, inst.op, block_, width_);
  const Spreading& number = at(period.number);
  const auto reach = static_cast<uint64_t>(number.stride) * (width_ - 1);
  auto* own = llvm::cast<llvm::IntegerType>(number.leaves[0]->getType());
  const uint64_t most =
      own->getBitMask() >> is_signed_integer(type(ir_.type_of(period.number)).scalar);
  Value* last = llvm::ConstantInt::get(own, most - reach);
  Value* even = build_.CreateICmpULE(number.leaves[0], last);

  const Divisor by = divisor(build_, period.how, at(period.by).leaves[0]);
  auto* wide = llvm::cast<llvm::IntegerType>(by.number->getType());
  Value* distance = llvm::ConstantInt::get(wide, reach);
  Value* is_far = build_.CreateICmpSGT(by.number, distance);
  begin_again_unless(
      build_.CreateFreeze(build_.CreateAnd(build_.CreateAnd(even, by.is_one), is_far)));

  const bool divides = period.how == Period::By::Number;
  Value* first = build_.CreateZExt(number.leaves[0], wide);
  Value* mask = build_.CreateSub(by.number, llvm::ConstantInt::get(wide, 1));
  Value* rest = divides ? build_.CreateURem(first, by.number) : build_.CreateAnd(first, mask);
  begin_again_unless(
      build_.CreateFreeze(build_.CreateICmpULT(rest, build_.CreateSub(by.number, distance))));
  if (period.rest) return {Spread::Affine, number.stride, {rest}};
  Value* quotient = divides ? build_.CreateUDiv(first, by.number)
                            : build_.CreateLShr(first, at(period.by).leaves[0]);
  return {Spread::Uniform, 0, {quotient}};
}

}  // namespace hetjit::host

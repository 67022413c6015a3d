// A place that is taken apart, into a row and a column: lane 0's, where all lanes lie between two
// multiples of what it is divided by. Other warps begin again, in parts that do.
#include "compiler/host/facts/periods.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"
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

/// A part ends where no lane is left in its head: those that are not active have given up, or come
/// with the next part.
bool Warp::ends_without_lanes(const Mask& mask) {
  Value* some = masks_.any_of(mask);
  if (!some) return false;
  llvm::LLVMContext& context = build_.getContext();
  auto* end = llvm::BasicBlock::Create(context, "end", &function_);
  auto* on = llvm::BasicBlock::Create(context, "on", &function_);
  build_.CreateCondBr(build_.CreateFreeze(some), on, end);
  build_.SetInsertPoint(end);
  return_done();
  build_.SetInsertPoint(on);
  return true;
}

bool Warp::asks_for_periods(uint32_t block) const {
  return std::ranges::any_of(ir_.blocks[block].insts, [&](const ir::Inst& inst) {
    return inst.result.valid() && shapes_.asks_for_period(inst.result);
  });
}

/// Where there are none that lanes may lie in, or many short ones: all lanes are done by the form
/// that takes any.
void Warp::have_periods(Value* hold) {
  if (!any_lanes_) return begin_again_unless(hold);
  if (!is_part_) return begin_again_unless(hold, any_lanes_, true);
  llvm::LLVMContext& context = build_.getContext();
  auto* whole = llvm::BasicBlock::Create(context, "whole", &function_);
  auto* on = llvm::BasicBlock::Create(context, "on", &function_);
  build_.CreateCondBr(hold, on, whole);
  build_.SetInsertPoint(whole);
  call_again(any_lanes_, false, 0);  // with the mask that this one is given
  build_.CreateRet(build_.getInt32(width_));
  build_.SetInsertPoint(on);
}

/// Lanes stay together that come to the next multiple, which lies so far beyond lane 0's number, or
/// go on without the others.
void Warp::keep_period(Value* left, int64_t stride) {
  auto number = [&](int64_t of) { return llvm::ConstantInt::get(left->getType(), of); };
  if (!is_part_)
    return begin_again_unless(
        build_.CreateFreeze(build_.CreateICmpUGT(left, number(stride * (width_ - 1)))));
  Value* lanes = build_.CreateUDiv(build_.CreateAdd(left, number(stride - 1)), number(stride));
  lanes = build_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lanes, number(width_));
  lanes = build_.CreateFreeze(build_.CreateZExtOrTrunc(lanes, build_.getInt32Ty()));
  Value* done = build_.CreateLoad(build_.getInt32Ty(), done_);
  build_.CreateStore(build_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, done, lanes), done_);
  masks_.narrow(*mask_, first_lanes(build_, lanes, width_));
  ends_without_lanes(*mask_);  // lane 0, whose period it is, may have given up
}

// No number is negative, none begins anew, and the last lane's rest is as far beyond lane 0's as
// its number is. What it is divided by is asked with a sign even where its type has none: a rest is
// then the same number in a wider type with a sign and without.
Spreading Warp::in_one_period(const ir::Inst& inst) {
  HETJIT_CHECK(is_part_ || (retry_ && mask_ == region_->base));
  HETJIT_CHECK(!wrote_memory_ && !region_->loop);
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
  const uint64_t shortest = any_lanes_ ? reach / kMostParts : reach;
  Value* is_far = build_.CreateICmpSGT(by.number, llvm::ConstantInt::get(wide, shortest));
  have_periods(build_.CreateFreeze(build_.CreateAnd(build_.CreateAnd(even, by.is_one), is_far)));

  const bool divides = period.how == Period::By::Number;
  Value* first = build_.CreateZExt(number.leaves[0], wide);
  Value* mask = build_.CreateSub(by.number, llvm::ConstantInt::get(wide, 1));
  Value* rest = divides ? build_.CreateURem(first, by.number) : build_.CreateAnd(first, mask);
  keep_period(build_.CreateSub(by.number, rest), number.stride);
  if (period.rest) return {Spread::Affine, number.stride, {rest}};
  Value* quotient = divides ? build_.CreateUDiv(first, by.number)
                            : build_.CreateLShr(first, at(period.by).leaves[0]);
  return {Spread::Uniform, 0, {quotient}};
}

}  // namespace hetjit::host

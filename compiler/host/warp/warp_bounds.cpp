// Turns of a loop in which all lanes are within bounds: no mask, and one question for the first
// lane and the last.
#include <llvm/IR/MDBuilder.h>

#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

/// Is each lane's answer the one that nearly all give? As numbers that do not begin anew between
/// the first lane and the last lie between theirs, these two are asked.
Value* Warp::holds_for_all(const BoundsQuestion& asked) {
  const Spreading& number = at(asked.number);
  Value *first = number.leaves[0], *bound = at(asked.bound).leaves[0];
  const bool own_sign = is_signed_integer(type(ir_.type_of(asked.number)).scalar);
  const bool with_sign = is_signed_integer(type(ir_.type_of(asked.bound)).scalar);
  const int64_t reach = number.stride * (int64_t{width_} - 1);
  const bool adds = reach >= 0;
  namespace I = llvm::Intrinsic;
  const I::ID step = own_sign ? (adds ? I::sadd_with_overflow : I::ssub_with_overflow)
                              : (adds ? I::uadd_with_overflow : I::usub_with_overflow);
  Value* distance =
      llvm::ConstantInt::get(first->getType(), static_cast<uint64_t>(adds ? reach : -reach));
  Value* moved = build_.CreateBinaryIntrinsic(step, first, distance);
  Value* holds = build_.CreateNot(build_.CreateExtractValue(moved, 1));
  for (Value* lane : {first, build_.CreateExtractValue(moved, 0)}) {
    Value* wide = build_.CreateIntCast(lane, bound->getType(), own_sign);
    Value* answer = build_.CreateICmp(lower::integer_predicate(asked.kind, with_sign), wide, bound);
    holds = build_.CreateAnd(holds, asked.inside ? answer : build_.CreateNot(answer));
  }
  return holds;
}

// The turn begins again in the loop behind this one, which has masks, when a lane is beyond.
bool Warp::stay_within(uint32_t block, const Mask* mask, const ir::Branch& op) {
  if (!region_->while_all_stay || !region_->left || mask != region_->base) return false;
  const Loop& loop = *region_->loop;
  if (!asks_for_bounds(ir_, structure_, shapes_, loop)) return false;
  const std::optional<BoundsQuestion> asked = bounds_question(ir_, shapes_, loop, block);
  if (!asked || at(asked->number).spread != Spread::Affine) return false;
  llvm::LLVMContext& context = build_.getContext();
  auto* within = llvm::BasicBlock::Create(context, "within", &function_);
  build_.CreateCondBr(build_.CreateFreeze(holds_for_all(*asked)), within, region_->left,
                      llvm::MDBuilder(context).createLikelyBranchWeights());
  build_.SetInsertPoint(within);
  arrive(asked->inside ? op.yes : op.no, mask);
  return true;
}

}  // namespace hetjit::host

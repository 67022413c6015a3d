// Branches at an array's ends: no mask where all lanes are within bounds, and one question for the
// first lane and the last, or for all turns of a loop.
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "compiler/host/facts/head.h"
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

/// The integers of a loop as lane 0 has them in its first turn, made before it: by the ops that
/// step_by_turn goes through, and no others.
struct Warp::FirstTurn {
  Warp& warp;
  const Loop& loop;
  const std::vector<Spreading>& params;

  Value* of(ValueId id) {
    if (!may_step_far(warp.ir_.type_of(id))) return nullptr;
    const ir::Op* made = warp.shapes_.definitions().of(id);
    if (made && loop.holds(warp.shapes_.home(id)))
      return std::visit([&](const auto& op) { return after(id, op); }, *made);
    const std::vector<ValueId>& own = warp.ir_.blocks[loop.header].params;
    const auto param = static_cast<size_t>(std::ranges::find(own, id) - own.begin());
    const Spreading& value = param < own.size() ? params[param] : warp.at(id);
    return value.spread == Spread::Varying || value.leaves.empty() ? nullptr : value.leaves[0];
  }
  llvm::Type* type_of(ValueId id) {
    return warp.module_.types.value_type(type(warp.ir_.type_of(id)).scalar);
  }
  template <class Op>
  Value* after(ValueId, const Op&) {
    return nullptr;
  }
  Value* after(ValueId id, const ir::ConstInt& op) {
    return llvm::ConstantInt::get(type_of(id), op.bits);
  }
  Value* after(ValueId, const ir::Add& op) { return binary(op, llvm::Instruction::Add); }
  Value* after(ValueId, const ir::Sub& op) { return binary(op, llvm::Instruction::Sub); }
  Value* after(ValueId, const ir::Mul& op) { return binary(op, llvm::Instruction::Mul); }
  Value* after(ValueId id, const ir::Convert& op) {
    const bool sign = is_signed_integer(type(warp.ir_.type_of(op.in[0])).scalar);
    Value* from = of(op.in[0]);
    return from ? warp.build_.CreateIntCast(from, type_of(id), sign) : nullptr;
  }
  template <class Op>
  Value* binary(const Op& op, llvm::Instruction::BinaryOps make) {
    Value *a = of(op.in[0]), *b = a ? of(op.in[1]) : nullptr;
    return b ? warp.build_.CreateBinOp(make, a, b) : nullptr;
  }
};

namespace {

/// What a number that steps from turn to turn must stay between, so that it is within the bound and
/// does not begin anew: from lo on and below end, i64.
struct Within {
  Value *lo, *end;
};

Within within(llvm::IRBuilder<>& build, ir::Comparison kind, Value* bound, Scalar own) {
  using enum ir::Comparison;
  const passes::Interval all = passes::numbers_of(own);  // of 32 bits
  namespace I = llvm::Intrinsic;
  Value *lo = build.getInt64(static_cast<uint64_t>(all.lo)),
        *end = build.getInt64(static_cast<uint64_t>(all.hi + 1));
  // Of a bound beyond the type's numbers one step more or less is as far.
  Value* near = build.CreateBinaryIntrinsic(
      I::smin, build.CreateBinaryIntrinsic(I::smax, bound, build.CreateSub(lo, build.getInt64(1))),
      end);
  if (kind == Gt || kind == Le) near = build.CreateAdd(near, build.getInt64(1));
  if (kind == Gt || kind == Ge) return {build.CreateBinaryIntrinsic(I::smax, near, lo), end};
  return {lo, build.CreateBinaryIntrinsic(I::smin, near, end)};
}

/// For so many turns numbers stay within that lie between `lowest` and `highest` in the first one.
Value* turns_between(llvm::IRBuilder<>& build, Within within, Value* lowest, Value* highest,
                     int64_t step) {
  Value* zero = build.getInt64(0);
  Value* holds = build.CreateAnd(build.CreateICmpSGE(lowest, within.lo),
                                 build.CreateICmpSLT(highest, within.end));
  Value* room = step > 0 ? build.CreateSub(within.end, highest)
                         : build.CreateAdd(build.CreateSub(lowest, within.lo), build.getInt64(1));
  const int64_t size = std::abs(step);
  if (size > 1)  // rounded up
    room = build.CreateUDiv(build.CreateAdd(room, build.getInt64(static_cast<uint64_t>(size - 1))),
                            build.getInt64(static_cast<uint64_t>(size)));
  return build.CreateSelect(holds, room, zero);
}

}  // namespace

/// In how many turns from the first one on all lanes are within what the block asks for, i64; null:
/// it is not known before.
Value* Warp::turns_within(const Loop& loop, uint32_t block, const std::vector<Spreading>& first) {
  const std::optional<BoundsQuestion> asked = bounds_question(ir_, shapes_, loop, block);
  const Scalar own = type(ir_.type_of(asked->number)).scalar;
  const Scalar other = type(ir_.type_of(asked->bound)).scalar;
  const bool fits = info(own).bits <= 32 && (is_signed_integer(other) || info(other).bits <= 32);
  const std::optional<int64_t> step = step_by_turn(ir_, shapes_, loop, asked->number);
  if (!fits || !step || *step == 0) return nullptr;
  FirstTurn first_turn{*this, loop, first};
  Value *number = first_turn.of(asked->number), *limit = first_turn.of(asked->bound);
  if (!number || !limit) return nullptr;
  llvm::Type* wide = build_.getInt64Ty();
  Value* bound = build_.CreateIntCast(limit, wide, is_signed_integer(other));
  Value* lowest = build_.CreateIntCast(number, wide, is_signed_integer(own));
  const int64_t stride = shapes_.of(asked->number, block).stride;
  Value* reach = build_.getInt64(static_cast<uint64_t>(stride * (int64_t{width_} - 1)));
  Value* highest = build_.CreateAdd(lowest, reach);
  if (stride < 0) std::swap(lowest, highest);
  const ir::Comparison kind = asked->inside ? asked->kind : ir::opposite(asked->kind);
  const Within bounds = within(build_, kind, bound, own);
  return turns_between(build_, bounds, lowest, highest, *step);
}

// Where numbers differ from turn to turn by what is known, it is known before the loop how many
// turns there are in which all lanes are within bounds, and none need ask.
void Warp::count_turns_within(Region& region, const std::vector<Spreading>& first) {
  region.within.assign(ir_.blocks.size(), false);
  for (const uint32_t block : bounds_blocks(ir_, shapes_, *region.loop)) {
    Value* turns = turns_within(*region.loop, block, first);
    if (!turns) continue;
    Value*& all = region.turns_within;
    all = all ? build_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, all, turns) : turns;
    region.within[block] = true;
  }
}

// Where nothing was written, the warp begins again when a lane is at an end.
bool Warp::stay_between_ends(uint32_t block, const Mask* mask, const ir::Branch& op) {
  if (!may_begin_again(block, mask) || !parts_at_ends(ir_, structure_, shapes_, block))
    return false;
  const auto asked = edge_question(ir_, shapes_, structure_.loop_of(block), block);
  if (at(asked->number).spread != Spread::Affine) return false;
  Value* holds = build_.CreateFreeze(holds_for_all(*asked));
  if (mask->flag) holds = build_.CreateOr(holds, build_.CreateNot(mask->flag));
  begin_again_unless(holds);
  arrive(asked->inside ? op.yes : op.no, mask);
  return true;
}

bool Warp::may_begin_turn_again(const Mask* mask) const {
  return region_->while_all_stay && region_->left && mask->lanes == region_->base->lanes &&
         asks_for_bounds(ir_, structure_, shapes_, *region_->loop);
}

/// The loop behind this one asks lane by lane, and has masks.
void Warp::begin_turn_again_unless(Value* holds) {
  llvm::LLVMContext& context = build_.getContext();
  auto* within = llvm::BasicBlock::Create(context, "within", &function_);
  build_.CreateCondBr(holds, within, region_->left,
                      llvm::MDBuilder(context).createLikelyBranchWeights());
  build_.SetInsertPoint(within);
}

bool Warp::stay_within(uint32_t block, const Mask* mask, const ir::Branch& op) {
  if (!may_begin_turn_again(mask)) return false;
  const std::optional<BoundsQuestion> asked = bounds_question(ir_, shapes_, *region_->loop, block);
  if (asked && !region_->within.empty() && region_->within[block]) {
    arrive(asked->inside ? op.yes : op.no, mask);
    return true;
  }
  if (!asked || at(asked->number).spread != Spread::Affine) return false;
  Value* holds = build_.CreateFreeze(holds_for_all(*asked));
  if (mask->flag) holds = build_.CreateOr(holds, build_.CreateNot(mask->flag));  // nobody came here
  begin_turn_again_unless(holds);
  arrive(asked->inside ? op.yes : op.no, mask);
  return true;
}

}  // namespace hetjit::host

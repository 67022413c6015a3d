// Atomic operations of a warp: lane after lane, in order. What lanes do to one integer without
// asking what was there is put together first. Memory that only one block can see needs no atomic
// instructions, because a block runs on one thread of the machine.
#include "compiler/host/origin.h"
#include "compiler/host/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

/// The operands of lane `lane`, and the op on them.
template <class Op>
Leaves Warp::lane_of(const Op& op, const ir::Inst& inst, Value* lane) {
  for (ValueId id : op.in) {
    const Spreading& value = at(id);
    Leaves one = value.leaves;
    if (value.spread != Spread::Uniform) {
      Leaves all = vectors(value);
      for (size_t i = 0; i < one.size(); ++i) one[i] = build_.CreateExtractElement(all[i], lane);
    }
    lowering_.define(id, one);
  }
  lowering_.lanes = 1;
  lowering_.result_type = inst.result.valid() ? ir_.type_of(inst.result) : none_type();
  return lower::lower(lowering_, op);
}

// All lanes are active: one after another.
template <class Op>
Leaves Warp::every_lane(const Op& op, const ir::Inst& inst) {
  Leaves result;
  for (unsigned lane = 0; lane < width_; ++lane) {
    Leaves one = lane_of(op, inst, build_.getInt32(lane));
    for (size_t i = 0; i < one.size(); ++i) {
      if (lane == 0)
        result.push_back(
            llvm::PoisonValue::get(llvm::FixedVectorType::get(one[i]->getType(), width_)));
      result[i] = build_.CreateInsertElement(result[i], one[i], lane);
    }
  }
  return result;
}

// A loop over those that are; there is at least one.
template <class Op>
Leaves Warp::active_lanes(const Op& op, const ir::Inst& inst) {
  llvm::LLVMContext& context = build_.getContext();
  Value* all = bits_of(masks_.lanes_of(*mask_));
  llvm::BasicBlock* before = build_.GetInsertBlock();
  auto* next = llvm::BasicBlock::Create(context, "lane", &function_);
  auto* done = llvm::BasicBlock::Create(context, "lanes.done", &function_);
  build_.CreateBr(next);
  build_.SetInsertPoint(next);
  llvm::PHINode* left = build_.CreatePHI(all->getType(), 2);
  llvm::SmallVector<llvm::PHINode*, 2> collected;
  if (inst.result.valid())
    for (const lower::Leaf& leaf : module_.types.leaves(ir_.type_of(inst.result)))
      collected.push_back(build_.CreatePHI(llvm::FixedVectorType::get(leaf.type, width_), 2));
  Value* lane = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue());
  Leaves one = lane_of(op, inst, lane), result;
  for (size_t i = 0; i < collected.size(); ++i)
    result.push_back(build_.CreateInsertElement(collected[i], one[i], lane));
  Value* rest =
      build_.CreateAnd(left, build_.CreateSub(left, llvm::ConstantInt::get(all->getType(), 1)));
  llvm::BasicBlock* end = build_.GetInsertBlock();
  left->addIncoming(all, before);
  left->addIncoming(rest, end);
  for (size_t i = 0; i < collected.size(); ++i) {
    collected[i]->addIncoming(llvm::Constant::getNullValue(collected[i]->getType()), before);
    collected[i]->addIncoming(result[i], end);
  }
  build_.CreateCondBr(build_.CreateIsNotNull(rest), next, done);
  build_.SetInsertPoint(done);
  return result;
}

template <class Op>
Spreading Warp::lane_by_lane(Op op, const ir::Inst& inst) {
  wrote_memory_ = true;
  if (is_shared(shapes_, op.in[0])) op.scope = ir::MemoryScope::Block;
  Leaves result = mask_->lanes ? active_lanes(op, inst) : every_lane(op, inst);
  return {Spread::Varying, 0, result};
}

namespace {

/// How an operation puts two operands together, so that doing it once with both is doing it with
/// one after the other; and the operand that does nothing.
struct Combined {
  llvm::Intrinsic::ID reduce;
  uint64_t neutral;  // bits, to be cut to the type's
};

std::optional<Combined> combined(ir::AtomicOperation operation, Scalar scalar) {
  unsigned bits = info(scalar).bits;
  uint64_t top = uint64_t{1} << (bits - 1), all = ~uint64_t{0};
  bool with_sign = is_signed_integer(scalar);
  namespace I = llvm::Intrinsic;
  switch (operation) {
    case ir::AtomicOperation::Add:
    case ir::AtomicOperation::Sub:
      return Combined{I::vector_reduce_add, 0};
    case ir::AtomicOperation::And:
      return Combined{I::vector_reduce_and, all};
    case ir::AtomicOperation::Or:
      return Combined{I::vector_reduce_or, 0};
    case ir::AtomicOperation::Xor:
      return Combined{I::vector_reduce_xor, 0};
    case ir::AtomicOperation::Max:
    case ir::AtomicOperation::NanMax:
      return with_sign ? Combined{I::vector_reduce_smax, top} : Combined{I::vector_reduce_umax, 0};
    case ir::AtomicOperation::Min:
    case ir::AtomicOperation::NanMin:
      return with_sign ? Combined{I::vector_reduce_smin, top - 1}
                       : Combined{I::vector_reduce_umin, all};
    default:
      return std::nullopt;
  }
}

}  // namespace

Spreading Warp::emit(const ir::AtomicUpdate& op, const ir::Inst& inst) {
  Scalar scalar = type(ir_.type_of(inst.result)).scalar;
  std::optional<Combined> rule;
  if (at(op.in[0]).spread == Spread::Uniform && is_integer(scalar) && !used_[inst.result.index])
    rule = combined(op.operation, scalar);
  if (!rule) return lane_by_lane(op, inst);
  wrote_memory_ = true;
  ir::AtomicUpdate once = op;
  if (is_shared(shapes_, op.in[0])) once.scope = ir::MemoryScope::Block;
  Value* operands = vector_of(at(op.in[1]), 0);
  llvm::Type* element = operands->getType()->getScalarType();
  llvm::APInt neutral(64, rule->neutral);
  Value* nothing = llvm::ConstantInt::get(element, neutral.trunc(element->getIntegerBitWidth()));
  if (mask_->lanes) operands = build_.CreateSelect(mask_->lanes, operands, splat(nothing));
  Value* all = build_.CreateUnaryIntrinsic(rule->reduce, operands);
  lowering_.define(op.in[0], at(op.in[0]).leaves);
  lowering_.define(op.in[1], all);
  lowering_.lanes = 1;
  lowering_.result_type = ir_.type_of(inst.result);
  lower::lower(lowering_, once);
  return {Spread::Varying, 0, llvm::PoisonValue::get(operands->getType())};
}

Spreading Warp::emit(const ir::AtomicCompareExchange& op, const ir::Inst& inst) {
  return lane_by_lane(op, inst);
}

Spreading Warp::emit(const ir::AtomicLoad& op, const ir::Inst& inst) {
  if (shapes_.of(inst.result).spread == Spread::Uniform)
    return {Spread::Uniform, 0, lowered(op, inst, 1)};
  return lane_by_lane(op, inst);
}

Spreading Warp::emit(const ir::AtomicStore& op, const ir::Inst& inst) {
  return lane_by_lane(op, inst);
}

Spreading Warp::emit(const ir::Fence& op, const ir::Inst& inst) {
  lowered(op, inst, 1);
  return {};
}

Spreading Warp::emit(const ir::Pause& op, const ir::Inst& inst) {
  lowered(op, inst, 1);
  return {};
}

}  // namespace hetjit::host

// Atomic operations of a warp: lane after lane, in order. What lanes do to one integer without
// asking what was there is put together first; to one float, in order, but written once. Memory
// that only one block can see needs no atomic instructions, because a block runs on one thread of
// the machine.
#include "compiler/host/facts/combining.h"
#include "compiler/host/warp/warp.h"
#include "compiler/lower/atomic_instructions.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

/// Is it done lane by lane anyway? Updates of one place may be put together.
bool Warp::goes_lane_by_lane(const ir::Op& op) const {
  const uint8_t access = ir::info(op).access;
  if (!(access & ir::Atomic) || !(access & ir::Stores)) return false;
  bool updates = (access & ir::Loads) && !(access & ir::IfExpected);
  return !updates || shapes_.of(ir::operands(op)[0]).spread != Spread::Uniform;
}

/// A conversion of a float is dear, as what has no such number is asked for.
bool Warp::is_cheap_for_a_lane(const ir::Op& op) const {
  if (ir::info(op).cost != ir::Cost::Index) return false;
  const auto* convert = std::get_if<ir::Convert>(&op);
  return !convert || !is_floating(type(ir_.type_of(convert->in[0])).scalar);
}

// Values that only such ops use, in the same block, are made where they are used: a lane's address
// is then known without a vector being made and taken apart. A load stays before what is written
// after it.
void Warp::find_serial() {
  const std::vector<uint32_t> uses = ir::count_uses(ir_);
  std::vector<uint32_t> serial_uses(ir_.types.size());
  for (const ir::Block& block : ir_.blocks)
    for (const ir::Inst& inst : block.insts)
      checks_ |= std::holds_alternative<ir::CheckBelow>(inst.op);
  for (const ir::Block& block : ir_.blocks) {
    std::vector<ValueId> touched;
    bool written = false;  // between here and the op that the chain ends in
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
      ValueId id = inst->result;
      bool ends = goes_lane_by_lane(inst->op);
      bool only_serial = id.valid() && uses[id.index] != 0 &&
                         serial_uses[id.index] == uses[id.index] &&
                         shapes_.of(id).spread == Spread::Varying;
      bool stays =
          std::holds_alternative<ir::Load>(inst->op) && (written || !is_scalar(ir_.type_of(id)));
      if (only_serial && !stays && is_cheap_for_a_lane(inst->op)) serial_[id.index] = &*inst;
      if (!ends && !(id.valid() && serial_[id.index])) {
        written |= (ir::info(inst->op).effects & ir::Writes) != 0;
        continue;
      }
      if (ends) written = !touched.empty();  // loads of an earlier chain stay before this one
      for (ValueId operand : ir::operands(inst->op)) {
        ++serial_uses[operand.index];
        touched.push_back(operand);
      }
    }
    for (ValueId id : touched)
      if (!serial_[id.index]) serial_uses[id.index] = 0;
  }
}

// What a check has looked at is a vector, whoever uses it. All of its numbers, one by one, come
// sooner by way of memory; volatile, or LLVM would take them out of the vector again.
Value* Warp::take_out(Value* vector, Value* lane) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const unsigned bits = type->getScalarSizeInBits();
  bool by_memory = taking_all_ && checks_ && type->getScalarType()->isIntegerTy() && bits % 8 == 0;
  if (!by_memory) return build_.CreateExtractElement(vector, lane);
  Value*& slot = taken_apart_[vector];
  if (!slot) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    slot = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    build_.CreateAlignedStore(vector, slot, llvm::Align(bits / 8), /*isVolatile=*/true);
  }
  Value* place = build_.CreateInBoundsGEP(type->getScalarType(), slot, lane);
  return build_.CreateAlignedLoad(type->getScalarType(), place, llvm::Align(bits / 8));
}

Leaves Warp::lane_value(ValueId id, Value* lane) {
  if (const ir::Inst* inst = serial_[id.index])
    return std::visit([&](const auto& op) { return lane_of(op, *inst, lane); }, inst->op);
  const Spreading& value = at(id);
  Leaves one = value.leaves;
  if (value.spread == Spread::Uniform) return one;
  for (size_t i = 0; i < one.size(); ++i) {
    if (value.spread == Spread::Varying) {
      one[i] = take_out(one[i], lane);
    } else if (one[i]->getType()->isPointerTy()) {
      Value* bytes = build_.CreateMul(build_.CreateZExtOrTrunc(lane, build_.getInt64Ty()),
                                      build_.getInt64(static_cast<uint64_t>(value.stride)));
      one[i] = build_.CreateGEP(build_.getInt8Ty(), one[i], bytes);
    } else {
      llvm::Type* type = one[i]->getType();
      Value* step = llvm::ConstantInt::getSigned(type, value.stride, /*ImplicitTrunc=*/true);
      one[i] =
          build_.CreateAdd(one[i], build_.CreateMul(build_.CreateZExtOrTrunc(lane, type), step));
    }
  }
  return one;
}

/// The op on the operands of lane `lane`.
template <class Op>
Leaves Warp::lane_of(const Op& op, const ir::Inst& inst, Value* lane) {
  llvm::SmallVector<Leaves, 4> operands;
  for (ValueId id : op.in) operands.push_back(lane_value(id, lane));
  for (size_t i = 0; i < operands.size(); ++i) lowering_.define(op.in[i], operands[i]);
  lowering_.lanes = 1;
  lowering_.result_type = inst.result.valid() ? ir_.type_of(inst.result) : none_type();
  return lower::lower(lowering_, op);
}

// All lanes are active: one after another.
template <class Op>
Leaves Warp::every_lane(const Op& op, const ir::Inst& inst) {
  Leaves result;
  taking_all_ = true;
  for (unsigned lane = 0; lane < width_; ++lane) {
    Leaves one = lane_of(op, inst, build_.getInt32(lane));
    for (size_t i = 0; i < one.size(); ++i) {
      if (lane == 0)
        result.push_back(
            llvm::PoisonValue::get(llvm::FixedVectorType::get(one[i]->getType(), width_)));
      result[i] = build_.CreateInsertElement(result[i], one[i], lane);
    }
  }
  taking_all_ = false;
  taken_apart_.clear();
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
  if (is_shared(op.in[0])) op.scope = ir::MemoryScope::Block;
  Leaves result = mask_->lanes ? active_lanes(op, inst) : every_lane(op, inst);
  return {Spread::Varying, 0, result};
}

namespace {

/// All of a vector's numbers put together.
llvm::Intrinsic::ID reduction(ir::AtomicOperation operation, bool with_sign) {
  namespace I = llvm::Intrinsic;
  switch (operation) {
    case ir::AtomicOperation::Add:
      return I::vector_reduce_add;
    case ir::AtomicOperation::And:
      return I::vector_reduce_and;
    case ir::AtomicOperation::Or:
      return I::vector_reduce_or;
    case ir::AtomicOperation::Xor:
      return I::vector_reduce_xor;
    case ir::AtomicOperation::Max:
      return with_sign ? I::vector_reduce_smax : I::vector_reduce_umax;
    default:
      HETJIT_CHECK(operation == ir::AtomicOperation::Min);
      return with_sign ? I::vector_reduce_smin : I::vector_reduce_umin;
  }
}

}  // namespace

/// Floats that come to one place, and nobody asks what was there: rounded one after another, as if
/// lane after lane came with its own, but written once.
Spreading Warp::in_order(ir::AtomicUpdate op, const ir::Inst& inst) {
  wrote_memory_ = true;
  if (is_shared(op.in[0])) op.scope = ir::MemoryScope::Block;
  Value* all = vector_of(at(op.in[1]), 0);
  llvm::SmallVector<Value*, 16> operands, active;
  for (unsigned lane = 0; lane < width_; ++lane) {
    operands.push_back(build_.CreateExtractElement(all, lane));
    if (mask_->lanes) active.push_back(build_.CreateExtractElement(mask_->lanes, lane));
  }
  lowering_.define(op.in[0], at(op.in[0]).leaves);
  lowering_.lanes = 1;
  lowering_.result_type = ir_.type_of(inst.result);
  lower::update_in_order(lowering_, op, type(lowering_.result_type).scalar, operands, active);
  return {Spread::Varying, 0, llvm::PoisonValue::get(all->getType())};
}

Spreading Warp::emit(const ir::AtomicUpdate& op, const ir::Inst& inst) {
  Scalar scalar = type(ir_.type_of(inst.result)).scalar;
  const bool one_place =
      shapes_.of(op.in[0]).spread == Spread::Uniform && !used_[inst.result.index];
  if (one_place && is_floating(scalar) && op.operation != ir::AtomicOperation::Exchange)
    return in_order(op, inst);
  std::optional<Combining> rule;
  if (one_place) rule = combining(op.operation, scalar);
  if (!rule) return lane_by_lane(op, inst);
  wrote_memory_ = true;
  ir::AtomicUpdate once = op;
  if (is_shared(op.in[0])) once.scope = ir::MemoryScope::Block;
  Value* operands = vector_of(at(op.in[1]), 0);
  llvm::Type* element = operands->getType()->getScalarType();
  llvm::APInt neutral(64, rule->neutral);
  Value* nothing = llvm::ConstantInt::get(element, neutral.trunc(element->getIntegerBitWidth()));
  if (mask_->lanes) operands = build_.CreateSelect(mask_->lanes, operands, splat(nothing));
  Value* all =
      build_.CreateUnaryIntrinsic(reduction(rule->operation, is_signed_integer(scalar)), operands);
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

Spreading Warp::emit(const ir::GridDependency& op, const ir::Inst& inst) {
  lowered(op, inst, 1);
  return {};
}

}  // namespace hetjit::host

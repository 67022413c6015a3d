// What a warp keeps from phase to phase, and the memory of its block. (frame.h)
#include <llvm/IR/MDBuilder.h>

#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

namespace {

/// As a slot holds it: bools as bytes.
llvm::Type* stored_type(const lower::Leaf& leaf, unsigned lanes) {
  return lanes == 1 ? leaf.stored : llvm::FixedVectorType::get(leaf.stored, lanes);
}

uint64_t stored_bytes(const lower::Leaf& leaf, unsigned lanes) {
  uint64_t one = leaf.stored->isPointerTy() ? 8 : leaf.stored->getScalarSizeInBits() / 8;
  return (one * lanes + 7) / 8 * 8;
}

}  // namespace

llvm::MDNode* slot_scope(lower::ModuleLowering& module) {
  llvm::NamedMDNode* known = module.module.getOrInsertNamedMetadata("hetjit.slots");
  if (known->getNumOperands()) return known->getOperand(0);
  llvm::MDBuilder build(module.context());
  llvm::MDNode* scope = build.createAnonymousAliasScope(build.createAnonymousAliasScopeDomain());
  known->addOperand(scope);
  return scope;
}

lower::Leaves load_slot(lower::Lowering& at, Value* base, uint64_t offset, TypeId type,
                        unsigned lanes) {
  auto& build = at.build;
  lower::Leaves leaves;
  llvm::MDNode* slots = llvm::MDNode::get(at.module.context(), {slot_scope(at.module)});
  for (const lower::Leaf& leaf : at.module.types.leaves(type)) {
    Value* address = byte_address(build, base, offset);
    llvm::Instruction* stored =
        build.CreateAlignedLoad(stored_type(leaf, lanes), address, llvm::Align(8));
    stored->setMetadata(llvm::LLVMContext::MD_alias_scope, slots);
    leaves.push_back(leaf.type == leaf.stored ? static_cast<Value*>(stored)
                                              : build.CreateIsNotNull(stored));
    offset += stored_bytes(leaf, lanes);
  }
  return leaves;
}

void store_slot(lower::Lowering& at, Value* base, uint64_t offset, TypeId type, unsigned lanes,
                llvm::ArrayRef<Value*> leaves) {
  auto& build = at.build;
  llvm::MDNode* slots = llvm::MDNode::get(at.module.context(), {slot_scope(at.module)});
  size_t next = 0;
  for (const lower::Leaf& leaf : at.module.types.leaves(type)) {
    Value* value = leaves[next++];
    if (leaf.type != leaf.stored) value = build.CreateZExt(value, stored_type(leaf, lanes));
    build.CreateAlignedStore(value, byte_address(build, base, offset), llvm::Align(8))
        ->setMetadata(llvm::LLVMContext::MD_alias_scope, slots);
    offset += stored_bytes(leaf, lanes);
  }
}

// Lanes that are not active here are done, or wait elsewhere and have slots of their own there:
// what is written for them nobody reads.
Spreading Warp::emit(const ir::Keep& op, const ir::Inst&) {
  const Slot& slot = plan_->phases.slots[op.slot];
  uint64_t offset = plan_->frame.slots[op.slot];
  const Spreading& value = at(op.in[0]);
  bool varying = slot.shape.spread == Spread::Varying && !slot.of_block;
  HETJIT_CHECK(varying || value.spread != Spread::Varying);
  Value* base = slot.of_block ? memory_.block : memory_.context;
  store_slot(lowering_, base, offset, slot.type, varying ? width_ : 1,
             varying ? vectors(value) : value.leaves);
  return {};
}

Spreading Warp::emit(const ir::Take& op, const ir::Inst& inst) {
  const Slot& slot = plan_->phases.slots[op.slot];
  Shape shape = shapes_.of(inst.result);
  return {shape.spread, shape.stride,
          load_slot(lowering_, memory_.context, plan_->frame.slots[op.slot], slot.type,
                    shape.spread == Spread::Varying ? width_ : 1)};
}

Value* Warp::bits_of(Value* lanes) { return build_.CreateBitCast(lanes, build_.getIntNTy(width_)); }

Spreading Warp::emit(const ir::CastVote& op, const ir::Inst&) {
  auto count = [&](Value* lanes, uint64_t to) {
    Value* bits = build_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits_of(lanes));
    Value* address = byte_address(build_, memory_.block, to);
    Value* before = build_.CreateAlignedLoad(build_.getInt32Ty(), address, llvm::Align(4));
    Value* sum = build_.CreateAdd(before, build_.CreateZExtOrTrunc(bits, build_.getInt32Ty()));
    build_.CreateAlignedStore(sum, address, llvm::Align(4));
  };
  Value* lanes = masks_.lanes_of(*mask_);
  count(lanes, kCast);
  count(masks_.both(lanes, vector_of(at(op.in[0]), 0)), kInFavour);
  return {};
}

Value* load_vote(llvm::IRBuilder<>& build, Value* block, ir::BarrierVote vote) {
  auto read = [&](uint64_t from) {
    return build.CreateAlignedLoad(build.getInt32Ty(), byte_address(build, block, from),
                                   llvm::Align(4));
  };
  Value* in_favour = read(kInFavourBefore);
  if (vote == ir::BarrierVote::Count) return in_favour;
  if (vote == ir::BarrierVote::Or) return build.CreateIsNotNull(in_favour);
  return build.CreateICmpEQ(in_favour, read(kCastBefore));
}

Spreading Warp::emit(const ir::TakeVote& op, const ir::Inst&) {
  return {Spread::Uniform, 0, load_vote(build_, memory_.block, op.vote)};
}

// A wait, or the end of the threads' work.
Spreading Warp::emit(const ir::Return& op, const ir::Inst&) {
  if (!plan_) return {};
  const Spreading& next = at(op.in[0]);
  HETJIT_CHECK(next.spread == Spread::Uniform);
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(next.leaves[0]);
  if (constant && constant->isZero()) return {};  // which it is from the start
  build_.CreateStore(next.leaves[0], next_phase_);
  if (!plan_->loses_lanes) return {};
  Value* live = build_.CreateZExtOrTrunc(bits_of(masks_.lanes_of(*mask_)), build_.getInt64Ty());
  build_.CreateAlignedStore(live, byte_address(build_, memory_.context, plan_->frame.live),
                            llvm::Align(8));
  return {};
}

// ---- memory

Spreading Warp::emit(const ir::SharedMemory& op, const ir::Inst&) {
  return {Spread::Uniform, 0,
          byte_address(build_, memory_.block, plan_->frame.shared.at(op.variable))};
}
Spreading Warp::emit(const ir::DynamicSharedMemory&, const ir::Inst&) {
  return {Spread::Uniform, 0, byte_address(build_, memory_.block, plan_->frame.block_bytes)};
}
Spreading Warp::emit(const ir::DynamicSharedBytes&, const ir::Inst&) {
  return {Spread::Uniform, 0, memory_.dynamic_bytes};
}
Spreading Warp::emit(const ir::LocalMemory& op, const ir::Inst& inst) {
  Value* memory =
      plan_ ? byte_address(build_, memory_.context, plan_->frame.local.at(inst.result.index))
            : on_stack(op, inst.result);
  return {Spread::Affine, local_stride(op), {memory}};
}
// Of each warp anew, so that what one leaves there is not kept for the next.
Value* Warp::on_stack(const ir::LocalMemory& op, ValueId name) {
  constexpr uint64_t kVectorBytes = 64;
  llvm::AllocaInst*& made = on_stack_[name.index];
  if (made) return made;
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> build(&entry, entry.begin());
  const uint64_t bytes = static_cast<uint64_t>(local_stride(op)) * width_;
  made = build.CreateAlloca(llvm::ArrayType::get(build.getInt8Ty(), bytes));
  made->setAlignment(llvm::Align(std::max<uint64_t>(op.align, kVectorBytes)));
  build.CreateLifetimeStart(made);
  return made;
}

// Threads in the order of the block, not of its rows.
Spreading Warp::emit(const ir::ThreadIndex& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  if (shape.spread != Spread::Varying) return {shape.spread, shape.stride, lowered(op, inst, 1)};
  return {Spread::Varying, 0, thread_of_lane_[op.axis]};
}

void Warp::find_threads() {
  auto of_lane_0 = [&](lower::Coordinate kind, uint8_t axis) {
    return lowering_.coordinate(kind, axis);
  };
  Value* width = of_lane_0(lower::Coordinate::BlockDimension, 0);
  Value* height = of_lane_0(lower::Coordinate::BlockDimension, 1);
  Value* row = build_.CreateAdd(of_lane_0(lower::Coordinate::Thread, 1),
                                build_.CreateMul(height, of_lane_0(lower::Coordinate::Thread, 2)));
  Value* first =
      build_.CreateAdd(of_lane_0(lower::Coordinate::Thread, 0), build_.CreateMul(width, row));
  Value* linear = build_.CreateAdd(splat(first), steps(build_.getInt32Ty(), 1));
  thread_of_lane_[0] = build_.CreateURem(linear, splat(width));
  Value* rows = build_.CreateUDiv(linear, splat(width));
  thread_of_lane_[1] = build_.CreateURem(rows, splat(height));
  thread_of_lane_[2] = build_.CreateUDiv(rows, splat(height));
}

}  // namespace hetjit::host

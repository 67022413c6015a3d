// Calls of C++ functions: a loop over the lanes, that LLVM makes one call's code of when the
// function is inlined and can be vectorised. Operands and results lie lane by lane in memory of the
// thread's that nobody else sees, so nothing is left of it then.
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

namespace {

/// Memory with a place for each lane, one per leaf of a value.
class LaneMemory {
 public:
  LaneMemory(lower::Lowering& at, llvm::ArrayRef<lower::Leaf> leaves, unsigned width) : at_(at) {
    llvm::BasicBlock& entry = at.function.getEntryBlock();
    llvm::IRBuilder<> first(&entry, entry.begin());
    for (const lower::Leaf& leaf : leaves) {
      auto* vector = llvm::FixedVectorType::get(leaf.stored, width);
      places_.push_back(first.CreateAlloca(vector, nullptr, "lanes"));
      leaves_.push_back(leaf);
    }
  }

  void store_all(const Leaves& vectors) {
    for (size_t i = 0; i < places_.size(); ++i)
      at_.build.CreateStore(stored(vectors[i], i), places_[i]);
  }
  Leaves load_all() {
    Leaves vectors;
    for (size_t i = 0; i < places_.size(); ++i)
      vectors.push_back(
          loaded(at_.build.CreateLoad(places_[i]->getAllocatedType(), places_[i]), i));
    return vectors;
  }
  void store(Value* lane, const Leaves& values) {
    for (size_t i = 0; i < places_.size(); ++i)
      at_.build.CreateStore(stored(values[i], i), place(lane, i));
  }
  Leaves load(Value* lane) {
    Leaves values;
    for (size_t i = 0; i < places_.size(); ++i)
      values.push_back(loaded(at_.build.CreateLoad(leaves_[i].stored, place(lane, i)), i));
    return values;
  }

 private:
  Value* place(Value* lane, size_t leaf) {
    return at_.build.CreateInBoundsGEP(leaves_[leaf].stored, places_[leaf], lane);
  }
  /// Bools are bytes there.
  Value* stored(Value* value, size_t leaf) {
    if (leaves_[leaf].type == leaves_[leaf].stored) return value;
    return at_.build.CreateZExt(value, value->getType()->getWithNewType(leaves_[leaf].stored));
  }
  Value* loaded(Value* value, size_t leaf) {
    if (leaves_[leaf].type == leaves_[leaf].stored) return value;
    return at_.build.CreateIsNotNull(value);
  }

  lower::Lowering& at_;
  llvm::SmallVector<llvm::AllocaInst*, 4> places_;
  llvm::SmallVector<lower::Leaf, 4> leaves_;
};

/// A loop over all lanes, that may become a vector of them.
class LaneLoop {
 public:
  LaneLoop(llvm::IRBuilder<>& build, llvm::Function& function, unsigned width)
      : build_(build), width_(width) {
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(build.getContext(), name, &function);
    };
    turn_ = block("lane"), next_ = block("lane.next"), done_ = block("lanes.done");
    llvm::BasicBlock* before = build.GetInsertBlock();
    build.CreateBr(turn_);
    build.SetInsertPoint(turn_);
    lane_ = build.CreatePHI(build.getInt64Ty(), 2);
    lane_->addIncoming(build.getInt64(0), before);
  }
  Value* lane() const { return lane_; }
  /// What follows only where it is so, until join().
  void only_if(Value* condition) {
    from_ = build_.GetInsertBlock();
    auto* wanted = llvm::BasicBlock::Create(build_.getContext(), "lane.active", turn_->getParent());
    build_.CreateCondBr(condition, wanted, next_);
    build_.SetInsertPoint(wanted);
  }
  /// Values of the turn, zeros where only_if() left it.
  Leaves join(Leaves values) {
    llvm::BasicBlock* active = build_.GetInsertBlock();
    build_.CreateBr(next_);
    build_.SetInsertPoint(next_);
    for (Value*& value : values) {
      if (!from_) continue;
      llvm::PHINode* either = build_.CreatePHI(value->getType(), 2);
      either->addIncoming(llvm::Constant::getNullValue(value->getType()), from_);
      either->addIncoming(value, active);
      value = either;
    }
    return values;
  }
  void close() {
    Value* following = build_.CreateNUWAdd(lane_, build_.getInt64(1));
    lane_->addIncoming(following, build_.GetInsertBlock());
    Value* more = build_.CreateICmpNE(following, build_.getInt64(width_));
    build_.CreateCondBr(more, turn_, done_)->setMetadata(llvm::LLVMContext::MD_loop, choices());
    build_.SetInsertPoint(done_);
  }

 private:
  /// All lanes as one vector, as the code around has them, or one after another.
  llvm::MDNode* choices() {
    llvm::LLVMContext& context = build_.getContext();
    auto choice = [&](const char* name, uint32_t value) -> llvm::Metadata* {
      return llvm::MDNode::get(context, {llvm::MDString::get(context, name),
                                         llvm::ConstantAsMetadata::get(build_.getInt32(value))});
    };
    llvm::MDNode* loop = llvm::MDNode::getDistinct(
        context,
        {nullptr, choice("llvm.loop.vectorize.width", width_),
         choice("llvm.loop.interleave.count", 1),
         llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"))});
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  llvm::IRBuilder<>& build_;
  unsigned width_;
  llvm::BasicBlock *turn_, *next_, *done_, *from_ = nullptr;
  llvm::PHINode* lane_;
};

}  // namespace

template <class Op>
Leaves Warp::call_lanes(const Op& op, const ir::Inst& inst) {
  std::vector<LaneMemory> operands;
  for (ValueId id : op.in) {
    operands.emplace_back(lowering_, module_.types.leaves(ir_.type_of(id)), width_);
    operands.back().store_all(vectors(at(id)));
  }
  LaneMemory result(lowering_, module_.types.leaves(ir_.type_of(inst.result)), width_);
  std::optional<LaneMemory> active;
  if (mask_->lanes) {
    lower::Leaf bit{build_.getInt1Ty(), build_.getInt8Ty()};
    active.emplace(lowering_, bit, width_).store_all(masks_.lanes_of(*mask_));
  }
  LaneLoop loop(build_, function_, width_);
  for (size_t i = 0; i < op.in.size(); ++i)
    lowering_.define(op.in[i], operands[i].load(loop.lane()));
  if (active) loop.only_if(active->load(loop.lane())[0]);
  lowering_.lanes = 1;
  lowering_.result_type = ir_.type_of(inst.result);
  result.store(loop.lane(), loop.join(lower::lower(lowering_, op)));
  loop.close();
  return result.load_all();
}

Spreading Warp::emit(const ir::ExternalCall& op, const ir::Inst& inst) {
  wrote_memory_ = true;
  return {Spread::Varying, 0, call_lanes(op, inst)};
}

Spreading Warp::emit(const ir::ExternalValue& op, const ir::Inst& inst) {
  const Shape shape = shapes_.of(inst.result);
  if (shape.spread == Spread::Uniform) return {shape.spread, 0, lowered(op, inst, 1)};
  return {Spread::Varying, 0, call_lanes(op, inst)};
}

}  // namespace hetjit::host

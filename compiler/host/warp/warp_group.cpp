// What the lanes of a warp do together: votes are bits, shuffles are permutations of a vector.
#include <llvm/IR/IntrinsicsX86.h>

#include <numeric>

#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

/// The lanes that execute this together, as bits.
Value* Warp::active_bits() { return bits_of(masks_.lanes_of(*mask_)); }

/// Bits as the mask's type, which is as wide as the language's warp.
Value* Warp::as_mask(Value* bits, ValueId result) {
  return build_.CreateZExtOrTrunc(bits, module_.types.value_type(type(ir_.type_of(result)).scalar));
}

Spreading Warp::emit(const ir::LaneIndex&, const ir::Inst&) {
  return {Spread::Affine, 1, build_.getInt32(0)};
}

Spreading Warp::emit(const ir::ActiveMask&, const ir::Inst& inst) {
  return {Spread::Uniform, 0, as_mask(active_bits(), inst.result)};
}

// Lanes go in step.
Spreading Warp::emit(const ir::WarpBarrier&, const ir::Inst&) { return {}; }

/// The named lanes, as numbers where all lanes name the same, else lane by lane.
Warp::Poll Warp::poll(ValueId mask, ValueId vote) {
  const Spreading& named = at(mask);
  Value* active = masks_.lanes_of(*mask_);
  Value* in_favour = bits_of(masks_.both(active, vector_of(at(vote), 0)));
  Poll poll{named.spread == Spread::Uniform, nullptr, nullptr};
  Value* who = poll.uniform ? named.leaves[0] : vector_of(named, 0);
  llvm::Type* scalar = who->getType()->getScalarType();
  auto of_named = [&](Value* bits) {
    bits = build_.CreateZExtOrTrunc(bits, scalar);
    return build_.CreateAnd(poll.uniform ? bits : splat(bits), who);
  };
  poll.present = of_named(bits_of(active));
  poll.in_favour = of_named(in_favour);
  return poll;
}

Spreading Warp::emit(const ir::Ballot& op, const ir::Inst&) {
  Poll result = poll(op.in[0], op.in[1]);
  return {result.uniform ? Spread::Uniform : Spread::Varying, 0, result.in_favour};
}

Spreading Warp::emit(const ir::Vote& op, const ir::Inst&) {
  Poll votes = poll(op.in[0], op.in[1]);
  Value* all = build_.CreateICmpEQ(votes.in_favour, votes.present);
  Value* none = build_.CreateIsNull(votes.in_favour);
  Value* result = op.vote == ir::WarpVote::All   ? all
                  : op.vote == ir::WarpVote::Any ? build_.CreateNot(none)
                                                 : build_.CreateOr(all, none);
  return {votes.uniform ? Spread::Uniform : Spread::Varying, 0, result};
}

// ---- shuffles

/// From which lane each lane reads: `delta` is the third operand.
unsigned source_lane(ir::ShuffleKind kind, unsigned lane, int64_t delta, unsigned width) {
  int64_t from = 0;
  switch (kind) {
    case ir::ShuffleKind::Index:
      return static_cast<unsigned>(delta & (width - 1));
    case ir::ShuffleKind::Up:
      from = lane - delta;
      break;
    case ir::ShuffleKind::Down:
      from = lane + delta;
      break;
    case ir::ShuffleKind::Xor:
      from = static_cast<int64_t>(lane) ^ delta;
      break;
  }
  return from >= 0 && from < width ? static_cast<unsigned>(from) : lane;
}

/// The same for numbers that are not known here.
Value* Warp::source_lanes(ir::ShuffleKind kind, Value* delta) {
  Value* lane = steps(build_.getInt32Ty(), 1);
  if (kind == ir::ShuffleKind::Index)
    return build_.CreateAnd(delta, splat(build_.getInt32(width_ - 1)));
  Value* from = kind == ir::ShuffleKind::Up     ? build_.CreateSub(lane, delta)
                : kind == ir::ShuffleKind::Down ? build_.CreateAdd(lane, delta)
                                                : build_.CreateXor(lane, delta);
  Value* inside = build_.CreateICmpULT(from, splat(build_.getInt32(width_)));
  return build_.CreateSelect(inside, from, lane);
}

namespace {

/// Has the CPU an instruction that chooses from two registers of 16 numbers?
bool can_choose(const llvm::Function& function, llvm::Type* vector, llvm::Type* from) {
  auto features = function.getFnAttribute("target-features").getValueAsString();
  return features.contains("+avx512f") && vector->getScalarSizeInBits() == 32 &&
         from->getScalarSizeInBits() == 32 &&
         llvm::cast<llvm::FixedVectorType>(vector)->getNumElements() == 32;
}

Value* choose(llvm::IRBuilder<>& build, Value* vector, Value* from) {
  auto half = [&](Value* whole, int first) {
    int lanes[16];
    std::iota(std::begin(lanes), std::end(lanes), first);
    return build.CreateShuffleVector(whole, lanes);
  };
  llvm::Intrinsic::ID instruction = vector->getType()->getScalarType()->isFloatTy()
                                        ? llvm::Intrinsic::x86_avx512_vpermi2var_ps_512
                                        : llvm::Intrinsic::x86_avx512_vpermi2var_d_512;
  auto chosen = [&](int first) {
    return build.CreateIntrinsic(instruction, {},
                                 {half(vector, 0), half(from, first), half(vector, 16)});
  };
  int both[32];
  std::iota(std::begin(both), std::end(both), 0);
  return build.CreateShuffleVector(chosen(0), chosen(16), both);
}

}  // namespace

/// By an instruction, or by way of memory.
Value* Warp::permute(Value* vector, Value* from) {
  if (can_choose(function_, vector->getType(), from->getType()))
    return choose(build_, vector, from);
  llvm::IRBuilder<> start(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  llvm::AllocaInst* place = start.CreateAlloca(vector->getType());
  place->setAlignment(llvm::Align(kBlockAlign));
  build_.CreateAlignedStore(vector, place, llvm::Align(kBlockAlign));
  llvm::Type* element = vector->getType()->getScalarType();
  uint64_t bytes = element->isPointerTy() ? 8 : element->getScalarSizeInBits() / 8;
  Value* places = build_.CreateGEP(element, place, from);
  return build_.CreateMaskedGather(vector->getType(), places, llvm::Align(bytes),
                                   masks_.all_lanes(), llvm::PoisonValue::get(vector->getType()));
}

/// What was read, but their own for lanes that would read from one that is not here.
Value* Warp::or_own(Value* read, Value* own, Value* from) {
  if (!mask_->lanes) return read;
  Value* here = splat(build_.CreateZExtOrTrunc(active_bits(), build_.getInt32Ty()));
  Value* bit = build_.CreateTrunc(build_.CreateLShr(here, from),
                                  llvm::FixedVectorType::get(build_.getInt1Ty(), width_));
  return build_.CreateSelect(bit, read, own);
}

Spreading Warp::emit(const ir::Shuffle& op, const ir::Inst& inst) {
  const Spreading &value = at(op.in[1]), &delta = at(op.in[2]);
  if (value.spread == Spread::Uniform) return {Spread::Uniform, 0, value.leaves};
  Value* vector = vector_of(value, 0);
  llvm::Type* own = vector->getType();
  if (own->getScalarSizeInBits() == 1)
    vector = build_.CreateZExt(vector, llvm::FixedVectorType::get(build_.getInt8Ty(), width_));
  auto done = [&](Spread spread, Value* result) -> Spreading {
    llvm::Type* wanted = spread == Spread::Uniform ? own->getScalarType() : own;
    if (own->getScalarSizeInBits() == 1) result = build_.CreateTrunc(result, wanted);
    return {spread, 0, result};
  };
  if (shapes_.of(inst.result).spread == Spread::Uniform) {
    Value* lane = build_.CreateAnd(delta.leaves[0], build_.getInt32(width_ - 1));
    return done(Spread::Uniform, build_.CreateExtractElement(vector, lane));
  }
  auto* known = delta.spread == Spread::Uniform ? llvm::dyn_cast<llvm::ConstantInt>(delta.leaves[0])
                                                : nullptr;
  if (!known) {
    Value* from = source_lanes(op.kind, vector_of(delta, 0));
    return done(Spread::Varying, or_own(permute(vector, from), vector, from));
  }
  llvm::SmallVector<int, 64> lanes;
  llvm::SmallVector<llvm::Constant*, 64> from;
  for (unsigned lane = 0; lane < width_; ++lane) {
    lanes.push_back(static_cast<int>(source_lane(op.kind, lane, known->getSExtValue(), width_)));
    from.push_back(build_.getInt32(static_cast<uint32_t>(lanes.back())));
  }
  Value* read = build_.CreateShuffleVector(vector, lanes);
  return done(Spread::Varying, or_own(read, vector, llvm::ConstantVector::get(from)));
}

// ---- matches

Spreading Warp::emit(const ir::Match& op, const ir::Inst& inst) {
  return op.kind == ir::MatchKind::All ? match_all(op, inst) : match_any(op, inst);
}

/// Lanes whose value is that of lane `lane`, among the active ones.
Value* Warp::same_as(Value* vector, Value* lane) {
  Value* one = splat(build_.CreateExtractElement(vector, lane));
  return masks_.both(masks_.lanes_of(*mask_), build_.CreateICmpEQ(vector, one));
}

Spreading Warp::match_all(const ir::Match& op, const ir::Inst& inst) {
  const Spreading& named = at(op.in[0]);
  Spreading both = match_any(op, inst);
  Value* who = vector_of(named, 0);
  Value* present = build_.CreateAnd(
      who, splat(build_.CreateZExtOrTrunc(active_bits(), who->getType()->getScalarType())));
  Value* all = build_.CreateICmpEQ(both.leaves[0], present);
  Value* result = build_.CreateSelect(all, present, llvm::Constant::getNullValue(who->getType()));
  if (named.spread != Spread::Uniform) return {Spread::Varying, 0, result};
  return {Spread::Uniform, 0, build_.CreateExtractElement(result, first_active(named.leaves[0]))};
}

/// The lowest of the active lanes that the mask names, or of all active ones.
Value* Warp::first_active(Value* named) {
  Value* bits = active_bits();
  Value* both = build_.CreateAnd(bits, build_.CreateZExtOrTrunc(named, bits->getType()));
  Value* from = build_.CreateSelect(build_.CreateIsNotNull(both), both, bits);
  return build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, from, build_.getTrue());
}

// Group by group: the lowest lane that is left, and all that have its value.
Spreading Warp::match_any(const ir::Match& op, const ir::Inst&) {
  llvm::LLVMContext& context = build_.getContext();
  Value* vector = vector_of(at(op.in[1]), 0);
  Value* who = vector_of(at(op.in[0]), 0);
  Value* all = active_bits();
  llvm::BasicBlock* before = build_.GetInsertBlock();
  auto* next = llvm::BasicBlock::Create(context, "match", &function_);
  auto* done = llvm::BasicBlock::Create(context, "matched", &function_);
  build_.CreateBr(next);
  build_.SetInsertPoint(next);
  llvm::PHINode* left = build_.CreatePHI(all->getType(), 2);
  llvm::PHINode* found = build_.CreatePHI(who->getType(), 2);
  Value* lane = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue());
  Value* group = same_as(vector, lane);
  Value* bits = bits_of(group);
  Value* named =
      build_.CreateAnd(who, splat(build_.CreateZExtOrTrunc(bits, who->getType()->getScalarType())));
  Value* result = build_.CreateSelect(group, named, found);
  // A NaN's bits are numbers here, so every turn takes at least its own lane away.
  Value* rest = build_.CreateAnd(left, build_.CreateNot(bits));
  left->addIncoming(all, before);
  left->addIncoming(rest, next);
  found->addIncoming(llvm::Constant::getNullValue(who->getType()), before);
  found->addIncoming(result, next);
  build_.CreateCondBr(build_.CreateIsNotNull(rest), next, done);
  build_.SetInsertPoint(done);
  return {Spread::Varying, 0, result};
}

}  // namespace hetjit::host

// What the lanes of a warp do together on GPUs. The host's are compiler/host's.
//
// NVIDIA's instructions take the mask of lanes and wait for them. AMD's lanes run in step: those
// that are here take part, and the mask says whose answers count.
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/lower/lower_group.h"

namespace hetjit::lower {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;
using Words = llvm::SmallVector<Value*, 2>;  // a value, 32 bits at a time

bool is_nvidia(const Lowering& at) {
  HETJIT_CHECK(!at.module.on_host() && "compiler/host has the lanes of a warp in vectors");
  return at.module.target.kind() == TargetKind::Nvidia;
}

Value* as_u32(Lowering& at, Value* value) {
  return at.build.CreateZExtOrTrunc(value, at.build.getInt32Ty());
}
Value* as_warp_mask(Lowering& at, Value* mask) {
  return at.build.CreateZExtOrTrunc(mask, at.build.getIntNTy(at.module.target.warp_size()));
}

Words to_words(Lowering& at, Value* value) {
  auto& build = at.build;
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  Value* integer = build.CreateBitCast(value, build.getIntNTy(bits));
  if (bits <= 32) return {build.CreateZExt(integer, build.getInt32Ty())};
  return {build.CreateTrunc(integer, build.getInt32Ty()),
          build.CreateTrunc(build.CreateLShr(integer, 32), build.getInt32Ty())};
}

Value* from_words(Lowering& at, const Words& words, llvm::Type* type) {
  auto& build = at.build;
  unsigned bits = type->getPrimitiveSizeInBits();
  if (bits <= 32)
    return build.CreateBitCast(build.CreateTrunc(words[0], build.getIntNTy(bits)), type);
  Value* low = build.CreateZExt(words[0], build.getInt64Ty());
  Value* high = build.CreateShl(build.CreateZExt(words[1], build.getInt64Ty()), 32);
  return build.CreateBitCast(build.CreateOr(low, high), type);
}

// ---- AMD

Value* amd_read_lane(Lowering& at, Value* lane, Value* word) {
  Value* address = at.build.CreateShl(lane, 2);
  return at.build.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {address, word});
}

/// Lanes of the mask whose conditions are true.
Value* amd_ballot(Lowering& at, Value* mask, Value* condition) {
  return at.build.CreateAnd(ballot(at, condition), as_warp_mask(at, mask));
}

Value* amd_vote(Lowering& at, ir::WarpVote vote, Value* mask, Value* condition) {
  auto& build = at.build;
  auto none = [&](Value* of) { return build.CreateIsNull(amd_ballot(at, mask, of)); };
  if (vote == ir::WarpVote::Any) return build.CreateNot(none(condition));
  Value* all = none(build.CreateNot(condition));
  return vote == ir::WarpVote::All ? all : build.CreateOr(all, none(condition));
}

/// Each turn serves the lanes whose value is that of the first lane still here.
Value* amd_match_any(Lowering& at, Value* mask, Value* value) {
  auto& build = at.build;
  llvm::LLVMContext& context = at.module.context();
  auto* turn = llvm::BasicBlock::Create(context, "match", &at.function);
  auto* matched = llvm::BasicBlock::Create(context, "matched", &at.function);
  build.CreateBr(turn);
  build.SetInsertPoint(turn);
  Value* first =
      build.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {value->getType()}, {value});
  Value* same = build.CreateICmpEQ(value, first);
  Value* lanes = amd_ballot(at, mask, same);
  build.CreateCondBr(same, matched, turn);
  build.SetInsertPoint(matched);
  return lanes;
}

Value* amd_match_all(Lowering& at, Value* mask, Value* value) {
  auto& build = at.build;
  Value* first = as_u32(at, build.CreateBinaryIntrinsic(Intrinsic::cttz, mask, build.getFalse()));
  Words words;
  for (Value* word : to_words(at, value)) words.push_back(amd_read_lane(at, first, word));
  Value* differs = build.CreateICmpNE(value, from_words(at, words, value->getType()));
  Value* none = build.CreateIsNull(amd_ballot(at, mask, differs));
  Value* here = build.CreateZExtOrTrunc(amd_ballot(at, mask, build.getTrue()), mask->getType());
  return build.CreateSelect(none, here, llvm::ConstantInt::get(mask->getType(), 0));
}

/// The lane that a shuffle reads: its own where that would be outside the warp.
Value* amd_source(Lowering& at, ir::ShuffleKind kind, Value* amount) {
  auto& build = at.build;
  const unsigned size = at.module.target.warp_size();
  if (kind == ir::ShuffleKind::Index) return build.CreateAnd(amount, size - 1);
  Value* own = lane_index(at);
  Value* other = kind == ir::ShuffleKind::Up     ? build.CreateSub(own, amount)
                 : kind == ir::ShuffleKind::Down ? build.CreateAdd(own, amount)
                                                 : build.CreateXor(own, amount);
  return build.CreateSelect(build.CreateICmpULT(other, build.getInt32(size)), other, own);
}

// ---- NVIDIA

Value* nvidia_shuffle(Lowering& at, ir::ShuffleKind kind, Value* mask, Value* word, Value* amount) {
  // By ShuffleKind.
  constexpr Intrinsic::ID kShuffles[] = {
      Intrinsic::nvvm_shfl_sync_idx_i32, Intrinsic::nvvm_shfl_sync_up_i32,
      Intrinsic::nvvm_shfl_sync_down_i32, Intrinsic::nvvm_shfl_sync_bfly_i32};
  // The last lane that may be read; the first for those that look down.
  Value* bound = at.build.getInt32(kind == ir::ShuffleKind::Up ? 0 : 31);
  return at.build.CreateIntrinsic(kShuffles[static_cast<size_t>(kind)],
                                  {mask, word, amount, bound});
}

/// The instruction looks at five bits. An amount that no lane is away is no amount.
Value* nvidia_amount(Lowering& at, ir::ShuffleKind kind, Value* amount) {
  if (kind == ir::ShuffleKind::Index) return amount;
  auto& build = at.build;
  Value* inside = build.CreateICmpULT(amount, build.getInt32(32));
  return build.CreateSelect(inside, amount, build.getInt32(0));
}

Value* nvidia_match(Lowering& at, ir::MatchKind kind, Value* mask, Value* value) {
  const bool wide = value->getType()->isIntegerTy(64);
  if (kind == ir::MatchKind::Any)
    return at.build.CreateIntrinsic(
        wide ? Intrinsic::nvvm_match_any_sync_i64 : Intrinsic::nvvm_match_any_sync_i32,
        {mask, value});
  Value* both = at.build.CreateIntrinsic(
      wide ? Intrinsic::nvvm_match_all_sync_i64p : Intrinsic::nvvm_match_all_sync_i32p,
      {mask, value});
  return at.build.CreateExtractValue(both, 0);
}

}  // namespace

Value* ballot(Lowering& at, Value* condition) {
  llvm::Type* mask = at.build.getIntNTy(at.module.target.warp_size());
  return at.build.CreateIntrinsic(Intrinsic::amdgcn_ballot, {mask}, {condition});
}

Value* lane_index(Lowering& at) {
  auto& build = at.build;
  const unsigned size = at.module.target.warp_size();
  llvm::CallInst* lane = nullptr;
  if (is_nvidia(at)) {
    lane = build.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  } else {
    Value* all = build.getInt32(~0u);
    lane = build.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {all, build.getInt32(0)});
    if (size == 64) lane = build.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {all, lane});
  }
  lane->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, size)));
  return lane;
}

Leaves lower(Lowering& at, const ir::LaneIndex&) {
  return at.module.on_host() ? host::thread_lane(at) : Leaves(lane_index(at));
}

Leaves lower(Lowering& at, const ir::ActiveMask&) {
  Value* mask = is_nvidia(at) ? at.build.CreateIntrinsic(Intrinsic::nvvm_activemask, {})
                              : ballot(at, at.build.getTrue());
  return at.build.CreateZExtOrTrunc(mask, at.value_type(at.result_scalar()));
}

Leaves lower(Lowering& at, const ir::WarpBarrier& op) {
  auto& build = at.build;
  if (is_nvidia(at)) {
    build.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {as_u32(at, at(op.in[0]))});
    return {};
  }
  auto scope = at.module.context().getOrInsertSyncScopeID("wavefront");
  build.CreateFence(llvm::AtomicOrdering::Release, scope);
  build.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
  build.CreateFence(llvm::AtomicOrdering::Acquire, scope);
  return {};
}

Leaves lower(Lowering& at, const ir::Vote& op) {
  // By WarpVote.
  constexpr Intrinsic::ID kVotes[] = {Intrinsic::nvvm_vote_all_sync, Intrinsic::nvvm_vote_any_sync,
                                      Intrinsic::nvvm_vote_uni_sync};
  Value *mask = at(op.in[0]), *condition = at(op.in[1]);
  if (!is_nvidia(at)) return amd_vote(at, op.vote, mask, condition);
  return at.build.CreateIntrinsic(kVotes[static_cast<size_t>(op.vote)],
                                  {as_u32(at, mask), condition});
}

Leaves lower(Lowering& at, const ir::Ballot& op) {
  Value *mask = at(op.in[0]), *condition = at(op.in[1]);
  Value* lanes = is_nvidia(at) ? at.build.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                                                          {as_u32(at, mask), condition})
                               : amd_ballot(at, mask, condition);
  return at.build.CreateZExtOrTrunc(lanes, mask->getType());
}

Leaves lower(Lowering& at, const ir::Shuffle& op) {
  Value *mask = at(op.in[0]), *value = at(op.in[1]), *amount = at(op.in[2]);
  const bool nvidia = is_nvidia(at);
  if (nvidia) mask = as_u32(at, mask);
  Value* source = nvidia ? nvidia_amount(at, op.kind, amount) : amd_source(at, op.kind, amount);
  Words words;
  for (Value* word : to_words(at, value))
    words.push_back(nvidia ? nvidia_shuffle(at, op.kind, mask, word, source)
                           : amd_read_lane(at, source, word));
  return from_words(at, words, value->getType());
}

Leaves lower(Lowering& at, const ir::Match& op) {
  Value *mask = at(op.in[0]), *value = at(op.in[1]);
  Value* lanes = nullptr;
  if (is_nvidia(at))
    lanes = nvidia_match(at, op.kind, as_u32(at, mask), value);
  else if (op.kind == ir::MatchKind::Any)
    lanes = amd_match_any(at, mask, value);
  else
    lanes = amd_match_all(at, mask, value);
  return at.build.CreateZExtOrTrunc(lanes, mask->getType());
}

}  // namespace hetjit::lower

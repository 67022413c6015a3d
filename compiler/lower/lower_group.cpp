// Barriers on GPUs: of a block and of the grid. The host's are compiler/host's.
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/lower/lower_group.h"

namespace hetjit::lower {
namespace {

using llvm::AtomicOrdering;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

bool is_nvidia(const Lowering& at) { return at.module.target.kind() == TargetKind::Nvidia; }

// AMD's instruction only waits: what was written is seen because of the fences.
void barrier(Lowering& at) {
  HETJIT_CHECK(!at.module.on_host() && "compiler/host makes the threads of a block wait");
  auto& build = at.build;
  if (is_nvidia(at)) {
    build.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {build.getInt32(0)});
    return;
  }
  auto scope = at.module.context().getOrInsertSyncScopeID("workgroup");
  build.CreateFence(AtomicOrdering::Release, scope);
  build.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
  build.CreateFence(AtomicOrdering::Acquire, scope);
}

Value* nvidia_vote(Lowering& at, ir::BarrierVote vote, Value* condition) {
  // By BarrierVote.
  constexpr Intrinsic::ID kVotes[] = {Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
                                      Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
                                      Intrinsic::nvvm_barrier_cta_red_or_aligned_all};
  Intrinsic::ID id = kVotes[static_cast<size_t>(vote)];
  return at.build.CreateIntrinsic(id, {at.build.getInt32(0), condition});
}

/// Runs `then` in one of the threads for which the condition is true.
template <class Then>
void only_if(Lowering& at, Value* condition, Then then) {
  llvm::LLVMContext& context = at.module.context();
  auto* inside = llvm::BasicBlock::Create(context, "one", &at.function);
  auto* after = llvm::BasicBlock::Create(context, "all", &at.function);
  at.build.CreateCondBr(condition, inside, after);
  at.build.SetInsertPoint(inside);
  then(after);
  at.build.SetInsertPoint(after);
}

/// Is the thread the first of those that are here?
Value* is_first_here(Lowering& at) {
  auto& build = at.build;
  Value* first =
      build.CreateBinaryIntrinsic(Intrinsic::cttz, ballot(at, build.getTrue()), build.getTrue());
  return build.CreateICmpEQ(build.CreateZExtOrTrunc(first, build.getInt32Ty()), lane_index(at));
}

/// How many threads of the block have a true condition, i32. Warps add their counts to a word of
/// shared memory. Every warp sets it to zero, between two barriers: what it held nobody may ask.
Value* amd_count(Lowering& at, Value* condition) {
  auto& build = at.build;
  auto scope = at.module.context().getOrInsertSyncScopeID("workgroup");
  llvm::IntegerType* i32 = build.getInt32Ty();
  Value* word = shared_variable(at.module, "votes", 4, 4);
  Value* count = build.CreateZExtOrTrunc(
      build.CreateUnaryIntrinsic(Intrinsic::ctpop, ballot(at, condition)), i32);
  barrier(at);  // all have read what the vote before this one gave
  build.CreateAlignedStore(build.getInt32(0), word, llvm::Align(4))
      ->setAtomic(AtomicOrdering::Monotonic, scope);
  barrier(at);
  only_if(at, is_first_here(at), [&](llvm::BasicBlock* after) {
    build.CreateAtomicRMW(llvm::AtomicRMWInst::Add, word, count, llvm::Align(4),
                          AtomicOrdering::Monotonic, scope);
    build.CreateBr(after);
  });
  barrier(at);
  auto* total = build.CreateAlignedLoad(i32, word, llvm::Align(4));
  total->setAtomic(AtomicOrdering::Monotonic, scope);
  return total;
}

Value* amd_vote(Lowering& at, ir::BarrierVote vote, Value* condition) {
  auto& build = at.build;
  if (vote == ir::BarrierVote::Count) return amd_count(at, condition);
  if (vote == ir::BarrierVote::Or) return build.CreateIsNotNull(amd_count(at, condition));
  return build.CreateIsNull(amd_count(at, build.CreateNot(condition)));
}

// ---- the grid

llvm::GlobalVariable* grid_counter(ModuleLowering& module) {
  constexpr const char* kName = "hetjit.grid_barrier";
  if (auto* known = module.module.getGlobalVariable(kName, /*AllowInternal=*/true)) return known;
  auto* word = llvm::Type::getInt32Ty(module.context());
  auto* made = new llvm::GlobalVariable(
      module.module, word, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantInt::get(word, 0), kName, nullptr, llvm::GlobalValue::NotThreadLocal,
      module.target.spaces().global);
  made->setAlignment(llvm::Align(4));
  return made;
}

/// Of a place's three axes: do all have index zero?
Value* is_origin(Lowering& at, Coordinate kind) {
  Value* all = at.coordinate(kind, 0);
  for (uint8_t axis : {1, 2}) all = at.build.CreateOr(all, at.coordinate(kind, axis));
  return at.build.CreateIsNull(all);
}

/// All blocks together add 2^31, whatever their number, so that the counter's top bit turns over
/// when the last one has come, and the next barrier, or launch, finds the other bits zero again.
void meet_other_blocks(Lowering& at) {
  auto& build = at.build;
  llvm::IntegerType* word = build.getInt32Ty();
  const bool nvidia = is_nvidia(at);
  auto scope = at.module.context().getOrInsertSyncScopeID(nvidia ? "device" : "agent");
  Value* counter = grid_counter(at.module);
  Value* blocks = at.coordinate(Coordinate::GridDimension, 0);
  for (uint8_t axis : {1, 2})
    blocks = build.CreateMul(blocks, at.coordinate(Coordinate::GridDimension, axis));
  Value* rest = build.CreateSub(build.getInt32(0x80000001u), blocks);
  Value* amount =
      build.CreateSelect(is_origin(at, Coordinate::Block), rest, build.getInt32(1), "amount");
  Value* before = build.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, amount, llvm::Align(4),
                                        AtomicOrdering::AcquireRelease, scope);
  auto* wait = llvm::BasicBlock::Create(at.module.context(), "wait", &at.function);
  auto* met = llvm::BasicBlock::Create(at.module.context(), "met", &at.function);
  build.CreateBr(wait);
  build.SetInsertPoint(wait);
  auto* now = build.CreateAlignedLoad(word, counter, llvm::Align(4));
  now->setAtomic(AtomicOrdering::Acquire, scope);
  Value* turned = build.CreateICmpSLT(build.CreateXor(now, before), build.getInt32(0));
  build.CreateCondBr(turned, met, wait);
  build.SetInsertPoint(met);
}

}  // namespace

Leaves lower(Lowering& at, const ir::Barrier&) {
  barrier(at);
  return {};
}

Leaves lower(Lowering& at, const ir::BarrierReduce& op) {
  HETJIT_CHECK(!at.module.on_host() && "compiler/host makes the threads of a block wait");
  Value* condition = at(op.in[0]);
  return is_nvidia(at) ? nvidia_vote(at, op.vote, condition) : amd_vote(at, op.vote, condition);
}

// One thread speaks for its block. What the others wrote is before the block's barrier, so before
// what it releases; and what other blocks wrote is before what it acquires.
Leaves lower(Lowering& at, const ir::GridBarrier&) {
  barrier(at);
  only_if(at, is_origin(at, Coordinate::Thread), [&](llvm::BasicBlock* after) {
    meet_other_blocks(at);
    at.build.CreateBr(after);
  });
  barrier(at);
  return {};
}

}  // namespace hetjit::lower

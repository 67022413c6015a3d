// NVIDIA: special registers say where a thread is; barriers and warps have instructions, which take
// the mask of lanes and wait for them.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/lower/gpu.h"

namespace hetjit::lower {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

constexpr unsigned kWarp = 32;

/// As warp instructions take it.
Value* as_u32(Lowering& at, Value* mask) {
  return at.build.CreateZExtOrTrunc(mask, at.build.getInt32Ty());
}

/// The instruction looks at five bits. An amount that no lane is away is no amount.
Value* shuffle_amount(Lowering& at, ir::ShuffleKind kind, Value* amount) {
  if (kind == ir::ShuffleKind::Index) return amount;
  auto& build = at.build;
  Value* inside = build.CreateICmpULT(amount, build.getInt32(kWarp));
  return build.CreateSelect(inside, amount, build.getInt32(0));
}

class NvidiaOps final : public GpuOps {
 public:
  Value* coordinate(Lowering& at, Coordinate kind, uint8_t axis) const override {
    // By Coordinate, x y z each.
    constexpr Intrinsic::ID kRegisters[kCoordinates] = {
        Intrinsic::nvvm_read_ptx_sreg_tid_x,    Intrinsic::nvvm_read_ptx_sreg_tid_y,
        Intrinsic::nvvm_read_ptx_sreg_tid_z,    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,  Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
        Intrinsic::nvvm_read_ptx_sreg_ntid_x,   Intrinsic::nvvm_read_ptx_sreg_ntid_y,
        Intrinsic::nvvm_read_ptx_sreg_ntid_z,   Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
        Intrinsic::nvvm_read_ptx_sreg_nctaid_y, Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
    };
    return at.build.CreateIntrinsic(kRegisters[static_cast<unsigned>(kind) + axis], {});
  }

  Value* clock(Lowering& at) const override {  // %clock64
    return at.build.CreateIntrinsic(at.build.getInt64Ty(), Intrinsic::readcyclecounter, {});
  }

  void pause(Lowering& at) const override {
    at.build.CreateIntrinsic(Intrinsic::nvvm_nanosleep,
                             at.build.getInt32(target::kPauseNanoseconds));
  }

  // ---- numbers

  Value* half_of_double(Lowering& at, Value* f64) const override {
    return at.build.CreateFPCast(f64, at.value_type(Scalar::Float16));
  }

  Value* fma_of_halves(Lowering& at, Value* a, Value* b, Value* c) const override {
    return at.intrinsic(Intrinsic::fma, {a, b, c});
  }

  // ---- memory

  Value* dynamic_shared_bytes(Lowering& at) const override {
    return at.build.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, {});
  }

  llvm::SyncScope::ID sync_scope(llvm::LLVMContext& context, ir::MemoryScope scope) const override {
    constexpr const char* kNames[] = {"", "device", "block"};  // by MemoryScope
    return context.getOrInsertSyncScopeID(kNames[static_cast<size_t>(scope)]);
  }

  void describe_memory(llvm::AtomicRMWInst&, ir::MemoryScope) const override {}

  // Read-only: no local copy.
  void describe_parameter(llvm::Function& kernel, unsigned index,
                          llvm::Type* bytes) const override {
    llvm::LLVMContext& context = kernel.getContext();
    kernel.addParamAttr(index, llvm::Attribute::getWithByValType(context, bytes));
    kernel.addParamAttr(index, llvm::Attribute::get(context, "nvvm.grid_constant"));
  }

  void publish(llvm::GlobalVariable&) const override {}

  // ---- the block

  void barrier(Lowering& at) const override {
    at.build.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {at.build.getInt32(0)});
  }

  Value* barrier_vote(Lowering& at, ir::BarrierVote vote, Value* condition) const override {
    // By BarrierVote.
    constexpr Intrinsic::ID kVotes[] = {Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
                                        Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
                                        Intrinsic::nvvm_barrier_cta_red_or_aligned_all};
    return at.build.CreateIntrinsic(kVotes[static_cast<size_t>(vote)],
                                    {at.build.getInt32(0), condition});
  }

  // LLVM's intrinsics for it say that they touch no memory, so that reads could move above them.
  void grid_dependency(Lowering& at, ir::DependencyStep step) const override {
    // By DependencyStep.
    constexpr const char* kInstructions[] = {"griddepcontrol.wait;",
                                             "griddepcontrol.launch_dependents;"};
    if (!overlaps_launches(at.module.target.name())) return;
    auto* type = llvm::FunctionType::get(at.build.getVoidTy(), false);
    at.build.CreateCall(llvm::InlineAsm::get(type, kInstructions[static_cast<size_t>(step)],
                                             "~{memory}", /*hasSideEffects=*/true));
  }

  // ---- the warp

  Value* lane_index(Lowering& at) const override {
    llvm::CallInst* lane = at.build.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    lane->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, kWarp)));
    return lane;
  }

  Value* active_mask(Lowering& at) const override {
    return at.build.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  }

  void warp_barrier(Lowering& at, Value* mask) const override {
    at.build.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {as_u32(at, mask)});
  }

  Value* vote(Lowering& at, ir::WarpVote vote, Value* mask, Value* condition) const override {
    // By WarpVote.
    constexpr Intrinsic::ID kVotes[] = {Intrinsic::nvvm_vote_all_sync,
                                        Intrinsic::nvvm_vote_any_sync,
                                        Intrinsic::nvvm_vote_uni_sync};
    return at.build.CreateIntrinsic(kVotes[static_cast<size_t>(vote)],
                                    {as_u32(at, mask), condition});
  }

  Value* ballot(Lowering& at, Value* mask, Value* condition) const override {
    return at.build.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                                    {as_u32(at, mask), condition});
  }

  Value* shuffle(Lowering& at, ir::ShuffleKind kind, Value* mask, Value* value,
                 Value* amount) const override {
    // By ShuffleKind.
    constexpr Intrinsic::ID kShuffles[] = {
        Intrinsic::nvvm_shfl_sync_idx_i32, Intrinsic::nvvm_shfl_sync_up_i32,
        Intrinsic::nvvm_shfl_sync_down_i32, Intrinsic::nvvm_shfl_sync_bfly_i32};
    mask = as_u32(at, mask);
    amount = shuffle_amount(at, kind, amount);
    // The last lane that may be read; the first for those that look down.
    Value* bound = at.build.getInt32(kind == ir::ShuffleKind::Up ? 0 : kWarp - 1);
    Words words;
    for (Value* word : to_words(at.build, value))
      words.push_back(at.build.CreateIntrinsic(kShuffles[static_cast<size_t>(kind)],
                                               {mask, word, amount, bound}));
    return from_words(at.build, words, value->getType());
  }

  Value* match(Lowering& at, ir::MatchKind kind, Value* mask, Value* value) const override {
    mask = as_u32(at, mask);
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
};

}  // namespace

const GpuOps& nvidia_ops() {
  static const NvidiaOps ops;
  return ops;
}

}  // namespace hetjit::lower

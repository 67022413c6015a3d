// AMD: registers and the hidden arguments of a launch say where a thread is. The lanes of a warp
// run in step: those that are here take part in what they do together, and a mask says whose
// answers count.
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/lower/gpu.h"

namespace hetjit::lower {
namespace {

using llvm::AtomicOrdering;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

// ---- places

/// Where code objects from version 5 on keep a launch's dimensions, relative to the implicit
/// argument pointer: the number of blocks as u32, the block's dimensions as u16.
Value* implicit_argument(Lowering& at, unsigned offset, llvm::Type* type, uint64_t least,
                         uint64_t limit) {
  auto& build = at.build;
  auto& context = at.module.context();
  Value* base = build.CreateIntrinsic(llvm::PointerType::get(context, 4),
                                      Intrinsic::amdgcn_implicitarg_ptr, {});
  Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), base, offset);
  unsigned bits = type->getIntegerBitWidth();
  // Two dimensions that lie aligned together are read at once by a scalar load, else by a vector
  // load.
  llvm::Align align = llvm::commonAlignment(llvm::Align(8), offset);
  auto* load = build.CreateAlignedLoad(type, address, align);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  load->setMetadata(
      llvm::LLVMContext::MD_range,
      llvm::MDBuilder(context).createRange(llvm::APInt(bits, least), llvm::APInt(bits, limit)));
  return build.CreateZExt(load, build.getInt32Ty());
}

/// From gfx1030 to gfx11 the cycle counter has 20 bits.
bool has_short_clock(std::string_view arch) {
  return arch.starts_with("gfx103") || arch.starts_with("gfx11");
}

// ---- masks

unsigned warp_size(const Lowering& at) { return at.module.target.warp_size(); }

/// Of the lanes that are here and have a true condition, as wide as the warp.
Value* lanes_with(Lowering& at, Value* condition) {
  llvm::Type* mask = at.build.getIntNTy(warp_size(at));
  return at.build.CreateIntrinsic(Intrinsic::amdgcn_ballot, {mask}, {condition});
}

/// The same of those that `mask` names.
Value* named_lanes_with(Lowering& at, Value* mask, Value* condition) {
  Value* lanes = lanes_with(at, condition);
  return at.build.CreateAnd(lanes,
                            at.build.CreateZExtOrTrunc(mask, at.build.getIntNTy(warp_size(at))));
}

// ---- shuffles and matches

Value* read_lane(Lowering& at, Value* lane, Value* word) {
  Value* address = at.build.CreateShl(lane, 2);
  return at.build.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {address, word});
}

/// Each turn serves the lanes whose value is that of the first lane still here.
Value* match_any(Lowering& at, Value* mask, Value* value) {
  auto& build = at.build;
  llvm::LLVMContext& context = at.module.context();
  auto* turn = llvm::BasicBlock::Create(context, "match", &at.function);
  auto* matched = llvm::BasicBlock::Create(context, "matched", &at.function);
  build.CreateBr(turn);
  build.SetInsertPoint(turn);
  Value* first =
      build.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {value->getType()}, {value});
  Value* same = build.CreateICmpEQ(value, first);
  Value* lanes = named_lanes_with(at, mask, same);
  build.CreateCondBr(same, matched, turn);
  build.SetInsertPoint(matched);
  return lanes;
}

Value* match_all(Lowering& at, Value* mask, Value* value) {
  auto& build = at.build;
  Value* first = build.CreateBinaryIntrinsic(Intrinsic::cttz, mask, build.getFalse());
  first = build.CreateZExtOrTrunc(first, build.getInt32Ty());
  Words words;
  for (Value* word : to_words(build, value)) words.push_back(read_lane(at, first, word));
  Value* differs = build.CreateICmpNE(value, from_words(build, words, value->getType()));
  Value* none = build.CreateIsNull(named_lanes_with(at, mask, differs));
  Value* here =
      build.CreateZExtOrTrunc(named_lanes_with(at, mask, build.getTrue()), mask->getType());
  return build.CreateSelect(none, here, llvm::ConstantInt::get(mask->getType(), 0));
}

class AmdOps final : public GpuOps {
 public:
  Value* coordinate(Lowering& at, Coordinate kind, uint8_t axis) const override {
    constexpr Intrinsic::ID kRegisters[] = {
        Intrinsic::amdgcn_workitem_id_x,  Intrinsic::amdgcn_workitem_id_y,
        Intrinsic::amdgcn_workitem_id_z,  Intrinsic::amdgcn_workgroup_id_x,
        Intrinsic::amdgcn_workgroup_id_y, Intrinsic::amdgcn_workgroup_id_z,
    };
    if (kind == Coordinate::BlockDimension)
      return implicit_argument(at, 12 + 2 * axis, at.build.getInt16Ty(), 1, 1025);
    if (kind == Coordinate::GridDimension)
      return implicit_argument(at, 4 * axis, at.build.getInt32Ty(), 1, 0);  // 1 … 2^32 - 1
    return at.build.CreateIntrinsic(kRegisters[static_cast<unsigned>(kind) + axis], {});
  }

  bool adds_unsigned_words() const override { return true; }

  // s_memtime; where that is short the counter of 100 MHz.
  Value* clock(Lowering& at) const override {
    return at.build.CreateIntrinsic(at.build.getInt64Ty(),
                                    has_short_clock(at.module.target.name().arch)
                                        ? Intrinsic::readsteadycounter
                                        : Intrinsic::readcyclecounter,
                                    {});
  }

  void pause(Lowering& at) const override {
    at.build.CreateIntrinsic(Intrinsic::amdgcn_s_sleep, at.build.getInt32(target::kPauseTicks));
  }

  // ---- numbers

  // The instruction rounds twice.
  Value* half_of_double(Lowering& at, Value* f64) const override { return f64_to_f16_odd(at, f64); }

  Value* fma_of_halves(Lowering& at, Value* a, Value* b, Value* c) const override {
    return at.intrinsic(Intrinsic::fma, {a, b, c});
  }

  // ---- memory

  // The packet that launched the kernel says how much a block has; the variables come first.
  Value* dynamic_shared_bytes(Lowering& at) const override {
    constexpr unsigned kGroupSegmentSize = 28;
    auto& build = at.build;
    Value* packet = build.CreateIntrinsic(Intrinsic::amdgcn_dispatch_ptr, {});
    Value* field = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), packet, kGroupSegmentSize);
    auto* all = build.CreateAlignedLoad(build.getInt32Ty(), field, llvm::Align(4));
    all->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(at.module.context(), {}));
    Value* begin = build.CreatePtrToInt(dynamic_shared(at.module), build.getInt32Ty());
    return build.CreateSub(all, begin);
  }

  llvm::SyncScope::ID sync_scope(llvm::LLVMContext& context, ir::MemoryScope scope) const override {
    constexpr const char* kNames[] = {"", "agent", "workgroup"};  // by MemoryScope
    return context.getOrInsertSyncScopeID(kNames[static_cast<size_t>(scope)]);
  }

  // Device memory has instructions for what host memory, reached over a bus, has none for. Who asks
  // for the whole machine's scope may mean that; others do not.
  void describe_memory(llvm::AtomicRMWInst& update, ir::MemoryScope scope) const override {
    if (scope == ir::MemoryScope::System) return;
    auto* nothing = llvm::MDNode::get(update.getContext(), {});
    update.setMetadata("amdgpu.no.fine.grained.memory", nothing);
    update.setMetadata("amdgpu.no.remote.memory", nothing);
  }

  void describe_parameter(llvm::Function& kernel, unsigned index,
                          llvm::Type* bytes) const override {
    kernel.addParamAttr(index, llvm::Attribute::getWithByRefType(kernel.getContext(), bytes));
  }

  // Else the loader does not find it.
  void publish(llvm::GlobalVariable& variable) const override {
    variable.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  }

  // ---- the block

  // The instruction only waits: what was written is seen because of the fences.
  void barrier(Lowering& at) const override {
    auto scope = sync_scope(at.module.context(), ir::MemoryScope::Block);
    at.build.CreateFence(AtomicOrdering::Release, scope);
    at.build.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
    at.build.CreateFence(AtomicOrdering::Acquire, scope);
  }

  Value* barrier_vote(Lowering& at, ir::BarrierVote vote, Value* condition) const override {
    auto& build = at.build;
    if (vote == ir::BarrierVote::Count) return count(at, condition);
    if (vote == ir::BarrierVote::Or) return build.CreateIsNotNull(count(at, condition));
    return build.CreateIsNull(count(at, build.CreateNot(condition)));
  }

  // A stream's launches never overlap.
  void grid_dependency(Lowering&, ir::DependencyStep) const override {}

  // ---- the warp

  Value* lane_index(Lowering& at) const override {
    Value* all = at.build.getInt32(~0u);
    llvm::CallInst* lane =
        at.build.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {all, at.build.getInt32(0)});
    if (warp_size(at) == 64)
      lane = at.build.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {all, lane});
    lane->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, warp_size(at))));
    return lane;
  }

  Value* active_mask(Lowering& at) const override { return lanes_with(at, at.build.getTrue()); }

  void warp_barrier(Lowering& at, Value*) const override {
    auto scope = at.module.context().getOrInsertSyncScopeID("wavefront");
    at.build.CreateFence(AtomicOrdering::Release, scope);
    at.build.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
    at.build.CreateFence(AtomicOrdering::Acquire, scope);
  }

  Value* vote(Lowering& at, ir::WarpVote vote, Value* mask, Value* condition) const override {
    auto& build = at.build;
    auto none = [&](Value* of) { return build.CreateIsNull(named_lanes_with(at, mask, of)); };
    if (vote == ir::WarpVote::Any) return build.CreateNot(none(condition));
    Value* all = none(build.CreateNot(condition));
    return vote == ir::WarpVote::All ? all : build.CreateOr(all, none(condition));
  }

  Value* ballot(Lowering& at, Value* mask, Value* condition) const override {
    return named_lanes_with(at, mask, condition);
  }

  Value* shuffle(Lowering& at, ir::ShuffleKind kind, Value*, Value* value,
                 Value* amount) const override {
    Value* lane = source_lane(at, kind, amount);
    Words words;
    for (Value* word : to_words(at.build, value)) words.push_back(read_lane(at, lane, word));
    return from_words(at.build, words, value->getType());
  }

  Value* match(Lowering& at, ir::MatchKind kind, Value* mask, Value* value) const override {
    return kind == ir::MatchKind::Any ? match_any(at, mask, value) : match_all(at, mask, value);
  }

 private:
  /// The lane that a shuffle reads: its own where that would be outside the warp.
  Value* source_lane(Lowering& at, ir::ShuffleKind kind, Value* amount) const {
    auto& build = at.build;
    const unsigned size = warp_size(at);
    if (kind == ir::ShuffleKind::Index) return build.CreateAnd(amount, size - 1);
    Value* own = lane_index(at);
    Value* other = kind == ir::ShuffleKind::Up     ? build.CreateSub(own, amount)
                   : kind == ir::ShuffleKind::Down ? build.CreateAdd(own, amount)
                                                   : build.CreateXor(own, amount);
    return build.CreateSelect(build.CreateICmpULT(other, build.getInt32(size)), other, own);
  }

  /// Is the thread the first of those that are here?
  Value* is_first_here(Lowering& at) const {
    auto& build = at.build;
    Value* first = build.CreateBinaryIntrinsic(Intrinsic::cttz, lanes_with(at, build.getTrue()),
                                               build.getTrue());
    return build.CreateICmpEQ(build.CreateZExtOrTrunc(first, build.getInt32Ty()), lane_index(at));
  }

  /// How many threads of the block have a true condition, i32. Warps add their counts to a word of
  /// shared memory. Every warp sets it to zero, between two barriers: what it held nobody may ask.
  Value* count(Lowering& at, Value* condition) const {
    auto& build = at.build;
    auto scope = sync_scope(at.module.context(), ir::MemoryScope::Block);
    llvm::IntegerType* i32 = build.getInt32Ty();
    Value* word = shared_variable(at.module, "votes", 4, 4);
    Value* own = build.CreateZExtOrTrunc(
        build.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes_with(at, condition)), i32);
    barrier(at);  // all have read what the vote before this one gave
    build.CreateAlignedStore(build.getInt32(0), word, llvm::Align(4))
        ->setAtomic(AtomicOrdering::Monotonic, scope);
    barrier(at);
    only_if(at, is_first_here(at), [&] {
      build.CreateAtomicRMW(llvm::AtomicRMWInst::Add, word, own, llvm::Align(4),
                            AtomicOrdering::Monotonic, scope);
    });
    barrier(at);
    auto* total = build.CreateAlignedLoad(i32, word, llvm::Align(4));
    total->setAtomic(AtomicOrdering::Monotonic, scope);
    return total;
  }
};

}  // namespace

const GpuOps& amd_ops() {
  static const AmdOps ops;
  return ops;
}

}  // namespace hetjit::lower

// The host as a device: a thread that runs by itself is told its place, finds the memory of its
// block in a frame, and talks to others of its warp through it. What a warp does as vectors is
// compiler/host/warp's. Private to compiler/host.
#pragma once

#include "compiler/host/entry/phase_functions.h"
#include "compiler/host/warp/watch.h"
#include "compiler/lower/device_ops.h"

namespace hetjit::host {

class HostOps final : public lower::DeviceOps {
 public:
  using Lowering = lower::Lowering;
  using Leaves = lower::Leaves;

  /// The kernel whose phases are being written; null: it has none.
  const PhasedCode* phased = nullptr;

  Value* coordinate(Lowering& at, lower::Coordinate kind, uint8_t axis) const override;
  void add_place_types(llvm::LLVMContext& context,
                       llvm::SmallVectorImpl<llvm::Type*>& parameters) const override;
  void add_place(Lowering& at, llvm::SmallVectorImpl<Value*>& arguments) const override;
  Value* clock(Lowering& at) const override;
  void pause(Lowering& at) const override;

  bool prefers_narrow_offsets() const override;
  Value* half_of_double(Lowering& at, Value* f64) const override;
  Value* remainder(Lowering& at, Value* a, Value* b) const override;
  Value* reciprocal_root(Lowering& at, Value* x) const override;
  Value* fma_of_halves(Lowering& at, Value* a, Value* b, Value* c) const override;

  Value* shared_memory(Lowering& at, const ir::SharedMemory& op) const override;
  Value* dynamic_shared_memory(Lowering& at) const override;
  Value* dynamic_shared_bytes(Lowering& at) const override;
  Value* local_memory(Lowering& at, const ir::LocalMemory& op) const override;

  llvm::SyncScope::ID sync_scope(llvm::LLVMContext& context, ir::MemoryScope scope) const override;
  void describe_memory(llvm::AtomicRMWInst&, ir::MemoryScope) const override {}

  // Waits end a phase, and a thread by itself has no lanes beside it (expand_warp_ops.h).
  void barrier(Lowering&) const override { never(); }
  Value* barrier_vote(Lowering&, ir::BarrierVote, Value*) const override { never(); }
  void grid_barrier(Lowering&) const override { never(); }
  void grid_dependency(Lowering&, ir::DependencyStep) const override {}
  Value* lane_index(Lowering& at) const override;
  Value* active_mask(Lowering&) const override { never(); }
  void warp_barrier(Lowering&, Value*) const override { never(); }
  Value* vote(Lowering&, ir::WarpVote, Value*, Value*) const override { never(); }
  Value* ballot(Lowering&, Value*, Value*) const override { never(); }
  Value* shuffle(Lowering&, ir::ShuffleKind, Value*, Value*, Value*) const override { never(); }
  Value* match(Lowering&, ir::MatchKind, Value*, Value*) const override { never(); }

  void publish(llvm::GlobalVariable&) const override {}
  bool inlines_records() const override;

  Leaves host_op(Lowering& at, lower::HostOp op) const override;

 private:
  [[noreturn]] static void never();

  // thread_ops.cpp
  Leaves write(Lowering& at, const ir::Keep& op) const;
  Leaves write(Lowering& at, const ir::Take& op) const;
  Leaves write(Lowering& at, const ir::Prefetch& op) const;
  Leaves write(Lowering& at, const ir::CastVote& op) const;
  Leaves write(Lowering& at, const ir::TakeVote& op) const;
  Leaves write(Lowering& at, const ir::Post& op) const;
  Leaves write(Lowering& at, const ir::Posted& op) const;
  Leaves write(Lowering& at, const ir::PostedEqual& op) const;
  Leaves write(Lowering& at, const ir::CheckAccess& op) const;
  Leaves write(Lowering& at, const ir::CheckBarrier& op) const;

  /// A phase's last parameters are its frame.
  enum FrameArgument : size_t { kBlock, kContext, kDynamicBytes };
  Value* frame(Lowering& at, FrameArgument which) const;
  /// The context of another lane of the warp.
  Value* context_of(Lowering& at, Value* lane) const;
  Watched watched(Lowering& at, const WatchedSite& site, Value* address) const;
};

}  // namespace hetjit::host

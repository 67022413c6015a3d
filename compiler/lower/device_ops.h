// What each device does its own way. A backend implements all of it (docs/add_a_backend.md):
// nothing has a default, so a new one cannot inherit another's answer. Of the rest of a target
// lowering asks its address spaces and its math library's names alone. Private to lower/ and host/.
#pragma once

#include <type_traits>
#include <variant>

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// Ops that only graphs for the host have: what compiler/host makes of waits (ir/ops_phase.h), and
/// what its runtime is told of (abi/watch.h).
using HostOp =
    std::variant<const ir::Keep*, const ir::Take*, const ir::Prefetch*, const ir::CastVote*,
                 const ir::TakeVote*, const ir::Post*, const ir::Posted*, const ir::PostedEqual*,
                 const ir::CheckAccess*, const ir::CheckBarrier*>;

class DeviceOps {
 public:
  using Value = llvm::Value;
  virtual ~DeviceOps() = default;

  // ---- where a thread is, and the time

  /// u32.
  virtual Value* coordinate(Lowering& at, Coordinate kind, uint8_t axis) const = 0;
  /// What every function is given behind its own parameters, so that it knows its place: the types,
  /// and what a caller gives.
  virtual void add_place_types(llvm::LLVMContext& context,
                               llvm::SmallVectorImpl<llvm::Type*>& parameters) const = 0;
  virtual void add_place(Lowering& at, llvm::SmallVectorImpl<Value*>& arguments) const = 0;
  virtual Value* clock(Lowering& at) const = 0;  // ir::Clock, i64
  virtual void pause(Lowering& at) const = 0;

  // ---- numbers; vectors of `at.lanes` as well

  /// Is arithmetic in 32 bits so much cheaper that offsets that fit are computed there?
  virtual bool prefers_narrow_offsets() const = 0;
  /// Do instructions that access memory add an unsigned number of 32 bits to an address that all
  /// threads have? Then places that fit are computed in bytes there.
  virtual bool adds_unsigned_words() const { return false; }
  /// Is what our ranges prove of integers worth asking? LLVM is told then.
  virtual bool wants_integer_facts() const { return false; }
  /// f64 to f16, rounded once.
  virtual Value* half_of_double(Lowering& at, Value* f64) const = 0;
  /// C's fmod of f32 or f64; null: the library's is as good.
  virtual Value* remainder(Lowering&, Value*, Value*) const { return nullptr; }
  /// 1 / sqrt(x) of f32; null: the library has an instruction for it.
  virtual Value* reciprocal_root(Lowering&, Value*) const { return nullptr; }
  /// a * b + c of f16, rounded once.
  virtual Value* fma_of_halves(Lowering& at, Value* a, Value* b, Value* c) const = 0;

  // ---- memory; addresses are generic

  virtual Value* shared_memory(Lowering& at, const ir::SharedMemory& op) const = 0;
  virtual Value* dynamic_shared_memory(Lowering& at) const = 0;
  virtual Value* dynamic_shared_bytes(Lowering& at) const = 0;  // u32
  virtual Value* local_memory(Lowering& at, const ir::LocalMemory& op) const = 0;

  // ---- atomic operations

  /// LLVM's scope for one of ours, never for Thread. SingleThread: nobody of the scope can come in
  /// between, so plain accesses will do.
  virtual llvm::SyncScope::ID sync_scope(llvm::LLVMContext& context,
                                         ir::MemoryScope scope) const = 0;
  /// What code generation should know of memory that is updated by an instruction of that scope.
  virtual void describe_memory(llvm::AtomicRMWInst& update, ir::MemoryScope scope) const = 0;

  // ---- the threads of a block and of the grid

  virtual void barrier(Lowering& at) const = 0;
  /// i32 for Count, else i1.
  virtual Value* barrier_vote(Lowering& at, ir::BarrierVote vote, Value* condition) const = 0;
  virtual void grid_barrier(Lowering& at) const = 0;
  /// Nothing where launches of a stream never overlap.
  virtual void grid_dependency(Lowering& at, ir::DependencyStep step) const = 0;

  // ---- the lanes of a warp; masks go in as the language has them, and come out of any width

  virtual Value* lane_index(Lowering& at) const = 0;  // u32
  virtual Value* active_mask(Lowering& at) const = 0;
  virtual void warp_barrier(Lowering& at, Value* mask) const = 0;
  virtual Value* vote(Lowering& at, ir::WarpVote vote, Value* mask, Value* condition) const = 0;
  virtual Value* ballot(Lowering& at, Value* mask, Value* condition) const = 0;
  virtual Value* shuffle(Lowering& at, ir::ShuffleKind kind, Value* mask, Value* value,
                         Value* amount) const = 0;
  virtual Value* match(Lowering& at, ir::MatchKind kind, Value* mask, Value* value) const = 0;

  // ---- what threads say to the host (lower_messages.cpp)

  /// A variable of the module that whoever loads it looks for by its name.
  virtual void publish(llvm::GlobalVariable& variable) const = 0;
  /// Is what begins a record inlined where something is said?
  virtual bool inlines_records() const = 0;

  virtual Leaves host_op(Lowering& at, HostOp op) const = 0;
};

/// What HostOp lists has no lowering of its own (lowering.h).
template <class AnyOp>
  requires std::is_constructible_v<HostOp, const AnyOp*>
Leaves lower(Lowering& at, const AnyOp& op) {
  return at.module.device.host_op(at, &op);
}

}  // namespace hetjit::lower

// Ops that each device does its own way (device_ops.h).
#include "compiler/lower/device_ops.h"

namespace hetjit::lower {

using llvm::Value;

Value* Lowering::coordinate(Coordinate kind, uint8_t axis) {
  return module.device.coordinate(*this, kind, axis);
}

template <>
Leaves lower(Lowering& at, const ir::ThreadIndex& op) {
  return at.coordinate(Coordinate::Thread, op.axis);
}
template <>
Leaves lower(Lowering& at, const ir::BlockIndex& op) {
  return at.coordinate(Coordinate::Block, op.axis);
}
template <>
Leaves lower(Lowering& at, const ir::BlockDimension& op) {
  return at.coordinate(Coordinate::BlockDimension, op.axis);
}
template <>
Leaves lower(Lowering& at, const ir::GridDimension& op) {
  return at.coordinate(Coordinate::GridDimension, op.axis);
}
template <>
Leaves lower(Lowering& at, const ir::Clock&) {
  return at.module.device.clock(at);
}
template <>
Leaves lower(Lowering& at, const ir::Pause&) {
  at.module.device.pause(at);
  return {};
}

// ---- memory

template <>
Leaves lower(Lowering& at, const ir::SharedMemory& op) {
  return at.module.device.shared_memory(at, op);
}
template <>
Leaves lower(Lowering& at, const ir::DynamicSharedMemory&) {
  return at.module.device.dynamic_shared_memory(at);
}
template <>
Leaves lower(Lowering& at, const ir::DynamicSharedBytes&) {
  return at.module.device.dynamic_shared_bytes(at);
}
template <>
Leaves lower(Lowering& at, const ir::LocalMemory& op) {
  return at.module.device.local_memory(at, op);
}

Value* stack_variable(Lowering& at, const ir::LocalMemory& op) {
  llvm::AllocaInst*& variable = at.locals[op.variable];
  if (!variable) {
    llvm::BasicBlock& entry = at.function.getEntryBlock();
    llvm::IRBuilder<> first(&entry, entry.begin());
    auto* type = llvm::ArrayType::get(first.getInt8Ty(), op.bytes);
    variable = first.CreateAlloca(type, at.module.target.spaces().private_, nullptr, "local");
    variable->setAlignment(llvm::Align(op.align));
  }
  return at.build.CreateAddrSpaceCast(variable, at.build.getPtrTy());
}

// ---- the threads of a block

template <>
Leaves lower(Lowering& at, const ir::Barrier&) {
  at.module.device.barrier(at);
  return {};
}
template <>
Leaves lower(Lowering& at, const ir::BarrierReduce& op) {
  return at.module.device.barrier_vote(at, op.vote, at(op.in[0]));
}
template <>
Leaves lower(Lowering& at, const ir::GridBarrier&) {
  at.module.device.grid_barrier(at);
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::GridDependency& op) {
  at.module.device.grid_dependency(at, op.step);
  return {};
}

// ---- the lanes of a warp

namespace {

/// A mask of the lanes of a warp as the language has it.
Value* as_result(Lowering& at, Value* mask) {
  return at.build.CreateZExtOrTrunc(mask, at.value_type(at.result_scalar()));
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::LaneIndex&) {
  return at.module.device.lane_index(at);
}
template <>
Leaves lower(Lowering& at, const ir::ActiveMask&) {
  return as_result(at, at.module.device.active_mask(at));
}
template <>
Leaves lower(Lowering& at, const ir::WarpBarrier& op) {
  at.module.device.warp_barrier(at, at(op.in[0]));
  return {};
}
template <>
Leaves lower(Lowering& at, const ir::Vote& op) {
  return at.module.device.vote(at, op.vote, at(op.in[0]), at(op.in[1]));
}
template <>
Leaves lower(Lowering& at, const ir::Ballot& op) {
  return as_result(at, at.module.device.ballot(at, at(op.in[0]), at(op.in[1])));
}
template <>
Leaves lower(Lowering& at, const ir::Shuffle& op) {
  return at.module.device.shuffle(at, op.kind, at(op.in[0]), at(op.in[1]), at(op.in[2]));
}
template <>
Leaves lower(Lowering& at, const ir::Match& op) {
  return as_result(at, at.module.device.match(at, op.kind, at(op.in[0]), at(op.in[1])));
}

}  // namespace hetjit::lower

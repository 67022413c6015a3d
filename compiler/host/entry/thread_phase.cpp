// Ops of phases where threads run one by one. A phase's last three parameters are its frame: the
// block's part, the thread's context, and how many bytes of shared memory the launch asked for.
#include <algorithm>

#include "compiler/host/entry/phase_functions.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::lower {

using host::byte_address;
using llvm::Value;

namespace {

/// Parameter `which` of kFrameArguments.
Value* frame(Lowering& at, size_t which) {
  HETJIT_CHECK(at.module.phased && "only phases have a frame");
  const std::vector<ValueId>& params = at.ir.blocks[0].params;
  return at(params[params.size() - host::kFrameArguments + which]);
}
Value* block_part(Lowering& at) { return frame(at, 0); }
Value* context(Lowering& at) { return frame(at, 1); }
const host::Frame& layout_of(Lowering& at) { return at.module.phased->frame; }

Value* lane(Lowering& at) {
  Value* row = at.build.CreateMul(at.coordinate(Coordinate::BlockDimension, 1),
                                  at.coordinate(Coordinate::Thread, 2));
  row = at.build.CreateAdd(row, at.coordinate(Coordinate::Thread, 1));
  Value* before = at.build.CreateMul(at.coordinate(Coordinate::BlockDimension, 0), row);
  Value* linear = at.build.CreateAdd(before, at.coordinate(Coordinate::Thread, 0));
  return at.build.CreateAnd(linear, at.build.getInt32(31));
}

/// The context of another lane of the warp.
Value* context_of(Lowering& at, Value* other) {
  auto& build = at.build;
  Value* apart = build.CreateSub(other, lane(at));
  Value* bytes = build.CreateMul(build.CreateSExt(apart, build.getInt64Ty()),
                                 build.getInt64(layout_of(at).context_bytes));
  return build.CreateGEP(build.getInt8Ty(), context(at), bytes);
}

Value* load_word(Lowering& at, Value* context, uint64_t offset, llvm::Type* type) {
  return at.build.CreateAlignedLoad(type, byte_address(at.build, context, offset), llvm::Align(4));
}

}  // namespace

Leaves lower(Lowering& at, const ir::Keep& op) {
  const host::Slot& slot = at.module.phased->kernel.phases.slots[op.slot];
  host::store_slot(at, context(at), layout_of(at).slots[op.slot], slot.type, 1,
                   at.leaves(op.in[0]));
  return {};
}

Leaves lower(Lowering& at, const ir::Take& op) {
  const host::Slot& slot = at.module.phased->kernel.phases.slots[op.slot];
  return host::load_slot(at, context(at), layout_of(at).slots[op.slot], slot.type, 1);
}

// A thread alone gains nothing: its neighbours have read the line.
Leaves lower(Lowering&, const ir::Prefetch&) { return {}; }

Leaves lower(Lowering& at, const ir::CastVote& op) {
  auto add = [&](uint64_t to, Value* amount) {
    Value* address = byte_address(at.build, block_part(at), to);
    Value* before = at.build.CreateAlignedLoad(at.build.getInt32Ty(), address, llvm::Align(4));
    at.build.CreateAlignedStore(at.build.CreateAdd(before, amount), address, llvm::Align(4));
  };
  add(host::kCast, at.build.getInt32(1));
  add(host::kInFavour, at.build.CreateZExt(at(op.in[0]), at.build.getInt32Ty()));
  return {};
}

Leaves lower(Lowering& at, const ir::TakeVote& op) {
  return host::load_vote(at.build, block_part(at), op.vote);
}

Leaves lower(Lowering& at, const ir::Post& op) {
  Value* to = byte_address(at.build, context(at), layout_of(at).posted);
  at.build.CreateAlignedStore(at(op.in[0]), to, llvm::Align(8));
  return {};
}

// A lane that is not there is one that is done: it has posted nothing.
Leaves lower(Lowering& at, const ir::Posted& op) {
  Value* theirs = context_of(at, at(op.in[0]));
  Value* state = load_word(at, theirs, layout_of(at).state, at.build.getInt32Ty());
  Value* from = at.build.CreateSelect(at.build.CreateIsNull(state), theirs, context(at));
  return load_word(at, from, layout_of(at).posted, at.build.getInt64Ty());
}

// Lane after lane; one that is done has posted nothing.
Leaves lower(Lowering& at, const ir::PostedEqual& op) {
  auto& build = at.build;
  llvm::LLVMContext& context = build.getContext();
  Value *mask = at(op.in[0]), *wanted = at(op.in[1]);
  llvm::BasicBlock* before = build.GetInsertBlock();
  auto* turn = llvm::BasicBlock::Create(context, "lane", &at.function);
  auto* done = llvm::BasicBlock::Create(context, "lanes.done", &at.function);
  build.CreateBr(turn);
  build.SetInsertPoint(turn);
  llvm::PHINode* other = build.CreatePHI(build.getInt32Ty(), 2);
  llvm::PHINode* found = build.CreatePHI(mask->getType(), 2);
  Value* theirs = context_of(at, other);
  Value* same =
      build.CreateICmpEQ(load_word(at, theirs, layout_of(at).posted, build.getInt64Ty()), wanted);
  Value* alive = build.CreateIsNull(load_word(at, theirs, layout_of(at).state, build.getInt32Ty()));
  Value* bit = build.CreateShl(build.CreateZExt(build.CreateAnd(same, alive), mask->getType()),
                               build.CreateZExtOrTrunc(other, mask->getType()));
  Value* now = build.CreateOr(found, build.CreateAnd(bit, mask));
  Value* next = build.CreateAdd(other, build.getInt32(1));
  other->addIncoming(build.getInt32(0), before);
  other->addIncoming(next, turn);
  found->addIncoming(llvm::Constant::getNullValue(mask->getType()), before);
  found->addIncoming(now, turn);
  build.CreateCondBr(build.CreateICmpULT(next, build.getInt32(32)), turn, done);
  build.SetInsertPoint(done);
  return now;
}

}  // namespace hetjit::lower

namespace hetjit::host {

using lower::Leaves;
using lower::Lowering;

Leaves thread_memory(Lowering& at, const ir::SharedMemory& op) {
  uint64_t offset = lower::layout_of(at).shared.at(op.variable);
  return byte_address(at.build, lower::block_part(at), offset);
}
Leaves thread_memory(Lowering& at, const ir::DynamicSharedMemory&) {
  return byte_address(at.build, lower::block_part(at), lower::layout_of(at).block_bytes);
}
Leaves thread_memory(Lowering& at, const ir::DynamicSharedBytes&) { return lower::frame(at, 2); }
Leaves thread_memory(Lowering& at, const ir::LocalMemory&) {
  const std::vector<ir::Function>& phases = at.module.phased->kernel.phases.functions;
  bool in_phase = std::any_of(phases.begin(), phases.end(),
                              [&](const ir::Function& phase) { return &phase == &at.ir; });
  if (!in_phase) return {};
  uint64_t offset = lower::layout_of(at).local.at(at.result.index);
  return byte_address(at.build, lower::context(at), offset);
}
Leaves thread_lane(Lowering& at) { return lower::lane(at); }

}  // namespace hetjit::host

// Ops that only the host's graphs have, where threads run one by one: what phases keep, post and
// vote, and what is told to a runtime that watches.
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

Leaves HostOps::host_op(Lowering& at, lower::HostOp op) const {
  return std::visit([&](const auto* of) { return write(at, *of); }, op);
}

// ---- what is kept, and votes of the block

Leaves HostOps::write(Lowering& at, const ir::Keep& op) const {
  store_slot(at, frame(at, kContext), phased->frame.slots[op.slot],
             phased->kernel.phases.slots[op.slot].type, 1, at.leaves(op.in[0]));
  return {};
}

Leaves HostOps::write(Lowering& at, const ir::Take& op) const {
  return load_slot(at, frame(at, kContext), phased->frame.slots[op.slot],
                   phased->kernel.phases.slots[op.slot].type, 1);
}

// A thread alone gains nothing: its neighbours have read the line.
Leaves HostOps::write(Lowering&, const ir::Prefetch&) const { return {}; }

Leaves HostOps::write(Lowering& at, const ir::CastVote& op) const {
  auto add = [&](uint64_t to, Value* amount) {
    Value* address = byte_address(at.build, frame(at, kBlock), to);
    Value* before = at.build.CreateAlignedLoad(at.build.getInt32Ty(), address, llvm::Align(4));
    at.build.CreateAlignedStore(at.build.CreateAdd(before, amount), address, llvm::Align(4));
  };
  add(kCast, at.build.getInt32(1));
  add(kInFavour, at.build.CreateZExt(at(op.in[0]), at.build.getInt32Ty()));
  return {};
}

Leaves HostOps::write(Lowering& at, const ir::TakeVote& op) const {
  return load_vote(at.build, frame(at, kBlock), op.vote);
}

// ---- other lanes

namespace {

Value* load_word(lower::Lowering& at, Value* context, uint64_t offset, llvm::Type* type) {
  return at.build.CreateAlignedLoad(type, byte_address(at.build, context, offset), llvm::Align(4));
}

}  // namespace

Value* HostOps::context_of(Lowering& at, Value* lane) const {
  auto& build = at.build;
  Value* apart = build.CreateSub(lane, lane_index(at));
  Value* bytes = build.CreateMul(build.CreateSExt(apart, build.getInt64Ty()),
                                 build.getInt64(phased->frame.context_bytes));
  return build.CreateGEP(build.getInt8Ty(), frame(at, kContext), bytes);
}

Leaves HostOps::write(Lowering& at, const ir::Post& op) const {
  Value* to = byte_address(at.build, frame(at, kContext), phased->frame.posted);
  at.build.CreateAlignedStore(at(op.in[0]), to, llvm::Align(8));
  return {};
}

// A lane that is not there is one that is done: it has posted nothing.
Leaves HostOps::write(Lowering& at, const ir::Posted& op) const {
  Value* theirs = context_of(at, at(op.in[0]));
  Value* state = load_word(at, theirs, phased->frame.state, at.build.getInt32Ty());
  Value* from = at.build.CreateSelect(at.build.CreateIsNull(state), theirs, frame(at, kContext));
  return load_word(at, from, phased->frame.posted, at.build.getInt64Ty());
}

// Lane after lane; one that is done has posted nothing.
Leaves HostOps::write(Lowering& at, const ir::PostedEqual& op) const {
  auto& build = at.build;
  llvm::LLVMContext& context = build.getContext();
  const Frame& lies = phased->frame;
  Value *mask = at(op.in[0]), *wanted = at(op.in[1]);
  llvm::BasicBlock* before = build.GetInsertBlock();
  auto* turn = llvm::BasicBlock::Create(context, "lane", &at.function);
  auto* done = llvm::BasicBlock::Create(context, "lanes.done", &at.function);
  build.CreateBr(turn);
  build.SetInsertPoint(turn);
  llvm::PHINode* other = build.CreatePHI(build.getInt32Ty(), 2);
  llvm::PHINode* found = build.CreatePHI(mask->getType(), 2);
  Value* theirs = context_of(at, other);
  Value* same = build.CreateICmpEQ(load_word(at, theirs, lies.posted, build.getInt64Ty()), wanted);
  Value* alive = build.CreateIsNull(load_word(at, theirs, lies.state, build.getInt32Ty()));
  Value* bit = build.CreateShl(build.CreateZExt(build.CreateAnd(same, alive), mask->getType()),
                               build.CreateZExtOrTrunc(other, mask->getType()));
  Value* now = build.CreateOr(found, build.CreateAnd(bit, mask));
  Value* next = build.CreateAdd(other, build.getInt32(1));
  other->addIncoming(build.getInt32(0), before);
  other->addIncoming(next, turn);
  found->addIncoming(llvm::Constant::getNullValue(mask->getType()), before);
  found->addIncoming(now, turn);
  build.CreateCondBr(build.CreateICmpULT(next, build.getInt32(kLanguageWarp)), turn, done);
  build.SetInsertPoint(done);
  return now;
}

// ---- what is told to the runtime

Watched HostOps::watched(Lowering& at, const WatchedSite& site, Value* address) const {
  Watched watched{site, at.build.getInt64(1), address};
  if (!phased) return watched;
  watched.block = frame(at, kBlock);
  watched.context = frame(at, kContext);
  watched.dynamic_bytes = frame(at, kDynamicBytes);
  watched.frame = &phased->frame;
  return watched;
}

namespace {

/// `write` what is done but where all guards are true.
template <class Write>
void unless_guarded(lower::Lowering& at, llvm::ArrayRef<ValueId> guards, Write write) {
  llvm::SmallVector<Value*, 1> values;
  for (ValueId id : guards) values.push_back(at(id));
  Value* all = all_guards(at.build, values);
  if (!all) return write();
  auto* told = llvm::BasicBlock::Create(at.module.context(), "told", &at.function);
  auto* after = llvm::BasicBlock::Create(at.module.context(), "after", &at.function);
  at.build.CreateCondBr(all, after, told);
  at.build.SetInsertPoint(told);
  write();
  at.build.CreateBr(after);
  at.build.SetInsertPoint(after);
}

/// Raises where something was found. `raise` writes the record.
template <class Raise>
void raise_if_found(lower::Lowering& at, const Watched& watched, Raise raise) {
  auto& build = at.build;
  Value* found = call_watch(at, watched);
  auto* fails = llvm::BasicBlock::Create(at.module.context(), "fails", &at.function);
  auto* holds = llvm::BasicBlock::Create(at.module.context(), "holds", &at.function);
  build.CreateCondBr(build.CreateIsNull(found), holds, fails);
  build.SetInsertPoint(fails);
  raise(words_found(build, found));
  leave_raising(at);
  build.SetInsertPoint(holds);
}

void record(lower::Lowering& at, uint32_t site, llvm::ArrayRef<Value*> other,
            llvm::ArrayRef<ValueId> numbers) {
  llvm::SmallVector<Value*, 16> words(other.begin(), other.end());
  for (ValueId id : numbers) words.push_back(at(id));
  write_record(at.build, at.module, SiteKind::Raise, site, place_of_thread(at), words);
}

}  // namespace

Leaves HostOps::write(Lowering& at, const ir::CheckAccess& op) const {
  llvm::ArrayRef<ValueId> numbers = llvm::ArrayRef(op.in).drop_front(1 + op.guards);
  auto say = [&](const FoundWords& words) {
    auto* unwritten = llvm::BasicBlock::Create(at.module.context(), "unwritten", &at.function);
    auto* race = llvm::BasicBlock::Create(at.module.context(), "race", &at.function);
    at.build.CreateCondBr(at.build.CreateIsNotNull(words.unwritten), unwritten, race);
    at.build.SetInsertPoint(unwritten);
    record(at, op.unwritten, {}, numbers);
    leave_raising(at);
    at.build.SetInsertPoint(race);
    record(at, op.site, words.other, numbers);
  };
  unless_guarded(at, llvm::ArrayRef(op.in).slice(1, op.guards), [&] {
    raise_if_found(at, watched(at, watched_site(at.module.ir, op), at(op.in[0])), say);
  });
  return {};
}

Leaves HostOps::write(Lowering& at, const ir::CheckBarrier& op) const {
  raise_if_found(at, watched(at, watched_site(at.module.ir, op), nullptr),
                 [&](const FoundWords& words) { record(at, op.site, words.other, op.in); });
  return {};
}

}  // namespace hetjit::host

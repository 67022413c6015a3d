// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
//   memory = this thread's, for one block at a time
//   for block in [first, last):
//     phase = 0
//     do switch (phase):
//       k:  for warp in the block:  phase = phase_k(warp)
//     while (phase)            // and every so often: shall the launch end?
//
// Threads come to the same wait together, so any warp that is not done tells which phase is next.
// A warp whose check has failed says kBlockEnds, which is greater than any phase and is none: the
// others, going on without it, might take anything for what it was to write.
#include "compiler/host/entry/block_entry.h"

#include <llvm/IR/MDBuilder.h>

#include "compiler/host/entry/block_memory.h"
#include "compiler/host/entry/entry.h"
#include "compiler/host/plan/side_by_side.h"
#include "compiler/host/warp/warp.h"
#include "compiler/host/warp/watch.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;

/// Of a phase (plan/busy_threads.h). Null: all are busy; nothing is settled.
struct Questions {
  llvm::Function* busy = nullptr;
  llvm::Function* first = nullptr;
};

class BlockEntry : Entry {
 public:
  BlockEntry(PhasedCode& code, const std::string& name)
      : Entry(code.module, declare_entry(code.module, name)),
        code_(code),
        lowering_(code.module, code.module.ir.functions[0], function) {}

  llvm::Function* run() {
    for (const std::optional<BusyThreads>& busy : code_.kernel.busy)
      questions_.push_back(busy && !result_address ? write_questions(*busy) : Questions());
    if (result_address) arguments.insert(arguments.begin() + first_coordinate, result_address);
    if (result_address) ++first_coordinate;
    lay_blocks(code_.kernel.flat);
    warps_ = BlockWarps::of(*this, code_);
    memory_ = take_memory(*this, code_, warps_.count);
    counted_loop(build, function.getArg(2), function.getArg(3), "block", [&](Value* linear) {
      split_block(linear);
      linear_ = linear;
      run_block();
    });
    build.CreateRetVoid();
    return &function;
  }

 private:
  llvm::BasicBlock* block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(build.getContext(), name, &function);
  }

  Questions write_questions(const BusyThreads& busy) {
    return {busy.count ? write_question(module, *busy.count) : nullptr,
            busy.settled ? write_question(module, busy.settled->threads) : nullptr};
  }
  void run_block();
  llvm::BasicBlock* leave_if_stopped(llvm::BasicBlock* head, llvm::BasicBlock* before);
  Value* run_phase(uint32_t phase);
  Value* ask(llvm::Function* question, llvm::ArrayRef<Value*> slots);
  void run_one_row(uint32_t phase, llvm::ArrayRef<Value*> slots);
  void run_settled(uint32_t phase, llvm::Function* form, Value* first, Value* end,
                   llvm::ArrayRef<Value*> slots);
  void run_warp(uint32_t phase, const WarpPlace& warp, llvm::ArrayRef<Value*> slots);
  void take_next(Value* result);

  PhasedCode& code_;
  lower::Lowering lowering_;  // for slots
  BlockWarps warps_;
  BlockMemory memory_;
  Value* linear_ = nullptr;           // the block at hand
  Value* next_ = nullptr;             // the phase that a warp says is next
  std::vector<Questions> questions_;  // by phase
};

void BlockEntry::run_block() {
  if (uses_votes(code_)) clear_votes(build, memory_.block);
  if (code_.kernel.loses_lanes) {
    warps_.for_each(*this, [&](const WarpPlace& warp) {
      Value* live = byte_address(build, memory_.context_of(build, warp.index), code_.frame.live);
      build.CreateAlignedStore(warp.lanes, live, llvm::Align(8));
    });
  }
  size_t count = code_.forms.size();
  if (count == 1) {
    run_phase(0);
    return;
  }
  llvm::BasicBlock *before = build.GetInsertBlock(), *head = block("phase"), *done = block("done");
  build.CreateBr(head);
  build.SetInsertPoint(head);
  llvm::PHINode* phase = build.CreatePHI(build.getInt32Ty(), 2, "phase");
  phase->addIncoming(build.getInt32(0), before);
  auto* latch = block("next");
  llvm::SwitchInst* choose = build.CreateSwitch(phase, latch, static_cast<unsigned>(count));
  build.SetInsertPoint(latch);
  llvm::PHINode* next = build.CreatePHI(build.getInt32Ty(), static_cast<unsigned>(count));
  next->addIncoming(build.getInt32(0), head);
  for (uint32_t i = 0; i < count; ++i) {
    llvm::BasicBlock* begin = block("phase" + llvm::Twine(i));
    choose->addCase(build.getInt32(i), begin);
    build.SetInsertPoint(begin);
    Value* result = run_phase(i);
    next->addIncoming(result, build.GetInsertBlock());
    build.CreateBr(latch);
  }
  build.SetInsertPoint(latch);
  llvm::BasicBlock* last = leave_if_stopped(head, before);
  phase->addIncoming(next, last);
  // It asks by itself.
  target::mark_counted(*build.CreateCondBr(build.CreateIsNotNull(next), head, done));
  done->moveAfter(&function.back());
  build.SetInsertPoint(done);
}

// A loop with a barrier in it may have no end: then a user who waits can end it all the same.
llvm::BasicBlock* BlockEntry::leave_if_stopped(llvm::BasicBlock* head, llvm::BasicBlock* before) {
  auto *ask = block("ask"), *leave = block("leave"), *go_on = block("go_on");
  llvm::PHINode* turns =
      llvm::PHINode::Create(build.getInt32Ty(), 2, "turns", head->getFirstNonPHIIt());
  Value* more = build.CreateAdd(turns, build.getInt32(1));
  turns->addIncoming(build.getInt32(0), before);
  turns->addIncoming(more, go_on);
  Value* rest = build.CreateURem(more, build.getInt32(kTurnsUnasked));
  build.CreateCondBr(build.CreateIsNull(rest), ask, go_on,
                     llvm::MDBuilder(build.getContext()).createUnlikelyBranchWeights());
  build.SetInsertPoint(ask);
  llvm::FunctionCallee stopped = code_.module.module.getOrInsertFunction(
      kLaunchStoppedCall, build.getInt32Ty(), build.getPtrTy());
  build.CreateCondBr(build.CreateIsNull(build.CreateCall(stopped, function.getArg(1))), go_on,
                     leave);
  build.SetInsertPoint(leave);
  build.CreateRetVoid();
  build.SetInsertPoint(go_on);
  return go_on;
}

// What is kept once for the block is read before any warp writes it anew.
Value* BlockEntry::run_phase(uint32_t phase) {
  llvm::SmallVector<Value*, 8> slots;
  for (uint32_t slot : code_.kernel.phases.block_slots[phase]) {
    lowering_.build.SetInsertPoint(build.GetInsertBlock());
    slots.append(load_slot(lowering_, memory_.block, code_.frame.slots[slot],
                           code_.kernel.phases.slots[slot].type, 1));
  }
  if (const Wait& wait = code_.kernel.phases.waits[phase]; wait.told)
    tell_barrier(build, code_.module, wait.where.line, linear_, memory_.block);
  next_ = at_entry(function, build.getInt32Ty());
  build.CreateStore(build.getInt32(0), next_);
  auto run = [&](const WarpPlace& warp) { run_warp(phase, warp, slots); };
  if (code_.forms[phase].by_rows)
    warps_.for_each_by_rows(*this, kRowsTogether, run);
  else if (questions_[phase].busy || questions_[phase].first)
    run_one_row(phase, slots);
  else
    warps_.for_each(*this, run);
  if (uses_votes(code_)) end_votes(build, memory_.block);
  return build.CreateLoad(build.getInt32Ty(), next_);
}

Value* BlockEntry::ask(llvm::Function* question, llvm::ArrayRef<Value*> slots) {
  for (unsigned axis = 0; axis < 3; ++axis)
    coordinate(lower::Coordinate::Thread, axis) = build.getInt32(0);
  llvm::SmallVector<Value*, 32> given(arguments.begin(), arguments.end() - lower::kCoordinates);
  given.append(slots.begin(), slots.end());
  given.append(arguments.end() - lower::kCoordinates, arguments.end());
  return build.CreateCall(question, given);
}

void BlockEntry::run_settled(uint32_t phase, llvm::Function* form, Value* first, Value* end,
                             llvm::ArrayRef<Value*> slots) {
  warps_.for_whole(*this, first, end, [&](const WarpPlace& warp) {
    Value* context = memory_.context_of(build, warp.index);
    WarpCall call{*this,      arguments, warp,    slots,
                  warp.lanes, memory_,   context, code_.forms[phase].width};
    take_next(call.run({form}));
  });
}

/// Of a block of one row those warps that are busy, and the first, which says what is next; whole
/// ones of threads for which the phase's question is settled by the forms that do not ask. Any
/// other block as if nothing were known.
void BlockEntry::run_one_row(uint32_t phase, llvm::ArrayRef<Value*> slots) {
  const WarpFunctions& forms = code_.forms[phase];
  auto limit = [&](llvm::Intrinsic::ID which, Value* a, Value* b) {
    return build.CreateBinaryIntrinsic(which, a, b);
  };
  Value* rows = build.CreateMul(wide(lower::Coordinate::BlockDimension, 1),
                                wide(lower::Coordinate::BlockDimension, 2));
  Value* one_row = build.CreateICmpEQ(rows, build.getInt64(1));
  Value* in_row = wide(lower::Coordinate::BlockDimension, 0);
  auto existing = [&](Value* threads, uint64_t least) {
    threads = limit(llvm::Intrinsic::smax, threads, build.getInt64(least));
    return limit(llvm::Intrinsic::smin, threads, in_row);
  };
  auto warps_of = [&](Value* threads, uint64_t rest) {
    Value* above = build.CreateAdd(threads, build.getInt64(rest));
    Value* warps = build.CreateUDiv(above, build.getInt64(warps_.width));
    return build.CreateTrunc(warps, build.getInt32Ty());
  };
  const uint64_t begun = warps_.width - 1;  // counts warps of which some threads are meant
  Value *done = build.getInt32(0), *end = warps_.count;
  if (llvm::Function* question = questions_[phase].busy)
    end = build.CreateSelect(one_row, warps_of(existing(ask(question, slots), 1), begun), end);
  auto run = [&](const WarpPlace& warp) { run_warp(phase, warp, slots); };
  if (!forms.first) return warps_.for_some(*this, done, end, run);
  Value* threads = ask(questions_[phase].first, slots);
  Value* known = build.CreateICmpNE(threads, build.getInt64(kAllThreads));
  known = build.CreateAnd(known, one_row);
  if (warps_.whole_rows)
    known = build.CreateAnd(known, warps_.whole);  // as the forms for all lanes
  threads = existing(threads, 0);
  Value* first = build.CreateSelect(known, warps_of(threads, 0), done);
  run_settled(phase, forms.first, done, first, slots);
  if (!forms.rest) return warps_.for_some(*this, first, end, run);
  Value* mixed = build.CreateSelect(known, warps_of(threads, begun), end);
  mixed = limit(llvm::Intrinsic::umin, mixed, end);
  warps_.for_some(*this, first, mixed, run);
  Value* whole = limit(llvm::Intrinsic::umin, warps_of(in_row, 0), end);
  whole = limit(llvm::Intrinsic::umax, whole, mixed);
  run_settled(phase, forms.rest, mixed, whole, slots);
  warps_.for_some(*this, whole, end, [&](WarpPlace warp) {
    warp.some = true;
    run_warp(phase, warp, slots);
  });
}

void BlockEntry::run_warp(uint32_t phase, const WarpPlace& warp, llvm::ArrayRef<Value*> slots) {
  const WarpFunctions& forms = code_.forms[phase];
  Value* context = memory_.context_of(build, warp.index);
  Value* lanes = warp.lanes;
  Value* live = byte_address(build, context, code_.frame.live);
  if (code_.kernel.loses_lanes && phase)
    lanes = build.CreateAlignedLoad(build.getInt64Ty(), live, llvm::Align(8));
  WarpCall call{*this,   arguments,   warp,
                slots,   lanes,       memory_,
                context, forms.width, code_.kernel.loses_lanes ? nullptr : warps_.whole};
  Value* result = call.run(forms);
  if (code_.kernel.loses_lanes) {
    Value* done = build.CreateIsNull(result);
    Value* left = build.CreateAlignedLoad(build.getInt64Ty(), live, llvm::Align(8));
    build.CreateAlignedStore(build.CreateSelect(done, build.getInt64(0), left), live,
                             llvm::Align(8));
  }
  take_next(result);
}

/// What a warp says of the phase that comes next.
void BlockEntry::take_next(Value* result) {
  Value* before = build.CreateLoad(build.getInt32Ty(), next_);
  Value* next = code_.kernel.checks
                    ? build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, before, result)
                    : build.CreateSelect(build.CreateIsNull(result), before, result);
  build.CreateStore(next, next_);
}

}  // namespace

llvm::Function* build_block_entry(PhasedCode& code, const std::string& name) {
  return BlockEntry(code, name).run();
}

}  // namespace hetjit::host

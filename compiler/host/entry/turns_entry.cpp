// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
// Where the launch is one along x, its threads have n turns in all, and no array that is written
// shares memory with another one:
//
//   warps along x from n * first / blocks to n * last / blocks, as if turns were threads
//
// Else as the program says, though all threads have a turn before one of them has the next:
//
//   for blocks in [first, last) that follow one another along x:
//     for each y and z of their threads, which the kernel does not ask for:
//       for turn = 0, 1, … while the first thread has such a turn:
//         warps along x
#include "compiler/host/entry/turns_entry.h"

#include "compiler/host/entry/warp_rows.h"
#include "compiler/lower/debug_info.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;
using lower::Coordinate;

struct TurnsEntry : Entry {
  TurnsEntry(lower::ModuleLowering& module, const std::string& name, const GridTurns& turns,
             const WarpFunctions& warps, const KnownExtents& extents)
      : Entry(module, declare_entry(module, name)), turns(turns), warps(warps) {
    set_extents(extents);
  }
  void run();

 private:
  Value* are_free(Value* count);
  Value* whole_share(Value* block, Value* count);
  void deal_out(Value* count);
  Value* begins_at(Value* column);
  Value* run_blocks(Value* block, Value* end);
  void run_turns(Value* from, Value* to);
  Value* has_turn(Value* thread, Value* turn);
  llvm::BasicBlock* make_block(const char* called) {
    return llvm::BasicBlock::Create(module.context(), called, &function);
  }

  const GridTurns& turns;
  const WarpFunctions& warps;
  llvm::Function* more = nullptr;
  Value* width = nullptr;                       // of a block
  Value *columns = nullptr, *copies = nullptr;  // blocks along x; threads that do the same
};

/// Their numbers are places of threads, of 32 bits with a sign.
Value* TurnsEntry::are_free(Value* count) {
  Value* few = build.CreateICmpULE(count, build.getInt64(INT32_MAX));
  Value* rows = build.CreateMul(copies, build.CreateMul(wide(Coordinate::GridDimension, 1),
                                                        wide(Coordinate::GridDimension, 2)));
  Value* one = build.CreateICmpEQ(rows, build.getInt64(1));
  return build.CreateAnd(build.CreateAnd(few, one), lie_apart(turns.written));
}

/// In whole warps, but where it is the end.
Value* TurnsEntry::whole_share(Value* block, Value* count) {
  Value* begin = share(block, columns, count);
  Value* whole = build.CreateAnd(begin, build.getInt64(~(uint64_t{warps.width} - 1)));
  return build.CreateSelect(build.CreateICmpEQ(block, columns), count, whole);
}

void TurnsEntry::deal_out(Value* count) {
  Value* begin = whole_share(function.getArg(2), count);
  Value* end = whole_share(function.getArg(3), count);
  for (unsigned axis : {1, 2}) coordinate(Coordinate::Thread, axis) = build.getInt32(0);
  loop_over_warps(*this, warps, begin, end);
}

/// The first thread of a block along x, or one behind it: a multiple of a warp's, or the end.
Value* TurnsEntry::begins_at(Value* column) {
  Value* lanes = build.getInt64(warps.width);
  Value* first = build.CreateMul(column, width);
  Value* up = build.CreateAdd(first, build.getInt64(warps.width - 1));
  Value* whole = build.CreateMul(build.CreateUDiv(up, lanes), lanes);
  return build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, whole,
                                     build.CreateMul(columns, width));
}

Value* TurnsEntry::has_turn(Value* thread, Value* turn) {
  llvm::Type* u32 = build.getInt32Ty();
  coordinate(Coordinate::Thread, 0) = build.CreateTrunc(thread, u32);
  coordinate(Coordinate::Thread, 1) = build.CreateTrunc(turn, u32);
  coordinate(Coordinate::Thread, 2) = build.CreateTrunc(build.CreateLShr(turn, 32), u32);
  return build.CreateCall(more, arguments);
}

void TurnsEntry::run_turns(Value* from, Value* to) {
  llvm::BasicBlock *before = build.GetInsertBlock(), *head = make_block("turn"),
                   *body = make_block("warps"), *done = make_block("turns.done");
  build.CreateBr(head);
  build.SetInsertPoint(head);
  llvm::PHINode* turn = build.CreatePHI(build.getInt64Ty(), 2, "turn");
  turn->addIncoming(build.getInt64(0), before);
  build.CreateCondBr(has_turn(from, turn), body, done);
  build.SetInsertPoint(body);
  loop_over_warps(*this, warps, from, to);
  turn->addIncoming(build.CreateAdd(turn, build.getInt64(1)), build.GetInsertBlock());
  target::mark_counted(*build.CreateBr(head));
  build.SetInsertPoint(done);
}

/// From the one that is next on, those in its row; the next one then.
Value* TurnsEntry::run_blocks(Value* block, Value* end) {
  Value* column = build.CreateURem(block, columns);
  Value* many = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, build.CreateSub(end, block),
                                            build.CreateSub(columns, column));
  Value *from = begins_at(column), *to = begins_at(build.CreateAdd(column, many));
  Value* none = build.CreateICmpUGE(from, to);  // a part of a warp, which another block has
  Value* count = build.CreateSelect(none, build.getInt64(0), copies);
  counted_loop(build, build.getInt64(0), count, "copy", [&](Value*) { run_turns(from, to); });
  return build.CreateAdd(block, many);
}

void TurnsEntry::run() {
  more = write_question(module, turns.more);
  width = wide(Coordinate::BlockDimension, 0);
  columns = wide(Coordinate::GridDimension, 0);
  copies =
      build.CreateMul(wide(Coordinate::BlockDimension, 1), wide(Coordinate::BlockDimension, 2));
  Value* count = count_turns(*this, turns);
  llvm::BasicBlock *free = make_block("free"), *ordered = make_block("ordered");
  build.CreateCondBr(are_free(count), free, ordered);
  build.SetInsertPoint(free);
  deal_out(count);
  build.CreateRetVoid();
  build.SetInsertPoint(ordered);
  Value *first = function.getArg(2), *last = function.getArg(3);
  target::mark_counted(*stepping_loop(build, first, last, "blocks",
                                      [&](Value* block) { return run_blocks(block, last); }));
  build.CreateRetVoid();
}

}  // namespace

Value* count_turns(Entry& at, const GridTurns& turns) {
  llvm::IRBuilder<>& build = at.build;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (Coordinate kind : {Coordinate::Block, Coordinate::Thread})
      at.coordinate(kind, axis) = build.getInt32(0);
  Value* limit = build.CreateCall(write_question(at.module, turns.limit), at.arguments);
  llvm::Type* u64 = build.getInt64Ty();
  if (is_signed_integer(type(turns.limit.result).scalar))
    limit = build.CreateBinaryIntrinsic(llvm::Intrinsic::smax, build.CreateSExt(limit, u64),
                                        build.getInt64(turns.inclusive ? UINT64_MAX : 0));
  else
    limit = build.CreateZExt(limit, u64);
  return turns.inclusive ? build.CreateAdd(limit, build.getInt64(1)) : limit;
}

llvm::Function* build_turns_entry(lower::ModuleLowering& module, const std::string& name,
                                  const GridTurns& turns, const WarpFunctions& warps,
                                  const KnownExtents& extents) {
  TurnsEntry at(module, name, turns, warps, extents);
  at.run();
  return &at.function;
}

}  // namespace hetjit::host

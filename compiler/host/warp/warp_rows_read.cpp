// Loads by which each lane reads a row of its own (facts/row_reads.h): as many turns at once as a
// register holds elements. The last turns, of which there are fewer, are read one by one.
#include <llvm/IR/MDBuilder.h>

#include "compiler/host/facts/row_reads.h"
#include "compiler/host/warp/row_block.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

bool Warp::reads_rows(const Loop& loop) const {
  return RowReads{ir_, structure_, shapes_, width_}.count(&loop) != 0;
}

/// Null: it is not such a load, or not for all lanes.
Value* Warp::read_row(const ir::Load& op, const lower::Leaf& leaf) {
  if (mask_->lanes || !region_->turn) return nullptr;
  const RowReads reads{ir_, structure_, shapes_, width_};
  const std::optional<RowRead> read = reads.find(op, block_);
  if (!read || read->loop != region_->loop) return nullptr;
  const unsigned turns = reads.turns(op);
  const Spreading& address = at(op.in[0]);
  const Spreading &counter = at(read->counter), &limit = at(read->limit);
  if (counter.spread != Spread::Uniform || limit.spread != Spread::Uniform) return nullptr;

  llvm::LLVMContext& context = build_.getContext();
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(context, name, &function_);
  };
  llvm::BasicBlock *whole = block("whole"), *fill = block("fill"), *take = block("take"),
                   *apart = block("apart"), *joined = block("joined");
  llvm::MDNode* often = llvm::MDBuilder(context).createLikelyBranchWeights();
  Value* turn = build_.CreateAnd(region_->turn, build_.getInt32(turns - 1));
  // As the loop has come to this turn, the counter is below its limit; and the sum stays the same
  // in all turns of the block.
  Value* left = build_.CreateSub(limit.leaves[0], counter.leaves[0]);
  Value* all = build_.CreateAdd(left, build_.CreateZExtOrTrunc(turn, left->getType()));
  Value* fits = build_.CreateICmpUGE(all, llvm::ConstantInt::get(all->getType(), turns));
  build_.CreateCondBr(build_.CreateFreeze(fits), whole, apart, often);

  const RowBlock rows{leaf.stored, turns, width_, llvm::Align(leaf.align),
                      row_block_memory(function_, leaf.stored, turns, width_)};
  build_.SetInsertPoint(whole);
  build_.CreateCondBr(build_.CreateIsNull(turn), fill, take);
  build_.SetInsertPoint(fill);
  Value* addresses = vector_of(address, 0);
  llvm::SmallVector<Value*, 64> first;
  for (uint64_t lane = 0; lane < width_; ++lane)
    first.push_back(build_.CreateExtractElement(addresses, lane));
  fill_row_block(build_, rows, first);
  build_.CreateBr(take);
  build_.SetInsertPoint(take);
  Value* ahead = take_turn(build_, rows, turn);
  build_.CreateBr(joined);
  build_.SetInsertPoint(apart);
  Value* each = load_leaf(address, leaf);
  llvm::BasicBlock* end_of_apart = build_.GetInsertBlock();
  build_.CreateBr(joined);
  build_.SetInsertPoint(joined);
  llvm::PHINode* value = build_.CreatePHI(ahead->getType(), 2);
  value->addIncoming(ahead, take);
  value->addIncoming(each, end_of_apart);
  return value;
}

}  // namespace hetjit::host

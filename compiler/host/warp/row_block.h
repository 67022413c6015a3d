// Some turns of a loop in which each lane reads a row of its own, at once: a vector of each row is
// loaded, and all are turned, so that each turn finds its lanes' elements side by side. Private to
// compiler/host.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace hetjit::host {

/// Where the turns' elements lie until they are used: turn after turn, lane after lane.
struct RowBlock {
  llvm::Type* element;
  unsigned turns, lanes;  // powers of two, no fewer lanes than turns
  llvm::Align align;      // of an element in memory
  llvm::Value* memory;
};

/// Memory for such a block, the function's own.
llvm::Value* row_block_memory(llvm::Function& function, llvm::Type* element, unsigned turns,
                              unsigned lanes);
/// `rows`: where the block's first element of each lane lies.
void fill_row_block(llvm::IRBuilder<>& build, const RowBlock& block,
                    llvm::ArrayRef<llvm::Value*> rows);
/// The lanes' elements of a turn, counted from the block's first.
llvm::Value* take_turn(llvm::IRBuilder<>& build, const RowBlock& block, llvm::Value* turn);

}  // namespace hetjit::host

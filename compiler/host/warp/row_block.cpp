#include "compiler/host/warp/row_block.h"

namespace hetjit::host {
namespace {

using llvm::Value;

/// Of what lies in the block's memory: a square's row is as large as a register, or smaller.
llvm::Align align_of(const RowBlock& block) {
  return llvm::Align(block.turns * block.element->getScalarSizeInBits() / 8);
}

Value* place(llvm::IRBuilder<>& build, const RowBlock& block, Value* element) {
  return build.CreateGEP(block.element, block.memory, element);
}

/// Rows and columns change places, in steps: first those of pairs, then of fours, and so on.
void transpose(llvm::IRBuilder<>& build, llvm::MutableArrayRef<Value*> rows) {
  const auto size = static_cast<int>(rows.size());
  for (int apart = 1; apart < size; apart *= 2)
    for (int row = 0; row < size; ++row) {
      if (row & apart) continue;
      llvm::SmallVector<int, 64> low, high;
      for (int column = 0; column < size; ++column) {
        low.push_back(column & apart ? size + column - apart : column);
        high.push_back(column & apart ? size + column : column + apart);
      }
      Value *a = rows[row], *b = rows[row + apart];
      rows[row] = build.CreateShuffleVector(a, b, low);
      rows[row + apart] = build.CreateShuffleVector(a, b, high);
    }
}

}  // namespace

llvm::Value* row_block_memory(llvm::Function& function, llvm::Type* element, unsigned turns,
                              unsigned lanes) {
  llvm::IRBuilder<> build(&function.getEntryBlock(), function.getEntryBlock().begin());
  auto* type = llvm::ArrayType::get(element, uint64_t{turns} * lanes);
  auto* made = build.CreateAlloca(type);
  made->setAlignment(llvm::Align(64));
  return made;
}

void fill_row_block(llvm::IRBuilder<>& build, const RowBlock& block,
                    llvm::ArrayRef<Value*> rows) {
  auto* vector = llvm::FixedVectorType::get(block.element, block.turns);
  for (unsigned first = 0; first < block.lanes; first += block.turns) {
    llvm::SmallVector<Value*, 64> square;
    for (unsigned lane = 0; lane < block.turns; ++lane)
      square.push_back(build.CreateAlignedLoad(vector, rows[first + lane], block.align));
    transpose(build, square);
    for (unsigned turn = 0; turn < block.turns; ++turn)
      build.CreateAlignedStore(
          square[turn], place(build, block, build.getInt32(turn * block.lanes + first)),
          align_of(block));
  }
}

Value* take_turn(llvm::IRBuilder<>& build, const RowBlock& block, Value* turn) {
  auto* vector = llvm::FixedVectorType::get(block.element, block.lanes);
  Value* first = build.CreateMul(turn, build.getInt32(block.lanes));
  return build.CreateAlignedLoad(vector, place(build, block, first), align_of(block));
}

}  // namespace hetjit::host

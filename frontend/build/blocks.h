// Basic blocks of decoded bytecode. Private to frontend/build.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontend/bytecode/decode.h"
#include "frontend/diag/diagnostic.h"

namespace hetjit::reader {

inline constexpr uint32_t kNone = UINT32_MAX;

/// A run of instructions that control enters at the top and leaves at the bottom.
struct CodeBlock {
  uint32_t first = 0, last = 0;  // [first, last) of Decoded::insts; empty in blocks made here
  /// Where control goes next. Branches and loops: first when the value is true or there is an item
  /// (so a BranchIfFalse has its jump target second).
  std::vector<uint32_t> next;
  /// The ForIter instruction whose next item is pushed when this block is entered; kNone: nothing.
  uint32_t item_of = kNone;
};

/// The blocks that control can reach from block 0, each before its successors except along the back
/// edges of loops.
std::vector<CodeBlock> in_order(std::vector<CodeBlock> blocks);

/// The blocks that control can reach, each before its successors except along the back edges of
/// loops. Block 0 is the entry and nothing jumps to it. Exception handlers are not reached.
/// nullopt: the code contains something that cannot be compiled, and the user was told.
std::optional<std::vector<CodeBlock>> find_blocks(const Snapshot& snapshot,
                                                  const bytecode::Decoded& decoded,
                                                  std::span<const Span> spans, Diagnostics& diags);

}  // namespace hetjit::reader

// What CPython writes twice is read once. Private to frontend/build.
#pragma once

#include "frontend/build/blocks.h"

namespace hetjit::reader {

/// CPython up to 3.13 repeats the test of a `while` at the loop's end, so that a turn jumps once.
/// Here the copies become one block again: what the test computes is then there for the body to
/// use, and the graph is the one that newer versions give. `depths`: bytecode::stack_depths.
void join_copies(std::vector<CodeBlock>& blocks, const bytecode::Decoded& decoded,
                 std::span<const Span> spans, std::span<const int32_t> depths);

}  // namespace hetjit::reader

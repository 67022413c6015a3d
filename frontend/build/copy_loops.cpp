#include "frontend/build/copy_loops.h"

#include "frontend/ssa/dominators.h"

namespace hetjit::reader {
namespace {

using bytecode::NormalOp;

std::vector<std::vector<uint32_t>> successors(const std::vector<CodeBlock>& blocks) {
  std::vector<std::vector<uint32_t>> next;
  for (const CodeBlock& block : blocks) next.push_back(block.next);
  return next;
}

bool is_header(const CodeBlock& block, const bytecode::Decoded& decoded, uint32_t inst) {
  if (block.last <= block.first || block.last - 1 != inst) return false;
  NormalOp op = decoded.insts[inst].op;
  return op == NormalOp::ForIter || op == NormalOp::ForIterPair;
}

/// The header and whatever is reached through the body only: ways out by `break` and `return` too.
std::vector<uint32_t> region_of(const std::vector<CodeBlock>& blocks, uint32_t header) {
  Dominators dominators(successors(blocks));
  std::vector<uint32_t> region;
  if (!dominators.is_loop_header(header)) return region;
  region.push_back(header);
  uint32_t body = blocks[header].next[0];
  for (uint32_t block = 0; block < blocks.size(); ++block)
    if (dominators.dominates(body, block)) region.push_back(block);
  return region;
}

/// Each copy's way back leads to the next one, the last copy's to the loop itself.
bool copy_loop(std::vector<CodeBlock>& blocks, uint32_t header, uint32_t copies) {
  const std::vector<uint32_t> region = region_of(blocks, header);
  if (region.empty()) return true;
  const auto size = static_cast<uint32_t>(region.size());
  const auto first = static_cast<uint32_t>(blocks.size());
  if (uint64_t{first} + uint64_t{size} * copies > kMostBlocks) return false;
  std::vector<uint32_t> place(blocks.size(), kNone);  // in the region
  for (uint32_t i = 0; i < size; ++i) place[region[i]] = i;
  for (CodeBlock& block : blocks)
    for (uint32_t& next : block.next)
      if (next == header && place[static_cast<size_t>(&block - blocks.data())] == kNone)
        next = first;
  for (uint32_t copy = 0; copy < copies; ++copy) {
    uint32_t own = first + copy * size;
    for (uint32_t old : region) {
      CodeBlock made = blocks[old];
      for (uint32_t& next : made.next) {
        if (next == header)
          next = copy + 1 < copies ? own + size : header;
        else if (next < place.size() && place[next] != kNone)
          next = own + place[next];
      }
      blocks.push_back(std::move(made));
    }
  }
  return true;
}

}  // namespace

bool copy_loops(std::vector<CodeBlock>& blocks, const bytecode::Decoded& decoded,
                const Reading& reading) {
  for (auto [inst, copies] : reading.copies) {
    if (copies == 0) continue;
    std::vector<uint32_t> headers;  // several when it is in a loop that was copied before
    for (uint32_t block = 0; block < blocks.size(); ++block)
      if (is_header(blocks[block], decoded, inst)) headers.push_back(block);
    for (uint32_t header : headers)
      if (!copy_loop(blocks, header, copies)) return false;
  }
  if (!reading.copies.empty()) blocks = in_order(std::move(blocks));
  return true;
}

}  // namespace hetjit::reader

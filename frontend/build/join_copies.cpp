#include "frontend/build/join_copies.h"

#include <map>

namespace hetjit::reader {
namespace {

using bytecode::NormalInst;
using enum bytecode::NormalOp;

/// Blocks list the way for a true condition first, so the sense of a branch does not matter.
bytecode::NormalOp without_sense(bytecode::NormalOp op) {
  if (op == BranchIfFalse) return BranchIfTrue;
  if (op == BranchIfNotNone) return BranchIfNone;
  return op;
}

class Joiner {
 public:
  Joiner(std::vector<CodeBlock>& blocks, const bytecode::Decoded& decoded,
         std::span<const Span> spans, std::span<const int32_t> depths)
      : blocks_(blocks), insts_(decoded.insts), spans_(spans), depths_(depths) {}

  /// Ends first: blocks are copies only if they lead to the same places.
  bool run() {
    const auto count = static_cast<uint32_t>(blocks_.size());
    instead_.resize(count, kNone);
    for (uint32_t block = count; block-- > 0;) {
      for (uint32_t& next : blocks_[block].next)
        if (instead_[next] != kNone) next = instead_[next];
      visit(block);
    }
    if (!joined_) return false;
    // The ways back, which were read before what they lead to was joined.
    for (CodeBlock& block : blocks_)
      for (uint32_t& next : block.next)
        while (next < count && instead_[next] != kNone) next = instead_[next];
    return true;
  }

 private:
  void visit(uint32_t block) {
    if (only_jumps(block)) return;
    std::vector<uint32_t> places = blocks_[block].next;
    for (uint32_t& place : places) place = behind_jumps(place);
    std::vector<uint32_t>& known = leading_to_[places];
    for (uint32_t& other : known)
      if (join(block, other)) return;
    known.push_back(block);
  }

  bool only_jumps(uint32_t block) const {
    return end_of(block) == blocks_[block].first && blocks_[block].item_of == kNone &&
           blocks_[block].next.size() == 1;
  }
  /// Chained comparisons jump to where their copies go directly. Jumps that go in a circle end.
  uint32_t behind_jumps(uint32_t block) const {
    for (size_t steps = 0; only_jumps(block) && steps < blocks_.size(); ++steps)
      block = blocks_[block].next[0];
    return block;
  }

  /// Behind the last instruction that does something: where control goes on is in `next`.
  uint32_t end_of(uint32_t block) const {
    const CodeBlock& it = blocks_[block];
    return it.last > it.first && insts_[it.last - 1].op == Jump ? it.last - 1 : it.last;
  }

  bool copies(uint32_t a, uint32_t b) const {
    const NormalInst &first = insts_[a], &second = insts_[b];
    if (first.op == ForIter || first.op == ForIterPair) return false;
    return without_sense(first.op) == without_sense(second.op) &&
           (bytecode::jumps(first.op) || first.arg == second.arg) && spans_[a] == spans_[b];
  }

  /// How many of the last instructions are the same, from a place on where nothing lies on the
  /// stack that they take.
  uint32_t shared_end(uint32_t block, uint32_t other) const {
    const uint32_t end = end_of(block), other_end = end_of(other);
    const uint32_t most = std::min(end - blocks_[block].first, other_end - blocks_[other].first);
    const std::vector<uint32_t>& next = blocks_[block].next;
    int32_t lowest = next.empty() ? 0 : depths_[blocks_[next[0]].first];
    uint32_t shared = 0;
    for (uint32_t count = 1; count <= most && copies(end - count, other_end - count); ++count) {
      if (depths_[end - count] <= lowest) shared = count, lowest = depths_[end - count];
      if (is_whole(block, count) && is_whole(other, count)) shared = count;
    }
    return shared;
  }
  bool is_whole(uint32_t block, uint32_t count) const {
    return end_of(block) - count == blocks_[block].first && blocks_[block].item_of == kNone &&
           block != 0;
  }

  bool join(uint32_t block, uint32_t& other) {
    const uint32_t count = shared_end(block, other);
    if (count == 0) return false;
    joined_ = true;
    if (!is_whole(other, count)) other = split(other, count);
    if (is_whole(block, count)) {
      instead_[block] = other;
    } else {
      blocks_[block].last = end_of(block) - count;
      blocks_[block].next = {other};
    }
    return true;
  }
  /// The last instructions in a block of their own.
  uint32_t split(uint32_t block, uint32_t count) {
    CodeBlock end = blocks_[block];
    end.first = end_of(block) - count;
    end.item_of = kNone;
    const auto made = static_cast<uint32_t>(blocks_.size());
    blocks_[block].last = end.first;
    blocks_[block].next = {made};
    blocks_.push_back(std::move(end));
    return made;
  }

  std::vector<CodeBlock>& blocks_;
  const std::vector<NormalInst>& insts_;
  std::span<const Span> spans_;
  std::span<const int32_t> depths_;
  std::map<std::vector<uint32_t>, std::vector<uint32_t>> leading_to_;
  std::vector<uint32_t> instead_;  // of a block: the one that it is a copy of
  bool joined_ = false;
};

}  // namespace

void join_copies(std::vector<CodeBlock>& blocks, const bytecode::Decoded& decoded,
                 std::span<const Span> spans, std::span<const int32_t> depths) {
  // A loop that begins with a loop is known to lead to the same place when that one is joined.
  while (Joiner(blocks, decoded, spans, depths).run()) blocks = in_order(std::move(blocks));
}

}  // namespace hetjit::reader

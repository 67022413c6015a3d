// Who dominates whom, and which blocks are loop headers. Works on plain adjacency lists, so that
// every graph of basic blocks can use it (frontend/ssa, compiler/ir).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hetjit {

/// The dominator tree of the blocks that can be reached from block 0. Built by iteration to a fixed
/// point over reverse post-order (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm"),
/// with no recursion.
class Dominators {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// successors[b] lists the targets of block b; an edge may be listed twice. Targets must be
  /// smaller than successors.size().
  explicit Dominators(std::span<const std::vector<uint32_t>> successors);

  bool reachable(uint32_t block) const { return order_of_[block] != kNone; }
  /// The closest block that every way to `block` passes; kNone for block 0 and unreachable ones.
  uint32_t parent(uint32_t block) const { return parent_[block]; }
  /// Reflexive. An unreachable block dominates nothing and is dominated by nothing.
  bool dominates(uint32_t above, uint32_t below) const;
  /// Is there an edge to `block` from a block that it dominates?
  bool is_loop_header(uint32_t block) const { return loop_header_[block]; }
  /// The reachable blocks; all but those on back edges come after their predecessors.
  const std::vector<uint32_t>& reverse_post_order() const { return order_; }
  /// Children in the tree, in reverse post-order.
  const std::vector<uint32_t>& children(uint32_t block) const { return children_[block]; }

 private:
  void number_tree();
  uint32_t common(uint32_t a, uint32_t b) const;

  std::vector<uint32_t> order_, order_of_;  // reverse post-order and each block's place in it
  std::vector<uint32_t> parent_;
  std::vector<std::vector<uint32_t>> children_;
  std::vector<uint32_t> enter_, leave_;  // interval of the tree below each block
  std::vector<bool> loop_header_;
};

/// The blocks that can be reached from block 0, each before its successors except along back edges.
std::vector<uint32_t> reverse_post_order(std::span<const std::vector<uint32_t>> successors);

}  // namespace hetjit

// A function's blocks as nested loops, each level in an order in which every block comes after all
// that lead to it (but those on back edges).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

struct Loop;

/// A block, or a loop that stands for all of its blocks.
struct Item {
  uint32_t block = 0;  // of a loop: its header
  const Loop* loop = nullptr;
};

struct Loop {
  uint32_t header = 0;
  const Loop* parent = nullptr;
  std::vector<Item> items;    // the header first
  std::vector<bool> blocks;   // by block: inside, inner loops included
  std::vector<bool> goes_on;  // by block: every turn that another one follows passes it
  uint32_t exits = 0;         // edges out of the loop, and returns inside it
  bool holds(uint32_t block) const { return blocks[block]; }
};

/// Is its one exit at its head, behind which a turn goes on in other blocks?
bool ends_at_head(const ir::Function& function, const Loop& loop);

class Structure {
 public:
  /// nullopt for a graph that is no nest of loops, which no Python program gives.
  static std::optional<Structure> find(const ir::Function& function);

  const std::vector<Item>& items() const { return items_; }
  const std::vector<std::unique_ptr<Loop>>& loops() const { return loops_; }  // outer ones first
  /// The innermost loop of a block, or null.
  const Loop* loop_of(uint32_t block) const { return innermost_[block]; }
  /// The loop that has this block as its header, or null.
  const Loop* loop_at(uint32_t header) const {
    const Loop* loop = innermost_[header];
    return loop && loop->header == header ? loop : nullptr;
  }
  const std::vector<uint32_t>& reverse_post_order() const { return order_; }
  /// The same, with each loop's blocks side by side: what follows a loop comes after all of it.
  const std::vector<uint32_t>& in_loop_order() const { return in_loop_order_; }
  bool reachable(uint32_t block) const { return reachable_[block]; }

 private:
  std::vector<Item> sorted(const std::vector<std::vector<uint32_t>>& successors,
                           const Loop* region);
  void add_in_loop_order(const std::vector<Item>& items);

  std::vector<Item> items_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<const Loop*> innermost_;
  std::vector<uint32_t> order_, in_loop_order_;
  std::vector<bool> reachable_;
};

}  // namespace hetjit::host

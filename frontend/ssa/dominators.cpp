#include "frontend/ssa/dominators.h"

#include <algorithm>
#include <utility>

namespace hetjit {

std::vector<uint32_t> reverse_post_order(std::span<const std::vector<uint32_t>> successors) {
  std::vector<uint32_t> order;
  if (successors.empty()) return order;
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::pair<uint32_t, size_t>> stack{{0, successors[0].size()}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, left] = stack.back();
    if (left == 0) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    // Last successor first: the order then lists a branch's first target first.
    uint32_t next = successors[block][--left];
    if (seen[next]) continue;
    seen[next] = true;
    stack.emplace_back(next, successors[next].size());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Dominators::Dominators(std::span<const std::vector<uint32_t>> successors)
    : order_(hetjit::reverse_post_order(successors)),
      order_of_(successors.size(), kNone),
      parent_(successors.size(), kNone),
      children_(successors.size()),
      enter_(successors.size(), 0),
      leave_(successors.size(), 0),
      loop_header_(successors.size(), false) {
  for (uint32_t place = 0; place < order_.size(); ++place) order_of_[order_[place]] = place;

  std::vector<std::vector<uint32_t>> predecessors(successors.size());
  for (uint32_t block : order_)
    for (uint32_t next : successors[block]) predecessors[next].push_back(block);

  // While iterating the root is its own parent, which ends the walk in common().
  if (!order_.empty()) parent_[order_[0]] = order_[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t place = 1; place < order_.size(); ++place) {
      uint32_t block = order_[place], found = kNone;
      for (uint32_t before : predecessors[block]) {
        if (parent_[before] == kNone) continue;
        found = found == kNone ? before : common(found, before);
      }
      changed |= std::exchange(parent_[block], found) != found;
    }
  }
  if (!order_.empty()) parent_[order_[0]] = kNone;

  number_tree();
  for (uint32_t block : order_)
    for (uint32_t next : successors[block])
      if (dominates(next, block)) loop_header_[next] = true;
}

uint32_t Dominators::common(uint32_t a, uint32_t b) const {
  while (a != b) {
    while (order_of_[a] > order_of_[b]) a = parent_[a];
    while (order_of_[b] > order_of_[a]) b = parent_[b];
  }
  return a;
}

void Dominators::number_tree() {
  for (size_t place = 1; place < order_.size(); ++place)
    children_[parent_[order_[place]]].push_back(order_[place]);
  if (order_.empty()) return;
  uint32_t clock = 0;
  std::vector<std::pair<uint32_t, size_t>> stack{{order_[0], 0}};
  enter_[order_[0]] = clock++;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == children_[block].size()) {
      leave_[block] = clock++;
      stack.pop_back();
      continue;
    }
    uint32_t child = children_[block][next++];
    enter_[child] = clock++;
    stack.emplace_back(child, 0);
  }
}

bool Dominators::dominates(uint32_t above, uint32_t below) const {
  if (!reachable(above) || !reachable(below)) return false;
  return enter_[above] <= enter_[below] && leave_[below] <= leave_[above];
}

}  // namespace hetjit

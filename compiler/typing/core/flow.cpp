#include <algorithm>

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {
namespace {

// Reverse post-order by an explicit stack: generated code has long chains of blocks.
std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<FlowEdge>>& outgoing) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(outgoing.size());
  std::vector<std::pair<uint32_t, size_t>> path;
  auto visit = [&](uint32_t block) {
    seen[block] = true;
    path.emplace_back(block, outgoing[block].size());
  };
  visit(0);
  while (!path.empty()) {
    auto& [block, left] = path.back();
    if (left == 0) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    // The last edge first, so that in the reversed order the first edge's block comes first.
    uint32_t to = outgoing[block][--left].edge->to.index;
    if (!seen[to]) visit(to);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Flow::Flow(const ssa::Function& function)
    : outgoing(function.blocks.size()),
      incoming(function.blocks.size()),
      users(function.value_count),
      defined(function.value_count),
      order(function.blocks.size(), UINT32_MAX) {
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    const ssa::Block& code = function.blocks[block];
    for (ValueId param : code.params) defined[param.index] = {block, kParameter};
    for (uint32_t i = 0; i < code.insts.size(); ++i)
      if (code.insts[i].result.valid()) defined[code.insts[i].result.index] = {block, i};
    for (const ssa::Edge* edge : ssa::edges(code.insts.back().op)) {
      FlowEdge flow{block, static_cast<uint32_t>(outgoing[block].size()), edge_count++, edge};
      outgoing[block].push_back(flow);
      incoming[edge->to.index].push_back(flow);
    }
  }
  auto use = [&](ValueId value, uint32_t block) {
    std::vector<uint32_t>& blocks = users[value.index];
    if (defined[value.index].first != block && (blocks.empty() || blocks.back() != block))
      blocks.push_back(block);
  };
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    for (const ssa::Inst& inst : function.blocks[block].insts)
      for (ValueId value : ssa::operands(inst.op)) use(value, block);
    for (const FlowEdge& edge : outgoing[block])
      for (ValueId value : edge.edge->args) use(value, block);
  }
  blocks_in_order = reverse_post_order(outgoing);
  for (uint32_t i = 0; i < blocks_in_order.size(); ++i) order[blocks_in_order[i]] = i;
}

}  // namespace hetjit::typing

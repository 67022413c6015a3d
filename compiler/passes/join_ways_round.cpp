// A loop has one way round: where several edges lead back to its head, as `continue` and an `if` at
// a turn's end make them, they meet in a block before it. LLVM would take them for loops inside one
// another, each with a head of its own that counts turns anew; of one way round it makes a choice
// between values.
//
//   b2: branch c, b3, b1(v1, v2)          b2: branch c, b3, b4(v1, v2)
//   b3: jump b1(v1, v3)                   b3: jump b4(v1, v3)
//                                         b4(v4, v5): jump b1(v4, v5)
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

using Edge = ir::IncomingEdge<ir::Edge>;

// A block that goes on to `head`, for the edges to lead to; they take their arguments along.
ir::Block meeting(ir::Function& function, uint32_t head, const std::vector<Edge>& edges) {
  ir::Block block;
  for (ValueId param : function.blocks[head].params) {
    block.params.push_back({static_cast<uint32_t>(function.types.size())});
    function.types.push_back(function.type_of(param));
  }
  ir::Jump jump;
  jump.to = {{head}, block.params};
  block.insts.push_back({jump, {}, function.blocks[edges[0].from].insts.back().where});
  return block;
}

bool join_ways_round_in(ir::Function& function) {
  Dominators tree(ir::successors(function));
  std::vector<std::vector<Edge>> incoming = ir::incoming(function);
  std::vector<ir::Block> added;
  const auto first = static_cast<uint32_t>(function.blocks.size());
  for (uint32_t head = 0; head < first; ++head) {
    std::erase_if(incoming[head], [&](const Edge& in) { return !tree.dominates(head, in.from); });
    if (incoming[head].size() < 2) continue;
    ir::Block block = meeting(function, head, incoming[head]);
    const auto at = static_cast<uint32_t>(first + added.size());
    for (const Edge& in : incoming[head]) in.edge->to = {at};
    added.push_back(std::move(block));
  }
  for (ir::Block& block : added) function.blocks.push_back(std::move(block));
  return !added.empty();
}

}  // namespace

bool join_ways_round(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= join_ways_round_in(function);
  return changed;
}

}  // namespace hetjit::passes

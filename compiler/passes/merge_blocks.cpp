// Straightens the graph: drops blocks that cannot be reached, parameters that always get the same
// value, and blocks that only jump on; joins a block with its only successor when it is that one's
// only predecessor.
#include <algorithm>

#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

ir::Op& terminator(ir::Block& block) { return block.insts.back().op; }
const ir::Op& terminator(const ir::Block& block) { return block.insts.back().op; }

// Blocks stay in their order and get new numbers.
bool drop_unreachable(ir::Function& function) {
  std::vector<bool> reached(function.blocks.size(), false);
  for (uint32_t block : reverse_post_order(ir::successors(function))) reached[block] = true;
  if (std::find(reached.begin(), reached.end(), false) == reached.end()) return false;
  std::vector<uint32_t> number(function.blocks.size());
  uint32_t kept = 0;
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (!reached[block]) continue;
    if (kept != block) function.blocks[kept] = std::move(function.blocks[block]);
    number[block] = kept++;
  }
  function.blocks.resize(kept);
  for (ir::Block& block : function.blocks)
    for (ir::Edge* edge : ir::edges(terminator(block))) edge->to.index = number[edge->to.index];
  return true;
}

// Replaces values everywhere, in one walk for many.
class Renaming {
 public:
  explicit Renaming(ir::Function& function) : function_(function), to_(function.types.size()) {}
  void add(ValueId from, ValueId to) { to_[from.index] = to; }
  ValueId resolve(ValueId id) const {
    while (to_[id.index].valid()) id = to_[id.index];
    return id;
  }
  void apply() {
    for (ir::Block& block : function_.blocks)
      for (ir::Inst& inst : block.insts) {
        for (ValueId& id : ir::operands(inst.op)) id = resolve(id);
        for (ir::Edge* edge : ir::edges(inst.op))
          for (ValueId& id : edge->args) id = resolve(id);
      }
  }

 private:
  ir::Function& function_;
  std::vector<ValueId> to_;
};

// ---- parameters that always get the same value (or themselves, round a loop)

struct Incoming {
  ValueId same;
  bool differs = false;
};

bool drop_parameters(ir::Function& function) {
  Renaming renaming(function);
  std::vector<std::vector<Incoming>> incoming(function.blocks.size());
  for (size_t block = 0; block < incoming.size(); ++block)
    incoming[block].resize(function.blocks[block].params.size());
  for (const ir::Block& block : function.blocks)
    for (const ir::Edge* edge : ir::edges(terminator(block)))
      for (size_t i = 0; i < edge->args.size(); ++i) {
        Incoming& seen = incoming[edge->to.index][i];
        if (edge->args[i] == function.blocks[edge->to.index].params[i]) continue;
        seen.differs |= seen.same.valid() && seen.same != edge->args[i];
        seen.same = edge->args[i];
      }
  auto drop = [&](size_t block, size_t i) {
    const Incoming& seen = incoming[block][i];
    return block != 0 && seen.same.valid() && !seen.differs;
  };
  bool changed = false;
  auto keep = [&](size_t block, std::vector<ValueId>& list) {
    size_t kept = 0;
    for (size_t i = 0; i < list.size(); ++i)
      if (!drop(block, i)) list[kept++] = list[i];
    changed |= kept != list.size();
    list.resize(kept);
  };
  for (ir::Block& block : function.blocks)
    for (ir::Edge* edge : ir::edges(terminator(block))) keep(edge->to.index, edge->args);
  for (size_t block = 1; block < function.blocks.size(); ++block) {
    std::vector<ValueId>& params = function.blocks[block].params;
    for (size_t i = 0; i < params.size(); ++i)
      if (drop(block, i)) renaming.add(params[i], incoming[block][i].same);
    keep(block, params);
  }
  if (changed) renaming.apply();
  return changed;
}

// ---- edges through blocks that only jump on

// b2(v1, v2): jump b3(v2, v9) -> an edge b2(x, y) is an edge b3(y, v9).
bool is_thin(const ir::Function& function, uint32_t block) {
  return block != 0 && function.blocks[block].insts.size() == 1 &&
         std::holds_alternative<ir::Jump>(terminator(function.blocks[block]));
}

// Thin blocks that jump round in a circle are an endless loop, which stays one.
bool leads_out(const ir::Function& function, uint32_t block) {
  for (size_t steps = 0; is_thin(function, block); ++steps) {
    if (steps == function.blocks.size()) return false;
    block = std::get<ir::Jump>(terminator(function.blocks[block])).to.to.index;
  }
  return true;
}

// The parameters of a thin block may be used elsewhere only if they dominate: then it must stay.
std::vector<bool> blocks_with_private_params(const ir::Function& function) {
  std::vector<uint32_t> owner(function.types.size(), UINT32_MAX);
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (ValueId id : function.blocks[block].params) owner[id.index] = block;
  std::vector<bool> is_private(function.blocks.size(), true);
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (const ir::Inst& inst : function.blocks[block].insts) {
      auto use = [&](ValueId id) {
        uint32_t home = owner[id.index];
        if (home != UINT32_MAX && home != block) is_private[home] = false;
      };
      for (ValueId id : ir::operands(inst.op)) use(id);
      for (const ir::Edge* edge : ir::edges(inst.op))
        for (ValueId id : edge->args) use(id);
    }
  return is_private;
}

bool skip_thin_blocks(ir::Function& function) {
  std::vector<bool> may_go = blocks_with_private_params(function);
  bool changed = false;
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (ir::Edge* edge : ir::edges(terminator(function.blocks[block]))) {
      uint32_t thin = edge->to.index;
      if (!is_thin(function, thin) || !may_go[thin] || !leads_out(function, thin)) continue;
      const ir::Edge& onward = std::get<ir::Jump>(terminator(function.blocks[thin])).to;
      const std::vector<ValueId>& params = function.blocks[thin].params;
      ir::Edge direct = onward;
      for (ValueId& id : direct.args)
        for (size_t i = 0; i < params.size(); ++i)
          if (id == params[i]) {
            id = edge->args[i];
            break;
          }
      *edge = std::move(direct);
      changed = true;
    }
  return changed;
}

// A branch whose ways lead to one block is a jump; arguments that differ are selected.
bool join_branches(ir::Function& function) {
  bool changed = false;
  for (ir::Block& block : function.blocks) {
    auto* branch = std::get_if<ir::Branch>(&terminator(block));
    if (!branch || branch->yes.to != branch->no.to) continue;
    ir::Branch old = *branch;
    ir::Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    ir::Jump jump;
    jump.to = old.yes;
    for (size_t i = 0; i < old.yes.args.size(); ++i) {
      if (old.yes.args[i] == old.no.args[i]) continue;
      ir::Select select;
      select.in = {old.in[0], old.yes.args[i], old.no.args[i]};
      jump.to.args[i] = {static_cast<uint32_t>(function.types.size())};
      function.types.push_back(function.type_of(old.yes.args[i]));
      block.insts.push_back({select, jump.to.args[i], last.where});
    }
    last.op = std::move(jump);
    block.insts.push_back(std::move(last));
    changed = true;
  }
  return changed;
}

// ---- a block and its only successor

bool join_blocks(ir::Function& function) {
  std::vector<uint32_t> predecessors(function.blocks.size());
  for (const ir::Block& block : function.blocks)
    for (const ir::Edge* edge : ir::edges(terminator(block))) ++predecessors[edge->to.index];
  Renaming renaming(function);
  bool changed = false;
  for (uint32_t index = 0; index < function.blocks.size(); ++index) {
    ir::Block& block = function.blocks[index];
    while (auto* jump = std::get_if<ir::Jump>(&terminator(block))) {
      uint32_t next = jump->to.to.index;
      if (next == index || predecessors[next] != 1) break;
      ir::Block& after = function.blocks[next];
      for (size_t i = 0; i < after.params.size(); ++i)
        renaming.add(after.params[i], jump->to.args[i]);
      block.insts.pop_back();
      std::move(after.insts.begin(), after.insts.end(), std::back_inserter(block.insts));
      // What is left is out of reach; it must still be a block until it is dropped.
      after.params.clear();
      after.insts.assign(1, {ir::Unreachable{}, {}, {}});
      predecessors[next] = 0;
      changed = true;
    }
  }
  if (changed) renaming.apply();
  return changed;
}

bool straighten(ir::Function& function) {
  bool changed = drop_unreachable(function);
  changed |= drop_parameters(function);
  changed |= skip_thin_blocks(function);
  changed |= join_branches(function);
  changed |= drop_unreachable(function);
  changed |= join_blocks(function);
  changed |= drop_unreachable(function);
  return changed;
}

}  // namespace

bool merge_blocks(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions)
    while (straighten(function)) changed = true;
  return changed;
}

}  // namespace hetjit::passes

// Removes instructions whose results nobody can observe, and block parameters that nobody reads.
//
// A value is live when an instruction that must stay uses it, or one whose result is live; an
// edge's argument is live when the parameter that it is for is. So a loop that only counts for
// itself dies whole but for its jumps. The parameters of the entry are the function's signature and
// stay.
#include <algorithm>

#include "compiler/passes/passes.h"

namespace hetjit::passes {
namespace {

bool observable(const ir::Inst& inst) {
  return ir::info(inst.op).effects & (ir::Writes | ir::Ends | ir::Calls);
}

class Liveness {
 public:
  explicit Liveness(const ir::Function& function)
      : function_(function), live_(function.types.size(), false) {
    // A use may come before its definition in block order (loops), so until nothing changes.
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::Block& block : function.blocks)
        for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst)
          if (observable(*inst) || is_live(inst->result)) changed |= mark_uses(inst->op);
    }
  }
  bool is_live(ValueId id) const { return id.valid() && live_[id.index]; }

 private:
  bool mark(ValueId id) {
    bool before = live_[id.index];
    live_[id.index] = true;
    return !before;
  }
  bool mark_uses(const ir::Op& op) {
    bool changed = false;
    for (ValueId id : ir::operands(op)) changed |= mark(id);
    for (const ir::Edge* edge : ir::edges(op)) {
      const std::vector<ValueId>& params = function_.blocks[edge->to.index].params;
      for (size_t i = 0; i < params.size(); ++i)
        if (is_live(params[i])) changed |= mark(edge->args[i]);
    }
    return changed;
  }

  const ir::Function& function_;
  std::vector<bool> live_;
};

bool remove_instructions(ir::Function& function, const Liveness& live) {
  size_t removed = 0;
  for (ir::Block& block : function.blocks)
    removed += std::erase_if(block.insts, [&](const ir::Inst& inst) {
      return !observable(inst) && !live.is_live(inst.result);
    });
  return removed != 0;
}

// Keeps of `list` what stands where a live parameter does.
void keep_live(std::vector<ValueId>& list, const std::vector<ValueId>& params,
               const Liveness& live) {
  size_t kept = 0;
  for (size_t i = 0; i < params.size(); ++i)
    if (live.is_live(params[i])) list[kept++] = list[i];
  list.resize(kept);
}

bool remove_parameters(ir::Function& function, const Liveness& live) {
  bool any_dead = false;
  for (size_t block = 1; block < function.blocks.size(); ++block)
    for (ValueId id : function.blocks[block].params) any_dead |= !live.is_live(id);
  if (!any_dead) return false;
  for (ir::Block& block : function.blocks)
    for (ir::Edge* edge : ir::edges(block.insts.back().op))
      keep_live(edge->args, function.blocks[edge->to.index].params, live);
  for (size_t block = 1; block < function.blocks.size(); ++block) {
    std::vector<ValueId> params = function.blocks[block].params;
    keep_live(function.blocks[block].params, params, live);
  }
  return true;
}

}  // namespace

bool remove_dead_code(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    Liveness live(function);
    changed |= remove_instructions(function, live);
    changed |= remove_parameters(function, live);
  }
  return changed;
}

}  // namespace hetjit::passes

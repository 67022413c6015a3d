// Questions to ops: to every one of a function, to one.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Is it so of any? `predicate`: bool (const ir::Op&).
template <class Predicate>
bool any_op(const ir::Function& function, Predicate predicate) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (predicate(inst.op)) return true;
  return false;
}

/// Does it nothing but make a value of its operands?
inline bool only_computes(const ir::Op& op) {
  const ir::OpInfo& facts = ir::info(op);
  return facts.effects == ir::Pure && !facts.access && !facts.raises;
}

}  // namespace hetjit::host

// A question to every op of a function.
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

}  // namespace hetjit::host

// Tuples, vectors and structs are the leaves of their parts, one after another.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

Leaves lower(Lowering& at, const ir::MakeTuple& op) {
  Leaves leaves;
  for (ValueId part : op.in) leaves.append(at.leaves(part));
  return leaves;
}

Leaves lower(Lowering& at, const ir::Extract& op) {
  const Leaves& whole = at.leaves(op.in[0]);
  uint32_t first = at.module.types.leaves_before(at.type_of(op.in[0]), op.index);
  size_t count = at.module.types.leaves(at.result_type).size();
  Leaves part;
  part.append(whole.begin() + first, whole.begin() + first + count);
  return part;
}

}  // namespace hetjit::lower

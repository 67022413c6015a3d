// Making and taking apart values with parts: tuples, vectors and structs.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// A tuple, vector or struct of the operands: an operand per item, lane or field, of its type.
struct MakeTuple : ManyOperands {
  static constexpr OpInfo info{.text = "tuple"};
};

/// Part `index` of in[0] (a tuple, vector or struct).
struct Extract : Operands<1> {
  static constexpr OpInfo info{.text = "extract"};
  uint32_t index = 0;
  auto attributes() { return std::tie(index); }
};

}  // namespace hetjit::ir

// Making and taking apart values with parts: tuples, and later vectors and structs.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// A tuple of the operands; the result's tuple type lists their types.
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

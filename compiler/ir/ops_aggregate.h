// Making and taking apart values with parts: tuples, vectors and structs; items of constants.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// A tuple, vector or struct of the operands: an operand per item, lane or field, of its type.
struct MakeTuple : ManyOperands {
  static constexpr OpInfo info = kind::value("tuple", Cost::Plain, TypeOnly);
};

/// Part `index` of in[0] (a tuple, vector or struct).
struct Extract : Operands<1> {
  static constexpr OpInfo info = kind::value("extract", Cost::Plain, TypeOnly);
  uint32_t index = 0;
  auto attributes() { return std::tie(index); }
};

/// Number in[0] of a table of constants of the result's type, a scalar that is not complex. in[0]
/// is an integer of 4 or 8 bytes and read as unsigned; whatever lies beyond the table gives its
/// last number.
struct TableItem : Operands<1> {
  static constexpr OpInfo info = kind::value("tableitem", Cost::Plain, Ranged);
  Table table;  // not empty
  auto attributes() { return std::tie(table); }
};

using AggregateOps = OpList<MakeTuple, Extract, TableItem>;

}  // namespace hetjit::ir

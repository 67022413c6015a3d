// Control flow.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// Continues at `to`.
struct Jump : Operands<0> {
  static constexpr OpInfo info{.text = "jump", .effects = Ends};
  Edge to;
};

/// Continues at `yes` when in[0] (bool) is true, else at `no`. Edge arguments are our phis.
struct Branch : Operands<1> {
  static constexpr OpInfo info{.text = "branch", .effects = Ends};
  Edge yes, no;
};

/// Leaves the function with in[0]; a function of result type none returns a none value.
struct Return : Operands<1> {
  static constexpr OpInfo info{.text = "return", .effects = Ends};
};

/// A place that cannot be reached.
struct Unreachable : Operands<0> {
  static constexpr OpInfo info{.text = "unreachable", .effects = Ends};
};

/// Calls Module::functions[function] with `in`; the result is what it returns.
struct Call : ManyOperands {
  static constexpr OpInfo info{.text = "call", .effects = Calls};
  uint32_t function = 0;
  auto attributes() { return std::tie(function); }
};

}  // namespace hetjit::ir

// Control flow.
#pragma once

#include <string>

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// Continues at `to`.
struct Jump : Operands<0> {
  static constexpr OpInfo info = kind::control("jump");
  Edge to;
};

/// Continues at `yes` when in[0] (bool) is true, else at `no`. Edge arguments are our phis.
struct Branch : Operands<1> {
  static constexpr OpInfo info = kind::control("branch");
  Edge yes, no;
};

/// Leaves the function with in[0]; a function of result type none returns a none value.
struct Return : Operands<1> {
  static constexpr OpInfo info = kind::control("return");
};

/// Ends the thread's work, its callers' too, and tells the host: Module::sites[site], a Raise, with
/// `in`, the numbers of its text. The first of a launch to be told wins. The other threads go on.
struct Raise : ManyOperands {
  static constexpr OpInfo info = kind::raising("raise", Ends);
  SiteId site;
  auto attributes() { return std::tie(site); }
};

/// Tells the host to print the text of Module::sites[site], a Print, with `in`, its numbers. Texts
/// of a thread come in their order.
struct Print : ManyOperands {
  static constexpr OpInfo info =
      kind::event("print", Writes, Needs::Nothing, Gives::Nothing, Vectors::Yes);
  SiteId site;
  auto attributes() { return std::tie(site); }
};

/// A place that cannot be reached.
struct Unreachable : Operands<0> {
  static constexpr OpInfo info = kind::control("unreachable");
};

/// Calls Module::functions[function] with `in`; the result is what it returns.
struct Call : ManyOperands {
  static constexpr OpInfo info =
      kind::event("call", Calls, Needs::Nothing, Gives::PerThread, Vectors::No);
  uint32_t function = 0;
  auto attributes() { return std::tie(function); }
};

/// Calls `symbol`, a function of Module::externals or of the target's own, which takes the address
/// where its result belongs and those of `in`, all as they lie in memory. It may read and write
/// whatever it can reach from there; on the host it waits for no other thread.
struct ExternalCall : ManyOperands {
  static constexpr OpInfo info =
      kind::event("externalcall", Reads | Writes, Needs::Nothing, Gives::PerThread, Vectors::Yes);
  std::string symbol;
  auto attributes() { return std::tie(symbol); }
};

/// The same of a function that looks at `in` and at nothing else, and always returns.
struct ExternalValue : ManyOperands {
  static constexpr OpInfo info = kind::value("externalvalue", Cost::Dear, TypeOnly);
  std::string symbol;
  auto attributes() { return std::tie(symbol); }
};

using ControlOps =
    OpList<Jump, Branch, Return, Raise, Print, Unreachable, Call, ExternalCall, ExternalValue>;

}  // namespace hetjit::ir

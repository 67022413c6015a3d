// A Python function for given argument types: what inference finds out about it.
#pragma once

#include <memory>
#include <vector>

#include "compiler/typing/known/value.h"
#include "frontend/build/reading.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

/// An edge of the untyped graph: out of block `from`, the `index`-th of its terminator.
struct FlowEdge {
  uint32_t from = 0, index = 0, number = 0;  // number: position among all edges of the function
  const ssa::Edge* edge = nullptr;
};

/// What inference asks of a function's graph, found once per function.
struct Flow {
  explicit Flow(const ssa::Function& function);

  std::vector<std::vector<FlowEdge>> outgoing, incoming;  // by block
  std::vector<std::vector<uint32_t>> users;               // by value: blocks, other than its own
  std::vector<std::pair<uint32_t, uint32_t>> defined;     // by value: block, instruction
  std::vector<uint32_t> order;                            // by block: reverse post-order number
  std::vector<uint32_t> blocks_in_order;
  uint32_t edge_count = 0;

  static constexpr uint32_t kParameter = UINT32_MAX;  // as an instruction: a block parameter
};

struct Instance {
  const ssa::Function* code = nullptr;
  std::shared_ptr<const Flow> flow;
  FunctionType closure;               // which function, and its captured values
  Reading reading;                    // how its code was read
  TypeValues key;                     // the types of the arguments, by which it is known
  TypeValues parameters;              // the same, as it takes them
  std::vector<Leaf> captured_leaves;  // set while it is translated
  std::vector<Value> values;          // by ValueId
  std::vector<bool> live_blocks, live_edges;
  TypeValue result;        // Erroneous until a live `return` is reached
  std::vector<bool> told;  // by ValueId: an unassigned or disagreeing value is reported once
  bool working = false;    // being inferred: meeting it again is recursion
  bool recursive = false;  // it calls itself, maybe by way of others
  bool stale = false;      // inferred with a result of another that has changed since
  /// The lowest place in the stack of those being inferred whose result this one's depends on.
  size_t open_at = SIZE_MAX;
  // What python_floats.h says of its Python floats.
  bool exact = false;          // they have a second form, in float64
  bool asked_exact = false;    // because who calls it needs the result so
  bool meets_float64 = false;  // one that has no second form meets float64
  bool passed_meets = false;   // one that was passed, or was made of one, does
  Leaf depth;  // set while it is translated: how many recursive calls deep; invalid: none
  bool reported = false, sound = false;  // the user was told; there was nothing to tell
  uint32_t ir_function = UINT32_MAX;

  const TypeValue& type_of(ValueId id) const { return values[id.index].type; }
};

}  // namespace hetjit::typing

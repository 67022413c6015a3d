// Is a graph well formed? A failure is a bug of whoever made the graph.
#pragma once

#include <string>
#include <vector>

#include "frontend/ssa/function.h"

namespace hetjit::ssa {

/// Everything that is wrong with `function`, a sentence each; empty: nothing. Checked:
/// - the entry block exists, has no predecessor, and a parameter per name in `parameter_names`;
/// - every block ends with a terminator and has no other; edges lead to blocks other than the
///   entry and pass as many arguments as their target has parameters;
/// - every value is defined once, below `value_count`, and its definition dominates its uses;
/// - indices into names, spans and locals are in range, and operand counts fit the op;
/// - every block can be reached.
std::vector<std::string> verify(const Function& function);

}  // namespace hetjit::ssa

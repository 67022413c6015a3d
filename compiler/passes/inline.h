// Calls taken into the entry.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/limits.h"

namespace hetjit::passes {

/// Replaces every call in functions[0] by the callee's body, and those in there too. False, with
/// the module unchanged, when functions call each other in a circle or the entry would grow beyond
/// kMaxInlined instructions.
bool inline_calls(ir::Module& module);

/// The same for calls of the functions that are `chosen`, by number, as far as they are not called
/// by others: the rest stay, and are called. `most`: instructions of the entry then.
bool inline_calls(ir::Module& module, const std::vector<bool>& chosen, size_t most);

}  // namespace hetjit::passes

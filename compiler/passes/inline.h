// Calls taken into the entry.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::passes {

/// Replaces every call in functions[0] by the callee's body, and those in there too. False, with
/// the module unchanged, when functions call each other in a circle or the entry would grow beyond
/// kMaxInlined instructions.
bool inline_calls(ir::Module& module);
inline constexpr size_t kMaxInlined = 4000;  // a second or so of compiling for the host

}  // namespace hetjit::passes

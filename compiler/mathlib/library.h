// Our own math functions, as typed graphs without branches: the same bits on every target, at every
// number of lanes. Compiled from the Python files here (README.md); parsed when first used.
#pragma once

#include <string_view>

#include "compiler/ir/ir.h"

namespace hetjit::mathlib {

/// The function that computes `function` in float32 or float64: no calls in it, and of math
/// functions only those that are native everywhere. Null: the library does not have it. Kept for
/// the life of the process; any thread.
const ir::Function* find(ir::MathFunction function, Scalar format);

/// One function of a module, with all it calls put into it and cleaned up. What the library's
/// compiler makes of each function; products and sums stay as they were written.
bool flatten(ir::Module& module);

/// In the place of each Math op that the library has, a call of its function.
void expand(ir::Module& module);

}  // namespace hetjit::mathlib

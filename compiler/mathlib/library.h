// Our own math functions, as typed graphs without branches: the same bits on every target, at every
// number of lanes. Compiled from the Python files here (README.md); parsed when first used.
#pragma once

#include <functional>
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

/// In the place of each Math op that the library has a call of its function: of those that are
/// wanted in that format, and of those whose place is exact. There, one that is native everywhere
/// loses its place, as the library's own have none: fast-math flags do not reach it.
void expand(ir::Module& module, const std::function<bool(ir::MathFunction, Scalar)>& is_wanted,
            const std::function<bool(const Span&)>& is_exact);

}  // namespace hetjit::mathlib

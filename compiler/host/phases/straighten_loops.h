// Loops with one way in, one way round, and the question whether to go on at their head.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// CPython asks `while`'s condition before the first turn and at the end of each; `continue`, and
/// an `if` at a turn's end, lead back to the head by ways of their own. Lanes that go them in one
/// turn are to meet before the next, with counters that are counted once.
void straighten_loops(ir::Function& function);

}  // namespace hetjit::host

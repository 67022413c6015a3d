// Loops that run a known number of times and whose body is not the same each time: over a tuple of
// several types, with a counter that indexes a tuple, putting together a tuple.
#pragma once

#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {

/// When something is wrong in an inferred instance, and copies of a loop of known length may mend
/// it: gives it the code with the copies, to be inferred again. One loop at a time, the innermost
/// round the first mistake; ends because each loop gets as many copies as it runs once only.
bool unroll_a_loop(Specializer& whole, Instance& instance);

}  // namespace hetjit::typing

// A sum in float16, bfloat16 or float8 that begins with a Python number, as `total = 0.0` does, has
// the format of what is added, and so few bits that it soon stops growing.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Warns of the instance's loops that add up such numbers. Not of a sum that begins in a format
/// that somebody has named.
void warn_of_narrow_sums(Evaluation& at);
/// The same of what sum() gives for a generator, of which nobody has written the loop.
void warn_of_narrow_sum(Evaluation& at, const Value& start, const Value& sum);

}  // namespace hetjit::typing

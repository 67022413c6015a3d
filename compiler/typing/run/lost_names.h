// `x = 0` in a function that takes an array x: a name is bound, and the array stays as it is.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Warns of the assignments that control reaches to names of array parameters whose value nothing
/// reads: who writes one means the elements, or, in `x, y = y, x`, the arrays of whoever calls.
void warn_of_lost_names(Evaluation& at);

}  // namespace hetjit::typing

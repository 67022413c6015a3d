// A Python int has 32 bits in compiled code. One that grows in a loop by products, as a sum of
// squares or a factorial does, soon needs more, and where it is stored as 64 bits its user has
// thought of more. One that is made of a float64 saturates.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Warns of the instance's loops whose Python ints grow by products and are stored as 64 bits, and
/// of ints made of a float64 that are stored as, or converted to, integers of 64 bits. Not of
/// formats that somebody has named.
void warn_of_wrapping_sums(Evaluation& at);

}  // namespace hetjit::typing

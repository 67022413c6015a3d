// Sums and products of 8 and 16 bits wrap round, as NumPy's do. Where one that may has become wider
// since, or is used as the number that Python's would be, that is hardly what was meant.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Warns of the instance's sums, differences, products and shifts in such a format which Python's
/// integers would take beyond it, as far as ranges of numbers tell, where they are stored as
/// something wider, converted, divided, shifted right, compared by min() or taken as an index; and
/// of shifts that leave nothing of a number.
void warn_of_narrow_results(Evaluation& at);

}  // namespace hetjit::typing

// Differences of unsigned numbers wrap round where Python's would be negative. What may be seen of
// that in a function whose types are final is a warning, where it certainly is no other program's
// intention.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Warns of what is decided of such a difference, whatever it is: comparisons with 0, abs(x),
/// max(x, 0), min(x, 0); and of uses that show what the first thread's difference has become: in
/// `range`, `//`, a conversion, as an index.
void warn_of_unsigned_differences(Evaluation& at);

}  // namespace hetjit::typing

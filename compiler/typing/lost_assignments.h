// `r.a = v` gives a name a new value and changes nothing else. Where nobody reads that value and it
// began as somebody else's, an argument or an element of an array, the user meant to change that.
#pragma once

#include "compiler/typing/evaluation.h"

namespace hetjit::typing {

/// Reports such assignments of an instance whose types are final. What is read in a branch that the
/// instance discards is read.
void report_lost_assignments(Evaluation& at);

}  // namespace hetjit::typing

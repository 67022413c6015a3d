// `r.a = v` gives a name a new value and changes nothing else. Where nobody reads that value and it
// began as somebody else's, an argument or an element of an array, the user meant to change that.
#pragma once

#include <optional>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Which local `inst` gives a new value with a part of it changed: a record or a mask, no array.
std::optional<uint32_t> changed_local(const Instance& instance, const ssa::Inst& inst);

/// Reports such assignments of an instance whose types are final. What is read in a branch that the
/// instance discards is read.
void report_lost_assignments(Evaluation& at);

}  // namespace hetjit::typing

// Values that are evaluated later than where they are written: functions that captured variables,
// and iterators, whose elements are computed when something asks for them. An iterator is gone
// through once: in Python nothing is left for whoever asks again.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Whether what is in it is computed later, of captured variables among others.
bool evaluates_later(const TypeValue& type);

/// Whether an instance computes its result of numbers and tuples alone, without memory and effects:
/// nobody can tell when it does.
bool computes_only(const Specializer& whole, const Instance& instance);

/// Reports iterators of an instance that may be gone through again. The types are final.
void report_spent_iterators(Evaluation& at);

}  // namespace hetjit::typing

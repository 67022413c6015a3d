// What `for` can run over. An iterator knows how many elements there are before the loop begins, so
// that a position is all that changes.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// range(start, stop, step) of three numbers; reported when they are none or the step is 0.
Value make_range(Evaluation& at, const Value& start, const Value& stop, const Value& step);
/// The number of elements, a number of the position's type.
Value range_count(Evaluation& at, const Value& range);
/// Whether an integer is one of a range's. nullopt: the item is none, or the step is known at run
/// time only.
std::optional<Value> in_range(Evaluation& at, const Value& item, const Value& range);

/// How many elements a loop over a value takes: a number of an unsigned type. nullopt: it is
/// nothing to loop over.
std::optional<Value> element_count(Evaluation& at, const Value& iterable);
/// The element at a position below the count, which is an unsigned number.
Value element(Evaluation& at, const Value& iterable, const Value& position);
Value not_iterable(Evaluation& at, const Value& value);

}  // namespace hetjit::typing

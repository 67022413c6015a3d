// Iterables made of others: enumerate, zip, reversed, map, generator expressions; and all elements
// of one at once.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

Value make_iterable(IterableType::Kind kind, const std::vector<Value>& parts);

/// The number of elements, and one of them (iteration.h), of a value of that type.
std::optional<Value> made_count(Evaluation& at, const IterableType& type, const Value& iterable);
Value made_element(Evaluation& at, const IterableType& type, const Value& iterable,
                   const Value& position);

bool is_generator(const Value& value);
/// What loops, enumerate and their kin take the elements of one by one. Of a generator expression
/// that gives one for each item of what it goes through, each is computed when it is asked for. All
/// elements of another are computed here, as a tuple; that is reported where one could see it:
/// `what` takes them, "'for'".
Value one_by_one(Evaluation& at, const Value& iterable, std::string_view what);
/// Runs a generator expression to its end: what became of all that it yielded. `start` for Sum.
Value consumed(Evaluation& at, const Value& generator, Yields yields, const Value& start = {});

/// All elements, when their number is known while compiling; else reported. `what` takes them:
/// "'tuple'", "'*'".
std::optional<std::vector<Value>> elements(Evaluation& at, const Value& iterable,
                                           std::string_view what);

}  // namespace hetjit::typing

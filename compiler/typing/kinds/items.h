// What tuples, vectors and structs have in common: items by position.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// "1 item", "3 items".
std::string counted(size_t count, std::string_view one, std::string_view many);
/// A tuple by its size, anything else by its type: "a tuple of 3 items", "float32x3".
std::string sized_name(const Value& whole);
/// The items of such a value, as values of their own; nullopt: it has none.
std::optional<std::vector<Value>> items_of(const Value& whole);

/// The position that a constant index means, counted from the end when negative; reported when it
/// is none of `whole`'s, or no constant.
std::optional<size_t> constant_position(Evaluation& at, const Value& whole, const Value& index);
/// whole[index]; the index of items of one type may be a run-time integer.
Value item_at(Evaluation& at, const Value& whole, const Value& index);
/// Item `position` (in range, unsigned or wrapped) of items that join.
Value selected_item(Evaluation& at, const Value& whole, const Value& position);
/// For each of the first `asked` of `count` items a bool: whether `index`, counted from the end
/// when negative, is its position.
std::vector<Leaf> matches(Evaluation& at, const Value& index, size_t count, size_t asked);
/// Reported when `index` is no integer.
bool check_item_index(Evaluation& at, const Value& index);

}  // namespace hetjit::typing

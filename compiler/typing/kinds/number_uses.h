// What warnings of numbers ask of a function whose types are final: where its values come from, and
// where a number's size shows.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

/// The instruction that makes a value; null: it is a block's parameter.
const ssa::Inst* maker_of(const Instance& instance, ValueId id);
/// Adds what live edges bring as a block's parameter.
void add_brought(const Instance& instance, ValueId param, std::vector<ValueId>& to);

/// The numbers that an index consists of; none where `whole` is no array.
std::vector<ValueId> numbers_of_index(const Instance& instance, ValueId whole, ValueId index);
/// The format of an array's elements; nullopt: it is no array of numbers.
std::optional<Scalar> format_of_elements(const Instance& instance, ValueId array);
/// "min" of Python's min(); "" of what is not one of range, abs, min and max.
std::string_view ordering(const TypeValue& callee);

}  // namespace hetjit::typing

// Arrays in a compiled function: attributes, elements read and written. Views of them:
// array_views.h.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// a.name: what is known of the array, or a method.
Value array_attribute(Evaluation& at, const Value& array, const std::string& name);
/// a[index]: an element, or a view.
Value array_item(Evaluation& at, const Value& array, const Value& index);
/// The address of a[index], which must be an element. nullopt: reported.
std::optional<Leaf> element_address(Evaluation& at, const Value& array, const Value& index);
/// a[index] = value: an element, or all elements of a view; the result is the array.
Value store_array_item(Evaluation& at, const Value& array, const Value& index, const Value& value);
/// a op= b, element by element; the result is the array.
Value array_in_place(Evaluation& at, ssa::BinaryKind kind, const Value& array, const Value& other);
/// Extent along an axis, a builtin int of 64 bits.
Value array_extent(Evaluation& at, const Value& array, uint8_t axis);
/// a[position] of an array of one or more dimensions; the position is an unsigned number within it.
Value array_element(Evaluation& at, const Value& array, Leaf position, Scalar position_type);
/// Number of elements.
Value array_size(Evaluation& at, const Value& array);

}  // namespace hetjit::typing

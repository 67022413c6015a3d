// Arrays in a kernel: attributes, elements read and written.
#pragma once

#include "compiler/typing/evaluation.h"

namespace hetjit::typing {

Value array_attribute(Evaluation& at, const Value& array, const std::string& name);
/// a[index]
Value array_item(Evaluation& at, const Value& array, const Value& index);
/// a[index] = value; the result is the array.
Value store_array_item(Evaluation& at, const Value& array, const Value& index, const Value& value);
/// Extent along an axis, a builtin int of 64 bits.
Value array_extent(Evaluation& at, const Value& array, uint8_t axis);
/// Element `position` of a 1-d array; the position is an unsigned number within it.
Value array_element(Evaluation& at, const Value& array, Leaf position, Scalar position_type);

}  // namespace hetjit::typing

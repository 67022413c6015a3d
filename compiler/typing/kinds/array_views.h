// Arrays made of other arrays without copying: views. A view keeps the facts that stay true:
// contiguity where its elements lie without gaps in the array's order, narrow indices, read-only.
#pragma once

#include "compiler/typing/kinds/array_index.h"

namespace hetjit::typing {

/// a[…] that is not a single element.
Value view_at(Evaluation& at, const Value& array, const Subscripts& subscripts);
/// a[position] of an array of two or more dimensions; the position is within it, of type `as`.
Value row_at(Evaluation& at, const Value& array, Leaf position, Scalar as);
/// With its axes in another order.
Value transposed(Evaluation& at, const Value& array, const std::vector<uint8_t>& axes);
/// The same elements, in order, under another shape; the extents are integers, at most one of them
/// the literal -1. Reported where that would copy.
Value reshaped(Evaluation& at, const Value& array, const std::vector<Value>& extents);
/// The same memory as elements of another type. Of another size only where the array is contiguous:
/// the last axis then has more or fewer elements.
Value viewed_as(Evaluation& at, const Value& array, TypeId element);
/// a['name']: one field of every element of an array of structs. Reported where its values do not
/// lie a whole number of them apart, or not aligned.
Value field_view(Evaluation& at, const Value& array, const std::string& name);
/// The array as one of `to`, of which less is known. Only where code is made.
Leaf as_array(Evaluation& at, const Value& array, const ArrayType& to);

}  // namespace hetjit::typing

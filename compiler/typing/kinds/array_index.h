// What stands between the brackets of a[…]: indices, slices, `...` and None, one for every axis.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// One item: an index or a slice of one axis of the array, or a new axis of one element.
struct Subscript {
  enum class Kind : uint8_t { Index, Slice, NewAxis };
  Kind kind = Kind::Index;
  Value value;       // the integer; the slice; nothing
  uint8_t axis = 0;  // of the array
};

/// With an item for every axis of the array: `...` and what is left out have become whole slices.
struct Subscripts {
  std::vector<Subscript> items;
  bool of_element = true;  // indices only, as many as the array has dimensions, and no `...`
};

/// Nullopt: reported.
std::optional<Subscripts> read_subscripts(Evaluation& at, const Value& array, const Value& index);

/// The type that the indices of one access are brought to.
Scalar index_type(const Value& array, const Subscripts& subscripts);
/// An index, counted from the end where it is negative, in that type.
Leaf wrapped_index(Evaluation& at, const Value& array, const Subscript& index, Scalar as);

/// Elements that a slice picks of an axis, by the rules of Python's slice.indices; all i64.
struct Picked {
  Leaf first, count, step;
};
/// `extent` is the axis's. A run-time step of 0 picks nothing. Only where code is made.
Picked pick(Evaluation& at, const Value& slice, Leaf extent);

bool is_whole(const Value& slice);        // [:], all elements
bool is_consecutive(const Value& slice);  // of step 1

}  // namespace hetjit::typing

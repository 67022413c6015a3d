// Vectors in a compiled function: construction, lanes, methods, operators. (HET-VEC)
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// A vector of these lanes, numbers that are in its format already.
Value vector_of(VectorType type, const std::vector<Value>& lanes);
/// device.float32x3(a, b, c): each argument is converted to the element's format.
Value make_vector(Evaluation& at, VectorType type, const Arguments& arguments);

Value vector_attribute(Evaluation& at, const Value& vector, const std::string& name);
/// `vector` with lane `name`, or lane `index`, replaced.
Value vector_with(Evaluation& at, const Value& vector, const std::string& name, const Value& value);
Value vector_with(Evaluation& at, const Value& vector, const Value& index, const Value& value);
/// v.replace(0, e), v.replace(x=e), v.astype(T)
Value call_vector_method(Evaluation& at, const MethodType& method, const Value& vector,
                         const Arguments& arguments);

/// Elementwise, with a vector of as many lanes or a number; one of the two is a vector.
Value binary_vectors(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b);
/// `operation` on each lane.
template <class Operation>
Value each_lane(const Value& vector, Operation&& operation) {
  std::vector<Value> lanes;
  for (const Value& lane : parts_of(vector, *items_of(vector.type))) {
    lanes.push_back(operation(lane));
    if (!lanes.back().template as<NumberType>()) return {};
  }
  Scalar element = lanes[0].template as<NumberType>()->number.scalar;
  return vector_of({element, vector.as<VectorType>()->lanes}, lanes);
}

}  // namespace hetjit::typing

// A value while a function is evaluated: what is known of it and, when code is made, the typed
// graph's values that hold its run-time parts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/typing/known/type_value.h"
#include "frontend/ssa/ids.h"

namespace hetjit::typing {

using Leaf = ValueId;  // a value of the typed graph

struct Value {
  TypeValue type;            // erroneous by default, so that Failed converts to it
  std::vector<Leaf> leaves;  // parallel to append_leaves(type); empty while only types are inferred
  ValueId origin;            // the value of the untyped graph that it is, for messages

  template <class T>
  const T* as() const {
    return type.as<T>();
  }
  bool erroneous() const { return type.erroneous(); }
  Leaf leaf() const { return leaves.empty() ? Leaf{} : leaves[0]; }
};

/// Of a number, of an array: its type.
inline const NumberType& number_of(const Value& number) { return *number.as<NumberType>(); }
inline const Type& array_of(const Value& array) { return type(array.as<ArrayType>()->type); }

/// What a call passes, spread and in order.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
};

/// Part `index` of a value whose type lists `parts` (items of a tuple, …).
Value part_of(const Value& whole, const TypeValues& parts, size_t index);
/// All parts.
std::vector<Value> parts_of(const Value& whole, const TypeValues& parts);
/// A tuple, or another kind made of parts, of the given values.
template <class T>
Value made_of(const std::vector<Value>& parts) {
  Value whole;
  TypeValues types;
  for (const Value& part : parts) {
    if (part.erroneous()) return {};
    types.push_back(part.type);
    whole.leaves.insert(whole.leaves.end(), part.leaves.begin(), part.leaves.end());
  }
  whole.type = {T{std::move(types)}};
  return whole;
}

/// Other items in a tuple, or a list.
inline Value made_of_like(const TupleType& whole, const std::vector<Value>& items) {
  Value made = made_of<TupleType>(items);
  if (TupleType* tuple = std::get_if<TupleType>(&made.type.is)) tuple->list = whole.list;
  return made;
}

inline Value static_value(TypeValue type) { return {std::move(type), {}, {}}; }
inline Value none_value() { return static_value({NoneType{}}); }

}  // namespace hetjit::typing

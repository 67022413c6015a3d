// What lives in memory only: atomics, and structs with an atomic inside. Compiled code has them as
// references to where they lie. (HETX-AT-1, HET-ATM, AMB-17)
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// The value of type `type`, which holds an atomic, at an address.
Value refer_to(Evaluation& at, Leaf address, TypeId type);
/// The number at an address, for atomic operations.
Value atomic_at(Evaluation& at, Leaf address, Number number);

/// A field: a reference where it holds an atomic, else its value; a method; a constant.
Value reference_attribute(Evaluation& at, const Value& reference, const std::string& name);
/// reference[0], of a tuple or struct.
Value reference_item(Evaluation& at, const Value& reference, const Value& index);
/// reference.name = value, of a field that holds no atomic. The result is the reference.
Value store_field(Evaluation& at, const Value& reference, const std::string& name,
                  const Value& value);
/// .dtype and the operations.
Value atomic_attribute(Evaluation& at, const Value& atomic, const std::string& name);

/// False, and reported, when the value, or an item of it, is a reference: it would be copied.
/// `does` is what happens to it: "passed to 'f'".
bool may_copy(Evaluation& at, const Value& value, const std::string& does);
/// The error itself, for a type.
Failed refuse_copy(Evaluation& at, const Value& value, const std::string& does);

}  // namespace hetjit::typing

// Values as they lie in memory: whole. While a function is typed a tuple, vector or struct is its
// leaves; loads, stores, the entry's parameters and its result deal with whole ones.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// The leaves of a whole value of that type, appended in order.
void take_apart(Emitter& code, Leaf whole, const TypeValue& type, std::vector<Leaf>& leaves);
/// The type of a value as a whole: an array, number, vector or struct is one, a tuple a nested
/// tuple; what has no run-time form is none.
TypeId whole_type(const TypeValue& type);
/// The whole value of `type` that these leaves make; alignments inside tuples are the type's.
/// Literals become constants.
Leaf put_together(Emitter& code, const Value& value, TypeId type);

/// Whether a value may become one of type `to` where it is assigned, without a word: numbers of the
/// same or a lower category (bits wrap or round), bools only bools; vectors, tuples and structs
/// item by item, where a tuple may also become a vector or a struct, and a struct a tuple, but no
/// struct another struct; an array one of whose layout the type says less.
bool is_assignable(const TypeValue& from, const TypeValue& to);
/// The value as one of type `to`, which it is assignable to. A literal that does not fit is
/// reported.
Value assigned(Evaluation& at, const Value& value, const TypeValue& to);

/// The value of any element type at an address.
Value load_from(Evaluation& at, Leaf address, TypeId type);
/// `value` as an element of that type, ready for store_whole; reported when it cannot be one.
Value as_element(Evaluation& at, const Value& value, TypeId type);
/// Stores what as_element made.
void store_whole(Evaluation& at, Leaf address, const Value& element);
/// Both. False: reported.
bool store_to(Evaluation& at, Leaf address, TypeId type, const Value& value);

}  // namespace hetjit::typing

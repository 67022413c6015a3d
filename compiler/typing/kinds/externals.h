// C++ libraries and what they declare (device.cxx).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// `library.name`, `library.space.name`.
Value external_attribute(const ExternalType& whole, const std::string& name);
/// `library.name[float, 4]`: with these arguments of a template.
Value external_item(Evaluation& at, const ExternalType& whole, const Value& index);
Value call_external(Evaluation& at, const Value& callee, const Arguments& arguments);
/// The type that a name means, reported when it means none.
std::optional<TypeId> external_type(Evaluation& at, const Value& named);

// ---- objects (external_objects.h), which C++ knows what to do with

/// Whether a value is one, or an array of them.
bool is_object(const Value& value);
bool holds_objects(const Value& array);

/// A member; or a method, where the attribute is called.
Value object_attribute(Evaluation& at, const Value& object, const std::string& name);
/// Of an object, or of the element of an array of one.
Value call_object_method(Evaluation& at, const MethodType& method, const Value& self,
                         const Arguments& arguments);
Value call_object(Evaluation& at, const Value& object, const Arguments& arguments);
/// `object[i]`; `object[i, j]` as C++'s `object(i, j)`.
Value object_item(Evaluation& at, const Value& object, const Value& index);
/// int(object) and its like: what C++ converts it to when it is asked.
Value object_number(Evaluation& at, const Value& object, Scalar to);
Value object_truth(Evaluation& at, const Value& object);
/// The object with a member or an item replaced.
Value object_with(Evaluation& at, const Value& object, const std::string& name, const Value& value);
Value object_with(Evaluation& at, const Value& object, const Value& index, const Value& value);
/// nullopt: none is an object, or the operator is only Python's.
std::optional<Value> object_operator(Evaluation& at, std::string_view symbol,
                                     const std::vector<Value>& operands);

}  // namespace hetjit::typing

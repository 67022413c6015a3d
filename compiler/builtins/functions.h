// The functions that names.def names. Private to this folder.
#pragma once

#include "compiler/builtins/registry.h"

namespace hetjit::builtins {

using Values = std::vector<Value>;

Value call_math(Evaluation& at, const Builtin& self, const Values& values);
Value call_whole(Evaluation& at, const Builtin& self, const Values& values);
Value call_operator(Evaluation& at, const Builtin& self, const Values& values);
Value call_compare(Evaluation& at, const Builtin& self, const Values& values);
Value call_unary(Evaluation& at, const Builtin& self, const Values& values);
Value call_exception(Evaluation& at, const Builtin& self, const Values& values);
Value place_attribute(Evaluation& at, const Builtin& self, std::string_view name);
Value place_item(Evaluation& at, const Builtin& self, const Value& index);
Value place_vector(Evaluation& at, const Builtin& self);

/// Which place a PLACE_NAME is.
enum class Place : uint16_t { ThreadIndex, BlockIndex, BlockDimension, GridDimension };

#define MATH_NAME(...)
#define WHOLE_NAME(...)
#define OPERATOR_NAME(...)
#define COMPARE_NAME(...)
#define UNARY_NAME(...)
#define PLACE_NAME(...)
#define EXCEPTION_NAME(...)
#define AS_WRITTEN_NAME(modules, name, function) \
  Value function(Evaluation& at, const Builtin& self, const Arguments& arguments);
#define BUILTIN_NAME(modules, name, least, most, parameters, function) \
  Value function(Evaluation& at, const Builtin& self, const Values& values);
#include "compiler/builtins/names.def"
#undef MATH_NAME
#undef WHOLE_NAME
#undef OPERATOR_NAME
#undef COMPARE_NAME
#undef UNARY_NAME
#undef PLACE_NAME
#undef EXCEPTION_NAME
#undef AS_WRITTEN_NAME
#undef BUILTIN_NAME

/// True when every value is a number that can be computed with; else reported.
bool all_real(Evaluation& at, const Builtin& self, const Values& values);
/// The same, complex ones included.
bool all_numbers(Evaluation& at, const Builtin& self, const Values& values);
bool is_complex_value(const Value& value);
/// A whole number as a builtin int, as `round` gives it: of 64 bits where the format needs them.
Value to_builtin_int(Evaluation& at, const Value& value);
/// Calls the function of python/hetjit/library that belongs to a builtin; capture has recorded it.
Value call_library(Evaluation& at, const Builtin& self, const Values& values);
inline std::string quoted(const Builtin& builtin) {
  return "'" + std::string(builtin.short_name()) + "'";
}

}  // namespace hetjit::builtins

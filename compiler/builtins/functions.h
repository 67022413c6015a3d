// The functions that names.def names. Private to this folder.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

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
#define GROUP_NAME(name, least, most, parameters, function, which) \
  Value function(Evaluation& at, const Builtin& self, const Values& values);
#define ATOMIC_NAME(name, values, parameters, function, operation) \
  Value function(Evaluation& at, const Builtin& self, const Values& arguments);
#include "compiler/builtins/names.def"
#undef MATH_NAME
#undef WHOLE_NAME
#undef OPERATOR_NAME
#undef COMPARE_NAME
#undef UNARY_NAME
#undef PLACE_NAME
#undef GROUP_NAME
#undef ATOMIC_NAME
#undef EXCEPTION_NAME
#undef AS_WRITTEN_NAME
#undef BUILTIN_NAME

/// True when every value is a number that can be computed with; else reported.
bool all_real(Evaluation& at, const Builtin& self, const Values& values);
/// The same, complex ones included.
bool all_numbers(Evaluation& at, const Builtin& self, const Values& values);
bool is_complex_value(const Value& value);
/// A whole number as a builtin int, of 64 bits where the format needs them; a uint64 stays one.
Value to_builtin_int(Evaluation& at, const Value& value);
/// The element type that a dtype argument names; nullopt: reported.
std::optional<TypeId> element_named(Evaluation& at, const Builtin& self, const Value& dtype);
/// Whether an argument was left out.
inline bool is_absent(const Values& values, size_t index) {
  return index >= values.size() || values[index].as<typing::NoneType>();
}
/// The `memory` and `scope` of an operation. What is left out is as in C++'s atomics; functions of
/// device.atomic are relaxed and of scope device, as CUDA's.
struct Ordering {
  ir::MemoryOrder order = ir::MemoryOrder::SeqCst;
  ir::MemoryScope scope = ir::MemoryScope::System;
};
inline constexpr Ordering kOfFunctions{ir::MemoryOrder::Relaxed, ir::MemoryScope::Device};
/// As the arguments from `first` on say, else `otherwise`; nullopt: reported.
std::optional<Ordering> ordering(Evaluation& at, const Builtin& self, const Values& values,
                                 size_t first, Ordering otherwise = {});
/// Emits an op with these operands, where code is made.
template <class Op>
typing::Leaf emit(Evaluation& at, Op op, std::initializer_list<typing::Leaf> operands,
                  TypeId result) {
  if (!at.code().on()) return {};
  std::copy(operands.begin(), operands.end(), op.in.begin());
  return at.code().builder().emit(std::move(op), result);
}
template <class Op>
void emit(Evaluation& at, Op op, std::initializer_list<typing::Leaf> operands = {}) {
  if (!at.code().on()) return;
  std::copy(operands.begin(), operands.end(), op.in.begin());
  at.code().builder().emit(std::move(op));
}
/// Calls the function of python/hetjit/library that belongs to a builtin, which capture has
/// recorded; nothing where there is none.
std::optional<Value> call_library(Evaluation& at, const Builtin& self, const Values& values);
inline std::string quoted(const Builtin& builtin) {
  return "'" + std::string(builtin.short_name()) + "'";
}

}  // namespace hetjit::builtins

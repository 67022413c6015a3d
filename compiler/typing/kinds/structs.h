// Struct values in a compiled function: construction, fields, methods. (HET-STR, HET-GEN-3)
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Body(pos, mass=1.0): fields by position and by name, the rest by their defaults; or one tuple
/// with an item per field.
Value make_struct(Evaluation& at, TypeId type, const Arguments& arguments);

/// The position of a struct type's field.
std::optional<size_t> field_of(TypeId id, std::string_view name);
/// A field, a method, a property, or a constant of the class.
Value struct_attribute(Evaluation& at, const Value& record, const std::string& name);
/// What is no field of it: a method, a property, a constant. The record may be a reference.
Value member_attribute(Evaluation& at, const Value& record, TypeId type, const std::string& name);
/// Whether a function of the program is a method or property of the type.
bool is_method_of(Evaluation& at, TypeId id, uint32_t function);
/// An attribute of the class itself: a method, a constant.
Value struct_type_attribute(Evaluation& at, const Value& type, const std::string& name);
/// `record` with a field replaced.
Value struct_with(Evaluation& at, const Value& record, const std::string& name, const Value& value);
Value struct_with(Evaluation& at, const Value& record, const Value& index, const Value& value);
/// A method of the class, or replace(field=value, …).
Value call_struct_method(Evaluation& at, const MethodType& method, const Value& record,
                         const Arguments& arguments);

/// What a special method of the first operand's class (`__add__`, …) says; nullopt: the operand is
/// no struct, or its class has no such method.
std::optional<Value> call_special(Evaluation& at, std::string_view name,
                                  std::vector<Value> operands);
/// `a + b` by `__add__` of a's class or `__radd__` of b's; `a < b`; `-a`.
std::optional<Value> struct_operator(Evaluation& at, ssa::BinaryKind kind, const Value& a,
                                     const Value& b);
std::optional<Value> struct_operator(Evaluation& at, ssa::CompareKind kind, const Value& a,
                                     const Value& b);
std::optional<Value> struct_operator(Evaluation& at, ssa::UnaryKind kind, const Value& a);

}  // namespace hetjit::typing

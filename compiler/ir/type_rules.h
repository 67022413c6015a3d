// What the type rules of ops are written in: kinds of types, and the rules that many ops share.
// Private to verify_types.cpp.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::ir {

using Problem = const char*;  // null: none

struct Types {
  const Module& module;
  const Function& function;
  TypeId result;  // invalid: the instruction has none

  TypeId of(ValueId id) const { return function.type_of(id); }
};

inline bool is_logical(TypeId id) {
  return is_scalar(id) && (is_integer(type(id).scalar) || type(id).scalar == Scalar::Bool);
}
inline bool is_integer_type(TypeId id) { return is_scalar(id) && is_integer(type(id).scalar); }
inline bool is_word(TypeId id) { return is_integer_type(id) && info(type(id).scalar).bits >= 32; }
/// The floats with arithmetic: eight-bit floats are only stored and converted.
inline bool is_float_type(TypeId id) {
  return is_scalar(id) && is_floating(type(id).scalar) && !is_tiny_float(type(id).scalar);
}
inline bool is_number(TypeId id) { return is_integer_type(id) || is_float_type(id); }
inline bool is_real(TypeId id) { return is_scalar(id) && !is_complex(type(id).scalar); }
inline bool is_complex_type(TypeId id) { return is_scalar(id) && is_complex(type(id).scalar); }
inline bool has_all_bits(TypeId id) { return is_real(id) && type(id).scalar != Scalar::Bool; }
inline bool is_bool(TypeId id) { return id.valid() && is_scalar(id, Scalar::Bool); }
inline bool is_mask(TypeId id) {
  return id.valid() && (is_scalar(id, Scalar::UInt32) || is_scalar(id, Scalar::UInt64));
}
inline bool is_pointer(TypeId id) { return id.valid() && type(id).kind == TypeKind::Pointer; }
inline bool has_parts(TypeId id) {
  TypeKind kind = type(id).kind;
  return kind == TypeKind::Tuple || kind == TypeKind::Vector || kind == TypeKind::Struct;
}

template <class AnyOp>
bool all_of_result_type(const Types& types, const AnyOp& op) {
  for (ValueId id : op.in)
    if (types.of(id) != types.result) return false;
  return true;
}

// The rule of most ops: operands and result are of one type, and it has arithmetic of this kind.
template <class AnyOp>
Problem same(const Types& types, const AnyOp& op, bool (*kind)(TypeId), Problem expected) {
  return kind(types.result) && all_of_result_type(types, op) ? nullptr : expected;
}
template <class AnyOp>
Problem numbers(const Types& types, const AnyOp& op) {
  return same(types, op, is_number, "operands and result must be numbers of one type");
}
template <class AnyOp>
Problem floats(const Types& types, const AnyOp& op) {
  return same(types, op, is_float_type, "operands and result must be floats of one type");
}
template <class AnyOp>
Problem integers(const Types& types, const AnyOp& op) {
  return same(types, op, is_integer_type, "operands and result must be integers of one type");
}
template <class AnyOp>
Problem logical(const Types& types, const AnyOp& op) {
  return same(types, op, is_logical, "operands and result must be integers of one type, or bools");
}
template <class AnyOp>
Problem complex_numbers(const Types& types, const AnyOp& op) {
  return same(types, op, is_complex_type, "operands and result must be complex of one type");
}

}  // namespace hetjit::ir

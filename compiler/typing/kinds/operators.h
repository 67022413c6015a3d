// Operators on numbers; evaluate_arith.cpp adds those on tuples, text and types.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// The type in which two numbers meet under an operator; reports when there is none.
std::optional<Number> common_number(Evaluation& at, ssa::BinaryKind kind, const Value& a,
                                    const Value& b);
Value binary_numbers(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b);
Value compare_numbers(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b);
Value unary_number(Evaluation& at, ssa::UnaryKind kind, const Value& a);
/// x ** n (operators_power.cpp).
Value power(Evaluation& at, const Value& base, const Value& exponent);

/// What two literals give, when that is known while compiling; reported when it is too large.
std::optional<Value> folded(Evaluation& at, ssa::BinaryKind kind, Number type, const Value& a,
                            const Value& b);

/// "cannot apply '+' to …", with a help that fits.
Value no_operator(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b);

/// A builtin int where a builtin bool is computed with; bool elements are refused.
std::optional<Number> as_arithmetic(Evaluation& at, std::string_view symbol, Number common,
                                    std::initializer_list<const Value*> operands);

/// What to do with 8-bit floats, which only convert: the help and the change of the operands.
void convert_first(Diagnostics::Builder& error, Evaluation& at,
                   std::initializer_list<const Value*> operands);

inline bool is_unsigned(Scalar scalar) { return is_integer(scalar) && !info(scalar).is_signed; }

}  // namespace hetjit::typing

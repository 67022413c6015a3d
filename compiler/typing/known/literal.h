// Numbers that are known while compiling. Integers are exact, floats keep the double the user wrote
// until they meet a format.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "compiler/typing/known/promote.h"
#include "frontend/snapshot/snapshot.h"
#include "frontend/ssa/ops.h"

namespace hetjit::typing {

using Integer = __int128;  // holds every int64 and uint64 and any one sum or product check of them
struct ComplexLiteral {
  double real = 0, imag = 0;
  friend bool operator==(const ComplexLiteral&, const ComplexLiteral&) = default;
};
using Literal = std::variant<Integer, double, ComplexLiteral>;

inline bool is_integer(const Literal& literal) { return literal.index() == 0; }
double as_double(const Literal& literal);  // of a complex number: its real part
ComplexLiteral as_complex(const Literal& literal);
std::string to_text(const Literal& literal);

/// The value range of an integer scalar or bool.
Integer least(Scalar integer);
Integer greatest(Scalar integer);
bool fits(Integer value, Scalar integer);

/// Whether a literal may stand where a number of type `to` is wanted without losing more than
/// rounding.
bool fits(const Literal& literal, Scalar to);

/// Two's complement bits of an integer literal.
uint64_t bits_of(Integer value);

/// The literal a number of the given type holds when it is given `literal` (explicit conversion):
/// floats truncate toward zero, fixed formats round. nullopt: it does not fit.
std::optional<Literal> convert_literal(const Literal& literal, Number to);

/// The exact result of an operator on two literals of one type, or nullopt when there is no exact
/// one (or none is folded): then the operation happens at run time. Fixed formats are not folded
/// where the result leaves them, so that they wrap as at run time; builtin integers are exact up to
/// 64 bits.
std::optional<Literal> fold(ssa::BinaryKind kind, Number type, const Literal& a, const Literal& b);
/// Whether that is because a builtin integer leaves 64 bits. A negative exponent has no integer
/// power and is asked for elsewhere.
bool exceeds_64_bits(ssa::BinaryKind kind, Number type, const Literal& a, const Literal& b);
bool fold(ssa::CompareKind kind, const Literal& a, const Literal& b);

}  // namespace hetjit::typing

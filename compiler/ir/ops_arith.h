// Constants, arithmetic, comparison, conversion and math calls. Operands have the result's type
// unless stated. Everything is total: no operand values are undefined behaviour (docs/language.md,
// "Numbers").
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// A bool or integer constant: its two's complement bits, of the result type's width; bool is 0
/// or 1.
struct ConstInt : Operands<0> {
  static constexpr OpInfo info = kind::value("const", Cost::Plain, Ranged | Divided);
  uint64_t bits = 0;
  auto attributes() { return std::tie(bits); }
};

/// A floating constant. The value is exactly representable in the result type; NaN is the quiet
/// NaN.
struct ConstFloat : Operands<0> {
  static constexpr OpInfo info = kind::value("constf", Cost::Plain, TypeOnly);
  double value = 0;
  auto attributes() { return std::tie(value); }
};

/// None. Result type: none.
struct ConstNone : Operands<0> {
  static constexpr OpInfo info = kind::value("none", Cost::Plain, TypeOnly);
};

/// Sum, difference, product. Integers wrap (NumPy's rule, not Python's unbounded one); floats are
/// IEEE 754: rounded to nearest even, denormals kept. The same holds for Div and Fma.
struct Add : Operands<2> {
  static constexpr OpInfo info =
      kind::scalar("add", Cost::Index, Ranged | Stepped | LowBits | Divided).commuting();
};
struct Sub : Operands<2> {
  static constexpr OpInfo info =
      kind::scalar("sub", Cost::Index, Ranged | Stepped | LowBits | Divided);
};
struct Mul : Operands<2> {
  static constexpr OpInfo info =
      kind::scalar("mul", Cost::Plain, Ranged | LowBits | Divided).commuting();
};

/// True quotient of floats. x / 0 is an infinity or NaN, as IEEE 754 says.
struct Div : Operands<2> {
  static constexpr OpInfo info = kind::scalar("div", Cost::Dear, TypeOnly);
};

/// Quotient rounded toward minus infinity, as Python's `//`. Integers: x // 0 is 0, and the one
/// overflow (min // -1) wraps, so the op is pure and may be hoisted. Floats, as CPython and NumPy
/// compute it: m = fmod(a, b); d = (a - m) / b, less 1 when m != 0 and the signs of m and b differ;
/// then the nearest integer to d from below (d - floor(d) > 0.5 rounds up); a zero takes the sign
/// of a / b; b == 0: a / b. f16 and bf16 go through f32, as in NumPy, and are rounded at the end.
struct FloorDiv : Operands<2> {
  static constexpr OpInfo info = kind::scalar("floordiv", Cost::Dear, Ranged);
};

/// Remainder with the sign of the divisor, as Python's `%`. Integers: x % 0 is 0, min % -1 is 0.
/// Floats: m = fmod(a, b), plus b when m != 0 and the signs differ; a zero takes the sign of b;
/// b == 0: NaN. f16 and bf16 as for FloorDiv.
struct Mod : Operands<2> {
  static constexpr OpInfo info = kind::scalar("mod", Cost::Dear, Ranged | Stepped);
};

/// Negation: integers wrap, floats flip the sign bit.
struct Neg : Operands<1> {
  static constexpr OpInfo info = kind::scalar("neg", Cost::Index, Ranged | LowBits);
};

/// Absolute value: integers wrap (abs(min) is min), floats clear the sign bit.
struct Abs : Operands<1> {
  static constexpr OpInfo info = kind::scalar("abs", Cost::Plain, Ranged);
};

/// Bitwise, on integers and bool.
struct BitAnd : Operands<2> {
  static constexpr OpInfo info = kind::scalar("and", Cost::Index, Ranged | LowBits).commuting();
};
struct BitOr : Operands<2> {
  static constexpr OpInfo info = kind::scalar("or", Cost::Index, Ranged | LowBits).commuting();
};
struct BitXor : Operands<2> {
  static constexpr OpInfo info = kind::scalar("xor", Cost::Index, Ranged | LowBits).commuting();
};
/// All bits flipped; on bool: logical not.
struct BitNot : Operands<1> {
  static constexpr OpInfo info = kind::scalar("not", Cost::Index, LowBits);
};

/// in[0] << in[1]. A count >= width gives 0; a negative count gives 0.
struct ShiftLeft : Operands<2> {
  static constexpr OpInfo info = kind::scalar("shl", Cost::Index, Ranged);
};
/// in[0] >> in[1], arithmetic for signed types. A count >= width gives 0, or all sign bits; a
/// negative count gives 0.
struct ShiftRight : Operands<2> {
  static constexpr OpInfo info = kind::scalar("shr", Cost::Index, Ranged);
};

/// in[0] * in[1] + in[2], rounded once. Floats only.
struct Fma : Operands<3> {
  static constexpr OpInfo info = kind::scalar("fma", Cost::Plain, TypeOnly);
};

enum class Comparison : uint8_t { Lt, Le, Eq, Ne, Gt, Ge };

/// Comparison of two operands of one scalar type; the result is bool. With a NaN only Ne is true.
struct Compare : Operands<2> {
  static constexpr OpInfo info = kind::scalar("compare", Cost::Plain, TypeOnly);
  Comparison kind{};
  auto attributes() { return std::tie(kind); }
};

/// in[0] ? in[1] : in[2]. in[0] is bool; the others have the result's type (any type).
struct Select : Operands<3> {
  static constexpr OpInfo info = kind::value("select", Cost::Plain, Ranged | Stepped);
};

/// in[0] converted to the result type; both are scalars. Integer to integer wraps. Float to integer
/// truncates toward zero and saturates, NaN gives 0. To bool: x != 0 (NaN is true). Integer or
/// float to float rounds to nearest even. bool is 0 or 1. bfloat16 and float8: see
/// abi/small_floats.h.
struct Convert : Operands<1> {
  static constexpr OpInfo info = kind::scalar("convert", Cost::Index, Ranged | Stepped | Divided);
};

enum class MathFunction : uint8_t {
#define MATH(name, ...) name,
#include "compiler/ir/math.def"
#undef MATH
};

struct MathInfo {
  std::string_view name;  // "Sin"
  uint8_t arity;
  const char* native;
  const char* libm[2];  // f32, f64
  const char* libdevice[2];
  const char* ocml[2];
};
const MathInfo& info(MathFunction function);

/// A math function of math.def; operands and result f32 or f64.
struct Math : ManyOperands {
  static constexpr OpInfo info = kind::scalar("math", Cost::Dear, TypeOnly);
  MathFunction function{};
  auto attributes() { return std::tie(function); }
};

using ArithmeticOps =
    OpList<ConstInt, ConstFloat, ConstNone, Add, Sub, Mul, Div, FloorDiv, Mod, Neg, Abs, BitAnd,
           BitOr, BitXor, BitNot, ShiftLeft, ShiftRight, Fma, Compare, Select, Convert, Math>;

}  // namespace hetjit::ir

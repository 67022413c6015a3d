// math, NumPy's scalar functions, and their namesakes in hetjit.device.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "compiler/builtins/functions.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::builtins {

using ssa::BinaryKind;
using ssa::CompareKind;
using typing::Leaf;
using typing::Literal;
using typing::Number;
using typing::NumberType;

bool is_complex_value(const Value& value) {
  const NumberType* number = value.as<NumberType>();
  return number && is_complex(number->number.scalar);
}

namespace {

// What python/hetjit/library has for complex numbers under the same name.
constexpr std::string_view kOfComplex[] = {"exp",  "log",   "log10", "sqrt",  "sin",    "cos",
                                           "tan",  "sinh",  "cosh",  "tanh",  "asin",   "acos",
                                           "atan", "asinh", "acosh", "atanh", "isclose"};

bool all_of_kind(Evaluation& at, const Builtin& self, const Values& values, bool complex) {
  for (const Value& value : values) {
    if (value.erroneous()) return false;
    const NumberType* number = value.as<NumberType>();
    bool usable = number && (complex || !is_complex(number->number.scalar)) &&
                  !is_tiny_float(number->number.scalar);
    if (usable) continue;
    std::string_view wanted = complex ? "numbers" : "real numbers";
    Diagnostics::Builder error =
        at.error(Code::ArgumentType, {quoted(self), wanted, name_of(value.type)}, {&value});
    if (value.as<typing::ArrayType>()) typing::pass_element(error, at, self.short_name(), value);
    if (number && is_tiny_float(number->number.scalar)) typing::convert_first(error, at, {&value});
    bool known = std::ranges::find(kOfComplex, self.short_name()) != std::end(kOfComplex);
    if (is_complex_value(value) && known)
      error.help("for complex numbers there is cmath." + std::string(self.short_name()));
    return error.report();
  }
  return true;
}

}  // namespace

bool all_real(Evaluation& at, const Builtin& self, const Values& values) {
  return all_of_kind(at, self, values, false);
}
bool all_numbers(Evaluation& at, const Builtin& self, const Values& values) {
  return all_of_kind(at, self, values, true);
}

namespace {

Value floating(Evaluation& at, double value) { return at.literal(typing::kFloat, Literal{value}); }

// Values converted to the floating type they meet in.
std::optional<Values> in_floats(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return std::nullopt;
  std::optional<Number> type = typing::floating_number(at, quoted(self), values);
  if (!type) return std::nullopt;
  Values converted;
  for (const Value& value : values) converted.push_back(typing::cast(at, value, *type));
  return converted;
}

bool is_float(const Value& value) { return is_floating(value.as<NumberType>()->number.scalar); }

Value known(bool value) { return typing::static_value(typing::bool_value(value)); }

Value infinity(Evaluation& at) { return floating(at, HUGE_VAL); }

Value float_magnitude(Evaluation& at, const Value& value) {
  return typing::math(at, ir::MathFunction::Fabs, {value});
}

}  // namespace

namespace {

bool all_integers(const Values& values) {
  return std::ranges::all_of(values, [](const Value& value) {
    const NumberType* number = value.as<NumberType>();
    return number && is_integer(number->number.scalar);
  });
}

// Functions of which NumPy has a form for integers, where math's are functions of floats.
std::optional<Value> of_integers(Evaluation& at, const Builtin& self, const Values& values) {
  if (!self.name.starts_with("numpy.") || !all_integers(values)) return std::nullopt;
  switch (static_cast<ir::MathFunction>(self.detail)) {
    case ir::MathFunction::Floor:
    case ir::MathFunction::Ceil:
    case ir::MathFunction::Trunc:
    case ir::MathFunction::RoundEven:
      return values[0];
    case ir::MathFunction::Fmod:
      return call_library(at, self, values);
    default:
      return std::nullopt;
  }
}

// The neighbours of a float of 16 bits are its own, not those that it has as a float32.
std::optional<Value> of_sixteen_bits(Evaluation& at, const Builtin& self, const Values& values) {
  if (static_cast<ir::MathFunction>(self.detail) != ir::MathFunction::NextAfter)
    return std::nullopt;
  std::optional<Values> floats = in_floats(at, self, values);
  if (!floats || info((*floats)[0].as<NumberType>()->number.scalar).bits != 16) return std::nullopt;
  return call_library(at, self, *floats);
}

}  // namespace

// NumPy's take complex numbers, too, where the library has such a function.
Value call_math(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_complex_value(values[0]))
    if (std::optional<Value> result = call_library(at, self, values)) return *result;
  if (!all_real(at, self, values)) return {};
  if (std::optional<Value> result = of_integers(at, self, values)) return *result;
  if (std::optional<Value> result = of_sixteen_bits(at, self, values)) return *result;
  return typing::math(at, static_cast<ir::MathFunction>(self.detail), values);
}

Value call_whole(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  if (!is_float(values[0])) return to_builtin_int(at, values[0]);
  return typing::cast(at, call_math(at, self, values), typing::kInt);
}

Value call_operator(Evaluation& at, const Builtin& self, const Values& values) {
  return typing::binary(at, static_cast<BinaryKind>(self.detail), values[0], values[1]);
}
Value call_compare(Evaluation& at, const Builtin& self, const Values& values) {
  return typing::compare(at, static_cast<CompareKind>(self.detail), values[0], values[1]);
}
Value call_unary(Evaluation& at, const Builtin& self, const Values& values) {
  return typing::unary(at, static_cast<ssa::UnaryKind>(self.detail), values[0]);
}

Value degrees(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  return binary(at, BinaryKind::Multiply, values[0], floating(at, 180.0 / std::numbers::pi));
}

Value radians(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  return binary(at, BinaryKind::Multiply, values[0], floating(at, std::numbers::pi / 180.0));
}

namespace {

// A question about both parts of a complex number.
Value of_both_parts(Evaluation& at, const Builtin& self, const Value& value, CallFunction ask,
                    BinaryKind combine) {
  Value real = ask(at, self, {typing::real_part(at, value)});
  Value imag = ask(at, self, {typing::imaginary_part(at, value)});
  return binary(at, combine, real, imag);
}

}  // namespace

Value is_nan(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_complex_value(values[0]))
    return of_both_parts(at, self, values[0], is_nan, BinaryKind::Or);
  if (!all_real(at, self, values)) return {};
  if (!is_float(values[0])) return known(false);
  return compare(at, CompareKind::Ne, values[0], values[0]);
}

Value is_infinite(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_complex_value(values[0]))
    return of_both_parts(at, self, values[0], is_infinite, BinaryKind::Or);
  if (!all_real(at, self, values)) return {};
  if (!is_float(values[0])) return known(false);
  return compare(at, CompareKind::Eq, float_magnitude(at, values[0]), infinity(at));
}

Value is_finite(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_complex_value(values[0]))
    return of_both_parts(at, self, values[0], is_finite, BinaryKind::And);
  if (!all_real(at, self, values)) return {};
  if (!is_float(values[0])) return known(true);
  return compare(at, CompareKind::Lt, float_magnitude(at, values[0]), infinity(at));
}

Value euclidean_norm(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  if (values.empty()) return floating(at, 0.0);
  if (values.size() == 1) return float_magnitude(at, values[0]);
  Value norm = typing::math(at, ir::MathFunction::Hypot, {values[0], values[1]});
  for (size_t i = 2; i < values.size(); ++i)
    norm = typing::math(at, ir::MathFunction::Hypot, {norm, values[i]});
  return norm;
}

Value logarithm(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  Value top = typing::math(at, ir::MathFunction::Log, {values[0]});
  if (values.size() == 1) return top;
  return binary(at, BinaryKind::TrueDivide, top,
                typing::math(at, ir::MathFunction::Log, {values[1]}));
}

Value fused(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Values> floats = in_floats(at, self, values);
  if (!floats) return {};
  Number type = (*floats)[0].as<NumberType>()->number;
  Leaf a = at.convert((*floats)[0], type), b = at.convert((*floats)[1], type),
       c = at.convert((*floats)[2], type);
  return at.number(type, at.code().fma(a, b, c));
}

// Of integers an integer, where `**` gives a float for what may be a negative exponent.
Value numpy_power(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  std::optional<typing::Integer> known = typing::integer_literal(values[1].type);
  if (all_integers(values) && !(known && *known >= 0))
    if (std::optional<Value> result = call_library(at, self, values)) return *result;
  return binary(at, BinaryKind::Power, values[0], values[1]);
}

Value square(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  return binary(at, BinaryKind::Multiply, values[0], values[0]);
}

Value reciprocal(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  if (all_integers(values))
    if (std::optional<Value> result = call_library(at, self, values)) return *result;
  return binary(at, BinaryKind::TrueDivide, floating(at, 1.0), values[0]);
}

// NaN stays NaN; of either zero it is 0.
Value sign(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  Number type = values[0].as<NumberType>()->number;
  if (type.scalar == Scalar::Bool) return typing::cast(at, values[0], typing::kInt);
  Value zero = typing::cast(at, typing::static_value(typing::int_value(0)), type);
  Value one = typing::cast(at, typing::static_value(typing::int_value(1)), type);
  Value up = compare(at, CompareKind::Gt, values[0], zero);
  Value positive = choose(at, up, one, values[0]);
  if (!is_float(values[0]) && !is_signed_integer(type.scalar)) return positive;
  if (is_float(values[0]))
    positive = choose(at, compare(at, CompareKind::Eq, values[0], zero), zero, positive);
  Value down = compare(at, CompareKind::Lt, values[0], zero);
  return choose(at, down, unary(at, ssa::UnaryKind::Negative, one), positive);
}

Value sign_bit(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Values> floats = in_floats(at, self, values);
  if (!floats) return {};
  Value sign = typing::math(at, ir::MathFunction::CopySign, {floating(at, 1.0), (*floats)[0]});
  return compare(at, CompareKind::Lt, sign, floating(at, 0.0));
}

namespace {

// `kind` decides for the first; a NaN wins (`nan` true) or loses.
Value extreme(Evaluation& at, const Builtin& self, const Values& values, CompareKind kind,
              bool nan) {
  if (!all_real(at, self, values)) return {};
  Value first = compare(at, kind, values[0], values[1]);
  const Value& unordered = nan ? values[0] : values[1];
  if (is_float(unordered))
    first = binary(at, BinaryKind::Or, first, compare(at, CompareKind::Ne, unordered, unordered));
  return choose(at, first, values[0], values[1]);
}

}  // namespace

Value minimum(Evaluation& at, const Builtin& self, const Values& values) {
  return extreme(at, self, values, CompareKind::Le, true);
}
Value maximum(Evaluation& at, const Builtin& self, const Values& values) {
  return extreme(at, self, values, CompareKind::Ge, true);
}
Value number_minimum(Evaluation& at, const Builtin& self, const Values& values) {
  return extreme(at, self, values, CompareKind::Le, false);
}
Value number_maximum(Evaluation& at, const Builtin& self, const Values& values) {
  return extreme(at, self, values, CompareKind::Ge, false);
}

Value clip(Evaluation& at, const Builtin& self, const Values& values) {
  Value raised = maximum(at, self, {values[0], values[1]});
  if (raised.erroneous()) return {};
  return minimum(at, self, {raised, values[2]});
}

// Into 0 to 1; NaN and -0.0 become 0.0, as CUDA's instruction has it.
Value saturated(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Values> x = in_floats(at, self, values);
  if (!x) return {};
  Value zero = floating(at, 0.0), one = floating(at, 1.0);
  Value below = compare(at, CompareKind::Lt, (*x)[0], one);
  Value above = compare(at, CompareKind::Gt, (*x)[0], zero);
  return choose(at, above, choose(at, below, (*x)[0], one), zero);
}

Value where(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, {values[1], values[2]})) return {};
  return choose(at, typing::truth(at, values[0]), values[1], values[2]);
}

namespace {
Value logical(Evaluation& at, BinaryKind kind, const Values& values) {
  Value first = typing::truth(at, values[0]), second = typing::truth(at, values[1]);
  return binary(at, kind, first, second);
}
}  // namespace

Value logical_and(Evaluation& at, const Builtin&, const Values& values) {
  return logical(at, BinaryKind::And, values);
}
Value logical_or(Evaluation& at, const Builtin&, const Values& values) {
  return logical(at, BinaryKind::Or, values);
}
Value logical_xor(Evaluation& at, const Builtin&, const Values& values) {
  return logical(at, BinaryKind::Xor, values);
}

}  // namespace hetjit::builtins

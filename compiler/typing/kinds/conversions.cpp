// Explicit conversion, and math functions of numbers.
#include <cmath>

#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/instance.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/text_numbers.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/known/math_folding.h"

namespace hetjit::typing {
namespace {

Value no_conversion(Evaluation& at, const Value& value, Number to) {
  std::string wanted = name_of(to);
  Diagnostics::Builder error =
      at.error(Code::NoConversion, {name_of(value.type), wanted}, {&value});
  if (value.as<ArrayType>()) error.help("convert elements one by one: " + wanted + "(a[i])");
  if (const NumberType* number = value.as<NumberType>();
      number && is_complex(number->number.scalar))
    error.help("take a part, z.real or z.imag, or the magnitude, abs(z)");
  if (is_text(value))
    error.help("only a constant text becomes a number; convert the number itself");
  return error.report();
}

std::optional<Literal> literal_of_text(std::string_view text, Number to) {
  if (is_complex(to.scalar)) {
    std::optional<ComplexLiteral> complex = read_complex(text);
    return complex ? std::optional<Literal>(*complex) : std::nullopt;
  }
  std::optional<double> real = read_float(text);
  return real ? std::optional<Literal>(*real) : std::nullopt;
}

// int(1e10) is a constant as 10000000000 is one, of which what needs it says whether it fits.
std::optional<Value> beyond_int32(Evaluation& at, const Value& value) {
  const Literal& literal = *number_of(value).literal;
  if (is_integer(literal) || !std::isfinite(as_double(literal))) return std::nullopt;
  if (std::abs(as_double(literal)) < 0x1p64)
    return at.literal(kInt, Literal{static_cast<Integer>(as_double(literal))});
  return Value(at.error(Code::HugeInteger, {"int(" + to_text(literal) + ")"}, {&value}).report());
}

Value cast_literal(Evaluation& at, const Value& value, Number to) {
  const NumberType& number = number_of(value);
  if (std::optional<Literal> literal = convert_literal(*number.literal, to))
    return at.literal(to, *literal);
  if (to == kInt && number.number.weak)
    if (std::optional<Value> whole = beyond_int32(at, value)) return *whole;
  if (!is_integer(*number.literal))  // saturates, as at run time
    return at.number(to, at.code().convert(at.convert(value, {Scalar::Float64, true}), to.scalar));
  if (number.number.weak && !at.fits(value, to)) return {};
  return at.number(to, at.convert(value, to));
}

}  // namespace

Value cast_text(Evaluation& at, const Value& value, Number to, unsigned base) {
  const std::string& text = value.as<StringType>()->text;
  std::optional<Literal> literal;
  bool huge = false;
  if (!is_integer(to.scalar))
    literal = literal_of_text(text, to);
  else if (std::optional<Integer> integer = read_integer(text, base, huge))
    literal = *integer;
  if (huge) return at.error(Code::HugeInteger, {"'" + text + "'"}, {&value}).report();
  if (!literal)
    return at.error(Code::NoConversion, {"the text '" + text + "'", name_of(to)}, {&value})
        .help("Python reads no such number from it")
        .report();
  Number weak = is_integer(to.scalar) ? kInt : is_complex(to.scalar) ? kComplex : kFloat;
  Value number = at.literal(weak, *literal);
  number.origin = value.origin;
  return to.weak ? number : cast(at, number, to);
}

Value cast(Evaluation& at, const Value& value, Number to) {
  if (value.erroneous()) return {};
  const NumberType* number = value.as<NumberType>();
  if (value.as<StringType>() && to.scalar != Scalar::Bool) return cast_text(at, value, to);
  if (is_object(value)) return cast(at, object_number(at, value, to.scalar), to);
  if (!number) return no_conversion(at, value, to);
  if (number->number == to) return value;
  if (is_complex(to.scalar)) return cast_complex(at, value, to);
  if (is_complex(number->number.scalar))
    return to.scalar == Scalar::Bool ? complex_truth(at, value) : no_conversion(at, value, to);
  if (number->literal) return cast_literal(at, value, to);
  if (at.instance().exact && to == kFloat && number->number.weak) {  // float(n)
    TypeValue type = at.at_run_time(number_value(to));
    return {type, at.coerce(value, type), {}};
  }
  bool widens = info(number->number.scalar).bits <= info(to.scalar).bits;
  bool nonnegative = is_signed_integer(to.scalar) && widens && number->nonnegative;
  nonnegative |= is_signed_integer(to.scalar) && is_nonnegative(*number) &&
                 info(number->number.scalar).bits < info(to.scalar).bits;
  return at.number(to, at.convert(value, to), nonnegative);
}

std::optional<Number> floating_number(Evaluation& at, std::string_view function,
                                      const std::vector<Value>& arguments) {
  std::optional<Number> common;
  for (const Value& argument : arguments) {
    if (argument.erroneous()) return std::nullopt;
    const NumberType* number = argument.as<NumberType>();
    bool usable =
        number && !is_complex(number->number.scalar) && !is_tiny_float(number->number.scalar);
    if (usable) common = common ? promote(*common, number->number) : number->number;
    if (usable && common) continue;
    Diagnostics::Builder error = at.error(
        Code::ArgumentType, {function, "real numbers", name_of(argument.type)}, {&argument});
    if (argument.as<ArrayType>()) pass_element(error, at, function, argument);
    if (number && is_tiny_float(number->number.scalar)) convert_first(error, at, {&argument});
    return error.report();
  }
  if (!is_floating(common->scalar)) common->scalar = Scalar::Float32;
  return common;
}

Value math(Evaluation& at, ir::MathFunction function, const std::vector<Value>& arguments) {
  std::optional<Number> type = floating_number(at, ir::info(function).name, arguments);
  if (!type) return {};
  std::vector<double> known;
  for (const Value& argument : arguments)
    if (number_of(argument).literal) known.push_back(as_double(*number_of(argument).literal));
  if (known.size() == arguments.size() && type->weak)
    return at.literal(*type, Literal{fold_math(function, known)});
  Scalar computed = info(type->scalar).bits < 32 ? Scalar::Float32 : type->scalar;
  std::vector<Leaf> leaves;
  for (const Value& argument : arguments)
    leaves.push_back(at.code().convert(at.convert(argument, *type), computed));
  Leaf result = at.code().math(function, std::move(leaves));
  return at.number(*type, at.code().convert(result, type->scalar));
}

}  // namespace hetjit::typing

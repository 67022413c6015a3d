// A value in the form that another type gives it: literals that fit, numbers in another format,
// arrays with less known of them, and all of it part by part.
#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/complex.h"

namespace hetjit::typing {

bool Evaluation::fits(const Value& value, Number to) {
  const NumberType* number = value.as<NumberType>();
  if (!number || !number->literal || !number->number.weak) return true;
  if (typing::fits(*number->literal, to.scalar)) return true;
  bool known = typing::fits(*number->literal, number->number.scalar);
  if (known && inst_ && varies_between_copies(instance_, *inst_, value.origin)) return true;
  std::string name = name_of(to);
  const std::string wide = typing::fits(*number->literal, Scalar::Int64) ? "int64" : "uint64";
  Diagnostics::Builder error =
      error_for(value, Code::LiteralTooLarge, {to_text(*number->literal), name});
  if (to.weak && to.scalar == Scalar::Int32 && typing::fits(*number->literal, Scalar::UInt32))
    error.help("for 32 bits without a sign, as in hashes and masks, write device.uint32(" +
               to_text(*number->literal) + ")");
  if (to.weak && to.scalar == Scalar::Int32)
    error.note("int has 32 bits in a compiled function")
        .help("for a wider integer write device." + wide + "(" + to_text(*number->literal) + ")")
        .enclose(place_of(value), "device." + wide + "(", ")");
  else
    error.note(name + " holds " + to_text(Literal{least(to.scalar)}) + " to " +
               to_text(Literal{greatest(to.scalar)}));
  return error.report();
}

Leaf Evaluation::convert(const Value& value, Number to) {
  const NumberType& number = *value.as<NumberType>();
  const bool float64 = to.scalar == Scalar::Float64 || to.scalar == Scalar::Complex128;
  if (float64 && !to.weak && !number.literal) meets_float64(*this, value, to);
  if (!code_.on()) return {};
  if (float64 && !to.weak && is_python_float(value.type))
    return convert(in_float64(*this, value), to);
  if (is_complex(to.scalar)) return convert_complex(*this, value, to);
  if (!number.literal) return code_.convert(value.leaf(), to.scalar);
  if (is_floating(to.scalar) || typing::fits(*number.literal, to.scalar))
    return code_.constant(*number.literal, to.scalar);
  return code_.convert(code_.constant(*number.literal, number.number.scalar), to.scalar);
}

std::vector<Leaf> Evaluation::coerce(const Value& value, const TypeValue& target) {
  if (value.type == target) return value.leaves;
  if (const NumberType* number = target.as<NumberType>()) {
    if (!value.as<NumberType>() || number->literal) return {};
    if (!fits(value, number->number)) return {};
    const bool second = number->exact && is_python_float(value.type);
    if (second && !value.as<NumberType>()->exact) instance_.meets_float64 = true;
    std::vector<Leaf> forms = {convert(value, number->number)};
    if (!code_.on()) return {};
    const Number wide{in_float64(number->number.scalar), false};
    if (number->exact) forms.push_back(convert(in_float64(*this, value), wide));
    return forms;
  }
  if (const ArrayType* array = target.as<ArrayType>())
    return value.as<ArrayType>() && code_.on() ? std::vector<Leaf>{as_array(*this, value, *array)}
                                               : std::vector<Leaf>{};
  if (target.holds<FunctionType>() != value.type.holds<FunctionType>()) return {};
  const TypeValues to = parts_in(target);
  std::vector<Leaf> leaves;
  std::vector<Value> parts = parts_of(value, parts_in(value.type));
  for (size_t i = 0; i < parts.size() && i < to.size(); ++i) {
    parts[i].origin = value.origin;
    std::vector<Leaf> part = coerce(parts[i], to[i]);
    leaves.insert(leaves.end(), part.begin(), part.end());
  }
  return leaves;
}

}  // namespace hetjit::typing

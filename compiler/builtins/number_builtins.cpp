// Bits of integers, parts of complex numbers, methods of numbers, and round.
#include <cfloat>
#include <cmath>

#include "compiler/builtins/functions.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/known/math_folding.h"

namespace hetjit::builtins {

using ssa::BinaryKind;
using ssa::CompareKind;
using typing::Integer;
using typing::Leaf;
using typing::Literal;
using typing::Number;
using typing::NumberType;
using typing::static_value;
using typing::TypeObject;

namespace {

Value takes(Evaluation& at, const Builtin& self, std::string_view wanted, const Value& value) {
  return at.error(Code::ArgumentType, {quoted(self), wanted, name_of(value.type)}, {&value})
      .report();
}

// An integer in its own format, a builtin bool as the int that it is. Erroneous: reported.
Value integer(Evaluation& at, const Builtin& self, const Value& value) {
  if (value.erroneous()) return {};
  const NumberType* number = value.as<NumberType>();
  if (number && number->number == typing::kBool) return typing::cast(at, value, typing::kInt);
  if (!number || !is_integer(number->number.scalar)) return takes(at, self, "an integer", value);
  return at.fits(value, number->number) ? value : Value{};
}

// What counts bits gives a builtin int.
Value count(Evaluation& at, Leaf leaf) {
  return at.number(typing::kInt, at.code().convert(leaf, Scalar::Int32), true);
}

Value magnitude(Evaluation& at, const Value& value) {
  Number type = number_of(value).number;
  Leaf leaf = at.convert(value, type);
  return at.number(type, is_signed_integer(type.scalar) ? at.code().unary<ir::Abs>(leaf) : leaf);
}

}  // namespace

// ---- bits (HETX-NI-1)

Value count_ones(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  if (x.erroneous()) return {};
  return count(at, at.code().unary<ir::CountOnes>(at.convert(x, number_of(x).number)));
}

Value reverse_bits(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  if (x.erroneous()) return {};
  Number type = number_of(x).number;
  return at.number(type, at.code().unary<ir::ReverseBits>(at.convert(x, type)));
}

Value leading_zeros(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  if (x.erroneous()) return {};
  return count(at, at.code().unary<ir::LeadingZeros>(at.convert(x, number_of(x).number)));
}

// From 1; of 0 it is 0.
Value first_set(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  if (x.erroneous()) return {};
  Value zero = static_value(typing::int_value(0)), one = static_value(typing::int_value(1));
  Value some =
      typing::truth(at, at.number(number_of(x).number, at.convert(x, number_of(x).number)));
  Value below = count(at, at.code().unary<ir::TrailingZeros>(at.convert(x, number_of(x).number)));
  return choose(at, some, binary(at, BinaryKind::Add, below, one), zero);
}

// The half of a product that `*` drops, in the format that `*` gives.
Value high_product(Evaluation& at, const Builtin& self, const Values& values) {
  Value a = integer(at, self, values[0]), b = integer(at, self, values[1]);
  if (a.erroneous() || b.erroneous()) return {};
  std::optional<Number> type = typing::common_number(at, BinaryKind::Multiply, a, b);
  if (!type || !at.fits(a, *type) || !at.fits(b, *type)) return {};
  Leaf left = at.convert(a, *type), right = at.convert(b, *type);
  return at.number(*type, at.code().binary<ir::MulHigh>(left, right));
}

// What Python counts bits in: the magnitude. The bits of a mask are lanes, the highest one too.
Value counted(Evaluation& at, const Value& x) {
  const NumberType* number = x.type.as<NumberType>();
  return number && number->mask ? x : magnitude(at, x);
}

Value bit_count(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  return x.erroneous() ? Value{} : count_ones(at, self, {counted(at, x)});
}

Value bit_length(Evaluation& at, const Builtin& self, const Values& values) {
  Value x = integer(at, self, values[0]);
  if (x.erroneous()) return {};
  Value width = static_value(typing::int_value(info(number_of(x).number.scalar).bits));
  return binary(at, BinaryKind::Subtract, width, leading_zeros(at, self, {counted(at, x)}));
}

// ---- complex numbers and their parts

Value real_of(Evaluation& at, const Builtin& self, const Values& values) {
  return all_numbers(at, self, values) ? typing::real_part(at, values[0]) : Value{};
}
Value imaginary_of(Evaluation& at, const Builtin& self, const Values& values) {
  return all_numbers(at, self, values) ? typing::imaginary_part(at, values[0]) : Value{};
}
Value conjugate_of(Evaluation& at, const Builtin& self, const Values& values) {
  return all_numbers(at, self, values) ? typing::conjugate(at, values[0]) : Value{};
}

Value phase(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  Value imag = typing::imaginary_part(at, values[0]), real = typing::real_part(at, values[0]);
  return typing::math(at, ir::MathFunction::Atan2, {imag, real});
}

Value polar(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  Value size = typing::complex_magnitude(at, values[0]);
  return typing::made_of<typing::TupleType>({size, phase(at, self, values)});
}

Value rectangular(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  Value cosine = typing::math(at, ir::MathFunction::Cos, {values[1]});
  Value sine = typing::math(at, ir::MathFunction::Sin, {values[1]});
  Value real = binary(at, BinaryKind::Multiply, values[0], cosine);
  Value imag = binary(at, BinaryKind::Multiply, values[0], sine);
  std::optional<Number> type = promote(number_of(real).number, typing::kComplex);
  return typing::make_complex(at, *type, real, imag);
}

// ---- methods of numbers

namespace {

// The number format that an argument names; nullopt: reported.
std::optional<Parameter> format(Evaluation& at, const Builtin& self, const Value& value) {
  const TypeObject* object = value.as<TypeObject>();
  if (object && is_scalar(object->type.type)) return object->type;
  takes(at, self, "a number format, as device.float32", value);
  return std::nullopt;
}

}  // namespace

Value as_type(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Parameter> to = format(at, self, values[1]);
  if (!to) return {};
  Number wanted{type(to->type).scalar, to->weak};
  return typing::cast(at, values[0], typing::complex_format(wanted, {values[0]}));
}

Value view_as(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Parameter> wanted = format(at, self, values[1]);
  if (!wanted) return {};
  Number from = number_of(values[0]).number, to{type(wanted->type).scalar, wanted->weak};
  if (from.scalar == to.scalar) return typing::cast(at, values[0], to);
  auto has_all_bits = [](Scalar scalar) { return is_integer(scalar) || is_floating(scalar); };
  if (info(from.scalar).bits != info(to.scalar).bits || !has_all_bits(from.scalar) ||
      !has_all_bits(to.scalar)) {
    std::string bytes = std::to_string(info(from.scalar).bytes());
    return takes(at, self, "an integer or floating format of " + bytes + " bytes", values[1]);
  }
  if (!at.fits(values[0], from)) return {};
  return at.number(to, at.code().reinterpret(at.convert(values[0], from), to.scalar));
}

Value itself(Evaluation&, const Builtin&, const Values& values) { return values[0]; }

namespace {

constexpr const char* kNoArrays =
    "a compiled function makes no arrays out of numbers; device.local_array is memory";

// The number, when what follows it is the shape or the axes of a number: ().
Value with_no_axes(Evaluation& at, const Builtin& self, const Values& values,
                   std::string_view wanted) {
  const typing::TupleType* given = values.size() == 2 ? values[1].as<typing::TupleType>() : nullptr;
  if (given && given->items.empty()) return values[0];
  const std::string found = values.size() == 2   ? name_of(values[1].type)
                            : values.size() == 1 ? "nothing"
                                                 : "several";
  return at.error(Code::ArgumentType, {quoted(self), wanted, found}).help(kNoArrays).report();
}

}  // namespace

Value reshaped(Evaluation& at, const Builtin& self, const Values& values) {
  return with_no_axes(at, self, values, "(), the shape of a number");
}

Value transposed(Evaluation& at, const Builtin& self, const Values& values) {
  return values.size() == 1 ? values[0]
                            : with_no_axes(at, self, values, "(), the axes of a number");
}

// An array of one element, which would need memory.
Value raveled(Evaluation& at, const Builtin& self, const Values& values) {
  return at
      .error(Code::ArgumentType, {quoted(self), "an array", name_of(values[0].type)}, {&values[0]})
      .help(kNoArrays)
      .report();
}

Value is_whole(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  if (!is_floating(number_of(values[0]).number.scalar))
    return static_value(typing::bool_value(true));
  Value whole = typing::math(at, ir::MathFunction::Trunc, {values[0]});
  Value rest = binary(at, BinaryKind::Subtract, values[0], whole);  // NaN for an infinity
  return compare(at, CompareKind::Eq, rest, at.literal(typing::kFloat, Literal{0.0}));
}

// ---- formats

namespace {

bool is_of_kind(Scalar scalar, std::string_view kind) {
  const ScalarInfo& row = info(scalar);
  bool whole = row.category == Category::Integer, real = row.category == Category::Floating;
  bool complex = row.category == Category::Complex;
  return (kind == "bool" && row.category == Category::Bool) ||
         (kind == "signed integer" && whole && row.is_signed) ||
         (kind == "unsigned integer" && whole && !row.is_signed) || (kind == "integral" && whole) ||
         (kind == "real floating" && real) || (kind == "complex floating" && complex) ||
         (kind == "numeric" && (whole || real || complex));
}

bool is_kind_word(std::string_view kind) {
  return kind == "bool" || kind == "signed integer" || kind == "unsigned integer" ||
         kind == "integral" || kind == "real floating" || kind == "complex floating" ||
         kind == "numeric";
}

// nullopt: it is no kind.
std::optional<bool> matches(Scalar scalar, const typing::TypeValue& kind) {
  if (const typing::StringType* word = kind.as<typing::StringType>())
    return is_kind_word(word->text) ? std::optional(is_of_kind(scalar, word->text)) : std::nullopt;
  if (const TypeObject* object = kind.as<TypeObject>())
    return object->type.type == scalar_type(scalar);
  const typing::TupleType* tuple = kind.as<typing::TupleType>();
  if (!tuple) return std::nullopt;
  bool any = false;
  for (const typing::TypeValue& item : tuple->items) {
    std::optional<bool> one = matches(scalar, item);
    if (!one) return std::nullopt;
    any |= *one;
  }
  return any;
}

}  // namespace

Value is_dtype(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Parameter> of = format(at, self, values[0]);
  if (!of) return {};
  std::optional<bool> answer = matches(type(of->type).scalar, values[1].type);
  if (!answer) return takes(at, self, "a kind such as 'real floating', or a format", values[1]);
  return static_value(typing::bool_value(*answer));
}

// ---- round

namespace {

// To tens, hundreds, …: half to even. What the format cannot count in is 0.
Value rounded_to_tens(Evaluation& at, const Value& value, Integer digits) {
  Number type = number_of(value).number;
  Integer unit = 1;
  for (; digits < 0 && typing::fits(unit, type.scalar); ++digits) unit *= 10;
  if (!typing::fits(unit, type.scalar)) return at.literal(type, Literal{Integer{0}});
  Value step = at.literal(type, Literal{unit}), two = static_value(typing::int_value(2));
  Value rest = binary(at, BinaryKind::Remainder, value, step);
  Value below = binary(at, BinaryKind::Subtract, value, rest);
  Value missing = binary(at, BinaryKind::Subtract, step, rest);
  Value steps = binary(at, BinaryKind::FloorDivide, value, step);
  Value odd = typing::truth(at, binary(at, BinaryKind::Remainder, steps, two));
  Value half = compare(at, CompareKind::Eq, rest, missing);
  Value even_wins = binary(at, BinaryKind::And, half, odd);
  Value more = compare(at, CompareKind::Gt, rest, missing);
  Value up = binary(at, BinaryKind::Or, more, even_wins);
  return choose(at, up, binary(at, BinaryKind::Add, below, step), below);
}

Value constant(Evaluation& at, double number) {
  return at.literal(typing::kFloat, Literal{number});
}

Value size_of(Evaluation& at, const Value& value) {
  return typing::math(at, ir::MathFunction::Fabs, {value});
}

// A value and what stands to it as `unit` to one: scaled, and what the rounding of that has lost.
struct Scaled {
  Value number, lost;
};

Scaled scale(Evaluation& at, const Value& value, const Value& unit, bool divided) {
  Number type = number_of(value).number;
  Value number = binary(at, divided ? BinaryKind::TrueDivide : BinaryKind::Multiply, value, unit);
  Value minus = unary(at, ssa::UnaryKind::Negative, number);
  Leaf x = at.convert(value, type), y = at.convert(unit, type), z = at.convert(minus, type);
  Leaf lost = divided ? at.code().fma(z, y, x) : at.code().fma(x, y, z);
  return {number, at.number(type, lost)};
}

// The nearest whole number, of two the even one: of the number before it was rounded to half way.
Value nearest(Evaluation& at, const Scaled& scaled) {
  Value whole = typing::math(at, ir::MathFunction::RoundEven, {scaled.number});
  Value over = binary(at, BinaryKind::Subtract, scaled.number, whole);
  auto moved = [&](double half, CompareKind beyond, BinaryKind move) {
    Value tie = compare(at, CompareKind::Eq, over, constant(at, half));
    Value wrong = compare(at, beyond, scaled.lost, constant(at, 0));
    Value moves = binary(at, BinaryKind::And, tie, wrong);
    return choose(at, moves, binary(at, move, whole, constant(at, 1)), whole);
  };
  whole = moved(0.5, CompareKind::Gt, BinaryKind::Add);
  return moved(-0.5, CompareKind::Lt, BinaryKind::Subtract);
}

// Scaled, rounded to even, scaled back. What scaling leaves without a fraction stays as it is, so
// nothing overflows on the way.
Value rounded_to_digits(Evaluation& at, const Value& value, Integer digits, bool numpy) {
  Number type = number_of(value).number;
  const bool divided = digits < 0, is_double = type.scalar == Scalar::Float64;
  const double power = typing::power_of_ten(digits);
  if (divided && power > (is_double ? DBL_MAX : FLT_MAX)) {
    Value infinite = compare(at, CompareKind::Eq, size_of(at, value), constant(at, HUGE_VAL));
    return choose(at, infinite, value, binary(at, BinaryKind::Multiply, value, constant(at, 0)));
  }
  Value unit = at.literal(type, Literal{power});
  Scaled scaled = scale(at, value, unit, divided);
  Value whole =
      numpy ? typing::math(at, ir::MathFunction::RoundEven, {scaled.number}) : nearest(at, scaled);
  Value back = binary(at, divided ? BinaryKind::Multiply : BinaryKind::TrueDivide, whole, unit);
  Value limit = constant(at, is_double ? 0x1p53 : 0x1p24);
  return choose(at, compare(at, CompareKind::Lt, size_of(at, scaled.number), limit), back, value);
}

// In its own format alone, without what it is in float64: that is computed apart.
Value of_one_form(Evaluation& at, const Value& value) {
  const Number number = number_of(value).number;
  return at.number(number, at.convert(value, number));
}

// A literal stays the double that it is, and a float of 16 bits goes through float32.
Value rounded_float(Evaluation& at, const Value& value, Integer digits, bool numpy) {
  const NumberType& number = *value.as<NumberType>();
  if (number.literal && number.number.weak) {
    const double known = typing::as_double(*number.literal);
    return at.literal(number.number, Literal{typing::round_to_digits(known, digits, numpy)});
  }
  Value plain = of_one_form(at, value);
  if (info(number.number.scalar).bits != 16)
    return of_one_form(at, rounded_to_digits(at, plain, digits, numpy));
  Value wide = typing::cast(at, value, {Scalar::Float32, false});
  return typing::cast(at, rounded_to_digits(at, wide, digits, numpy), number.number);
}

}  // namespace

Value rounded(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, {values[0]})) return {};
  bool plain = values.size() == 1 || values[1].as<typing::NoneType>();
  bool numpy = self.name.starts_with("numpy");
  Value value = values[0];
  if (number_of(value).number == typing::kBool) value = typing::cast(at, value, typing::kInt);
  bool whole = !is_floating(number_of(value).number.scalar);
  if (plain && whole) return numpy ? value : to_builtin_int(at, value);
  if (plain) {
    Value result = typing::math(at, ir::MathFunction::RoundEven, {value});
    return numpy ? result : typing::cast(at, result, typing::kInt);
  }
  std::optional<Integer> digits = typing::integer_literal(values[1].type);
  if (!digits)
    return typing::not_constant(at, values[1], "the number of digits", quoted(self),
                                "write a literal, or a global; or scale: round(x * scale) / scale");
  if (!whole) return rounded_float(at, value, *digits, numpy);
  return *digits >= 0 ? value : rounded_to_tens(at, value, *digits);
}

// ---- what is written in Python

std::optional<Value> call_library(Evaluation& at, const Builtin& self, const Values& values) {
  const std::string path = "<" + std::string(self.name) + ">";
  for (const ssa::Built& built : at.whole().program().functions) {
    if (!built.function) continue;
    for (const Name& name : built.function->names)
      if (const auto* library = std::get_if<FunctionMeaning>(&name.meaning);
          library && name.path == path)
        return typing::call(at, typing::meaning_value(at, *library, path), {values, {}});
  }
  return std::nullopt;
}

}  // namespace hetjit::builtins

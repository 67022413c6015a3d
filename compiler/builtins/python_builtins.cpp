// What Python itself provides: min, max, abs, len, range, round, divmod, sum, isinstance, …
#include <algorithm>
#include <cmath>

#include "compiler/builtins/functions.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/narrow_sums.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/vectors.h"
#include "compiler/typing/ops/iterables.h"
#include "compiler/typing/ops/iteration.h"

namespace hetjit::builtins {

using ssa::BinaryKind;
using ssa::CompareKind;
using typing::ArrayType;
using typing::Leaf;
using typing::Literal;
using typing::Number;
using typing::NumberType;
using typing::RangeType;
using typing::static_value;
using typing::TupleType;

namespace {

// min(a, b, …) or min((a, b, …)).
std::optional<Values> candidates(Evaluation& at, const Builtin& self, const Values& values) {
  Values items = values;
  if (values.size() == 1) {
    if (values[0].as<NumberType>() || values[0].as<ArrayType>()) {
      Diagnostics::Builder error = at.error(
          Code::ArgumentType,
          {quoted(self), "two or more numbers, or a tuple of them", name_of(values[0].type)},
          {&values[0]});
      if (values[0].as<ArrayType>())
        error.help("keep the one so far in a loop, beginning with the first: for v in x: best = " +
                   std::string(self.short_name()) + "(best, v)");
      return error.report();
    }
    std::optional<Values> all = typing::elements(at, values[0], quoted(self));
    if (!all) return std::nullopt;
    items = std::move(*all);
    if (items.empty())
      return at
          .error(Code::ArgumentType, {quoted(self), "at least one value", "none"}, {&values[0]})
          .report();
  }
  if (!all_real(at, self, items)) return std::nullopt;
  return items;
}

// As Python compares: a later item replaces the best so far only where `kind` holds.
Value best(Evaluation& at, const Builtin& self, const Values& values, CompareKind kind) {
  std::optional<Values> items = candidates(at, self, values);
  if (!items) return {};
  Value found = (*items)[0];
  for (size_t i = 1; i < items->size(); ++i) {
    const Value& item = (*items)[i];
    NumberType a = *found.as<NumberType>(), b = number_of(item);
    found = choose(at, compare(at, kind, item, found), item, found);
    NumberType* result = std::get_if<NumberType>(&found.type.is);
    if (!result) return {};
    // The greater of two numbers is at least as great as either.
    bool widens = info(a.number.scalar).bits <= info(result->number.scalar).bits &&
                  info(b.number.scalar).bits <= info(result->number.scalar).bits;
    bool nonnegative = kind == CompareKind::Gt ? is_nonnegative(a) || is_nonnegative(b)
                                               : is_nonnegative(a) && is_nonnegative(b);
    if (is_signed_integer(result->number.scalar) && !result->literal && widens)
      result->nonnegative = nonnegative;
  }
  return found;
}

}  // namespace

Value least(Evaluation& at, const Builtin& self, const Values& values) {
  return best(at, self, values, CompareKind::Lt);
}
Value greatest(Evaluation& at, const Builtin& self, const Values& values) {
  return best(at, self, values, CompareKind::Gt);
}

Value absolute(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_complex_value(values[0])) return typing::complex_magnitude(at, values[0]);
  if (values[0].as<typing::VectorType>())
    return typing::each_lane(values[0],
                             [&](const Value& lane) { return absolute(at, self, {lane}); });
  if (!all_real(at, self, values)) return {};
  const NumberType& number = number_of(values[0]);
  if (number.number.scalar == Scalar::Bool) return unary(at, ssa::UnaryKind::Positive, values[0]);
  if (number.literal) {
    bool negative =
        typing::as_double(*number.literal) < 0 ||
        (!typing::is_integer(*number.literal) && std::signbit(typing::as_double(*number.literal)));
    return negative ? unary(at, ssa::UnaryKind::Negative, values[0]) : values[0];
  }
  if (!is_floating(number.number.scalar) && !is_signed_integer(number.number.scalar))
    return values[0];
  return at.number(number.number, at.code().unary<ir::Abs>(values[0].leaf()));
}

namespace {

// Of text in UTF-8: its bytes but for those that go on with a character.
int64_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
}

/// Of UTF-8 bytes of one character.
int64_t code_point(std::string_view text) {
  const size_t lead_bits = text.size() == 1 ? 7 : 7 - text.size();
  int64_t point = static_cast<unsigned char>(text[0]) & ((1 << lead_bits) - 1);
  for (char byte : text.substr(1)) point = point << 6 | (byte & 0x3F);
  return point;
}

}  // namespace

Value length(Evaluation& at, const Builtin& self, const Values& values) {
  const Value& of = values[0];
  if (std::optional<typing::TypeValues> items = items_of(of.type))
    return static_value(typing::int_value(static_cast<int64_t>(items->size())));
  if (const typing::StringType* text = of.as<typing::StringType>())
    return static_value(typing::int_value(characters(text->text)));
  if (of.as<RangeType>()) return typing::cast(at, range_count(at, of), typing::kLong);
  const ArrayType* array = of.as<ArrayType>();
  if (array && type(array->type).rank > 0) return array_extent(at, of, 0);
  return at
      .error(Code::ArgumentType, {quoted(self), "an array, a tuple or a range", name_of(of.type)},
             {&of})
      .report();
}

Value code_of_character(Evaluation& at, const Builtin& self, const Values& values) {
  const typing::StringType* text = values[0].as<typing::StringType>();
  if (text && characters(text->text) == 1)
    return static_value(typing::int_value(code_point(text->text)));
  return at
      .error(Code::ArgumentType,
             {quoted(self), "a constant text of one character", name_of(values[0].type)},
             {&values[0]})
      .report();
}

Value range(Evaluation& at, const Builtin&, const Values& values) {
  Value zero = static_value(typing::int_value(0)), one = static_value(typing::int_value(1));
  if (values.size() == 1) return make_range(at, zero, values[0], one);
  return make_range(at, values[0], values[1], values.size() == 3 ? values[2] : one);
}

Value to_builtin_int(Evaluation& at, const Value& value) {
  const Number& number = number_of(value).number;
  if (number.weak && is_integer(number.scalar)) return value;
  if (number.scalar == Scalar::UInt64) return value;  // no builtin int holds it
  bool wide = is_integer(number.scalar) &&
              (info(number.scalar).bits == 64 || number.scalar == Scalar::UInt32);
  return typing::cast(at, value, wide ? typing::kLong : typing::kInt);
}

Value quotient_and_remainder(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_real(at, self, values)) return {};
  Value quotient = binary(at, BinaryKind::FloorDivide, values[0], values[1]);
  if (quotient.erroneous()) return {};
  return typing::made_of<TupleType>(
      {quotient, binary(at, BinaryKind::Remainder, values[0], values[1])});
}

Value power(Evaluation& at, const Builtin& self, const Values& values) {
  if (!all_numbers(at, self, values)) return {};
  if (values.size() == 3) {
    std::optional<Value> result = call_library(at, self, values);
    return result ? *result : Value{at.error(Code::NotCallable, {quoted(self)}).report()};
  }
  return binary(at, BinaryKind::Power, values[0], values[1]);
}

namespace {

Value fold_truth(Evaluation& at, const Builtin& self, const Value& whole, BinaryKind kind) {
  if (typing::is_generator(whole))
    return typing::consumed(at, whole, kind == BinaryKind::And ? Yields::All : Yields::Any);
  std::optional<Values> items = typing::elements(at, whole, quoted(self));
  if (!items) return {};
  Value result = static_value(typing::bool_value(kind == BinaryKind::And));
  for (const Value& item : *items) result = binary(at, kind, result, typing::truth(at, item));
  return result;
}

}  // namespace

Value total(Evaluation& at, const Builtin& self, const Values& values) {
  Value sum = values.size() == 2 ? values[1] : static_value(typing::int_value(0));
  if (typing::is_generator(values[0])) {
    const Value whole = typing::consumed(at, values[0], Yields::Sum, sum);
    typing::warn_of_narrow_sum(at, sum, whole);
    return whole;
  }
  std::optional<Values> items = typing::elements(at, values[0], quoted(self));
  if (!items) return {};
  for (const Value& item : *items) sum = binary(at, BinaryKind::Add, sum, item);
  return sum;
}

Value any_item(Evaluation& at, const Builtin& self, const Values& values) {
  return fold_truth(at, self, values[0], BinaryKind::Or);
}
Value all_items(Evaluation& at, const Builtin& self, const Values& values) {
  return fold_truth(at, self, values[0], BinaryKind::And);
}

namespace {

// NumPy's formats that are subclasses of Python's numbers.
bool is_pythons(Number number) {
  return number.weak || number.scalar == Scalar::Float64 || number.scalar == Scalar::Complex128;
}

// isinstance by the rules of Python's numbers: a builtin bool is an int too, a float64 a float.
bool instance_of(const typing::TypeValue& value, const Parameter& wanted) {
  if (value.holds<typing::VectorType>() || value.holds<typing::StructType>())
    return typing::whole_type(value) == wanted.type;
  const NumberType* number = value.as<NumberType>();
  if (!number || !is_scalar(wanted.type)) return false;
  Scalar scalar = type(wanted.type).scalar;
  if (!wanted.weak) return !number->number.weak && number->number.scalar == scalar;
  if (!is_pythons(number->number)) return false;
  Category of = info(number->number.scalar).category, asked = info(scalar).category;
  return of == asked || (of == Category::Bool && asked == Category::Integer);
}

std::optional<bool> instance_of_any(const typing::TypeValue& value,
                                    const typing::TypeValue& types) {
  if (const typing::TypeObject* object = types.as<typing::TypeObject>())
    return instance_of(value, object->type);
  if (const typing::BuiltinType* builtin = types.as<typing::BuiltinType>();
      builtin && builtin->builtin->name == "builtins.tuple")
    return value.holds<TupleType>() && !std::get<TupleType>(value.is).list;
  if (const typing::BuiltinType* builtin = types.as<typing::BuiltinType>();
      builtin && builtin->builtin->name == "builtins.range")
    return value.holds<RangeType>();
  const TupleType* tuple = types.as<TupleType>();
  if (!tuple) return std::nullopt;
  bool any = false;
  for (const typing::TypeValue& one : tuple->items) {
    std::optional<bool> answer = instance_of_any(value, one);
    if (!answer) return std::nullopt;
    any |= *answer;
  }
  return any;
}

}  // namespace

Value is_instance(Evaluation& at, const Builtin& self, const Values& values) {
  if (std::optional<bool> answer = instance_of_any(values[0].type, values[1].type))
    return static_value(typing::bool_value(*answer));
  return at
      .error(Code::ArgumentType,
             {quoted(self), "a type or a tuple of types", name_of(values[1].type)}, {&values[1]})
      .report();
}

Value type_of(Evaluation& at, const Builtin& self, const Values& values) {
  if (values[0].as<typing::VectorType>() ||
      (values[0].as<typing::StructType>() && !typing::is_object(values[0])))
    return static_value({typing::TypeObject{{typing::whole_type(values[0].type), false}}});
  if (const NumberType* number = values[0].as<NumberType>())
    return static_value(
        {typing::TypeObject{{scalar_type(number->number.scalar), number->number.weak}}});
  if (const TupleType* tuple = values[0].as<TupleType>(); tuple && !tuple->list)
    return static_value({typing::BuiltinType{find("builtins.tuple")}});
  return at
      .error(Code::ArgumentType, {quoted(self), "a number or a tuple", name_of(values[0].type)},
             {&values[0]})
      .report();
}

Value as_tuple(Evaluation& at, const Builtin& self, const Values& values) {
  if (values.empty()) return static_value({TupleType{}});
  std::optional<Values> items = typing::elements(at, values[0], quoted(self));
  return items ? typing::made_of<TupleType>(*items) : Value{};
}

}  // namespace hetjit::builtins

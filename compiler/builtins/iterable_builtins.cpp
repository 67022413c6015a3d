// enumerate, zip, reversed, map, and what `match` asks. Nothing happens before a loop asks for the
// elements.
#include "compiler/builtins/functions.h"
#include "compiler/typing/ops/iterables.h"
#include "compiler/typing/ops/iteration.h"

namespace hetjit::builtins {

using typing::IterableType;
using typing::static_value;

namespace {

// The values as things to loop over; nullopt: reported.
std::optional<Values> iterables(Evaluation& at, const Builtin& self, const Values& values,
                                size_t first) {
  Values result = values;
  for (size_t i = first; i < values.size(); ++i) {
    Value& value = result[i];
    value = typing::one_by_one(at, value, quoted(self));
    if (value.erroneous()) return std::nullopt;
    std::optional<Value> count = typing::element_count(at, value);
    if (!count) typing::not_iterable(at, values[i]);
    if (!count || count->erroneous()) return std::nullopt;
  }
  return result;
}

Value made(Evaluation& at, const Builtin& self, IterableType::Kind kind, const Values& values,
           size_t first) {
  std::optional<Values> parts = iterables(at, self, values, first);
  return parts ? typing::make_iterable(kind, *parts) : Value{};
}

}  // namespace

Value enumerated(Evaluation& at, const Builtin& self, const Values& values) {
  Value start = values.size() == 2 ? values[1] : static_value(typing::int_value(0));
  const typing::NumberType* number = start.as<typing::NumberType>();
  if (!number || info(number->number.scalar).category > Category::Integer)
    return at
        .error(Code::ArgumentType, {quoted(self), "an integer to start at", name_of(start.type)},
               {&start})
        .report();
  std::optional<Values> parts = iterables(at, self, {values[0]}, 0);
  if (!parts) return {};
  return typing::make_iterable(IterableType::Kind::Enumerate, {(*parts)[0], start});
}

Value zipped(Evaluation& at, const Builtin& self, const Values& values) {
  return made(at, self, IterableType::Kind::Zip, values, 0);
}

Value backwards(Evaluation& at, const Builtin& self, const Values& values) {
  if (const IterableType* one = values[0].as<IterableType>())
    return at
        .error(Code::ArgumentType, {quoted(self), "a sequence", name_of(values[0].type)},
               {&values[0]})
        .help(one->kind == IterableType::Kind::Enumerate ? "count down yourself"
                                                         : "reverse what it goes through")
        .report();
  return made(at, self, IterableType::Kind::Reversed, values, 0);
}

Value mapped(Evaluation& at, const Builtin& self, const Values& values) {
  return made(at, self, IterableType::Kind::Map, values, 1);
}

Value is_sequence(Evaluation&, const Builtin&, const Values& values) {
  bool sequence = items_of(values[0].type) || values[0].as<typing::RangeType>();
  return static_value(typing::bool_value(sequence));
}

Value is_callable(Evaluation&, const Builtin&, const Values& values) {
  const typing::BuiltinType* builtin = values[0].as<typing::BuiltinType>();
  bool callable = values[0].as<typing::FunctionType>() || values[0].as<typing::TypeObject>() ||
                  (builtin && builtin->builtin->call);
  return static_value(typing::bool_value(callable));
}

}  // namespace hetjit::builtins

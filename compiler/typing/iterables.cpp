#include "compiler/typing/iterables.h"

#include "compiler/typing/calls.h"
#include "compiler/typing/items.h"
#include "compiler/typing/iteration.h"

namespace hetjit::typing {
namespace {

using Kind = IterableType::Kind;

const NumberType& number_of(const Value& value) { return *value.as<NumberType>(); }

// The number of elements of the shortest. nullopt: one of them is nothing to loop over.
std::optional<Value> shortest(Evaluation& at, const std::vector<Value>& iterables) {
  Value least = at.literal({Scalar::UInt32, false}, Literal{Integer{0}});
  for (size_t i = 0; i < iterables.size(); ++i) {
    std::optional<Value> count = element_count(at, iterables[i]);
    if (!count || count->erroneous()) return count;
    least = i == 0 ? *count
                   : choose(at, compare(at, ssa::CompareKind::Lt, *count, least), *count, least);
  }
  return least;
}

// Position `last - position` of a sequence, from its end.
Value mirrored(Evaluation& at, const Value& count, const Value& position) {
  Number type = number_of(count).number;
  Value one = at.literal(type, Literal{Integer{1}});
  Value last = binary(at, ssa::BinaryKind::Subtract, count, one);
  return binary(at, ssa::BinaryKind::Subtract, last, cast(at, position, type));
}

// The position as Python counts: a builtin int, of 64 bits where the position has them.
Value counted(Evaluation& at, const Value& position, const Value& start) {
  Number as = info(number_of(position).number.scalar).bits == 64 ? kLong : kInt;
  Value number = cast(at, position, as);
  if (NumberType* known = std::get_if<NumberType>(&number.type.is); known && !known->literal)
    known->nonnegative = true;
  if (integer_literal(start.type) == Integer{0}) return number;
  return binary(at, ssa::BinaryKind::Add, start, number);
}

std::vector<Value> elements_at(Evaluation& at, const std::vector<Value>& iterables, size_t first,
                               const Value& position) {
  std::vector<Value> items;
  for (size_t i = first; i < iterables.size(); ++i)
    items.push_back(element(at, iterables[i], position));
  return items;
}

}  // namespace

Value make_iterable(Kind kind, const std::vector<Value>& parts) {
  Value made;
  IterableType type{kind, {}};
  for (const Value& part : parts) {
    if (part.erroneous()) return {};
    type.parts.push_back(part.type);
    made.leaves.insert(made.leaves.end(), part.leaves.begin(), part.leaves.end());
  }
  made.type = {std::move(type)};
  return made;
}

std::optional<Value> made_count(Evaluation& at, const IterableType& type, const Value& iterable) {
  std::vector<Value> parts = parts_of(iterable, type.parts);
  switch (type.kind) {
    case Kind::Enumerate:
    case Kind::Reversed:
      return element_count(at, parts[0]);
    case Kind::Zip:
      return shortest(at, parts);
    case Kind::Map:
      return shortest(at, {parts.begin() + 1, parts.end()});
    case Kind::Generator:
      break;  // became a tuple before
  }
  return std::nullopt;
}

Value made_element(Evaluation& at, const IterableType& type, const Value& iterable,
                   const Value& position) {
  std::vector<Value> parts = parts_of(iterable, type.parts);
  switch (type.kind) {
    case Kind::Enumerate:
      return made_of<TupleType>({counted(at, position, parts[1]), element(at, parts[0], position)});
    case Kind::Reversed:
      return element(at, parts[0], mirrored(at, *element_count(at, parts[0]), position));
    case Kind::Zip:
      return made_of<TupleType>(elements_at(at, parts, 0, position));
    case Kind::Map: {
      Arguments arguments{elements_at(at, parts, 1, position), {}};
      for (Value& argument : arguments.positional) {
        if (argument.erroneous()) return {};
        argument.origin = iterable.origin;
      }
      return call(at, parts[0], arguments);
    }
    case Kind::Generator:
      break;
  }
  return {};
}

bool is_generator(const Value& value) {
  const IterableType* iterable = value.as<IterableType>();
  return iterable && iterable->kind == Kind::Generator;
}

Value consumed(Evaluation& at, const Value& generator, Yields yields, const Value& start) {
  std::vector<Value> parts = parts_of(generator, generator.as<IterableType>()->parts);
  FunctionType function = *parts[0].as<FunctionType>();
  function.yields = yields;
  parts[0].type = {std::move(function)};
  std::vector<Value> arguments{parts[1]};
  if (yields == Yields::Sum) {
    TypeValue type = at.at_run_time(start.type);
    arguments.push_back(Value{type, at.coerce(start, type), start.origin});
  }
  TypeValues types;
  for (const Value& argument : arguments) types.push_back(argument.type);
  return call_with(at, parts[0], arguments, types);
}

std::optional<std::vector<Value>> elements(Evaluation& at, const Value& iterable,
                                           std::string_view what) {
  if (iterable.erroneous()) return std::nullopt;
  if (is_generator(iterable)) return elements(at, consumed(at, iterable, Yields::Tuple), what);
  if (std::optional<std::vector<Value>> items = items_of(iterable)) return items;
  std::optional<Value> count = element_count(at, iterable);
  if (!count) not_iterable(at, iterable);
  if (!count) return std::nullopt;
  if (count->erroneous()) return std::nullopt;
  std::optional<Integer> known = integer_literal(count->type);
  if (!known || *known > static_cast<Integer>(kMaxParts)) {
    at.error(Code::LengthUnknown, {what, name_of(iterable.type)}, {&iterable})
        .help("go through it in a loop, or with sum(), any() or all() of a generator expression")
        .report();
    return std::nullopt;
  }
  std::vector<Value> all;
  for (Integer i = 0; i < *known; ++i)
    all.push_back(element(at, iterable, at.literal(number_of(*count).number, Literal{i})));
  return all;
}

}  // namespace hetjit::typing

#include "compiler/typing/ops/iterables.h"

#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/ops/calls.h"
#include "compiler/typing/ops/iteration.h"
#include "compiler/typing/ops/lazy_values.h"

namespace hetjit::typing {
namespace {

using Kind = IterableType::Kind;

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

// What a generator expression goes through first.
Value gone_through(const Value& generator) {
  Value hidden = parts_of(generator, generator.as<IterableType>()->parts)[1];
  const IteratorType* iterator = hidden.as<IteratorType>();
  return iterator ? part_of(hidden, iterator->parts, 0) : hidden;
}

// The call that runs a generator expression.
struct Consumption {
  Value function;
  std::vector<Value> arguments;
  TypeValues types;
};

Consumption consumption(Evaluation& at, const Value& generator, Yields yields, const Value& start) {
  std::vector<Value> parts = parts_of(generator, generator.as<IterableType>()->parts);
  FunctionType function = *parts[0].as<FunctionType>();
  function.yields = yields;
  parts[0].type = {std::move(function)};
  Consumption call{parts[0], {parts[1]}, {}};
  if (yields == Yields::Sum) {
    TypeValue type = at.at_run_time(start.type);
    call.arguments.push_back(Value{type, at.coerce(start, type), start.origin});
  }
  for (const Value& argument : call.arguments) call.types.push_back(argument.type);
  return call;
}

// What a generator expression yields for one item of what it goes through, a tuple.
Value yielded_for(Evaluation& at, const Value& generator, const Value& item) {
  if (item.erroneous()) return {};
  std::vector<Value> parts = parts_of(generator, generator.as<IterableType>()->parts);
  const Value one = at.literal({Scalar::UInt32, false}, Literal{Integer{1}});
  parts[1] = made_of<IteratorType>({made_of<TupleType>({item}), one});
  return consumed(at, make_iterable(Kind::Generator, parts), Yields::Tuple);
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
      return element_count(at, gone_through(iterable));
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
    case Kind::Generator: {
      Value one = yielded_for(at, iterable, element(at, gone_through(iterable), position));
      return one.erroneous() ? one : part_of(one, one.as<TupleType>()->items, 0);
    }
  }
  return {};
}

bool is_generator(const Value& value) {
  const IterableType* iterable = value.as<IterableType>();
  return iterable && iterable->kind == Kind::Generator;
}

Value consumed(Evaluation& at, const Value& generator, Yields yields, const Value& start) {
  Consumption call = consumption(at, generator, yields, start);
  return call_with(at, call.function, call.arguments, call.types);
}

namespace {

// Whether a generator expression gives one element for each item of what it goes through, whatever
// the item.
bool gives_one_each(Evaluation& at, const Value& generator) {
  Diagnostics nothing;
  Evaluation trial(at.whole(), at.instance(), nothing, nullptr);
  trial.enter(at.inst());
  const Value items = static_value(gone_through(generator).type);
  const Value position = static_value(number_value({Scalar::UInt32, false}));
  if (!element_count(trial, items)) return false;
  const Value item = element(trial, items, position);
  const Value one = yielded_for(trial, static_value(generator.type), item);
  const TupleType* tuple = one.as<TupleType>();
  return nothing.empty() && tuple && tuple->items.size() == 1;
}

}  // namespace

Value one_by_one(Evaluation& at, const Value& iterable, std::string_view what) {
  if (!is_generator(iterable) || gives_one_each(at, iterable)) return iterable;
  Consumption call = consumption(at, iterable, Yields::Tuple, {});
  Value all = call_with(at, call.function, call.arguments, call.types);
  if (all.erroneous() || !at.reporting()) return all;
  TypeValues key;
  for (const TypeValue& type : call.types) key.push_back(as_passed(type));
  const Instance* run = at.whole().instance(*call.function.as<FunctionType>(), std::move(key));
  if (!run || computes_only(at.whole(), *run)) return all;
  return at.error(Code::NotOneByOne, {what}, {&iterable})
      .help("compute all elements before: tuple(...), or write loops")
      .report();
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
        .help(iterable.as<ArrayType>()
                  ? "go through it in a loop, or by a generator expression: sum(v for v in x)"
                  : "go through it in a loop, or with sum(), any() or all() of a generator "
                    "expression")
        .report();
    return std::nullopt;
  }
  std::vector<Value> all;
  for (Integer i = 0; i < *known; ++i)
    all.push_back(element(at, iterable, at.literal(number_of(*count).number, Literal{i})));
  return all;
}

}  // namespace hetjit::typing

#include "compiler/typing/kinds/items.h"

#include <algorithm>

#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/items_of_many.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string sized_name(const Value& whole) {
  const TupleType* tuple = whole.as<TupleType>();
  return tuple ? "a tuple of " + counted(tuple->items.size(), "item", "items")
               : name_of(whole.type);
}

std::optional<std::vector<Value>> items_of(const Value& whole) {
  std::optional<TypeValues> types = items_of(whole.type);
  if (!types) return std::nullopt;
  return parts_of(whole, *types);
}

bool check_item_index(Evaluation& at, const Value& index) {
  const NumberType* number = index.as<NumberType>();
  if (number && is_integer(number->number.scalar)) return true;
  return at.error(Code::IndexType, {name_of(index.type)}, {&index}).report();
}

namespace {

bool names_code(const TypeValue& value) {
  return value.holds<FunctionType>() || value.holds<MethodType>() || value.holds<BuiltinType>() ||
         value.holds<TypeObject>();
}

const char* instead_of_index(const TypeValues& items) {
  if (std::any_of(items.begin(), items.end(), names_code))
    return "which function or type is known while compiling; try each: for j, f in "
           "enumerate(fs): if j == i: ...";
  return "the items differ in type; index with a constant, or use an array";
}

}  // namespace

std::optional<size_t> constant_position(Evaluation& at, const Value& whole, const Value& index) {
  size_t count = items_of(whole.type)->size();
  std::optional<Integer> position = integer_literal(index.type);
  if (!position) {
    std::string kind = whole.as<TupleType>() ? "a tuple" : name_of(whole.type);
    at.error(Code::TupleIndex, {name_of(index.type), kind}, {&index})
        .help(instead_of_index(*items_of(whole.type)))
        .report();
    return std::nullopt;
  }
  Integer size = static_cast<Integer>(count);
  if (*position >= -size && *position < size)
    return static_cast<size_t>(*position < 0 ? *position + size : *position);
  at.error(Code::TupleIndexRange, {to_text(Literal{*position}), sized_name(whole)}, {&index})
      .report();
  return std::nullopt;
}

namespace {

constexpr size_t kMostInChain = 16;   // items that are told apart one after another
constexpr size_t kMostInChains = 64;  // leaves of all of them

// The type that all items have, literal or not; nullopt: they differ.
std::optional<TypeValue> one_type(const TypeValues& items) {
  std::optional<TypeValue> common;
  for (const TypeValue& item : items) {
    TypeValue type = as_passed(without_literals(item));
    if (NumberType* number = std::get_if<NumberType>(&type.is)) number->nonnegative = false;
    if (common && *common != type) return std::nullopt;
    common = std::move(type);
  }
  return common;
}

Place place_of(Evaluation& at, const Value& index, size_t count) {
  const NumberType& number = *index.as<NumberType>();
  Scalar scalar = number.number.scalar;
  if (info(scalar).bits < 32) scalar = Scalar::Int32;  // as many as there may be fit that
  if (!at.code().on()) return {{}, scalar};
  Leaf wanted = at.convert(index, {scalar, false});
  if (!is_signed_integer(scalar) || is_nonnegative(number)) return {wanted, scalar};
  Leaf size = at.code().constant(static_cast<int64_t>(count), scalar);
  return {at.code().binary<ir::WrapIndex>(wanted, size), scalar};
}

}  // namespace

std::vector<Leaf> matches(Evaluation& at, const Value& index, size_t count, size_t asked) {
  if (!at.code().on()) return std::vector<Leaf>(asked);
  const Place wanted = place_of(at, index, count);
  std::vector<Leaf> found;
  for (size_t i = 0; i < asked; ++i) {
    Leaf number = at.code().constant(static_cast<int64_t>(i), wanted.scalar);
    found.push_back(at.code().compare(ssa::CompareKind::Eq, wanted.leaf, number));
  }
  return found;
}

Value item_at(Evaluation& at, const Value& whole, const Value& index) {
  TypeValues items = *items_of(whole.type);
  if (!check_item_index(at, index)) return {};
  if (!integer_literal(index.type) && one_type(items)) {
    check_position(at, whole, index, items.size());
    return selected_item(at, whole, index);
  }
  std::optional<size_t> position = constant_position(at, whole, index);
  return position ? part_of(whole, items, *position) : Value{};
}

Value selected_item(Evaluation& at, const Value& whole, const Value& position) {
  std::vector<Value> items = *items_of(whole);
  if (items.empty()) return none_value();
  TypeValue common = items[0].type;
  for (const Value& item : items) {
    TypeValue joined = at.at_run_time(join(common, item.type));
    if (joined.holds<Disagreement>()) {
      return at.error(Code::NoCommonType, {name_of(common), name_of(item.type)}, {&whole})
          .help("write the loop out, item by item")
          .report();
    }
    common = std::move(joined);
  }
  Value result = static_value(common);
  const size_t choices = items.size() * leaf_count(common);
  if (items.size() > kMostInChain || choices > kMostInChains) {
    result.leaves = item_of_many(at, place_of(at, position, items.size()), items, common);
    return result;
  }
  std::vector<Leaf> here = matches(at, position, items.size(), items.size() - 1);
  for (size_t i = items.size(); i-- > 0;) {
    std::vector<Leaf> leaves = at.coerce(items[i], common);
    if (i + 1 == items.size()) {
      result.leaves = leaves;
      continue;
    }
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
      result.leaves[leaf] = at.code().select(here[i], leaves[leaf], result.leaves[leaf]);
  }
  return result;
}

}  // namespace hetjit::typing

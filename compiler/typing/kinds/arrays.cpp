// Elements read and written, one or all of a view.
#include "compiler/typing/kinds/arrays.h"

#include <functional>

#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using Positions = std::vector<Leaf>;

// The indices of one element.
std::vector<Leaf> leaves_of(Evaluation& at, const Value& array, const Subscripts& indices) {
  std::vector<Leaf> leaves;
  if (!at.code().on()) return leaves;
  check_indices(at, array, indices);
  Scalar as = index_type(array, indices);
  for (const Subscript& index : indices.items)
    leaves.push_back(wrapped_index(at, array, index, as));
  return leaves;
}

Value loaded(Evaluation& at, const Value& array, const std::vector<Leaf>& indices) {
  Leaf address = at.code().element(array.leaf(), indices);
  TypeId element = array_of(array).element;
  if (!holds_atomic(element)) check_access(at, AccessKind::Read, array, address, indices);
  return load_from(at, address, element);
}

void store(Evaluation& at, const Value& array, const std::vector<Leaf>& indices,
           const Value& element) {
  Leaf address = at.code().element(array.leaf(), indices);
  check_access(at, AccessKind::Write, array, address, indices);
  store_whole(at, address, element);
}

bool check_writable(Evaluation& at, const Value& array) {
  if (array_of(array).facts.writable) return true;
  return at.error(Code::ReadOnlyArray, {}, {&array})
      .help("pass a writable array: this one may only be read")
      .report();
}

// ---- all elements of a view

// Code in a loop per axis; `body` is given the position of an element, from 0 on, i64 each.
void each_element(Evaluation& at, const Value& array,
                  const std::function<void(const Positions&)>& body, Positions outer = {}) {
  if (outer.size() == array_of(array).rank) return body(outer);
  Emitter& code = at.code();
  ir::Builder& build = code.builder();
  Leaf extent = code.extent(array.leaf(), static_cast<uint8_t>(outer.size()));
  BlockId head = build.new_block(), inside = build.new_block(), after = build.new_block();
  Leaf position = build.add_param(head, scalar_type(Scalar::Int64));
  build.jump(head, {code.constant(0, Scalar::Int64)});
  build.set_block(head);
  Leaf more = code.compare(ssa::CompareKind::Lt, position, extent);
  build.branch(more, {inside, {}}, {after, {}});
  build.set_block(inside);
  outer.push_back(position);
  each_element(at, array, body, outer);
  Leaf one = code.constant(1, Scalar::Int64);
  build.jump(head, {code.binary<ir::Add>(position, one)});
  build.set_block(after);
}

// Indices for a position in a view of as many or more dimensions; an axis of one element is
// repeated where `repeats`.
std::vector<Leaf> indices_at(Evaluation& at, const Value& array, const Positions& position,
                             bool repeats) {
  const Type& it = array_of(array);
  Scalar as = it.facts.index_bits == 32 ? Scalar::UInt32 : Scalar::UInt64;
  std::vector<Leaf> indices;
  for (uint8_t axis = 0; axis < it.rank; ++axis) {
    Leaf index = position[position.size() - it.rank + axis];
    if (repeats) {
      Leaf extent = at.code().extent(array.leaf(), axis);
      Leaf one = at.code().constant(1, Scalar::Int64), zero = at.code().constant(0, Scalar::Int64);
      Leaf single = at.code().compare(ssa::CompareKind::Eq, extent, one);
      index = at.code().select(single, zero, index);
    }
    indices.push_back(at.code().convert(index, as));
  }
  return indices;
}

bool check_dimensions(Evaluation& at, const Value& target, const Value& value) {
  if (array_of(value).rank <= array_of(target).rank) return true;
  return at.error(Code::StoreDimensions, {name_of(value.type), name_of(target.type)}, {&value})
      .report();
}

bool store_array(Evaluation& at, const Value& target, const Value& value) {
  if (!check_dimensions(at, target, value)) return false;
  TypeId element = array_of(target).element;
  if (!at.code().on()) {
    Value any = loaded(at, value, {});
    any.origin = value.origin;
    return !as_element(at, any, element).erroneous();
  }
  check_same_shape(at, target, value);
  each_element(at, target, [&](const Positions& position) {
    std::vector<Leaf> from = indices_at(at, value, position, true);
    Value converted = as_element(at, loaded(at, value, from), element);
    std::vector<Leaf> to = indices_at(at, target, position, false);
    store(at, target, to, converted);
  });
  return true;
}

// target[...] = value
bool store_all(Evaluation& at, const Value& target, const Value& value) {
  if (value.as<ArrayType>()) return store_array(at, target, value);
  Value element = as_element(at, value, array_of(target).element);
  if (element.erroneous()) return false;
  if (!at.code().on()) return true;
  each_element(at, target, [&](const Positions& position) {
    std::vector<Leaf> to = indices_at(at, target, position, false);
    store(at, target, to, element);
  });
  return true;
}

}  // namespace

Value array_item(Evaluation& at, const Value& array, const Value& index) {
  if (const StringType* name = index.as<StringType>()) return field_view(at, array, name->text);
  std::optional<Subscripts> subscripts = read_subscripts(at, array, index);
  if (!subscripts) return {};
  if (!subscripts->of_element) return view_at(at, array, *subscripts);
  return loaded(at, array, leaves_of(at, array, *subscripts));
}

std::optional<Leaf> element_address(Evaluation& at, const Value& array, const Value& index) {
  std::optional<Subscripts> subscripts = read_subscripts(at, array, index);
  if (!subscripts) return std::nullopt;
  if (subscripts->of_element)
    return std::optional(at.code().element(array.leaf(), leaves_of(at, array, *subscripts)));
  const size_t rank = array_of(array).rank;
  const TupleType* tuple = index.as<TupleType>();
  const size_t given = tuple ? tuple->items.size() : 1;
  return at
      .error_for(index, Code::IndexCount,
                 {"an atomic operation", std::to_string(rank) + (rank == 1 ? " index" : " indices"),
                  std::to_string(given) + (given == 1 ? " is" : " are")})
      .help("the index of several axes is a tuple: device.atomic.add(a, (i, j), value)")
      .report();
}

Value array_element(Evaluation& at, const Value& array, Leaf position, Scalar position_type) {
  bool narrow = array_of(array).facts.index_bits == 32;
  Scalar as = narrow ? Scalar::UInt32 : Scalar::UInt64;
  Leaf index = position_type == as ? position : at.code().convert(position, as);
  if (array_of(array).rank > 1) return row_at(at, array, index, as);
  return loaded(at, array, {index});
}

Value store_array_item(Evaluation& at, const Value& array, const Value& index, const Value& value) {
  if (!check_writable(at, array)) return {};
  if (const StringType* name = index.as<StringType>()) {
    Value field = field_view(at, array, name->text);
    return !field.erroneous() && store_all(at, field, value) ? array : Value{};
  }
  std::optional<Subscripts> subscripts = read_subscripts(at, array, index);
  if (!subscripts) return {};
  if (!subscripts->of_element) {
    Value view = view_at(at, array, *subscripts);
    return !view.erroneous() && store_all(at, view, value) ? array : Value{};
  }
  std::vector<Leaf> indices = leaves_of(at, array, *subscripts);
  Value element = as_element(at, value, array_of(array).element);
  if (element.erroneous()) return {};
  store(at, array, indices, element);
  return array;
}

Value array_in_place(Evaluation& at, ssa::BinaryKind kind, const Value& array, const Value& other) {
  if (!check_writable(at, array)) return {};
  if (other.as<ArrayType>() && !check_dimensions(at, array, other)) return {};
  TypeId element = array_of(array).element;
  auto result_at = [&](const std::vector<Leaf>& here, const std::vector<Leaf>& there) {
    Value old = loaded(at, array, here), by = other;
    if (other.as<ArrayType>()) by = loaded(at, other, there);
    old.origin = array.origin;
    by.origin = other.origin;
    Value result = binary(at, kind, old, by);
    return result.erroneous() ? result : as_element(at, result, element);
  };
  if (!at.code().on()) return result_at({}, {}).erroneous() ? Value{} : array;
  if (other.as<ArrayType>()) check_same_shape(at, array, other);
  each_element(at, array, [&](const Positions& position) {
    std::vector<Leaf> here = indices_at(at, array, position, false), there;
    if (other.as<ArrayType>()) there = indices_at(at, other, position, true);
    store(at, array, here, result_at(here, there));
  });
  return array;
}

}  // namespace hetjit::typing

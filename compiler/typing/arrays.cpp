#include "compiler/typing/arrays.h"

#include <algorithm>

#include "compiler/typing/explain.h"
#include "compiler/typing/memory.h"
#include "compiler/typing/operators.h"

namespace hetjit::typing {
namespace {

const Type& type_of(const Value& array) { return type(array.as<ArrayType>()->type); }

std::string counted(size_t count, std::string_view noun, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? noun : plural);
}

Value stride(Evaluation& at, const Value& array, uint8_t axis) {
  return at.number(kLong, at.code().of_axis<ir::Stride>(array.leaf(), axis));
}

Value per_axis(Evaluation& at, const Value& array,
               Value (*of)(Evaluation&, const Value&, uint8_t)) {
  std::vector<Value> values;
  for (uint8_t axis = 0; axis < type_of(array).rank; ++axis) values.push_back(of(at, array, axis));
  return made_of<TupleType>(values);
}

Value shape(Evaluation& at, const Value& array) { return per_axis(at, array, array_extent); }
Value strides(Evaluation& at, const Value& array) { return per_axis(at, array, stride); }
Value rank(Evaluation&, const Value& array) { return static_value(int_value(type_of(array).rank)); }
Value element_type(Evaluation&, const Value& array) {
  return static_value({TypeObject{{type_of(array).element, false}}});
}
Value size(Evaluation& at, const Value& array) {
  if (type_of(array).rank == 0) return static_value(int_value(1));
  Value total = array_extent(at, array, 0);
  for (uint8_t axis = 1; axis < type_of(array).rank; ++axis)
    total = binary(at, ssa::BinaryKind::Multiply, total, array_extent(at, array, axis));
  if (NumberType* number = std::get_if<NumberType>(&total.type.is)) number->nonnegative = true;
  return total;
}

struct Attribute {
  std::string_view name;
  Value (*get)(Evaluation&, const Value&);
};
constexpr Attribute kAttributes[] = {{"shape", shape}, {"strides", strides},
                                     {"ndim", rank},   {"ndims", rank},
                                     {"size", size},   {"dtype", element_type}};

// What else arrays have on the host, and what to write instead.
struct Refused {
  std::string_view name, help;
};
constexpr Refused kRefused[] = {
    {"flags", "an array's memory layout is not visible to a compiled function"},
    {"T", "swap the indices instead: a[j, i]"},
    {"fill", "assign element by element: a[i] = value"},
    {"sum", "add up in a loop"},
    {"mean", "add up in a loop"},
    {"min", "compare in a loop"},
    {"max", "compare in a loop"},
    {"reshape", "reshape before the launch"},
    {"astype", "convert elements one by one: device.float32(a[i])"},
    {"copy", "copy element by element"},
    {"item", "index the array: a[i]"},
};

}  // namespace

Value array_extent(Evaluation& at, const Value& array, uint8_t axis) {
  return at.number(kLong, at.code().of_axis<ir::Extent>(array.leaf(), axis), true);
}

Value array_attribute(Evaluation& at, const Value& array, const std::string& name) {
  for (const Attribute& row : kAttributes)
    if (row.name == name) return row.get(at, array);
  for (const Refused& row : kRefused)
    if (row.name == name)
      return at.error(Code::ArrayAttribute, {name}, {&array}).help(std::string(row.help)).report();
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(array.type), name}, {&array});
  std::vector<std::string_view> names;
  for (const Attribute& row : kAttributes) names.push_back(row.name);
  if (std::string near = nearest(name, names); !near.empty())
    error.help("did you mean '" + near + "'?");
  return error.report();
}

namespace {

// ---- indices

std::optional<std::vector<Value>> indices_of(Evaluation& at, const Value& array,
                                             const Value& index) {
  std::vector<Value> indices = {index};
  if (const TupleType* tuple = index.as<TupleType>()) {
    indices = parts_of(index, tuple->items);
    for (Value& part : indices) part.origin = tuple->items.size() == 1 ? index.origin : ValueId{};
  }
  for (const Value& part : indices)
    if (part.as<SliceType>() || part.as<EllipsisType>() || part.as<NoneType>())
      return at.error(Code::SliceUnsupported, {name_of(array.type)}, {&index})
          .help("index every axis with an integer, in a loop where many elements are meant")
          .report();
  size_t wanted = type_of(array).rank;
  if (indices.size() == wanted) return indices;
  Diagnostics::Builder error =
      at.error_for(index, Code::IndexCount,
                   {"an array of " + counted(wanted, "dimension", "dimensions"),
                    counted(wanted, "index", "indices"),
                    std::to_string(indices.size()) + (indices.size() == 1 ? " is" : " are")});
  at.mark(error, array);
  if (indices.size() < wanted) {
    std::string all;
    for (size_t i = 0; i < wanted; ++i) all += (i ? ", " : "") + std::string(1, "ijklmnop"[i]);
    error.help("give all indices at once: a[" + all + "]");
  }
  return error.report();
}

bool check_index(Evaluation& at, const Value& whole_index, const Value& index) {
  const NumberType* number = index.as<NumberType>();
  if (number && is_integer(number->number.scalar)) return true;
  const Value& marked = index.origin.valid() ? index : whole_index;
  Diagnostics::Builder error = at.error_for(marked, Code::IndexType, {name_of(index.type)});
  if (number && is_floating(number->number.scalar)) error.help("convert it: int(x)");
  if (number && number->number.scalar == Scalar::Bool)
    error.help("to take an element by a condition write int(condition)");
  return error.report();
}

// The type that all indices of one access are brought to.
Scalar index_type(const Type& array, const std::vector<Value>& indices) {
  bool all_unsigned = true;
  for (const Value& index : indices) {
    const NumberType& number = *index.as<NumberType>();
    all_unsigned &= !number.literal && is_unsigned(number.number.scalar);
  }
  if (all_unsigned) return array.facts.index_bits == 32 ? Scalar::UInt32 : Scalar::UInt64;
  return array.facts.index_bits == 32 ? Scalar::Int32 : Scalar::Int64;
}

// Python's negative indices count from the end; only indices that may be negative pay for it.
Leaf wrapped(Evaluation& at, const Value& array, uint8_t axis, const Value& index, Scalar as) {
  const NumberType& number = *index.as<NumberType>();
  Leaf leaf = at.convert(index, {as, false});
  if (is_nonnegative(number)) return leaf;
  Leaf extent = at.code().convert(at.code().of_axis<ir::Extent>(array.leaf(), axis), as);
  return at.code().binary<ir::WrapIndex>(leaf, extent);
}

std::optional<std::vector<Leaf>> checked_indices(Evaluation& at, const Value& array,
                                                 const Value& index) {
  std::optional<std::vector<Value>> indices = indices_of(at, array, index);
  if (!indices) return std::nullopt;
  for (const Value& part : *indices)
    if (!check_index(at, index, part) || !at.fits(part, {Scalar::Int64, true})) return std::nullopt;
  std::vector<Leaf> leaves;
  if (!at.code().on()) return leaves;
  Scalar as = index_type(type_of(array), *indices);
  for (size_t axis = 0; axis < indices->size(); ++axis)
    leaves.push_back(wrapped(at, array, static_cast<uint8_t>(axis), (*indices)[axis], as));
  return leaves;
}

Leaf address_of(Evaluation& at, const Value& array, std::vector<Leaf> indices) {
  return at.code().on() ? at.code().builder().element(array.leaf(), std::move(indices)) : Leaf{};
}

}  // namespace

Value array_item(Evaluation& at, const Value& array, const Value& index) {
  std::optional<std::vector<Leaf>> indices = checked_indices(at, array, index);
  if (!indices) return {};
  return load_from(at, address_of(at, array, std::move(*indices)), type_of(array).element);
}

Value array_element(Evaluation& at, const Value& array, Leaf position, Scalar position_type) {
  bool narrow = type_of(array).facts.index_bits == 32;
  Scalar as = narrow ? Scalar::UInt32 : Scalar::UInt64;
  Leaf index = position_type == as ? position : at.code().convert(position, as);
  return load_from(at, address_of(at, array, {index}), type_of(array).element);
}

Value store_array_item(Evaluation& at, const Value& array, const Value& index, const Value& value) {
  if (!type_of(array).facts.writable)
    return at.error(Code::ReadOnlyArray, {}, {&array})
        .help("pass a writable array: this one was marked read-only by its owner")
        .report();
  std::optional<std::vector<Leaf>> indices = checked_indices(at, array, index);
  if (!indices) return {};
  Value element = as_element(at, value, type_of(array).element);
  if (element.erroneous()) return {};
  store_whole(at, address_of(at, array, std::move(*indices)), element);
  return array;
}

}  // namespace hetjit::typing

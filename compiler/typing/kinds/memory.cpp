#include "compiler/typing/kinds/memory.h"

#include <tuple>

#include "abi/type_names.h"
#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/references.h"

namespace hetjit::typing {

void take_apart(Emitter& code, Leaf whole, const TypeValue& type, std::vector<Leaf>& leaves) {
  if (leaf_count(type) == 0) return;  // None, or a constant of the launch
  if (!code.on()) return;
  if (std::optional<TypeValues> items = items_of(type)) {
    for (uint32_t i = 0; i < items->size(); ++i)
      if (leaf_count((*items)[i]))
        take_apart(code, code.builder().extract(whole, i), (*items)[i], leaves);
  } else if (const NumberType* number = type.as<NumberType>(); number && number->exact) {
    leaves.push_back(whole);
    leaves.push_back(code.in_float64(whole, number->number.scalar));
  } else if (leaf_count(type) == 1) {
    leaves.push_back(whole);
  }
}

TypeId whole_type(const TypeValue& type) {
  if (const NumberType* number = type.as<NumberType>()) return scalar_type(number->number.scalar);
  if (const ArrayType* array = type.as<ArrayType>()) return array->type;
  if (const StructType* record = type.as<StructType>()) return record->type;
  if (const VectorType* vector = type.as<VectorType>())
    return vector_type(vector->element, vector->lanes);
  const TupleType* tuple = type.as<TupleType>();
  if (!tuple) return none_type();
  std::vector<TypeId> items;
  for (const TypeValue& item : tuple->items) items.push_back(whole_type(item));
  return tuple_type(items);
}

Leaf put_together(Emitter& code, const Value& value, TypeId type) {
  if (!code.on()) return {};
  if (const NumberType* number = value.as<NumberType>())
    return number->literal ? code.constant(*number->literal, number->number.scalar) : value.leaf();
  if (value.as<ArrayType>()) return value.leaf();
  std::optional<TypeValues> items = items_of(value.type);
  if (!items) return code.builder().none();
  std::vector<Value> parts = parts_of(value, *items);
  std::vector<Leaf> wholes;
  for (uint32_t i = 0; i < parts.size(); ++i)
    wholes.push_back(put_together(code, parts[i], ir::item_type(type, i)));
  return code.builder().record(type, std::move(wholes));
}

namespace {

bool is_assignable(Number value, Scalar to) {
  if (value.scalar == to) return true;
  Category from = info(value.scalar).category, into = info(to).category;
  if (into == Category::Bool) return from == Category::Bool;
  return from <= into;
}

// An array of which all is known that the other's type says.
bool is_assignable(const ArrayType& from, const ArrayType& to) {
  const Type &array = type(from.type), &wanted = type(to.type);
  const ArrayFacts &has = array.facts, &asked = wanted.facts;
  return array.element == wanted.element && array.rank == wanted.rank &&
         (asked.order == Order::Strided || has.order == Order::Contiguous) &&
         (asked.index_bits == 64 || has.index_bits == 32) && (has.writable || !asked.writable);
}

// Whether values of these kinds are made of items that correspond.
bool same_shape(const TypeValue& from, const TypeValue& to) {
  const StructType *one = from.as<StructType>(), *other = to.as<StructType>();
  if (one && other) return one->type == other->type;
  if (to.holds<VectorType>()) return from.holds<VectorType>() || from.holds<TupleType>();
  return !from.holds<VectorType>();
}

}  // namespace

bool is_assignable(const TypeValue& from, const TypeValue& to) {
  const NumberType *number = from.as<NumberType>(), *wanted = to.as<NumberType>();
  if (number && wanted) return is_assignable(number->number, wanted->number.scalar);
  const ArrayType *array = from.as<ArrayType>(), *as_array = to.as<ArrayType>();
  if (array && as_array) return is_assignable(*array, *as_array);
  std::optional<TypeValues> items = items_of(from), fields = items_of(to);
  if (!items || !fields) return from == to;
  if (items->size() != fields->size() || !same_shape(from, to)) return false;
  for (size_t i = 0; i < items->size(); ++i)
    if (!is_assignable((*items)[i], (*fields)[i])) return false;
  return true;
}

Value assigned(Evaluation& at, const Value& value, const TypeValue& to) {
  if (value.type == to) return value;
  Value result = static_value(to);
  result.origin = value.origin;
  if (const NumberType* wanted = to.as<NumberType>()) {
    if (!at.fits(value, wanted->number)) return {};
    Leaf leaf = at.convert(value, wanted->number);
    if (at.code().on()) result.leaves.push_back(leaf);
    return result;
  }
  if (const ArrayType* array = to.as<ArrayType>()) {
    if (at.code().on()) result.leaves.push_back(as_array(at, value, *array));
    return result;
  }
  std::optional<TypeValues> items = items_of(value.type), fields = items_of(to);
  if (!items || !fields) return result;
  std::vector<Value> parts = parts_of(value, *items);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].origin = value.origin;
    Value part = assigned(at, parts[i], (*fields)[i]);
    if (part.erroneous()) return {};
    result.leaves.insert(result.leaves.end(), part.leaves.begin(), part.leaves.end());
  }
  return result;
}

namespace {

Value refuse_store(Evaluation& at, const Value& value, TypeId element) {
  std::string wanted = to_python(element), given = name_of(value.type);
  if (const StructType* of = value.as<StructType>())
    std::tie(given, wanted) = to_python_apart(of->type, without_align(element));
  Diagnostics::Builder error = at.error(Code::StoreType, {given, wanted}, {&value});
  const Type& it = type(without_align(element));
  if (it.kind == TypeKind::Vector && value.as<NumberType>())
    error.help("make a vector: device." + wanted + "(…)");
  const NumberType* number = value.as<NumberType>();
  if (!number || it.kind != TypeKind::Scalar) return error.report();
  if (is_complex(number->number.scalar))
    error.help("store a part, z.real or z.imag, or the magnitude, abs(z)");
  else if (it.scalar == Scalar::Bool)
    error.help("compare to get a bool: x != 0");
  else if (is_integer(it.scalar))
    error.help("say how to round: device." + wanted + "(x) truncates, round(x) rounds");
  return error.report();
}

}  // namespace

Value load_from(Evaluation& at, Leaf address, TypeId type) {
  if (holds_atomic(type)) return refer_to(at, address, type);
  Value result = static_value(parameter_value({type, false}));
  if (at.code().on() && leaf_count(result.type))
    take_apart(at.code(), at.code().builder().load(address), result.type, result.leaves);
  return result;
}

Value as_element(Evaluation& at, const Value& value, TypeId type) {
  if (is_atomic(type))
    return at.error(Code::MemoryOnly, {to_python(type), "assigned"}, {&value})
        .help("store a number in it: .store(value)")
        .report();
  if (holds_atomic(type))
    return at.error(Code::MemoryOnly, {to_python(type), "assigned"}, {&value})
        .help("assign its fields, and store numbers in its atomics: .store(value)")
        .report();
  TypeValue wanted = parameter_value({type, false});
  if (wanted.holds<OpaqueType>() || !is_assignable(value.type, wanted))
    return refuse_store(at, value, type);
  return assigned(at, value, wanted);
}

void store_whole(Evaluation& at, Leaf address, const Value& element) {
  if (!at.code().on()) return;
  ir::Builder& builder = at.code().builder();
  TypeId whole = without_align(type(builder.type_of(address)).element);
  builder.store(address, put_together(at.code(), element, whole));
}

bool store_to(Evaluation& at, Leaf address, TypeId type, const Value& value) {
  Value element = as_element(at, value, type);
  if (element.erroneous()) return false;
  store_whole(at, address, element);
  return true;
}

}  // namespace hetjit::typing

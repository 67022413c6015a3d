#include "compiler/typing/kinds/memory.h"

#include <tuple>

#include "abi/type_names.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/references.h"

namespace hetjit::typing {

namespace {

/// Kinds that no memory holds: whole, a value of them is None.
template <class Kind>
concept WithoutMemory =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, ReferenceType, AtomicType,
              MethodType, RangeType, IteratorType, IterableType, FunctionType, BuiltinType,
              ModuleType, TypeObject, TargetType, StringType, TextType, ExceptionType, EllipsisType,
              SliceType, ExternalType, OpaqueType>;

/// Kinds that are kept item by item.
template <class Kind>
concept WithItems = ir::OneOf<Kind, TupleType, VectorType, StructType>;

struct TakeApart {
  Emitter& code;
  Leaf whole;
  const TypeValue& type;
  std::vector<Leaf>& leaves;

  void operator()(const NumberType& number) const {
    if (number.literal) return;  // a constant of the launch
    leaves.push_back(whole);
    if (number.exact) leaves.push_back(code.in_float64(whole, number.number.scalar));
  }
  void operator()(const ArrayType&) const { leaves.push_back(whole); }
  template <WithItems Kind>
  void operator()(const Kind&) const {
    const TypeValues items = parts_in(type);
    for (uint32_t i = 0; i < items.size(); ++i)
      if (leaf_count(items[i]))
        take_apart(code, code.builder().extract(whole, i), items[i], leaves);
  }
  template <WithoutMemory Kind>
  void operator()(const Kind&) const {}
};

struct WholeType {
  TypeId operator()(const NumberType& number) const { return scalar_type(number.number.scalar); }
  TypeId operator()(const ArrayType& array) const { return array.type; }
  TypeId operator()(const StructType& record) const { return record.type; }
  TypeId operator()(const VectorType& vector) const {
    return vector_type(vector.element, vector.lanes);
  }
  TypeId operator()(const TupleType& tuple) const {
    std::vector<TypeId> items;
    for (const TypeValue& item : tuple.items) items.push_back(whole_type(item));
    return tuple_type(items);
  }
  template <WithoutMemory Kind>
  TypeId operator()(const Kind&) const {
    return none_type();
  }
};

/// The leaves of a value as one, of the type that memory has for it.
struct PutTogether {
  Emitter& code;
  const Value& value;
  TypeId type;

  Leaf operator()(const NumberType& number) const {
    return number.literal ? code.constant(*number.literal, number.number.scalar) : value.leaf();
  }
  Leaf operator()(const ArrayType&) const { return value.leaf(); }
  template <WithItems Kind>
  Leaf operator()(const Kind&) const {
    std::vector<Value> parts = parts_of(value, parts_in(value.type));
    std::vector<Leaf> wholes;
    for (uint32_t i = 0; i < parts.size(); ++i)
      wholes.push_back(put_together(code, parts[i], ir::item_type(type, i)));
    return code.builder().record(type, std::move(wholes));
  }
  template <WithoutMemory Kind>
  Leaf operator()(const Kind&) const {
    return code.builder().none();
  }
};

}  // namespace

void take_apart(Emitter& code, Leaf whole, const TypeValue& type, std::vector<Leaf>& leaves) {
  if (code.on()) std::visit(TakeApart{code, whole, type, leaves}, type.is);
}

TypeId whole_type(const TypeValue& type) { return std::visit(WholeType{}, type.is); }

Leaf put_together(Emitter& code, const Value& value, TypeId type) {
  return code.on() ? std::visit(PutTogether{code, value, type}, value.type.is) : Leaf{};
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

namespace {

/// The leaves of a value as those of another type; nullopt: reported.
struct Assigned {
  Evaluation& at;
  const Value& value;
  const TypeValue& to;
  using Made = std::optional<std::vector<Leaf>>;

  Made operator()(const NumberType& wanted) const {
    if (!at.fits(value, wanted.number)) return std::nullopt;
    Leaf leaf = at.convert(value, wanted.number);
    return at.code().on() ? std::vector<Leaf>{leaf} : std::vector<Leaf>{};
  }
  Made operator()(const ArrayType& wanted) const {
    return at.code().on() ? std::vector<Leaf>{as_array(at, value, wanted)} : std::vector<Leaf>{};
  }
  template <WithItems Kind>
  Made operator()(const Kind&) const {
    const TypeValues fields = parts_in(to);
    std::vector<Value> parts = parts_of(value, parts_in(value.type));
    std::vector<Leaf> leaves;
    for (size_t i = 0; i < parts.size(); ++i) {
      parts[i].origin = value.origin;
      Value part = assigned(at, parts[i], fields[i]);
      if (part.erroneous()) return std::nullopt;
      leaves.insert(leaves.end(), part.leaves.begin(), part.leaves.end());
    }
    return leaves;
  }
  template <WithoutMemory Kind>
  Made operator()(const Kind&) const {
    return std::vector<Leaf>{};
  }
};

}  // namespace

Value assigned(Evaluation& at, const Value& value, const TypeValue& to) {
  if (value.type == to) return value;
  std::optional<std::vector<Leaf>> leaves = std::visit(Assigned{at, value, to}, to.is);
  return leaves ? Value{to, std::move(*leaves), value.origin} : Value{};
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
  if (const std::string name = name_of_global(at.instance(), value.origin);
      value.as<NoneType>() && !name.empty())
    error.help("'" + name + "' is None: give it a number before the launch, which finds it");
  if (it.kind == TypeKind::Struct && value.as<NumberType>())
    error.help("make a struct: " + wanted + "(…)");
  if (value.as<VectorType>() && it.kind == TypeKind::Scalar)
    error.help("store its lanes one by one, as in x[0] = v.x");
  if (value.as<NoneType>() && is_argument(at, value)) {
    const std::string name = local_name(at.instance(), value.origin);
    error.help("pass a number for '" + name + "', or test it beforehand: if " + name +
               " is not None");
  }
  const NumberType* number = value.as<NumberType>();
  if (!number || it.kind != TypeKind::Scalar) return error.report();
  if (is_complex(number->number.scalar))
    error.help("store a part, z.real or z.imag, or the magnitude, abs(z)");
  else if (it.scalar == Scalar::Bool)
    error.help("compare to get a bool: x != 0").enclose(at.place_of(value), "(", ") != 0");
  else if (is_integer(it.scalar) && !divide_whole(error, at, value))
    enclose(error.help(
                "say how to round: device." + wanted + "(x) truncates, " +
                (info(it.scalar).bits < 64 ? "round(x)" : "device." + wanted + "(numpy.rint(x))") +
                " rounds"),
            at, value, "device." + wanted);
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

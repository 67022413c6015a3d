#include "compiler/typing/known/type_value.h"

#include <algorithm>
#include <array>
#include <bit>

#include "abi/type_names.h"
#include "compiler/builtins/registry.h"

namespace hetjit::typing {

bool operator==(const NumberType& a, const NumberType& b) {
  if (a.number != b.number || a.nonnegative != b.nonnegative || a.mask != b.mask) return false;
  if (a.exact != b.exact || a.rounding != b.rounding) return false;
  if (!a.literal || !b.literal || is_integer(*a.literal) || is_integer(*b.literal))
    return a.literal == b.literal;
  using Bits = std::array<uint64_t, 2>;
  return a.literal->index() == b.literal->index() &&
         std::bit_cast<Bits>(as_complex(*a.literal)) == std::bit_cast<Bits>(as_complex(*b.literal));
}
Rounding operator|(const Rounding& a, const Rounding& b) {
  return {a.argument ? a.argument : b.argument, a.integers || b.integers, a.mixed || b.mixed,
          a.passed || b.passed};
}
bool operator==(const TupleType& a, const TupleType& b) { return a.items == b.items; }
bool operator==(const StructType& a, const StructType& b) {
  return a.type == b.type && a.items == b.items;
}
bool operator==(const RangeType& a, const RangeType& b) { return a.parts == b.parts; }
bool operator==(const IteratorType& a, const IteratorType& b) { return a.parts == b.parts; }
bool operator==(const IterableType& a, const IterableType& b) {
  return a.kind == b.kind && a.parts == b.parts;
}
bool operator==(const SliceType& a, const SliceType& b) { return a.parts == b.parts; }
bool operator==(const MethodType& a, const MethodType& b) {
  return a.name == b.name && a.self == b.self;
}
bool operator==(const FunctionType& a, const FunctionType& b) {
  return a.function == b.function && a.captures == b.captures && a.captured == b.captured &&
         a.defaults == b.defaults && a.self == b.self && a.yields == b.yields;
}

bool operator==(const TypeValue& a, const TypeValue& b) { return a.is == b.is; }

TypeValue number_value(Number number, bool nonnegative) {
  return {NumberType{number, std::nullopt, nonnegative}};
}
TypeValue literal_value(Number number, Literal literal) {
  return {NumberType{number, literal, false}};
}
TypeValue int_value(int64_t value) { return literal_value(kInt, Literal{Integer{value}}); }
TypeValue bool_value(bool value) { return literal_value(kBool, Literal{Integer{value}}); }

TypeValue parameter_value(const Parameter& parameter) {
  const Type& entry = type(parameter.type);
  switch (entry.kind) {
    case TypeKind::None:
      return {NoneType{}};
    case TypeKind::Scalar:
      return number_value({entry.scalar, parameter.weak});
    case TypeKind::Array:
      return {ArrayType{parameter.type}};
    case TypeKind::Tuple: {
      TupleType tuple;
      for (const Field& field : entry.fields)
        tuple.items.push_back(parameter_value({field.type, parameter.weak}));
      return {std::move(tuple)};
    }
    case TypeKind::Aligned:
      return parameter_value({entry.element, parameter.weak});
    case TypeKind::Vector:
      return {VectorType{entry.scalar, entry.lanes}};
    case TypeKind::Struct: {
      if (holds_atomic(parameter.type)) break;  // lives in memory only (AMB-17)
      StructType made{parameter.type, {}};
      for (const Field& field : entry.fields)
        made.items.push_back(parameter_value({field.type, field.weak}));
      return {std::move(made)};
    }
    default:
      break;
  }
  return {OpaqueType{"a value of type " + to_python(parameter.type)}};
}

std::optional<TypeValues> items_of(const TypeValue& value) {
  if (const TupleType* tuple = value.as<TupleType>()) return tuple->items;
  if (const StructType* record = value.as<StructType>()) return record->items;
  if (const VectorType* vector = value.as<VectorType>())
    return TypeValues(vector->lanes, number_value({vector->element, false}));
  return std::nullopt;
}

Scalar in_float64(Scalar scalar) {
  return is_complex(scalar) ? Scalar::Complex128 : Scalar::Float64;
}

bool outgrows_float32(const NumberType& number) {
  constexpr int kDigits = 24;  // of a float32, in bits
  const bool integer = info(number.number.scalar).category == Category::Integer;
  return integer && !number.number.weak && !number.literal &&
         info(number.number.scalar).bits > kDigits;
}
bool is_python_float(const TypeValue& value) {
  const NumberType* number = value.as<NumberType>();
  return number && !number->literal && number->number.weak &&
         info(number->number.scalar).category > Category::Integer;
}

std::optional<Integer> integer_literal(const TypeValue& value) {
  const NumberType* number = value.as<NumberType>();
  if (!number || !number->literal || !is_integer(*number->literal)) return std::nullopt;
  return std::get<Integer>(*number->literal);
}

namespace {

struct Truth {
  template <class T>
  std::optional<bool> operator()(const T&) const {
    return true;
  }
  std::optional<bool> operator()(const NoneType&) const { return false; }
  std::optional<bool> operator()(const StringType& text) const { return !text.text.empty(); }
  std::optional<bool> operator()(const TupleType& tuple) const { return !tuple.items.empty(); }
  std::optional<bool> operator()(const NumberType& number) const {
    if (!number.literal) return std::nullopt;
    auto [real, imag] = as_complex(*number.literal);
    return real != 0 || imag != 0;
  }
  std::optional<bool> operator()(const TextType&) const { return std::nullopt; }
  std::optional<bool> operator()(const Erroneous&) const { return std::nullopt; }
  std::optional<bool> operator()(const Unassigned&) const { return std::nullopt; }
  std::optional<bool> operator()(const Disagreement&) const { return std::nullopt; }
  std::optional<bool> operator()(const ArrayType&) const { return std::nullopt; }
  std::optional<bool> operator()(const VectorType&) const { return std::nullopt; }
  std::optional<bool> operator()(const ReferenceType&) const { return std::nullopt; }
  std::optional<bool> operator()(const AtomicType&) const { return std::nullopt; }
  std::optional<bool> operator()(const TargetType&) const { return std::nullopt; }
  std::optional<bool> operator()(const RangeType&) const { return std::nullopt; }
  std::optional<bool> operator()(const IteratorType&) const { return std::nullopt; }
  std::optional<bool> operator()(const OpaqueType&) const { return std::nullopt; }
};

struct Leaves {
  std::vector<TypeId>& leaves;

  template <class T>
  void operator()(const T&) const {}
  void operator()(const NumberType& number) const {
    if (number.literal) return;
    leaves.push_back(scalar_type(number.number.scalar));
    if (number.exact) leaves.push_back(scalar_type(in_float64(number.number.scalar)));
  }
  void operator()(const ArrayType& array) const { leaves.push_back(array.type); }
  void operator()(const TupleType& tuple) const { all(tuple.items); }
  void operator()(const VectorType& vector) const {
    leaves.insert(leaves.end(), vector.lanes, scalar_type(vector.element));
  }
  void operator()(const StructType& record) const { all(record.items); }
  void operator()(const ReferenceType& reference) const {
    leaves.push_back(pointer_type(reference.type));
  }
  void operator()(const AtomicType& atomic) const {
    leaves.push_back(pointer_type(scalar_type(atomic.number.scalar)));
  }
  void operator()(const RangeType& range) const { all(range.parts); }
  void operator()(const IteratorType& iterator) const { all(iterator.parts); }
  void operator()(const IterableType& iterable) const { all(iterable.parts); }
  void operator()(const SliceType& slice) const { all(slice.parts); }
  void operator()(const MethodType& method) const { all(method.self); }
  void operator()(const FunctionType& function) const {
    all(function.defaults);
    all(function.captured);
  }
  void operator()(const TextType& text) const { numbers(text.pieces); }
  void operator()(const ExceptionType& exception) const { numbers(exception.text); }
  void numbers(const TextPieces& pieces) const {
    for (const TextPiece& piece : pieces)
      leaves.insert(leaves.end(), word_count(piece), scalar_type(word_scalar(piece)));
  }
  void all(const TypeValues& parts) const {
    for (const TypeValue& part : parts) append_leaves(part, leaves);
  }
};

std::optional<TypeValues> join_all(const TypeValues& a, const TypeValues& b) {
  if (a.size() != b.size()) return std::nullopt;
  TypeValues joined;
  for (size_t i = 0; i < a.size(); ++i) {
    joined.push_back(join(a[i], b[i]));
    if (joined[i].holds<Disagreement>() || joined[i].holds<Unassigned>()) return std::nullopt;
  }
  return joined;
}

// Whether a number is >= 0 in a format too: one of more bits wraps into it, maybe below 0. Literals
// that do not fit are reported elsewhere.
bool stays_nonnegative(const NumberType& number, Scalar format) {
  bool keeps_bits = number.literal || info(number.number.scalar).bits <= info(format).bits;
  return is_nonnegative(number) && keeps_bits;
}

// What was rounded of a number that joins two: nothing, when it has more bits or one of them is
// float32 by its own format.
Rounding rounding_of(Number joined, const NumberType& a, const NumberType& b) {
  auto own_format = [](const NumberType& of) {
    return !of.number.weak && !of.rounding && info(of.number.scalar).category > Category::Integer;
  };
  bool narrow = joined.scalar == Scalar::Float32 || joined.scalar == Scalar::Complex64;
  if (!narrow || own_format(a) || own_format(b)) return {};
  Rounding both = a.rounding | b.rounding;
  both.mixed |= outgrows_float32(a) || outgrows_float32(b);
  return both;
}

struct Name {
  std::string operator()(const Erroneous&) const { return "an erroneous value"; }
  std::string operator()(const Unassigned&) const { return "unassigned"; }
  std::string operator()(const Disagreement&) const { return "a value of several types"; }
  std::string operator()(const NoneType&) const { return "None"; }
  std::string operator()(const NumberType& number) const {
    return number.mask ? "WarpMask" : name_of(number.number);
  }
  std::string operator()(const ArrayType& array) const { return to_python(array.type); }
  std::string operator()(const TupleType& tuple) const {
    if (tuple.items.empty()) return "tuple[()]";
    std::string text;
    constexpr size_t kShown = 8;
    for (size_t i = 0; i < tuple.items.size() && i < kShown; ++i)
      text += (i ? ", " : "") + name_of(tuple.items[i]);
    if (tuple.items.size() > kShown)
      text += ", ... " + std::to_string(tuple.items.size()) + " items";
    return "tuple[" + text + "]";
  }
  std::string operator()(const VectorType& vector) const {
    return to_python(vector_type(vector.element, vector.lanes));
  }
  std::string operator()(const StructType& record) const { return to_python(record.type); }
  std::string operator()(const ReferenceType& reference) const { return to_python(reference.type); }
  std::string operator()(const AtomicType& atomic) const {
    return "Atomic[" + name_of(atomic.number) + "]";
  }
  std::string operator()(const RangeType&) const { return "range"; }
  std::string operator()(const IteratorType&) const { return "iterator"; }
  std::string operator()(const IterableType& iterable) const {
    constexpr const char* kNames[] = {"enumerate", "zip", "reversed", "map",
                                      "a generator expression"};
    return kNames[size_t(iterable.kind)];
  }
  std::string operator()(const FunctionType&) const { return "a function"; }
  std::string operator()(const BuiltinType& builtin) const {
    return "'" + std::string(builtin.builtin->name) + "'";
  }
  std::string operator()(const MethodType& method) const {
    return "the method '" + method.name + "' of " + name_of(method.self[0]);
  }
  std::string operator()(const ModuleType& module) const {
    return "the module '" + module.module + "'";
  }
  std::string operator()(const TypeObject& object) const {
    if (holds_atomic(object.type.type)) return "the type " + to_python(object.type.type);
    return "the type " + name_of(parameter_value(object.type));
  }
  std::string operator()(const TargetType& target) const {
    return target.selector.empty() ? "a TargetDescription" : "the architecture " + target.selector;
  }
  std::string operator()(const StringType&) const { return "str"; }
  std::string operator()(const TextType&) const { return "str"; }
  std::string operator()(const ExceptionType& exception) const { return exception.name; }
  std::string operator()(const EllipsisType&) const { return "'...'"; }
  std::string operator()(const SliceType&) const { return "slice"; }
  std::string operator()(const OpaqueType& opaque) const { return opaque.description; }
};

// Joins two values of one kind; the others disagree.
struct Joining {
  template <class A, class B>
  static TypeValue disagree(const A& a, const B& b) {
    return {Disagreement{Name{}(a), Name{}(b)}};
  }
  template <class A, class B>
  TypeValue operator()(const A& a, const B& b) const {
    return disagree(a, b);
  }
  TypeValue operator()(const NumberType& a, const NumberType& b) const {
    bool mixes = a.number == b.number || a.number.weak || b.number.weak;
    std::optional<Number> number = a.number == b.number ? a.number : promote(a.number, b.number);
    if (!mixes || !number) return disagree(a, b);
    bool nonnegative = is_signed_integer(number->scalar) && stays_nonnegative(a, number->scalar) &&
                       stays_nonnegative(b, number->scalar);
    TypeValue joined = number_value(*number, nonnegative);
    NumberType& made = std::get<NumberType>(joined.is);
    made.mask = a.mask && b.mask;
    made.exact = (a.exact || b.exact) && is_python_float(joined);
    made.rounding = rounding_of(*number, a, b);
    return joined;
  }
  // Two arrays are one that is known of both: strides, where one has them, and wide indices.
  TypeValue operator()(const ArrayType& a, const ArrayType& b) const {
    const Type &left = type(a.type), &right = type(b.type);
    if (left.element != right.element || left.rank != right.rank) return disagree(a, b);
    ArrayFacts facts{
        .order = left.facts.order == right.facts.order ? left.facts.order : Order::Strided,
        .index_bits = std::max(left.facts.index_bits, right.facts.index_bits),
        .writable = left.facts.writable && right.facts.writable};
    return {ArrayType{array_type(left.element, left.rank, facts)}};
  }
  TypeValue operator()(const TupleType& a, const TupleType& b) const {
    return parts(a, b, a.items, b.items);
  }
  TypeValue operator()(const StructType& a, const StructType& b) const {
    auto [one, other] = to_python_apart(a.type, b.type);
    std::optional<TypeValues> joined = join_all(a.items, b.items);
    if (a.type != b.type || !joined) return {Disagreement{std::move(one), std::move(other)}};
    return {StructType{a.type, std::move(*joined)}};
  }
  TypeValue operator()(const MethodType& a, const MethodType& b) const {
    std::optional<TypeValues> joined = join_all(a.self, b.self);
    if (a.name != b.name || !joined) return disagree(a, b);
    return {MethodType{a.name, std::move(*joined)}};
  }
  TypeValue operator()(const RangeType& a, const RangeType& b) const {
    return parts(a, b, a.parts, b.parts);
  }
  TypeValue operator()(const IteratorType& a, const IteratorType& b) const {
    return parts(a, b, a.parts, b.parts);
  }
  TypeValue operator()(const IterableType& a, const IterableType& b) const {
    std::optional<TypeValues> joined = join_all(a.parts, b.parts);
    if (a.kind != b.kind || !joined) return disagree(a, b);
    return {IterableType{a.kind, std::move(*joined)}};
  }
  TypeValue operator()(const SliceType& a, const SliceType& b) const {
    return parts(a, b, a.parts, b.parts);
  }
  TypeValue operator()(const FunctionType& a, const FunctionType& b) const {
    auto captured = join_all(a.captured, b.captured), defaults = join_all(a.defaults, b.defaults);
    if (a.function != b.function || !captured || !defaults) return disagree(a, b);
    FunctionType joined = a;
    joined.captured = std::move(*captured);
    joined.defaults = std::move(*defaults);
    return {std::move(joined)};
  }
  template <class T>
  TypeValue parts(const T& a, const T& b, const TypeValues& left, const TypeValues& right) const {
    std::optional<TypeValues> joined = join_all(left, right);
    if (!joined) return disagree(a, b);
    return {T{std::move(*joined)}};
  }
};

TypeValues all_without_literals(const TypeValues& values) {
  TypeValues result;
  for (const TypeValue& value : values) result.push_back(without_literals(value));
  return result;
}

}  // namespace

std::optional<bool> known_truth(const TypeValue& value) { return std::visit(Truth{}, value.is); }

bool is_nonnegative(const NumberType& number) {
  if (number.literal) return is_integer(*number.literal) && std::get<Integer>(*number.literal) >= 0;
  if (is_integer(number.number.scalar) && !info(number.number.scalar).is_signed) return true;
  return number.nonnegative || number.number.scalar == Scalar::Bool;
}

void append_leaves(const TypeValue& value, std::vector<TypeId>& leaves) {
  std::visit(Leaves{leaves}, value.is);
}

size_t leaf_count(const TypeValue& value) {
  if (const NumberType* number = value.as<NumberType>())
    return number->literal ? 0 : number->exact ? 2 : 1;
  std::vector<TypeId> leaves;
  append_leaves(value, leaves);
  return leaves.size();
}

size_t part_count(const TypeValue& value) {
  auto count = [](const TypeValues& parts) {
    size_t sum = 0;
    for (const TypeValue& part : parts) sum += part_count(part);
    return sum;
  };
  if (std::optional<TypeValues> items = items_of(value)) return 1 + count(*items);
  if (const MethodType* method = value.as<MethodType>()) return 1 + count(method->self);
  if (const IterableType* iterable = value.as<IterableType>()) return 1 + count(iterable->parts);
  if (const FunctionType* function = value.as<FunctionType>())
    return 1 + count(function->captured) + count(function->defaults);
  return 1;
}

bool is_constant(const TypeValue& value) {
  if (value.holds<Unassigned>() || value.holds<Disagreement>() || value.holds<OpaqueType>())
    return false;
  return leaf_count(value) == 0;
}

TypeValue join(const TypeValue& a, const TypeValue& b) {
  if (a.erroneous() || a == b) return b;
  if (b.erroneous()) return a;
  if (a.holds<Unassigned>() || b.holds<Unassigned>()) return {Unassigned{.sometimes = true}};
  if (a.holds<Disagreement>()) return a;
  if (b.holds<Disagreement>()) return b;
  return std::visit(Joining{}, a.is, b.is);
}

namespace {

bool is_fixed_number(const TypeValue& value) {
  const NumberType* number = value.as<NumberType>();
  return number && !number->number.weak;
}

// Item by item, when all are tuples of one size.
std::optional<TypeValue> join_tuples(const TypeValues& values) {
  const TupleType* first = values[0].as<TupleType>();
  for (const TypeValue& value : values) {
    const TupleType* tuple = value.as<TupleType>();
    if (!first || !tuple || tuple->items.size() != first->items.size()) return std::nullopt;
  }
  TupleType joined;
  for (size_t i = 0; i < first->items.size(); ++i) {
    TypeValues items;
    for (const TypeValue& value : values) items.push_back(value.as<TupleType>()->items[i]);
    joined.items.push_back(join(std::move(items)));
    const TypeValue& item = joined.items.back();
    if (item.holds<Disagreement>() || item.holds<Unassigned>()) {
      TypeValue last = join(values[0], values.back());
      return last.holds<Disagreement>() ? last : TypeValue{Disagreement{}};
    }
  }
  return TypeValue{std::move(joined)};
}

}  // namespace

TypeValue join(TypeValues values) {
  std::erase_if(values, [](const TypeValue& value) { return value.erroneous(); });
  if (values.empty()) return {};
  if (values.size() > 2)
    if (std::optional<TypeValue> tuple = join_tuples(values)) return *tuple;
  // Joining two by two is not associative (a builtin float between two integers), so the order is
  // ours and not that of the paths: fixed formats first, then by name.
  std::stable_sort(values.begin(), values.end(), [](const TypeValue& a, const TypeValue& b) {
    const bool a_fixed = is_fixed_number(a), b_fixed = is_fixed_number(b);
    return a_fixed != b_fixed ? a_fixed : name_of(a) < name_of(b);
  });
  TypeValue joined = values[0];
  for (size_t i = 1; i < values.size(); ++i) joined = join(joined, values[i]);
  return joined;
}

TypeValue without_literals(const TypeValue& value) {
  TypeValue result = value;
  if (NumberType* number = std::get_if<NumberType>(&result.is)) {
    number->nonnegative = is_nonnegative(*number) && is_signed_integer(number->number.scalar);
    number->literal.reset();
    number->exact = false;
  } else if (TupleType* tuple = std::get_if<TupleType>(&result.is)) {
    tuple->items = all_without_literals(tuple->items);
  } else if (StructType* record = std::get_if<StructType>(&result.is)) {
    record->items = all_without_literals(record->items);
  } else if (RangeType* range = std::get_if<RangeType>(&result.is)) {
    range->parts = all_without_literals(range->parts);
  }
  return result;
}

std::string name_of(Number number) {
  if (!number.weak) return std::string(info(number.scalar).python_name);
  switch (info(number.scalar).category) {
    case Category::Bool:
      return "bool";
    case Category::Integer:
      return "int";
    case Category::Floating:
      return "float";
    default:
      return "complex";
  }
}

std::string name_of(const TypeValue& value) { return std::visit(Name{}, value.is); }

std::pair<std::string, std::string> names_apart(const TypeValue& a, const TypeValue& b) {
  const StructType *one = a.as<StructType>(), *other = b.as<StructType>();
  if (one && other) return to_python_apart(one->type, other->type);
  return {name_of(a), name_of(b)};
}

}  // namespace hetjit::typing

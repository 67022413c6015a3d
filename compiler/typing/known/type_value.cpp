#include "compiler/typing/known/type_value.h"

#include <array>
#include <bit>

#include "abi/type_names.h"
#include "compiler/builtins/registry.h"
#include "compiler/ir/ops_base.h"
#include "compiler/typing/known/external_objects.h"

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
bool operator==(const TupleType& a, const TupleType& b) {
  return a.list == b.list && a.items == b.items;
}
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
        tuple.items.push_back(parameter_value({field.type, parameter.weak || field.weak}));
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

namespace {

/// Kinds of which no value is made of others.
template <class Kind>
concept WithoutParts =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, NumberType, ArrayType,
              ReferenceType, AtomicType, BuiltinType, ModuleType, TypeObject, TargetType,
              StringType, TextType, ExceptionType, EllipsisType, ExternalType, OpaqueType>;

struct PartsIn {
  TypeValues operator()(const TupleType& tuple) const { return tuple.items; }
  TypeValues operator()(const VectorType& vector) const {
    return TypeValues(vector.lanes, number_value({vector.element, false}));
  }
  TypeValues operator()(const StructType& record) const { return record.items; }
  TypeValues operator()(const RangeType& range) const { return range.parts; }
  TypeValues operator()(const IteratorType& iterator) const { return iterator.parts; }
  TypeValues operator()(const IterableType& iterable) const { return iterable.parts; }
  TypeValues operator()(const SliceType& slice) const { return slice.parts; }
  TypeValues operator()(const MethodType& method) const { return method.self; }
  TypeValues operator()(const FunctionType& function) const {
    TypeValues parts = function.defaults;
    parts.insert(parts.end(), function.captured.begin(), function.captured.end());
    return parts;
  }
  template <WithoutParts Kind>
  TypeValues operator()(const Kind&) const {
    return {};
  }
};

}  // namespace

TypeValues parts_in(const TypeValue& value) { return std::visit(PartsIn{}, value.is); }

std::optional<TypeValues> items_of(const TypeValue& value) {
  const StructType* record = value.as<StructType>();
  const bool any =
      value.holds<TupleType>() || value.holds<VectorType>() || (record && !is_object(record->type));
  return any ? std::optional(parts_in(value)) : std::nullopt;
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
  std::optional<bool> operator()(const NoneType&) const { return false; }
  std::optional<bool> operator()(const StringType& text) const { return !text.text.empty(); }
  std::optional<bool> operator()(const TupleType& tuple) const { return !tuple.items.empty(); }
  std::optional<bool> operator()(const NumberType& number) const {
    if (!number.literal) return std::nullopt;
    auto [real, imag] = as_complex(*number.literal);
    return real != 0 || imag != 0;
  }
  std::optional<bool> operator()(const StructType& record) const {
    return is_object(record.type) ? std::nullopt : std::optional(true);
  }
  template <ir::OneOf<MethodType, IterableType, FunctionType, BuiltinType, ModuleType, TypeObject,
                      ExceptionType, EllipsisType, SliceType>
                Kind>
  std::optional<bool> operator()(const Kind&) const {
    return true;
  }
  template <
      ir::OneOf<Erroneous, Unassigned, Disagreement, ArrayType, VectorType, ReferenceType,
                AtomicType, TargetType, TextType, RangeType, IteratorType, ExternalType, OpaqueType>
          Kind>
  std::optional<bool> operator()(const Kind&) const {
    return std::nullopt;
  }
};

struct Leaves {
  std::vector<TypeId>& leaves;

  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, BuiltinType, ModuleType,
                      TypeObject, TargetType, StringType, EllipsisType, ExternalType, OpaqueType>
                Kind>
  void operator()(const Kind&) const {}
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
    if (tuple.items.empty()) return tuple.list ? "list[]" : "tuple[()]";
    std::string text;
    constexpr size_t kShown = 8;
    for (size_t i = 0; i < tuple.items.size() && i < kShown; ++i)
      text += (i ? ", " : "") + name_of(tuple.items[i]);
    if (tuple.items.size() > kShown)
      text += ", ... " + std::to_string(tuple.items.size()) + " items";
    return (tuple.list ? "list[" : "tuple[") + text + "]";
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
  std::string operator()(const ExternalType& external) const {
    return external.name.empty() ? "a C++ library" : "'" + external.name + "' of C++";
  }
  std::string operator()(const OpaqueType& opaque) const { return opaque.description; }
};

TypeValues all_without_literals(TypeValues values) {
  for (TypeValue& value : values) value = without_literals(value);
  return values;
}

struct WithoutLiterals {
  TypeValue operator()(NumberType number) const {
    number.nonnegative = is_nonnegative(number) && is_signed_integer(number.number.scalar);
    number.literal.reset();
    number.exact = false;
    return {std::move(number)};
  }
  TypeValue operator()(TupleType tuple) const {
    return {TupleType{all_without_literals(std::move(tuple.items)), tuple.list}};
  }
  TypeValue operator()(StructType record) const {
    return {StructType{record.type, all_without_literals(std::move(record.items))}};
  }
  TypeValue operator()(RangeType range) const {
    return {RangeType{all_without_literals(std::move(range.parts))}};
  }
  // What these hold stays known: it is computed with where they are used.
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, ArrayType, VectorType,
                      ReferenceType, AtomicType, MethodType, IteratorType, IterableType,
                      FunctionType, BuiltinType, ModuleType, TypeObject, TargetType, StringType,
                      TextType, ExceptionType, EllipsisType, SliceType, ExternalType, OpaqueType>
                Kind>
  TypeValue operator()(const Kind& kind) const {
    return {kind};
  }
};

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
  size_t count = 1;
  for (const TypeValue& part : parts_in(value)) count += part_count(part);
  return count;
}

bool is_constant(const TypeValue& value) {
  if (value.holds<Unassigned>() || value.holds<Disagreement>() || value.holds<OpaqueType>())
    return false;
  return leaf_count(value) == 0;
}

TypeValue without_literals(const TypeValue& value) {
  return std::visit(WithoutLiterals{}, value.is);
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

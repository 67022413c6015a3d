// Where paths join: what is known of a value that comes from any of them.
#include <algorithm>

#include "abi/type_names.h"
#include "compiler/ir/ops_base.h"
#include "compiler/typing/known/type_value.h"

namespace hetjit::typing {
namespace {

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

// A mask, or a number that is written where it begins: lanes = 0, then lanes |= others.
bool may_be_mask(const NumberType& number) {
  return number.mask || (number.literal && is_integer(*number.literal));
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

/// Kinds of which two that differ have nothing in common.
template <class Kind>
concept OfItsOwn =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, VectorType, ReferenceType,
              AtomicType, BuiltinType, ModuleType, TypeObject, TargetType, StringType, TextType,
              ExceptionType, EllipsisType, ExternalType, OpaqueType>;

TypeValue disagreement(const TypeValue& a, const TypeValue& b) {
  return {Disagreement{name_of(a), name_of(b)}};
}

/// Two values of one kind.
struct Joining {
  const TypeValue &left, &right;

  TypeValue disagree() const { return disagreement(left, right); }
  template <OfItsOwn Kind>
  TypeValue operator()(const Kind&, const Kind&) const {
    return disagree();
  }
  TypeValue operator()(const NumberType& a, const NumberType& b) const {
    bool mixes = a.number == b.number || a.number.weak || b.number.weak;
    std::optional<Number> number = a.number == b.number ? a.number : promote(a.number, b.number);
    if (!mixes || !number) return disagree();
    bool nonnegative = is_signed_integer(number->scalar) && stays_nonnegative(a, number->scalar) &&
                       stays_nonnegative(b, number->scalar);
    TypeValue joined = number_value(*number, nonnegative);
    NumberType& made = std::get<NumberType>(joined.is);
    made.mask = (a.mask || b.mask) && may_be_mask(a) && may_be_mask(b);
    made.exact = (a.exact || b.exact) && is_python_float(joined);
    made.rounding = rounding_of(*number, a, b);
    return joined;
  }
  // Two arrays are one that is known of both: strides, where one has them, and wide indices.
  TypeValue operator()(const ArrayType& a, const ArrayType& b) const {
    const Type &one = type(a.type), &other = type(b.type);
    if (one.element != other.element || one.rank != other.rank) return disagree();
    ArrayFacts facts{
        .order = one.facts.order == other.facts.order ? one.facts.order : Order::Strided,
        .index_bits = std::max(one.facts.index_bits, other.facts.index_bits),
        .writable = one.facts.writable && other.facts.writable};
    return {ArrayType{array_type(one.element, one.rank, facts)}};
  }
  TypeValue operator()(const TupleType& a, const TupleType& b) const {
    std::optional<TypeValues> items = join_all(a.items, b.items);
    if (a.list != b.list || !items) return disagree();
    return {TupleType{std::move(*items), a.list}};
  }
  TypeValue operator()(const StructType& a, const StructType& b) const {
    auto [one, other] = to_python_apart(a.type, b.type);
    std::optional<TypeValues> joined = join_all(a.items, b.items);
    if (a.type != b.type || !joined) return {Disagreement{std::move(one), std::move(other)}};
    return {StructType{a.type, std::move(*joined)}};
  }
  TypeValue operator()(const MethodType& a, const MethodType& b) const {
    std::optional<TypeValues> joined = join_all(a.self, b.self);
    if (a.name != b.name || !joined) return disagree();
    return {MethodType{a.name, std::move(*joined)}};
  }
  TypeValue operator()(const RangeType& a, const RangeType& b) const {
    return joined<RangeType>(a.parts, b.parts);
  }
  TypeValue operator()(const IteratorType& a, const IteratorType& b) const {
    return joined<IteratorType>(a.parts, b.parts);
  }
  TypeValue operator()(const IterableType& a, const IterableType& b) const {
    std::optional<TypeValues> joined = join_all(a.parts, b.parts);
    if (a.kind != b.kind || !joined) return disagree();
    return {IterableType{a.kind, std::move(*joined)}};
  }
  TypeValue operator()(const SliceType& a, const SliceType& b) const {
    return joined<SliceType>(a.parts, b.parts);
  }
  TypeValue operator()(const FunctionType& a, const FunctionType& b) const {
    auto captured = join_all(a.captured, b.captured), defaults = join_all(a.defaults, b.defaults);
    if (a.function != b.function || !captured || !defaults) return disagree();
    FunctionType joined = a;
    joined.captured = std::move(*captured);
    joined.defaults = std::move(*defaults);
    return {std::move(joined)};
  }
  template <class Kind>
  TypeValue joined(const TypeValues& a, const TypeValues& b) const {
    std::optional<TypeValues> parts = join_all(a, b);
    return parts ? TypeValue{Kind{std::move(*parts)}} : disagree();
  }
};

}  // namespace

TypeValue join(const TypeValue& a, const TypeValue& b) {
  if (a.erroneous() || a == b) return b;
  if (b.erroneous()) return a;
  if (a.holds<Unassigned>() || b.holds<Unassigned>()) return {Unassigned{.sometimes = true}};
  if (a.holds<Disagreement>()) return a;
  if (b.holds<Disagreement>()) return b;
  if (a.is.index() != b.is.index()) return disagreement(a, b);
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        return Joining{a, b}(kind, *b.as<Kind>());
      },
      a.is);
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
    if (tuple->list != first->list) return std::nullopt;
  }
  TupleType joined{{}, first->list};
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

}  // namespace hetjit::typing

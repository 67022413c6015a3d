// Operators of the untyped graph: on numbers (operators.cpp), vectors (vectors.cpp), tuples, text,
// types and None.
#include <algorithm>

#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/structs.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/kinds/vectors.h"
#include "compiler/typing/ops/iteration.h"

namespace hetjit::typing {

using ssa::BinaryKind;
using ssa::CompareKind;

namespace {

Value concatenated(const Value& a, const Value& b) {
  TupleType both = *a.as<TupleType>();
  const TypeValues& more = b.as<TupleType>()->items;
  both.items.insert(both.items.end(), more.begin(), more.end());
  Value result = static_value({std::move(both)});
  result.leaves = a.leaves;
  result.leaves.insert(result.leaves.end(), b.leaves.begin(), b.leaves.end());
  return result;
}

// t * n with a constant n; nullopt when it is something else.
std::optional<Value> repeated(Evaluation& at, const Value& tuple, const Value& count) {
  std::optional<Integer> times = integer_literal(count.type);
  if (!times) return std::nullopt;
  Value result = static_value({TupleType{{}, tuple.as<TupleType>()->list}});
  if (tuple.as<TupleType>()->items.empty()) return result;
  for (Integer i = 0; i < *times; ++i) {
    if (!few_parts(at, {result, tuple})) return Value{};
    result = concatenated(result, tuple);
  }
  return result;
}

Value binary_arrays(Evaluation& at, BinaryKind kind, const Value& a, const Value& b,
                    bool in_place) {
  if (in_place && a.as<ArrayType>() && (b.as<NumberType>() || b.as<ArrayType>()))
    return array_in_place(at, kind, a, b);
  std::string symbol(ssa::symbol(kind));
  Diagnostics::Builder error =
      at.error(Code::ArrayOperator, {symbol + (in_place ? "=" : "")}, {&a, &b});
  for (const Value* each : {&a, &b})
    if (const ArrayType* array = each->as<ArrayType>(); array && type(array->type).rank == 0)
      return error.help("an array of 0 dimensions has one element: a[()]").report();
  if (kind == BinaryKind::MatrixMultiply)
    return error.help("add up products in a loop: total += a[i, k] * b[k, j]").report();
  const bool offset = kind == BinaryKind::Add && (a.as<NumberType>() || b.as<NumberType>());
  return error
      .help("index the arrays: each thread computes one element, as in c[i] = a[i] " + symbol +
            " b[i]" + (offset ? "; the array from there on is a[i:]" : ""))
      .report();
}

// (1,) + [2]: Python has no sum of the two; a list takes another's items in place.
bool are_of_two_kinds(const Value& a, const Value& b, bool in_place) {
  const TupleType *left = a.as<TupleType>(), *right = b.as<TupleType>();
  return left && right && left->list != right->list && !(left->list && in_place);
}

Value binary_tuples(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  bool left = a.as<TupleType>(), right = b.as<TupleType>();
  if (kind == BinaryKind::Add && left && right)
    return few_parts(at, {a, b}) ? concatenated(a, b) : Value{};
  std::optional<Value> result;
  if (kind == BinaryKind::Multiply && left && b.as<NumberType>()) result = repeated(at, a, b);
  if (kind == BinaryKind::Multiply && right && a.as<NumberType>()) result = repeated(at, b, a);
  return result ? *result : no_operator(at, kind, a, b);
}

bool is_set_of_targets(const Value& value) {
  const TargetType* target = value.as<TargetType>();
  return target && target->selector.empty();
}

// Sets of targets: is_nvidia | is_amd.
Value binary_targets(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  if (!is_set_of_targets(a) || !is_set_of_targets(b)) return no_operator(at, kind, a, b);
  const bool x = a.as<TargetType>()->matches, y = b.as<TargetType>()->matches;
  if (kind == BinaryKind::And) return static_value({TargetType{"", x && y}});
  if (kind == BinaryKind::Or) return static_value({TargetType{"", x || y}});
  return no_operator(at, kind, a, b);
}

// By the methods of either's class.
Value binary_structs(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Value> result = struct_operator(at, kind, a, b);
  return result ? *result : no_operator(at, kind, a, b);
}

/// Whose operators a value has, least first: of two operands the greater one's are asked.
enum class Family : uint8_t { Number, None, Target, Tuple, Text, Vector, Struct, Array };

struct FamilyOf {
  Family operator()(const NumberType&) const { return Family::Number; }
  Family operator()(const TargetType&) const { return Family::Target; }
  Family operator()(const TupleType&) const { return Family::Tuple; }
  Family operator()(const StringType&) const { return Family::Text; }
  Family operator()(const TextType&) const { return Family::Text; }
  Family operator()(const VectorType&) const { return Family::Vector; }
  Family operator()(const StructType&) const { return Family::Struct; }
  Family operator()(const ArrayType&) const { return Family::Array; }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, ReferenceType, AtomicType,
                      MethodType, RangeType, IteratorType, IterableType, FunctionType, BuiltinType,
                      ModuleType, TypeObject, ExceptionType, EllipsisType, SliceType, ExternalType,
                      OpaqueType>
                Kind>
  Family operator()(const Kind&) const {
    return Family::None;
  }
};

Family family(const Value& value) { return std::visit(FamilyOf{}, value.type.is); }

using Binary = Value (*)(Evaluation&, BinaryKind, const Value&, const Value&);
constexpr Binary kBinary[] = {binary_numbers, no_operator,    binary_targets, binary_tuples,
                              binary_texts,   binary_vectors, binary_structs};
static_assert(std::size(kBinary) == size_t(Family::Array));

}  // namespace

Value binary(Evaluation& at, BinaryKind kind, const Value& a, const Value& b, bool in_place) {
  if (a.erroneous() || b.erroneous()) return {};
  const Family of = std::max(family(a), family(b));
  if (of == Family::Array) return binary_arrays(at, kind, a, b, in_place);
  if (are_of_two_kinds(a, b, in_place)) return no_operator(at, kind, a, b);
  return kBinary[size_t(of)](at, kind, a, b);
}

namespace {

Value opposite_truth(Evaluation& at, const Value& a) {
  Value value = truth(at, a);
  if (value.erroneous()) return {};
  if (std::optional<bool> known = known_truth(value.type)) return static_value(bool_value(!*known));
  return at.number(kBool, at.code().unary<ir::BitNot>(value.leaf()));
}

/// -a, +a and ~a.
struct UnaryOf {
  Evaluation& at;
  ssa::UnaryKind kind;
  const Value& a;

  Value operator()(const NumberType&) const { return unary_number(at, kind, a); }
  Value operator()(const VectorType&) const {
    return each_lane(a, [&](const Value& lane) { return unary_number(at, kind, lane); });
  }
  Value operator()(const StructType&) const {
    std::optional<Value> result = struct_operator(at, kind, a);
    return result ? *result : refused();
  }
  Value operator()(const ArrayType&) const {
    return at.error(Code::ArrayOperator, {symbol(kind)}, {&a})
        .help("index the array: each thread computes one element")
        .report();
  }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, TupleType, ReferenceType,
                      AtomicType, MethodType, RangeType, IteratorType, IterableType, FunctionType,
                      BuiltinType, ModuleType, TypeObject, TargetType, StringType, TextType,
                      ExceptionType, EllipsisType, SliceType, ExternalType, OpaqueType>
                Kind>
  Value operator()(const Kind&) const {
    return refused();
  }
  Value refused() const {
    return at.error(Code::NoUnaryOperator, {symbol(kind), name_of(a.type)}, {&a}).report();
  }
};

}  // namespace

Value unary(Evaluation& at, ssa::UnaryKind kind, const Value& a) {
  if (a.erroneous()) return {};
  bool opposite = kind == ssa::UnaryKind::Not || kind == ssa::UnaryKind::Invert;  // AMB-27
  if (opposite && is_set_of_targets(a))
    return static_value({TargetType{"", !a.as<TargetType>()->matches}});
  if (kind == ssa::UnaryKind::Not) return opposite_truth(at, a);
  return std::visit(UnaryOf{at, kind, a}, a.type.is);
}

namespace {

Value both(Evaluation& at, const Value& a, const Value& b) {
  return binary(at, BinaryKind::And, a, b);
}

// (a, b) == (c, d), and so of vectors and structs: every pair equal. != is its opposite.
Value equal_items(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  std::vector<Value> left = *items_of(a), right = *items_of(b);
  Value equal = static_value(bool_value(left.size() == right.size()));
  for (size_t i = 0; left.size() == right.size() && i < left.size(); ++i)
    equal = both(at, equal, compare(at, CompareKind::Eq, left[i], right[i]));
  return kind == CompareKind::Eq ? equal : unary(at, ssa::UnaryKind::Not, equal);
}

// (a, b) < (c, d): by the first pair that is not equal, else the shorter one is less.
Value order_tuples(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  std::vector<Value> left = *items_of(a), right = *items_of(b);
  auto size = [](const std::vector<Value>& items) {
    return static_value(int_value(static_cast<int64_t>(items.size())));
  };
  Value result = compare(at, kind, size(left), size(right));
  for (size_t i = std::min(left.size(), right.size()); i-- > 0;) {
    Value equal = compare(at, CompareKind::Eq, left[i], right[i]);
    Value here = compare(at, kind, left[i], right[i]);
    if (here.erroneous() || equal.erroneous() || result.erroneous()) return {};
    result = choose(at, equal, result, here);
  }
  return result;
}

// Whether both are made of items that correspond, so that they are compared item by item.
bool compared_by_items(const Value& a, const Value& b) {
  if (const TupleType* left = a.as<TupleType>(), *right = b.as<TupleType>(); left && right)
    return left->list == right->list;
  if (const VectorType* left = a.as<VectorType>(), *right = b.as<VectorType>(); left && right)
    return left->lanes == right->lanes;
  const StructType *left = a.as<StructType>(), *right = b.as<StructType>();
  return left && right && left->type == right->type;
}

// A vector or struct: equal to its like only.
bool is_record(const Value& value) { return value.as<VectorType>() || value.as<StructType>(); }

/// When it is known whether a value equals another.
enum class Equality : uint8_t { WhileCompiling, AtRunTime, Never };

struct EqualityOf {
  template <ir::OneOf<NoneType, TypeObject, StringType, BuiltinType, ModuleType, EllipsisType> Kind>
  Equality operator()(const Kind&) const {
    return Equality::WhileCompiling;
  }
  template <ir::OneOf<NumberType, ArrayType, TupleType, VectorType, StructType> Kind>
  Equality operator()(const Kind&) const {
    return Equality::AtRunTime;
  }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, ReferenceType, AtomicType, MethodType,
                      RangeType, IteratorType, IterableType, FunctionType, TargetType, TextType,
                      ExceptionType, SliceType, ExternalType, OpaqueType>
                Kind>
  Equality operator()(const Kind&) const {
    return Equality::Never;
  }
};

// Equality as far as it is known while compiling.
std::optional<bool> known_equal(const TypeValue& a, const TypeValue& b) {
  bool type_and_text = (a.holds<TypeObject>() && b.holds<StringType>()) ||
                       (a.holds<StringType>() && b.holds<TypeObject>());
  if (type_and_text) return std::nullopt;  // NumPy reads the text as a type
  const TupleType *one = std::get_if<TupleType>(&a.is), *other = std::get_if<TupleType>(&b.is);
  if (one && other && one->list != other->list) return false;
  const Equality left = std::visit(EqualityOf{}, a.is), right = std::visit(EqualityOf{}, b.is);
  if (left == Equality::Never || right == Equality::Never) return std::nullopt;
  if (left == right) return left == Equality::WhileCompiling ? std::optional(a == b) : std::nullopt;
  return false;
}

Value no_comparison(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  const bool vector = a.as<VectorType>() || b.as<VectorType>();
  if (vector && !at.first_time(a.as<VectorType>() ? a : b)) return {};
  Diagnostics::Builder error =
      at.error(Code::NoComparison, {symbol(kind), name_of(a.type), name_of(b.type)}, {&a, &b});
  const bool number = a.as<NumberType>() || b.as<NumberType>();
  if (a.as<VectorType>() && b.as<VectorType>())
    error.help("compare their lanes one by one");
  else if (vector && number)
    error.help(
        "take one of its lanes, as in device.thread_idx.x; a thread's index in the whole grid is "
        "device.tid(1)");
  else if (number && (a.as<ArrayType>() || b.as<ArrayType>()))
    error.help(
        "an index is compared with the length, i < len(x); an element is x[i], where i = "
        "device.tid(1) is the thread's, and any(v > 0 for v in x) asks all of them");
  else if (number && (a.as<TupleType>() || b.as<TupleType>()))
    error.help("take one of its items: x.shape[0] is the length of the first axis");
  return error.report();
}

}  // namespace

Value compare(Evaluation& at, CompareKind kind, const Value& a, const Value& b) {
  if (a.erroneous() || b.erroneous()) return {};
  if (a.as<NumberType>() && b.as<NumberType>()) return compare_numbers(at, kind, a, b);
  if (std::optional<Value> result = struct_operator(at, kind, a, b)) return *result;
  if (is_text(a) && is_text(b)) return compare_texts(at, kind, a, b);
  bool equality = kind == CompareKind::Eq || kind == CompareKind::Ne;
  const bool tuples = a.as<TupleType>() && b.as<TupleType>();
  if (!equality && tuples && compared_by_items(a, b)) return order_tuples(at, kind, a, b);
  if (!equality) return no_comparison(at, kind, a, b);
  if (compared_by_items(a, b)) return equal_items(at, kind, a, b);
  if (is_record(a) || is_record(b)) return static_value(bool_value(kind == CompareKind::Ne));
  std::optional<bool> equal = known_equal(a.type, b.type);
  if (!equal) return no_comparison(at, kind, a, b);
  return static_value(bool_value(*equal == (kind == CompareKind::Eq)));
}

namespace {

Value number_truth(Evaluation& at, const Value& value) {
  Scalar scalar = value.as<NumberType>()->number.scalar;
  if (scalar == Scalar::Bool) return at.number(kBool, value.leaf());
  if (is_complex(scalar)) return complex_truth(at, value);
  return at.number(kBool, at.code().convert(value.leaf(), Scalar::Bool));
}

}  // namespace

Value truth(Evaluation& at, const Value& value) {
  if (value.erroneous()) return {};
  if (std::optional<bool> known = known_truth(value.type)) return static_value(bool_value(*known));
  if (value.as<NumberType>()) return number_truth(at, value);
  if (is_object(value)) return object_truth(at, value);
  Diagnostics::Builder error = at.error(Code::NoTruthValue, {name_of(value.type)}, {&value});
  if (value.as<ArrayType>()) error.help("test an element or the length: len(a) > 0");
  if (value.as<TargetType>()) error.help("ask device.target(...)");
  return error.report();
}

Leaf condition(Evaluation& at, const Value& truth) {
  return truth.as<NumberType>() ? at.convert(truth, kBool) : Leaf{};
}

Value choose(Evaluation& at, const Value& condition_value, const Value& yes, const Value& no) {
  if (condition_value.erroneous()) return {};
  const NumberType &a = *yes.as<NumberType>(), &b = *no.as<NumberType>();
  std::optional<Number> common = a.number == b.number ? a.number : promote(a.number, b.number);
  if (!common)
    return at.error(Code::NoCommonType, {name_of(yes.type), name_of(no.type)}, {&yes, &no})
        .report();
  if (!at.fits(yes, *common) || !at.fits(no, *common)) return {};
  bool nonnegative = is_signed_integer(common->scalar) && is_nonnegative(a) && is_nonnegative(b) &&
                     a.number.weak == b.number.weak;
  if (std::optional<bool> known = known_truth(condition_value.type))
    return cast(at, *known ? yes : no, *common);
  Value result = static_value(number_value(*common, nonnegative));
  std::get<NumberType>(result.type.is).rounding = a.rounding | b.rounding;
  result.type = at.at_run_time(result.type);
  std::vector<Leaf> left = at.coerce(yes, result.type), right = at.coerce(no, result.type);
  for (size_t i = 0; i < left.size(); ++i)
    result.leaves.push_back(at.code().select(condition_value.leaf(), left[i], right[i]));
  return result;
}

Value evaluate(Evaluation& at, const ssa::Unary& op) {
  return unary(at, op.kind, at.operand(op.in[0]));
}

Value evaluate(Evaluation& at, const ssa::Binary& op) {
  Value a = at.operand(op.in[0]), b = at.operand(op.in[1]);
  return binary(at, op.kind, a, b, op.in_place);
}

Value evaluate(Evaluation& at, const ssa::Compare& op) {
  Value a = at.operand(op.in[0]), b = at.operand(op.in[1]);
  return compare(at, op.kind, a, b);
}

Value evaluate(Evaluation& at, const ssa::ToBool& op) { return truth(at, at.operand(op.in[0])); }

namespace {

bool is_builtin_bool(const Value& value) {
  const NumberType* number = value.as<NumberType>();
  return number && number->number == kBool;
}

// `x is True`, and `case True`: there is one True.
std::optional<Value> same_bool(Evaluation& at, const Value& a, const Value& b) {
  auto constant = [](const Value& value) {
    return is_builtin_bool(value) && value.as<NumberType>()->literal;
  };
  if ((!constant(a) && !constant(b)) || !a.as<NumberType>() || !b.as<NumberType>())
    return std::nullopt;
  if (!is_builtin_bool(a) || !is_builtin_bool(b)) return static_value(bool_value(false));
  return compare(at, CompareKind::Eq, a, b);
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::Is& op) {
  Value a = at.operand_of_any_kind(op.in[0]), b = at.operand_of_any_kind(op.in[1]);
  if (a.erroneous() || b.erroneous()) return {};
  if (std::optional<Value> same = same_bool(at, a, b))
    return op.negated ? unary(at, ssa::UnaryKind::Not, *same) : *same;
  std::optional<bool> same = known_equal(a.type, b.type);
  if (!same && (a.as<NoneType>() || b.as<NoneType>())) same = false;
  if (!same) {
    Diagnostics::Builder error =
        at.error(Code::IdentityComparison, {name_of(a.type), name_of(b.type)}, {&a, &b});
    if (a.as<ArrayType>() || b.as<ArrayType>())
      return error.help("compare them before the launch, and pass the answer: x is y").report();
    return error.help("compare values with '==' or '!='")
        .edit(at.place_of_operator(), op.negated ? "!=" : "==")
        .report();
  }
  return static_value(bool_value(*same != op.negated));
}

namespace {

// Whether a value is equal to one of the items. nullopt: there are no items.
std::optional<Value> among(Evaluation& at, const Value& value, const Value& container) {
  std::optional<std::vector<Value>> items = items_of(container);
  if (!items) return std::nullopt;
  Value found = static_value(bool_value(false));
  for (const Value& item : *items)
    found = binary(at, BinaryKind::Or, found, compare(at, CompareKind::Eq, value, item));
  return found;
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::Contains& op) {
  Value item = at.operand(op.in[0]), container = at.operand(op.in[1]);
  if (item.erroneous() || container.erroneous()) return {};
  const StringType *whole = container.as<StringType>(), *part = item.as<StringType>();
  if (whole && part)
    return static_value(
        bool_value((whole->text.find(part->text) != std::string::npos) != op.negated));
  std::optional<Value> found =
      container.as<RangeType>() ? in_range(at, item, container) : among(at, item, container);
  if (!found) {
    Diagnostics::Builder error =
        at.error(Code::NoContains, {name_of(container.type)}, {&container});
    if (container.as<RangeType>()) error.help("compare: start <= i < stop, of an int");
    return error.report();
  }
  return op.negated ? unary(at, ssa::UnaryKind::Not, *found) : *found;
}

}  // namespace hetjit::typing

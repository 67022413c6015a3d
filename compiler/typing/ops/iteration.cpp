#include "compiler/typing/ops/iteration.h"

#include <array>

#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/python_integers.h"
#include "compiler/typing/ops/iterables.h"

namespace hetjit::typing {
namespace {

// Positions of a range of 64-bit numbers need 64 bits; all others have fewer than 2**32 elements.
Number position_of(Number item) {
  return {info(item.scalar).bits == 64 ? Scalar::UInt64 : Scalar::UInt32, false};
}

struct RangeParts {
  Value start, stop, step;
  Number number;  // the type of all three and of the items
};

RangeParts range_parts(const Value& range) {
  std::vector<Value> parts = parts_of(range, range.as<RangeType>()->parts);
  return {parts[0], parts[1], parts[2], number_of(parts[0]).number};
}

// With all three known. In exact arithmetic.
Integer known_count(Integer start, Integer stop, Integer step) {
  Integer length = step > 0 ? stop - start : start - stop;
  Integer stride = step > 0 ? step : -step;
  return length <= 0 ? 0 : (length - 1) / stride + 1;
}

// The same on run-time numbers, in the unsigned type of the position, where nothing overflows.
struct Counting {
  Evaluation& at;
  RangeParts parts;
  Scalar as;

  Leaf unsigned_of(Leaf leaf) { return at.code().convert(leaf, as); }
  Leaf difference(Leaf high, Leaf low) {
    Leaf from = unsigned_of(high), less = unsigned_of(low);
    return at.code().binary<ir::Sub>(from, less);
  }
  Leaf constant(int64_t value) { return at.code().constant(value, as); }

  // `length` elements of the stretch if the range is not empty, divided into steps.
  Leaf steps(Leaf length, Leaf stride) {
    Leaf one = constant(1);
    Leaf last = at.code().binary<ir::Sub>(length, one);
    return at.code().binary<ir::Add>(at.code().binary<ir::FloorDiv>(last, stride), one);
  }

  Leaf with_known_step(Integer step) {
    Leaf start = at.convert(parts.start, parts.number), stop = at.convert(parts.stop, parts.number);
    Leaf low = step > 0 ? start : stop, high = step > 0 ? stop : start;
    Leaf length = difference(high, low);
    Integer stride = step > 0 ? step : -step;
    if (stride != 1) length = steps(length, at.code().constant(Literal{stride}, as));
    Leaf any = at.code().compare(ssa::CompareKind::Lt, low, high);
    return at.code().select(any, length, constant(0));
  }

  Leaf with_any_step() {
    Ends ends = ends_in_order();
    return at.code().select(ends.any, steps(difference(ends.high, ends.low), stride()),
                            constant(0));
  }

  /// How far from the start all items lie.
  Leaf distance() {
    Ends ends = ends_in_order();
    return at.code().select(ends.any, difference(ends.high, ends.low), constant(0));
  }

  /// What all items lie below, of a range that begins at zero or above and does not count down.
  Leaf end() {
    Leaf stop = at.convert(parts.stop, parts.number), end = unsigned_of(stop);
    if (!is_nonnegative(number_of(parts.stop))) {
      Leaf none = at.code().constant(0, parts.number.scalar);
      Leaf above = at.code().compare(ssa::CompareKind::Gt, stop, none);
      end = at.code().select(above, end, constant(0));
    }
    return integer_literal(parts.step.type) ? end : at.code().select(moves(), end, constant(0));
  }

  /// The step without its sign.
  Leaf stride() {
    Leaf size = unsigned_of(step());
    if (never_down()) return size;
    return at.code().select(up(), size, at.code().unary<ir::Neg>(size));
  }

  bool never_down() const { return is_nonnegative(number_of(parts.step)); }
  Leaf up() { return at.code().compare(ssa::CompareKind::Gt, step(), zero()); }

 private:
  struct Ends {
    Leaf low, high, any;
  };
  Ends ends_in_order() {
    Leaf start = at.convert(parts.start, parts.number), stop = at.convert(parts.stop, parts.number);
    Leaf low = start, high = stop;
    if (!never_down()) {
      Leaf rises = up();
      low = at.code().select(rises, start, stop), high = at.code().select(rises, stop, start);
    }
    Leaf between = at.code().compare(ssa::CompareKind::Lt, low, high);
    return {low, high, at.code().binary<ir::BitAnd>(between, moves())};
  }

  // Signed, where the others may be unsigned.
  Leaf step() { return at.convert(parts.step, number_of(parts.step).number); }
  Leaf zero() { return at.code().constant(0, number_of(parts.step).number.scalar); }
  Leaf moves() { return at.code().compare(ssa::CompareKind::Ne, step(), zero()); }
};

// Every item of the range is >= 0.
bool items_nonnegative(const RangeParts& parts) {
  if (!is_signed_integer(parts.number.scalar)) return false;
  std::optional<Integer> step = integer_literal(parts.step.type);
  std::optional<Integer> stop = integer_literal(parts.stop.type);
  bool from_zero = is_nonnegative(number_of(parts.start));
  bool down_to_zero = is_nonnegative(number_of(parts.stop)) || (stop && *stop >= -1);
  bool rises = step ? *step > 0 : is_nonnegative(number_of(parts.step));
  return rises ? from_zero : down_to_zero && (step || from_zero);
}

Value range_item(Evaluation& at, const Value& range, const Value& position) {
  RangeParts parts = range_parts(range);
  Leaf count =
      at.code().convert(at.convert(position, number_of(position).number), parts.number.scalar);
  std::optional<Integer> step = integer_literal(parts.step.type);
  std::optional<Integer> start = integer_literal(parts.start.type);
  std::optional<Integer> place = integer_literal(position.type);
  if (step && start && place) return at.literal(parts.number, Literal{*start + *step * *place});
  Leaf item = count;
  if (step != Integer{1})
    item = at.code().binary<ir::Mul>(item, at.convert(parts.step, parts.number));
  if (start != Integer{0})
    item = at.code().binary<ir::Add>(at.convert(parts.start, parts.number), item);
  return at.number(parts.number, item, items_nonnegative(parts));
}

// The parts of an iterator. Positions are below `end`, which is the number of elements. A range
// may be gone through in strides instead: its positions are distances from the start, or the items
// themselves where one is given to begin with.
struct Iterator {
  Value iterable, end;
  std::optional<Value> stride, first;
};

Iterator split(const Value& iterator) {
  std::vector<Value> parts = parts_of(iterator, iterator.as<IteratorType>()->parts);
  Iterator it{parts[0], parts[1], {}, {}};
  if (parts.size() > 2) it.stride = parts[2];
  if (parts.size() > 3) it.first = parts[3];
  return it;
}

// An item and a stride make a number of the unsigned type.
bool rises_from_zero(const RangeParts& parts) {
  return is_signed_integer(parts.number.scalar) && is_nonnegative(number_of(parts.start)) &&
         is_nonnegative(number_of(parts.step));
}

// To count the items of a step that is not known would take a division; those of a start that is
// not known are best counted by themselves.
bool goes_in_strides(const Value& iterable) {
  if (!iterable.as<RangeType>()) return false;
  RangeParts parts = range_parts(iterable);
  std::optional<Integer> step = integer_literal(parts.step.type);
  bool itself = step == Integer{1} && !integer_literal(parts.start.type) && rises_from_zero(parts);
  return !step || itself;
}

Value strided_iterator(Evaluation& at, const Value& range) {
  RangeParts parts = range_parts(range);
  Number position = position_of(parts.number);
  Counting count{at, parts, position.scalar};
  Value stride = at.number(position, count.stride());
  if (!rises_from_zero(parts))
    return made_of<IteratorType>({range, at.number(position, count.distance()), stride});
  Value end = at.number(position, count.end()), first = cast(at, parts.start, position);
  return made_of<IteratorType>({range, end, stride, first});
}

// From the last item a stride may lead beyond all numbers: to the largest one then, which is no
// position. Nothing is asked that differs between threads of one stride.
Value next_position(Evaluation& at, const Iterator& it, const Value& position) {
  Number type = number_of(position).number;
  Leaf from = at.convert(position, type);
  Leaf next = at.code().binary<ir::Add>(from, at.convert(*it.stride, type));
  if (!it.first) {
    Leaf beyond = at.code().compare(ssa::CompareKind::Lt, next, from);
    Leaf largest = at.code().unary<ir::BitNot>(at.code().constant(0, type.scalar));
    next = at.code().select(beyond, largest, next);
  }
  return at.number(type, next);
}

Value strided_item(Evaluation& at, const Iterator& it, const Value& position) {
  RangeParts parts = range_parts(it.iterable);
  Number type = number_of(position).number;
  Leaf item = at.code().convert(at.convert(position, type), parts.number.scalar);
  bool nonnegative = items_nonnegative(parts);
  if (it.first) return at.number(parts.number, item, nonnegative);
  Counting count{at, parts, type.scalar};
  if (!count.never_down())
    item = at.code().select(count.up(), item, at.code().unary<ir::Neg>(item));
  item = at.code().binary<ir::Add>(at.convert(parts.start, parts.number), item);
  return at.number(parts.number, item, nonnegative);
}

Failed not_a_range(Evaluation& at, const Value& part) {
  Diagnostics::Builder error =
      at.error(Code::ArgumentType, {"'range'", "integers", name_of(part.type)}, {&part});
  if (part.as<NumberType>()) convert_to_integer(error, at, part, "int");
  if (part.as<TupleType>()) error.help("pick one of them: range(a.shape[0])");
  if (part.as<ArrayType>()) error.help("loop over its positions: range(len(a))");
  return error.report();
}

using RangeArguments = std::array<const Value*, 3>;

// The format in which they all meet.
std::optional<Number> common_format(Evaluation& at, const RangeArguments& arguments) {
  std::optional<Number> common = kBool;
  for (const Value* argument : arguments) {
    const NumberType* number = argument->as<NumberType>();
    if (!number || info(number->number.scalar).category > Category::Integer)
      return not_a_range(at, *argument);
    std::optional<Number> wider = promote(*common, number->number);
    if (!wider)
      return at.error(Code::NoCommonType, {name_of(*common), name_of(argument->type)}, {argument})
          .report();
    common = wider;
  }
  return common->scalar == Scalar::Bool ? kInt : *common;
}

// A builtin step may count unsigned numbers down.
bool counts_both_ways(Number common, const Value& step) {
  return is_unsigned(common.scalar) && number_of(step).number.weak;
}

// What Python counts from, to and by does not wrap.
Number format_of_range(const RangeArguments& arguments, Number common) {
  for (const Value* part : arguments) {
    if (number_of(*part).literal) continue;  // fits, or is refused
    if (part == arguments.back() && counts_both_ways(common, *part)) continue;
    if (auto whole = format_of_both({common}, number_of(*part))) common = Number{*whole};
  }
  return common;
}

// Numbers that rise from 0 or more end at a negative stop as at 0, which unsigned ones hold.
Value stop_of(Evaluation& at, const RangeArguments& arguments, Number common) {
  const auto& [start, stop, step] = arguments;
  const bool rises = is_nonnegative(number_of(*start)) && is_nonnegative(number_of(*step));
  const bool clamps = rises && is_unsigned(common.scalar) && !number_of(*stop).literal &&
                      meets_python_integer({common}, number_of(*stop));
  return clamps ? not_below_zero(at, *stop) : *stop;
}

}  // namespace

Value make_range(Evaluation& at, const Value& start, const Value& stop, const Value& step) {
  RangeArguments arguments = {&start, &stop, &step};
  std::optional<Number> common = common_format(at, arguments);
  if (!common) return {};
  if (integer_literal(step.type) == Integer{0})
    return at.error(Code::RangeStepZero, {}, {&step}).report();
  const Value end = stop_of(at, arguments, *common);
  arguments[1] = &end;
  const Number type = format_of_range(arguments, *common);
  std::vector<Value> parts;
  for (const Value* part : arguments) {
    Number wanted = part == &step && counts_both_ways(type, step) ? kInt : type;
    if (!at.fits(*part, wanted)) return {};
    parts.push_back(cast(at, *part, wanted));
  }
  return made_of<RangeType>(parts);
}

Value range_count(Evaluation& at, const Value& range) {
  RangeParts parts = range_parts(range);
  Number position = position_of(parts.number);
  auto start = integer_literal(parts.start.type), stop = integer_literal(parts.stop.type),
       step = integer_literal(parts.step.type);
  if (start && stop && step)
    return at.literal(position, Literal{known_count(*start, *stop, *step)});
  Counting counting{at, parts, position.scalar};
  return at.number(position, step ? counting.with_known_step(*step) : counting.with_any_step());
}

std::optional<Value> in_range(Evaluation& at, const Value& item, const Value& range) {
  const RangeParts parts = range_parts(range);
  const auto start = integer_literal(parts.start.type), stop = integer_literal(parts.stop.type),
             step = integer_literal(parts.step.type), known = integer_literal(item.type);
  const NumberType* number = item.as<NumberType>();
  if (!step || !number || info(number->number.scalar).category > Category::Integer)
    return std::nullopt;
  const bool up = *step > 0;
  const Integer stride = up ? *step : -*step;
  if (start && stop && known) {
    const bool inside =
        up ? *start <= *known && *known < *stop : *stop < *known && *known <= *start;
    return static_value(bool_value(inside && (*known - *start) % stride == 0));
  }
  using ssa::CompareKind;
  const Value inside =
      binary(at, ssa::BinaryKind::And,
             compare(at, up ? CompareKind::Ge : CompareKind::Le, item, parts.start),
             compare(at, up ? CompareKind::Lt : CompareKind::Gt, item, parts.stop));
  if (stride == 1 || inside.erroneous()) return inside;
  // Inside of it the number has the range's type, and lies no further from the start than fits.
  Counting counting{at, parts, position_of(parts.number).scalar};
  Leaf own = at.convert(item, parts.number), first = at.convert(parts.start, parts.number);
  Leaf far = up ? counting.difference(own, first) : counting.difference(first, own);
  Leaf beside = at.code().binary<ir::Mod>(far, at.code().constant(Literal{stride}, counting.as));
  Leaf hit = at.code().compare(CompareKind::Eq, beside, counting.constant(0));
  return binary(at, ssa::BinaryKind::And, inside, at.number(kBool, hit));
}

namespace {

template <class Kind>
concept WithoutElements =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, NumberType, ReferenceType,
              AtomicType, MethodType, IteratorType, FunctionType, BuiltinType, ModuleType,
              TypeObject, TargetType, StringType, TextType, ExceptionType, EllipsisType, SliceType,
              ExternalType, OpaqueType>;

struct ElementCount {
  Evaluation& at;
  const Value& iterable;
  using Count = std::optional<Value>;

  Count operator()(const RangeType&) const { return range_count(at, iterable); }
  Count operator()(const IterableType& made) const { return made_count(at, made, iterable); }
  Count operator()(const ArrayType& array) const {
    if (type(array.type).rank == 0) return std::nullopt;
    Leaf extent = array_extent(at, iterable, 0).leaf();
    return at.number({Scalar::UInt64, false}, at.code().convert(extent, Scalar::UInt64));
  }
  template <ir::OneOf<TupleType, VectorType, StructType> Kind>
  Count operator()(const Kind&) const {
    const std::optional<TypeValues> items = items_of(iterable.type);
    if (!items) return std::nullopt;  // an object of C++
    return at.literal({Scalar::UInt32, false}, Literal{static_cast<Integer>(items->size())});
  }
  template <WithoutElements Kind>
  Count operator()(const Kind&) const {
    return std::nullopt;
  }
};

struct ElementAt {
  Evaluation& at;
  const Value &iterable, &position;

  Value operator()(const RangeType&) const { return range_item(at, iterable, position); }
  Value operator()(const IterableType& made) const {
    return made_element(at, made, iterable, position);
  }
  Value operator()(const ArrayType&) const {
    Number type = number_of(position).number;
    return array_element(at, iterable, at.convert(position, type), type.scalar);
  }
  template <ir::OneOf<TupleType, VectorType, StructType> Kind>
  Value operator()(const Kind&) const {
    const TypeValues items = parts_in(iterable.type);
    std::optional<Integer> place = integer_literal(position.type);
    if (place && *place < static_cast<Integer>(items.size()))
      return part_of(iterable, items, static_cast<size_t>(*place));
    return selected_item(at, iterable, position);
  }
  template <WithoutElements Kind>
  Value operator()(const Kind&) const {
    HETJIT_CHECK(iterable.erroneous() && "it has been counted");
    return {};
  }
};

}  // namespace

std::optional<Value> element_count(Evaluation& at, const Value& iterable) {
  return std::visit(ElementCount{at, iterable}, iterable.type.is);
}

Value element(Evaluation& at, const Value& iterable, const Value& position) {
  if (position.erroneous()) return {};
  return std::visit(ElementAt{at, iterable, position}, iterable.type.is);
}

Value not_iterable(Evaluation& at, const Value& value) {
  Diagnostics::Builder error = at.error(Code::NotIterable, {name_of(value.type)}, {&value});
  if (value.as<ArrayType>()) error.help("an array of 0 dimensions has one element: a[()]");
  if (value.as<NumberType>()) enclose(error.help("did you mean range(n)?"), at, value, "range");
  return error.report();
}

Value evaluate(Evaluation& at, const ssa::Iter& op) {
  Value iterable = at.operand(op.in[0]);
  if (iterable.erroneous() || iterable.as<IteratorType>()) return iterable;
  iterable = one_by_one(at, iterable, "'for'");
  if (iterable.erroneous()) return {};
  if (goes_in_strides(iterable)) return strided_iterator(at, iterable);
  std::optional<Value> count = element_count(at, iterable);
  if (!count) return not_iterable(at, iterable);
  if (count->erroneous()) return {};
  return made_of<IteratorType>({iterable, *count});
}

Value evaluate(Evaluation& at, const ssa::IterStart& op) {
  Value iterator = at.operand(op.in[0]);
  if (iterator.erroneous()) return {};
  Iterator it = split(iterator);
  return it.first ? *it.first : at.literal(number_of(it.end).number, Literal{Integer{0}});
}

Value evaluate(Evaluation& at, const ssa::IterHas& op) {
  Value iterator = at.operand(op.in[0]), position = at.operand(op.in[1]);
  if (iterator.erroneous() || position.erroneous()) return {};
  return compare(at, ssa::CompareKind::Lt, position, split(iterator).end);
}

Value evaluate(Evaluation& at, const ssa::IterItem& op) {
  Value iterator = at.operand(op.in[0]), position = at.operand(op.in[1]);
  if (iterator.erroneous() || position.erroneous()) return {};
  Iterator it = split(iterator);
  return it.stride ? strided_item(at, it, position) : element(at, it.iterable, position);
}

Value evaluate(Evaluation& at, const ssa::IterNext& op) {
  Value iterator = at.operand(op.in[0]), position = at.operand(op.in[1]);
  if (iterator.erroneous() || position.erroneous()) return {};
  if (Iterator it = split(iterator); it.stride) return next_position(at, it, position);
  const NumberType& number = number_of(position);
  if (number.literal) {
    Integer next = std::get<Integer>(*number.literal) + 1;
    return at.literal(number.number, Literal{next});
  }
  Leaf one = at.code().constant(1, number.number.scalar);
  return at.number(number.number, at.code().binary<ir::Add>(position.leaf(), one));
}

}  // namespace hetjit::typing

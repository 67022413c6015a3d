#include "compiler/typing/kinds/array_index.h"

#include <algorithm>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/instance.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using Kind = Subscript::Kind;

std::string counted(size_t count, std::string_view noun, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? noun : plural);
}

bool check_index(Evaluation& at, const Value& whole_index, const Value& index) {
  const NumberType* number = index.as<NumberType>();
  if (number && is_integer(number->number.scalar)) return at.fits(index, {Scalar::Int64, true});
  if (index.as<VectorType>() && !at.first_time(index)) return false;
  const Value& marked = index.origin.valid() ? index : whole_index;
  Diagnostics::Builder error = at.error_for(marked, Code::IndexType, {name_of(index.type)});
  if (number && is_floating(number->number.scalar)) convert_to_integer(error, at, index, "int");
  if (number && number->number.scalar == Scalar::Bool)
    enclose(error.help("to take an element by a condition write int(condition)"), at, index, "int");
  if (const ArrayType* array = index.as<ArrayType>())
    error.help(without_align(type(array->type).element) == scalar_type(Scalar::Bool)
                   ? "ask for each element by itself, in a loop or by one thread each: if mask[i]: "
                     "a[i] = v"
                   : "take the elements one by one, in a loop or by one thread each: a[b[i]]");
  if (index.as<VectorType>()) error.help("take one of its lanes, as in device.thread_idx.x");
  return error.report();
}

// A bound of a slice, where it is written: the slice itself is an instruction before this one.
Failed wrong_bound(Evaluation& at, const Value& slice, const TypeValue& bound) {
  const Instance& instance = at.instance();
  if (slice.origin.valid() &&
      instance.flow->defined[slice.origin.index].second != Flow::kParameter) {
    auto [block, place] = instance.flow->defined[slice.origin.index];
    const ssa::Inst& inst = at.function().blocks[block].insts[place];
    for (ValueId id : ssa::operands(inst.op)) {
      const Value value = at.carried(id);
      const Span where = definition_span(instance, id);
      if (!(value.type == bound) || !where.known()) continue;
      Diagnostics::Builder error = at.diags().error(Code::SliceBound, where, {name_of(bound)});
      if (!divide_whole(error, at, value))
        error.help("convert it: int(x)").enclose(where, "int(", ")");
      return error.report();
    }
  }
  return at.error_for(slice, Code::SliceBound, {name_of(bound)}).report();
}

bool check_slice(Evaluation& at, const Value& whole_index, const Value& slice) {
  const TypeValues& parts = slice.as<SliceType>()->parts;
  for (const TypeValue& part : parts) {
    const NumberType* number = part.as<NumberType>();
    if (part.holds<NoneType>()) continue;
    if (!number || !is_integer(number->number.scalar)) return wrong_bound(at, whole_index, part);
    Value bound = static_value(part);
    bound.origin = whole_index.origin;
    if (!at.fits(bound, {Scalar::Int64, true})) return false;
  }
  if (integer_literal(parts[2]) != Integer{0}) return true;
  return at.error_for(whole_index, Code::SliceStepZero).report();
}

Value whole_slice() { return static_value({SliceType{TypeValues(3, TypeValue{NoneType{}})}}); }

// What the brackets hold, as written.
std::vector<Value> parts_of_index(const Value& index) {
  const TupleType* tuple = index.as<TupleType>();
  if (!tuple) return {index};
  std::vector<Value> parts = parts_of(index, tuple->items);
  for (Value& part : parts) part.origin = parts.size() == 1 ? index.origin : ValueId{};
  return parts;
}

Failed wrong_count(Evaluation& at, const Value& array, const Value& index, size_t given) {
  size_t rank = array_of(array).rank;
  const bool one =
      rank == 1 && index.origin.valid() && made_by(at, index).find(',') != std::string::npos;
  Diagnostics::Builder error = at.error_for(
      index, Code::IndexCount,
      {"an array of " + counted(rank, "dimension", "dimensions"), counted(rank, "index", "indices"),
       std::to_string(given) + (given == 1 ? " is" : " are")});
  at.mark(error, array);
  if (one)
    error.help("write x[i]; of several axes is an array that is passed so, as x.reshape(4, -1)");
  return error.report();
}

}  // namespace

std::optional<Subscripts> read_subscripts(Evaluation& at, const Value& array, const Value& index) {
  // NumPy's lists choose elements; as the tuple that it is here it would be several indices.
  if (const TupleType* tuple = index.as<TupleType>(); tuple && tuple->list)
    return at.error_for(index, Code::IndexType, {name_of(index.type)}).report();
  std::vector<Value> parts = parts_of_index(index);
  size_t rank = array_of(array).rank, used = 0, ellipses = 0;
  for (const Value& part : parts) {
    if (part.as<EllipsisType>())
      ++ellipses;
    else if (!part.as<NoneType>())
      ++used;
  }
  if (used > rank) return wrong_count(at, array, index, used);
  if (ellipses > 1)
    return at
        .error_for(index, Code::IndexCount,
                   {"an index", "one '...'", std::to_string(ellipses) + " are"})
        .report();
  Subscripts result;
  result.of_element = ellipses == 0;
  uint8_t axis = 0;
  auto add = [&](Kind kind, Value value) {
    result.of_element &= kind == Kind::Index;
    result.items.push_back({kind, std::move(value), axis});
    axis += kind != Kind::NewAxis;
  };
  auto fill = [&] {
    for (size_t left = rank - used; left > 0; --left) add(Kind::Slice, whole_slice());
  };
  for (Value& part : parts) {
    bool slice = part.as<SliceType>(),
         index_here = !slice && !part.as<EllipsisType>() && !part.as<NoneType>();
    if (slice && !check_slice(at, index, part)) return std::nullopt;
    if (index_here && !check_index(at, index, part)) return std::nullopt;
    if (part.as<EllipsisType>())
      fill();
    else
      add(slice ? Kind::Slice : index_here ? Kind::Index : Kind::NewAxis, std::move(part));
  }
  if (ellipses == 0) fill();
  return result;
}

Scalar index_type(const Value& array, const Subscripts& subscripts) {
  bool any = false, all_unsigned = true;
  for (const Subscript& item : subscripts.items) {
    if (item.kind != Kind::Index) continue;
    const NumberType& number = *item.value.as<NumberType>();
    any = true;
    all_unsigned &= !number.literal && is_unsigned(number.number.scalar);
  }
  bool narrow = array_of(array).facts.index_bits == 32;
  if (any && all_unsigned) return narrow ? Scalar::UInt32 : Scalar::UInt64;
  return narrow ? Scalar::Int32 : Scalar::Int64;
}

// Only indices that may be negative pay for it.
Leaf wrapped_index(Evaluation& at, const Value& array, const Subscript& index, Scalar as) {
  const NumberType& number = *index.value.as<NumberType>();
  Leaf leaf = at.convert(index.value, {as, false});
  if (is_nonnegative(number)) return leaf;
  Leaf extent = at.code().convert(at.code().extent(array.leaf(), index.axis), as);
  return at.code().binary<ir::WrapIndex>(leaf, extent);
}

bool is_consecutive(const Value& slice) {
  const TypeValue& step = slice.as<SliceType>()->parts[2];
  return step.holds<NoneType>() || integer_literal(step) == Integer{1};
}

bool is_whole(const Value& slice) {
  const TypeValues& parts = slice.as<SliceType>()->parts;
  bool from_first = parts[0].holds<NoneType>() || integer_literal(parts[0]) == Integer{0};
  return from_first && parts[1].holds<NoneType>() && is_consecutive(slice);
}

namespace {

// Arithmetic on i64, which extents and what is clamped to them never overflow.
struct Words {
  Emitter& code;

  Leaf constant(int64_t value) { return code.constant(value, Scalar::Int64); }
  Leaf add(Leaf a, Leaf b) { return code.binary<ir::Add>(a, b); }
  Leaf subtract(Leaf a, Leaf b) { return code.binary<ir::Sub>(a, b); }
  Leaf less(Leaf a, Leaf b) { return code.compare(ssa::CompareKind::Lt, a, b); }
  Leaf least(Leaf a, Leaf b) { return code.select(less(a, b), a, b); }
  Leaf greatest(Leaf a, Leaf b) { return code.select(less(a, b), b, a); }
  // a - b where that is positive, else 0: written so that its range shows.
  Leaf distance(Leaf a, Leaf b) {
    Leaf length = subtract(a, b), zero = constant(0);
    return code.select(less(zero, length), length, zero);
  }
  // Of `length` elements every `stride`-th. Floored division makes 0 of 0.
  Leaf steps(Leaf length, Leaf stride) {
    Leaf one = constant(1);
    Leaf last = subtract(length, one);
    return add(code.binary<ir::FloorDiv>(last, stride), one);
  }
};

struct Slice {
  Evaluation& at;
  Value start, stop, step;
  Leaf extent;
  Words words{at.code()};

  static bool given(const Value& part) { return !part.as<NoneType>(); }

  // A bound or step as i64. What only uint64 holds is beyond every extent, as the greatest i64 is.
  Leaf word(const Value& part) {
    constexpr Number kUnsigned{Scalar::UInt64, false};
    if (part.as<NumberType>()->number.scalar != Scalar::UInt64)
      return at.convert(part, {Scalar::Int64, true});
    Leaf value = at.convert(part, kUnsigned);
    Leaf most = at.code().constant(INT64_MAX, Scalar::UInt64);
    return at.code().convert(words.least(value, most), Scalar::Int64);
  }

  // A bound counted from the front and clamped: low and high are where the slice can end.
  Leaf bound(const Value& part, Leaf low, Leaf high) {
    const NumberType& number = *part.as<NumberType>();
    Leaf value = word(part);
    if (is_nonnegative(number)) return words.least(value, high);
    if (number.literal) return words.greatest(words.add(value, extent), low);
    Leaf from_front = at.code().binary<ir::WrapIndex>(value, extent);
    return words.greatest(words.least(from_front, high), low);
  }

  Picked forwards(Integer by) {
    Leaf zero = words.constant(0);
    Leaf first = given(start) ? bound(start, zero, extent) : zero;
    Leaf end = given(stop) ? bound(stop, zero, extent) : extent;
    bool from_zero = !given(start) || integer_literal(start.type) == Integer{0};
    Leaf length = from_zero      ? end
                  : !given(stop) ? words.subtract(extent, first)
                                 : words.distance(end, first);
    return counted(first, length, by, by);
  }

  Picked backwards(Integer by) {
    Leaf before = words.constant(-1);
    Leaf last = words.add(extent, before);
    Leaf first = given(start) ? bound(start, before, last) : last;
    Leaf end = given(stop) ? bound(stop, before, last) : before;
    Leaf length = given(stop) ? words.distance(first, end) : words.subtract(first, end);
    return counted(first, length, by, -by);
  }

  Picked counted(Leaf first, Leaf length, Integer by, Integer stride) {
    Leaf step_leaf = words.constant(static_cast<int64_t>(by));
    Leaf count =
        stride == 1 ? length : words.steps(length, words.constant(static_cast<int64_t>(stride)));
    return {first, count, step_leaf};
  }

  // The step is known at run time only; its least value has no opposite, so it is the next.
  Picked any_way() {
    Leaf zero = words.constant(0), before = words.constant(-1);
    Leaf given_step = word(step), least_step = words.constant(-INT64_MAX);
    Leaf by = words.greatest(given_step, least_step);
    Leaf up = words.less(zero, by);
    Leaf last = words.add(extent, before);
    Leaf low = at.code().select(up, zero, before), high = at.code().select(up, extent, last);
    Leaf first = given(start) ? bound(start, low, high) : at.code().select(up, zero, last);
    Leaf end = given(stop) ? bound(stop, low, high) : at.code().select(up, extent, before);
    Leaf far = at.code().select(up, end, first), near = at.code().select(up, first, end);
    Leaf length = words.distance(far, near);
    Leaf opposite = at.code().unary<ir::Neg>(by);
    Leaf stride = at.code().select(up, by, opposite);
    Leaf count = words.steps(length, stride);
    Leaf moves = at.code().compare(ssa::CompareKind::Ne, by, zero);
    return {first, at.code().select(moves, count, zero), by};
  }
};

}  // namespace

Picked pick(Evaluation& at, const Value& slice, Leaf extent) {
  std::vector<Value> parts = parts_of(slice, slice.as<SliceType>()->parts);
  Slice it{at, parts[0], parts[1], parts[2], extent};
  if (parts[2].as<NoneType>()) return it.forwards(1);
  std::optional<Integer> step = integer_literal(parts[2].type);
  if (!step) return it.any_way();
  Integer by = std::clamp(*step, Integer{-INT64_MAX}, Integer{INT64_MAX});
  return by > 0 ? it.forwards(by) : it.backwards(by);
}

}  // namespace hetjit::typing

#include "compiler/passes/value_ranges.h"

#include <algorithm>

#include "abi/index_width.h"
#include "compiler/passes/limits.h"

namespace hetjit::passes {
namespace {

constexpr Wide kMaxInt32 = INT32_MAX;
constexpr Wide kMaxPlace = kMaxInt32 - 1;  // an axis has at most 2^31 - 1 threads
constexpr Wide kMaxThreads = 1024;         // of a block, along an axis
constexpr Wide kMaxLanes = 64;             // of a warp
constexpr Wide kLeapsUp[] = {kMostIndex32 - 1, kMostIndex32, kMaxPlace, INT32_MAX,
                             UINT32_MAX,       INT64_MAX,    UINT64_MAX};
constexpr Wide kLeapsDown[] = {0, -1, INT32_MIN, INT64_MIN};

bool is_ranged(TypeId id) {
  return is_scalar(id) && (is_integer(type(id).scalar) || type(id).scalar == Scalar::Bool);
}

// Where an end has moved, it moves on to the next of few places.
Interval leap(Interval old, Interval grown, Interval all) {
  auto up = std::find_if(std::begin(kLeapsUp), std::end(kLeapsUp),
                         [&](Wide place) { return place >= grown.hi; });
  auto down = std::find_if(std::begin(kLeapsDown), std::end(kLeapsDown),
                           [&](Wide place) { return place <= grown.lo; });
  if (grown.hi > old.hi) grown.hi = std::min(*up, all.hi);
  if (grown.lo < old.lo) grown.lo = std::max(*down, all.lo);
  return grown;
}

}  // namespace

/// What an op gives for the ranges of its operands: a rule per op that says more than its type.
struct RangeRules {
  using Range = ValueRanges::Range;
  const ValueRanges& ranges;
  uint32_t block;
  ValueId id;
  Scalar result;

  Range of(ValueId id) const { return ranges.lookup(id, block); }
  Range any() const { return {.visited = true, .is = numbers_of(result)}; }
  Range exact(Interval is) const {
    return numbers_of(result).holds(is) ? Range{.visited = true, .is = is} : any();
  }
  // Of a position in the launch: below 2^31, whatever the arithmetic says.
  Range position(Interval is) const {
    is.hi = std::min({is.hi, kMaxInt32, numbers_of(result).hi});
    return {.visited = true, .place = true, .is = {std::min(is.lo, is.hi), is.hi}};
  }

  template <class AnyOp>
  Range binary(const AnyOp& op, std::optional<Interval> (*rule)(Interval, Interval)) const {
    Range a = of(op.in[0]), b = of(op.in[1]);
    if (!a.visited || !b.visited) return {};
    std::optional<Interval> is = rule(a.is, b.is);
    return is ? exact(*is) : any();
  }
  template <class AnyOp>
  Range of_places(const AnyOp& op, std::optional<Interval> (*rule)(Interval, Interval)) const {
    Range a = of(op.in[0]), b = of(op.in[1]);
    if (a.visited && b.visited && a.place && b.place)
      if (auto is = rule(a.is, b.is)) return position(*is);
    return binary(op, rule);
  }

  // `start - k` in a turn of a loop that counts k up to `start - stop`: beyond stop.
  Range counted_down(const ir::Add& op, Range range) const {
    if (!range.visited || range.is.lo >= 0 || !is_signed_integer(result)) return range;
    for (int side : {0, 1}) {
      auto* part = ranges.made_by<ir::Mul>(op.in[1 - side]);
      if (!part || !is_minus_one(part->in[1])) continue;
      const ir::Sub* turns = difference_above(number_behind(part->in[0]));
      if (!turns || number_behind(turns->in[0]) != op.in[side]) continue;
      std::optional<Interval> start = signed_number(turns->in[0], turns_type(*turns));
      std::optional<Interval> stop = signed_number(turns->in[1], turns_type(*turns));
      if (!start || !stop || !numbers_of(turns_type(*turns)).holds(*subtract(*start, *stop)))
        continue;
      Interval is{stop->lo + 1, start->hi};
      if (!numbers_of(result).holds(is)) continue;  // else it may have wrapped
      is = {std::max(range.is.lo, is.lo), std::min(range.is.hi, is.hi)};
      if (is.lo <= is.hi) range.is = is;
    }
    return range;
  }
  bool is_minus_one(ValueId id) const {
    auto* constant = ranges.made_by<ir::ConstInt>(id);
    return constant && number_of(result, constant->bits) == -1;
  }
  ValueId number_behind(ValueId id) const {
    auto* convert = ranges.made_by<ir::Convert>(id);
    return convert ? convert->in[0] : id;
  }
  Scalar turns_type(const ir::Sub& turns) const {
    return type(ranges.function_.type_of(turns.in[0])).scalar;
  }
  // The difference that a number is below, here: `d`, or `d if … else 0`.
  const ir::Sub* difference_above(ValueId number) const {
    const uint32_t first = ranges.definitions_.home(number);
    uint32_t at = block;
    for (int facts = 0; facts < kRangeFacts && at != first && at != Dominators::kNone; ++facts) {
      const auto& edges = ranges.incoming_[at];
      auto known = edges.size() == 1 ? ir::known_on(ranges.function_, edges[0]) : std::nullopt;
      auto* compare = known ? ranges.made_by<ir::Compare>(known->condition) : nullptr;
      if (compare && known->truth && compare->kind == ir::Comparison::Lt &&
          compare->in[0] == number) {
        ValueId limit = compare->in[1];
        auto* choice = ranges.made_by<ir::Select>(limit);
        auto* zero = choice ? ranges.made_by<ir::ConstInt>(choice->in[2]) : nullptr;
        if (zero && zero->bits == 0) limit = choice->in[1];
        return ranges.made_by<ir::Sub>(limit);
      }
      at = ranges.tree_.parent(at);
    }
    return nullptr;
  }

  // Of unsigned words that were made of signed numbers, as a loop's `unsigned(stop) -
  // unsigned(start)`: the difference of the numbers, where that is none below zero.
  Range with_signs(const ir::Sub& op, Range range) const {
    std::optional<Interval> a = signed_number(op.in[0], result);
    std::optional<Interval> b = signed_number(op.in[1], result);
    std::optional<Interval> is = a && b ? subtract(*a, *b) : std::nullopt;
    return is ? exact(*is) : range;
  }
  // A conversion that keeps the number: what is known in a block of that is known of this.
  static void refine_by_source(const ValueRanges& ranges, Range& range, ValueId id,
                               uint32_t block) {
    auto* convert = ranges.made_by<ir::Convert>(id);
    if (!convert || block == ranges.definitions_.home(id)) return;
    const TypeId from = ranges.function_.type_of(convert->in[0]);
    if (!is_ranged(from) || is_scalar(ranges.function_.type_of(id), Scalar::Bool)) return;
    Range source = ranges.lookup(convert->in[0], block);
    if (source.visited && range.is.holds(source.is)) range.is = source.is;
  }
  // The number behind a word of type `word`.
  std::optional<Interval> signed_number(ValueId id, Scalar word) const {
    if (!is_integer(word) || is_signed_integer(word)) return std::nullopt;
    if (auto* constant = ranges.made_by<ir::ConstInt>(id)) {
      Scalar as = info(word).bits == 64 ? Scalar::Int64 : Scalar::Int32;
      if (info(as).bits != info(word).bits) return std::nullopt;
      return Interval{number_of(as, constant->bits), number_of(as, constant->bits)};
    }
    auto* convert = ranges.made_by<ir::Convert>(id);
    if (!convert || !is_scalar(ranges.function_.type_of(convert->in[0]))) return std::nullopt;
    Scalar from = type(ranges.function_.type_of(convert->in[0])).scalar;
    if (!is_signed_integer(from) || info(from).bits > info(word).bits) return std::nullopt;
    Range source = of(convert->in[0]);
    return source.visited ? std::optional(source.is) : std::nullopt;
  }

  template <class AnyOp>
  requires(!(AnyOp::info.knowledge & ir::Ranged)) Range operator()(const AnyOp&) const {
    return any();
  }
  Range operator()(const ir::ConstInt& op) const {
    return exact({number_of(result, op.bits), number_of(result, op.bits)});
  }
  Range operator()(const ir::TableItem& op) const {
    Interval is{number_of(result, op.table->front()), number_of(result, op.table->front())};
    for (uint64_t bits : *op.table)
      is = join(is, {number_of(result, bits), number_of(result, bits)});
    return exact(is);
  }
  // The language promises of a few sums and products that they are places in the grid, and of
  // nothing else that is made of places.
  Range operator()(const ir::Add& op) const {
    if (!ir::axis_of_place(ranges.definitions_, id)) return counted_down(op, binary(op, add));
    Range range = of_places(op, add);
    range.is.hi = std::min(range.is.hi, kMaxPlace);  // so that the next one is a number too
    return range;
  }
  Range operator()(const ir::Sub& op) const {
    Range range = binary(op, subtract);
    return range.visited && range.is == numbers_of(result) ? with_signs(op, range) : range;
  }
  Range operator()(const ir::Mul& op) const {
    bool in_grid = ir::axis_of_first_thread(ranges.definitions_, id) ||
                   ir::axis_of_all_threads(ranges.definitions_, id);
    return in_grid ? of_places(op, multiply) : binary(op, multiply);
  }
  Range operator()(const ir::FloorDiv& op) const { return binary(op, floor_divide); }
  Range operator()(const ir::Mod& op) const { return binary(op, mod); }
  Range operator()(const ir::BitAnd& op) const { return binary(op, bit_and); }
  Range operator()(const ir::BitOr& op) const { return binary(op, bit_or); }
  Range operator()(const ir::BitXor& op) const { return binary(op, bit_or); }
  Range operator()(const ir::ShiftLeft& op) const { return binary(op, shift_left); }
  Range operator()(const ir::ShiftRight& op) const { return binary(op, shift_right); }
  Range operator()(const ir::WrapIndex& op) const { return binary(op, wrap_index); }
  Range operator()(const ir::Neg& op) const {
    Range a = of(op.in[0]);
    return a.visited ? exact({-a.is.hi, -a.is.lo}) : Range{};
  }
  Range operator()(const ir::Abs& op) const {
    Range a = of(op.in[0]);
    return a.visited ? exact(*absolute(a.is)) : Range{};
  }
  Range operator()(const ir::Convert& op) const {
    if (!is_ranged(ranges.function_.type_of(op.in[0]))) return any();
    Range a = of(op.in[0]);
    if (!a.visited) return a;
    if (result == Scalar::Bool) return any();
    return exact(a.is);
  }
  // Each choice is taken under its own condition.
  Range operator()(const ir::Select& op) const {
    Range yes = choice(op.in[1], {op.in[0], true}), no = choice(op.in[2], {op.in[0], false});
    if (!yes.visited || !no.visited) return {};
    return {true, yes.place && no.place, join(yes.is, no.is)};
  }
  Range operator()(const ir::Extent& op) const {
    const Type& array = type(ranges.function_.type_of(op.in[0]));
    bool has_elements = ranges.has_elements_.valid() && op.in[0] == ranges.has_elements_;
    return exact({has_elements, array.facts.index_bits == 32 ? kMostIndex32 : INT64_MAX});
  }
  Range operator()(const ir::ThreadIndex&) const { return position({0, kMaxThreads - 1}); }
  Range operator()(const ir::BlockDimension&) const { return position({1, kMaxThreads}); }
  Range operator()(const ir::BlockIndex&) const { return position({0, kMaxInt32 - 1}); }
  Range operator()(const ir::GridDimension&) const { return position({1, kMaxInt32}); }
  Range operator()(const ir::LaneIndex&) const { return exact({0, kMaxLanes - 1}); }

  // A difference where the condition says that it is one of a smaller number.
  std::optional<Interval> distance(ValueId id, ir::Known known, int depth = 0) const {
    auto* both = ranges.made_by<ir::BitAnd>(known.condition);
    if (both && known.truth && depth < kConditionDepth)
      for (ValueId part : both->in)
        if (auto apart = distance(id, {part, true}, depth + 1)) return apart;
    auto* difference = ranges.made_by<ir::Sub>(id);
    auto* compare = ranges.made_by<ir::Compare>(known.condition);
    if (!difference || !compare || !known.truth || compare->kind != ir::Comparison::Lt)
      return std::nullopt;
    std::optional<Interval> is = apart(*difference, *compare);
    if (!is) is = apart_as_words(*difference, *compare);
    if (!is) return std::nullopt;
    is->lo = std::max<Wide>(is->lo, 1);
    return is->lo <= is->hi && numbers_of(result).holds(*is) ? is : std::nullopt;
  }
  // `b - a` where a < b.
  std::optional<Interval> apart(const ir::Sub& difference, const ir::Compare& compare) const {
    if (difference.in[0] != compare.in[1] || difference.in[1] != compare.in[0]) return std::nullopt;
    Range high = of(difference.in[0]), low = of(difference.in[1]);
    return high.visited && low.visited ? subtract(high.is, low.is) : std::nullopt;
  }
  bool is_word_of(ValueId word, ValueId number) const {
    auto* constant = ranges.made_by<ir::ConstInt>(number);
    if (!constant || !ranges.made_by<ir::ConstInt>(word))
      return ranges.equal(number_behind(word), number);
    const Scalar of = type(ranges.function_.type_of(number)).scalar;
    const std::optional<Interval> is = signed_number(word, result);
    return is && is->lo == number_of(of, constant->bits);
  }
  // `unsigned(stop) - unsigned(start)` where start < stop.
  std::optional<Interval> apart_as_words(const ir::Sub& difference,
                                         const ir::Compare& compare) const {
    if (!is_word_of(difference.in[0], compare.in[1]) ||
        !is_word_of(difference.in[1], compare.in[0]))
      return std::nullopt;
    std::optional<Interval> high = signed_number(difference.in[0], result);
    std::optional<Interval> low = signed_number(difference.in[1], result);
    return high && low ? subtract(*high, *low) : std::nullopt;
  }
  // What a condition says of a number reaches what is made of it and of constants, as in
  // `(stop - start - 1) // step + 1 if start < stop else 0`.
  template <class Op>
  std::optional<Interval> made_of_choice(ValueId id, ir::Known known, int depth,
                                         std::optional<Interval> (*rule)(Interval,
                                                                         Interval)) const {
    auto* op = ranges.made_by<Op>(id);
    auto* constant = op ? ranges.made_by<ir::ConstInt>(op->in[1]) : nullptr;
    if (!constant || depth > kSameDepth) return std::nullopt;
    const Range of = choice(op->in[0], known, depth + 1);
    const Wide number = number_of(result, constant->bits);
    auto is = of.visited ? rule(of.is, {number, number}) : std::nullopt;
    return is && numbers_of(result).holds(*is) ? is : std::nullopt;
  }
  std::optional<Interval> made_of_choice(ValueId id, ir::Known known, int depth) const {
    if (auto is = made_of_choice<ir::Add>(id, known, depth, add)) return is;
    if (auto is = made_of_choice<ir::Sub>(id, known, depth, subtract)) return is;
    if (auto is = made_of_choice<ir::FloorDiv>(id, known, depth, floor_divide)) return is;
    return made_of_choice<ir::ShiftRight>(id, known, depth, shift_right);
  }
  // Where the condition speaks of a number that was converted for the choice, as in
  // `unsigned(n) if 0 < n else 0`, that number's range may fit and say more.
  Range choice(ValueId id, ir::Known known, int depth = 0) const {
    Range range = of(id);
    ranges.refine(range, id, known);
    if (auto apart = distance(id, known)) return exact(*apart);
    if (auto is = made_of_choice(id, known, depth); is && range.is.holds(*is)) return exact(*is);
    auto* convert = ranges.made_by<ir::Convert>(id);
    if (!range.visited || !convert || result == Scalar::Bool) return range;
    if (!is_ranged(ranges.function_.type_of(convert->in[0]))) return range;
    Range source = of(convert->in[0]);
    ranges.refine(source, convert->in[0], known);
    return source.visited && range.is.holds(source.is) ? source : range;
  }
};

ValueRanges::ValueRanges(const ir::Function& function, ValueId has_elements)
    : function_(function),
      has_elements_(has_elements),
      tree_(ir::successors(function_)),
      incoming_(ir::incoming(function_, tree_.reverse_post_order())),
      definitions_(function_),
      ranges_(function.types.size()),
      growth_(function.types.size()) {
  for (ValueId id : function_.blocks[0].params)
    if (is_ranged(function_.type_of(id)))
      ranges_[id.index] = {.visited = true, .is = all_numbers(id)};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block : tree_.reverse_post_order()) changed |= visit(block, &ValueRanges::grow);
  }
  for (int round = 0; round < 2; ++round)
    for (uint32_t block : tree_.reverse_post_order()) visit(block, &ValueRanges::shrink);
}

Interval ValueRanges::all_numbers(ValueId id) const {
  return numbers_of(type(function_.type_of(id)).scalar);
}

bool ValueRanges::visit(uint32_t block, bool (ValueRanges::*update)(ValueId, Range)) {
  bool changed = false;
  const ir::Block& it = function_.blocks[block];
  for (size_t i = 0; block != 0 && i < it.params.size(); ++i)
    if (is_ranged(function_.type_of(it.params[i])))
      changed |= (this->*update)(it.params[i], join_params(block, i));
  for (const ir::Inst& inst : it.insts) {
    if (!inst.result.valid() || !is_ranged(function_.type_of(inst.result))) continue;
    RangeRules rules{*this, block, inst.result, type(function_.type_of(inst.result)).scalar};
    changed |= (this->*update)(inst.result, std::visit(rules, inst.op));
  }
  return changed;
}

// Ranges only grow. Round a loop they could do so for long, and every loop goes through parameters:
// theirs soon grow in few leaps.
bool ValueRanges::grow(ValueId id, Range range) {
  Range& old = ranges_[id.index];
  if (!range.visited) return false;
  if (old.visited) {
    range.place = range.place && old.place;
    range.is = join(range.is, old.is);
    if (range == old) return false;
    if (!definitions_.of(id) && growth_[id.index]++ >= kMaxGrowth)
      range.is = leap(old.is, range.is, all_numbers(id));
  }
  old = range;
  return true;
}

// What holds of all values still does after one more round, which may say more than a leap did.
bool ValueRanges::shrink(ValueId id, Range range) {
  if (range.visited && ranges_[id.index].is.holds(range.is)) ranges_[id.index] = range;
  return false;
}

ValueRanges::Range ValueRanges::join_params(uint32_t block, size_t index) const {
  if (std::optional<Range> range = moved(block, index)) return *range;
  Range joined;
  for (const ir::Incoming& in : incoming_[block]) joined = joined_with(joined, in, index);
  return joined;
}

ValueRanges::Range ValueRanges::joined_with(Range joined, const ir::Incoming& in,
                                            size_t index) const {
  ValueId id = in.edge->args[index];
  Range range = lookup(id, in.from);
  refine(range, id, in);
  if (!range.visited || !joined.visited) return range.visited ? range : joined;
  return {true, joined.place && range.place, join(joined.is, range.is)};
}

ValueRanges::Range ValueRanges::lookup(ValueId id, uint32_t block) const {
  Range range = ranges_[id.index];
  if (!range.visited || !tree_.reachable(block)) return range;
  RangeRules::refine_by_source(*this, range, id, block);
  // A sum with a constant may have been written before: its operand's block is where conditions
  // can begin to speak of it.
  ValueId spoken_of = id;
  auto* sum = made_by<ir::Add>(id);
  auto* difference = made_by<ir::Sub>(id);
  if (sum || difference) {
    const auto& in = sum ? sum->in : difference->in;
    for (int side : {0, 1})
      if (made_by<ir::ConstInt>(in[side])) spoken_of = in[1 - side];
  }
  const uint32_t first = definitions_.home(spoken_of);
  for (int facts = 0; facts < kRangeFacts && block != first; ++facts) {
    if (incoming_[block].size() == 1) refine(range, id, incoming_[block][0]);
    block = tree_.parent(block);
    if (block == Dominators::kNone) break;
  }
  return range;
}

void ValueRanges::refine(Range& range, ValueId id, const ir::Incoming& edge) const {
  if (auto known = ir::known_on(function_, edge)) refine(range, id, *known);
}

void ValueRanges::refine(Range& range, ValueId id, ir::Known known, int depth) const {
  if (!range.visited || depth > kConditionDepth) return;
  auto part = [&](ValueId condition, bool truth) {
    refine(range, id, {condition, truth}, depth + 1);
  };
  if (auto* compare = made_by<ir::Compare>(known.condition))
    refine_by(range, id, *compare, known.truth);
  if (auto* inverted = made_by<ir::BitNot>(known.condition)) part(inverted->in[0], !known.truth);
  if (auto* both = made_by<ir::BitAnd>(known.condition); both && known.truth)
    for (ValueId each : both->in) part(each, true);
  if (auto* either = made_by<ir::BitOr>(known.condition); either && !known.truth)
    for (ValueId each : either->in) part(each, false);
}

namespace {

using ir::Comparison;

// The numbers of `is` of which `is kind other` can be true.
Interval where_true(Interval is, Comparison kind, Interval other) {
  using enum ir::Comparison;
  bool one = other.lo == other.hi;
  if (kind == Lt) is.hi = std::min(is.hi, other.hi - 1);
  if (kind == Le || kind == Eq) is.hi = std::min(is.hi, other.hi);
  if (kind == Gt) is.lo = std::max(is.lo, other.lo + 1);
  if (kind == Ge || kind == Eq) is.lo = std::max(is.lo, other.lo);
  if (kind == Ne && one && is.lo == other.lo) ++is.lo;
  if (kind == Ne && one && is.hi == other.hi) --is.hi;
  return is;
}

}  // namespace

// Is the operand this value, or a conversion of it that keeps its numbers?
bool ValueRanges::stands_for(ValueId operand, ValueId id, const Range& range) const {
  if (same_number(operand, id)) return true;
  auto* convert = made_by<ir::Convert>(operand);
  return convert && same_number(convert->in[0], id) && is_ranged(function_.type_of(operand)) &&
         !is_scalar(function_.type_of(operand), Scalar::Bool) &&
         all_numbers(operand).holds(range.is);
}

// Two values, or the same sum written twice: `if i - 1 >= 0: … x[i - 1]`.
bool ValueRanges::same_number(ValueId a, ValueId b, int depth) const {
  if (a == b) return true;
  const ir::Op *left = definitions_.of(a), *right = definitions_.of(b);
  if (!left || !right || left->index() != right->index() || depth > kSameDepth) return false;
  if (function_.type_of(a) != function_.type_of(b)) return false;
  if (auto* number = std::get_if<ir::ConstInt>(left))
    return number->bits == std::get<ir::ConstInt>(*right).bits;
  if (auto* extent = std::get_if<ir::Extent>(left))
    return extent->in == std::get<ir::Extent>(*right).in &&
           extent->axis == std::get<ir::Extent>(*right).axis;
  bool plain = std::holds_alternative<ir::Add>(*left) || std::holds_alternative<ir::Sub>(*left) ||
               std::holds_alternative<ir::Mul>(*left) || std::holds_alternative<ir::Convert>(*left);
  if (!plain) return false;
  std::span<const ValueId> one = ir::operands(*left), other = ir::operands(*right);
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](ValueId x, ValueId y) { return same_number(x, y, depth + 1); });
}

void ValueRanges::refine_by(Range& range, ValueId id, const ir::Compare& compare,
                            bool truth) const {
  if (!is_ranged(function_.type_of(compare.in[0]))) return;
  // How far the operand is beyond the value, where that is a constant: `if i + 1 < n: … x[i]`.
  auto beyond = [&](ValueId operand) -> std::optional<Wide> {
    if (stands_for(operand, id, range)) return 0;
    auto* sum = made_by<ir::Add>(operand);
    auto* number = sum ? made_by<ir::ConstInt>(sum->in[1]) : nullptr;
    if (!number || !stands_for(sum->in[0], id, range)) return std::nullopt;
    Wide by = number_of(type(function_.type_of(operand)).scalar, number->bits);
    bool exact = all_numbers(operand).holds({range.is.lo + by, range.is.hi + by});
    return exact ? std::optional(by) : std::nullopt;
  };
  for (int side : {0, 1}) {
    std::optional<Wide> by = beyond(compare.in[side]);
    const Range& other = ranges_[compare.in[1 - side].index];
    if (!by || !other.visited) continue;
    Comparison kind = side == 0 ? compare.kind : ir::mirrored(compare.kind);
    Interval refined = where_true({range.is.lo + *by, range.is.hi + *by},
                                  truth ? kind : ir::opposite(kind), other.is);
    // Else no thread comes here.
    if (refined.lo <= refined.hi) range.is = {refined.lo - *by, refined.hi - *by};
  }
}

Interval ValueRanges::interval(ValueId id, BlockId at) const {
  Range range = lookup(id, at.index);
  return range.visited ? range.is : all_numbers(id);
}

}  // namespace hetjit::passes

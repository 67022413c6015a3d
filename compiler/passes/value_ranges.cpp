#include "compiler/passes/value_ranges.h"

#include <algorithm>
#include <bit>

#include "compiler/ir/numbers.h"
#include "compiler/passes/edit.h"

namespace hetjit::passes {
namespace {

constexpr uint64_t kMaxInt32 = INT32_MAX;
constexpr uint64_t kMaxThreads = 1024;  // of a block, along an axis
constexpr int kMaxFacts = 32;           // conditions looked at per question
constexpr int kMaxConditionDepth = 4;   // of `and` and `or` in one
constexpr uint8_t kMaxGrowth = 2;       // then a parameter's bound goes up in leaps
constexpr uint64_t kLeaps[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};

bool is_ranged(TypeId id) {
  return is_scalar(id) && (is_integer(type(id).scalar) || type(id).scalar == Scalar::Bool);
}

uint64_t max_of(Scalar scalar) {
  if (scalar == Scalar::Bool) return 1;
  return ~0ull >> (64 - info(scalar).bits + (is_signed_integer(scalar) ? 1 : 0));
}

uint64_t saturating_add(uint64_t a, uint64_t b) { return a > ~0ull - b ? ~0ull : a + b; }
uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  return b != 0 && a > ~0ull / b ? ~0ull : a * b;
}
// All bits up to the highest of either.
uint64_t mask_over(uint64_t a, uint64_t b) {
  int width = std::bit_width(a | b);
  return width == 0 ? 0 : ~0ull >> (64 - width);
}

}  // namespace

/// One rule per op whose result can be bounded by its operands; of the others the type decides.
struct RangeRules {
  using Range = ValueRanges::Range;
  const ValueRanges& ranges;
  uint32_t block;
  Scalar result;

  uint64_t max() const { return max_of(result); }
  Range top() const {
    if (is_signed_integer(result)) return {Range::Unknown};
    return {Range::Bounded, max()};
  }
  Range of(ValueId id) const { return ranges.lookup(id, block); }
  Range bounded(uint64_t bound) const {
    return bound <= max() ? Range{Range::Bounded, bound} : top();
  }
  static Range position(uint64_t bound) { return {Range::Bounded, bound, true}; }

  // `combine` gives the bound of the result when both operands are bounded.
  template <class Combine>
  Range from_both(ValueId a, ValueId b, Combine combine) const {
    Range left = of(a), right = of(b);
    if (left.kind == Range::Unvisited || right.kind == Range::Unvisited) return {};
    if (left.kind == Range::Unknown || right.kind == Range::Unknown) return top();
    uint64_t bound = combine(left.bound, right.bound);
    if (left.place && right.place) return position(std::min({bound, kMaxInt32, max()}));
    return bounded(bound);
  }

  template <class AnyOp>
  Range operator()(const AnyOp&) const {
    return top();
  }
  Range operator()(const ir::ConstInt& op) const {
    return op.bits <= max() ? Range{Range::Bounded, op.bits} : top();
  }
  Range operator()(const ir::Add& op) const {
    return from_both(op.in[0], op.in[1], saturating_add);
  }
  Range operator()(const ir::Mul& op) const {
    Range range = from_both(op.in[0], op.in[1], saturating_multiply);
    if (!range.place) return range;
    // Blocks times threads of a block is a place in the grid; blocks times blocks is any number.
    uint64_t a = of(op.in[0]).bound, b = of(op.in[1]).bound;
    return std::min(a, b) <= kMaxThreads ? range : bounded(saturating_multiply(a, b));
  }
  Range operator()(const ir::FloorDiv& op) const {
    return from_both(op.in[0], op.in[1], [](uint64_t a, uint64_t) { return a; });
  }
  // The sign of the divisor decides, and x % 0 is 0.
  Range operator()(const ir::Mod& op) const {
    Range divisor = of(op.in[1]), value = of(op.in[0]);
    if (divisor.kind == Range::Unvisited || value.kind == Range::Unvisited) return {};
    if (divisor.kind == Range::Unknown) return top();
    uint64_t bound = divisor.bound ? divisor.bound - 1 : 0;
    return bounded(value.kind == Range::Bounded ? std::min(bound, value.bound) : bound);
  }
  Range operator()(const ir::BitAnd& op) const {
    Range a = of(op.in[0]), b = of(op.in[1]);
    if (a.kind == Range::Unvisited || b.kind == Range::Unvisited) return {};
    if (a.kind == Range::Unknown) std::swap(a, b);
    if (a.kind == Range::Unknown) return top();
    return bounded(b.kind == Range::Bounded ? std::min(a.bound, b.bound) : a.bound);
  }
  Range operator()(const ir::BitOr& op) const { return from_both(op.in[0], op.in[1], mask_over); }
  Range operator()(const ir::BitXor& op) const { return from_both(op.in[0], op.in[1], mask_over); }
  Range operator()(const ir::ShiftRight& op) const {
    Range value = of(op.in[0]);
    if (value.kind == Range::Unvisited) return {};
    return value.kind == Range::Bounded ? bounded(value.bound) : top();
  }
  Range operator()(const ir::Abs& op) const {
    Range value = of(op.in[0]);
    return value.kind == Range::Unknown ? top() : value;  // abs(min) is min
  }
  Range operator()(const ir::Convert& op) const {
    if (!is_ranged(ranges.function_.type_of(op.in[0]))) return top();
    Range value = of(op.in[0]);
    if (value.kind != Range::Bounded) return value.kind == Range::Unvisited ? value : top();
    if (value.place) return position(std::min({value.bound, kMaxInt32, max()}));
    return bounded(value.bound);
  }
  // Each choice is taken under its own condition.
  Range operator()(const ir::Select& op) const {
    Range yes = of(op.in[1]), no = of(op.in[2]);
    refine_choice(yes, op.in[1], {op.in[0], true});
    refine_choice(no, op.in[2], {op.in[0], false});
    if (yes.kind == Range::Unvisited || no.kind == Range::Unvisited) return {};
    if (yes.kind == Range::Unknown || no.kind == Range::Unknown) return top();
    return {Range::Bounded, std::max(yes.bound, no.bound), yes.place && no.place};
  }
  Range operator()(const ir::Extent& op) const {
    const Type& array = type(ranges.function_.type_of(op.in[0]));
    return bounded(array.facts.index_bits == 32 ? kMaxInt32 : max());
  }
  Range operator()(const ir::ThreadIndex&) const { return position(kMaxThreads - 1); }
  Range operator()(const ir::BlockDimension&) const { return position(kMaxThreads); }
  Range operator()(const ir::BlockIndex&) const { return position(kMaxInt32 - 1); }
  Range operator()(const ir::GridDimension&) const { return position(kMaxInt32); }

  // A choice, or the number that was converted to it: `unsigned(n) if 0 < n else 0`.
  void refine_choice(Range& range, ValueId id, ValueRanges::Fact fact) const {
    ranges.refine(range, id, fact);
    const ir::Op* op = ranges.definitions_[id.index];
    const auto* convert = op ? std::get_if<ir::Convert>(op) : nullptr;
    if (!convert || !is_ranged(ranges.function_.type_of(convert->in[0]))) return;
    Range source = of(convert->in[0]);
    ranges.refine(source, convert->in[0], fact);
    if (source.kind != Range::Bounded || source.bound > max()) return;
    if (range.kind == Range::Bounded) source.bound = std::min(source.bound, range.bound);
    range = source;
  }
};

ValueRanges::ValueRanges(const ir::Function& function)
    : function_(function),
      tree_(successors(function_)),
      incoming_(function.blocks.size()),
      ranges_(function.types.size()),
      growth_(function.types.size()),
      definitions_(function.types.size()),
      home_(function.types.size()) {
  find_definitions();
  for (ValueId id : function.blocks[0].params) {
    if (!is_ranged(function.type_of(id))) continue;
    bool is_signed = is_signed_integer(type(function.type_of(id)).scalar);
    ranges_[id.index] = is_signed ? Range{Range::Unknown} : Range{Range::Bounded, type_max(id)};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block : tree_.reverse_post_order()) changed |= visit(block);
  }
}

void ValueRanges::find_definitions() {
  for (uint32_t block : tree_.reverse_post_order()) {
    for (ValueId id : function_.blocks[block].params) home_[id.index] = block;
    for (const ir::Inst& inst : function_.blocks[block].insts) {
      if (inst.result.valid()) {
        home_[inst.result.index] = block;
        definitions_[inst.result.index] = &inst.op;
      }
      auto* branch = std::get_if<ir::Branch>(&inst.op);
      for (const ir::Edge* edge : ir::edges(inst.op)) {
        Fact fact;
        if (branch && branch->yes.to != branch->no.to) fact = {branch->in[0], edge == &branch->yes};
        incoming_[edge->to.index].push_back({block, edge, fact});
      }
    }
  }
}

uint64_t ValueRanges::type_max(ValueId id) const {
  return max_of(type(function_.type_of(id)).scalar);
}

bool ValueRanges::visit(uint32_t block) {
  bool changed = false;
  const ir::Block& it = function_.blocks[block];
  for (size_t i = 0; block != 0 && i < it.params.size(); ++i)
    if (is_ranged(function_.type_of(it.params[i])))
      changed |= set(it.params[i], join_params(block, i));
  for (const ir::Inst& inst : it.insts) {
    if (!inst.result.valid() || !is_ranged(function_.type_of(inst.result))) continue;
    RangeRules rules{*this, block, type(function_.type_of(inst.result)).scalar};
    changed |= set(inst.result, std::visit(rules, inst.op));
  }
  return changed;
}

// Ranges only grow, and a bound that keeps growing does so in few leaps: so the iteration ends.
bool ValueRanges::set(ValueId id, Range range) {
  Range& old = ranges_[id.index];
  if (range == old || range.kind == Range::Unvisited || old.kind == Range::Unknown) return false;
  if (old.kind == Range::Bounded && range.kind == Range::Bounded) {
    range.place = range.place && old.place;
    range.bound = std::max(range.bound, old.bound);
    if (range.bound > old.bound && growth_[id.index]++ >= kMaxGrowth)
      range.bound = std::min(*std::lower_bound(std::begin(kLeaps), std::end(kLeaps), range.bound),
                             type_max(id));
    if (range == old) return false;
  }
  old = range;
  return true;
}

ValueRanges::Range ValueRanges::join_params(uint32_t block, size_t index) const {
  Range joined;
  for (const Incoming& in : incoming_[block]) {
    ValueId id = in.edge->args[index];
    Range range = lookup(id, in.from);
    if (in.fact.condition.valid()) refine(range, id, in.fact);
    if (range.kind == Range::Unvisited) continue;
    if (joined.kind == Range::Unvisited) joined = range;
    if (range.kind == Range::Unknown) joined = range;
    if (joined.kind == Range::Unknown) return joined;
    joined.bound = std::max(joined.bound, range.bound);
    joined.place = joined.place && range.place;
  }
  return joined;
}

ValueRanges::Range ValueRanges::lookup(ValueId id, uint32_t block) const {
  Range range = ranges_[id.index];
  if (range.kind == Range::Unvisited || !tree_.reachable(block)) return range;
  for (int facts = 0; facts < kMaxFacts && block != home_[id.index]; ++facts) {
    if (incoming_[block].size() == 1 && incoming_[block][0].fact.condition.valid())
      refine(range, id, incoming_[block][0].fact);
    block = tree_.parent(block);
    if (block == Dominators::kNone) break;
  }
  return range;
}

void ValueRanges::refine(Range& range, ValueId id, Fact fact, int depth) const {
  if (range.kind == Range::Unvisited || depth > kMaxConditionDepth) return;
  const ir::Op* op = definitions_[fact.condition.index];
  if (!op) return;
  auto part = [&](ValueId condition, bool truth) {
    refine(range, id, {condition, truth}, depth + 1);
  };
  if (auto* compare = std::get_if<ir::Compare>(op)) refine_by(range, id, *compare, fact.truth);
  if (auto* inverted = std::get_if<ir::BitNot>(op)) part(inverted->in[0], !fact.truth);
  if (auto* both = std::get_if<ir::BitAnd>(op); both && fact.truth)
    for (ValueId each : both->in) part(each, true);
  if (auto* either = std::get_if<ir::BitOr>(op); either && !fact.truth)
    for (ValueId each : either->in) part(each, false);
}

namespace {

using ir::Comparison;

Comparison mirrored(Comparison kind) {  // b ? a instead of a ? b
  constexpr Comparison kMirror[] = {Comparison::Gt, Comparison::Ge, Comparison::Eq,
                                    Comparison::Ne, Comparison::Lt, Comparison::Le};
  return kMirror[static_cast<size_t>(kind)];
}
Comparison negated(Comparison kind) {  // of integers
  constexpr Comparison kNegated[] = {Comparison::Ge, Comparison::Gt, Comparison::Ne,
                                     Comparison::Eq, Comparison::Le, Comparison::Lt};
  return kNegated[static_cast<size_t>(kind)];
}

}  // namespace

void ValueRanges::refine_by(Range& range, ValueId id, const ir::Compare& compare,
                            bool truth) const {
  if ((compare.in[0] == id) == (compare.in[1] == id)) return;
  if (!is_ranged(function_.type_of(id))) return;
  bool left = compare.in[0] == id;
  Comparison kind = left ? compare.kind : mirrored(compare.kind);
  if (!truth) kind = negated(kind);
  ValueId other_id = compare.in[left ? 1 : 0];
  Range other = ranges_[other_id.index];
  uint64_t other_max = other.kind == Range::Bounded ? other.bound : type_max(id);
  if (kind == Comparison::Gt || kind == Comparison::Ge || kind == Comparison::Eq) {
    const ir::Op* op = definitions_[other_id.index];
    auto* constant = op ? std::get_if<ir::ConstInt>(op) : nullptr;
    Scalar scalar = type(function_.type_of(id)).scalar;
    bool above_minus_one =
        kind == Comparison::Gt && constant && constant->bits == ir::wrap_bits(scalar, ~0ull);
    bool from_below = other.kind == Range::Bounded || above_minus_one;
    if (range.kind == Range::Unknown && from_below) range = {Range::Bounded, type_max(id)};
  }
  if (range.kind != Range::Bounded) return;
  if (kind == Comparison::Lt && other_max > 0) range.bound = std::min(range.bound, other_max - 1);
  if (kind == Comparison::Le || kind == Comparison::Eq)
    range.bound = std::min(range.bound, other_max);
}

std::optional<uint64_t> ValueRanges::bound(ValueId id, BlockId at) const {
  if (id.index >= ranges_.size()) return std::nullopt;
  Range range = lookup(id, at.index);
  return range.kind == Range::Bounded ? std::optional(range.bound) : std::nullopt;
}

}  // namespace hetjit::passes

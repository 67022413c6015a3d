// Which numbers are known to be below others: by a condition on the way, by how they were made, or
// because a loop begins with one and goes on with one.
#include <algorithm>

#include "compiler/passes/limits.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {

struct BelowRules {
  using Range = ValueRanges::Range;
  const ValueRanges& ranges;
  const ValueId limit;
  std::vector<ValueId> assumed;  // parameters of loops, until one of their values is not
  int choices = 0;               // that are looked through

  ValueId plain(ValueId id) const { return ranges.plain_number(id); }
  bool is_limit(ValueId id) const { return ranges.same_number(plain(id), limit); }
  Interval limits() const { return ranges.ranges_[limit.index].is; }

  bool says_so(ir::Known known, ValueId id, int depth = 0) const {
    if (depth > kConditionDepth) return false;
    auto part = [&](ValueId condition, bool truth) {
      return says_so({condition, truth}, id, depth + 1);
    };
    if (auto* inverted = ranges.made_by<ir::BitNot>(known.condition))
      return part(inverted->in[0], !known.truth);
    auto* both = ranges.made_by<ir::BitAnd>(known.condition);
    auto* either = ranges.made_by<ir::BitOr>(known.condition);
    if (both && known.truth) return part(both->in[0], true) || part(both->in[1], true);
    if (either && !known.truth) return part(either->in[0], false) || part(either->in[1], false);
    auto* compare = ranges.made_by<ir::Compare>(known.condition);
    if (!compare) return false;
    auto [kind, low, high] = std::tuple(known.truth ? compare->kind : ir::opposite(compare->kind),
                                        compare->in[0], compare->in[1]);
    if (kind == ir::Comparison::Gt)
      std::tie(kind, low, high) = std::tuple(ir::mirrored(kind), high, low);
    return kind == ir::Comparison::Lt && ranges.same_number(plain(low), id) && is_limit(high);
  }
  bool on_the_way(ValueId id, uint32_t block) const {
    const uint32_t first = ranges.definitions_.home(id);
    for (int facts = 0; facts < kRangeFacts && block != Dominators::kNone; ++facts) {
      const auto& edges = ranges.incoming_[block];
      auto known = edges.size() == 1 ? ir::known_on(ranges.function_, edges[0]) : std::nullopt;
      if (known && says_so(*known, id)) return true;
      if (block == first) return false;
      block = ranges.tree_.parent(block);
    }
    return false;
  }

  Below of(ValueId id, uint32_t block) {
    id = plain(id);
    const Range range = ranges.lookup(id, block);
    if (!range.visited || range.is.lo < 0) return Below::Unknown;
    if (range.is.hi < limits().lo || on_the_way(id, block)) return Below::Always;
    if (range.is.hi == 0) return limits().lo == 0 ? Below::OrBothZero : Below::Unknown;
    const ir::Op* made = ranges.definitions_.of(id);
    if (!made) return of_param(id);
    if (auto* choice = std::get_if<ir::Select>(made)) return of_choices(*choice, block);
    if (auto* less = std::get_if<ir::Sub>(made)) return of_difference(id, *less, block);
    auto* rest = std::get_if<ir::Mod>(made);
    return rest && is_limit(rest->in[1]) && limits().lo >= 0 ? Below::OrBothZero : Below::Unknown;
  }
  // `limit - 1`, which is not negative.
  Below of_difference(ValueId id, const ir::Sub& less, uint32_t block) const {
    const Interval by = ranges.lookup(less.in[1], block).is;
    const Scalar type = hetjit::type(ranges.function_.type_of(id)).scalar;
    const bool exact = limits().lo >= (is_signed_integer(type) ? 0 : by.hi);
    return exact && by.lo > 0 && is_limit(less.in[0]) ? Below::Always : Below::Unknown;
  }
  Below of_choices(const ir::Select& op, uint32_t block) {
    if (choices == kBelowChoices) return Below::Unknown;
    ++choices;
    Below all = of_choice(op.in[1], {op.in[0], true}, block);
    if (all != Below::Unknown) all = std::min(all, of_choice(op.in[2], {op.in[0], false}, block));
    --choices;
    return all;
  }
  Below of_choice(ValueId id, ir::Known known, uint32_t block) {
    const Range range = ranges.lookup(id, block);
    const bool positive = range.visited && range.is.lo >= 0;
    return positive && says_so(known, plain(id)) ? Below::Always : of(id, block);
  }
  // What all ways bring, round loops in which the limit is the same.
  Below of_param(ValueId id) {
    const uint32_t home = ranges.definitions_.home(id);
    if (std::ranges::find(assumed, id) != assumed.end()) return Below::Always;
    const uint32_t made = ranges.definitions_.home(limit);
    if (home == 0 || assumed.size() >= kBelowLoops || made == home ||
        !ranges.tree_.dominates(made, home))
      return Below::Unknown;
    assumed.push_back(id);
    const std::vector<ValueId>& params = ranges.function_.blocks[home].params;
    const size_t index = static_cast<size_t>(std::ranges::find(params, id) - params.begin());
    Below all = Below::Always;
    for (const ir::Incoming& in : ranges.incoming_[home]) {
      const ValueId value = in.edge->args[index];
      const auto known = ir::known_on(ranges.function_, in);
      all = std::min(all, known ? of_choice(value, *known, in.from) : of(value, in.from));
      if (all == Below::Unknown) break;
    }
    return all;
  }
};

Below ValueRanges::below(ValueId id, ValueId limit, BlockId at) const {
  if (!tree_.reachable(at.index)) return Below::Unknown;
  const ValueId plain = plain_number(limit);
  if (!ranges_[plain.index].visited) return Below::Unknown;
  return BelowRules{*this, plain, {}}.of(id, at.index);
}

bool ValueRanges::equal(ValueId a, ValueId b) const {
  return same_number(plain_number(a), plain_number(b));
}

// The number behind conversions that keep it.
ValueId ValueRanges::plain_number(ValueId id) const {
  for (auto* convert = made_by<ir::Convert>(id); convert; convert = made_by<ir::Convert>(id)) {
    const Range& source = ranges_[convert->in[0].index];
    if (!source.visited || is_scalar(function_.type_of(id), Scalar::Bool)) break;
    if (!all_numbers(id).holds(source.is)) break;
    id = convert->in[0];
  }
  return id;
}

}  // namespace hetjit::passes

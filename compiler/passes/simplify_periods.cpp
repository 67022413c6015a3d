// Remainders of numbers that are at most one period away: `(i + 1) % n`, `(x + dx + w) % w`, where
// i and x are known to be below what is divided by. They come back by a choice; a division takes
// ten times as long.
#include <algorithm>
#include <array>

#include "compiler/passes/limits.h"
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

/// One term of a sum.
struct Term {
  ValueId id;
  bool is_subtracted = false;
};

/// A dividend, `base + by + periods * period` modulo 2^(its bits), where `base` is below the
/// period.
struct Near {
  ValueId base;
  Below below = Below::Unknown;
  Wide periods = 0;
  std::vector<Term> others;
  Interval by{0, 0};  // all others together
};

/// Takes a dividend apart, down to the terms of which something is known.
struct Taker {
  const Simplifier& with;
  const ValueId period;  // as it was before the pass
  Near near{};

  bool fits(Interval is, ValueId id) const { return numbers_of(with.scalar(id)).holds(is); }

  // Behind a conversion to a wider type only what is exact can be taken apart.
  void take(ValueId id, bool is_subtracted, bool exactly, int depth) {
    if (is_base(id, is_subtracted) || is_period(id, is_subtracted)) return;
    if (depth > 0 && (take_convert(id, is_subtracted, exactly, depth) ||
                      take_sum<ir::Add>(id, is_subtracted, exactly, depth, add) ||
                      take_sum<ir::Sub>(id, is_subtracted, exactly, depth, subtract)))
      return;
    const Interval is = with.interval(id);
    near.by = is_subtracted ? *subtract(near.by, is) : *add(near.by, is);
    near.others.push_back({id, is_subtracted});
  }
  bool is_base(ValueId id, bool is_subtracted) {
    const ValueId before = with.at.original(id);
    if (near.below != Below::Unknown || is_subtracted || !before.valid()) return false;
    near.below = with.ranges.below(before, period, with.at.block());
    near.base = id;
    return near.below != Below::Unknown;
  }
  bool is_period(ValueId id, bool is_subtracted) {
    const ValueId before = with.at.original(id);
    if (!before.valid() || !with.ranges.equal(before, period)) return false;
    near.periods += is_subtracted ? -1 : 1;
    return true;
  }
  bool take_convert(ValueId id, bool is_subtracted, bool exactly, int depth) {
    auto* convert = with.at.made_by<ir::Convert>(id);
    if (!convert || !is_integer(with.scalar(convert->in[0]))) return false;
    if (exactly && !fits(with.interval(convert->in[0]), id)) return false;
    const bool is_wider = info(with.scalar(convert->in[0])).bits < info(with.scalar(id)).bits;
    take(convert->in[0], is_subtracted, exactly || is_wider, depth - 1);
    return true;
  }
  template <class AnyOp>
  bool take_sum(ValueId id, bool is_subtracted, bool exactly, int depth,
                std::optional<Interval> (*rule)(Interval, Interval)) {
    auto* sum = with.at.made_by<AnyOp>(id);
    if (!sum) return false;
    if (exactly && !fits(*rule(with.interval(sum->in[0]), with.interval(sum->in[1])), id))
      return false;
    const std::array<ValueId, 2> in = sum->in;
    take(in[0], is_subtracted, exactly, depth - 1);
    take(in[1], is_subtracted != std::is_same_v<AnyOp, ir::Sub>, exactly, depth - 1);
    return true;
  }
};

/// The type in which no number on the way to the remainder wraps.
std::optional<Scalar> type_of_rest(Interval rest, Interval period, Scalar result) {
  for (Scalar type : {Scalar::Int32, Scalar::Int64})
    if (info(type).bits <= info(result).bits && numbers_of(type).holds(rest) &&
        numbers_of(type).holds(period))
      return type;
  return std::nullopt;
}

/// The type of the remainder of what is at most one period away; nullopt: it may be farther.
std::optional<Scalar> type_if_near(const Simplifier& with, const Near& near, ValueId number,
                                   Scalar result) {
  if (near.below == Below::Unknown) return std::nullopt;
  Interval period = with.interval(number);
  const bool may_be_zero = near.below == Below::OrBothZero && period.lo < 1;
  if (may_be_zero && near.by.lo < 0) return std::nullopt;  // what is -1 modulo 0 is 0
  if (!may_be_zero) period.lo = std::max<Wide>(period.lo, 1);
  const Wide reach = std::max<Wide>(period.lo, 1);
  if (near.by.lo < -reach || near.by.hi > reach) return std::nullopt;
  const Wide most = std::max<Wide>(std::min(with.interval(near.base).hi, period.hi - 1), 0);
  const Interval rest{near.by.lo, most + near.by.hi};
  const auto [few, many] = std::minmax({near.periods * period.lo, near.periods * period.hi});
  if (!numbers_of(result).holds({rest.lo + few, rest.hi + many})) return std::nullopt;
  return type_of_rest(rest, period, result);
}

/// The remainder, of numbers of one type.
struct Rest {
  Simplifier& with;
  const TypeId type;

  ValueId number(uint64_t bits) { return with.emit_int(type, bits); }
  ValueId convert(ValueId id) { return with.emit_unary<ir::Convert>(id, type); }
  ValueId add(ValueId a, ValueId b) { return with.emit_binary<ir::Add>(a, b, type); }
  ValueId sub(ValueId a, ValueId b) { return with.emit_binary<ir::Sub>(a, b, type); }
  ValueId choose(ir::Comparison kind, ValueId a, ValueId b, ValueId yes, ValueId no) {
    ir::Compare asked{.kind = kind};
    asked.in = {a, b};
    ir::Select chosen;
    chosen.in = {with.emit(asked, scalar_type(Scalar::Bool)), yes, no};
    return with.emit(chosen, type);
  }

  // One before the beginning is the last one, one beyond the end the first.
  ValueId of(const Near& near, ValueId period) {
    ValueId sum = convert(near.base);
    for (const Term& term : near.others)
      sum = term.is_subtracted ? sub(sum, convert(term.id)) : add(sum, convert(term.id));
    ValueId rest = sum;
    if (near.by.hi > 0) {
      ValueId beyond = near.by.hi == 1 ? number(0) : sub(sum, period);
      rest = choose(ir::Comparison::Ge, sum, period, beyond, rest);
    }
    if (near.by.lo < 0) {
      ValueId before = near.by.lo == -1 ? sub(period, number(1)) : add(sum, period);
      rest = choose(ir::Comparison::Lt, sum, number(0), before, rest);
    }
    return rest;
  }
};

}  // namespace

Same choose_period(Simplifier& with, const ir::Mod& op, TypeId result) {
  const Scalar scalar = type(result).scalar;
  const ValueId number = with.at.original(op.in[1]);
  if (!is_integer(scalar) || info(scalar).bits < 32 || !number.valid()) return std::nullopt;
  Taker taker{with, number};
  taker.take(op.in[0], false, false, kPeriodDepth);
  const std::optional<Scalar> own = type_if_near(with, taker.near, op.in[1], scalar);
  if (!own) return std::nullopt;
  Rest rest{with, scalar_type(*own)};
  const ValueId found = rest.of(taker.near, rest.convert(op.in[1]));
  return with.emit_unary<ir::Convert>(found, result);
}

}  // namespace hetjit::passes

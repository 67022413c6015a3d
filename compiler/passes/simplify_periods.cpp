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
std::optional<Scalar> type_of_rest(const Near& near, Interval period, Scalar result) {
  const Interval numbers{std::min<Wide>(near.by.lo, 0), period.hi + std::max<Wide>(near.by.hi, 0)};
  for (Scalar type : {Scalar::Int32, Scalar::Int64})
    if (info(type).bits <= info(result).bits && numbers_of(type).holds(numbers)) return type;
  return std::nullopt;
}

}  // namespace

Same choose_period(Simplifier& with, const ir::Mod& op, TypeId result) {
  const Scalar scalar = type(result).scalar;
  const ValueId number = with.at.original(op.in[1]);
  if (!is_integer(scalar) || info(scalar).bits < 32 || !number.valid()) return std::nullopt;
  Taker taker{with, number};
  taker.take(op.in[0], false, false, kPeriodDepth);
  const Near& near = taker.near;
  if (near.below == Below::Unknown) return std::nullopt;
  Interval period = with.interval(op.in[1]);
  const bool may_be_zero = near.below == Below::OrBothZero && period.lo < 1;
  if (may_be_zero && near.by.lo < 0) return std::nullopt;  // what is -1 modulo 0 is 0
  if (!may_be_zero) period.lo = std::max<Wide>(period.lo, 1);
  const Wide reach = std::max<Wide>(period.lo, 1);
  if (near.by.lo < -reach || near.by.hi > reach) return std::nullopt;

  const auto [few, many] = std::minmax({near.periods * period.lo, near.periods * period.hi});
  const Interval sum{near.by.lo + few, period.hi - 1 + near.by.hi + many};
  const std::optional<Scalar> rest_type = type_of_rest(near, period, scalar);
  if (!rest_type || !numbers_of(scalar).holds(sum)) return std::nullopt;

  const TypeId own = scalar_type(*rest_type), truth = scalar_type(Scalar::Bool);
  auto as_rest = [&](ValueId id) { return with.emit_unary<ir::Convert>(id, own); };
  auto compare = [&](ir::Comparison kind, ValueId a, ValueId b) {
    ir::Compare op{.kind = kind};
    op.in = {a, b};
    return with.emit(op, truth);
  };
  auto choose = [&](ValueId condition, ValueId yes, ValueId no) {
    ir::Select op;
    op.in = {condition, yes, no};
    return with.emit(op, own);
  };
  ValueId sum_of_terms = as_rest(near.base);
  for (const Term& term : near.others)
    sum_of_terms = term.is_subtracted
                       ? with.emit_binary<ir::Sub>(sum_of_terms, as_rest(term.id), own)
                       : with.emit_binary<ir::Add>(sum_of_terms, as_rest(term.id), own);
  const ValueId zero = with.emit_int(own, 0), one = with.emit_int(own, 1), n = as_rest(op.in[1]);
  ValueId rest = sum_of_terms;
  if (near.by.hi > 0) {
    ValueId beyond = near.by.hi == 1 ? zero : with.emit_binary<ir::Sub>(sum_of_terms, n, own);
    rest = choose(compare(ir::Comparison::Ge, sum_of_terms, n), beyond, rest);
  }
  if (near.by.lo < 0) {
    ValueId before = near.by.lo == -1 ? with.emit_binary<ir::Sub>(n, one, own)
                                      : with.emit_binary<ir::Add>(sum_of_terms, n, own);
    rest = choose(compare(ir::Comparison::Lt, sum_of_terms, zero), before, rest);
  }
  return with.emit_unary<ir::Convert>(rest, result);
}

}  // namespace hetjit::passes

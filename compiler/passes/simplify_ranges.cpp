// Rules that need to know how large numbers can be: what is written on 64-bit extents and counters
// but fits 32 bits is computed in 32, which is half the instructions on a GPU, and for a division
// far less than half.
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

// Of numbers that are not negative the unsigned division gives the same, without a machine's detour
// over signs; of 32 bits it takes a fourth of the time that it takes of 64. The one quotient that a
// signed type does not have is that of its least number by -1.
template <class AnyOp>
Same divide(Simplifier& with, const AnyOp& op, TypeId result) {
  Scalar from = type(result).scalar;
  if (!is_integer(from) || info(from).bits < 32) return std::nullopt;
  Interval a = with.interval(op.in[0]), b = with.interval(op.in[1]);
  for (Scalar to : {Scalar::UInt32, Scalar::Int32, Scalar::UInt64}) {
    Interval all = numbers_of(to);
    bool fits = all.holds(a) && all.holds(b) && (a.lo > all.lo || !is_signed_integer(to));
    if (to == from) return std::nullopt;
    if (!fits || info(to).bits > info(from).bits) continue;
    TypeId as = scalar_type(to);
    ValueId dividend = with.emit_unary<ir::Convert>(op.in[0], as);
    ValueId divisor = with.emit_unary<ir::Convert>(op.in[1], as);
    return with.emit_unary<ir::Convert>(with.emit_binary<AnyOp>(dividend, divisor, as), result);
  }
  return std::nullopt;
}

// The number behind a conversion from a type of 32 bits that keeps its value.
ValueId narrow_source(const Simplifier& with, ValueId id) {
  auto* convert = with.at.made_by<ir::Convert>(id);
  if (!convert) return {};
  Scalar from = with.scalar(convert->in[0]), to = with.scalar(id);
  bool exact = is_integer(from) && info(from).bits == 32 &&
               (is_signed_integer(to) || !is_signed_integer(from));
  return exact ? convert->in[0] : ValueId{};
}

// x, or x converted to another integer type: zero when x is.
ValueId integer_behind(const Simplifier& with, ValueId id) {
  auto* convert = with.at.made_by<ir::Convert>(id);
  return convert && is_integer(with.scalar(convert->in[0])) ? convert->in[0] : id;
}
// The same where x is zero only when the number is: nothing of x was cut off.
ValueId whole_integer_behind(const Simplifier& with, ValueId id) {
  ValueId behind = integer_behind(with, id);
  return info(with.scalar(behind)).bits <= info(with.scalar(id)).bits ? behind : id;
}

}  // namespace

std::optional<Scalar> common_narrow(const Simplifier& with, ValueId a, ValueId b) {
  for (Scalar limits : {Scalar::UInt32, Scalar::Int32})
    if (with.is_within(a, limits) && with.is_within(b, limits)) return limits;
  return std::nullopt;
}

Same divide_unsigned(Simplifier& with, const ir::FloorDiv& op, TypeId result) {
  return divide(with, op, result);
}
Same divide_unsigned(Simplifier& with, const ir::Mod& op, TypeId result) {
  return divide(with, op, result);
}

// Half of a sum that fits 32 bits, `(low + high) // 2`, or of an extent.
Same shift_narrow(Simplifier& with, const ir::ShiftRight& op, TypeId result) {
  auto* constant = with.at.made_by<ir::ConstInt>(op.in[1]);
  const ir::Op* made = with.at.definition(op.in[0]);
  bool worth_it =
      made && (ir::info(*made).knowledge & ir::LowBits ||
               std::holds_alternative<ir::Extent>(*made) || narrow_source(with, op.in[0]).valid());
  if (!worth_it || !constant || info(type(result).scalar).bits != 64) return std::nullopt;
  const uint64_t count = constant->bits;
  if (count >= 32) return std::nullopt;
  for (Scalar to : {Scalar::UInt32, Scalar::Int32}) {
    if (!with.is_within(op.in[0], to)) continue;
    TypeId as = scalar_type(to);
    ValueId shifted = with.emit_binary<ir::ShiftRight>(with.emit_unary<ir::Convert>(op.in[0], as),
                                                       with.emit_int(as, count), as);
    return with.emit_unary<ir::Convert>(shifted, result);
  }
  return std::nullopt;
}

// What the numbers' ranges decide.
Same compare_known(Simplifier& with, const ir::Compare& op, TypeId result) {
  if (!is_integer(with.scalar(op.in[0]))) return std::nullopt;
  Interval a = with.interval(op.in[0]), b = with.interval(op.in[1]);
  using enum ir::Comparison;
  bool apart = a.hi < b.lo || b.hi < a.lo;
  auto decided = [&](bool always, bool never) -> Same {
    if (always || never) return with.emit_int(result, always);
    return std::nullopt;
  };
  if (op.kind == Lt) return decided(a.hi < b.lo, a.lo >= b.hi);
  if (op.kind == Le) return decided(a.hi <= b.lo, a.lo > b.hi);
  if (op.kind == Gt) return decided(a.lo > b.hi, a.hi <= b.lo);
  if (op.kind == Ge) return decided(a.lo >= b.hi, a.hi < b.lo);
  if (op.kind == Eq) return decided(false, apart);
  return decided(apart, false);
}

// Worth it where one side was a 32-bit number before.
Same compare_narrow(Simplifier& with, const ir::Compare& op, TypeId result) {
  Scalar from = with.scalar(op.in[0]);
  if (!is_integer(from) || info(from).bits != 64) return std::nullopt;
  if (!narrow_source(with, op.in[0]).valid() && !narrow_source(with, op.in[1]).valid())
    return std::nullopt;
  std::optional<Scalar> as = common_narrow(with, op.in[0], op.in[1]);
  if (!as) return std::nullopt;
  ir::Compare narrow = op;
  for (ValueId& id : narrow.in) id = with.emit_unary<ir::Convert>(id, scalar_type(*as));
  return with.emit(narrow, result);
}

// A choice between 32-bit numbers, one of which was such a number before: `min(i, x.shape[0] - 1)`.
Same choose_narrow(Simplifier& with, const ir::Select& op, TypeId result) {
  if (!is_scalar(result) || !is_integer(type(result).scalar)) return std::nullopt;
  if (info(type(result).scalar).bits != 64) return std::nullopt;
  if (!narrow_source(with, op.in[1]).valid() && !narrow_source(with, op.in[2]).valid())
    return std::nullopt;
  std::optional<Scalar> as = common_narrow(with, op.in[1], op.in[2]);
  if (!as) return std::nullopt;
  ir::Select narrow = op;
  for (int choice : {1, 2})
    narrow.in[choice] = with.emit_unary<ir::Convert>(op.in[choice], scalar_type(*as));
  return with.emit_unary<ir::Convert>(with.emit(narrow, scalar_type(*as)), result);
}

// `unsigned(n) if 0 < n else 0`, the number of steps to n, is unsigned(n) where n is not negative.
Same choose_nonzero(Simplifier& with, const ir::Select& op, TypeId) {
  auto* compare = with.at.made_by<ir::Compare>(op.in[0]);
  if (!compare || !with.is_int(op.in[2], 0) || !is_integer(with.scalar(op.in[1]))) return {};
  bool zero_left = with.is_int(compare->in[0], 0), zero_right = with.is_int(compare->in[1], 0);
  if (zero_left == zero_right) return std::nullopt;
  ValueId number = compare->in[zero_left ? 1 : 0];
  using enum ir::Comparison;
  bool positive = compare->kind == (zero_left ? Lt : Gt) && with.is_nonnegative(number);
  if (!positive && compare->kind != Ne) return std::nullopt;
  return integer_behind(with, op.in[1]) == whole_integer_behind(with, number) ? Same(op.in[1])
                                                                              : std::nullopt;
}

}  // namespace hetjit::passes

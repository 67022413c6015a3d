// Rules that need to know how large numbers can be: what is written on 64-bit extents and counters
// but fits 32 bits is computed in 32, which is half the instructions on a GPU, and for a division
// far less than half.
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

// Of numbers that are not negative the unsigned division gives the same, without a machine's detour
// over signs.
template <class AnyOp>
Same divide(Simplifier& with, const AnyOp& op, TypeId result) {
  Scalar from = type(result).scalar;
  if (!is_integer(from) || info(from).bits < 32) return std::nullopt;
  auto both_within = [&](Scalar limits) {
    return with.is_within(op.in[0], limits) && with.is_within(op.in[1], limits);
  };
  Scalar to = both_within(Scalar::UInt32) ? Scalar::UInt32 : Scalar::UInt64;
  if (to == from || !both_within(to)) return std::nullopt;
  TypeId as = scalar_type(to);
  ValueId a = with.emit_unary<ir::Convert>(op.in[0], as);
  ValueId b = with.emit_unary<ir::Convert>(op.in[1], as);
  return with.emit_unary<ir::Convert>(with.emit_binary<AnyOp>(a, b, as), result);
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

// The 32-bit type that has both numbers, if there is one.
std::optional<Scalar> common_narrow(const Simplifier& with, ValueId a, ValueId b) {
  for (Scalar limits : {Scalar::UInt32, Scalar::Int32})
    if (with.is_within(a, limits) && with.is_within(b, limits)) return limits;
  return std::nullopt;
}

// x, or x converted to another integer type: zero when x is.
ValueId integer_behind(const Simplifier& with, ValueId id) {
  auto* convert = with.at.made_by<ir::Convert>(id);
  return convert && is_integer(with.scalar(convert->in[0])) ? convert->in[0] : id;
}

}  // namespace

Same divide_unsigned(Simplifier& with, const ir::FloorDiv& op, TypeId result) {
  return divide(with, op, result);
}
Same divide_unsigned(Simplifier& with, const ir::Mod& op, TypeId result) {
  return divide(with, op, result);
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
  return integer_behind(with, op.in[1]) == integer_behind(with, number) ? Same(op.in[1])
                                                                        : std::nullopt;
}

}  // namespace hetjit::passes

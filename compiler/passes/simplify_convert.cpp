// Conversions: chains that say nothing new become one, and cutting a number down is done as early
// as possible, so that index arithmetic written on 64-bit extents is 32-bit arithmetic on a GPU.
#include "compiler/ir/numbers.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

int exponent_bits(Scalar floating) { return info(floating).exponent_bits; }
// Significant bits, the hidden one included.
int precision(Scalar floating) { return info(floating).mantissa_bits + 1; }

// Bits of the magnitude.
int value_bits(Scalar integer) {
  if (integer == Scalar::Bool) return 1;
  return info(integer).bits - (is_signed_integer(integer) ? 1 : 0);
}

// Does `to` have every value of `from`?
bool holds_all(Scalar from, Scalar to) {
  if (from == to) return true;
  if (to == Scalar::Bool) return false;
  bool from_float = is_floating(from), to_float = is_floating(to);
  if (from_float && !to_float) return false;
  if (from_float) {
    // The 8-bit formats have their own ideas of infinity and NaN: nothing but wider into them.
    return info(to).bits > 8 && precision(to) >= precision(from) &&
           exponent_bits(to) >= exponent_bits(from);
  }
  if (to_float) return precision(to) >= value_bits(from) && (1 << (exponent_bits(to) - 1)) > 64;
  return value_bits(to) >= value_bits(from) && (is_signed_integer(to) || !is_signed_integer(from));
}

// from -> middle -> to is from -> to.
bool middle_says_nothing(Scalar from, Scalar middle, Scalar to) {
  bool bits_only = is_integer(middle) && is_integer(to) && !is_floating(from);
  if (bits_only && info(to).bits <= info(middle).bits) return true;  // the low bits count
  if (!holds_all(from, middle)) return false;
  // An integer wraps into a smaller one; by way of a float it would saturate.
  if (is_integer(to) && !is_floating(from) && is_floating(middle)) return holds_all(from, to);
  return true;
}

// ---- narrowing: where the low bits come of the operands' low bits alone

Same narrow(Simplifier& with, ir::Op op, TypeId result) {
  ++with.depth;
  for (ValueId& id : ir::operands(op)) id = with.emit_unary<ir::Convert>(id, result);
  --with.depth;
  return with.emit(std::move(op), result);
}

// An extent plus or minus a constant costs next to nothing a second time.
template <class Sum>
bool is_next_to_extent(const Simplifier& with, ValueId id) {
  auto* sum = with.at.made_by<Sum>(id);
  return sum && with.at.made_by<ir::Extent>(sum->in[0]) && with.is_constant(sum->in[1]);
}

// Only where the wide value has no other use, or it would be computed twice.
Same narrow_operand(Simplifier& with, const ir::Convert& op, TypeId result) {
  Scalar from = with.scalar(op.in[0]), to = type(result).scalar;
  if (!is_integer(from) || !is_integer(to) || info(to).bits >= info(from).bits) return {};
  // Below 32 bits no machine has arithmetic that would be cheaper.
  if (info(to).bits < 32 || with.depth >= kConversionDepth) return {};
  bool only_use = op.in[0].index < with.uses.size() && with.uses[op.in[0].index] == 1;
  bool worth_it = only_use || is_next_to_extent<ir::Sub>(with, op.in[0]) ||
                  is_next_to_extent<ir::Add>(with, op.in[0]);
  const ir::Op* made = worth_it ? with.at.definition(op.in[0]) : nullptr;
  if (!made || !(ir::info(*made).knowledge & ir::LowBits)) return {};
  return narrow(with, *made, result);
}

Same convert_constant(Simplifier& with, const ir::Convert& op, TypeId result) {
  auto* constant = with.at.made_by<ir::ConstInt>(op.in[0]);
  Scalar from = with.scalar(op.in[0]), to = type(result).scalar;
  if (!constant || !is_integer(to)) return {};
  return with.emit_int(result, ir::wrap_bits(to, ir::extend_bits(from, constant->bits)));
}

}  // namespace

Same simplify(Simplifier& with, ir::Convert& op, TypeId result) {
  if (with.at.type_of(op.in[0]) == result) return op.in[0];
  if (auto* inner = with.at.made_by<ir::Convert>(op.in[0])) {
    ValueId source = inner->in[0];
    if (middle_says_nothing(with.scalar(source), with.scalar(op.in[0]), type(result).scalar))
      return with.emit_unary<ir::Convert>(source, result);
  }
  if (Same same = convert_constant(with, op, result)) return same;
  return narrow_operand(with, op, result);
}

}  // namespace hetjit::passes

// Conversions: chains that say nothing new become one, and cutting a number down is done as early
// as possible, so that index arithmetic written on 64-bit extents is 32-bit arithmetic on a GPU.
#include "compiler/ir/numbers.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

int exponent_bits(Scalar floating) {
  switch (floating) {
    case Scalar::Float8E4M3:
      return 4;
    case Scalar::Float8E5M2:
    case Scalar::Float16:
      return 5;
    case Scalar::Float64:
      return 11;
    default:  // Float32, BFloat16
      return 8;
  }
}
// Significant bits, the hidden one included.
int precision(Scalar floating) { return info(floating).bits - exponent_bits(floating); }

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

// ---- narrowing: the low bits of these depend on the low bits of their operands only

template <class AnyOp>
constexpr bool kLowBitsOnly = false;
template <>
constexpr bool kLowBitsOnly<ir::Add> = true;
template <>
constexpr bool kLowBitsOnly<ir::Sub> = true;
template <>
constexpr bool kLowBitsOnly<ir::Mul> = true;
template <>
constexpr bool kLowBitsOnly<ir::Neg> = true;
template <>
constexpr bool kLowBitsOnly<ir::BitAnd> = true;
template <>
constexpr bool kLowBitsOnly<ir::BitOr> = true;
template <>
constexpr bool kLowBitsOnly<ir::BitXor> = true;
template <>
constexpr bool kLowBitsOnly<ir::BitNot> = true;

template <class AnyOp>
Same narrow(Simplifier&, const AnyOp&, TypeId) {
  return std::nullopt;
}

template <class AnyOp>
requires kLowBitsOnly<AnyOp> Same narrow(Simplifier& with, const AnyOp& wide, TypeId result) {
  AnyOp op = wide;
  ++with.depth;
  for (ValueId& id : op.in) id = with.emit_unary<ir::Convert>(id, result);
  --with.depth;
  return with.emit(op, result);
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
  if (!made) return {};
  ir::Op wide = *made;  // emitting moves definitions
  return std::visit([&](const auto& each) { return narrow(with, each, result); }, wide);
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

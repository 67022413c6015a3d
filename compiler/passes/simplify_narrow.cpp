// Numbers of 64 bits that fit 32 are computed in 32 and compared in 32, whoever uses them: an
// array's extent is an int of 64 bits, and what is added to one is, too. For GPUs, where an
// addition or a comparison of 64 bits is two or three instructions and a number in a register is
// two registers; to make it a longer one again where that is asked costs one instruction or none.
#include "compiler/passes/simplify.h"

namespace hetjit::passes {
namespace {

bool is_long(const Simplifier& with, ValueId id) {
  TypeId it = with.at.type_of(id);
  return is_scalar(it) && is_integer(type(it).scalar) && info(type(it).scalar).bits == 64;
}

// The operands of which only the low bits count; 0: the op is none whose low bits come of them.
size_t first_low_operand(const ir::Op& op) {
  if (ir::info(op).knowledge & ir::LowBits) return 0;
  return std::holds_alternative<ir::Select>(op) ? 1 : SIZE_MAX;
}

Same narrow_arithmetic(Simplifier& with, const ir::Inst& inst) {
  const size_t first = first_low_operand(inst.op);
  if (first == SIZE_MAX || !is_long(with, inst.result)) return std::nullopt;
  for (Scalar to : {Scalar::UInt32, Scalar::Int32}) {
    if (!with.is_within(inst.result, to)) continue;
    ir::Op narrow = inst.op;
    std::span<ValueId> in = ir::operands(narrow);
    for (ValueId& id : in.subspan(first)) id = with.emit_unary<ir::Convert>(id, scalar_type(to));
    ValueId number = with.emit(std::move(narrow), scalar_type(to));
    return with.emit_unary<ir::Convert>(number, with.at.type_of(inst.result));
  }
  return std::nullopt;
}

Same compare_as(Simplifier& with, ir::Compare op, Scalar as, TypeId result) {
  for (ValueId& id : op.in) id = with.emit_unary<ir::Convert>(id, scalar_type(as));
  return with.emit(op, result);
}

// An unsigned number below a signed one, `x < w - 1`, is below it or 0, whichever is more; and not
// above one is below the next.
Same compare_mixed(Simplifier& with, ir::Compare op, TypeId result) {
  using enum ir::Comparison;
  if (with.is_within(op.in[0], Scalar::Int32)) {
    std::swap(op.in[0], op.in[1]);
    op.kind = ir::mirrored(op.kind);
  }
  if (op.kind == Eq || op.kind == Ne) return std::nullopt;
  if (!with.is_within(op.in[0], Scalar::UInt32) || !with.is_within(op.in[1], Scalar::Int32))
    return std::nullopt;
  const TypeId as = scalar_type(Scalar::Int32);
  ValueId limit = with.emit_unary<ir::Convert>(op.in[1], as);
  if (op.kind == Le || op.kind == Gt) {
    if (with.interval(op.in[1]).hi == INT32_MAX) return std::nullopt;
    limit = with.emit_binary<ir::Add>(limit, with.emit_int(as, 1), as);
  }
  ValueId zero = with.emit_int(as, 0);
  ir::Compare above;
  above.kind = Gt;
  above.in = {limit, zero};
  ir::Select most;
  most.in = {with.emit(above, scalar_type(Scalar::Bool)), limit, zero};
  op.kind = op.kind == Lt || op.kind == Le ? Lt : Ge;
  op.in[1] = with.emit(most, as);
  return compare_as(with, op, Scalar::UInt32, result);
}

Same narrow_comparison(Simplifier& with, const ir::Inst& inst) {
  auto* compare = std::get_if<ir::Compare>(&inst.op);
  if (!compare || !is_long(with, compare->in[0])) return std::nullopt;
  const TypeId result = with.at.type_of(inst.result);
  if (auto as = common_narrow(with, compare->in[0], compare->in[1]))
    return compare_as(with, *compare, *as, result);
  return compare_mixed(with, *compare, result);
}

}  // namespace

Same narrow_value(Simplifier& with, const ir::Inst& inst) {
  if (Same same = narrow_arithmetic(with, inst)) return same;
  return narrow_comparison(with, inst);
}

}  // namespace hetjit::passes

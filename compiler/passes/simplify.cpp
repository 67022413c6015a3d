// Small rewrites that LLVM cannot make, or that make the graph worth reading: one function per op.
// Every rule is exact: floats keep their bits, NaN and the signs of zeros included.
#include "compiler/passes/simplify.h"

#include <bit>
#include <cmath>

#include "compiler/ir/interpret_arith.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"

namespace hetjit::passes {

// ---- what operands are

bool Simplifier::is_constant(ValueId id) const {
  return at.made_by<ir::ConstInt>(id) || at.made_by<ir::ConstFloat>(id);
}

bool Simplifier::is_int(ValueId id, uint64_t bits) const {
  auto* constant = at.made_by<ir::ConstInt>(id);
  return constant && constant->bits == bits;
}

bool Simplifier::is_all_ones(ValueId id) const {
  return is_int(id, ir::wrap_bits(scalar(id), ~0ull));
}

bool Simplifier::is_float(ValueId id, double value) const {
  auto* constant = at.made_by<ir::ConstFloat>(id);
  return constant && constant->value == value &&
         std::signbit(constant->value) == std::signbit(value);
}

namespace {

bool is_integer_value(const Simplifier& with, ValueId id) { return is_integer(with.scalar(id)); }

// Constants stand on the right of ops that commute, so that rules look in one place.
template <class AnyOp>
void order_operands(Simplifier& with, AnyOp& op) {
  if (!with.is_constant(op.in[0]) || with.is_constant(op.in[1])) return;
  std::swap(op.in[0], op.in[1]);
  with.at.mark_changed();
}

// op(op(x)) is x.
template <class AnyOp>
Same undo(const Simplifier& with, const AnyOp& op) {
  auto* inner = with.at.made_by<AnyOp>(op.in[0]);
  return inner ? Same(inner->in[0]) : std::nullopt;
}

template <class AnyOp>
Same simplify(Simplifier&, const AnyOp&, TypeId) {
  return std::nullopt;
}

// ---- arithmetic

Same simplify(Simplifier& with, ir::Add& op, TypeId) {
  // x + -0.0 is x for every x; x + 0.0 is not: -0.0 + 0.0 is 0.0.
  if (with.is_int(op.in[1], 0) || with.is_float(op.in[1], -0.0)) return op.in[0];
  return std::nullopt;
}

Same simplify(Simplifier& with, ir::Sub& op, TypeId result) {
  if (with.is_int(op.in[1], 0) || with.is_float(op.in[1], 0.0)) return op.in[0];
  if (op.in[0] == op.in[1] && is_integer_value(with, op.in[0])) return with.emit_int(result, 0);
  return std::nullopt;
}

Same simplify(Simplifier& with, ir::Mul& op, TypeId) {
  if (with.is_int(op.in[1], 1) || with.is_float(op.in[1], 1)) return op.in[0];
  if (with.is_int(op.in[1], 0)) return op.in[1];
  return std::nullopt;
}

Same simplify(Simplifier& with, ir::Div& op, TypeId) {
  return with.is_float(op.in[1], 1) ? Same(op.in[0]) : std::nullopt;
}

// The exponent of a constant that is a power of two.
std::optional<unsigned> exponent_of_two(const Simplifier& with, ValueId id) {
  auto* constant = with.at.made_by<ir::ConstInt>(id);
  if (!constant || !std::has_single_bit(constant->bits)) return std::nullopt;
  auto exponent = static_cast<unsigned>(std::countr_zero(constant->bits));
  Scalar of = with.scalar(id);
  bool negative = is_signed_integer(of) && exponent + 1 == info(of).bits;
  return negative ? std::nullopt : std::optional(exponent);
}

// What rounds down divides by a power of two by shifting, and leaves the low bits as remainder,
// whatever the signs.
Same simplify(Simplifier& with, ir::FloorDiv& op, TypeId result) {
  if (with.is_int(op.in[1], 1)) return op.in[0];
  if (auto exponent = exponent_of_two(with, op.in[1]))
    return with.emit_binary<ir::ShiftRight>(op.in[0], with.emit_int(result, *exponent), result);
  return divide_unsigned(with, op, result);
}

Same simplify(Simplifier& with, ir::Mod& op, TypeId result) {
  if (with.is_int(op.in[1], 1)) return with.emit_int(result, 0);
  if (auto exponent = exponent_of_two(with, op.in[1]))
    return with.emit_binary<ir::BitAnd>(
        op.in[0], with.emit_int(result, (uint64_t{1} << *exponent) - 1), result);
  if (Same same = choose_period(with, op, result)) return same;
  return divide_unsigned(with, op, result);
}

Same simplify(Simplifier& with, ir::Neg& op, TypeId) { return undo(with, op); }

Same simplify(Simplifier& with, ir::Abs& op, TypeId) {
  if (with.at.made_by<ir::Abs>(op.in[0])) return op.in[0];
  bool positive = is_integer_value(with, op.in[0]) && with.is_nonnegative(op.in[0]);
  return positive ? Same(op.in[0]) : std::nullopt;
}

// ---- bits

Same simplify(Simplifier& with, ir::BitAnd& op, TypeId) {
  if (op.in[0] == op.in[1] || with.is_all_ones(op.in[1])) return op.in[0];
  return with.is_int(op.in[1], 0) ? Same(op.in[1]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::BitOr& op, TypeId) {
  if (op.in[0] == op.in[1] || with.is_int(op.in[1], 0)) return op.in[0];
  return with.is_all_ones(op.in[1]) ? Same(op.in[1]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::BitXor& op, TypeId result) {
  if (with.is_int(op.in[1], 0)) return op.in[0];
  if (op.in[0] == op.in[1]) return with.emit_int(result, 0);
  if (with.is_all_ones(op.in[1])) return with.emit_unary<ir::BitNot>(op.in[0], result);
  return std::nullopt;
}

// not (a < b) is a >= b, of integers; of floats only equality has an opposite.
Same simplify(Simplifier& with, ir::BitNot& op, TypeId result) {
  if (Same same = undo(with, op)) return same;
  auto* compare = with.at.made_by<ir::Compare>(op.in[0]);
  if (!compare) return std::nullopt;
  using enum ir::Comparison;
  bool has_opposite =
      !is_floating(with.scalar(compare->in[0])) || compare->kind == Eq || compare->kind == Ne;
  if (!has_opposite) return std::nullopt;
  ir::Compare inverted = *compare;
  inverted.kind = ir::opposite(compare->kind);
  return with.emit(inverted, result);
}

template <class AnyOp>
Same simplify_shift(Simplifier& with, const AnyOp& op) {
  return with.is_int(op.in[1], 0) || with.is_int(op.in[0], 0) ? Same(op.in[0]) : std::nullopt;
}
Same simplify(Simplifier& with, ir::ShiftLeft& op, TypeId) { return simplify_shift(with, op); }
Same simplify(Simplifier& with, ir::ShiftRight& op, TypeId result) {
  if (Same same = simplify_shift(with, op)) return same;
  return shift_narrow(with, op, result);
}

// ---- choices

Same simplify(Simplifier& with, ir::Compare& op, TypeId result) {
  using enum ir::Comparison;
  bool equality = op.kind == Eq || op.kind == Ne;
  if (equality) order_operands(with, op);
  if (op.in[0] == op.in[1] && !is_floating(with.scalar(op.in[0])))
    return with.emit_int(result, op.kind == Le || op.kind == Eq || op.kind == Ge);
  if (Same same = compare_known(with, op, result)) return same;
  if (Same same = compare_narrow(with, op, result)) return same;
  if (!equality || with.scalar(op.in[0]) != Scalar::Bool) return std::nullopt;
  if (with.is_int(op.in[1], op.kind == Eq)) return op.in[0];
  if (with.is_int(op.in[1], op.kind == Ne)) return with.emit_unary<ir::BitNot>(op.in[0], result);
  return std::nullopt;
}

Same simplify(Simplifier& with, ir::Select& op, TypeId result) {
  if (op.in[1] == op.in[2]) return op.in[1];
  if (auto* inverted = with.at.made_by<ir::BitNot>(op.in[0])) {
    op.in = {inverted->in[0], op.in[2], op.in[1]};
    with.at.mark_changed();
  }
  if (Same same = choose_nonzero(with, op, result)) return same;
  if (Same same = choose_narrow(with, op, result)) return same;
  if (!is_scalar(result, Scalar::Bool)) return std::nullopt;
  if (with.is_int(op.in[1], 1) && with.is_int(op.in[2], 0)) return op.in[0];
  if (with.is_int(op.in[1], 0) && with.is_int(op.in[2], 1))
    return with.emit_unary<ir::BitNot>(op.in[0], result);
  return std::nullopt;
}

// ---- arrays and aggregates

Same simplify(Simplifier& with, ir::WrapIndex& op, TypeId) {
  return with.is_nonnegative(op.in[0]) ? Same(op.in[0]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::Extent& op, TypeId) {
  auto* array = with.at.made_by<ir::MakeArray>(op.in[0]);
  return array ? Same(array->in[1 + op.axis]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::ArrayData& op, TypeId) {
  auto* array = with.at.made_by<ir::MakeArray>(op.in[0]);
  return array ? Same(array->in[0]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::MoveAddress& op, TypeId result) {
  bool stays = with.is_int(op.in[1], 0) && with.at.type_of(op.in[0]) == result;
  return stays ? Same(op.in[0]) : std::nullopt;
}

Same simplify(Simplifier& with, ir::Stride& op, TypeId result) {
  const Type& array = type(with.at.type_of(op.in[0]));
  if (auto* made = with.at.made_by<ir::MakeArray>(op.in[0]);
      made && array.facts.order == Order::Strided)
    return made->in[1u + array.rank + op.axis];
  bool one = array.facts.order == Order::Contiguous && op.axis + 1u == array.rank;
  return one ? Same(with.emit_int(result, 1)) : std::nullopt;
}

Same simplify(Simplifier& with, ir::Extract& op, TypeId) {
  auto* tuple = with.at.made_by<ir::MakeTuple>(op.in[0]);
  return tuple ? Same(tuple->in[op.index]) : std::nullopt;
}

// (t[0], t[1]) is t.
Same simplify(Simplifier& with, ir::MakeTuple& op, TypeId result) {
  ValueId whole;
  for (uint32_t i = 0; i < op.in.size(); ++i) {
    auto* part = with.at.made_by<ir::Extract>(op.in[i]);
    if (!part || part->index != i || (whole.valid() && whole != part->in[0])) return std::nullopt;
    whole = part->in[0];
  }
  return whole.valid() && with.at.type_of(whole) == result ? Same(whole) : std::nullopt;
}

// ---- complex numbers

Same simplify(Simplifier& with, ir::RealPart& op, TypeId) {
  auto* whole = with.at.made_by<ir::MakeComplex>(op.in[0]);
  return whole ? Same(whole->in[0]) : std::nullopt;
}
Same simplify(Simplifier& with, ir::ImaginaryPart& op, TypeId) {
  auto* whole = with.at.made_by<ir::MakeComplex>(op.in[0]);
  return whole ? Same(whole->in[1]) : std::nullopt;
}
Same simplify(Simplifier& with, ir::MakeComplex& op, TypeId result) {
  auto* real = with.at.made_by<ir::RealPart>(op.in[0]);
  auto* imag = with.at.made_by<ir::ImaginaryPart>(op.in[1]);
  bool whole = real && imag && real->in[0] == imag->in[0] && with.at.type_of(real->in[0]) == result;
  return whole ? Same(real->in[0]) : std::nullopt;
}

// ---- control

void simplify_branch(Simplifier& with, ir::Op& op) {
  auto* branch = std::get_if<ir::Branch>(&op);
  auto* inverted = branch ? with.at.made_by<ir::BitNot>(branch->in[0]) : nullptr;
  if (!inverted) return;
  branch->in = inverted->in;
  std::swap(branch->yes, branch->no);
  with.at.mark_changed();
}

Same simplify_op(Simplifier& with, ir::Op& op, TypeId result) {
  return std::visit(
      [&]<class AnyOp>(AnyOp& each) {
        if constexpr (AnyOp::info.commutes) order_operands(with, each);
        return simplify(with, each, result);
      },
      op);
}

}  // namespace

ValueId Simplifier::emit(ir::Op op, TypeId type) {
  if (Same same = simplify_op(*this, op, type)) return *same;
  return at.emit(std::move(op), type);
}

namespace {

/// `more`: a rule that is tried where the small ones say nothing.
template <class More>
bool simplify_with(ir::Module& module, More more) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    ValueRanges ranges(function);
    std::vector<uint32_t> uses = ir::count_uses(function);
    ir::Editor editor(function);
    Simplifier with{editor, ranges, uses};
    changed |= editor.run([&](ir::Inst& inst) -> Same {
      simplify_branch(with, inst.op);
      if (!inst.result.valid()) return std::nullopt;
      if (Same same = simplify_op(with, inst.op, editor.type_of(inst.result))) return same;
      return more(with, inst);
    });
  }
  return changed;
}

}  // namespace

bool simplify(ir::Module& module) {
  return simplify_with(module, [](Simplifier&, const ir::Inst&) { return Same(); });
}

bool narrow_values(ir::Module& module) { return simplify_with(module, narrow_value); }

}  // namespace hetjit::passes

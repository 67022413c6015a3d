// Computes at compile time what is known at compile time. The numbers come from the interpreter's
// own functions (compiler/ir/interpret_arith.h), so folding cannot change a result.
//
// Math functions without an exact native form are left alone: each target's library has its own
// last bits, and a folded call must not differ from one that is made.
#include <algorithm>

#include "compiler/ir/edit.h"
#include "compiler/ir/interpret_arith.h"
#include "compiler/ir/numbers.h"
#include "compiler/passes/passes.h"

namespace hetjit::passes {
namespace {

std::optional<uint64_t> known_bits(const ir::Editor& at, ValueId id) {
  if (auto* constant = at.made_by<ir::ConstInt>(id)) return constant->bits;
  if (auto* constant = at.made_by<ir::ConstFloat>(id))
    return ir::float_to_bits(type(at.type_of(id)).scalar, constant->value);
  return std::nullopt;
}

// nullopt: no constant has exactly these bits (a NaN with a sign).
std::optional<ir::Op> constant_of(Scalar scalar, uint64_t bits) {
  if (!is_floating(scalar)) {
    ir::ConstInt op;
    op.bits = bits;
    return op;
  }
  ir::ConstFloat op;
  op.value = ir::bits_to_float(scalar, bits);
  if (ir::float_to_bits(scalar, op.value) != bits) return std::nullopt;
  return op;
}

template <class AnyOp>
bool may_fold(const AnyOp&) {
  return ir::ScalarOp<AnyOp>;
}
bool may_fold(const ir::Math& op) { return *ir::info(op.function).native != '\0'; }

template <class AnyOp>
std::optional<ValueId> fold(ir::Editor&, const AnyOp&, ValueId) {
  return std::nullopt;
}

template <ir::ScalarOp AnyOp>
std::optional<ValueId> fold(ir::Editor& at, const AnyOp& op, ValueId result) {
  if (!may_fold(op)) return std::nullopt;
  uint64_t in[3] = {};
  size_t count = 0;
  for (ValueId id : op.in) {
    auto bits = known_bits(at, id);
    if (!bits) return std::nullopt;
    in[count++] = *bits;
  }
  Scalar of = type(at.type_of(op.in[0])).scalar, to = type(at.type_of(result)).scalar;
  auto constant = constant_of(to, ir::meaning(op, of, to)(in[0], in[1], in[2]));
  if (!constant) return std::nullopt;
  return at.emit(*constant, at.type_of(result));
}

std::optional<ValueId> fold(ir::Editor& at, const ir::TableItem& op, ValueId result) {
  auto place = known_bits(at, op.in[0]);
  if (!place) return std::nullopt;
  uint64_t bits = (*op.table)[std::min<uint64_t>(*place, op.table->size() - 1)];
  auto constant = constant_of(type(at.type_of(result)).scalar, bits);
  return constant ? std::optional(at.emit(*constant, at.type_of(result))) : std::nullopt;
}

// A condition that is known chooses.
std::optional<ValueId> fold(ir::Editor& at, const ir::Select& op, ValueId) {
  auto condition = known_bits(at, op.in[0]);
  if (!condition) return std::nullopt;
  return *condition ? op.in[1] : op.in[2];
}

// A terminator cannot be replaced by a value; it becomes another one in place.
void fold_branch(ir::Editor& at, ir::Op& op) {
  auto* branch = std::get_if<ir::Branch>(&op);
  auto condition = branch ? known_bits(at, branch->in[0]) : std::nullopt;
  if (!condition) return;
  ir::Jump jump;
  jump.to = *condition ? branch->yes : branch->no;
  op = jump;
  at.mark_changed();
}

}  // namespace

bool fold_constants(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    ir::Editor editor(function);
    changed |= editor.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      fold_branch(editor, inst.op);
      return std::visit([&](const auto& op) { return fold(editor, op, inst.result); }, inst.op);
    });
  }
  return changed;
}

}  // namespace hetjit::passes

#include "compiler/host/plan/busy_threads.h"

#include <algorithm>
#include <set>

#include "compiler/host/facts/structure.h"
#include "compiler/host/plan/free_turns.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

/// `thread < bound`, or `thread <= bound`, is asked of those that do something.
struct Question {
  ValueId bound;
  bool inclusive;
};

class Busy {
 public:
  Busy(const ir::Function& phase, const std::vector<Slot>& slots, const Structure& structure)
      : phase_(phase),
        slots_(slots),
        definitions_(phase),
        shapes_(phase, structure, {View::Block}),
        made_(phase) {
    made_.name += ".busy";
    made_.result = scalar_type(Scalar::Int64);
    made_.blocks.clear();
  }

  /// From block to block, as far as all threads go the same way and do nothing.
  std::optional<ir::Function> run() {
    visit(0);
    for (size_t next = 0; next < order_.size(); ++next) write(order_[next]);
    if (!known_) return std::nullopt;
    ir::Module whole;
    whole.functions.push_back(std::move(made_));
    passes::remove_dead_code(whole);
    return std::move(whole.functions[0]);
  }

 private:
  /// The block's number in what is made.
  uint32_t visit(uint32_t block) {
    const auto found = std::ranges::find(order_, block);
    if (found != order_.end()) return static_cast<uint32_t>(found - order_.begin());
    order_.push_back(block);
    return static_cast<uint32_t>(order_.size() - 1);
  }

  bool keeps_for_block(const ir::Op& op) const {
    const auto* keep = std::get_if<ir::Keep>(&op);
    return keep && slots_[keep->slot].of_block;
  }

  /// Is it as if it had not been done?
  bool is_nothing(const ir::Op& op) const {
    const ir::OpInfo& facts = ir::info(op);
    return (facts.effects == ir::Pure && !facts.access && !facts.raises) || keeps_for_block(op);
  }

  void write(uint32_t number) {
    const ir::Block& from = phase_.blocks[number];
    made_.blocks.push_back({from.params, {}});
    for (const ir::Inst& inst : from.insts) {
      if (ir::info(inst.op).effects & ir::Ends) return end(inst);
      if (!is_nothing(inst.op)) return answer(inst, constant(kAllThreads, inst));
      if (!keeps_for_block(inst.op)) insts().push_back(inst);
    }
  }

  void end(const ir::Inst& inst) {
    if (std::holds_alternative<ir::Return>(inst.op)) return answer(inst, constant(0, inst));
    const auto* branch = std::get_if<ir::Branch>(&inst.op);
    if (branch && shapes_.of(branch->in[0]) != kUniform) return ask(inst, *branch);
    if (!branch && !std::holds_alternative<ir::Jump>(inst.op))
      return answer(inst, constant(kAllThreads, inst));
    insts().push_back(inst);
    for (ir::Edge* edge : ir::edges(insts().back().op)) edge->to = {visit(edge->to.index)};
  }

  void ask(const ir::Inst& inst, const ir::Branch& branch) {
    const std::optional<Question> asked = question(branch);
    if (!asked) return answer(inst, constant(kAllThreads, inst));
    known_ = true;
    ValueId bound = wide(asked->bound, inst);
    if (asked->inclusive) {
      ir::Add next;
      next.in = {bound, constant(1, inst)};
      bound = emit(next, inst);
    }
    answer(inst, bound);
  }

  std::optional<Question> question(const ir::Branch& branch) const {
    const auto* compare = definitions_.made_by<ir::Compare>(branch.in[0]);
    if (!compare) return std::nullopt;
    for (int side : {0, 1}) {
      const auto* index = definitions_.made_by<ir::ThreadIndex>(
          number_behind(phase_, definitions_, compare->in[side]));
      const ValueId bound = compare->in[1 - side];
      if (!index || index->axis != 0 || shapes_.of(bound) != kUniform) continue;
      return question(branch, bound, side ? ir::mirrored(compare->kind) : compare->kind);
    }
    return std::nullopt;
  }

  std::optional<Question> question(const ir::Branch& branch, ValueId bound,
                                   ir::Comparison kind) const {
    using enum ir::Comparison;
    const bool below = kind == Lt || kind == Le || kind == Eq;
    const bool inclusive = kind != Lt && kind != Ge;
    const Scalar scalar = type(phase_.type_of(bound)).scalar;
    const bool fits = info(scalar).bits <= 32 || (is_signed_integer(scalar) && !inclusive);
    if (!fits || !is_quiet((below ? branch.no : branch.yes).to.index)) return std::nullopt;
    return Question{bound, inclusive};
  }

  /// Does a thread that comes here do nothing until it waits?
  bool is_quiet(uint32_t block) const {
    std::set<uint32_t> seen;
    std::vector<uint32_t> open{block};
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      for (const ir::Inst& inst : phase_.blocks[at].insts) {
        const bool goes_on = std::holds_alternative<ir::Jump>(inst.op) ||
                             std::holds_alternative<ir::Branch>(inst.op) ||
                             std::holds_alternative<ir::Return>(inst.op);
        if (!goes_on && !is_nothing(inst.op)) return false;
      }
      for (const ir::Edge* edge : ir::edges(phase_.blocks[at].insts.back().op))
        open.push_back(edge->to.index);
    }
    return true;
  }

  std::vector<ir::Inst>& insts() { return made_.blocks.back().insts; }
  ValueId emit(ir::Op op, const ir::Inst& where) {
    const ValueId result{static_cast<uint32_t>(made_.types.size())};
    made_.types.push_back(made_.result);
    insts().push_back({std::move(op), result, where.where});
    return result;
  }
  ValueId constant(int64_t number, const ir::Inst& where) {
    ir::ConstInt made;
    made.bits = static_cast<uint64_t>(number);
    return emit(made, where);
  }
  ValueId wide(ValueId id, const ir::Inst& where) {
    if (phase_.type_of(id) == made_.result) return id;
    ir::Convert made;
    made.in = {id};
    return emit(made, where);
  }
  void answer(const ir::Inst& where, ValueId number) {
    ir::Return made;
    made.in = {number};
    insts().push_back({made, {}, where.where});
  }

  const ir::Function& phase_;
  const std::vector<Slot>& slots_;
  const ir::Definitions definitions_;
  const Shapes shapes_;
  ir::Function made_;
  std::vector<uint32_t> order_;  // of the blocks that are copied
  bool known_ = false;  // is a question found?
};

}  // namespace

std::optional<ir::Function> busy_threads(const ir::Function& phase,
                                         const std::vector<Slot>& slots) {
  const std::optional<Structure> structure = Structure::find(phase);
  if (!structure) return std::nullopt;
  return Busy(phase, slots, *structure).run();
}

}  // namespace hetjit::host

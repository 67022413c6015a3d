#include "compiler/host/plan/busy_threads.h"

#include <algorithm>
#include <set>
#include <span>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/structure.h"
#include "compiler/host/plan/free_turns.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

/// `thread < bound`, or `thread <= bound`, is asked of the first ones.
struct Question {
  ValueId bound;
  bool inclusive;
  std::optional<bool> way;  // that all of them go; nullopt: only the last one goes it
  bool quiet = false;       // the others do nothing
};

/// A block that ends in a question.
struct Asked {
  uint32_t block;
  std::optional<bool> way;
  bool quiet;
};

/// Busy: from block to block as far as nobody does anything, to questions that leave others nothing
/// to do. Settled: whatever is done on the way, but in loops.
enum class Aim : uint8_t { Busy, Settled };

std::set<uint32_t> reached_from(const ir::Function& function, std::vector<uint32_t> open) {
  std::set<uint32_t> seen;
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    for (const ir::Edge* edge : ir::edges(function.blocks[at].insts.back().op))
      open.push_back(edge->to.index);
  }
  return seen;
}

std::set<uint32_t> reached_behind(const ir::Function& function, uint32_t block) {
  std::vector<uint32_t> next;
  for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op))
    next.push_back(edge->to.index);
  return reached_from(function, std::move(next));
}

void go(ir::Block& block, bool way) {
  ir::Op& end = block.insts.back().op;
  ir::Jump jump;
  jump.to = way ? std::get<ir::Branch>(end).yes : std::get<ir::Branch>(end).no;
  end = jump;
}

/// The phase of threads that come to the question and go that way.
ir::Function without_question(ir::Function phase, uint32_t asked, bool way, const char* suffix) {
  const std::set<uint32_t> behind = reached_behind(phase, asked);
  for (uint32_t i = 0; i < phase.blocks.size(); ++i) {
    const auto* branch = std::get_if<ir::Branch>(&phase.blocks[i].insts.back().op);
    if (!branch || i == asked || behind.contains(i)) continue;
    const bool by_yes = reached_from(phase, {branch->yes.to.index}).contains(asked);
    const bool by_no = reached_from(phase, {branch->no.to.index}).contains(asked);
    if (by_yes != by_no) go(phase.blocks[i], by_yes);
  }
  go(phase.blocks[asked], way);
  ir::Module whole;
  phase.name += suffix;
  whole.functions.push_back(std::move(phase));
  passes::merge_blocks(whole);
  passes::remove_dead_code(whole);
  return std::move(whole.functions[0]);
}

class Asking {
 public:
  /// `only`: the block of the one question that counts.
  Asking(const ir::Function& phase, const std::vector<Slot>& slots, const Structure& structure,
         Aim aim, std::optional<uint32_t> only = std::nullopt)
      : phase_(phase),
        slots_(slots),
        structure_(structure),
        definitions_(phase),
        shapes_(phase, structure, {View::Block}),
        aim_(aim),
        only_(only),
        unknown_(phase.types.size()),
        made_(phase) {
    made_.name += aim == Aim::Busy ? ".busy" : ".first.count";
    made_.result = scalar_type(Scalar::Int64);
    made_.blocks.clear();
  }

  /// How many threads; nullopt: it is never known.
  std::optional<ir::Function> run() {
    visit(0);
    for (size_t next = 0; next < order_.size(); ++next) write(order_[next]);
    if (asked_.empty()) return std::nullopt;
    ir::Module whole;
    whole.functions.push_back(std::move(made_));
    passes::remove_dead_code(whole);
    return std::move(whole.functions[0]);
  }
  /// After run: in the order in which they are come to.
  const std::vector<Asked>& asked() const { return asked_; }

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
  bool is_nothing(const ir::Op& op) const { return only_computes(op) || keeps_for_block(op); }
  bool is_known(ValueId id) const { return !unknown_[id.index]; }
  bool are_known(std::span<const ValueId> all) const {
    return std::ranges::all_of(all, [this](ValueId id) { return is_known(id); });
  }

  void write(uint32_t number) {
    const ir::Block& from = phase_.blocks[number];
    made_.blocks.push_back({from.params, {}});
    if (aim_ == Aim::Settled && structure_.loop_of(number)) return answer_all(from.insts.back());
    for (const ir::Inst& inst : from.insts) {
      if (ir::info(inst.op).effects & ir::Ends) return end(number, inst);
      if (aim_ == Aim::Busy && !is_nothing(inst.op)) return answer_all(inst);
      if (only_computes(inst.op) && are_known(ir::operands(inst.op)))
        insts().push_back(inst);
      else if (inst.result.valid())
        unknown_[inst.result.index] = true;
    }
  }

  void end(uint32_t number, const ir::Inst& inst) {
    if (std::holds_alternative<ir::Return>(inst.op) && aim_ == Aim::Busy)
      return answer(inst, constant(0, inst));
    const auto* branch = std::get_if<ir::Branch>(&inst.op);
    if (branch && shapes_.of(branch->in[0]) != kUniform) return ask(number, inst, *branch);
    const bool goes_on = branch || std::holds_alternative<ir::Jump>(inst.op);
    if (!goes_on || !are_known(ir::operands(inst.op))) return answer_all(inst);
    for (const ir::Edge* edge : ir::edges(inst.op))
      if (!are_known(edge->args)) return answer_all(inst);
    insts().push_back(inst);
    for (ir::Edge* edge : ir::edges(insts().back().op)) edge->to = {visit(edge->to.index)};
  }

  void ask(uint32_t number, const ir::Inst& inst, const ir::Branch& branch) {
    const std::optional<Question> asked = question(branch);
    const bool counts = asked && is_known(asked->bound) && (!only_ || *only_ == number) &&
                        (aim_ == Aim::Busy ? asked->quiet : asked->way.has_value());
    if (!counts) return answer_all(inst);
    asked_.push_back({number, asked->way, asked->quiet});
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
    if (!fits) return std::nullopt;
    const bool all = kind != Eq && kind != Ne;
    return Question{bound, inclusive, all ? std::optional(below) : std::nullopt,
                    is_quiet((below ? branch.no : branch.yes).to.index)};
  }

  /// Does a thread that comes here do nothing until it waits?
  bool is_quiet(uint32_t block) const {
    return std::ranges::all_of(reached_from(phase_, {block}), [&](uint32_t at) {
      return std::ranges::all_of(phase_.blocks[at].insts, [&](const ir::Inst& inst) {
        const bool goes_on = std::holds_alternative<ir::Jump>(inst.op) ||
                             std::holds_alternative<ir::Branch>(inst.op) ||
                             std::holds_alternative<ir::Return>(inst.op);
        return goes_on || is_nothing(inst.op);
      });
    });
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
  void answer_all(const ir::Inst& where) { answer(where, constant(kAllThreads, where)); }
  void answer(const ir::Inst& where, ValueId number) {
    ir::Return made;
    made.in = {number};
    insts().push_back({made, {}, where.where});
  }

  const ir::Function& phase_;
  const std::vector<Slot>& slots_;
  const Structure& structure_;
  const ir::Definitions definitions_;
  const Shapes shapes_;
  const Aim aim_;
  const std::optional<uint32_t> only_;
  std::vector<bool> unknown_;  // by value of the phase: it is not made
  ir::Function made_;
  std::vector<uint32_t> order_;  // of the blocks that are copied
  std::vector<Asked> asked_;
};

size_t size_of(const ir::Function& phase) {
  size_t size = 0;
  for (const ir::Block& block : phase.blocks) size += block.insts.size();
  return size;
}

std::optional<SettledPhase> settle(const ir::Function& phase, const std::vector<Slot>& slots,
                                   const Structure& structure) {
  Asking all(phase, slots, structure, Aim::Settled);
  all.run();
  if (all.asked().empty()) return std::nullopt;
  const Asked asked = all.asked().front();  // outside of loops
  std::optional<ir::Function> threads =
      Asking(phase, slots, structure, Aim::Settled, asked.block).run();
  HETJIT_CHECK(threads);
  SettledPhase made{std::move(*threads), without_question(phase, asked.block, *asked.way, ".first"),
                    std::nullopt};
  if (!asked.quiet) made.rest = without_question(phase, asked.block, !*asked.way, ".rest");
  return made;
}

}  // namespace

std::optional<BusyThreads> busy_threads(const ir::Function& phase, const std::vector<Slot>& slots,
                                        size_t may_settle) {
  const std::optional<Structure> structure = Structure::find(phase);
  if (!structure) return std::nullopt;
  BusyThreads made{Asking(phase, slots, *structure, Aim::Busy).run(), std::nullopt};
  if (size_of(phase) <= may_settle) made.settled = settle(phase, slots, *structure);
  if (!made.count && !made.settled) return std::nullopt;
  return made;
}

}  // namespace hetjit::host

#include "compiler/host/phases/choose_values.h"

#include <algorithm>
#include <array>
#include <optional>

#include "compiler/host/facts/costs.h"
#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

class Chooser {
 public:
  explicit Chooser(ir::Function& function)
      : function_(function),
        place_(function.blocks.size(), UINT32_MAX),
        came_(function.blocks.size()) {
    const std::vector<uint32_t> order = reverse_post_order(ir::successors(function));
    for (uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
    for (uint32_t block : order)
      for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op))
        ++came_[edge->to.index];
    order_.assign(order.rbegin(), order.rend());  // so that inner ones come first
  }

  bool run() {
    bool changed = false;
    for (uint32_t block : order_) changed |= choose(block);
    return changed;
  }

 private:
  /// A way from a branch to where it meets the other one.
  struct Way {
    std::optional<uint32_t> by;  // the block on it, if there is one
    ir::Edge to;
  };

  bool is_plain(const ir::Inst& inst) const {
    const ir::OpInfo& facts = ir::info(inst.op);
    return facts.effects == ir::Pure && !facts.raises && facts.cost != ir::Cost::Dear &&
           is_scalar(function_.type_of(inst.result));
  }
  bool only_computes(uint32_t block) const {
    const std::vector<ir::Inst>& insts = function_.blocks[block].insts;
    return came_[block] == 1 && function_.blocks[block].params.empty() &&
           insts.size() <= kFewOperations && std::holds_alternative<ir::Jump>(insts.back().op) &&
           std::all_of(insts.begin(), insts.end() - 1,
                       [&](const ir::Inst& inst) { return inst.result.valid() && is_plain(inst); });
  }
  Way way(const ir::Edge& edge) const {
    const uint32_t to = edge.to.index;
    if (!only_computes(to)) return {std::nullopt, edge};
    return {to, std::get<ir::Jump>(function_.blocks[to].insts.back().op).to};
  }
  /// The two ways, where they meet; a way may be the other one's end.
  std::optional<std::array<Way, 2>> meeting(const ir::Branch& branch) const {
    const Way yes = way(branch.yes), no = way(branch.no);
    const Way straight_yes{std::nullopt, branch.yes}, straight_no{std::nullopt, branch.no};
    for (const auto& [a, b] :
         {std::array{yes, no}, std::array{yes, straight_no}, std::array{straight_yes, no}})
      if (a.to.to == b.to.to && (a.by || b.by)) return std::array{a, b};
    return std::nullopt;
  }
  bool are_scalars(const Way& yes, const Way& no) const {
    for (size_t i = 0; i < yes.to.args.size(); ++i)
      if (yes.to.args[i] != no.to.args[i] && !is_scalar(function_.type_of(yes.to.args[i])))
        return false;
    return true;
  }

  /// Both go back to a loop's head, which asks for what they choose. Of other values that is not
  /// for here: all ways back become one, where several choices are one mask.
  bool decides_the_end(const Way& yes, const Way& no) const {
    const ir::Block& head = function_.blocks[yes.to.to.index];
    auto is_asked_for = [&](ValueId param) {
      return std::ranges::any_of(head.insts, [&](const ir::Inst& inst) {
        return std::holds_alternative<ir::Compare>(inst.op) &&
               std::ranges::count(ir::operands(inst.op), param) != 0;
      });
    };
    for (size_t i = 0; i < yes.to.args.size(); ++i)
      if (yes.to.args[i] != no.to.args[i] && is_asked_for(head.params[i])) return true;
    return false;
  }

  bool choose(uint32_t block) {
    ir::Block& here = function_.blocks[block];
    const auto* branch = std::get_if<ir::Branch>(&here.insts.back().op);
    if (!branch || branch->yes.to == branch->no.to) return false;
    const auto found = meeting(*branch);
    if (!found) return false;
    const auto& [yes, no] = *found;
    if (!are_scalars(yes, no)) return false;
    if (place_[yes.to.to.index] <= place_[block] && !decides_the_end(yes, no)) return false;
    const ValueId condition = branch->in[0];
    const SpanId where = here.insts.back().where;
    here.insts.pop_back();
    for (const Way& way : *found) take_over(here, way);
    ir::Jump on;
    on.to.to = yes.to.to;
    for (size_t i = 0; i < yes.to.args.size(); ++i)
      on.to.args.push_back(either(here, condition, yes.to.args[i], no.to.args[i], where));
    here.insts.push_back({std::move(on), {}, where});
    --came_[yes.to.to.index];
    return true;
  }
  void take_over(ir::Block& here, const Way& way) {
    if (!way.by) return;
    std::vector<ir::Inst>& insts = function_.blocks[*way.by].insts;
    std::move(insts.begin(), insts.end() - 1, std::back_inserter(here.insts));
    insts.assign(1, {ir::Unreachable{}, {}, {}});  // it must still be a block until it is dropped
  }
  ValueId either(ir::Block& here, ValueId condition, ValueId yes, ValueId no, SpanId where) {
    if (yes == no) return yes;
    ir::Select chosen;
    chosen.in = {condition, yes, no};
    const ValueId made = ir::new_value(function_, function_.type_of(yes));
    here.insts.push_back({chosen, made, where});
    return made;
  }

  ir::Function& function_;
  std::vector<uint32_t> order_, place_;  // by block: in reverse post-order
  std::vector<uint32_t> came_;           // by block: edges into it
};

}  // namespace

bool choose_values(ir::Function& function) { return Chooser(function).run(); }

}  // namespace hetjit::host

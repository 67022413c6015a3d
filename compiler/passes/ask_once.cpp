// A loop's question is asked in one place. CPython writes the condition of a `while` twice, before
// the first turn and at the end of each, and `continue` goes to the first of them. What the threads
// of a warp or a block do together then stands in two places, and those that took `continue` would
// be asked without the others. The copy becomes a jump to the loop's head.
//
//   b1(v1): v2 = vote any v9, v1          b1(v1): v2 = vote any v9, v1
//           branch v2, b2, b5                     branch v2, b2, b5
//   b4:     v7 = vote any v9, v6          b4:     jump b1(v6)
//           branch v7, b2, b5
//
// Where the two hand on different values, as of a variable that is set at a turn's end and read
// after the loop, the head gets a parameter for them.
//
//   b1(v1): branch v2, b2, b5(v3)         b1(v1, v8): branch v2, b2, b5(v8)
//   b3:     jump b1(v1)                   b3:         jump b1(v1, v3)
//   b4:     branch v7, b2, b5(v4)         b4:         jump b1(v6, v4)
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

bool same(const auto& a, const auto& b) { return a == b; }
bool same(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }
// Copies name sites of their own, with one text.
bool same(ir::SiteId, ir::SiteId) { return true; }

/// The same op with the same members beside operands and edges.
bool same_kind(ir::Op& a, ir::Op& b) {
  if (a.index() != b.index()) return false;
  auto alike = [&](auto& one) {
    auto& other = std::get<std::decay_t<decltype(one)>>(b);
    return std::apply(
        [&](const auto&... mine) {
          return std::apply([&](const auto&... theirs) { return (same(mine, theirs) && ...); },
                            other.attributes());
        },
        one.attributes());
  };
  return std::visit(alike, static_cast<ir::AllOps::Variant&>(a));
}

bool together(const ir::Inst& inst) { return ir::info(inst.op).together(); }

/// Numbers, each made where it is needed, so that one may stand for another.
class Constants {
 public:
  explicit Constants(const ir::Function& function) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (is_constant(inst)) ops_.emplace(inst.result.index, inst.op);
  }

  static bool is_constant(const ir::Inst& inst) {
    return std::holds_alternative<ir::ConstInt>(inst.op) ||
           std::holds_alternative<ir::ConstFloat>(inst.op) ||
           std::holds_alternative<ir::ConstNone>(inst.op);
  }

  bool equal(const ir::Function& function, ValueId a, ValueId b) {
    auto one = ops_.find(a.index), other = ops_.find(b.index);
    return one != ops_.end() && other != ops_.end() && same_kind(one->second, other->second) &&
           function.type_of(a) == function.type_of(b);
  }

  /// The value as the end of that block has it: a constant is made anew.
  ValueId at_end(ir::Function& function, uint32_t block, ValueId id) {
    auto known = ops_.find(id.index);
    if (known == ops_.end()) return id;
    const ValueId made = ir::new_value(function, function.type_of(id));
    std::vector<ir::Inst>& insts = function.blocks[block].insts;
    insts.insert(insts.end() - 1, {known->second, made, insts.back().where});
    ops_.emplace(made.index, known->second);
    return made;
  }

 private:
  std::map<uint32_t, ir::Op> ops_;  // by value
};

/// What a loop's head is made of, found again at a block's end; a question of several parts
/// (`and`, `or`) goes on in blocks that are copies, too. Constants are left out of account.
class Copy {
 public:
  Copy(ir::Function& function, Constants& constants, const std::vector<size_t>& ways_in,
       uint32_t head, uint32_t block)
      : function_(function), constants_(constants), ways_in_(ways_in), head_(head), block_(block) {
    for (ValueId param : function.blocks[head].params) stands_for_[param.index] = {};
  }

  bool found() {
    const std::vector<ir::Inst*> all = steps(block_), mine = steps(head_);
    if (all.size() < mine.size()) return false;
    return are_copies(head_, mine, std::span(all).last(mine.size())) && lead_on_alike() &&
           std::ranges::any_of(copied_, [](const ir::Inst* inst) { return together(*inst); }) &&
           !used_elsewhere();
  }

  /// The copy becomes a jump to the head.
  void join() {
    std::vector<ValueId> handed_on = arguments();
    cut();
    for (const auto& [difference, places] : differences_) {
      add_parameter(difference.first, places);
      handed_on.push_back(difference.second);
    }
    ir::Jump jump;
    jump.to.to = {head_};
    for (ValueId id : handed_on) jump.to.args.push_back(constants_.at_end(function_, block_, id));
    function_.blocks[block_].insts.back().op = std::move(jump);
  }

 private:
  struct Ways {
    ir::Edge* mine;
    const ir::Edge* copied;
    bool may_differ;  // nobody goes the head's who is not asked
  };

  std::vector<ir::Inst*> steps(uint32_t block) {
    std::vector<ir::Inst*> found;
    for (ir::Inst& inst : function_.blocks[block].insts)
      if (!Constants::is_constant(inst)) found.push_back(&inst);
    return found;
  }

  bool are_copies(uint32_t block, std::span<ir::Inst* const> mine,
                  std::span<ir::Inst* const> copied) {
    if (mine.size() != copied.size()) return false;
    copied_.insert(copied_.end(), copied.begin(), copied.end());
    for (size_t i = 0; i < mine.size(); ++i)
      if (!is_copy(block, *mine[i], *copied[i])) return false;
    return true;
  }

  bool is_copy(uint32_t block, ir::Inst& mine, ir::Inst& copied) {
    if (!same_place(mine.where, copied.where) || !same_kind(mine.op, copied.op)) return false;
    if (!match(ir::operands(mine.op), ir::operands(copied.op))) return false;
    if (mine.result.valid()) {
      if (function_.type_of(mine.result) != function_.type_of(copied.result)) return false;
      stands_for_[mine.result.index] = copied.result;
      made_.insert(copied.result.index);
    }
    const bool may_differ = block == head_ || ways_in_[block] == 1;
    std::vector<ir::Edge*> edges = ir::edges(mine.op), others = ir::edges(copied.op);
    for (size_t i = 0; i < edges.size(); ++i)
      if (!leads_alike({edges[i], others[i], may_differ})) return false;
    return true;
  }

  bool same_place(SpanId a, SpanId b) const {
    return a == b ||
           (a.valid() && b.valid() && function_.spans[a.index] == function_.spans[b.index]);
  }

  bool leads_alike(const Ways& ways) {
    const auto& [mine, copied, may_differ] = ways;
    if (mine->to == copied->to) {
      ways_on_.push_back(ways);
      return true;
    }
    if (!match(mine->args, copied->args)) return false;
    auto [known, is_new] = blocks_.try_emplace(mine->to.index, copied->to.index);
    if (!is_new) return known->second == copied->to.index;
    const auto &params = function_.blocks[mine->to.index].params,
               &others = function_.blocks[copied->to.index].params;
    if (params.size() != others.size()) return false;
    for (size_t i = 0; i < params.size(); ++i) {
      stands_for_[params[i].index] = others[i];
      made_.insert(others[i].index);
    }
    return are_copies(mine->to.index, steps(mine->to.index), steps(copied->to.index));
  }

  /// Whether what follows the question gets from both what the head's parameters can say.
  bool lead_on_alike() {
    for (const Ways& ways : ways_on_)
      for (size_t i = 0; i < ways.mine->args.size(); ++i) {
        const ValueId mine = ways.mine->args[i], copied = ways.copied->args[i];
        if (match(mine, copied)) continue;
        const bool made = (stands_for_.contains(mine.index) && !place_among_parameters(mine)) ||
                          made_.contains(copied.index);
        if (made || !ways.may_differ) return false;
        differences_[{mine, copied}].push_back(&ways.mine->args[i]);
      }
    return true;
  }

  std::optional<size_t> place_among_parameters(ValueId id) const {
    const std::vector<ValueId>& params = function_.blocks[head_].params;
    auto found = std::ranges::find(params, id);
    return found == params.end() ? std::nullopt : std::optional(found - params.begin());
  }

  bool match(std::span<const ValueId> mine, std::span<const ValueId> copied) {
    return std::ranges::equal(mine, copied, [&](ValueId a, ValueId b) { return match(a, b); });
  }

  bool match(ValueId mine, ValueId copied) {
    auto known = stands_for_.find(mine.index);
    if (known == stands_for_.end())
      return mine == copied || constants_.equal(function_, mine, copied);
    // A parameter of the head is what the copy found there, not what it made.
    if (!known->second.valid() && !made_.contains(copied.index)) known->second = copied;
    return known->second == copied || constants_.equal(function_, known->second, copied);
  }

  bool used_elsewhere() const {
    std::vector<uint32_t> uses = ir::count_uses(function_);
    auto take = [&](std::span<const ValueId> ids) {
      for (ValueId id : ids) --uses[id.index];
    };
    for (const ir::Inst* inst : copied_) {
      take(ir::operands(inst->op));
      for (const ir::Edge* edge : ir::edges(inst->op)) take(edge->args);
    }
    return std::ranges::any_of(copied_, [&](const ir::Inst* inst) {
      return inst->result.valid() && uses[inst->result.index] != 0;
    });
  }

  /// The head's parameters, as the copy has them. What the question does not speak of is still what
  /// it was there: whoever comes from the copy takes the parameter itself.
  std::vector<ValueId> arguments() const {
    std::vector<ValueId> found;
    for (ValueId param : function_.blocks[head_].params) {
      const ValueId copied = stands_for_.at(param.index);
      found.push_back(copied.valid() ? copied : param);
    }
    return found;
  }

  /// The copy's instructions but for constants, which others may use.
  void cut() {
    const std::set<const ir::Inst*> gone(copied_.begin(), copied_.end());
    std::vector<ir::Inst> kept;
    for (ir::Inst& inst : function_.blocks[block_].insts)
      if (!gone.contains(&inst)) kept.push_back(std::move(inst));
    kept.push_back({ir::Unreachable{}, {}, function_.blocks[block_].insts.back().where});
    function_.blocks[block_].insts = std::move(kept);
  }

  /// A parameter of the head in those places, which has been `before` wherever it comes from.
  void add_parameter(ValueId before, const std::vector<ValueId*>& places) {
    const std::optional<size_t> place = place_among_parameters(before);
    const ValueId param = ir::new_value(function_, function_.type_of(before));
    for (ValueId* id : places) *id = param;
    for (uint32_t from = 0; from < function_.blocks.size(); ++from)
      for (size_t i = 0; i < edges_of(from).size(); ++i) {
        if (edges_of(from)[i]->to.index != head_) continue;
        const ValueId handed_on = place ? edges_of(from)[i]->args[*place] : before;
        const ValueId there = constants_.at_end(function_, from, handed_on);
        edges_of(from)[i]->args.push_back(there);
      }
    function_.blocks[head_].params.push_back(param);
  }

  std::vector<ir::Edge*> edges_of(uint32_t block) {
    return ir::edges(function_.blocks[block].insts.back().op);
  }

  ir::Function& function_;
  Constants& constants_;
  const std::vector<size_t>& ways_in_;  // by block: edges
  uint32_t head_, block_;
  std::map<uint32_t, ValueId> stands_for_;  // by value of the head, and of what goes on from it
  std::set<uint32_t> made_;                 // the copy's own values
  std::map<uint32_t, uint32_t> blocks_;     // copies, by the block that they are of
  std::vector<ir::Inst*> copied_;
  std::vector<Ways> ways_on_;  // to where both go on
  // Where the head hands on the first and the copy the second, and in which of the head's places.
  std::map<std::pair<ValueId, ValueId>, std::vector<ValueId*>> differences_;
};

// Where a copied question went on: nobody comes there any more, and what it used is gone.
void close_unreachable(ir::Function& function) {
  const Dominators tree(ir::successors(function));
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    if (!tree.reachable(block)) function.blocks[block].insts.assign(1, {ir::Unreachable{}, {}, {}});
}

bool ask_once(ir::Function& function) {
  if (std::ranges::none_of(function.blocks, [](const ir::Block& block) {
        return std::ranges::any_of(block.insts, together);
      }))
    return false;
  Dominators tree(ir::successors(function));
  Constants constants(function);
  std::vector<size_t> ways_in;
  for (const auto& edges : ir::incoming(function)) ways_in.push_back(edges.size());
  bool changed = false;
  for (uint32_t head = 0; head < function.blocks.size(); ++head) {
    if (!tree.reachable(head) || !tree.is_loop_header(head)) continue;
    for (uint32_t block = 0; block < function.blocks.size(); ++block) {
      if (block == head || !tree.dominates(head, block)) continue;
      Copy copy(function, constants, ways_in, head, block);
      if (!copy.found()) continue;
      copy.join();
      changed = true;
    }
  }
  if (changed) close_unreachable(function);
  return changed;
}

}  // namespace

bool ask_once(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= ask_once(function);
  return changed;
}

}  // namespace hetjit::passes

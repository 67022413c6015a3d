// A loop's question is asked in one place. CPython writes the condition of a `while` twice, before
// the first turn and at the end of each, and `continue` goes to the first of them. What the threads
// of a warp or a block do together then stands in two places, and those that took `continue` would
// be asked without the others. The copy becomes a jump to the loop's head.
//
//   b1(v1): v2 = vote any v9, v1          b1(v1): v2 = vote any v9, v1
//           branch v2, b2, b5                     branch v2, b2, b5
//   b4:     v7 = vote any v9, v6          b4:     jump b1(v6)
//           branch v7, b2, b5
#include <algorithm>
#include <map>
#include <set>

#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

bool same(const auto& a, const auto& b) { return a == b; }
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

bool asks_together(std::span<const ir::Inst> insts) {
  return std::ranges::any_of(insts,
                             [](const ir::Inst& inst) { return ir::info(inst.op).together(); });
}

/// What a loop's head is made of, found again at a block's end; a question of several parts
/// (`and`, `or`) goes on in blocks that are copies, too.
class Copy {
 public:
  Copy(ir::Function& function, uint32_t head, uint32_t block)
      : function_(function), head_(head), block_(block) {
    for (ValueId param : function.blocks[head].params) stands_for_[param.index] = {};
  }

  bool found() {
    const std::vector<ir::Inst>& mine = function_.blocks[head_].insts;
    if (function_.blocks[block_].insts.size() < mine.size()) return false;
    return are_copies(head_, block_, function_.blocks[block_].insts.size() - mine.size()) &&
           std::ranges::any_of(copies_, asks_together) && !used_elsewhere();
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

 private:
  /// All of block `mine`, and block `copied` from an instruction on.
  bool are_copies(uint32_t mine, uint32_t copied, size_t from) {
    std::vector<ir::Inst>&a = function_.blocks[mine].insts, &b = function_.blocks[copied].insts;
    if (b.size() - from != a.size()) return false;
    copies_.push_back(std::span(b).subspan(from));
    for (size_t i = 0; i < a.size(); ++i)
      if (!is_copy(a[i], b[from + i])) return false;
    return true;
  }

  bool is_copy(ir::Inst& mine, ir::Inst& copied) {
    if (!same_place(mine.where, copied.where) || !same_kind(mine.op, copied.op)) return false;
    if (!match(ir::operands(mine.op), ir::operands(copied.op))) return false;
    if (mine.result.valid()) {
      if (function_.type_of(mine.result) != function_.type_of(copied.result)) return false;
      stands_for_[mine.result.index] = copied.result;
      made_.insert(copied.result.index);
    }
    std::vector<ir::Edge*> edges = ir::edges(mine.op), others = ir::edges(copied.op);
    for (size_t i = 0; i < edges.size(); ++i)
      if (!leads_alike(*edges[i], *others[i])) return false;
    return true;
  }

  bool same_place(SpanId a, SpanId b) const {
    return a == b ||
           (a.valid() && b.valid() && function_.spans[a.index] == function_.spans[b.index]);
  }

  bool leads_alike(const ir::Edge& mine, const ir::Edge& copied) {
    if (!match(mine.args, copied.args)) return false;
    if (mine.to == copied.to) return true;
    auto [known, is_new] = blocks_.try_emplace(mine.to.index, copied.to.index);
    if (!is_new) return known->second == copied.to.index;
    const auto &params = function_.blocks[mine.to.index].params,
               &others = function_.blocks[copied.to.index].params;
    if (params.size() != others.size()) return false;
    for (size_t i = 0; i < params.size(); ++i) {
      stands_for_[params[i].index] = others[i];
      made_.insert(others[i].index);
    }
    return are_copies(mine.to.index, copied.to.index, 0);
  }

  bool match(std::span<const ValueId> mine, std::span<const ValueId> copied) {
    return std::ranges::equal(mine, copied, [&](ValueId a, ValueId b) { return match(a, b); });
  }

  bool match(ValueId mine, ValueId copied) {
    auto known = stands_for_.find(mine.index);
    if (known == stands_for_.end()) return mine == copied;
    // A parameter of the head is what the copy found there, not what it made.
    if (!known->second.valid() && !made_.contains(copied.index)) known->second = copied;
    return known->second == copied;
  }

  bool used_elsewhere() const {
    std::vector<uint32_t> uses = ir::count_uses(function_);
    auto take = [&](std::span<const ValueId> ids) {
      for (ValueId id : ids) --uses[id.index];
    };
    for (std::span<const ir::Inst> insts : copies_)
      for (const ir::Inst& inst : insts) {
        take(ir::operands(inst.op));
        for (const ir::Edge* edge : ir::edges(inst.op)) take(edge->args);
      }
    return std::ranges::any_of(copies_, [&](std::span<const ir::Inst> insts) {
      return std::ranges::any_of(insts, [&](const ir::Inst& inst) {
        return inst.result.valid() && uses[inst.result.index] != 0;
      });
    });
  }

  ir::Function& function_;
  uint32_t head_, block_;
  std::map<uint32_t, ValueId> stands_for_;  // by value of the head, and of what goes on from it
  std::set<uint32_t> made_;                 // the copy's own values
  std::map<uint32_t, uint32_t> blocks_;     // copies, by the block that they are of
  std::vector<std::span<const ir::Inst>> copies_;
};

// Where a copied question went on: nobody comes there any more, and what it used is gone.
void close_unreachable(ir::Function& function) {
  const Dominators tree(ir::successors(function));
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    if (!tree.reachable(block))
      function.blocks[block].insts.assign(1, {ir::Unreachable{}, {}, {}});
}

bool ask_once(ir::Function& function) {
  if (std::ranges::none_of(function.blocks,
                           [](const ir::Block& block) { return asks_together(block.insts); }))
    return false;
  Dominators tree(ir::successors(function));
  bool changed = false;
  for (uint32_t head = 0; head < function.blocks.size(); ++head) {
    if (!tree.reachable(head) || !tree.is_loop_header(head)) continue;
    for (uint32_t block = 0; block < function.blocks.size(); ++block) {
      if (block == head || !tree.dominates(head, block)) continue;
      Copy copy(function, head, block);
      if (!copy.found()) continue;
      std::vector<ir::Inst>& insts = function.blocks[block].insts;
      const SpanId where = insts.back().where;
      insts.resize(insts.size() - function.blocks[head].insts.size());
      ir::Jump jump;
      jump.to = {{head}, copy.arguments()};
      insts.push_back({jump, {}, where});
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

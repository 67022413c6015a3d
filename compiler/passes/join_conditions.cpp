// Where both ways of a branch only ask something and then go on to the same two places, as
// `a > b if up else a < b` makes them, both questions are answered and one branch is taken. For
// GPUs, where a branch that threads of a warp take differently costs more than a comparison.
//
//   b1: branch c, b2, b3              b1: v1 = compare …
//   b2: v1 = compare …                    v2 = compare …
//       branch v1, b4, b5                 v3 = select c, v1, v2
//   b3: v2 = compare …                    branch v3, b4, b5
//       branch v2, b4, b5
#include "compiler/ir/uses.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/passes.h"

namespace hetjit::passes {
namespace {

class Joiner {
 public:
  explicit Joiner(ir::Function& function)
      : function_(function), predecessors_(function.blocks.size()) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Edge* edge : ir::edges(block.insts.back().op)) ++predecessors_[edge->to.index];
  }

  bool run() {
    bool changed = false;
    for (ir::Block& block : function_.blocks) changed |= join(block);
    return changed;
  }

 private:
  bool join(ir::Block& block) {
    auto* branch = std::get_if<ir::Branch>(&block.insts.back().op);
    if (!branch || branch->yes.to == branch->no.to) return false;
    ir::Block& yes = function_.blocks[branch->yes.to.index];
    ir::Block& no = function_.blocks[branch->no.to.index];
    const ir::Branch *first = question(branch->yes), *second = question(branch->no);
    if (!first || !second || !same(first->yes, second->yes) || !same(first->no, second->no))
      return false;
    ir::Select either;
    either.in = {branch->in[0], first->in[0], second->in[0]};
    ir::Branch after = *first;
    after.in[0] = {static_cast<uint32_t>(function_.types.size())};
    function_.types.push_back(scalar_type(Scalar::Bool));
    const SpanId where = block.insts.back().where;
    block.insts.pop_back();
    for (ir::Block* way : {&yes, &no}) {
      way->insts.pop_back();
      std::move(way->insts.begin(), way->insts.end(), std::back_inserter(block.insts));
      // Out of reach now; it must still be a block until it is dropped.
      way->insts.assign(1, {ir::Unreachable{}, {}, {}});
    }
    for (const ir::Edge* edge : {&after.yes, &after.no}) --predecessors_[edge->to.index];
    block.insts.push_back({either, after.in[0], where});
    block.insts.push_back({std::move(after), {}, where});
    return true;
  }

  // The branch of a block that does nothing but ask, on this way alone, and little; else null.
  const ir::Branch* question(const ir::Edge& way) const {
    const ir::Block& block = function_.blocks[way.to.index];
    if (predecessors_[way.to.index] != 1 || !block.params.empty()) return nullptr;
    if (block.insts.size() > kQuestion + 1) return nullptr;
    for (size_t i = 0; i + 1 < block.insts.size(); ++i) {
      const ir::OpInfo& facts = ir::info(block.insts[i].op);
      const bool cheap = facts.effects == ir::Pure && !facts.access && !facts.raises &&
                         facts.needs == ir::Needs::Nothing && facts.cost != ir::Cost::Dear;
      if (!cheap) return nullptr;
    }
    return std::get_if<ir::Branch>(&block.insts.back().op);
  }

  static bool same(const ir::Edge& a, const ir::Edge& b) {
    return a.to == b.to && a.args == b.args;
  }

  ir::Function& function_;
  std::vector<uint32_t> predecessors_;  // by block
};

}  // namespace

bool join_conditions(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= Joiner(function).run();
  return changed;
}

}  // namespace hetjit::passes

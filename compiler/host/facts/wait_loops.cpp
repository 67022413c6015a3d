#include "compiler/host/facts/wait_loops.h"

#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// What a value is computed from, inside one loop.
class LoopValues {
 public:
  LoopValues(const ir::Function& function, const ir::Definitions& definitions, const Loop& loop)
      : function_(function), definitions_(definitions), loop_(loop) {}

  /// Does one of the values come, in the loop, from an op that `wanted` holds for?
  template <class Wanted>
  bool come_from(std::vector<ValueId> work, Wanted wanted) const {
    std::vector<bool> seen(function_.types.size());
    while (!work.empty()) {
      ValueId id = work.back();
      work.pop_back();
      if (seen[id.index]) continue;
      seen[id.index] = true;
      if (!loop_.holds(definitions_.home(id))) continue;
      if (const ir::Op* op = definitions_.of(id)) {
        if (wanted(*op)) return true;
        for (ValueId operand : ir::operands(*op)) work.push_back(operand);
      } else {
        add_arguments(id, work);
      }
    }
    return false;
  }

 private:
  // A parameter comes from what edges in the loop hand over.
  void add_arguments(ValueId id, std::vector<ValueId>& to) const {
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.holds(block)) continue;
      for (const ir::Edge* edge : ir::edges(function_.blocks[block].insts.back().op)) {
        if (!loop_.holds(edge->to.index)) continue;
        const std::vector<ValueId>& params = function_.blocks[edge->to.index].params;
        for (size_t i = 0; i < params.size(); ++i)
          if (params[i] == id) to.push_back(edge->args[i]);
      }
    }
  }

  const ir::Function& function_;
  const ir::Definitions& definitions_;
  const Loop& loop_;
};

bool waits(const ir::Function& function, const ir::Definitions& definitions, const Loop& loop,
           const std::vector<bool>& looking) {
  LoopValues values(function, definitions, loop);
  auto reads = [](const ir::Op& op) { return (ir::info(op).access & ir::Loads) != 0; };
  // An exchange whose expected value was read in the loop, or handed on from turn to turn.
  auto found_by_another = [&](const ir::Op& op) {
    if (auto* exchange = std::get_if<ir::AtomicCompareExchange>(&op))
      return !values.come_from({exchange->in[1]}, reads);
    if (auto* call = std::get_if<ir::Call>(&op)) return !looking.empty() && looking[call->function];
    return ir::info(op).looks();
  };
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (!loop.holds(block)) continue;
    const ir::Op& last = function.blocks[block].insts.back().op;
    const auto* branch = std::get_if<ir::Branch>(&last);
    if (!branch) continue;
    bool leaves = !loop.holds(branch->yes.to.index) || !loop.holds(branch->no.to.index);
    if (leaves && values.come_from({branch->in[0]}, found_by_another)) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> find_wait_loops(const ir::Function& function, const Structure& structure,
                                  const std::vector<bool>& looking) {
  std::vector<bool> found(function.blocks.size());
  const ir::Definitions definitions(function);
  for (const auto& loop : structure.loops()) {
    if (!waits(function, definitions, *loop, looking)) continue;
    for (uint32_t block = 0; block < function.blocks.size(); ++block)
      if (loop->holds(block))
        for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op))
          if (edge->to.index == loop->header) found[block] = true;
  }
  return found;
}

}  // namespace hetjit::host

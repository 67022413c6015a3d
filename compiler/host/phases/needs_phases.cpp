#include "compiler/host/phases/needs_phases.h"

#include <algorithm>

#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/alone.h"

namespace hetjit::host {
namespace {

template <class Predicate>
bool any_op(const ir::Function& kernel, Predicate predicate) {
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (std::visit(predicate, inst.op)) return true;
  return false;
}

struct UsesFrame {
  template <class Op>
  bool operator()(const Op&) const {
    return Op::info.effects & ir::Together;
  }
  bool operator()(const ir::SharedMemory&) const { return true; }
  bool operator()(const ir::DynamicSharedMemory&) const { return true; }
  bool operator()(const ir::DynamicSharedBytes&) const { return true; }
  bool operator()(const ir::LocalMemory&) const { return true; }
  bool operator()(const ir::LaneIndex&) const { return true; }
  bool operator()(const ir::Pause&) const { return true; }
};

struct MayWait {
  template <class Op>
  bool operator()(const Op& op) const {
    return UsesFrame{}(op);
  }
  bool operator()(const ir::AtomicLoad&) const { return true; }
  bool operator()(const ir::AtomicUpdate&) const { return true; }
  bool operator()(const ir::AtomicCompareExchange&) const { return true; }
};

}  // namespace

bool may_need_phases(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    if (any_op(function, MayWait{})) return true;
  return false;
}

bool needs_phases(const ir::Function& kernel, const ir::Module& module) {
  if (any_op(kernel, UsesFrame{})) return true;
  if (has_calls(kernel))
    for (const ir::Function& function : module.functions)
      if (any_op(function, UsesFrame{})) return true;
  std::optional<Structure> structure = Structure::find(kernel);
  if (!structure) return false;
  std::vector<bool> loops = find_wait_loops(kernel, *structure);
  return std::find(loops.begin(), loops.end(), true) != loops.end();
}

}  // namespace hetjit::host

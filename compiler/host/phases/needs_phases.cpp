#include "compiler/host/phases/needs_phases.h"

#include <algorithm>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/alone.h"

namespace hetjit::host {
namespace {

bool uses_frame(const ir::Op& op) { return ir::info(op).needs != ir::Needs::Nothing; }
bool may_wait(const ir::Op& op) { return uses_frame(op) || ir::info(op).looks(); }

}  // namespace

bool may_need_phases(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    if (any_op(function, may_wait)) return true;
  return false;
}

bool needs_phases(const ir::Function& kernel, const ir::Module& module) {
  if (any_op(kernel, uses_frame)) return true;
  if (has_calls(kernel))
    for (const ir::Function& function : module.functions)
      if (any_op(function, uses_frame)) return true;
  std::optional<Structure> structure = Structure::find(kernel);
  if (!structure) return false;
  std::vector<bool> loops = find_wait_loops(kernel, *structure);
  return std::find(loops.begin(), loops.end(), true) != loops.end();
}

}  // namespace hetjit::host

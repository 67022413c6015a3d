#include "compiler/host/phases/needs_phases.h"

#include <algorithm>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/alone.h"

namespace hetjit::host {
namespace {

/// Of arrays of a thread's own alone, where they are small, a vector's are on the stack.
bool uses_frame(const ir::Op& op) {
  return ir::info(op).needs != ir::Needs::Nothing && !std::holds_alternative<ir::LocalMemory>(op);
}
uint64_t own_bytes(const ir::Function& function) {
  uint64_t sum = 0;
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const auto* own = std::get_if<ir::LocalMemory>(&inst.op))
        sum += static_cast<uint64_t>(local_stride(*own));
  return sum;
}
bool may_wait(const ir::Op& op) {
  return ir::info(op).needs != ir::Needs::Nothing || ir::info(op).looks();
}

}  // namespace

bool may_need_phases(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    if (any_op(function, may_wait)) return true;
  return false;
}

bool needs_phases(const ir::Function& kernel, const ir::Module& module) {
  // What is watched lies where the watch finds it.
  const bool watched = any_op(kernel, [](const ir::Op& op) { return ir::info(op).is_check(); });
  const uint64_t most = watched ? 0 : kMostOnStack;
  if (any_op(kernel, uses_frame) || own_bytes(kernel) > most) return true;
  if (has_calls(kernel))
    for (const ir::Function& function : module.functions)
      if (any_op(function, uses_frame) || own_bytes(function) > most) return true;
  std::optional<Structure> structure = Structure::find(kernel);
  if (!structure) return false;
  std::vector<bool> loops = find_wait_loops(kernel, *structure);
  return std::find(loops.begin(), loops.end(), true) != loops.end();
}

}  // namespace hetjit::host

#include "compiler/host/plan/tier.h"
#include "compiler/host/phases/alone.h"
#include "compiler/host/phases/expand_warp_ops.h"

#include <algorithm>

#include "abi/status.h"
#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/prefetch.h"
#include "compiler/host/plan/warp_order.h"

namespace hetjit::host {
namespace {

template <class Predicate>
bool any_op(const ir::Function& kernel, Predicate predicate) {
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (predicate(inst.op)) return true;
  return false;
}

template <class Wanted>
constexpr auto is_op = [](const ir::Op& op) { return std::holds_alternative<Wanted>(op); };

bool any_needs(const ir::Function& kernel, ir::Needs needs) {
  return any_op(kernel, [&](const ir::Op& op) { return ir::info(op).needs == needs; });
}

/// Do all threads that are looked at together come to the same end of each phase? `next`: the
/// parameter of its last block.
bool end_together(const Phases& phases, View view) {
  for (const ir::Function& function : phases.functions) {
    std::optional<Structure> structure = Structure::find(function);
    if (!structure) return false;
    auto last = static_cast<uint32_t>(function.blocks.size() - 1);
    if (!structure->reachable(last)) continue;
    Shapes shapes(function, *structure, view);
    ValueId next = ir::operands(function.blocks[last].insts.back().op)[0];
    if (shapes.of(next, last).spread != Spread::Uniform) return false;
  }
  return true;
}

/// The phases, if all threads of a `view` go through them together.
bool try_together(PhasedKernel& made, const Prepared& prepared, const Structure& structure,
                  View view) {
  Shapes warp(prepared.function, structure, made.view);
  std::optional<Shapes> block;
  if (view == View::Block) block.emplace(prepared.function, structure, View::Block);
  bool raises = any_op(prepared.function, is_op<ir::Raise>);
  for (bool done_joins : {true, false}) {
    if (done_joins && raises) continue;  // the lanes that do not raise go on without the others
    KernelShapes shapes{&warp, block ? &*block : nullptr};
    made.phases = split(prepared, structure, shapes, done_joins);
    made.loses_lanes = !done_joins;
    if (end_together(made.phases, view)) return true;
  }
  return false;
}

/// All threads of a block together: if it can be, with its sweeps turn by turn.
bool try_whole(PhasedKernel& made, const ir::Function& kernel, const Structure& structure) {
  std::vector<bool> sweeps = find_sweeps(kernel, structure);
  bool any = std::find(sweeps.begin(), sweeps.end(), true) != sweeps.end();
  ir::Function ahead = kernel;
  add_prefetches(ahead, structure);
  for (bool in_step : {true, false}) {
    if (in_step && !any) continue;
    WaitRule rule;
    rule.together = true;
    if (in_step) rule.steps = sweeps;
    Prepared prepared = prepare(ahead, rule);
    std::optional<Structure> cut = Structure::find(prepared.function);
    if (!try_together(made, prepared, *cut, View::Block)) continue;
    made.tier = Tier::Whole;
    made.why = "all threads of a block come to the same barriers";
    if (in_step) made.why += "; its warps go through a loop over memory turn by turn";
    return true;
  }
  return false;
}

bool try_warps(PhasedKernel& made, const ir::Function& kernel, bool grid) {
  Prepared prepared = prepare(kernel, {});
  std::optional<Structure> structure = Structure::find(prepared.function);
  if (!try_together(made, prepared, *structure, made.view)) return false;
  made.tier = Tier::Warps;
  made.why = grid ? "all threads of the grid wait for one another"
                  : "threads of a block may come to different barriers, those of a warp do not";
  return true;
}

void go_by_threads(PhasedKernel& made, const ir::Function& kernel, std::vector<bool> wait_loops) {
  ir::Function by_threads = kernel;
  expand_warp_ops(by_threads);
  WaitRule rule;
  rule.warp_barriers = true;
  rule.turns = std::move(wait_loops);
  Prepared prepared = prepare(std::move(by_threads), rule);
  std::optional<Structure> structure = Structure::find(prepared.function);
  HETJIT_CHECK(structure && "no Python program has loops with two entries");
  made.tier = Tier::Threads;
  made.phases = split(prepared, *structure, {}, false);
  made.loses_lanes = true;
}

}  // namespace

PhasedKernel choose_tier(const ir::Function& kernel, Tier least) {
  PhasedKernel made;
  made.warp_ops = any_needs(kernel, ir::Needs::Lanes) || any_needs(kernel, ir::Needs::Warp);
  made.view = made.warp_ops ? View::Linear : View::Row;
  made.checks = any_op(kernel, [](const ir::Op& op) { return ir::info(op).is_check(); });
  std::optional<Structure> structure = Structure::find(kernel);
  std::vector<bool> loops;
  if (structure) loops = find_wait_loops(kernel, *structure);
  bool waits = any_needs(kernel, ir::Needs::Turn) ||
               std::find(loops.begin(), loops.end(), true) != loops.end();
  bool grid = any_needs(kernel, ir::Needs::Grid);
  // Alone, a thread would find itself alone active.
  if (any_op(kernel, is_op<ir::ActiveMask>)) least = std::min(least, Tier::Warps);
  const bool calls = has_calls(kernel);
  if (calls) least = Tier::Threads;
  if (structure && !waits) {
    if (!grid && least <= Tier::Whole && try_whole(made, kernel, *structure)) return made;
    if (least <= Tier::Warps && try_warps(made, kernel, grid)) return made;
  }
  made.why = waits                    ? "a loop waits for what another thread writes"
             : calls                  ? "the functions that it calls are too large together, or "
                                        "call each other in a circle"
             : least == Tier::Threads ? "it was asked for"
                                      : "threads of a warp may come to different barriers";
  go_by_threads(made, kernel, std::move(loops));
  return made;
}

}  // namespace hetjit::host

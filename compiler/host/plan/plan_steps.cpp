// The steps of a plan under names, on a module whose functions[0] is the kernel.
#include <array>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/held_elements.h"
#include "compiler/host/phases/choose_values.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/interleave.h"
#include "compiler/host/phases/prefetch.h"
#include "compiler/host/phases/shared_numbers.h"
#include "compiler/host/phases/straighten_loops.h"
#include "compiler/host/phases/watched_accesses.h"
#include "compiler/host/plan/block_lanes.h"
#include "compiler/host/plan/busy_threads.h"
#include "compiler/host/plan/flat_blocks.h"
#include "compiler/host/plan/plan.h"
#include "compiler/host/plan/turns_of_all.h"

namespace hetjit::host {
namespace {

constexpr unsigned kExampleLanes = 16;

bool take_in_calls(ir::Module& module) {
  std::optional<ir::Function> kernel = alone(module);
  if (!kernel) return false;
  const bool calls = has_calls(*kernel);
  module.functions[0] = std::move(*kernel);
  if (!calls) module.functions.resize(1);
  return true;
}

bool straighten(ir::Module& module) {
  for (ir::Function& function : module.functions) straighten_loops(function);
  return true;
}

bool share(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= share_numbers(function);
  return changed;
}

bool choose(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= choose_values(function);
  return changed;
}

bool drop_watches(ir::Module& module) {
  drop_needless_watches(module.functions[0]);
  return true;
}

bool expand(ir::Module& module) {
  expand_warp_ops(module.functions[0]);
  return true;
}

bool fetch_ahead(ir::Module& module) {
  std::optional<Structure> structure = Structure::find(module.functions[0]);
  if (structure) add_prefetches(module.functions[0], *structure, {});
  return structure.has_value();
}

/// Turns that all threads of a block have come before what is left of their loops.
bool part_turns_of_all(ir::Module& module) {
  std::optional<Structure> structure = Structure::find(module.functions[0]);
  return structure && part_turns(module.functions[0], *structure);
}

bool cut_at_waits(ir::Module& module) {
  WaitRule rule;
  rule.together = true;
  module.functions[0] = prepare(std::move(module.functions[0]), rule).function;
  return true;
}

/// The phases of the least general tier take the kernel's place.
bool split_into_phases(ir::Module& module) {
  module.functions =
      choose_tier(module.functions[0], Tier::Whole, [](auto, auto) {}).phases.functions;
  return true;
}

bool interleave(ir::Module& module) {
  interleave_locals(module.functions, kExampleLanes);
  return true;
}

/// One turn takes the kernel's place; what asks for more and the limit follow it.
bool take_one_turn(ir::Module& module) {
  const std::optional<Structure> structure = Structure::find(module.functions[0]);
  std::optional<GridTurns> turns =
      structure ? take_turns(module.functions[0], *structure) : std::nullopt;
  if (!turns) return false;
  module.functions = {module.functions[0], std::move(turns->more), std::move(turns->limit)};
  return true;
}

/// What the kernel does to arrays in which it only puts numbers together is seen by a block only.
bool put_together(ir::Module& module) {
  const std::vector<SummedArray> arrays = summed_arrays(module.functions[0]);
  module.functions[0] = seen_by_a_block(std::move(module.functions[0]), arrays);
  return !arrays.empty();
}

/// How many threads are busy in each of the phases, where that is known, takes the kernel's place.
bool ask_who_is_busy(ir::Module& module) {
  const Phases phases = choose_tier(module.functions[0], Tier::Whole, [](auto, auto) {}).phases;
  module.functions.clear();
  for (const ir::Function& phase : phases.functions)
    if (const std::optional<BusyThreads> busy = busy_threads(phase, phases.slots, kMostSettled))
      for_each_function(
          *busy, [&](const ir::Function& function) { module.functions.push_back(function); });
  return true;
}

/// What a launch runs in which no other array shares memory with those that are written.
bool hold(ir::Module& module) {
  std::optional<HeldElements> held = hold_elements(module.functions[0]);
  if (held) module.functions[0] = std::move(held->kernel);
  return held.has_value();
}

bool flatten(ir::Module& module) { return flatten_blocks(module.functions[0]).differs(); }

bool stack_blocks(ir::Module& module) {
  std::optional<ir::Function> made = with_blocks_as_lanes(module.functions[0], kExampleLanes);
  if (made) module.functions[0] = std::move(*made);
  return made.has_value();
}

/// Two rows take the kernel's place, without their vectors.
bool write_two_rows(ir::Module& module) {
  const ir::Function& kernel = module.functions[0];
  const std::optional<Structure> structure = Structure::find(kernel);
  if (!structure) return false;
  const Shapes shapes(kernel, *structure, {View::Row, kExampleLanes, 1, /*of_grid=*/true});
  std::optional<RowsAsOne> rows = write_rows_as_one(kernel, *structure, shapes, 2);
  if (!rows) return false;
  module.functions[0] = std::move(rows->kernel);
  return true;
}

constexpr std::array<passes::Pass, 18> kSteps = {{{"take-in-calls", take_in_calls},
                                                  {"flatten-blocks", flatten},
                                                  {"blocks-as-lanes", stack_blocks},
                                                  {"share-numbers", share},
                                                  {"choose-values", choose},
                                                  {"straighten-loops", straighten},
                                                  {"take-turns", take_one_turn},
                                                  {"drop-watches", drop_watches},
                                                  {"expand-warp-ops", expand},
                                                  {"part-turns", part_turns_of_all},
                                                  {"prefetch", fetch_ahead},
                                                  {"prepare", cut_at_waits},
                                                  {"split", split_into_phases},
                                                  {"busy-threads", ask_who_is_busy},
                                                  {"own-sums", put_together},
                                                  {"hold-elements", hold},
                                                  {"rows-as-one", write_two_rows},
                                                  {"interleave-locals", interleave}}};

}  // namespace

std::span<const passes::Pass> plan_steps() { return kSteps; }

}  // namespace hetjit::host

#include "compiler/host/plan/tier.h"

#include <algorithm>

#include "abi/status.h"
#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/alone.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/patient_loops.h"
#include "compiler/host/phases/prefetch.h"
#include "compiler/host/plan/turns_of_all.h"
#include "compiler/host/plan/warp_order.h"

namespace hetjit::host {
namespace {

template <class Wanted>
constexpr auto is_op = [](const ir::Op& op) { return std::holds_alternative<Wanted>(op); };

bool any_needs(const ir::Function& kernel, ir::Needs needs) {
  return any_op(kernel, [&](const ir::Op& op) { return ir::info(op).needs == needs; });
}

/// Do all threads that are looked at together come to the same end of the phase? `next`: the
/// parameter of its last block.
bool ends_together(const ir::Function& phase, const Structure& structure, const Shapes& all) {
  auto last = static_cast<uint32_t>(phase.blocks.size() - 1);
  if (!structure.reachable(last)) return true;
  ValueId next = ir::operands(phase.blocks[last].insts.back().op)[0];
  return all.of(next, last).spread == Spread::Uniform;
}

/// Has what the phase keeps the shape that its slot has? Not so where threads come to one wait in
/// different turns of a loop: each then keeps its own turn's value.
bool keeps_shapes(const ir::Function& phase, const std::vector<Slot>& slots, const Shapes& warp,
                  const Shapes& all) {
  auto fits = [&](const ir::Keep& keep, uint32_t block) {
    const Slot& slot = slots[keep.slot];
    Shape shape = slot.of_block ? kUniform : slot.shape;
    return join(shape, (slot.of_block ? all : warp).of(keep.in[0], block)) == shape;
  };
  for (uint32_t block = 0; block < phase.blocks.size(); ++block)
    for (const ir::Inst& inst : phase.blocks[block].insts)
      if (const auto* keep = std::get_if<ir::Keep>(&inst.op); keep && !fits(*keep, block))
        return false;
  return true;
}

/// Do all threads of a `view` go through the phases together, those of a warp being its `lanes`?
bool go_together(const Phases& phases, View lanes, View view) {
  for (const ir::Function& phase : phases.functions) {
    std::optional<Structure> structure = Structure::find(phase);
    if (!structure) return false;
    Shapes all(phase, *structure, {view});
    if (!ends_together(phase, *structure, all)) return false;
    std::optional<Shapes> warp;
    if (lanes != view) warp.emplace(phase, *structure, Lanes{lanes});
    if (!keeps_shapes(phase, phases.slots, warp ? *warp : all, all)) return false;
  }
  return true;
}

/// A choice on its way: what is known of the kernel, and what a tier has made of it.
class TierChoice {
 public:
  TierChoice(ir::Function kernel, const AfterStep& after) : after_(after) {
    made_.kernel = std::move(kernel);
    made_.warp_ops =
        any_needs(made_.kernel, ir::Needs::Lanes) || any_needs(made_.kernel, ir::Needs::Warp);
    made_.view = made_.warp_ops ? View::Linear : View::Row;
    made_.checks = any_op(made_.kernel, [](const ir::Op& op) { return ir::info(op).is_check(); });
    structure_ = Structure::find(made_.kernel);
    if (structure_) wait_loops_ = find_wait_loops(made_.kernel, *structure_);
  }
  ByPhases choose(Tier least) &&;

 private:
  bool try_whole();
  bool try_in_step();
  bool take_whole(const Prepared& prepared);
  bool try_warps();
  void go_by_threads();
  bool try_together(const Prepared& prepared, View view);
  Prepared prepared(ir::Function kernel, const WaitRule& rule);
  bool waits_in_loops() const {
    return any_needs(made_.kernel, ir::Needs::Turn) ||
           std::find(wait_loops_.begin(), wait_loops_.end(), true) != wait_loops_.end();
  }
  bool waits_for_the_grid() const { return any_needs(made_.kernel, ir::Needs::Grid); }

  const AfterStep& after_;
  ByPhases made_;
  std::optional<Structure> structure_;  // of the kernel; none: its jumps are no nest of loops
  std::vector<bool> wait_loops_;        // by block (wait_loops.h)
};

Prepared TierChoice::prepared(ir::Function kernel, const WaitRule& rule) {
  Prepared made = prepare(std::move(kernel), rule);
  after_("prepare", {&made.function, 1});
  return made;
}

/// The phases, if all threads of a `view` go through them together.
bool TierChoice::try_together(const Prepared& prepared, View view) {
  std::optional<Structure> structure = Structure::find(prepared.function);
  Shapes warp(prepared.function, *structure, {made_.view});
  std::optional<Shapes> block;
  if (view == View::Block) block.emplace(prepared.function, *structure, Lanes{View::Block});
  bool raises = any_op(prepared.function, is_op<ir::Raise>);
  for (bool done_joins : {true, false}) {
    if (done_joins && raises) continue;  // the lanes that do not raise go on without the others
    KernelShapes shapes{&warp, block ? &*block : nullptr};
    made_.phases = split(prepared, *structure, shapes, done_joins);
    after_("split", made_.phases.functions);
    made_.loses_lanes = !done_joins;
    if (go_together(made_.phases, made_.view, view)) return true;
  }
  return false;
}

/// All threads of a block together: if it can be, with its sweeps turn by turn.
bool TierChoice::try_whole() {
  if (try_in_step()) return true;
  ir::Function ahead = made_.kernel;
  add_prefetches(ahead, *structure_, {});
  after_("prefetch", {&ahead, 1});
  WaitRule rule;
  rule.together = true;
  return take_whole(prepared(std::move(ahead), rule));
}

bool TierChoice::try_in_step() {
  ir::Function kernel = made_.kernel;
  std::optional<Structure> structure;
  const bool parted = part_turns(kernel, *structure_);
  if (parted) {
    after_("part-turns", {&kernel, 1});
    structure = Structure::find(kernel);
  }
  WaitRule rule;
  rule.together = true;
  rule.steps = find_sweeps(kernel, structure ? *structure : *structure_);
  if (std::ranges::find(rule.steps, true) == rule.steps.end()) return false;
  add_prefetches(kernel, structure ? *structure : *structure_, rule.steps);
  after_("prefetch", {&kernel, 1});
  made_.in_step = take_whole(prepared(std::move(kernel), rule));
  if (!made_.in_step) return false;
  made_.why += "; its warps go through a loop over memory turn by turn";
  if (parted) made_.why += ", where it is long";
  return true;
}

bool TierChoice::take_whole(const Prepared& prepared) {
  if (!try_together(prepared, View::Block)) return false;
  made_.tier = Tier::Whole;
  made_.why = "all threads of a block come to the same barriers";
  return true;
}

bool TierChoice::try_warps() {
  if (!try_together(prepared(made_.kernel, {}), made_.view)) return false;
  made_.tier = Tier::Warps;
  made_.why = waits_for_the_grid()
                  ? "all threads of the grid wait for one another"
                  : "threads of a block may come to different barriers, those of a warp do not";
  return true;
}

void TierChoice::go_by_threads() {
  ir::Function by_threads = made_.kernel;
  expand_warp_ops(by_threads);
  after_("expand-warp-ops", {&by_threads, 1});
  WaitRule rule;
  rule.warp_barriers = true;
  rule.turns = wait_loops_;
  if (structure_) make_patient(by_threads, *structure_, rule.turns);
  after_("patient-loops", {&by_threads, 1});
  Prepared cut = prepared(std::move(by_threads), rule);
  std::optional<Structure> structure = Structure::find(cut.function);
  HETJIT_CHECK(structure && "no Python program has loops with two entries");
  made_.tier = Tier::Threads;
  made_.phases = split(cut, *structure, {}, false);
  after_("split", made_.phases.functions);
  made_.loses_lanes = true;
}

ByPhases TierChoice::choose(Tier least) && {
  const bool waits = waits_in_loops(), calls = has_calls(made_.kernel);
  // Alone, a thread would find itself alone active.
  if (any_op(made_.kernel, is_op<ir::ActiveMask>)) least = std::min(least, Tier::Warps);
  if (calls) least = Tier::Threads;
  if (structure_ && !waits) {
    if (!waits_for_the_grid() && least <= Tier::Whole && try_whole()) return std::move(made_);
    if (least <= Tier::Warps && try_warps()) return std::move(made_);
  }
  made_.why = waits                    ? "a loop waits for what another thread writes"
              : calls                  ? "the functions that it calls are too large together, or "
                                         "call each other in a circle"
              : least == Tier::Threads ? "it was asked for"
                                       : "threads of a warp may come to different barriers";
  go_by_threads();
  return std::move(made_);
}

}  // namespace

std::string_view name_of(Tier tier) {
  static constexpr std::string_view kNames[] = {"Whole", "Warps", "Threads"};
  return kNames[static_cast<size_t>(tier)];
}

ByPhases choose_tier(ir::Function kernel, Tier least, const AfterStep& after) {
  return TierChoice(std::move(kernel), after).choose(least);
}

}  // namespace hetjit::host

#include "compiler/host/plan/plan.h"

#include <algorithm>
#include <array>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/head.h"
#include "compiler/host/facts/held_elements.h"
#include "compiler/host/facts/periods.h"
#include "compiler/host/facts/written_arrays.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/frame_parameters.h"
#include "compiler/host/phases/interleave.h"
#include "compiler/host/phases/needs_phases.h"
#include "compiler/host/plan/block_lanes.h"
#include "compiler/host/plan/busy_threads.h"
#include "compiler/host/plan/divergence.h"
#include "compiler/host/plan/flat_blocks.h"
#include "compiler/host/plan/row_walks.h"
#include "compiler/host/plan/turns_of_all.h"
#include "compiler/host/plan/vector_form.h"

namespace hetjit::host {
namespace {

/// Verifies what steps make, each function with those of the module that calls name.
AfterStep verifier(const ir::Module& module, bool wanted) {
  if (!wanted && !passes::kAlwaysVerify) return [](std::string_view, auto) {};
  return [&module](std::string_view step, std::span<const ir::Function> functions) {
    ir::Module whole = module;
    for (const ir::Function& function : functions) {
      whole.functions[0] = function;
      passes::check_graph(whole, step);
    }
  };
}

void choose_rows(const ir::Module& module, ByPhases& made) {
  for (const ir::Function& phase : made.phases.functions)
    made.by_rows.push_back(rows_side_by_side(module, made, phase));
}

/// Where all threads come to the same waits, one warp can say for another what is next.
void find_busy(const ir::Module& module, const AfterStep& after, ByPhases& made) {
  const size_t count = made.phases.functions.size();
  made.busy.resize(count);
  if (made.tier != Tier::Whole || made.loses_lanes || made.checks || !module.sites.empty()) return;
  size_t settled = 0;
  for (size_t i = 0; i < count; ++i) {
    if (made.by_rows[i]) continue;
    const size_t may_settle = settled < kMostSettledPhases ? kMostSettled : 0;
    made.busy[i] = busy_threads(made.phases.functions[i], made.phases.slots, may_settle);
    if (!made.busy[i]) continue;
    settled += made.busy[i]->settled.has_value();
    for_each_function(*made.busy[i], [&](const ir::Function& function) {
      after("busy-threads", {&function, 1});
    });
  }
}

bool knows_more_in_whole_rows(const ByPhases& made) {
  ByPhases in_whole_rows{.width = made.width, .whole_rows = true};
  return std::ranges::any_of(made.phases.functions, [&](const ir::Function& phase) {
    const std::optional<Structure> structure = Structure::find(phase);
    return structure && Shapes(phase, *structure, in_whole_rows.lanes()) !=
                            Shapes(phase, *structure, made.lanes());
  });
}

/// Each thread by itself: phases are functions of one thread, and so is what they call.
void add_frames(const ir::Module& module, const Machine& machine, ByPhases& made) {
  for (ir::Function& phase : made.phases.functions) add_frame_parameters(phase);
  for (ir::Function& function : made.phases.called)
    if (!function.blocks.empty()) add_frame_parameters(function);
  if (!machine.verify && !passes::kAlwaysVerify) return;
  ir::Module with_frames = module;  // those that nobody calls any more call others, too
  for (size_t i = 1; i < with_frames.functions.size(); ++i)
    add_frame_parameters(with_frames.functions[i]);
  verifier(with_frames, machine.verify)("frame-parameters", made.phases.functions);
}

/// Lanes, forms and loops of the phases that a tier has given.
void lay_out(const ir::Module& module, const Machine& machine, const AfterStep& after,
             ByPhases& made) {
  const bool by_threads = made.tier == Tier::Threads;
  made.width = by_threads ? 1 : made.warp_ops ? kLanguageWarp : machine.lanes;
  if (by_threads) {
    add_frames(module, machine, made);
  } else {
    interleave_locals(made.phases.functions, made.width);
    after("interleave-locals", made.phases.functions);
    made.whole_rows = knows_more_in_whole_rows(made);
  }
  choose_rows(module, made);
  find_busy(module, after, made);
}

ByPhases by_phases(const ir::Module& module, ir::Function kernel, const Machine& machine) {
  const AfterStep after = verifier(module, machine.verify);
  std::vector<ir::Function> called = called_functions(kernel, module);
  const Tier least = machine.lanes == 1 ? Tier::Threads : machine.least;
  ByPhases made = choose_tier(kernel, least, after);
  if (made.tier == Tier::Whole && module.sites.empty())
    if (const FlatBlocks flat = flatten_blocks(kernel); flat.differs()) {
      after("flatten-blocks", {&kernel, 1});
      made = choose_tier(std::move(kernel), least, after);
      made.flat = flat;
    }
  made.phases.called = std::move(called);
  lay_out(module, machine, after, made);
  return made;
}

/// Where warps may begin again: what the host was told is not told again.
void choose_period(const ir::Module& module, const Structure& structure, ByRows& made) {
  if (!module.sites.empty() || !divides(made.kernel)) return;
  const Shapes in_any(made.kernel, structure, made.lanes());
  made.in_one_period = true;
  const Shapes shapes(made.kernel, structure, made.lanes());
  made.in_one_period = gains_neighbours(made.kernel, in_any, shapes);
  made.in_parts = made.in_one_period && goes_in_parts(made.kernel, structure, in_any, shapes);
}

/// What a kernel tells the host comes with its thread's place in the block.
void choose_grid(const ir::Module& module, const Structure& structure, ByRows& made) {
  if (!module.sites.empty() || !sees_no_blocks(made.kernel)) return;
  made.turns = take_turns(made.kernel, structure);
  if (made.turns) {
    made.grid.emplace();  // along x
    return;
  }
  made.grid = choose_grid_rows(made.laid_out(), structure, made.width, made.extents);
  turn(made.kernel, made.grid->axes);
}

/// Do masks go from block to block? Not that of a guard, whose vectors begin again with masks.
bool keeps_masks(const ir::Function& kernel, const Structure& structure, const Shapes& shapes) {
  unsigned outside = 0;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    if (!shapes.diverges(block)) continue;
    if (structure.loop_of(block)) return true;
    ++outside;
  }
  return outside > 1;
}

Way by_rows(const ir::Module& module, ir::Function kernel, const Machine& machine,
            const KnownExtents& extents) {
  ByRows made{"nothing in it waits for another thread", std::move(kernel), machine.lanes, {}};
  made.extents = extents;
  std::optional<Structure> structure = Structure::find(made.kernel);
  choose_grid(module, *structure, made);
  if (made.turns) {
    verifier(module, machine.verify)("take-turns",
                                     std::array{made.kernel, made.turns->more, made.turns->limit});
    structure = Structure::find(made.kernel);
  }
  if (!made.grid && module.sites.empty()) made.flat = flatten_blocks(made.kernel);
  if (made.flat.differs()) {
    verifier(module, machine.verify)("flatten-blocks", {&made.kernel, 1});
    structure = Structure::find(made.kernel);
  }
  choose_period(module, *structure, made);
  const ir::Function kernel_in_lanes = made.laid_out();
  verifier(module, machine.verify)("interleave-locals", {&kernel_in_lanes, 1});
  Shapes in_any_row(kernel_in_lanes, *structure, made.lanes());
  made.whole_rows = !made.grid;
  Shapes shapes(kernel_in_lanes, *structure, made.lanes());
  if (!machine.lanes_asked) {
    const WalkingRows rows{made.grid && made.grid->load_the_same, machine.has_masks};
    if (auto why = why_threads_walk(kernel_in_lanes, *structure, shapes, made.width, rows))
      return ByThreads{*why, {}};
    if (auto why =
            why_threads_part(kernel_in_lanes, *structure, shapes, made.width, machine.has_masks))
      return ByThreads{*why, {}};
  }
  made.whole_rows = shapes != in_any_row;
  made.between_ends =
      module.sites.empty() && has_rows_between_ends(kernel_in_lanes, *structure, shapes);
  const size_t register_bytes = machine.has_masks ? kWideRegisters : kNarrowRegisters;
  made.vectors =
      warps_side_by_side(kernel_in_lanes, *structure, shapes, made.width, register_bytes);
  const bool may_be_wide = machine.has_masks || !keeps_masks(kernel_in_lanes, *structure, shapes);
  const unsigned most = may_be_wide ? kWidestWarp : kMostUnmasked;
  while (made.vectors.warps > 1 && made.width * made.vectors.warps > most) made.vectors.warps /= 2;
  // `t // 32` is the same for all lanes of fewer vectors only.
  while (made.vectors.warps > 1 &&
         Shapes(kernel_in_lanes, *structure, made.lanes(made.vectors.warps)) != shapes)
    made.vectors.warps /= 2;
  if (made.vectors.warps == 1) made.vectors = {};
  if (made.grid && made.grid->load_the_same && !made.in_one_period && !made.between_ends)
    made.rows_as_one = choose_rows_as_one(kernel_in_lanes, *structure, shapes, made.width,
                                          made.vectors.warps, register_bytes);
  if (made.rows_as_one)
    verifier(module, machine.verify)("rows-as-one", {&made.rows_as_one->kernel, 1});
  return made;
}

Way choose_way(const ir::Module& module, const Machine& machine, const KnownExtents& extents) {
  if (may_need_phases(module)) {
    std::optional<ir::Function> kernel = alone(module);
    if (!kernel) return why_not_alone(module);
    if (needs_phases(*kernel, module)) return by_phases(module, std::move(*kernel), machine);
  }
  std::optional<ir::Function> flat = flattened(module);
  if (!flat)
    return ByThreads{"functions call each other in a circle, or are too large together", {}};
  if (machine.lanes == 1)
    return ByThreads{machine.lanes_asked ? "one lane was asked for" : "the CPU has no AVX2", {}};
  if (std::optional<NoVectorForm> none = why_no_vector_form(*flat))
    return ByThreads{none->why, none->where.valid() ? flat->spans[none->where.index] : Span{}};
  return by_rows(module, std::move(*flat), machine, extents);
}

/// Is more known of a kernel's accesses, or are its loops, which go thread by thread, written out?
bool gains(const Way& few, const Way& any, const Structure& structure) {
  if (std::holds_alternative<ByThreads>(few)) return !structure.loops().empty();
  const auto *rows = std::get_if<ByRows>(&few), *others = std::get_if<ByRows>(&any);
  if (!rows || !others) return rows != nullptr;
  if (rows->turns.has_value() != others->turns.has_value()) return true;
  const std::optional<Structure> own = Structure::find(rows->kernel);
  return Shapes(rows->kernel, *own, rows->lanes()) != Shapes(rows->kernel, *own, others->lanes());
}

std::optional<FewElements> where_few(const ir::Module& module, const Plan& plan) {
  if (!std::holds_alternative<ByRows>(plan.way) && !std::holds_alternative<ByThreads>(plan.way))
    return std::nullopt;
  const std::optional<ir::Function> kernel = flattened(module);
  if (!kernel) return std::nullopt;
  FewElements made{suggested_extents(*kernel), {}};
  const std::optional<Structure> structure = Structure::find(*kernel);
  if (made.extents.empty() || !structure) return std::nullopt;
  made.way = choose_way(module, plan.machine, made.extents);
  if (!gains(made.way, plan.way, *structure)) return std::nullopt;
  if (std::holds_alternative<ByThreads>(made.way)) made.written = written_arrays(*kernel);
  return made;
}

/// Where no other array shares memory with those that are written: what a loop adds up in one of
/// them it carries.
std::optional<FewElements> where_elements_are_held(const ir::Module& module, const Plan& plan) {
  if (!std::holds_alternative<ByRows>(plan.way) || !module.sites.empty()) return std::nullopt;
  const std::optional<ir::Function> kernel = flattened(module);
  std::optional<HeldElements> held = kernel ? hold_elements(*kernel) : std::nullopt;
  if (!held) return std::nullopt;
  ir::Module whole = module;
  whole.functions[0] = std::move(held->kernel);
  verifier(module, plan.machine.verify)("hold-elements", {&whole.functions[0], 1});
  FewElements made{{}, choose_way(whole, plan.machine, {}), std::move(held->written)};
  return std::holds_alternative<ByRows>(made.way) ? std::optional(std::move(made)) : std::nullopt;
}

/// Another axis for the lanes where arrays lie in columns, or tiles where some do.
std::optional<FewElements> where_columns(const ir::Module& module, const Plan& plan) {
  const auto* rows = std::get_if<ByRows>(&plan.way);
  if (!rows || !rows->grid) return std::nullopt;
  FewElements made{in_columns(rows->kernel), {}};
  if (made.extents.empty()) return std::nullopt;
  made.way = choose_way(module, plan.machine, made.extents);
  const auto* columns = std::get_if<ByRows>(&made.way);
  const bool differ =
      columns && columns->grid &&
      (columns->grid->axes[0] != rows->grid->axes[0] || columns->grid->rows != rows->grid->rows);
  return differ ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<OwnSums> where_sums_are_small(const ir::Module& module, const Plan& plan) {
  if (!std::holds_alternative<ByRows>(plan.way) || !module.sites.empty()) return std::nullopt;
  std::optional<ir::Function> kernel = flattened(module);
  if (!kernel) return std::nullopt;
  OwnSums made{summed_arrays(*kernel), {}};
  if (made.arrays.empty()) return std::nullopt;
  ir::Module whole = module;
  whole.functions[0] = seen_by_a_block(std::move(*kernel), made.arrays);
  made.way = choose_way(whole, plan.machine, {});
  return std::holds_alternative<ByRows>(made.way) ? std::optional(std::move(made)) : std::nullopt;
}

/// Where a block's threads go different ways, or to elements that lie apart.
std::optional<ByPhases> where_many_blocks(const ir::Module& module, const Plan& plan) {
  const Machine& machine = plan.machine;
  const auto* any = std::get_if<ByPhases>(&plan.way);
  if (!any || any->tier != Tier::Whole || any->checks || !any->phases.called.empty() ||
      !module.sites.empty() || machine.block_lanes == BlockLanes::Never)
    return std::nullopt;
  std::optional<ir::Function> kernel = with_blocks_as_lanes(any->kernel, machine.lanes);
  if (!kernel) return std::nullopt;
  const AfterStep after = verifier(module, machine.verify);
  after("blocks-as-lanes", {&*kernel, 1});
  if (machine.block_lanes == BlockLanes::WhereFaster &&
      gain_of_block_lanes(any->kernel, *kernel, machine.lanes) < kBlockLanesGain)
    return std::nullopt;
  ByPhases made = choose_tier(std::move(*kernel), Tier::Whole, after);
  if (made.tier != Tier::Whole) return std::nullopt;
  made.flat = any->flat;
  made.flat.together = machine.lanes;
  lay_out(module, machine, after, made);
  return made;
}

std::optional<LongSweeps> where_sweeps_are_long(const ir::Module& module, const Plan& plan) {
  const auto* rows = std::get_if<ByRows>(&plan.way);
  if (!rows || rows->turns || !module.sites.empty()) return std::nullopt;
  std::optional<ir::Function> kernel = flattened(module);
  const auto structure = kernel ? Structure::find(*kernel) : std::nullopt;
  HETJIT_CHECK(structure && "a kernel that is rows is flat");
  LongSweeps made{arrays_of_turns(*kernel, *structure), {}};
  if (made.arrays.empty()) return std::nullopt;
  made.way = by_phases(module, std::move(*kernel), plan.machine);
  made.way.why = "as memory lies, a loop is gone through by all of a block's threads";
  return made.way.in_step ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

ir::Function ByRows::laid_out(unsigned together) const {
  ir::Function made = kernel;
  interleave_locals({&made, 1}, width * together);
  return made;
}

Plan plan(const ir::Module& module, const Machine& machine) {
  Plan made{machine, choose_way(module, machine, {})};
  made.block_lanes = where_many_blocks(module, made);
  made.own_sums = where_sums_are_small(module, made);
  made.sweeps = where_sweeps_are_long(module, made);
  made.few = where_few(module, made);
  if (!made.few) made.few = where_elements_are_held(module, made);
  if (!made.few) made.few = where_columns(module, made);
  return made;
}

}  // namespace hetjit::host

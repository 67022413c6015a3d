#include "compiler/host/plan/explain.h"
#include "compiler/host/phases/alone.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/needs_phases.h"

#include <algorithm>
#include <tuple>

#include "compiler/host/phases/interleave.h"
#include "compiler/host/plan/explain_places.h"
#include "compiler/host/plan/side_by_side.h"
#include "compiler/host/plan/tier.h"
#include "compiler/host/plan/vector_form.h"

namespace hetjit::host {
namespace {

std::string lanes_text(const Machine& machine) {
  return "vectors of " + std::to_string(machine.lanes) + " lanes" +
         (machine.lanes_asked ? ", as was asked for" : ", what suits the CPU");
}

const char* barrier_name(const ir::Op& op) {
  const ir::Needs needs = ir::info(op).needs;
  return needs == ir::Needs::Block  ? "barrier"
         : needs == ir::Needs::Grid ? "grid barrier"
                                    : nullptr;
}

void add_barriers(const ir::Function& kernel, Tier tier, std::vector<Remark>& to) {
  static constexpr const char* kWho[] = {"the block's threads go on from it together",
                                         "each warp goes on from it by itself",
                                         "each thread goes on from it by itself"};
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const char* name = barrier_name(inst.op); name && inst.where.valid())
        to.push_back({kernel.spans[inst.where.index], name, "", kWho[static_cast<size_t>(tier)]});
}

void add_rows(const ir::Module& module, const PhasedKernel& kernel, Explanation& to) {
  const std::vector<ir::Function>& phases = kernel.phases.functions;
  if (std::any_of(phases.begin(), phases.end(), [&](const ir::Function& phase) {
        return rows_side_by_side(module, kernel, phase);
      }))
    to.summary.push_back(std::to_string(kRowsTogether) +
                         " rows of the block side by side, where a row is one vector: they read "
                         "the same in a loop");
}

bool fetches_ahead(const PhasedKernel& kernel) {
  for (const ir::Function& phase : kernel.phases.functions)
    for (const ir::Block& block : phase.blocks)
      for (const ir::Inst& inst : block.insts)
        if (std::holds_alternative<ir::Prefetch>(inst.op)) return true;
  return false;
}

void explain_phased(const ir::Module& module, const ir::Function& kernel, const Machine& machine,
                    Explanation& to) {
  PhasedKernel phased = choose_tier(kernel, machine.lanes == 1 ? Tier::Threads : machine.least);
  static constexpr const char* kTiers[] = {"Whole", "Warps", "Threads"};
  std::string tier = kTiers[static_cast<size_t>(phased.tier)];
  to.summary.push_back("tier " + tier + ": " + phased.why);
  if (size_t phases = phased.phases.functions.size(); phases > 1)
    to.summary.push_back(std::to_string(phases) + " phases, from wait to wait");
  if (phased.tier == Tier::Threads)
    to.summary.push_back("1 lane: each thread goes from wait to wait by itself");
  else if (phased.warp_ops)
    to.summary.push_back("vectors of " + std::to_string(kLanguageWarp) +
                         " lanes: the kernel uses warps, which have " +
                         std::to_string(kLanguageWarp) + " threads");
  else
    to.summary.push_back(lanes_text(machine));
  add_rows(module, phased, to);
  if (fetches_ahead(phased))
    to.summary.push_back("what a loop with barriers reads is fetched a turn ahead");
  add_barriers(kernel, phased.tier, to.remarks);
}

void add_side_by_side(const ir::Function& kernel, const Machine& machine, Explanation& to) {
  std::optional<Structure> structure = Structure::find(kernel);
  Shapes shapes(kernel, *structure);
  SideBySide found = warps_side_by_side(kernel, *structure, shapes, machine.lanes);
  if (found.warps > 1)
    to.summary.push_back(std::to_string(found.warps) +
                         " vectors side by side, where a row has as many: " + found.why);
}

void explain_rows(const ir::Function& kernel, const Machine& machine, Explanation& to) {
  if (machine.lanes == 1) {
    to.summary.push_back(machine.lanes_asked ? "thread by thread: one lane was asked for"
                                             : "thread by thread: the CPU has no AVX2");
    return;
  }
  std::optional<NoVectorForm> none = why_no_vector_form(kernel);
  if (!none) {
    to.summary.push_back("rows of threads: nothing in it waits for another thread");
    to.summary.push_back(lanes_text(machine));
    add_side_by_side(kernel, machine, to);
    return;
  }
  to.summary.push_back("thread by thread: " + none->why);
  if (none->where.valid())
    to.remarks.push_back(
        {kernel.spans[none->where.index], "note", "", "why the kernel runs thread by thread"});
}

/// The kernel as its accesses are: with local arrays where they lie.
ir::Function explain_host(const ir::Module& module, ir::Function kernel, const Machine& machine,
                          Explanation& to) {
  std::optional<ir::Function> whole;
  if (may_need_phases(module)) whole = alone(module);
  if (!whole || !needs_phases(*whole, module)) {
    explain_rows(kernel, machine, to);
    return kernel;
  }
  explain_phased(module, *whole, machine, to);
  std::vector<ir::Function> functions;
  functions.push_back(std::move(kernel));
  if (machine.lanes > 1) interleave_locals(functions, machine.lanes);
  return std::move(functions[0]);
}

/// A kernel that cannot be made one function.
void explain_calls(const ir::Module& module, const Machine& machine, Explanation& to) {
  std::optional<ir::Function> kernel;
  if (machine.host && may_need_phases(module)) kernel = alone(module);
  if (kernel && needs_phases(*kernel, module)) return explain_phased(module, *kernel, machine, to);
  to.summary.push_back(
      "thread by thread: functions call each other in a circle, or are too large together");
}

void sort(std::vector<Remark>& remarks) {
  auto place = [](const Remark& it) {
    return std::tie(it.where.source, it.where.line, it.where.column, it.where.end_line,
                    it.where.end_column, it.thing, it.word, it.detail);
  };
  std::sort(remarks.begin(), remarks.end(),
            [&](const Remark& a, const Remark& b) { return place(a) < place(b); });
  remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
}

}  // namespace

Explanation explain(const ir::Module& module, const Machine& machine) {
  Explanation made;
  std::optional<ir::Function> kernel = flattened(module);
  if (!kernel) {
    explain_calls(module, machine, made);
    return made;
  }
  if (machine.host)
    kernel = explain_host(module, std::move(*kernel), machine, made);
  else
    made.summary.push_back("warps of " + std::to_string(machine.lanes) + " threads");
  if (std::optional<Structure> structure = Structure::find(*kernel)) {
    Shapes shapes(*kernel, *structure);
    add_accesses(*kernel, shapes, *structure, machine, made.remarks);
    add_branches(*kernel, shapes, *structure, made.remarks);
    add_inexact(*kernel, *structure, made.remarks);
  }
  sort(made.remarks);
  return made;
}

}  // namespace hetjit::host

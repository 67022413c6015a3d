// How a kernel whose threads do something together runs on the CPU.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/host/facts/flat_blocks.h"
#include "compiler/host/phases/phases.h"
#include "compiler/host/plan/busy_threads.h"

namespace hetjit::host {

/// Whole: all threads of a block come to the same wait; each phase runs warp after warp.
/// Warps: the lanes of a warp do, warps may differ; each warp goes on where it stopped.
/// Threads: nothing of the kind is known; each thread goes on where it stopped.
enum class Tier : uint8_t { Whole, Warps, Threads };
std::string_view name_of(Tier tier);

/// What a phase returns instead of the next one's number where a check has failed, in Whole.
constexpr uint32_t kBlockEnds = UINT32_MAX;

/// A kernel that goes from wait to wait.
struct ByPhases {
  ir::Function kernel;  // as it was before it was cut; what it calls: phases.called
  Tier tier = Tier::Whole;
  std::string why;  // one sentence
  Phases phases;
  unsigned width = 1;         // threads that are lanes of one vector
  bool warp_ops = false;      // uses the language's warps: 32 threads in the block's order
  bool loses_lanes = false;   // lanes may be done when others of their warp wait
  bool checks = false;        // a block may end early, as a check has failed
  bool in_step = false;       // a block's warps go through loops over memory turn by turn
  View view = View::Row;      // of the form in which some lanes are active
  bool whole_rows = false;    // as ByRows::whole_rows (plan.h)
  FlatBlocks flat = {};       // how a block's threads are rows; of tier Whole
  std::vector<bool> by_rows;  // by phase: several rows of the block run side by side
  std::vector<std::optional<BusyThreads>> busy;  // by phase

  /// The lanes of the form in which all are active.
  Lanes lanes() const { return {View::Row, width, whole_rows ? width : 1}; }
};

/// Called with the functions that a step has made.
using AfterStep = std::function<void(std::string_view step, std::span<const ir::Function>)>;

/// Tier, reason and phases. `least`: of the tiers, in their order, none before it; a kernel that
/// asks which lanes are active never gets Threads for that alone. One that calls functions always
/// does.
ByPhases choose_tier(ir::Function kernel, Tier least, const AfterStep& after);

}  // namespace hetjit::host

// How a kernel whose threads do something together runs on the CPU.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/facts/structure.h"
#include "compiler/host/phases/phases.h"

namespace hetjit::host {

/// Whole: all threads of a block come to the same wait; each phase runs warp after warp.
/// Warps: the lanes of a warp do, warps may differ; each warp goes on where it stopped.
/// Threads: nothing of the kind is known; each thread goes on where it stopped.
enum class Tier : uint8_t { Whole, Warps, Threads };

/// What a phase returns instead of the next one's number where a check has failed, in Whole.
constexpr uint32_t kBlockEnds = UINT32_MAX;

struct PhasedKernel {
  Tier tier = Tier::Whole;
  std::string why;  // one sentence, for explain
  Phases phases;
  bool warp_ops = false;     // uses the language's warps: 32 threads in the block's order
  bool loses_lanes = false;  // lanes may be done when others of their warp wait
  bool checks = false;       // a block may end early, as a check has failed
  View view = View::Row;     // of the form in which some lanes are active
};

/// `least`: of the tiers, in their order, none before it; a kernel that asks which lanes are active
/// never gets Threads for that alone. One that calls functions always does.
PhasedKernel choose_tier(const ir::Function& kernel, Tier least);

}  // namespace hetjit::host

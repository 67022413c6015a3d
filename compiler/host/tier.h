// How a kernel whose threads do something together runs on the CPU.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/phases.h"
#include "compiler/host/structure.h"

namespace hetjit::host {

/// Whole: all threads of a block come to the same wait; each phase runs warp after warp.
/// Warps: the lanes of a warp do, warps may differ; each warp goes on where it stopped.
/// Threads: nothing of the kind is known; each thread goes on where it stopped.
enum class Tier : uint8_t { Whole, Warps, Threads };

/// What a phase returns instead of the next one's number where a check has failed, in Whole.
constexpr uint32_t kBlockEnds = UINT32_MAX;

/// Threads of a warp of the language, on the host.
constexpr unsigned kLanguageWarp = 32;

struct PhasedKernel {
  Tier tier = Tier::Whole;
  std::string why;  // one sentence, for explain
  Phases phases;
  bool warp_ops = false;     // uses the language's warps: 32 threads in the block's order
  bool loses_lanes = false;  // lanes may be done when others of their warp wait
  bool checks = false;       // a block may end early, as a check has failed
  View view = View::Row;     // of the form in which some lanes are active
};

/// Does any function of the module have an op that could?
bool may_need_phases(const ir::Module& module);
/// Does some function need phases, though the kernel cannot be made one function (alone())?
bool cannot_have_phases(const ir::Module& module);
/// Does anything in the kernel need more than a vector per value: memory of a block, waits, warps?
bool needs_phases(const ir::Function& kernel);

/// The kernel by itself: calls taken in, a result stored where the last parameter says. nullopt:
/// functions call each other in a circle, or are too large together.
std::optional<ir::Function> alone(const ir::Module& module);

/// What lanes of a warp do together, by way of memory and waits: for threads that run one by one.
void expand_warp_ops(ir::Function& kernel);

/// `kernel` calls nothing. `least`: of the tiers, in their order, none before it; a kernel that
/// asks which lanes are active never gets Threads for that alone.
PhasedKernel choose_tier(const ir::Function& kernel, Tier least);

}  // namespace hetjit::host

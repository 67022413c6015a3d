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
/// Does anything in the kernel, or in what it calls still (alone()), need more than a vector per
/// value: memory of a block, waits, warps?
bool needs_phases(const ir::Function& kernel, const ir::Module& module);

/// The kernel by itself, a result stored where the last parameter says. Calls are taken in, if all
/// together are not too large and call each other in no circle; else calls of functions in which
/// threads wait, and the others stay. nullopt: not even that can be done (why_not_alone).
std::optional<ir::Function> alone(const ir::Module& module);
/// What the user is told where threads wait and there is no alone(): what to do, and where it is.
struct NotAlone {
  std::string why, remedy;
  Span where;
};
/// nullopt: all is well.
std::optional<NotAlone> why_not_alone(const ir::Module& module);
bool has_calls(const ir::Function& function);
/// What such a kernel calls still: the module's functions at their numbers, without blocks those
/// that nobody calls. Empty: nothing.
std::vector<ir::Function> called_functions(const ir::Function& kernel, const ir::Module& module);

/// What lanes of a warp do together, by way of memory and waits: for threads that run one by one.
void expand_warp_ops(ir::Function& kernel);

/// `least`: of the tiers, in their order, none before it; a kernel that asks which lanes are active
/// never gets Threads for that alone. One that calls functions always does.
PhasedKernel choose_tier(const ir::Function& kernel, Tier least);

}  // namespace hetjit::host

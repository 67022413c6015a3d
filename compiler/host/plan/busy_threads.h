// Phases in which only a block's first threads have something to do, as in the steps of a tree:
//
//   if t < s:                       # s the same for all
//       shared[t] += shared[t + s]
//
// From thread s on nobody would notice whether they were there, so whole warps of them are skipped.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/host/phases/phases.h"

namespace hetjit::host {

inline constexpr int64_t kAllThreads = std::numeric_limits<int64_t>::max();

/// How many threads along x have something to do in a phase of a block of one row, as a function of
/// the phase's parameters and the launch's places: i64, which may be less than 1; kAllThreads where
/// it is not known. The first thread always has: it says which phase is next. nullopt: never known.
std::optional<ir::Function> busy_threads(const ir::Function& phase, const std::vector<Slot>& slots);

}  // namespace hetjit::host

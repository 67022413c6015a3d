// Phases that begin with a question of a thread's place, as in the steps of trees and scans:
//
//   if t < s:                       # s the same for all
//       shared[t] += shared[t + s]
//
// Where nobody would notice whether threads from s on were there, whole warps of them are skipped.
// Of the others, whole warps on one side of s need not ask.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/host/phases/phases.h"

namespace hetjit::host {

inline constexpr int64_t kAllThreads = std::numeric_limits<int64_t>::max();

/// A phase of a block of one row, in two: as the first threads do it, and as the others do.
struct SettledPhase {
  ir::Function threads;  // how many are the first ones, as BusyThreads::count
  ir::Function first;
  std::optional<ir::Function> rest;  // nullopt: they are not busy
};

struct BusyThreads {
  /// How many threads along x have something to do in a phase of a block of one row, as a function
  /// of the phase's parameters and the launch's places: i64, which may be less than 1; kAllThreads
  /// where it is not known. The first thread always has: it says which phase is next. nullopt: all.
  std::optional<ir::Function> count;
  std::optional<SettledPhase> settled;  // nullopt: all have to ask
};

template <class Do>
void for_each_function(const BusyThreads& busy, Do&& act) {
  if (busy.count) act(*busy.count);
  if (!busy.settled) return;
  act(busy.settled->threads);
  act(busy.settled->first);
  if (busy.settled->rest) act(*busy.settled->rest);
}

/// nullopt: nothing is known. `may_settle`: in a phase of so many instructions at most.
std::optional<BusyThreads> busy_threads(const ir::Function& phase, const std::vector<Slot>& slots,
                                        size_t may_settle);

}  // namespace hetjit::host

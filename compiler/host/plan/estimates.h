// What the estimates of row_walks.h and divergence.h have in common.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// Elements from lane to lane at an address of which that is known but where an index counts from
/// the end, or is clamped. nullopt: not so, or in all warps (Shapes::of).
std::optional<int64_t> step_in_most_warps(const Shapes& shapes, ValueId address);

/// Does each lane access memory by itself there, no two of them in one line of the caches?
bool is_each_its_own(const Shapes& shapes, ValueId address);

/// What an operation counts for: as much as several where it is a division or a root.
double weight_of(const ir::Op& op);

/// "vectors would take 2.3 times as long"
std::string vectors_would_take(double times);

}  // namespace hetjit::host

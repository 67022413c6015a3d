// Blocks as the lanes of vectors. Of a kernel whose threads work together in shared memory, threads
// of one block often go different ways, or to elements that lie apart:
//
//   if t % 2 == k % 2: … shared[t], shared[t + 1] …      # odd-even sort
//   shared[t ^ j]                                        # bitonic sort, Fourier transform
//
// The same thread of several blocks, neighbours along x, goes one way, and to one element of each
// block's own shared array. These lie element after element, so that they are a row:
//
//   thread (x, y) of block b + l   ->   thread (l, x, y) of blocks b … b + lanes - 1 as one
//   shared[e] of block b + l       ->   shared[e * lanes + l]
//
// What it costs: neighbours in an array that was passed are threads of one block, now rows apart.
#pragma once

#include <optional>

#include "compiler/host/plan/tier.h"
#include "compiler/ir/ir.h"

namespace hetjit::host {

/// The kernel of so many blocks as one; nullopt: it has none. That it needs no phases but Whole
/// ones, and that they may run side by side, is for choose_tier to say.
std::optional<ir::Function> with_blocks_as_lanes(const ir::Function& kernel, unsigned lanes);

/// How many times as fast a kernel's threads are with blocks as lanes, by what its operations cost.
double gain_of_block_lanes(const ir::Function& kernel, const ir::Function& with_blocks_as_lanes,
                           unsigned lanes);

}  // namespace hetjit::host

// Kernels to which blocks of many shapes are one row of threads:
//
//   t = thread_idx.y * block_dim.x + thread_idx.x      # nothing is asked for but the rank
//   t = thread_idx.y                                   # or the index along another axis than x
//
// To the first a block of (8, 16) or (1, 128) is a row of 128 threads, and lanes are neighbours in
// it; so they are to the second along y.
#pragma once

#include "compiler/host/facts/flat_blocks.h"
#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Rewrites a kernel, with its calls taken in, so that its row lies along x, for blocks that are
/// given so (Entry::lay_blocks).
FlatBlocks flatten_blocks(ir::Function& kernel);

}  // namespace hetjit::host

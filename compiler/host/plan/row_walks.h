// Where vectors lose: threads that each walk along memory of their own (`a[i, k]` for k after k, i
// the thread's). Side by side they access a line each; one after another they read as memory lies,
// and LLVM may make vectors of their turns.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

struct WalkingRows {
  bool alike;      // the rows of the grid load the same in a loop, and do it once for several
  bool has_masks;  // of the CPU, for memory accesses
};

/// Why a kernel had better run thread by thread, by an estimate of what turns of its loops cost;
/// nullopt: not known to. `shapes`: of warps of `width` threads.
std::optional<std::string> why_threads_walk(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width, WalkingRows rows);

}  // namespace hetjit::host

// Turns of a loop that all threads of a block have.
//
//   for i in range(device.tid(1), n, device.grid_size(1)): total += x[i]
//
// Threads leave it at most a turn apart, so its warps cannot go through it in step (warp_order.h),
// and each by itself would read memory a launch apart.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// Puts before each loop that would be a sweep, if only all threads of a block left it together, a
/// copy of it that goes on while the block's last thread has a turn; the loop itself has what is
/// left. Only for long ways: what is near at hand is read faster by one warp after another.
/// False: there is no such loop, and nothing has changed.
bool part_turns(ir::Function& kernel, const Structure& structure);

/// The parameters that are arrays of which such loops read elements.
std::vector<uint32_t> arrays_of_turns(const ir::Function& kernel, const Structure& structure);

}  // namespace hetjit::host

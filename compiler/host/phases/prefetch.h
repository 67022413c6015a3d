// What a loop with barriers will read in its next turn.
#pragma once

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// A loop that brings a tile into shared memory, waits, and works on it: while it works, memory
/// could deliver the next tile, but the loads stand behind a barrier, and tiles of a matrix lie in
/// pages of their own, which the CPU does not run ahead through. So behind each load side by side
/// whose address moves with such a loop stands a prefetch of what it will read one turn later. The
/// same where warps go through a loop in step: `steps`, by block, as WaitRule has it, or empty.
void add_prefetches(ir::Function& kernel, const Structure& structure,
                    const std::vector<bool>& steps);

}  // namespace hetjit::host

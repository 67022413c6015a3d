// Warps whose code is one: each has gaps in which it waits for its own results, and the others fill
// them.
#pragma once

#include "compiler/host/facts/costs.h"
#include "compiler/host/plan/tier.h"

namespace hetjit::host {

struct SideBySide {
  unsigned warps = 1;
  const char* why = "";
};

/// How many warps of a row are one vector: several where lanes leave a loop at different times, a
/// loop's turns wait for those before, or there is much arithmetic for what is read and written; as
/// many as the registers, of so many bytes together, hold the loop's values of.
SideBySide warps_side_by_side(const ir::Function& kernel, const Structure& structure,
                              const Shapes& shapes, unsigned width, size_t register_bytes);

/// Bytes of the vectors that a turn of a loop hands to the next one, at most.
size_t carried_bytes(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
                     unsigned width);

/// Do warps above one another run side by side in this phase, where a row is one warp? If a loop
/// loads side by side in x what is the same for each y and z, they load it once.
bool rows_side_by_side(const ir::Module& module, const ByPhases& kernel, const ir::Function& phase);

/// Does any function ask for its thread's y or z, or say something to the host with its place?
bool asks_beyond_x(const ir::Module& module);

}  // namespace hetjit::host

// Loops that all warps of a block had better go through turn by turn.
#pragma once

#include "compiler/host/facts/roots.h"
#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// A loop that sweeps memory, each turn far from the one before, while the warps of a block read
/// side by side: with the warps inside of the turns, memory is read in its order. Only where little
/// is carried from turn to turn and little is computed, because what a warp carries then goes
/// through memory. `rows`: of lanes side by side, as they are in most warps if `likely`.
bool is_sweep(const ir::Function& kernel, const Structure& structure, const Shapes& rows,
              const Roots& roots, const Loop& loop, bool likely);

/// By block: does it lead back to the head of such a loop, which all threads of a block leave
/// together?
std::vector<bool> find_sweeps(const ir::Function& kernel, const Structure& structure);

}  // namespace hetjit::host

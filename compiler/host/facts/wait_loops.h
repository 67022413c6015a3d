// Loops in which a thread waits for what another one writes.
#pragma once

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// By block: does it lead back to the head of such a loop? A loop waits when whether it goes on
/// depends on what an atomic operation in it found. Not one that tries again to exchange a value
/// for one computed from it: there, whenever a thread fails, another has succeeded.
/// `looking`: functions, by number, of which a call may find what another thread wrote; empty:
/// none.
std::vector<bool> find_wait_loops(const ir::Function& function, const Structure& structure,
                                  const std::vector<bool>& looking = {});

}  // namespace hetjit::host

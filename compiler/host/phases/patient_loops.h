// Loops in which a thread looks some times in a row for what another one writes, before it lets
// others go on. Most that look so never wait: an insertion into a hash table, a union of two sets.
#pragma once

#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// `waits`: blocks that lead back to the head of a loop that waits (wait_loops.h), of a function
/// with this structure. Afterwards: the blocks behind which the thread lets others go on. It has
/// gone through kTurnsInARow turns then, and after that goes through one at a time.
void make_patient(ir::Function& function, const Structure& structure, std::vector<bool>& waits);

}  // namespace hetjit::host

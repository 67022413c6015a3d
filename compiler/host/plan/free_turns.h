// Turns of a shared-out loop (grid_turns.h) that any thread may have, in any order.
#pragma once

#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// The arrays that turns write, as parameters, if each turn has their elements to itself: wherever
/// one of them is accessed, its index along one axis is the turn's `counter`, a parameter of the
/// loop's header; or if all do no more to an array than add up, in any order. And turns do not ask
/// whose they are. Then all that orders them is memory that two arrays share. Else none.
std::vector<uint32_t> written_apart(const ir::Function& kernel, const Loop& loop, ValueId counter);

}  // namespace hetjit::host

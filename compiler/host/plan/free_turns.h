// Turns of a shared-out loop (grid_turns.h) that any thread may have, in any order.
#pragma once

#include <vector>

#include "compiler/host/facts/structure.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {

/// The arrays that turns write, as parameters, if each turn has their elements to itself: wherever
/// one of them is accessed, its index along one axis is the turn's `counter`, a parameter of the
/// loop's header; or if all do no more to an array than add up, in any order. And turns do not ask
/// whose they are. Then all that orders them is memory that two arrays share. Else none.
std::vector<uint32_t> written_apart(const ir::Function& kernel, const Loop& loop, ValueId counter);

/// What an integer was before conversions to others of 32 bits and more. Places and counts of
/// threads stay what they are in all of these, and so do counters of turns that are dealt out, of
/// which there are few enough (turns_entry.cpp asks).
ValueId number_behind(const ir::Function& kernel, const ir::Definitions& definitions, ValueId id);

}  // namespace hetjit::host

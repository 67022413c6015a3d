// Where the elements of arrays lie that each lane has one of.
#pragma once

#include <span>

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Lays local arrays of scalars element after element instead of lane after lane: all lanes' first
/// elements, then all their second ones. So what lanes do to the same element is a row of
/// neighbours. Left as they are: arrays of which something else than an element is used, or whose
/// elements' addresses go elsewhere than to loads and stores, in any of the functions, which share
/// the memory of `lanes` lanes.
void interleave_locals(std::span<ir::Function> functions, unsigned lanes);

/// The same for the shared arrays of a kernel of which each thread along x is to have its own ones
/// (plan/block_lanes.h). False: something else than elements is used, and nothing was done.
bool interleave_shared(ir::Function& kernel, unsigned lanes);

}  // namespace hetjit::host

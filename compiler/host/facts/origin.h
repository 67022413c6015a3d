// Where an address points to.
#pragma once

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// Is the address, or the array, in the block's shared memory?
bool is_shared(const Shapes& shapes, ValueId address);

}  // namespace hetjit::host

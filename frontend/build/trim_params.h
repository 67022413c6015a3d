// Private to frontend/build.
#pragma once

#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// Removes block parameters that are always the same value, and those whose value nothing uses;
/// then Undefined instructions that are left without a use. Parameters of the entry block stay.
void trim_params(ssa::Function& function);

/// Numbers the values in the order in which blocks and instructions define them.
void renumber(ssa::Function& function);

}  // namespace hetjit::reader

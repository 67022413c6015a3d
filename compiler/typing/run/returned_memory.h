// Functions that return a local array of their own.
#pragma once

#include "compiler/ir/ir.h"
#include "frontend/diag/diagnostic.h"

namespace hetjit::typing {

/// False, and E0324 told, where a function that calls itself, maybe by way of others, returns an
/// array that lies in memory of that call: its own local array, or one that a function it called
/// gave it. Functions that do not call themselves become part of their callers, and so does their
/// memory.
bool keeps_own_memory(const ir::Module& module, Diagnostics& diags);

}  // namespace hetjit::typing

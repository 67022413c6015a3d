// Reads bytecode into the untyped graph.
#pragma once

#include <optional>

#include "frontend/build/reading.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/snapshot/snapshot.h"
#include "frontend/ssa/function.h"

namespace hetjit {

/// One function. `source` is its index in its Program (spans carry it). nullopt: the user was told
/// why.
std::optional<ssa::Function> build(const Snapshot& snapshot, uint32_t source, Diagnostics& diags,
                                   const Reading& reading = {});

/// All functions of a program; those that cannot be read keep their diagnostics (ssa::Built).
ssa::Module build(std::shared_ptr<const Program> program);

}  // namespace hetjit

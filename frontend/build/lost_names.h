// Parameters' names that are bound anew for nothing. Private to frontend/build.
#pragma once

#include <span>
#include <vector>

#include "frontend/build/blocks.h"
#include "frontend/snapshot/snapshot.h"
#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// The assignments to names of parameters whose value no way from there reads, from none of their
/// copies in `blocks`, in the order of the code. Names that inner functions share, and those that a
/// comprehension lends, are left out.
std::vector<ssa::LostName> find_lost_names(const Snapshot& snapshot,
                                           const bytecode::Decoded& decoded,
                                           std::span<const Span> spans,
                                           const std::vector<CodeBlock>& blocks);

}  // namespace hetjit::reader

// Where vectors lose: threads that go different ways in a loop, each to places of its own, as in a
// search with a stack. A vector goes all the ways that some lane goes, and on each of them lanes
// access memory one by one.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// Why a kernel had better run thread by thread, by an estimate of what its blocks
/// cost; nullopt: not known to. `shapes`: of warps of `width` threads; `has_masks`:
/// the CPU has them for memory accesses.
std::optional<std::string> why_threads_part(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width, bool has_masks);

}  // namespace hetjit::host

// Host kernels whose threads go through a loop turn by turn. Private to compiler/host.
#pragma once

#include <string>

#include "compiler/host/entry/warp_functions.h"
#include "compiler/host/facts/known_extents.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) for a kernel that is one turn of a loop.
/// `extents`: of the launches that it is for.
llvm::Function* build_turns_entry(lower::ModuleLowering& module, const std::string& name,
                                  const GridTurns& turns, const WarpFunctions& warps,
                                  const KnownExtents& extents);

}  // namespace hetjit::host

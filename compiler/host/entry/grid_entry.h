// Host kernels whose threads see no blocks. Private to compiler/host.
#pragma once

#include <string>

#include "compiler/host/entry/warp_functions.h"
#include "compiler/host/facts/known_extents.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) that runs the kernel for as many threads as
/// its blocks have, though not those that stand in them: of all blocks together each thread once.
/// `extents`: of the launches that it is for.
llvm::Function* build_grid_entry(lower::ModuleLowering& module, const std::string& name,
                                 const GridRows& grid, const WarpFunctions& warps,
                                 const KnownExtents& extents);

}  // namespace hetjit::host

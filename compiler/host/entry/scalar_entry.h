// The plainest host kernel: one thread after another. Private to lower/ and host/.
#pragma once

#include <optional>
#include <string>

#include "compiler/host/entry/warp_functions.h"
#include "compiler/host/facts/known_extents.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) that runs functions[0] for every thread of its
/// blocks: a warp at a time where there is code for warps, else a thread at a time, x innermost, so
/// that LLVM may vectorise the loop. `extents`: of the launches that it is for; `apart`: in these
/// no array that is written shares memory with another one; `flat`: how blocks are rows.
llvm::Function* build_scalar_entry(lower::ModuleLowering& module, const std::string& name,
                                   const std::optional<WarpFunctions>& warps,
                                   const KnownExtents& extents, bool apart = false,
                                   const FlatBlocks& flat = {});

}  // namespace hetjit::host

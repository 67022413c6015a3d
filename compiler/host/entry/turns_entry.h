// Host kernels whose threads go through a loop turn by turn. Private to compiler/host.
#pragma once

#include <string>

#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/warp_functions.h"
#include "compiler/host/plan/grid_turns.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) for a kernel that is one turn of a loop.
/// `extents`: of the launches that it is for.
llvm::Function* build_turns_entry(lower::ModuleLowering& module, const std::string& name,
                                  const GridTurns& turns, const WarpFunctions& warps,
                                  const KnownExtents& extents);

/// All turns of all threads, u64; or more than are dealt out. The thread and the block at hand are
/// the first ones then.
llvm::Value* count_turns(Entry& at, const GridTurns& turns);

}  // namespace hetjit::host

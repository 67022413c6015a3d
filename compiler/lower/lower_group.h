// What the threads of a block and a warp share on GPUs. Private to lower/.
#pragma once

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// A variable in the block's shared memory, one per name.
llvm::GlobalVariable* shared_variable(ModuleLowering& module, const std::string& name,
                                      uint32_t bytes, uint32_t align);

/// lower_warp.cpp: mask of the lanes that are here and have a true condition, as wide as the warp.
llvm::Value* ballot(Lowering& at, llvm::Value* condition);
/// The thread's place in its warp.
llvm::Value* lane_index(Lowering& at);

}  // namespace hetjit::lower

// Loops of host kernels that ask whether the launch shall end (abi/host_calls.h).
#pragma once

#include <llvm/IR/Module.h>

namespace hetjit::target {

/// In a module with kAttentionSymbol, loops whose ends nobody knows look at it in each turn. Last
/// of all, so that nothing is optimised less for it.
void attend_in_endless_loops(llvm::Module& module);

/// Says that a loop need not look: it ends, which LLVM may not know, or asks by itself. `back`: the
/// branch to its next turn.
void mark_counted(llvm::Instruction& back);

}  // namespace hetjit::target

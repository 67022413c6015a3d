// Loops in which a thread waits for what another one writes, in LLVM's IR. Private to target/.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instruction.h>

namespace hetjit::target {

/// Whether leaving the loop depends on what an atomic operation in it found, so that a thread may
/// go round it until another has done something. Not one that tries again to exchange a value for
/// one computed from it, nor one that only counts: whenever a thread fails there, another has
/// succeeded.
bool is_wait_loop(const llvm::Loop& loop);

/// Whether it may be what another thread waits for: an atomic write, or a call.
bool may_release(const llvm::Instruction& instruction);

/// Whether threads of a wave must come to it together: barriers, exchanges between lanes, and calls
/// of functions with such.
bool is_together(const llvm::Instruction& instruction);

}  // namespace hetjit::target

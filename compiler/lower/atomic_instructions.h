// LLVM's instructions for atomic operations.
#pragma once

#include <llvm/IR/Instructions.h>

#include "abi/scalar.h"
#include "compiler/ir/ops_atomic.h"

namespace hetjit::lower {

/// Of integers, and of floats as far as they are exchanged.
llvm::AtomicRMWInst::BinOp instruction_of(ir::AtomicOperation operation, Scalar scalar);

}  // namespace hetjit::lower

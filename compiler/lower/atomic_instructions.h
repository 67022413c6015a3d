// LLVM's instructions for atomic operations.
#pragma once

#include <llvm/IR/Instructions.h>

#include "compiler/ir/ops_atomic.h"
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// Of integers, and of floats as far as they are exchanged.
llvm::AtomicRMWInst::BinOp instruction_of(ir::AtomicOperation operation, Scalar scalar);

/// Updates of one float, not exchanges, one after another and with nobody in between, as if `op`
/// were done with each of the operands whose i1 in `active` is set (empty: with all). There is no
/// result.
void update_in_order(Lowering& at, const ir::AtomicUpdate& op, Scalar scalar,
                     llvm::ArrayRef<llvm::Value*> operands, llvm::ArrayRef<llvm::Value*> active);

}  // namespace hetjit::lower

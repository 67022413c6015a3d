// Host kernels that put numbers together in copies of arrays. Private to compiler/host.
#pragma once

#include <string>

#include "compiler/host/plan/plan.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) that calls one of two entries of a kernel:
/// `own`, which may have copies of the arrays, or `any`.
llvm::Function* build_own_sums_entry(lower::ModuleLowering& module, const std::string& name,
                                     const OwnSums& sums, llvm::Function& own, llvm::Function& any);

}  // namespace hetjit::host

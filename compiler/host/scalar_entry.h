// The plainest host kernel: one thread after another. Private to lower/ and host/.
#pragma once

#include <string>

#include "compiler/lower/lowering.h"

namespace hetjit::host {

/// A function of type HostEntry (abi/kernel_image.h) that runs functions[0] for every thread of its
/// blocks; x is the innermost loop, so that LLVM may vectorise it.
llvm::Function* build_scalar_entry(lower::ModuleLowering& module, const std::string& name);

}  // namespace hetjit::host

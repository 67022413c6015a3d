// The entry round a kernel whose threads go through its phases together (Tier::Whole).
#pragma once

#include <string>

#include "compiler/host/entry/phase_functions.h"

namespace hetjit::host {

/// Builds `name`, of type HostEntry (abi/kernel_image.h).
llvm::Function* build_block_entry(PhasedCode& code, const std::string& name);

}  // namespace hetjit::host

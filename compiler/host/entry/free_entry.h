// The entry round a kernel whose warps or threads go through its phases each by itself.
#pragma once

#include <string>

#include "compiler/host/entry/phase_functions.h"

namespace hetjit::host {

/// Builds `name`, of type HostEntry (abi/kernel_image.h). For Tier::Threads it writes the phases
/// too, as functions of one thread.
llvm::Function* build_free_entry(PhasedCode& code, const std::string& name);

}  // namespace hetjit::host

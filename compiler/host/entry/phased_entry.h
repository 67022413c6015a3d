// Entries round kernels whose threads do something together.
#pragma once

#include <string>

#include "compiler/host/plan/tier.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

class HostOps;

/// Builds `name`, of type HostEntry (abi/kernel_image.h).
llvm::Function* build_phased_entry(lower::ModuleLowering& module, HostOps& device,
                                   const ByPhases& way, const std::string& name);

}  // namespace hetjit::host

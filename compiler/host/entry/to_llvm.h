// A module for the host: compiler/lower's functions, in forms and with an entry of the host's own.
#pragma once

#include "compiler/lower/lower.h"

namespace hetjit::host {

/// As lower::to_llvm; the entry has type HostEntry (abi/kernel_image.h).
LlvmModule to_llvm(const ir::Module& module, const std::string& name, target::Target& target,
                   const lower::Options& options = {});

}  // namespace hetjit::host

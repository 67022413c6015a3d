// Kernels that C++ launches.
#pragma once

#include "compiler/lower/lower.h"

namespace hetjit::lower {

/// As to_llvm, for a GPU; what it says is for C++ to record (interop_entry.h).
LlvmModule kernel_to_llvm_for_cxx(const ir::Module& module, const std::string& name,
                                  target::Target& target, const Options& options);

}  // namespace hetjit::lower

// A module for the host: compiler/lower's functions, in forms and with an entry of the host's own.
#pragma once

#include "compiler/host/plan/plan.h"
#include "compiler/lower/lower.h"

namespace hetjit::host {

/// As lower::to_llvm, by a plan of the same module that is not NotAlone; the entry has type
/// HostEntry (abi/kernel_image.h).
LlvmModule to_llvm(const ir::Module& module, const Plan& plan, const std::string& name,
                   target::Target& target, const lower::Options& options = {});

/// As lower::to_llvm_for_cxx, of a module in which no thread waits for another. Where a thread is
/// says a thread-local variable, `hetjit_place` (interop.hpp).
LlvmModule to_llvm_for_cxx(const ir::Module& module, const std::string& name,
                           target::Target& target, const lower::Options& options = {});

}  // namespace hetjit::host

// Typed IR to LLVM IR.
#pragma once

#include "abi/kernel_limits.h"
#include "compiler/ir/ir.h"
#include "compiler/target/llvm_module.h"
#include "compiler/target/target.h"

namespace hetjit::lower {

struct Options {
  bool fastmath = false;  // approximation and reassociation allowed; NaN and infinity still mean it
  bool debug = false;     // line tables: these files, and the spans' lines
  std::vector<std::string> source_paths;  // by Span::source
  KernelLimits limits;                    // of a GPU's kernel

  std::string path(uint32_t source) const {
    return source < source_paths.size() ? source_paths[source] : "";
  }
};

/// The whole module for a GPU; compiler/host/entry/to_llvm.h is the host's. The entry gets the
/// target's kernel convention and the symbol `name`. A functions[0] with a result gets one more
/// parameter, a pointer to which each thread stores it.
LlvmModule to_llvm(const ir::Module& module, const std::string& name, target::Target& target,
                   const Options& options = {});

/// The same for C++ that calls functions[0], which raises nothing, by way of `name`
/// (interop_entry.h).
LlvmModule to_llvm_for_cxx(const ir::Module& module, const std::string& name,
                           target::Target& target, const Options& options = {});

}  // namespace hetjit::lower

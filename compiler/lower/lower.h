// Typed IR to LLVM IR.
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/target/llvm_module.h"
#include "compiler/target/target.h"

namespace hetjit::lower {

struct Options {
  bool fastmath = false;  // approximation and reassociation allowed; NaN and infinity still mean it
  bool debug = false;     // line tables: `source_path` and the spans' lines
  std::string source_path;
  unsigned tier = 0;   // host: the least general host::Tier for kernels whose threads wait
  unsigned lanes = 0;  // host: threads in a vector, a power of two; 0: what suits the CPU; 1: none
};

/// The whole module for a GPU; compiler/host/entry/to_llvm.h is the host's. The entry gets the
/// target's kernel convention and the symbol `name`. A functions[0] with a result gets one more
/// parameter, a pointer to which each thread stores it.
LlvmModule to_llvm(const ir::Module& module, const std::string& name, target::Target& target,
                   const Options& options = {});

}  // namespace hetjit::lower

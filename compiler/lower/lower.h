// Typed IR to LLVM IR.
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/target/llvm_module.h"
#include "compiler/target/target.h"

namespace hetjit::lower {

/// The whole module. The entry gets the target's kernel convention and the symbol `name`; for the
/// host this goes through compiler/host, whose entry has type HostEntry (abi/kernel_image.h).
LlvmModule to_llvm(const ir::Module& module, const std::string& name, target::Target& target);

}  // namespace hetjit::lower

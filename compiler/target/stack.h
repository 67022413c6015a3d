// The stack that a GPU's thread needs for calls. Private to target/: it shows LLVM.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <string_view>

#include "compiler/target/target_impl.h"

namespace hetjit::target {

/// Bytes of stack that each function takes for itself, by its symbol.
using FrameSizes = std::map<std::string, uint32_t>;

/// Whether some function calls itself, maybe by way of others.
bool is_recursive(llvm::Module& module);

/// The stack that a thread needs, with kCallDepth calls at a time of the functions that call
/// themselves. The module is the one that code was made of.
uint32_t stack_bytes(llvm::Module& module, const FrameSizes& frames);

/// The frames of the functions of a PTX module: at most that much, whatever it is compiled to.
FrameSizes ptx_frames(std::string_view ptx);

/// codegen.cpp: machine code, and its frames.
std::string generate_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form,
                          FrameSizes& frames);

}  // namespace hetjit::target

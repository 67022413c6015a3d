// Files of code by others that a module needs beside itself: objects, libraries, bitcode. A module
// names them as clang does for `#pragma comment(lib, "…")`. Private to target/: it shows LLVM.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <string>
#include <vector>

#include "compiler/target/target_impl.h"

namespace hetjit::target {

void need_file(llvm::Module& module, const std::string& path);
std::vector<std::string> files_needed(const llvm::Module& module);

/// The same of an object of the host's: what LLVM made of that.
std::vector<std::string> files_needed(llvm::MemoryBufferRef object);

/// Takes in the bitcode among them; that for other targets is left out. Errors: Invalid when a file
/// cannot be read.
Status take_bitcode(llvm::Module& module, const Target& target);

/// external_cuda.cpp: compiles what a module names of C++ for NVRTC. Errors: Unavailable.
Status compile_cuda_texts(llvm::Module& module, const Target& target);
/// The same: the module's PTX with what came of that.
std::string with_cuda_texts(const llvm::Module& module, std::string ptx);

}  // namespace hetjit::target

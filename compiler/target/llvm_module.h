// Owns an LLVM context and module, so that no one above needs LLVM headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "abi/messages.h"
#include "compiler/ir/ir.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace hetjit {

class LlvmModule {
 public:
  LlvmModule();
  ~LlvmModule();
  LlvmModule(LlvmModule&&) noexcept;
  LlvmModule& operator=(LlvmModule&&) noexcept;

  llvm::LLVMContext& context() { return *context_; }
  llvm::Module& module() { return *module_; }
  std::string to_text() const;  // LLVM assembly
  std::string faults() const;   // what its verifier says; empty: nothing
  /// Leaks both: after LLVM failed in their midst they cannot be destroyed safely.
  void abandon();

  std::string entry;  // symbol of the kernel
  uint32_t parameter_bytes = 0;
  Sites sites;                          // what the code may raise or print
  std::vector<ir::External> externals;  // what it calls of C++

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

}  // namespace hetjit

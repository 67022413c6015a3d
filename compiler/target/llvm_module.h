// Owns an LLVM context and module, so that no one above needs LLVM headers.
#pragma once

#include <memory>
#include <string>

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

  std::string entry;  // symbol of the kernel
  uint32_t parameter_bytes = 0;

 private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

}  // namespace hetjit

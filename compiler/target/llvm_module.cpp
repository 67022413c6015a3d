#include "compiler/target/llvm_module.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace hetjit {

LlvmModule::LlvmModule()
    : context_(std::make_unique<llvm::LLVMContext>()),
      module_(std::make_unique<llvm::Module>("hetjit", *context_)) {
  context_->setDiscardValueNames(false);
}
LlvmModule::~LlvmModule() = default;
LlvmModule::LlvmModule(LlvmModule&&) noexcept = default;

LlvmModule& LlvmModule::operator=(LlvmModule&& other) noexcept {
  module_ = std::move(other.module_);  // before its context
  context_ = std::move(other.context_);
  entry = std::move(other.entry);
  parameter_bytes = other.parameter_bytes;
  sites = std::move(other.sites);
  externals = std::move(other.externals);
  return *this;
}

void LlvmModule::abandon() {
  (void)module_.release();
  (void)context_.release();
}

std::string LlvmModule::faults() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::verifyModule(*module_, &stream);
  return text;
}

std::string LlvmModule::to_text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module_->print(stream, nullptr);
  return text;
}

}  // namespace hetjit

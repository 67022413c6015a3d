// What HETJIT_VERIFY asks of the code that was made.
#include "compiler/target/llvm_module.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace hetjit {
namespace {

llvm::IRBuilder<> function_in(LlvmModule& module) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.context()), false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module.module());
  return llvm::IRBuilder<>(llvm::BasicBlock::Create(module.context(), "entry", function));
}

TEST(LlvmModuleFaults, AreNoneOfWhatIsWhole) {
  LlvmModule module;
  EXPECT_EQ(module.faults(), "");
  function_in(module).CreateRetVoid();
  EXPECT_EQ(module.faults(), "");
}

TEST(LlvmModuleFaults, AreSaidInTheVerifiersWords) {
  LlvmModule module;
  (void)function_in(module);
  EXPECT_NE(module.faults().find("terminator"), std::string::npos) << module.faults();
}

}  // namespace
}  // namespace hetjit

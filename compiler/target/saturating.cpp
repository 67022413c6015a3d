// Saturating conversions as GPUs' own instructions.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

/// May instruction selection find that a float is a signed integer's?
bool may_be_of_an_integer(const llvm::Value* from) {
  const auto* made = llvm::dyn_cast<llvm::Instruction>(from);
  return made && !llvm::isa<llvm::LoadInst, llvm::CallBase, llvm::BinaryOperator, llvm::UIToFPInst,
                            llvm::ExtractElementInst>(made);
}

}  // namespace

void use_saturating_instructions(llvm::Module& module, HideSource hide) {
  namespace Intrinsic = llvm::Intrinsic;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call) continue;
      bool is_signed = call->getIntrinsicID() == Intrinsic::fptosi_sat;
      if (!is_signed && call->getIntrinsicID() != Intrinsic::fptoui_sat) continue;
      llvm::Value* from = call->getArgOperand(0);
      if (!call->getType()->isIntegerTy(32) || !from->getType()->isFloatTy()) continue;
      if (!is_signed && hide == HideSource::Cannot && may_be_of_an_integer(from)) continue;
      llvm::IRBuilder<> build(call);
      if (!is_signed && hide == HideSource::ByFence)
        from = build.CreateArithmeticFence(from, from->getType());
      llvm::Value* plain = is_signed ? build.CreateFPToSI(from, call->getType())
                                     : build.CreateFPToUI(from, call->getType());
      call->replaceAllUsesWith(build.CreateFreeze(plain));
      call->eraseFromParent();
    }
}

}  // namespace hetjit::target

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <vector>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

/// Divides by 1 where the machine would stop, and takes the other result there.
void replace(llvm::Instruction& division) {
  llvm::IRBuilder<> build(&division);
  llvm::Type* type = division.getType();
  llvm::Value *a = division.getOperand(0), *b = division.getOperand(1);
  llvm::Constant *zero = llvm::Constant::getNullValue(type), *one = llvm::ConstantInt::get(type, 1);
  const unsigned opcode = division.getOpcode();
  llvm::Value* by_zero = build.CreateICmpEQ(b, zero);
  llvm::Value* unsafe = by_zero;
  if (opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem) {
    llvm::Constant* least =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    llvm::Value* overflows = build.CreateAnd(
        build.CreateICmpEQ(a, least), build.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type)));
    unsafe = build.CreateOr(by_zero, overflows);
  }
  division.setOperand(1, build.CreateSelect(unsafe, one, b));
  if (opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::URem) return;
  build.SetInsertPoint(division.getNextNode());
  llvm::Value* result = build.CreateSelect(by_zero, zero, &division);
  division.replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != result; });
}

}  // namespace

void divide_without_traps(llvm::Module& module) {
  std::vector<llvm::Instruction*> divisions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& inst : llvm::instructions(function))
      if (inst.isIntDivRem()) divisions.push_back(&inst);
  for (llvm::Instruction* division : divisions) replace(*division);
}

}  // namespace hetjit::target

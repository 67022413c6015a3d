// A CPU divides integers one by one. Quotients of floats are exact where the integers are: a / b is
// no whole number, or it is at least 1 / b below the next one, and the float's error is less than
// that while a has no more bits than the float's fraction.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

constexpr unsigned kFractionOfFloat = 24, kFractionOfDouble = 53;

struct Division {
  llvm::BinaryOperator* inst;
  bool is_signed, is_remainder;

  explicit Division(llvm::BinaryOperator& it)
      : inst(&it),
        is_signed(it.getOpcode() == llvm::Instruction::SDiv ||
                  it.getOpcode() == llvm::Instruction::SRem),
        is_remainder(it.getOpcode() == llvm::Instruction::SRem ||
                     it.getOpcode() == llvm::Instruction::URem) {}
  llvm::Value* dividend() const { return inst->getOperand(0); }
  llvm::Value* divisor() const { return inst->getOperand(1); }
  unsigned bits() const { return inst->getType()->getScalarSizeInBits(); }

  llvm::Value* quotient(llvm::IRBuilder<>& build) const {
    auto* integers = llvm::cast<llvm::VectorType>(inst->getType());
    llvm::Type* one = bits() <= kFractionOfFloat ? build.getFloatTy() : build.getDoubleTy();
    auto* floats = llvm::VectorType::get(one, integers->getElementCount());
    // Of integers that are less than half of their range the sign is known.
    const bool with_sign = is_signed || bits() > kFractionOfDouble;
    auto to_float = [&](llvm::Value* value) {
      return with_sign ? build.CreateSIToFP(value, floats) : build.CreateUIToFP(value, floats);
    };
    llvm::Value* whole = build.CreateFDiv(to_float(dividend()), to_float(divisor()));
    return with_sign ? build.CreateFPToSI(whole, integers) : build.CreateFPToUI(whole, integers);
  }
  llvm::Value* by_floats(llvm::IRBuilder<>& build) const {
    llvm::Value* found = quotient(build);
    if (!is_remainder) return found;
    return build.CreateSub(dividend(), build.CreateMul(found, divisor()));
  }
  /// Are all lanes' numbers so small?
  llvm::Value* fits(llvm::IRBuilder<>& build) const {
    auto number = [&](unsigned bit) {
      return llvm::ConstantInt::get(inst->getType(), uint64_t{1} << bit);
    };
    auto is_small = [&](llvm::Value* value) {
      if (is_signed) value = build.CreateAdd(value, number(kFractionOfDouble - 1));
      return build.CreateICmpULT(value, number(kFractionOfDouble));
    };
    return build.CreateAndReduce(build.CreateAnd(is_small(dividend()), is_small(divisor())));
  }
};

void replace(const Division& division) {
  llvm::IRBuilder<> build(division.inst);
  if (division.bits() <= kFractionOfDouble) {
    division.inst->replaceAllUsesWith(division.by_floats(build));
    division.inst->eraseFromParent();
    return;
  }
  llvm::MDNode* often = llvm::MDBuilder(build.getContext()).createLikelyBranchWeights();
  llvm::Instruction *small = nullptr, *large = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(build.CreateFreeze(division.fits(build)), division.inst,
                                      &small, &large, often);
  build.SetInsertPoint(small);
  llvm::Value* found = division.by_floats(build);
  build.SetInsertPoint(division.inst);
  llvm::PHINode* either = build.CreatePHI(division.inst->getType(), 2);
  division.inst->replaceAllUsesWith(either);
  division.inst->moveBefore(large->getIterator());
  either->addIncoming(found, small->getParent());
  either->addIncoming(division.inst, large->getParent());
}

}  // namespace

void divide_vectors_as_floats(llvm::Module& module) {
  std::vector<Division> divisions;
  for (llvm::Function& function : module)
    for (llvm::Instruction& inst : llvm::instructions(function))
      if (inst.isIntDivRem() && llvm::isa<llvm::FixedVectorType>(inst.getType()) &&
          inst.getType()->getScalarSizeInBits() <= 64 &&
          !llvm::isa<llvm::Constant>(inst.getOperand(1)))
        divisions.emplace_back(llvm::cast<llvm::BinaryOperator>(inst));
  for (const Division& division : divisions) replace(division);
}

}  // namespace hetjit::target

// A CPU divides integers one by one. Quotients of floats are exact where the integers are: a / b is
// no whole number, or it is at least 1 / b below the next one, and the float's error is less than
// that while a has no more bits than the float's fraction.
//
// By a number that is the same for all lanes they are products: of a and the float r that is next
// to 1 / b away from zero. r is beyond 1 / b, so a * r is not below a whole a / b; and it is beyond
// by at most 1.5 of its last place, which brings no a / b to the next whole number while a + b has
// two bits less than the fraction. The one division stands where b is made, outside of loops.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

constexpr unsigned kFractionOfFloat = 24, kFractionOfDouble = 53;
constexpr int kDeepest = 6;  // operations on numbers that are the same for all lanes

/// Are all lanes' numbers the same? LLVM's isSplatValue gives up at comparisons.
bool is_one_number(const llvm::Value* value, int depth = 0) {
  if (llvm::isSplatValue(value)) return true;
  const auto* inst = llvm::dyn_cast<llvm::Instruction>(value);
  if (!inst || depth == kDeepest) return false;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(inst);
  const bool by_lanes = llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::BinaryOperator,
                                  llvm::CastInst, llvm::FreezeInst>(inst) ||
                        (call && llvm::isTriviallyVectorizable(call->getIntrinsicID()));
  const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return by_lanes && lanes && llvm::all_of(inst->operands(), [&](const llvm::Use& operand) {
           const auto* from = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
           const bool is_callee = call && operand.get() == call->getCalledOperand();
           if (!from) return is_callee || llvm::isa<llvm::SelectInst>(inst);
           return from->getNumElements() == lanes->getNumElements() &&
                  is_one_number(operand, depth + 1);
         });
}

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

  bool is_narrow() const { return bits() <= kFractionOfFloat; }
  llvm::Type* floats() const {
    llvm::LLVMContext& context = inst->getContext();
    return llvm::VectorType::get(
        is_narrow() ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context),
        llvm::cast<llvm::VectorType>(inst->getType())->getElementCount());
  }
  // Of integers that are less than half of their range the sign is known.
  bool has_sign() const { return is_signed || bits() > kFractionOfDouble; }
  llvm::Value* to_floats(llvm::IRBuilder<>& build, llvm::Value* value) const {
    return has_sign() ? build.CreateSIToFP(value, floats()) : build.CreateUIToFP(value, floats());
  }
  llvm::Value* quotient(llvm::IRBuilder<>& build) const {
    llvm::Value* dividends = to_floats(build, dividend());
    llvm::Value* whole = by_one_number() ? build.CreateFMul(dividends, reciprocal())
                                         : build.CreateFDiv(dividends, to_floats(build, divisor()));
    return has_sign() ? build.CreateFPToSI(whole, inst->getType())
                      : build.CreateFPToUI(whole, inst->getType());
  }
  bool by_one_number() const {
    const unsigned fraction = is_narrow() ? kFractionOfFloat : kFractionOfDouble;
    return bits() + 3 <= fraction && is_one_number(divisor());
  }
  /// The float next to 1 / divisor away from zero.
  llvm::Value* reciprocal() const {
    llvm::IRBuilder<> build(inst);
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(divisor()))
      build.SetInsertPoint(*made->getInsertionPointAfterDef());
    else
      build.SetInsertPointPastAllocas(inst->getFunction());
    llvm::Value* one = llvm::ConstantFP::get(floats(), 1.0);
    llvm::Value* near = build.CreateFDiv(one, to_floats(build, divisor()));
    llvm::Type* words = inst->getType()->getWithNewBitWidth(is_narrow() ? 32 : 64);
    llvm::Value* next =
        build.CreateAdd(build.CreateBitCast(near, words), llvm::ConstantInt::get(words, 1));
    return build.CreateBitCast(next, floats());
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

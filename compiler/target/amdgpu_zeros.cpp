// 0.0 - x. It is -x but for zeros: 0.0 - 0.0 is 0.0. LLVM's back end for AMD takes it for -x where
// an instruction can negate what it reads (docs/llvm_faults.md), and also what its DAG makes a
// difference of: -x + 0.0, fma(x, -1.0, 0.0). The form of a difference that may ask for a rounding
// mode is left as it is.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Value;
namespace match = llvm::PatternMatch;

/// x, of a difference 0.0 - x in any form; null for others.
Value* taken_from_zero(llvm::Instruction& instruction) {
  Value* x = nullptr;
  const auto* number = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  if (!number || number->hasNoSignedZeros()) return nullptr;
  const auto zero = match::m_PosZeroFP();
  const auto minus_one = match::m_SpecificFP(-1.0);
  if (match::match(&instruction, match::m_FSub(zero, match::m_Value(x)))) return x;
  if (match::match(&instruction, match::m_c_FAdd(match::m_FNeg(match::m_Value(x)), zero))) return x;
  if (match::match(&instruction, match::m_Intrinsic<llvm::Intrinsic::fma>(match::m_Value(x),
                                                                         minus_one, zero)))
    return x;
  return nullptr;
}

void write_difference(llvm::Instruction& instruction, Value* x) {
  llvm::IRBuilder<> build(&instruction);
  Value* zero = llvm::ConstantFP::getZero(instruction.getType());
  instruction.replaceAllUsesWith(build.CreateConstrainedFPBinOp(
      llvm::Intrinsic::experimental_constrained_fsub, zero, x, {}, "", nullptr,
      llvm::RoundingMode::NearestTiesToEven, llvm::fp::ebIgnore));
  instruction.eraseFromParent();
}

}  // namespace

void keep_differences_from_zero(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (Value* x = taken_from_zero(instruction)) write_difference(instruction, x);
}

}  // namespace hetjit::target

// Shifts by counts of 64 bits. PTX shifts by 32 bits of a count and gives 0 (or the sign) from the
// width on, so LLVM's back end drops the comparison that guards a shift; LLVM 22.1 does so after it
// has cut the count to 32 bits, too, and a shift by 2**32 is one by 0 (docs/llvm_faults.md). Here
// such a count is made small before it is cut: the guard then asks what the shift shifts by.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Value;

struct GuardedShift {
  llvm::BinaryOperator* shift;
  Value* count;  // as the guard sees it: maybe of more bits than the shift
};

/// `count < width ? shift : 0`, either way round.
std::optional<GuardedShift> guarded_shift(llvm::SelectInst& select) {
  namespace match = llvm::PatternMatch;
  Value *yes = select.getTrueValue(), *no = select.getFalseValue(), *count = nullptr;
  const unsigned width = select.getType()->getScalarSizeInBits();
  const bool below = match::match(
      select.getCondition(), match::m_SpecificICmp(llvm::ICmpInst::ICMP_ULT, match::m_Value(count),
                                                   match::m_SpecificInt(width)));
  const bool above =
      !below && match::match(select.getCondition(),
                             match::m_SpecificICmp(llvm::ICmpInst::ICMP_UGT, match::m_Value(count),
                                                   match::m_SpecificInt(width - 1)));
  if (above) std::swap(yes, no);
  if ((!below && !above) || !match::match(no, match::m_Zero())) return std::nullopt;
  auto* shift = llvm::dyn_cast<llvm::BinaryOperator>(yes);
  if (!shift || !shift->isLogicalShift()) return std::nullopt;
  if (!match::match(shift->getOperand(1), match::m_TruncOrSelf(match::m_Specific(count))))
    return std::nullopt;
  return GuardedShift{shift, count};
}

bool fits_32_bits(const Value* count, const llvm::DataLayout& layout) {
  const unsigned bits = count->getType()->getIntegerBitWidth();
  return bits <= 32 || llvm::computeKnownBits(count, layout).countMinLeadingZeros() >= bits - 32;
}

void write_with_small_count(llvm::SelectInst& select, const GuardedShift& it) {
  llvm::IRBuilder<> build(&select);
  const unsigned width = select.getType()->getIntegerBitWidth();
  Value* most = llvm::ConstantInt::get(it.count->getType(), width);
  Value* least = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, it.count, most);
  Value* small = build.CreateTrunc(least, build.getInt32Ty());
  Value* fits = build.CreateICmpULT(small, build.getInt32(width));
  Value* amount = build.CreateZExtOrTrunc(small, select.getType());
  Value* shifted = build.CreateBinOp(it.shift->getOpcode(), it.shift->getOperand(0), amount);
  Value* zero = llvm::Constant::getNullValue(select.getType());
  select.replaceAllUsesWith(build.CreateSelect(fits, shifted, zero));
  select.eraseFromParent();
}

}  // namespace

void write_ptx_shifts(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (!select || !select->getType()->isIntegerTy()) continue;
      std::optional<GuardedShift> shift = guarded_shift(*select);
      if (shift && !fits_32_bits(shift->count, module.getDataLayout()))
        write_with_small_count(*select, *shift);
    }
}

}  // namespace hetjit::target

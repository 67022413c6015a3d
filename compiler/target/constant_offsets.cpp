// Of an address that is base + (x + c) * size, the constant becomes an offset of the address, which
// instructions of GPUs add for nothing; base + x * size is shared by neighbours then. LLVM does so
// with indices of elements, but not with bytes, and bytes it shares better.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Value;

// No product of the two is near what an offset may be.
constexpr uint64_t kMostConstant = 1u << 20, kMostSizeBits = 16;

/// (x + constant) * size in 64 bits, of a sum in fewer that does not wrap.
struct Scaled {
  Value* x;
  llvm::ZExtInst* widened;
  uint64_t constant, size = 1;
};

std::optional<Scaled> scaled_sum(Value* index) {
  using namespace llvm::PatternMatch;
  Scaled found{};
  uint64_t number = 0;
  Value* wide = index;
  if (match(index, m_Shl(m_Value(wide), m_ConstantInt(number)))) {
    if (number > kMostSizeBits) return std::nullopt;
    found.size = uint64_t{1} << number;
  } else if (match(index, m_Mul(m_Value(wide), m_ConstantInt(number)))) {
    if (number > uint64_t{1} << kMostSizeBits) return std::nullopt;
    found.size = number;
  }
  found.widened = llvm::dyn_cast<llvm::ZExtInst>(wide);
  if (!found.widened) return std::nullopt;
  Value* sum = found.widened->getOperand(0);
  if (!match(sum, m_NUWAddLike(m_Value(found.x), m_ConstantInt(found.constant))))
    return std::nullopt;
  return found.constant <= kMostConstant ? std::optional(found) : std::nullopt;
}

void take_out_constant(llvm::GetElementPtrInst& address, const Scaled& index) {
  llvm::IRBuilder<> build(&address);
  Value* x = build.CreateZExt(index.x, build.getInt64Ty(), "", index.widened->hasNonNeg());
  Value* bytes = llvm::isPowerOf2_64(index.size)
                     ? build.CreateShl(x, llvm::Log2_64(index.size), "", true, true)
                     : build.CreateMul(x, build.getInt64(index.size), "", true, true);
  Value* shared = build.CreateGEP(build.getInt8Ty(), address.getPointerOperand(), bytes);
  Value* moved = build.CreateGEP(build.getInt8Ty(), shared,
                                 build.getInt64(index.constant * index.size), address.getName());
  address.replaceAllUsesWith(moved);
  address.eraseFromParent();
}

}  // namespace

bool take_out_constants(llvm::Module& module) {
  bool changed = false;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        if (!address || address->getNumIndices() != 1) continue;
        if (!address->getSourceElementType()->isIntegerTy(8)) continue;
        if (!address->getOperand(1)->getType()->isIntegerTy(64)) continue;
        std::optional<Scaled> index = scaled_sum(address->getOperand(1));
        if (!index) continue;
        take_out_constant(*address, *index);
        changed = true;
      }
  return changed;
}

}  // namespace hetjit::target

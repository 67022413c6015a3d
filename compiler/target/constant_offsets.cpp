// Of an address that is base + (x + c) * size, the constant becomes an offset of the address, which
// instructions of GPUs add for nothing; base + x * size is shared by neighbours then: also where
// the constant stands deeper, as in (row + 1) * 18 + column. LLVM does so with indices of elements,
// but not with bytes, and bytes it shares better.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/target/limits.h"
#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Value;

constexpr int64_t kTooMuch = kFarthestOffset + 1;

/// x * size in 64 bits, of an x that is a widened sum.
struct Scaled {
  Value* x;
  llvm::ZExtInst* widened;
  uint64_t size = 1;
};

bool is_sum(Value* value, Value*& a, Value*& b) {
  return match(value, llvm::PatternMatch::m_NUWAddLike(llvm::PatternMatch::m_Value(a),
                                                       llvm::PatternMatch::m_Value(b)));
}

/// x * factor that does not wrap.
bool is_multiple(Value* value, Value*& x, uint64_t& factor) {
  using namespace llvm::PatternMatch;
  if (match(value, m_NUWMul(m_Value(x), m_ConstantInt(factor))))
    return factor <= uint64_t{1} << kOffsetSizeBits;
  if (!match(value, m_NUWShl(m_Value(x), m_ConstantInt(factor))) || factor > kOffsetSizeBits)
    return false;
  factor = uint64_t{1} << factor;
  return true;
}

/// x less a constant.
bool is_difference(Value* value, Value*& x, int64_t& constant) {
  const llvm::APInt* number = nullptr;
  using namespace llvm::PatternMatch;
  if (!match(value, m_NSWAdd(m_Value(x), m_APInt(number))) || !number->isNegative()) return false;
  constant = std::max(number->getSExtValue(), -kTooMuch);
  return true;
}

/// Sums and multiples of sums that do not wrap, and what constants add to them.
struct Constants {
  bool of_index;  // the whole is not negative, so no part is

  /// Their sum in the value, or kTooMuch.
  int64_t in(Value* value, int depth = 0) const {
    uint64_t number = 0;
    int64_t less = 0;
    Value *a = nullptr, *b = nullptr;
    if (match(value, llvm::PatternMatch::m_ConstantInt(number)))
      return number <= uint64_t{kFarthestOffset} ? static_cast<int64_t>(number) : kTooMuch;
    if (depth > kOffsetDepth) return 0;
    auto all = [](int64_t sum) { return std::abs(sum) > kFarthestOffset ? kTooMuch : sum; };
    if (is_sum(value, a, b)) {
      const int64_t one = in(a, depth + 1), other = in(b, depth + 1);
      return one == kTooMuch || other == kTooMuch ? kTooMuch : all(one + other);
    }
    if (is_multiple(value, a, number)) {
      const int64_t one = in(a, depth + 1);
      return one == kTooMuch ? kTooMuch : all(one * static_cast<int64_t>(number));
    }
    return of_index && is_difference(value, a, less) ? all(less) : 0;
  }

  /// The value without them; null: nothing is left.
  Value* without(llvm::IRBuilder<>& build, Value* value, int depth = 0) const {
    if (llvm::isa<llvm::ConstantInt>(value)) return nullptr;
    Value *a = nullptr, *b = nullptr;
    uint64_t factor = 0;
    int64_t less = 0;
    if (depth > kOffsetDepth) return value;
    if (is_sum(value, a, b)) {
      Value *one = without(build, a, depth + 1), *other = without(build, b, depth + 1);
      if (one == a && other == b) return value;
      return one && other ? build.CreateAdd(one, other, "", /*HasNUW=*/true) : one ? one : other;
    }
    if (is_multiple(value, a, factor)) {
      Value* one = without(build, a, depth + 1);
      if (one == a || !one) return one ? value : nullptr;
      return build.CreateMul(one, llvm::ConstantInt::get(one->getType(), factor), "", true);
    }
    return of_index && is_difference(value, a, less) ? a : value;
  }
};

std::optional<Scaled> scaled_sum(Value* index) {
  using namespace llvm::PatternMatch;
  Scaled found{};
  uint64_t number = 0;
  Value* wide = index;
  if (match(index, m_Shl(m_Value(wide), m_ConstantInt(number)))) {
    if (number > kOffsetSizeBits) return std::nullopt;
    found.size = uint64_t{1} << number;
  } else if (match(index, m_Mul(m_Value(wide), m_ConstantInt(number)))) {
    if (number > uint64_t{1} << kOffsetSizeBits) return std::nullopt;
    found.size = number;
  }
  found.widened = llvm::dyn_cast<llvm::ZExtInst>(wide);
  if (!found.widened) return std::nullopt;
  found.x = found.widened->getOperand(0);
  return found;
}

void take_out(llvm::GetElementPtrInst& address, const Scaled& index, int64_t constant) {
  llvm::IRBuilder<> build(&address);
  const bool is_index = index.widened->hasNonNeg();
  Value* rest = Constants{is_index}.without(build, index.x);
  Value* x = build.CreateZExt(rest, build.getInt64Ty(), "", is_index && constant > 0);
  Value* bytes = llvm::isPowerOf2_64(index.size)
                     ? build.CreateShl(x, llvm::Log2_64(index.size), "", true, true)
                     : build.CreateMul(x, build.getInt64(index.size), "", true, true);
  Value* shared = build.CreateGEP(build.getInt8Ty(), address.getPointerOperand(), bytes);
  Value* moved = build.CreateGEP(build.getInt8Ty(), shared, build.getInt64(constant * index.size),
                                 address.getName());
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
        if (!index || llvm::isa<llvm::Constant>(index->x)) continue;
        const int64_t constant = Constants{index->widened->hasNonNeg()}.in(index->x);
        if (constant == 0 || constant == kTooMuch) continue;
        take_out(*address, *index, constant);
        changed = true;
      }
  return changed;
}

}  // namespace hetjit::target

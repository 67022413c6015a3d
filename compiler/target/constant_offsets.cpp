// Of an address that is base + (x + c) * size, the constant becomes an offset of the address, which
// instructions of GPUs add for nothing; base + x * size is shared by neighbours then: also where
// the constant stands deeper, as in (row + 1) * 18 + column. LLVM does so with indices of elements,
// but not with bytes, and bytes it shares better.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/target/limits.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/words.h"

namespace hetjit::target {
namespace {

using llvm::Value;

constexpr int64_t kTooMuch = kFarthestOffset + 1;
constexpr const char* kWordMark = "hetjit.word";

/// x * size, of a sum x: widened before it is multiplied, or after, as a word.
struct Scaled {
  Value* x;
  bool of_index;  // x is no negative number
  uint64_t size = 1;
  std::optional<int64_t> room;  // of a word: by how much it could be more
};

bool is_sum(Value* value, Value*& a, Value*& b) {
  return match(value, llvm::PatternMatch::m_NUWAddLike(llvm::PatternMatch::m_Value(a),
                                                       llvm::PatternMatch::m_Value(b)));
}

/// x * factor that does not wrap.
struct Multiple {
  Value* x;
  uint64_t factor;
};
std::optional<Multiple> as_multiple(Value* value) {
  using namespace llvm::PatternMatch;
  Value* x = nullptr;
  uint64_t number = 0;
  if (match(value, m_NUWMul(m_Value(x), m_ConstantInt(number)))) {
    if (number > uint64_t{1} << kOffsetSizeBits) return std::nullopt;
    return Multiple{x, number};
  }
  if (!match(value, m_NUWShl(m_Value(x), m_ConstantInt(number))) || number > kOffsetSizeBits)
    return std::nullopt;
  return Multiple{x, uint64_t{1} << number};
}

/// x less a constant.
bool is_difference(Value* value, Value*& x, int64_t& constant) {
  const llvm::APInt* number = nullptr;
  using namespace llvm::PatternMatch;
  if (match(value, m_NSWSub(m_Value(x), m_APInt(number))) && number->isStrictlyPositive())
    constant = -number->getSExtValue();
  else if (match(value, m_NSWAdd(m_Value(x), m_APInt(number))) && number->isNegative())
    constant = number->getSExtValue();
  else
    return false;
  constant = std::max(constant, -kTooMuch);
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
    if (const std::optional<Multiple> multiple = as_multiple(value)) {
      const int64_t one = in(multiple->x, depth + 1);
      return one == kTooMuch ? kTooMuch : all(one * static_cast<int64_t>(multiple->factor));
    }
    return of_index && is_difference(value, a, less) ? all(less) : 0;
  }

  /// The value without them; null: nothing is left.
  Value* without(llvm::IRBuilder<>& build, Value* value, int depth = 0) const {
    if (llvm::isa<llvm::ConstantInt>(value)) return nullptr;
    Value *a = nullptr, *b = nullptr;
    int64_t less = 0;
    if (depth > kOffsetDepth) return value;
    if (is_sum(value, a, b)) {
      Value *one = without(build, a, depth + 1), *other = without(build, b, depth + 1);
      if (one == a && other == b) return value;
      return one && other ? build.CreateAdd(one, other, "", /*HasNUW=*/true) : one ? one : other;
    }
    if (const std::optional<Multiple> multiple = as_multiple(value)) {
      Value* one = without(build, multiple->x, depth + 1);
      if (one == multiple->x || !one) return one ? value : nullptr;
      return build.CreateMul(one, llvm::ConstantInt::get(one->getType(), multiple->factor), "",
                             true);
    }
    return of_index && is_difference(value, a, less) ? a : value;
  }
};

std::optional<int64_t> room_of_word(const llvm::ZExtInst& widened) {
  const llvm::MDNode* mark = widened.getMetadata(kWordMark);
  if (!mark) return std::nullopt;
  return llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getSExtValue();
}

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
  auto* widened = llvm::dyn_cast<llvm::ZExtInst>(wide);
  if (!widened) return std::nullopt;
  found.x = widened->getOperand(0);
  found.of_index = widened->hasNonNeg();
  const std::optional<int64_t> room = room_of_word(*widened);
  if (!room || found.size != 1) return found;
  const std::optional<Multiple> word = as_multiple(found.x);
  return word && word->factor > 1 ? Scaled{word->x, /*of_index=*/true, word->factor, room} : found;
}

/// May `constant` be taken out of x? What is left must be a word, too.
bool can_take_out(const Scaled& index, int64_t constant) {
  if (constant == 0 || constant == kTooMuch) return false;
  return !index.room || constant * static_cast<int64_t>(index.size) >= -*index.room;
}

Value* times(llvm::IRBuilder<>& build, Value* x, uint64_t size, bool is_signed) {
  return llvm::isPowerOf2_64(size)
             ? build.CreateShl(x, llvm::Log2_64(size), "", true, is_signed)
             : build.CreateMul(x, llvm::ConstantInt::get(x->getType(), size), "", true, is_signed);
}

void take_out(llvm::GetElementPtrInst& address, const Scaled& index, int64_t constant) {
  llvm::IRBuilder<> build(&address);
  Value* rest = Constants{index.of_index}.without(build, index.x);
  // A sum of constants that no pass has added yet.
  if (!rest) rest = llvm::ConstantInt::get(index.x->getType(), 0);
  Value* bytes = nullptr;
  const auto distance = constant * static_cast<int64_t>(index.size);
  if (index.room) {
    bytes = build.CreateZExt(times(build, rest, index.size, false), build.getInt64Ty());
    mark_word(*bytes, *index.room + std::min<int64_t>(distance, 0));
  } else {
    Value* x = build.CreateZExt(rest, build.getInt64Ty(), "", index.of_index && constant > 0);
    bytes = times(build, x, index.size, true);
  }
  Value* shared = build.CreateGEP(build.getInt8Ty(), address.getPointerOperand(), bytes);
  Value* moved =
      build.CreateGEP(build.getInt8Ty(), shared, build.getInt64(static_cast<uint64_t>(distance)),
                      address.getName());
  address.replaceAllUsesWith(moved);
  address.eraseFromParent();
}

}  // namespace

void mark_word(Value& widened, int64_t room) {
  auto* made = llvm::dyn_cast<llvm::ZExtInst>(&widened);
  if (!made) return;  // of a constant
  llvm::LLVMContext& context = made->getContext();
  auto* number = llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context), room);
  made->setMetadata(kWordMark, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
}

bool take_out_constants(llvm::Function& function, Places of) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || address->getNumIndices() != 1) continue;
      if (!address->getSourceElementType()->isIntegerTy(8)) continue;
      if (!address->getOperand(1)->getType()->isIntegerTy(64)) continue;
      std::optional<Scaled> index = scaled_sum(address->getOperand(1));
      if (!index || llvm::isa<llvm::Constant>(index->x)) continue;
      if (of == Places::Words && !index->room) continue;
      const int64_t constant = Constants{index->of_index}.in(index->x);
      if (!can_take_out(*index, constant)) continue;
      take_out(*address, *index, constant);
      changed = true;
    }
  return changed;
}

}  // namespace hetjit::target

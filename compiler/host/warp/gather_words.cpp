#include "compiler/host/warp/gather_words.h"

namespace hetjit::host {

namespace {

constexpr uint64_t kWordBytes = 4, kByteBits = 8;

}  // namespace

bool lie_in_words(llvm::Type* element, llvm::Align align) {
  const uint64_t bytes = element->getScalarSizeInBits() / kByteBits;
  return bytes > 0 && bytes < kWordBytes && align.value() >= bytes;
}

llvm::Value* gather_by_words(llvm::IRBuilder<>& build, llvm::Type* element, llvm::Value* addresses,
                             llvm::Value* mask) {
  const llvm::ElementCount lanes =
      llvm::cast<llvm::VectorType>(addresses->getType())->getElementCount();
  auto* words = llvm::VectorType::get(build.getInt32Ty(), lanes);
  auto* wide = llvm::VectorType::get(build.getInt64Ty(), lanes);
  auto all = [&](uint64_t number) { return llvm::ConstantInt::get(wide, number); };
  llvm::Value* numbers = build.CreatePtrToInt(addresses, wide);
  llvm::Value* begin = build.CreateIntrinsic(llvm::Intrinsic::ptrmask, {addresses->getType(), wide},
                                             {addresses, all(~(kWordBytes - 1))});
  llvm::Value* word = build.CreateMaskedGather(words, begin, llvm::Align(kWordBytes), mask,
                                               llvm::Constant::getNullValue(words));
  llvm::Value* within =
      build.CreateMul(build.CreateAnd(numbers, all(kWordBytes - 1)), all(kByteBits));
  llvm::Value* lowest = build.CreateLShr(word, build.CreateTrunc(within, words));
  auto* bits = build.getIntNTy(element->getScalarSizeInBits());
  llvm::Value* found = build.CreateTrunc(lowest, llvm::VectorType::get(bits, lanes));
  return build.CreateBitCast(found, llvm::VectorType::get(element, lanes));
}

}  // namespace hetjit::host

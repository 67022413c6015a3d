// Stores of vectors that are several registers, one for each and in the order of addresses. LLVM's
// instruction selection would store the upper half first, and where elements lie across lines of
// the caches each line would be left half written and come up again: 64 MB of float64 take 1.45
// times as long (gallery: triad_double).
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Alignment.h>

#include <numeric>
#include <optional>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

/// A store of a vector, of all of its lanes or of some.
struct Stored {
  llvm::Instruction* instruction;
  llvm::Value *vector, *address, *mask;  // mask: null where it is all lanes
  llvm::Align align;
};

std::optional<Stored> stored(llvm::Instruction& instruction) {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple())
    return Stored{store, store->getValueOperand(), store->getPointerOperand(), nullptr,
                  store->getAlign()};
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::masked_store) return std::nullopt;
  return Stored{call, call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2),
                call->getParamAlign(1).valueOrOne()};
}

void store_piece(const Stored& store, unsigned first, unsigned lanes) {
  llvm::IRBuilder<> build(store.instruction);
  llvm::SmallVector<int, 16> of(lanes);
  std::iota(of.begin(), of.end(), static_cast<int>(first));
  const uint64_t offset = uint64_t{first} * store.vector->getType()->getScalarSizeInBits() / 8;
  llvm::Value* piece = build.CreateShuffleVector(store.vector, of);
  llvm::Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), store.address, offset);
  const llvm::Align align = llvm::commonAlignment(store.align, offset);
  llvm::Instruction* made =
      store.mask ? static_cast<llvm::Instruction*>(build.CreateMaskedStore(
                       piece, address, align, build.CreateShuffleVector(store.mask, of)))
                 : build.CreateAlignedStore(piece, address, align);
  made->copyMetadata(*store.instruction);
}

/// The lanes of a piece, where the vector is several; else 0.
unsigned lanes_of_piece(const llvm::Type* type, unsigned register_bytes) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const unsigned bits = vector ? vector->getScalarSizeInBits() : 0;
  if (bits == 0 || bits % 8 != 0) return 0;
  const unsigned lanes = register_bytes * 8 / bits, all = vector->getNumElements();
  return lanes != 0 && all > lanes && all % lanes == 0 ? lanes : 0;
}

}  // namespace

void store_in_order(llvm::Module& module, unsigned register_bytes, bool has_masks) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      const std::optional<Stored> store = stored(instruction);
      if (!store || (store->mask && !has_masks)) continue;
      const unsigned lanes = lanes_of_piece(store->vector->getType(), register_bytes);
      if (lanes == 0) continue;
      const unsigned all =
          llvm::cast<llvm::FixedVectorType>(store->vector->getType())->getNumElements();
      for (unsigned first = 0; first < all; first += lanes) store_piece(*store, first, lanes);
      instruction.eraseFromParent();
    }
}

}  // namespace hetjit::target

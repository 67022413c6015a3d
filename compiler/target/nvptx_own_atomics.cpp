// Atomic operations on a thread's own memory: PTX has none (`atom`, `ld` and `st` with an order
// take global and shared addresses), and needs none, since nobody else sees that memory. LLVM 22
// leaves those that are not read-modify-write as they are. Where only the run tells what an
// address belongs to, as in a recursive function, the code asks.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kGeneric = 0, kOwn = 5;  // address spaces

void make_plain(Instruction& instruction) {
  constexpr auto kPlain = llvm::AtomicOrdering::NotAtomic;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setAtomic(kPlain);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setAtomic(kPlain);
  if (auto* op = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) llvm::lowerAtomicRMWInst(op);
  if (auto* op = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    llvm::lowerAtomicCmpXchgInst(op);
}

// Null for what is not atomic, and for fences.
Value* address_of(Instruction& instruction) {
  if (!instruction.isAtomic()) return nullptr;
  if (auto* op = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return op->getPointerOperand();
  if (auto* op = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return op->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

// The instruction, and a plain form of it for addresses that turn out to be the thread's own.
void ask_whose(Instruction& instruction, Value* address) {
  llvm::IRBuilder<> build(&instruction);
  Value* is_own = build.CreateIntrinsic(llvm::Intrinsic::nvvm_isspacep_local, {}, {address});
  Instruction *own = nullptr, *shared = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(is_own, &instruction, &own, &shared);
  Instruction* plain = instruction.clone();
  plain->insertBefore(own->getIterator());
  llvm::BasicBlock* after = instruction.getParent();
  instruction.moveBefore(shared->getIterator());
  if (!instruction.getType()->isVoidTy()) {
    build.SetInsertPoint(after, after->begin());
    llvm::PHINode* result = build.CreatePHI(instruction.getType(), 2);
    instruction.replaceAllUsesWith(result);
    result->addIncoming(plain, plain->getParent());
    result->addIncoming(&instruction, instruction.getParent());
  }
  make_plain(*plain);
}

}  // namespace

void lower_own_atomics(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<Instruction*, 16> atomics;
    for (Instruction& instruction : llvm::instructions(function))
      if (address_of(instruction)) atomics.push_back(&instruction);
    for (Instruction* instruction : atomics) {
      Value* address = address_of(*instruction);
      const unsigned space = address->getType()->getPointerAddressSpace();
      if (space == kOwn) make_plain(*instruction);
      if (space == kGeneric) ask_whose(*instruction, address);
    }
  }
}

}  // namespace hetjit::target

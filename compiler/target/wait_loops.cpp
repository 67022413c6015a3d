#include "compiler/target/wait_loops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hetjit::target {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The instructions of a loop that a value is computed from; `wanted` says of each whether it is
/// one, `further` whether to look at its operands.
template <class Wanted, class Further>
bool comes_from(const llvm::Loop& loop, const Value* value, Wanted wanted, Further further) {
  llvm::SmallVector<const Value*, 16> work{value};
  llvm::SmallPtrSet<const Value*, 16> seen;
  while (!work.empty()) {
    const auto* from = llvm::dyn_cast<Instruction>(work.pop_back_val());
    if (!from || !loop.contains(from) || !seen.insert(from).second) continue;
    if (wanted(*from)) return true;
    if (further(*from)) work.append(from->op_begin(), from->op_end());
  }
  return false;
}

bool reads_atomically(const Instruction& it) { return it.isAtomic() && it.mayReadFromMemory(); }

/// Addition to a number that nothing else in the loop writes: each turn is further than the last.
bool counts(const llvm::Loop& loop, const Instruction& it) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&it);
  if (!update || (update->getOperation() != llvm::AtomicRMWInst::Add &&
                  update->getOperation() != llvm::AtomicRMWInst::Sub))
    return false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const Instruction& other : *block)
      if (&other != &it && other.isAtomic() && other.mayWriteToMemory()) return false;
  return true;
}

/// An exchange whose expected value was read in the loop, or handed on from turn to turn.
bool tries_again(const llvm::Loop& loop, const Instruction& it) {
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&it);
  return exchange && comes_from(
                         loop, exchange->getCompareOperand(),
                         [](const Instruction& from) { return from.mayReadFromMemory(); },
                         [](const Instruction&) { return true; });
}

const Value* condition(const llvm::BasicBlock& block) {
  const Instruction* last = block.getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(last))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(last);
  return choice ? choice->getCondition() : nullptr;
}

bool is_together(const llvm::Function& function,
                 llvm::SmallPtrSetImpl<const llvm::Function*>& seen) {
  if (function.isDeclaration()) return function.isConvergent();
  if (!seen.insert(&function).second) return false;
  for (const llvm::BasicBlock& block : function)
    for (const Instruction& it : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&it)) {
        const llvm::Function* callee = call->getCalledFunction();
        if (call->isConvergent() || !callee || is_together(*callee, seen)) return true;
      }
  return false;
}

}  // namespace

bool is_wait_loop(const llvm::Loop& loop) {
  auto passes_by = [&](const Instruction& it) { return tries_again(loop, it) || counts(loop, it); };
  auto found = [&](const Instruction& it) { return reads_atomically(it) && !passes_by(it); };
  auto further = [&](const Instruction& it) { return !passes_by(it); };
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting)
    if (const Value* asked = condition(*block))
      if (comes_from(loop, asked, found, further)) return true;
  return false;
}

bool may_release(const Instruction& instruction) {
  if (llvm::isa<llvm::IntrinsicInst>(instruction)) return false;
  if (llvm::isa<llvm::CallBase>(instruction)) return true;
  return instruction.isAtomic() && instruction.mayWriteToMemory() &&
         !llvm::isa<llvm::FenceInst>(instruction);
}

bool is_together(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->isInlineAsm()) return call && call->isConvergent();
  if (call->isConvergent() || !call->getCalledFunction()) return true;
  llvm::SmallPtrSet<const llvm::Function*, 8> seen;
  return is_together(*call->getCalledFunction(), seen);
}

}  // namespace hetjit::target

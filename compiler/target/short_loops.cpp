// GPUs' loops with a known count: a turn of a tiled product is a few loads and products, and the
// counter, its question and the jump are half as many instructions again. LLVM's own limit is one
// for all targets and for all of a loop's turns; nvcc writes out more, or some turns together where
// all would be too long. (tests/golden/ptx/tiled_product.py)
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/target/limits.h"
#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

constexpr const char* kFull = "llvm.loop.unroll.full";

/// A small array of the thread's own: what goes to and from it is in registers, once all is written
/// out.
bool is_of_own_array(const llvm::Instruction& inst) {
  const llvm::Value* address = llvm::getLoadStorePointerOperand(&inst);
  if (!address && llvm::isa<llvm::GetElementPtrInst>(inst)) address = &inst;
  const auto* array =
      address ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(address)) : nullptr;
  const auto size = array ? array->getAllocationSize(inst.getDataLayout()) : std::nullopt;
  return size && size->getFixedValue() <= kBytesInRegisters;
}

class Writer {
 public:
  Writer(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : loops_(loops), evolution_(evolution) {}

  /// From the innermost out. Length of the loop with all that is written out in it, its own turns
  /// too; nullopt: it stays a loop, or asks something in a turn, which costs more than counting.
  std::optional<uint64_t> write(llvm::Loop& loop) {
    std::optional<uint64_t> turn = length_of_own(loop);
    for (llvm::Loop* inner : loop) {
      const std::optional<uint64_t> length = write(*inner);
      turn = turn && length ? std::optional(*turn + *length) : std::nullopt;
    }
    const unsigned turns = evolution_.getSmallConstantTripCount(&loop);
    if (!turn || turns < 2) return std::nullopt;
    if (llvm::findOptionMDForLoop(&loop, kFull)) return turns * *turn;
    const unsigned together = turns_together(turns, *turn);
    if (together == turns) {
      llvm::addStringMetadataToLoop(&loop, kFull);
      return turns * *turn;
    }
    // LLVM would write out all of a long one on AMD, for arrays that are registers by then.
    if (together == 1) llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    if (together > 1) llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", together);
    return std::nullopt;
  }

 private:
  /// Of one turn, without the loops in it and what counts the turns.
  std::optional<uint64_t> length_of_own(const llvm::Loop& loop) const {
    constexpr uint64_t kCounts = 3;  // sum, comparison, jump
    uint64_t length = 0;
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || (branch->isConditional() && block != loop.getLoopLatch())) return std::nullopt;
      for (const llvm::Instruction& inst : *block)
        length += !llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(inst) &&
                  !is_of_own_array(inst) && (&inst != branch || branch->isConditional());
    }
    return std::max(length, kCounts + 1) - kCounts;
  }

  /// How many turns are written one after another; 1: none.
  static unsigned turns_together(unsigned turns, uint64_t length) {
    if (turns * length <= kLengthOfTurns) return turns;
    for (unsigned together : {8, 4})
      if (turns <= kMostTurnsInParts && turns % together == 0 &&
          together * length <= kLengthInParts)
        return together;
    return 1;
  }

  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

void write_out_short_loops(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  Writer writer(loops, evolution);
  for (llvm::Loop* loop : loops) writer.write(*loop);
}

}  // namespace hetjit::target

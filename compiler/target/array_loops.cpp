// An array of the thread's own lies in registers if all of its places are known when loops with
// known counts are written out. LLVM writes out what is short, whatever it is for; here the loops
// that such an array needs are told to be, though they are longer. (codegen_wide.py: chacha)
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/target/limits.h"
#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using Loops = llvm::SmallSetVector<llvm::Loop*, 4>;

/// The most turns that a loop may have, 0: nobody knows.
unsigned most_turns(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned all = evolution.getSmallConstantTripCount(&loop);
  return all ? all : evolution.getSmallConstantMaxTripCount(&loop);
}

/// Those to reckon with. One that ends where another one stands has half as many as it may have, in
/// the mean of that one's turns.
unsigned usual_turns(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned all = evolution.getSmallConstantTripCount(&loop);
  if (all) return all;
  const unsigned most = most_turns(loop, evolution);
  return most ? (most + 1) / 2 : kTurnsNobodyKnows;
}

/// Are all places of an array known when loops are written out?
class KnownPlaces {
 public:
  KnownPlaces(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, Loops& needed)
      : loops_(loops), evolution_(evolution), needed_(needed) {}

  bool all_of(llvm::Value& address) {
    return llvm::all_of(address.users(), [&](llvm::User* user) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
        return store->getValueOperand() != &address;
      if (llvm::isa<llvm::LoadInst, llvm::LifetimeIntrinsic>(user)) return true;
      if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) return false;
      return llvm::all_of(llvm::drop_begin(user->operand_values()),
                          [&](llvm::Value* index) { return is_constant(index); }) &&
             all_of(*user);
    });
  }

 private:
  /// Will it be? One answer of no is that of the whole array.
  bool is_constant(llvm::Value* value) {
    if (llvm::isa<llvm::Constant>(value)) return true;
    auto* made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made) return false;
    return !asked_.insert(made).second || is_made_of_constants(*made);
  }
  bool is_made_of_constants(llvm::Instruction& made) {
    if (auto* counter = llvm::dyn_cast<llvm::PHINode>(&made)) {
      llvm::Loop* loop = loops_.getLoopFor(counter->getParent());
      if (!loop || loop->getHeader() != counter->getParent() || !ends_known(*loop)) return false;
      needed_.insert(loop);
    } else if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                          llvm::FreezeInst, llvm::MinMaxIntrinsic>(made)) {
      return false;
    }
    return llvm::all_of(made.operands(), [&](llvm::Value* part) { return is_constant(part); });
  }
  /// Is the count of one way out known, or will it be? A loop in another one may end where that one
  /// stands; other ways out, of a `break`, may depend on data.
  bool ends_known(llvm::Loop& loop) {
    if (most_turns(loop, evolution_) > kTurnsOfArrays) return false;
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](llvm::BasicBlock* block) {
          return evolution_.getSmallConstantTripCount(&loop, block) != 0;
        }))
      return true;
    auto* branch = exiting.size() == 1
                       ? llvm::dyn_cast<llvm::BranchInst>(exiting.front()->getTerminator())
                       : nullptr;
    return branch && branch->isConditional() && is_constant(branch->getCondition());
  }

  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  Loops& needed_;  // found so far
  llvm::SmallPtrSet<llvm::Instruction*, 16> asked_;
};

/// Instructions of a function's loops when some of them are written out.
class Length {
 public:
  Length(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : loops_(loops), evolution_(evolution) {}
  uint64_t with(const Loops& written) const {
    uint64_t sum = 0;
    for (llvm::Loop* loop : loops_) sum = llvm::SaturatingAdd(sum, of(*loop, written));
    return sum;
  }

 private:
  uint64_t of(llvm::Loop& loop, const Loops& written) const {
    uint64_t sum = 0;
    for (llvm::BasicBlock* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop) sum += block->size();
    for (llvm::Loop* inner : loop) sum = llvm::SaturatingAdd(sum, of(*inner, written));
    if (!written.contains(&loop)) return sum;
    return llvm::SaturatingMultiply<uint64_t>(sum, usual_turns(loop, evolution_));
  }
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

/// The arrays that may be registers, if they are small enough to.
std::optional<uint64_t> bytes_of_array(const llvm::Instruction& instruction) {
  auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
  if (!array || !array->isStaticAlloca()) return std::nullopt;
  const llvm::DataLayout& layout = instruction.getDataLayout();
  const std::optional<llvm::TypeSize> size = array->getAllocationSize(layout);
  if (!size || size->getFixedValue() > kBytesOfArrays) return std::nullopt;
  return size->getFixedValue();
}

}  // namespace

void write_out_array_loops(llvm::Function& function, llvm::LoopInfo& loops,
                           llvm::ScalarEvolution& evolution) {
  const Length length(loops, evolution);
  const uint64_t before = length.with({});
  Loops written;
  uint64_t bytes = 0;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    const std::optional<uint64_t> size = bytes_of_array(instruction);
    if (!size || bytes + *size > kBytesOfArrays) continue;
    Loops needed = written;
    if (!KnownPlaces(loops, evolution, needed).all_of(instruction)) continue;
    if (length.with(needed) > llvm::SaturatingAdd(before, kLengthForArrays)) continue;
    bytes += *size;
    written = std::move(needed);
  }
  // Such a mark has no limit of LLVM's, so none is on a loop that may have any number of turns.
  for (llvm::Loop* loop : written)
    if (most_turns(*loop, evolution) != 0)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
}

}  // namespace hetjit::target

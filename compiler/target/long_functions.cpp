#include "compiler/target/long_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Pass.h>
#include <llvm/PassInfo.h>

#include "compiler/target/limits.h"

namespace hetjit::target {
namespace {

/// Code without these passes is right, and a little slower; minutes of compiling are not worth what
/// they give.
constexpr llvm::StringRef kNotForCrowdedBlocks[] = {
    "slsr",                    // each address with each
    "nary-reassociate",        // each sum with those like it
    "load-store-vectorizer",   // each access with each
    "machine-cse",             // walks all uses of what it shares
    "si-fold-operands",        // the same
    "si-form-memory-clauses",  // all registers for each clause
    "machine-cp",              // from each copy to the last use of it
    "twoaddressinstruction",   // without choices: no copies of an address for each that adds to it
    "postmisched",             // each access with each: the pieces are one block again
    "post-RA-sched",           // the same
};
/// These are left out altogether, as not all of them and of their analyses ask a gate. Most ask for
/// each loop how often it runs, which is a walk through all conditions before it.
constexpr llvm::StringRef kNotForManyLoops[] = {
    "canon-freeze", "loop-reduce", "nary-reassociate", "slsr",
    // Takes the constants of all loops out of the loop round them, where no register is left.
    "early-machinelicm"};

/// What functions tell their callers of the registers that they use. LLVM counts those that a
/// function saves among them, so that along a chain of calls each saves all that the ones below it
/// have saved: three times the code of a small function, from a depth of some forty on.
constexpr llvm::StringRef kBetweenFunctions[] = {"RegUsageInfoCollector", "reg-usage-propagation"};

/// Shorter encodings for AVX-512, at times of other code: docs/llvm_faults.md.
constexpr llvm::StringRef kCompressing = "x86-compress-evex";

constexpr llvm::StringRef kStrengthReduction = "loop-reduce";
/// The last pass that would join the pieces of a block.
constexpr llvm::StringRef kLastJoining = "codegenprepare";

/// Cuts long blocks just before instructions are selected, with jumps that code generation removes
/// after it has allocated registers. Selection, scheduling and the two-address pass take more than
/// twice the time for a block of twice the length.
class CutLongBlocks : public llvm::FunctionPass {
 public:
  static char ID;
  CutLongBlocks() : FunctionPass(ID) {}

  bool runOnFunction(llvm::Function& function) override {
    std::vector<llvm::BasicBlock*> found;
    for (llvm::BasicBlock& block : function)
      if (block.size() > kLongBlock) found.push_back(&block);
    for (llvm::BasicBlock* block : found) cut(*block);
    return !found.empty();
  }

 private:
  static void cut(llvm::BasicBlock& block) {
    // Memory that a function asks for in its first block is part of its frame.
    auto begin = block.getFirstNonPHIOrDbg();
    for (llvm::Instruction& it : block)
      if (llvm::isa<llvm::AllocaInst>(it)) begin = std::next(it.getIterator());
    std::vector<llvm::Instruction*> firsts;
    size_t count = 0;
    for (auto it = begin; it != block.end(); ++it)
      if (++count % kPiece == 0) firsts.push_back(&*it);
    // From the end, so that each instruction is moved once.
    for (llvm::Instruction* first : llvm::reverse(firsts)) block.splitBasicBlock(first);
  }
};
char CutLongBlocks::ID = 0;

size_t count_loops(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen, heads;
  for (const llvm::BasicBlock& block : function) {
    seen.insert(&block);
    // However blocks are laid out, a cycle goes back somewhere.
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      if (seen.contains(next)) heads.insert(next);
  }
  return heads.size();
}

size_t count_accesses(const llvm::BasicBlock& block) {
  auto accesses = [](const llvm::Instruction& it) { return it.mayReadOrWriteMemory(); };
  return static_cast<size_t>(llvm::count_if(block, accesses));
}

bool has_arrays_on_stack(const llvm::Function& function) {
  return !function.isDeclaration() &&
         llvm::any_of(function.getEntryBlock(), [](const llvm::Instruction& instruction) {
           const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
           return variable && variable->getAllocatedType()->isArrayTy();
         });
}

}  // namespace

Lengths::Lengths(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    size_t loops = count_loops(function);
    has_loops = has_loops || loops > 0;
    many_loops = many_loops || loops > kManyLoops;
    has_arrays = has_arrays || has_arrays_on_stack(function);
    large_function = large_function || function.getInstructionCount() > kLargeFunction;
    for (const llvm::BasicBlock& block : function)
      crowded_block = crowded_block || count_accesses(block) > kManyAccesses;
  }
}

PassNames pass_names() {
  std::vector<llvm::StringRef> added = {kCompressing, kStrengthReduction, kLastJoining};
  for (llvm::StringRef name : kNotForManyLoops) added.push_back(name);
  for (llvm::StringRef name : kBetweenFunctions) added.push_back(name);
  return {kNotForCrowdedBlocks, added};
}

SlowPassGate::SlowPassGate(llvm::LLVMContext& context, const Lengths& lengths)
    : context_(context), before_(context.getOptPassGate()), lengths_(lengths) {
  context.setOptPassGate(*this);
}

SlowPassGate::~SlowPassGate() { context_.setOptPassGate(before_); }

bool SlowPassGate::shouldRunPass(llvm::StringRef name, llvm::StringRef) const {
  return !llvm::is_contained(kNotForCrowdedBlocks, name);
}

void CodePassManager::add(llvm::Pass* pass) {
  const llvm::PassInfo* info = llvm::Pass::lookupPassInfo(pass->getPassID());
  llvm::StringRef name = info ? info->getPassArgument() : "";
  // Strength reduction's analysis takes each address of a crowded loop apart, for nothing.
  if (name == kCompressing || llvm::is_contained(kBetweenFunctions, name) ||
      (lengths_.many_loops && llvm::is_contained(kNotForManyLoops, name)) ||
      (lengths_.crowded_block && name == kStrengthReduction)) {
    delete pass;
    return;
  }
  PassManager::add(pass);
  if (name == kLastJoining) PassManager::add(new CutLongBlocks);
}

}  // namespace hetjit::target

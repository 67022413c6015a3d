#include "compiler/target/host_attention.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "abi/host_calls.h"
#include "compiler/target/limits.h"

namespace hetjit::target {
namespace {

constexpr llvm::StringRef kCounted = "hetjit.counted";  // among a loop's metadata

/// The first blocks of such loops. A loop that counts up to something has an end.
std::vector<llvm::BasicBlock*> heads_of_endless_loops(llvm::Function& function) {
  const llvm::TargetLibraryInfoImpl names(function.getParent()->getTargetTriple());
  llvm::TargetLibraryInfo library(names);
  llvm::AssumptionCache assumptions(function);
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::ScalarEvolution evolution(function, library, assumptions, dominators, loops);
  const auto all = loops.getLoopsInPreorder();
  // Each loop's count is asked by way of those before it.
  const bool may_ask = all.size() <= kManyLoops;
  auto ends = [&](llvm::Loop* loop) {
    return llvm::findOptionMDForLoop(loop, kCounted) ||
           (may_ask && !llvm::isa<llvm::SCEVCouldNotCompute>(
                           evolution.getSymbolicMaxBackedgeTakenCount(loop)));
  };
  std::vector<llvm::BasicBlock*> heads;
  for (llvm::Loop* loop : all)
    if (!ends(loop)) heads.push_back(loop->getHeader());
  return heads;
}

llvm::FunctionCallee attend(llvm::Module& module) {
  llvm::FunctionCallee call =
      module.getOrInsertFunction(kAttendCall, llvm::Type::getVoidTy(module.getContext()));
  auto* function = llvm::cast<llvm::Function>(call.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::Cold);
  return call;
}

void ask_at(llvm::BasicBlock& head, llvm::GlobalVariable& attention) {
  llvm::IRBuilder<> build(&head, head.getFirstNonPHIIt());
  llvm::Value* word =
      build.CreateAlignedLoad(build.getInt32Ty(), &attention, llvm::Align(4), /*isVolatile=*/true);
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
      build.CreateIsNotNull(word), build.GetInsertPoint(), /*Unreachable=*/false,
      llvm::MDBuilder(head.getContext()).createUnlikelyBranchWeights());
  build.SetInsertPoint(then);
  build.CreateCall(attend(*head.getModule()));
}

}  // namespace

void attend_in_endless_loops(llvm::Module& module) {
  llvm::GlobalVariable* attention = module.getGlobalVariable(kAttentionSymbol);
  if (!attention) return;  // this code has no runtime to ask
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      for (llvm::BasicBlock* head : heads_of_endless_loops(function)) ask_at(*head, *attention);
  if (attention->use_empty()) attention->eraseFromParent();
}

void mark_counted(llvm::Instruction& back) {
  llvm::LLVMContext& context = back.getContext();
  llvm::MDNode* counted = llvm::MDNode::get(context, llvm::MDString::get(context, kCounted));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, counted});
  loop->replaceOperandWith(0, loop);
  back.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

}  // namespace hetjit::target

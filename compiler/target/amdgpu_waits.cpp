// Threads of one wave that wait for each other. A wave runs one path at a time: lanes that leave a
// loop are switched off until all have left it. Where one of them holds what the others wait for,
// it would never give it back. So what comes after such a loop, up to where threads must be
// together or nothing could be waited for any more, is put into a loop round it: a lane that would
// wait goes to that loop's end instead, where the lanes that went on arrive, too; then each that is
// not through goes on where it was. Every round takes each lane to its next failed try, so whatever
// threads of a block may rely on among different waves, lanes of one may. A lane that raises leaves
// the loop like one that is through, but for the function's end.
//
//       enter -> dispatch: where this lane is
//                  |            ^
//                region:        |  a try that failed, with the head of its loop
//             all up to join -> latch -> join, when the lane is through
//
// Last of all passes on LLVM's IR: they would see that a lane that is through needs no loop.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "abi/messages.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/wait_loops.h"

namespace hetjit::target {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using Blocks = llvm::SetVector<BasicBlock*>;

struct Region {
  BasicBlock *first = nullptr, *join = nullptr;
  BasicBlock* end = nullptr;  // of the function, where lanes leave for it that raise
  Blocks blocks;              // from first on, without join and end
};

/// Adds the blocks that can be reached from one, itself among them, without entering others. They
/// are the last ones then.
void add_reachable(Blocks& found, BasicBlock* from, const BasicBlock* without = nullptr,
                   const BasicBlock* end = nullptr) {
  size_t next = found.size();
  for (found.insert(from); next < found.size(); ++next)
    for (BasicBlock* block : llvm::successors(found[next]))
      if (block != without && block != end) found.insert(block);
}

bool leads_to(const Blocks& blocks, const BasicBlock* to) {
  return llvm::any_of(
      blocks, [&](BasicBlock* block) { return llvm::is_contained(llvm::successors(block), to); });
}

/// Whether the error record is claimed there: what follows only ends the thread.
bool raises(const BasicBlock& block) {
  return llvm::any_of(block, [](const Instruction& it) {
    const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&it);
    return exchange && exchange->getPointerOperand()->getName() == kErrorSymbol;
  });
}

// ---- which part of the function the loop is put round

class Search {
 public:
  explicit Search(llvm::Function& function) : tree_(function), after_(function), loops_(tree_) {
    forget_who_raises(function);
    for (BasicBlock& block : function) {
      if (llvm::any_of(block, may_release)) releases_.insert(&block);
      if (llvm::any_of(block, [](const Instruction& it) { return is_together(it); }))
        together_.insert(&block);
    }
  }

  llvm::SmallVector<llvm::Loop*, 4> wait_loops() const {
    llvm::SmallVector<llvm::Loop*, 4> found;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (is_wait_loop(*loop)) found.push_back(loop);
    return found;
  }

  /// The smallest region round the loop with most of what its threads could be waiting for.
  Region find(const llvm::Loop& loop) const {
    const Blocks wanted = wanted_round(loop);
    Region best;
    size_t most = 0;
    for (auto* first = tree_.getNode(loop.getHeader()); first; first = first->getIDom()) {
      BasicBlock* from = first->getBlock();
      if (llvm::pred_empty(from)) break;
      Region found{from, nullptr, nullptr, {}};
      size_t count = 0, seen = 0;
      // Each join comes after the one before on all ways, so the region only grows.
      for (auto* node = after_.getNode(from); node && (node = node->getIDom());) {
        found.join = node->getBlock();
        if (!found.join) break;
        add_reachable(found.blocks, from, found.join, end_);
        from = found.join;
        const auto added = llvm::drop_begin(found.blocks, seen);
        seen = found.blocks.size();
        if (!llvm::all_of(added, [&](BasicBlock* it) { return may_hold(*found.first, *it); }))
          break;
        count += llvm::count_if(added, [&](BasicBlock* it) { return wanted.contains(it); });
        if (count > most && found.blocks.contains(loop.getHeader())) {
          most = count;
          best = found;
          if (found.join != end_ && leads_to(found.blocks, end_)) best.end = end_;
        }
        if (found.join == end_) break;
      }
    }
    return best;
  }

  /// The edges that the region's lanes meet on: back to loops that wait, and to loops round those.
  std::vector<std::pair<BasicBlock*, BasicBlock*>> turns(const Region& region) const {
    llvm::SmallPtrSet<const BasicBlock*, 8> heads;
    for (const llvm::Loop* inner : wait_loops())
      for (const llvm::Loop* loop = inner; loop; loop = loop->getParentLoop())
        if (region.blocks.contains(inner->getHeader()) && region.blocks.contains(loop->getHeader()))
          heads.insert(loop->getHeader());
    std::vector<std::pair<BasicBlock*, BasicBlock*>> found;
    for (BasicBlock* block : region.blocks)
      for (BasicBlock* to : llvm::successors(block))
        if (heads.contains(to) && tree_.dominates(to, block)) found.emplace_back(block, to);
    return found;
  }

 private:
  /// Where those who raise go on, to the function's end; null: in several places, or nobody raises.
  BasicBlock* end_of_raising(llvm::Function& function) const {
    BasicBlock* end = nullptr;
    for (BasicBlock& block : function) {
      if (!raises(block)) continue;
      const auto* next = after_.getNode(&block)->getIDom();
      if (!next || !next->getBlock() || (end && end != next->getBlock())) return nullptr;
      end = next->getBlock();
    }
    return end;
  }

  /// What comes after all is what comes after all who do not raise: edges to the others lead
  /// elsewhere while the tree is made.
  void forget_who_raises(llvm::Function& function) {
    end_ = end_of_raising(function);
    if (!end_) return;
    Blocks lost;
    for (BasicBlock& block : function)
      if (raises(block)) add_reachable(lost, &block, end_);
    auto is_lost = [&](const BasicBlock* block) { return lost.contains(block); };
    for (size_t next = 0; next < lost.size(); ++next)
      for (BasicBlock* before : llvm::predecessors(lost[next]))
        if (llvm::all_of(llvm::successors(before), is_lost)) lost.insert(before);
    struct Edge {
      Instruction* from;
      unsigned number;
      BasicBlock* to;
    };
    llvm::SmallVector<Edge, 8> edges;
    for (BasicBlock& block : function) {
      auto onward = llvm::find_if_not(llvm::successors(&block), is_lost);
      if (onward == llvm::succ_end(&block)) continue;
      BasicBlock* other = *onward;
      Instruction* terminator = block.getTerminator();
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        BasicBlock* to = terminator->getSuccessor(i);
        if (!is_lost(to)) continue;
        edges.push_back({terminator, i, to});
        terminator->setSuccessor(i, other);
      }
    }
    after_.recalculate(function);
    for (const Edge& edge : edges) edge.from->setSuccessor(edge.number, edge.to);
  }

  /// What may release, but where it only comes before the loop: there it has been done.
  Blocks wanted_round(const llvm::Loop& loop) const {
    Blocks behind, wanted;
    add_reachable(behind, loop.getHeader());
    for (BasicBlock* block : releases_) {
      if (loop.contains(block)) continue;
      Blocks next;
      add_reachable(next, block);
      if (behind.contains(block) || !next.contains(loop.getHeader())) wanted.insert(block);
    }
    return wanted;
  }

  /// Whether a region with that first block may have this one.
  bool may_hold(const BasicBlock& first, const BasicBlock& block) const {
    return tree_.dominates(&first, &block) && !together_.contains(&block) &&
           block.getTerminator()->getNumSuccessors() > 0;
  }

  llvm::DominatorTree tree_;
  llvm::PostDominatorTree after_;
  llvm::LoopInfo loops_;
  BasicBlock* end_ = nullptr;
  Blocks releases_;
  llvm::SmallPtrSet<const BasicBlock*, 8> together_;
};

// ---- the loop

class Yielding {
 public:
  Yielding(llvm::Function& function, const Region& region,
           std::vector<std::pair<BasicBlock*, BasicBlock*>> turns)
      : function_(function), region_(region), turns_(std::move(turns)) {}

  void write() {
    demote();
    llvm::IRBuilder<> build(&*function_.getEntryBlock().begin());
    place_ = variable(build);
    through_ = variable(build);
    make_loop();
    for (const auto& [from, head] : turns_)
      redirect(*from, *head, store_block("wait", number_of(*head), 0, latch_));
    lead_to_latch(*region_.join, kThrough);
    if (region_.end) lead_to_latch(*region_.end, kRaised);
    llvm::DominatorTree tree(function_);
    llvm::PromoteMemToReg(memory_, tree);
  }

 private:
  static constexpr uint32_t kThrough = 1, kRaised = 2;  // how a lane leaves the loop

  /// Values that blocks of the region hand to others go through memory for now: blocks get other
  /// predecessors.
  void demote() {
    std::vector<Instruction*> shared;
    std::vector<llvm::PHINode*> joined;
    for (BasicBlock* out : {region_.join, region_.end})
      if (out)
        for (llvm::PHINode& phi : out->phis()) joined.push_back(&phi);
    for (BasicBlock* block : region_.blocks)
      for (Instruction& it : *block)
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&it)) joined.push_back(phi);
    const auto where = function_.getEntryBlock().begin();
    for (llvm::PHINode* phi : joined) memory_.push_back(llvm::DemotePHIToStack(phi, where));
    for (BasicBlock* block : region_.blocks)
      for (Instruction& it : *block)
        if (it.isUsedOutsideOfBlock(block)) shared.push_back(&it);
    for (Instruction* it : shared)
      memory_.push_back(llvm::DemoteRegToStack(*it, /*VolatileLoads=*/false, where));
    llvm::erase(memory_, nullptr);
  }

  void lead_to_latch(BasicBlock& out, uint32_t how) {
    BasicBlock* through = store_block("through", 0, how, latch_);
    for (BasicBlock* block : region_.blocks) redirect(*block, out, through);
  }

  llvm::AllocaInst* variable(llvm::IRBuilder<>& build) {
    memory_.push_back(build.CreateAlloca(build.getInt32Ty()));
    return memory_.back();
  }

  BasicBlock* new_block(const char* name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, region_.join);
  }

  BasicBlock* store_block(const char* name, uint32_t place, uint32_t through, BasicBlock* to) {
    BasicBlock* block = new_block(name);
    llvm::IRBuilder<> build(block);
    build.CreateStore(build.getInt32(place), place_);
    build.CreateStore(build.getInt32(through), through_);
    build.CreateBr(to);
    return block;
  }

  static void redirect(BasicBlock& from, BasicBlock& old, BasicBlock* to) {
    from.getTerminator()->replaceSuccessorWith(&old, to);
  }

  uint32_t number_of(const BasicBlock& head) {
    auto found = llvm::find(heads_, &head);
    if (found == heads_.end()) found = heads_.insert(found, &head);
    return static_cast<uint32_t>(found - heads_.begin()) + 1;
  }

  void make_loop() {
    llvm::SmallVector<BasicBlock*, 4> before;
    for (BasicBlock* block : llvm::predecessors(region_.first))
      if (!region_.blocks.contains(block)) before.push_back(block);
    BasicBlock* dispatch = new_block("dispatch");
    latch_ = new_block("latch");
    BasicBlock* enter = store_block("enter", 0, 0, dispatch);
    for (BasicBlock* block : before) redirect(*block, *region_.first, enter);
    llvm::IRBuilder<> build(dispatch);
    Value* place = build.CreateLoad(build.getInt32Ty(), place_);
    llvm::SwitchInst* choice = build.CreateSwitch(place, region_.first);
    for (const auto& turn : turns_) {
      const uint32_t number = number_of(*turn.second);
      auto* value = build.getInt32(number);
      if (choice->findCaseValue(value) == choice->case_default())
        choice->addCase(value, turn.second);
    }
    build.SetInsertPoint(latch_);
    Value* through = hidden(build, build.CreateLoad(build.getInt32Ty(), through_));
    if (!region_.end)
      return void(build.CreateCondBr(build.CreateIsNotNull(through), region_.join, dispatch));
    BasicBlock* leave = new_block("leave");
    build.CreateCondBr(build.CreateIsNotNull(through), leave, dispatch);
    build.SetInsertPoint(leave);
    Value* raised = build.CreateICmpEQ(through, build.getInt32(kRaised));
    build.CreateCondBr(raised, region_.end, region_.join);
  }

  /// The same number, but code generation does not know that.
  static Value* hidden(llvm::IRBuilder<>& build, Value* value) {
    auto* type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
    return build.CreateCall(llvm::InlineAsm::get(type, "", "=v,0", /*hasSideEffects=*/false),
                            {value});
  }

  llvm::Function& function_;
  const Region& region_;
  const std::vector<std::pair<BasicBlock*, BasicBlock*>> turns_;
  std::vector<llvm::AllocaInst*> memory_;
  llvm::AllocaInst *place_ = nullptr, *through_ = nullptr;
  std::vector<const BasicBlock*> heads_;
  BasicBlock* latch_ = nullptr;
};

bool waits(llvm::Function& function) {
  if (llvm::none_of(llvm::instructions(function), [](Instruction& it) { return it.isAtomic(); }))
    return false;
  llvm::DominatorTree tree(function);
  llvm::LoopInfo loops(tree);
  return llvm::any_of(loops.getLoopsInPreorder(), [](llvm::Loop* it) { return is_wait_loop(*it); });
}

/// One return, the function's memory in a block of its own, and blocks that end before and after
/// what threads do together: so regions may begin and end there.
void prepare(llvm::Function& function) {
  llvm::SmallVector<Instruction*, 8> ends;
  for (Instruction& it : llvm::instructions(function))
    if (llvm::isa<llvm::ReturnInst>(it) || is_together(it)) ends.push_back(&it);
  for (Instruction* it : ends) {
    BasicBlock* own = llvm::SplitBlock(it->getParent(), it);
    if (!it->isTerminator()) llvm::SplitBlock(own, it->getNextNode());
  }
  BasicBlock& entry = function.getEntryBlock();
  auto begin = entry.begin();
  for (auto it = entry.begin(); it != entry.end(); ++it)
    if (llvm::isa<llvm::AllocaInst>(*it)) begin = std::next(it);
  llvm::SplitBlock(&entry, begin);
  if (!function.getReturnType()->isVoidTy()) return;
  BasicBlock* last = nullptr;
  for (BasicBlock& block : llvm::make_early_inc_range(function)) {
    if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
    if (last) {
      block.getTerminator()->eraseFromParent();
      llvm::IRBuilder<>(&block).CreateBr(last);
    } else {
      last = &block;
    }
  }
}

void let_yield(llvm::Function& function) {
  prepare(function);
  llvm::SmallPtrSet<const BasicBlock*, 32> done;
  while (true) {
    Search search(function);
    Region region;
    for (const llvm::Loop* loop : search.wait_loops()) {
      if (!done.insert(loop->getHeader()).second) continue;
      region = search.find(*loop);
      if (region.first) break;
    }
    if (!region.first) return;
    done.insert_range(region.blocks);
    Yielding(function, region, search.turns(region)).write();
  }
}

}  // namespace

void let_waiting_threads_yield(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && waits(function)) let_yield(function);
}

}  // namespace hetjit::target

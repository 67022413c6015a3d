// What compiled code tells the host's runtime of what threads do with memory. (abi/watch.h)
#pragma once

#include "abi/watch.h"
#include "compiler/host/warp/frame.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

struct Watched {
  WatchedSite site;
  llvm::Value* lanes = nullptr;      // i64; the first thread is the one at hand
  llvm::Value* addresses = nullptr;  // a pointer or a vector of them; null: at a barrier
  int64_t step = 0;                  // of a pointer: from lane to lane
  /// Of a phase: the block's part, the context, bytes of the launch's own, and how they are laid
  /// out. Null: of a kernel that has no phases.
  llvm::Value *block = nullptr, *context = nullptr, *dynamic_bytes = nullptr;
  const Frame* frame = nullptr;
};
/// A pointer to what was found, or null.
llvm::Value* call_watch(lower::Lowering& at, const Watched& watched);

/// Tells it that all threads of a block have come to a barrier. `memory`: the block's part.
void tell_barrier(llvm::IRBuilder<>& build, lower::ModuleLowering& module, uint32_t line,
                  llvm::Value* block, llvm::Value* memory);

/// A Finding's words: of the other thread, i64; the lane and what was found, i32.
struct FoundWords {
  llvm::SmallVector<llvm::Value*, 8> other;
  llvm::Value *lane, *unwritten;
};
FoundWords words_found(llvm::IRBuilder<>& build, llvm::Value* found);

/// Whether all are true, so that nothing need be told; null where there are none.
llvm::Value* all_guards(llvm::IRBuilder<>& build, llvm::ArrayRef<llvm::Value*> guards);

WatchedSite watched_site(const ir::Module& module, const ir::CheckAccess& op);
WatchedSite watched_site(const ir::Module& module, const ir::CheckBarrier& op);

}  // namespace hetjit::host

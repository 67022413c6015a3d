// Work that a fork must not cut in two. A forked child has only the thread that forked; what
// another thread was in the middle of stays half done there for ever, locks and all.
#pragma once

#include "abi/fork_safe_mutex.h"

namespace hetjit {

/// While one lives, a fork in another thread waits: for what has locks and half-made tables that
/// are not ours, which is LLVM. Never while holding something that the forking thread may have,
/// Python's GIL above all. May be nested.
class ForkHold {
 public:
  ForkHold();
  ~ForkHold();
  ForkHold(const ForkHold&) = delete;
  ForkHold& operator=(const ForkHold&) = delete;
};

/// The mutex that this thread locked last and still holds; null: none.
ForkSafeMutex::Node* held_mutex();
/// Unlocks what this thread has locked since then: an exception has thrown its owners away.
void unlock_since(ForkSafeMutex::Node* held);

}  // namespace hetjit

// Work that a fork must not cut in two. A forked child has only the thread that forked; what
// another thread was in the middle of stays half done there for ever, locks and all.
#pragma once

#include <cstdint>

#include "abi/fork_safe_mutex.h"

namespace hetjit {

/// While one lives, a fork in another thread waits: for what has locks and half-made tables that
/// are not ours, which is LLVM. Never while holding something that the forking thread may have,
/// Python's GIL above all. May be nested, and begin while this thread holds a ForkSafeMutex.
class ForkHold {
 public:
  ForkHold();
  ~ForkHold();
  ForkHold(const ForkHold&) = delete;
  ForkHold& operator=(const ForkHold&) = delete;
};

/// What this thread holds: the mutex that it locked last (null: none), and how many ForkHolds.
struct Held {
  ForkSafeMutex::Node* mutex;
  uint32_t holds;
};
Held held_now();
/// Lets go what this thread took since then: an exception has thrown its owners away.
void let_go_since(const Held& held);
/// This thread works for one that waits for it, and holds what that one does, until both end that.
void hold_as(const Held& held);

}  // namespace hetjit

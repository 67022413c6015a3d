#include "abi/memory_limit.h"

#include <sys/mman.h>

#include <new>

#include "abi/bug_subject.h"
#include "abi/fork_hold.h"
#include "abi/status.h"

namespace hetjit {

// Compiled with exceptions, unlike what it calls: operator new throws through that.
bool within_memory(void (*work)(void*), void* argument) {
  const Held held = held_now();
  const BugReporter reporter = bug_reporter;
  BugScope* const subject = bug_subject;
  try {
    work(argument);
    return true;
  } catch (const std::bad_alloc&) {
    let_go_since(held);
    bug_reporter = reporter;
    bug_subject = subject;
    return false;
  }
}

void end_for_memory() { throw std::bad_alloc(); }

bool has_memory(size_t bytes) {
  constexpr int kNew = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kNew, -1, 0);
  return found != MAP_FAILED && munmap(found, bytes) == 0;
}

}  // namespace hetjit

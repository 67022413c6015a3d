// Where stack that does not suffice is made. Inference follows calls, so its own calls nest as deep
// as the user's functions do; and a program's threads may have stacks of some pages.
#pragma once

#include <functional>

namespace hetjit {

/// Runs the work on a stack of its own, and waits for it. What this thread holds, it holds too.
/// Where the system gives no stack: on this one, if that has room. Where memory runs out in it or
/// for it, it runs out here (abi/memory_limit.h). `meanwhile` is called on this thread now and
/// then: true when the other thread is none of this process, after a fork in it.
void on_new_stack(const std::function<void()>& work, const std::function<bool()>& meanwhile = {});

/// Has this thread's stack room for a compilation, or for a kernel's blocks? Costs nothing but the
/// first time that a thread asks.
bool has_stack();

/// Runs the work here where there is room, else on a stack of its own.
template <class Work>
void with_stack(Work&& work) {
  if (has_stack()) return work();
  on_new_stack(std::ref(work));
}

}  // namespace hetjit

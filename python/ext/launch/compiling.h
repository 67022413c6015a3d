// How Python's threads compile, and with which checks.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "abi/fork_hold.h"
#include "abi/memory_limit.h"
#include "abi/new_stack.h"
#include "abi/target_name.h"
#include "compiler/checks/checks.h"
#include "python/ext/handles/errors.h"

namespace hetjit::python {

/// What `check=` says; nullopt: ValueError is set.
std::optional<Checks> checks_of(const std::string& text);

/// What is asked of LLVM, which knows how to do it once it has done it.
enum class LlvmWork : unsigned { Explain, Emit, Load };

/// LLVM makes tables where it needs them first, behind guards that an exception leaves shut: who
/// comes there next waits for ever. So what this process has not done yet begins only where there
/// is plenty of memory. False: MemoryError is set.
bool may_begin(LlvmWork work, TargetKind target);
/// It has been done: from now on memory may run out at any place.
void has_done(LlvmWork work, TargetKind target);

/// Runs work that may end for lack of memory, with the GIL. False: MemoryError is set.
template <class Work>
bool with_memory(Work&& work) {
  if (within_memory(work)) return true;
  PyErr_NoMemory();
  return false;
}

/// Runs a compilation, without the GIL: `work`, while which no other thread forks, then `load`,
/// for which a driver may need Python, so that a fork must not wait for it. Each returns whether it
/// went all the way. False: MemoryError is set.
template <class Work, class Load>
bool compiling(LlvmWork kind, TargetKind target, Work&& work, Load&& load) {
  if (!may_begin(kind, target)) return false;
  bool enough = false, whole = false;
  auto both = [&] {
    {
      const ForkHold hold;
      whole = work();
    }
    if (std::exchange(whole, false)) whole = load();
  };
  Py_BEGIN_ALLOW_THREADS;
  enough = within_memory([&] { with_stack(both); });
  Py_END_ALLOW_THREADS;
  if (!enough) PyErr_NoMemory();
  if (whole) has_done(kind, target);
  return enough;
}

template <class Work>
bool compiling(LlvmWork kind, TargetKind target, Work&& work) {
  return compiling(kind, target, work, [] { return true; });
}

}  // namespace hetjit::python
